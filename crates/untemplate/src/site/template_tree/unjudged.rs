//! What a template tree cannot judge yet: groups of addresses of which too few were tried.
//!
//! In: a tree, the addresses known, which of them were tried, and the address that matters. Out:
//! for the first part on the way to it that has values with many addresses and few tries, addresses
//! to try. Parts are asked in the tree's order, so that nothing is tried for a division that an
//! earlier one makes needless.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use url::Url;

use super::{AddressPart, AddressView, TemplateNode, TemplateTree, TemplateTuning};

/// Values of a part that are asked for, those with most addresses first.
const ASKED_MAX: usize = 12;

/// Addresses of one value that should be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Unjudged {
    /// How many addresses have the value.
    pub n_addresses: usize,
    /// Those to try, by number.
    pub wanted: Vec<usize>,
}

/// What is asked of a tree.
struct Question<'a, F> {
    tree: &'a TemplateTree,
    views: Vec<AddressView<'a>>,
    is_tried: F,
    tuning: &'a TemplateTuning,
    /// Only nodes on the way to this address are asked.
    home: AddressView<'a>,
    found: Vec<Unjudged>,
}

impl TemplateTree {
    /// The values that are not judged yet on the way to an address; those of most addresses first.
    pub(in super::super) fn unjudged(
        &self,
        addresses: &[Url],
        is_tried: impl Fn(usize) -> bool,
        home: &Url,
        tuning: &TemplateTuning,
    ) -> Vec<Unjudged> {
        let mut question = Question {
            tree: self,
            views: addresses.iter().map(|url| AddressView::of(url, self.stems())).collect(),
            is_tried,
            tuning,
            home: AddressView::of(home, self.stems()),
            found: Vec::new(),
        };
        question.ask((0..addresses.len()).collect());
        let mut found = question.found;
        found.sort_by_key(|value| Reverse(value.n_addresses));
        found
    }
}

impl<F: Fn(usize) -> bool> Question<'_, F> {
    /// Asks the parts in order, of the addresses that are still with the home address.
    fn ask(&mut self, mut addresses: Vec<usize>) {
        let tree = self.tree;
        let mut at = 0;
        for part in AddressPart::ALL {
            if self.ask_part(&addresses, part) {
                return;
            }
            let TemplateNode::Test {
                part: own,
                branches,
                other,
            } = &tree.nodes()[at]
            else {
                continue;
            };
            if *own != part {
                continue;
            }
            let branch = |view: &AddressView<'_>| branches.get(&view.part(part)).copied().unwrap_or(*other);
            at = branch(&self.home);
            addresses.retain(|&address| branch(&self.views[address]) == at);
        }
    }

    /// Notes the values of a part that are not judged yet; returns whether there are any.
    fn ask_part(&mut self, addresses: &[usize], part: AddressPart) -> bool {
        let mut values: BTreeMap<String, (usize, Vec<usize>)> = BTreeMap::new();
        for &address in addresses {
            let (n_tried, waiting) = values.entry(self.views[address].part(part)).or_default();
            match (self.is_tried)(address) {
                true => *n_tried += 1,
                false => waiting.push(address),
            }
        }
        // A part with one value divides nothing.
        if values.len() < 2 {
            return false;
        }
        let size = |(n_tried, waiting): &(usize, Vec<usize>)| n_tried + waiting.len();
        let mut large: Vec<&(usize, Vec<usize>)> = values.values().collect();
        large.retain(|value| size(value) >= self.tuning.addresses_min);
        large.sort_by_key(|value| Reverse(size(value)));
        let n_found = self.found.len();
        for value in large.into_iter().take(ASKED_MAX) {
            let (n_tried, waiting) = value;
            let n_wanted = self.tuning.pages_min.saturating_sub(*n_tried).min(waiting.len());
            if n_wanted > 0 {
                self.found.push(Unjudged {
                    n_addresses: size(value),
                    wanted: (0..n_wanted)
                        .map(|place| waiting[place * waiting.len() / n_wanted])
                        .collect(),
                });
            }
        }
        self.found.len() > n_found
    }
}
