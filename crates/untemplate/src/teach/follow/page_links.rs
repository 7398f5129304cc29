//! The links of a page, each address looked up once, since dozens of rules pick the same ones.
//!
//! In: a page. Out: for each rule the numbers of the addresses that it picks. Rules of links have
//! no constant text around what they pick. Pages with 200,000 links are looked at while somebody
//! waits.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{Name, NodeId, Page, UrlParts};
use crate::rule::{ExtractionRule, Locator, Selected, select, value_text};

/// The links of a page that rules picked so far.
pub(crate) struct PageLinks<'a> {
    /// The page.
    pub page: &'a Page,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    by_place: HashMap<Selected, Option<u32>, FixedState>,
    by_address: HashMap<Url, u32, FixedState>,
    addresses: Vec<Url>,
    /// The number of each address's kind.
    kinds: Vec<u32>,
    by_kind: HashMap<String, u32, FixedState>,
}

/// What a rule picks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PickedLinks {
    /// The elements, in document order.
    pub nodes: Vec<NodeId>,
    /// The numbers of the addresses, each once.
    pub addresses: Vec<u32>,
}

impl<'a> PageLinks<'a> {
    pub fn of(page: &'a Page) -> Self {
        Self {
            page,
            known: RefCell::default(),
        }
    }

    /// What a rule picks on the page.
    pub fn picked(&self, rule: &ExtractionRule) -> PickedLinks {
        let dom = &self.page.dom;
        let places = match &rule.place {
            Locator::Absolute(path) => select(path, dom, NodeId::DOCUMENT),
            Locator::Labeled { .. } => rule.values(self.page).into_iter().map(|picked| picked.place).collect(),
        };
        let mut known = self.known.borrow_mut();
        let mut seen: HashSet<u32, FixedState> = HashSet::default();
        let mut picked = PickedLinks::default();
        for place in places {
            let Some(address) = known.address_at(self.page, place) else {
                continue;
            };
            let is_wanted = |url: &Url| rule.url.as_ref().is_none_or(|regex| regex.matches(url));
            if is_wanted(&known.addresses[address as usize]) {
                picked.nodes.push(place.node);
                if seen.insert(address) {
                    picked.addresses.push(address);
                }
            }
        }
        picked
    }

    /// The number of the address that a link leads to.
    pub fn address_of(&self, link: NodeId) -> Option<u32> {
        let attribute = Some(Name::HREF);
        self.known
            .borrow_mut()
            .address_at(self.page, Selected { node: link, attribute })
    }

    /// The number of an address.
    pub fn number(&self, url: &Url) -> u32 {
        self.known.borrow_mut().number(url.clone())
    }

    /// The addresses of numbers.
    pub fn addresses(&self, numbers: &[u32]) -> Vec<Url> {
        let known = self.known.borrow();
        numbers
            .iter()
            .map(|&number| known.addresses[number as usize].clone())
            .collect()
    }

    /// The number of an address's kind.
    pub fn kind(&self, address: u32) -> u32 {
        self.known.borrow().kinds[address as usize]
    }

    /// The kinds of addresses, each once.
    pub fn kinds(&self, addresses: &[u32]) -> HashSet<u32, FixedState> {
        let known = self.known.borrow();
        addresses.iter().map(|&address| known.kinds[address as usize]).collect()
    }
}

impl Known {
    fn address_at(&mut self, page: &Page, place: Selected) -> Option<u32> {
        if let Some(&known) = self.by_place.get(&place) {
            return known;
        }
        let text = value_text(&page.dom, place);
        let url = (!text.is_empty()).then(|| page.resolve(&text)).flatten();
        let number = url.map(|url| self.number(url));
        self.by_place.insert(place, number);
        number
    }

    fn number(&mut self, url: Url) -> u32 {
        if let Some(&number) = self.by_address.get(&url) {
            return number;
        }
        let number = self.addresses.len() as u32;
        let next_kind = self.by_kind.len() as u32;
        let kind = *self.by_kind.entry(UrlParts::of(&url).kind()).or_insert(next_kind);
        self.kinds.push(kind);
        self.addresses.push(url.clone());
        self.by_address.insert(url, number);
        number
    }
}
