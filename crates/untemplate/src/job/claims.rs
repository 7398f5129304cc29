//! Claims: pages that say by `rel=canonical` that they are another one.
//!
//! In: the claims of a crawl, and the records of its shelf. Out: copies in the ledger. Some sites name the first page of a list on all of its pages, so a page is
//! believed when the other one is there, of the same class, says nothing of the kind, and says at least half of what this one says.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::page::stable_hash;
use crate::site::AddressId;
use crate::table::ShelfError;
use crate::wrapper::{Record, Value};

use super::crawl::Crawl;
use super::ledger::Fate;

/// The hashes of what a record says.
type Values = HashSet<u64, FixedState>;

impl Crawl<'_> {
    /// Makes copies of pages whose claims hold.
    pub(super) fn settle_claims(&mut self) -> Result<(), ShelfError> {
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
    ) -> Result<HashMap<AddressId, Values, FixedState>, ShelfError> {
        let wanted: HashSet<AddressId, FixedState> = pairs.iter().flat_map(|(own, target)| [*own, *target]).collect();
        let mut classes: Vec<usize> = wanted
            .iter()
            .filter_map(|&address| match self.ledger.fate(address) {
                Fate::Read(class) => Some(self.readers[class as usize].shelf_class),
                _ => None,
            })
            .collect();
        classes.sort_unstable();
        classes.dedup();
        let mut said = HashMap::default();
        for class in classes {
            let addresses = &self.ledger.addresses;
            self.shelf.each(class, &mut |page| {
                if let Some(address) = addresses
                    .find(page.url.as_str())
                    .filter(|address| wanted.contains(address))
                {
                    said.insert(address, values(&page.record));
                }
                Ok(())
            })?;
        }
        Ok(said)
    }
}

/// What a record says, but for addresses.
fn values(record: &Record) -> Values {
    let mut values = Values::default();
    let mut waiting: Vec<&Record> = vec![record];
    while let Some(record) = waiting.pop() {
        for (_, value) in &record.values {
            match value {
                Value::Text(text) if text.contains("://") => {}
                Value::Text(text) => drop(values.insert(stable_hash(text.as_bytes()))),
                Value::List(rounds) => waiting.extend(rounds),
            }
        }
    }
    values
}
