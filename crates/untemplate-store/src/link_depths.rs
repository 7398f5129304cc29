//! Link depths: how many links lead from where a run started to each address, for `--depth`.
//!
//! In: the pages of a run as they are fetched, in any order. Out: whether an address lies within
//! the depth. A page that is met on a shorter way later takes what it links to along.

use std::collections::HashMap;

use untemplate::page::{Page, links, normalise, stable_hash};
use url::Url;

/// How many links lead to each address that was met.
#[derive(Debug, Default)]
pub struct LinkDepths {
    /// The most links in a row that are followed.
    depth_max: u32,
    /// By hash of the address: texts of all links of a site would take too much.
    depths: HashMap<u64, u32>,
    /// What the fetched pages link to.
    links: HashMap<u64, Vec<u64>>,
}

impl LinkDepths {
    /// Follows at most this many links in a row.
    pub fn new(depth_max: u32) -> Self {
        Self {
            depth_max,
            ..Self::default()
        }
    }

    /// An address that a run starts from.
    pub fn start(&mut self, url: &Url) {
        self.relax(key(url), 0);
    }

    /// Takes in a page that was fetched at an address, which may have led to another one.
    pub fn take(&mut self, asked: &Url, page: &Page) {
        let (asked, own) = (key(asked), key(&page.url));
        let Some(&depth) = self.depths.get(&asked) else { return };
        let mut targets: Vec<u64> = links(page).iter().map(|link| key(&link.url)).collect();
        targets.sort_unstable();
        targets.dedup();
        self.links.insert(own, targets.clone());
        self.relax(own, depth);
        // Its own depth may have been known already, before its links were.
        let depth = self.depths[&own];
        for target in targets {
            self.relax(target, depth + 1);
        }
    }

    /// Whether an address is reached by few enough links, as far as they were seen.
    pub fn is_within(&self, url: &Url) -> bool {
        self.depths.get(&key(url)).is_some_and(|&depth| depth <= self.depth_max)
    }

    /// Notes a way to an address, and what that means for all that lies behind it.
    fn relax(&mut self, address: u64, depth: u32) {
        let mut waiting = vec![(address, depth)];
        while let Some((address, depth)) = waiting.pop() {
            if self.depths.get(&address).is_some_and(|&known| known <= depth) {
                continue;
            }
            self.depths.insert(address, depth);
            let behind = self.links.get(&address).into_iter().flatten();
            waiting.extend(behind.map(|&target| (target, depth + 1)));
        }
    }
}

fn key(url: &Url) -> u64 {
    stable_hash(normalise(url.clone()).as_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use untemplate::page::{ParseOptions, Response};

    use super::*;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://site.example/{path}")).expect("an address")
    }

    fn take(depths: &mut LinkDepths, path: &str, targets: &[&str]) {
        let html: String = targets.iter().map(|target| format!("<a href={target}>x</a>")).collect();
        let page = Page::read(&Response::html(url(path), html), &ParseOptions::default());
        depths.take(&url(path), &page);
    }

    #[test]
    fn a_shorter_way_takes_what_lies_behind_along() {
        let mut depths = LinkDepths::new(2);
        depths.start(&url(""));
        take(&mut depths, "", &["a", "b"]);
        take(&mut depths, "a", &["c"]);
        take(&mut depths, "c", &["d"]);
        take(&mut depths, "d", &["e"]);
        let within = |depths: &LinkDepths| ["a", "c", "d", "e", "x"].map(|path| depths.is_within(&url(path)));
        assert_eq!(within(&depths), [true, true, false, false, false]);
        take(&mut depths, "b", &["d"]);
        assert_eq!(within(&depths), [true, true, true, false, false]);
        depths.start(&url("d"));
        assert_eq!(within(&depths), [true, true, true, true, false]);
    }
}
