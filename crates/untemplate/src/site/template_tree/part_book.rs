//! The parts of all addresses of a site, as numbers, so that a tree is grown on integers.
//!
//! In: addresses, in the order of their numbers in an [`AddressBook`](crate::site::AddressBook).
//! Out: their [`AddressParts`]. The stems of names are learnt anew whenever the site is half as
//! large again as it was then.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use url::Url;

use super::address_part::{AddressPart, AddressView};
use crate::site::address_book::{AddressBook, AddressId};
use crate::site::model::name_stems;

/// The values of an address's parts, in the order of [`AddressPart::ALL`].
pub type AddressParts = [u32; AddressPart::ALL.len()];

/// Stems that are used, those that say most of the names. Of more, some are data: with 200 classes
/// fall apart.
const STEMS_MAX: usize = 64;

/// Fewer addresses than this have no stems.
const STEMS_FROM: usize = 16;

/// Gives the values of addresses' parts numbers.
#[derive(Debug, Clone)]
pub struct PartBook {
    values: HashMap<String, u32, FixedState>,
    parts: Vec<AddressParts>,
    stems: Vec<String>,
    /// How many addresses there are when stems are learnt anew.
    stems_at: usize,
}

impl Default for PartBook {
    fn default() -> Self {
        Self {
            values: HashMap::default(),
            parts: Vec::new(),
            stems: Vec::new(),
            stems_at: STEMS_FROM,
        }
    }
}

impl PartBook {
    /// Takes the addresses apart that came into the book since.
    pub fn read_on(&mut self, addresses: &AddressBook) {
        for number in self.parts.len()..addresses.len() {
            self.read(&addresses.url(AddressId(number as u32)));
        }
    }

    /// Learns the stems of names anew, if there are many more addresses now, and takes all of them
    /// apart again.
    pub fn learn_stems(&mut self, addresses: &AddressBook) {
        if addresses.len() < self.stems_at {
            return;
        }
        self.stems_at = addresses.len() * 3 / 2;
        let urls: Vec<Url> = (0..addresses.len() as u32)
            .map(|number| addresses.url(AddressId(number)))
            .collect();
        self.stems = name_stems(&urls);
        self.stems.truncate(STEMS_MAX);
        self.parts.clear();
        urls.iter().for_each(|url| self.read(url));
    }

    fn read(&mut self, url: &Url) {
        let view = AddressView::of(url, &self.stems);
        let parts = AddressPart::ALL.map(|part| {
            let value = view.part(part);
            let next = self.values.len() as u32;
            *self.values.entry(value).or_insert(next)
        });
        self.parts.push(parts);
    }

    /// The parts of an address.
    pub fn of(&self, address: AddressId) -> &AddressParts {
        &self.parts[address.index()]
    }

    /// How many addresses were taken apart.
    pub fn len(&self) -> usize {
        self.parts.len()
    }
}
