//! Visited pages: the few facts about a page that algorithms over sites read, so that its tree need
//! not be kept.
//!
//! In: a parsed [`Page`] and the site's books of addresses and paths. Out: a [`VisitedPage`]. Links
//! stand in document order, grouped by the raw tag path that leads to them; the paper's link
//! collections are those groups under settled paths ([`super::Explored::collections`]).

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use super::address_book::{AddressBook, AddressId};
use super::site_paths::PagePaths;
use crate::page::{Dom, Link, Name, NodeId, Page, PathId};

/// A page that was visited, as a number of [`super::Explored`], in order of visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageId(pub u32);

impl PageId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A page schema, as a number of [`super::Explored`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

/// A form of pages, as a number of [`super::Explored`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormId(pub u32);

/// What elements a page has: pages made by one template have like forms, also where they link to
/// little.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Form {
    /// The raw paths of all elements, each once, sorted; of a long page those of least hash.
    pub raw: Box<[PathId]>,
    /// The paths of tags alone of all elements, each once, sorted.
    pub shape: Box<[PathId]>,
}

/// What is remembered of a page.
#[derive(Debug, Clone)]
pub struct VisitedPage {
    /// Its own address, after redirects.
    pub address: AddressId,
    /// The address that was asked for when it was first had.
    pub asked: AddressId,
    /// Its schema, as far as the site is known.
    pub schema: SchemaId,
    /// Its links, in document order of each path's first; empty addresses where a path leads out of
    /// the site.
    pub links: Vec<LinksAt>,
    /// Its form: what elements it has, wherever they lead; equal for equal pages.
    pub form: FormId,
    /// The texts that it has in common with other pages at such places, sorted hashes: the words of
    /// its template.
    pub labels: Vec<u64>,
    /// The first page visited that says the same.
    pub copy_of: Option<PageId>,
    /// Its title, cut where it is long.
    pub title: Box<str>,
}

/// The links of a page at one raw tag path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinksAt {
    /// The raw path; it never changes.
    pub raw: PathId,
    /// What it stands for, as far as the site is known.
    pub path: PathId,
    /// Where they lead, each address once, those out of the site left out.
    pub addresses: Box<[AddressId]>,
}

/// How many paths an outline keeps: the error of a similarity read from a sample is about one over
/// the square root of its size.
const OUTLINE_MAX: usize = 256;

/// Groups links by their raw paths; `paths` are those of the links.
pub(super) fn group_links(links: &[Link], paths: &[PathId], book: &mut AddressBook) -> Vec<LinksAt> {
    let mut order: Vec<(PathId, usize)> = paths.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut groups: Vec<(usize, LinksAt)> = Vec::new();
    for group in order.chunk_by(|left, right| left.0 == right.0) {
        let mut addresses: Vec<AddressId> = Vec::with_capacity(group.len());
        let found = group
            .iter()
            .filter_map(|&(_, index)| book.intern_link(&links[index].url));
        addresses.extend(found);
        dedup_in_order(&mut addresses);
        let (raw, first) = group[0];
        let links_at = LinksAt {
            raw,
            path: raw,
            addresses: addresses.into(),
        };
        groups.push((first, links_at));
    }
    groups.sort_unstable_by_key(|(first, _)| *first);
    groups.into_iter().map(|(_, links_at)| links_at).collect()
}

/// Drops all but the first of equal addresses, keeping their order.
pub(super) fn dedup_in_order(addresses: &mut Vec<AddressId>) {
    if addresses.len() < 16 {
        let mut kept = 0;
        for index in 0..addresses.len() {
            if !addresses[..kept].contains(&addresses[index]) {
                addresses[kept] = addresses[index];
                kept += 1;
            }
        }
        addresses.truncate(kept);
        return;
    }
    let mut seen: std::collections::HashSet<AddressId, FixedState> = Default::default();
    addresses.retain(|address| seen.insert(*address));
}

/// The outline of a page with these paths.
pub(super) fn outline(paths: &PagePaths) -> Box<[PathId]> {
    if paths.all.len() <= OUTLINE_MAX {
        return paths.all.clone().into();
    }
    let hash = |path: &PathId| FixedState::with_seed(0x6f75_746c).hash_one(path.0);
    let mut chosen = paths.all.clone();
    chosen.sort_unstable_by_key(|path| (hash(path), *path));
    chosen.truncate(OUTLINE_MAX);
    chosen.sort_unstable();
    chosen.into()
}

/// A hash of the names, attributes and texts of a tree, in order.
pub fn content_hash(dom: &Dom) -> u64 {
    let mut hasher = FixedState::with_seed(0x636f_6e74).build_hasher();
    for node in dom.nodes() {
        hasher.write_usize(dom.depth(node));
        match dom.is_text(node) {
            true => hasher.write(dom.text(node).as_bytes()),
            false => hasher.write(dom.name_text(node).as_bytes()),
        }
        for (_, value) in dom.attributes(node) {
            hasher.write(value.as_bytes());
        }
    }
    hasher.finish()
}

/// Letters of a title that are kept.
const TITLE_MAX: usize = 120;

/// The title of a page, cut at a length that tells pages apart.
pub(super) fn title(page: &Page) -> Box<str> {
    let node: Option<NodeId> = page.dom.find(Name::TITLE);
    let text = node.map(|node| page.dom.visible_text(node)).unwrap_or_default();
    text.chars().take(TITLE_MAX).collect::<String>().into()
}
