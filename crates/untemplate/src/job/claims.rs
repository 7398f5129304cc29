//! Claims: pages that say by `rel=canonical` that they are another one.
//!
//! In: the claims of a crawl, and the records of its record store. Out: copies in the ledger. Some
//! sites name the first page of a list on all of its pages, so a page is believed when the other
//! one is there, of the same class, says nothing of the kind, and says at least half of what this
//! one says.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::content::Content;
use crate::page::stable_hash;
use crate::site::AddressId;
use crate::table::RecordStoreError;

use super::crawl::Crawl;
use super::ledger::Fate;

/// The hashes of what a record says.
type Values = HashSet<u64, FixedState>;

impl Crawl<'_> {
    /// Makes copies of pages whose claims hold.
    pub(super) fn settle_claims(&mut self) -> Result<(), RecordStoreError> {
        let claims = std::mem::take(&mut self.claims);
        let claimants: HashSet<AddressId, FixedState> = claims.iter().map(|(own, _)| *own).collect();
        let pairs: Vec<(AddressId, AddressId)> = claims
            .into_iter()
            .map(|(own, claimed)| (own, self.ledger.own(claimed)))
            .filter(|(own, target)| target != own && !claimants.contains(target) && self.is_one_class(*own, *target))
            .collect();
        let said = self.values_of(&pairs)?;
        for (own, target) in pairs {
            if let (Some(left), Some(right)) = (said.get(&own), said.get(&target))
                && left.intersection(right).count() * 2 >= left.len()
            {
                self.count_copy(own, target);
            }
        }
        Ok(())
    }

    fn is_one_class(&self, left: AddressId, right: AddressId) -> bool {
        matches!((self.ledger.fate(left), self.ledger.fate(right)), (Fate::Read(left), Fate::Read(right)) if left == right)
    }

    /// What the pages of some pairs say.
    fn values_of(
        &mut self,
        pairs: &[(AddressId, AddressId)],
    ) -> Result<HashMap<AddressId, Values, FixedState>, RecordStoreError> {
        let wanted: HashSet<AddressId, FixedState> = pairs.iter().flat_map(|(own, target)| [*own, *target]).collect();
        let mut classes: Vec<usize> = wanted
            .iter()
            .filter_map(|&address| match self.ledger.fate(address) {
                Fate::Read(class) => Some(&self.readers[class as usize].store_classes),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        classes.sort_unstable();
        classes.dedup();
        let mut said = HashMap::default();
        for class in classes {
            let addresses = &self.ledger.addresses;
            self.record_store.each(class, &mut |url, bytes| {
                if let Some(address) = addresses.find(url.as_str()).filter(|address| wanted.contains(address))
                    && let Some(content) = Content::from_bytes(bytes)
                {
                    said.insert(address, values(&content));
                }
                Ok(())
            })?;
        }
        Ok(said)
    }
}

/// The lines that a page says.
fn values(content: &Content) -> Values {
    let texts = content.ids().map(|id| content.text(id)).filter(|text| !text.is_empty());
    texts.map(|text| stable_hash(text.as_bytes())).collect()
}
