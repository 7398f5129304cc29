//! The address book of a site: every address met so far, as a number.
//!
//! In: addresses of links. Out: an [`AddressId`] each, equal for equal addresses; nothing for
//! addresses of other sites and for links to files that are never pages. A crawl meets far more
//! links than it follows, so an address costs its text and eight bytes.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use url::Url;

use crate::page::{Bounds, SiteScope, normalise, same_site};

/// An address of a site, as a number of its [`AddressBook`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AddressId(pub u32);

impl AddressId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How much text of addresses is kept; links beyond it are not followed.
const TEXT_MAX: usize = 2 << 30;

/// Gives equal addresses of a site equal numbers.
#[derive(Debug, Clone)]
pub struct AddressBook {
    /// An address of the site: the others are those of the same site.
    home: Url,
    scope: SiteScope,
    bounds: Option<Arc<Bounds>>,
    /// The addresses one after the other, and where each ends.
    text: String,
    ends: Vec<u32>,
    by_text: HashTable<u32>,
}

const HASHER: FixedState = FixedState::with_seed(0x6164_6472);

impl AddressBook {
    /// The empty book of the site that an address is of.
    pub fn new(home: Url, scope: SiteScope) -> Self {
        Self {
            home,
            scope,
            bounds: None,
            text: String::new(),
            ends: Vec::new(),
            by_text: HashTable::new(),
        }
    }

    /// The same book, in which links beyond the bounds lead to another site. Where a link within
    /// them leads to is taken as it is.
    pub fn within(self, bounds: Option<Arc<Bounds>>) -> Self {
        Self { bounds, ..self }
    }

    /// The number of the address that a link leads to; `None` for one of another site, or of a file
    /// that is never a page.
    pub fn intern_link(&mut self, url: &Url) -> Option<AddressId> {
        let is_wanted = self.bounds.as_ref().is_none_or(|bounds| bounds.contains(url));
        (is_wanted && !is_media(url.path())).then(|| self.intern(url)).flatten()
    }

    /// The number of an address that somebody gave, or that a page has; `None` for one of another
    /// site.
    pub fn intern(&mut self, url: &Url) -> Option<AddressId> {
        if let Some(known) = self.find(url.as_str()) {
            return Some(known);
        }
        let is_ours = same_site(&self.home, url, self.scope);
        if !is_ours || self.text.len() + url.as_str().len() > TEXT_MAX {
            return None;
        }
        let plain = normalise(url.clone());
        match self.find(plain.as_str()) {
            Some(known) => Some(known),
            None => Some(self.insert(plain.as_str())),
        }
    }

    /// The number of an address, spelt as this book spells it; `None` for one that was never met.
    pub fn find(&self, text: &str) -> Option<AddressId> {
        let found = self.by_text.find(HASHER.hash_one(text), |&id| self.slice(id) == text);
        found.map(|&id| AddressId(id))
    }

    fn insert(&mut self, text: &str) -> AddressId {
        let id = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let mut by_text = std::mem::take(&mut self.by_text);
        by_text.insert_unique(HASHER.hash_one(text), id, |&id| HASHER.hash_one(self.slice(id)));
        self.by_text = by_text;
        AddressId(id)
    }

    fn slice(&self, id: u32) -> &str {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.text[start as usize..self.ends[id] as usize]
    }

    /// The address as text.
    pub fn text(&self, address: AddressId) -> &str {
        self.slice(address.0)
    }

    /// The address.
    pub fn url(&self, address: AddressId) -> Url {
        Url::parse(self.text(address)).expect("the text of an address is one")
    }

    /// How many addresses are known.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no address is known yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Ends of file names that are never pages: asking for them would be a wasted download.
#[rustfmt::skip]
const MEDIA: [&str; 59] = [
    "7z", "aac", "apk", "atom", "avi", "avif", "bmp", "bz2", "css", "csv", "deb", "dmg", "doc", "docx", "eot",
    "eps", "epub", "exe", "flac", "gif", "gz", "ico", "ics", "iso", "jar", "jpeg", "jpg", "m4a", "m4v",
    "mid", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "odt", "ogg", "otf", "pdf", "png", "ppt", "rar", "rpm",
    "rss", "svg", "swf", "tar", "tgz", "tif", "tiff", "ttf", "wav", "webm", "webp", "woff", "xls", "zip",
];

/// Whether a path names a picture, a sound, an archive or the like.
pub fn is_media(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("");
    let Some((stem, end)) = name.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty() && MEDIA.binary_search(&end.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a good address")
    }

    #[test]
    fn one_address_one_number() {
        let mut book = AddressBook::new(url("http://cup.example/"), SiteScope::Host);
        let first = book.intern(&url("http://cup.example/%7eada#top"));
        assert_eq!(first, Some(AddressId(0)));
        assert_eq!(book.intern(&url("http://cup.example/~ada")), first);
        assert_eq!(book.intern(&url("http://cup.example/bo?x=1")), Some(AddressId(1)));
        assert_eq!(book.text(AddressId(0)), "http://cup.example/~ada");
        assert_eq!(book.url(AddressId(1)), url("http://cup.example/bo?x=1"));
        assert_eq!(book.len(), 2);
    }

    #[test]
    fn other_sites_and_pictures_are_left_out() {
        let mut book = AddressBook::new(url("http://www.cup.example/"), SiteScope::Domain);
        assert_eq!(book.intern(&url("http://other.example/")), None);
        assert_eq!(
            book.intern_link(&url("http://www.cup.example/a/Photo.JPG?size=2")),
            None
        );
        assert!(book.intern(&url("http://www.cup.example/a/Photo.JPG?size=2")).is_some());
        assert!(book.intern_link(&url("http://www.cup.example/about/knot.js")).is_some());
        assert!(book.intern(&url("http://shop.cup.example/")).is_some());
        assert!(book.intern_link(&url("http://www.cup.example/jpg")).is_some());
        assert!(book.intern_link(&url("http://www.cup.example/.css")).is_some());
        assert!(MEDIA.is_sorted());
    }
}
