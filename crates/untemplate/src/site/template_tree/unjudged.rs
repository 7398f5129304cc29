//! What a template tree cannot judge yet: groups of addresses of which too few were tried.
//!
//! In: a tree, the addresses known, which of them were tried, and the address that matters. Out:
//! for the first part on the way to it that has values with many addresses and few tries, addresses
//! to try. Parts are asked in the tree's order, so that nothing is tried for a division that an
//! earlier one makes needless.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{AddressPart, PartBook, TemplateNode, TemplateTree, TemplateTuning};
use crate::site::address_book::AddressId;

/// Values of a part that are asked for, those with most addresses first. 8 and 12 are alike.
const ASKED_MAX: usize = 12;

/// The addresses of one value of a part.
#[derive(Default)]
struct Value {
    n_tried: usize,
    waiting: Vec<AddressId>,
}

impl Value {
    fn len(&self) -> usize {
        self.n_tried + self.waiting.len()
    }

    /// Addresses from all over the value, as many as it takes to judge it.
    fn wanted(&self, pages_min: usize) -> impl Iterator<Item = AddressId> {
        let n_wanted = pages_min.saturating_sub(self.n_tried).min(self.waiting.len());
        (0..n_wanted).map(move |place| self.waiting[place * self.waiting.len() / n_wanted])
    }
}

impl TemplateTree {
    /// Addresses to try on the way to the home address; those of large groups first.
    pub fn unjudged(
        &self,
        book: &PartBook,
        mut addresses: Vec<AddressId>,
        is_tried: impl Fn(AddressId) -> bool,
        home: AddressId,
        tuning: &TemplateTuning,
    ) -> Vec<AddressId> {
        let mut at = 0;
        for part in 0..AddressPart::ALL.len() {
            let mut values: BTreeMap<u32, Value> = BTreeMap::new();
            for &address in &addresses {
                let value = values.entry(book.of(address)[part]).or_default();
                match is_tried(address) {
                    true => value.n_tried += 1,
                    false => value.waiting.push(address),
                }
            }
            // A part with one value divides nothing.
            if values.len() > 1 {
                let wanted = wanted(values.into_values(), tuning);
                if !wanted.is_empty() {
                    return wanted;
                }
            }
            if let TemplateNode::Test {
                part: own,
                branches,
                other,
            } = &self.nodes[at]
                && *own == part
            {
                let branch = |address: AddressId| branches.get(&book.of(address)[part]).copied().unwrap_or(*other);
                at = branch(home);
                addresses.retain(|&address| branch(address) == at);
            }
        }
        Vec::new()
    }
}

/// The addresses that are wanted of the largest values.
fn wanted(values: impl Iterator<Item = Value>, tuning: &TemplateTuning) -> Vec<AddressId> {
    let mut large: Vec<Value> = values.filter(|value| value.len() >= tuning.addresses_min).collect();
    large.sort_by_key(|value| Reverse(value.len()));
    large.truncate(ASKED_MAX);
    (large.iter())
        .flat_map(|value| value.wanted(tuning.pages_min))
        .collect()
}
