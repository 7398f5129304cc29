//! The ledger: what came of every address of the site.
//!
//! An address costs its text and eight bytes. Addresses that stand for one page (redirects, copies,
//! what pages say of themselves by `rel=canonical`) lead to the one that its row is under.

use std::sync::Arc;

use url::Url;

use crate::page::{Bounds, Dom, Name, Page, SiteScope, normalise};
use crate::site::{AddressBook, AddressId};

/// What came of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It was met, and nobody asked for it.
    Met,
    /// It waits to be asked for.
    Waiting {
        /// Whether it was met on a page of its own shape, as the next page of a list is, or another
        /// order of it.
        is_own: bool,
    },
    /// There is no page, or none that may or could be had.
    NoPage,
    /// A page that no class reads.
    Unread,
    /// A page that was read, of this class.
    Read(u32),
    /// Another address of this page.
    SameAs(AddressId),
}

/// What came of every address.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The addresses.
    pub addresses: AddressBook,
    fates: Vec<Fate>,
    /// The page that the site is entered by.
    home: Url,
}

/// How many addresses of one page lead to each other at most.
const STEPS_MAX: usize = 8;

impl Ledger {
    /// The empty ledger of the site that an address is of.
    pub fn new(home: Url, scope: SiteScope, bounds: Option<Arc<Bounds>>) -> Self {
        Self {
            addresses: AddressBook::new(home.clone(), scope).within(bounds),
            fates: Vec::new(),
            home,
        }
    }

    /// What came of an address.
    pub fn fate(&self, address: AddressId) -> Fate {
        self.fates.get(address.index()).copied().unwrap_or(Fate::Met)
    }

    /// Notes what came of an address.
    pub fn set(&mut self, address: AddressId, fate: Fate) {
        if self.fates.len() <= address.index() {
            self.fates.resize(self.addresses.len(), Fate::Met);
        }
        self.fates[address.index()] = fate;
    }

    /// The address that stands for the same page.
    pub fn own(&self, address: AddressId) -> AddressId {
        let mut own = address;
        for _ in 0..STEPS_MAX {
            match self.fate(own) {
                Fate::SameAs(other) => own = other,
                _ => break,
            }
        }
        own
    }

    /// The page class of the page at an address, and the address that its row is under.
    pub fn page_at(&self, address: &str) -> Option<(usize, AddressId)> {
        let own = self.own(self.addresses.find(address)?);
        match self.fate(own) {
            Fate::Read(class) => Some((class as usize, own)),
            _ => None,
        }
    }

    /// The page that the site is entered by, if it was read.
    pub fn entry(&self) -> Option<AddressId> {
        self.page_at(self.home.as_str()).map(|(_, page)| page)
    }

    /// Gives the classes other numbers.
    pub fn renumber(&mut self, numbers: &[u32]) {
        for fate in &mut self.fates {
            if let Fate::Read(class) = fate {
                *class = numbers[*class as usize];
            }
        }
    }

    /// All addresses that were met, and what came of them.
    pub fn fates(&self) -> impl Iterator<Item = (AddressId, Fate)> {
        let all = (0..self.addresses.len() as u32).map(AddressId);
        all.map(|address| (address, self.fate(address)))
    }
}

/// The address that a page says is its own, where that is another one.
pub fn canonical(page: &Page) -> Option<Url> {
    let dom = &page.dom;
    let link = dom
        .offered_nodes()
        .find(|&node| dom.is_html(node, Name::LINK) && is_canonical(dom, node))?;
    let url = page.resolve(dom.attribute(link, Name::HREF)?)?;
    (url != normalise(page.url.clone())).then_some(url)
}

fn is_canonical(dom: &Dom, link: crate::page::NodeId) -> bool {
    let relation = dom.attribute(link, Name::REL).unwrap_or("");
    relation
        .split_ascii_whitespace()
        .any(|word| word.eq_ignore_ascii_case("canonical"))
}
