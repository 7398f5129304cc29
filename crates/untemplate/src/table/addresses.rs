//! Addresses: which page class each address of a site leads to.

use std::collections::HashMap;

use super::reading::value_hash;

/// Page classes by address. Addresses are kept as hashes: a site may have many.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Addresses {
    classes: HashMap<u64, u32>,
}

impl Addresses {
    /// Notes that an address is a page of a class.
    pub fn add(&mut self, address: &str, page_class: usize) {
        self.classes.insert(address_hash(address), page_class as u32);
    }

    pub(super) fn class_of_hash(&self, hash: u64) -> Option<usize> {
        self.classes.get(&hash).map(|&class| class as usize)
    }
}

/// The hash of an address without the place in the page.
pub(super) fn address_hash(address: &str) -> u64 {
    let address = address.split_once('#').map_or(address, |(address, _)| address);
    value_hash(address)
}
