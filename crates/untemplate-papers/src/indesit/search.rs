//! INDESIT: learn which links of which pages lead to targets, and follow the most promising,
//! recursively.
//!
//! In: a cluster, at first the sample alone. Out: the pages similar to it. Paper: Blanco,
//! Crescenzi, Merialdo 2004, section 2.3.2. The four steps are below, by name. Resolutions of what
//! the paper leaves open: a dead link neither counts nor kills; every page met that is similar is
//! kept, but a page met in evaluation is a find of its search only at the end, so that what one
//! neighbour is worth never hides another's; a cluster similar to one that is being searched for is
//! never chosen (players lead to teams lead to players), one searched before is looked up, and
//! recursion is at most [`DEPTH_MAX`] deep. Unless it is to be faithful, links of targets that lead
//! to targets are followed to the end (closure).

use std::collections::HashMap;

use foldhash::fast::FixedState;
use untemplate::page::PathId;
use untemplate::site::{AddressId, PageId, SchemaId};

use super::paper_crawl::PaperCrawl;

/// How deep indices of indices are looked for.
const DEPTH_MAX: usize = 6;
/// As soon as this many links of a collection lead to one cluster, the rest is skipped.
const ENOUGH: u32 = 3;

/// A search, with the clusters searched for now and before.
pub(super) struct Indesit<'a> {
    pub crawl: PaperCrawl<'a>,
    /// The first pages of the clusters searched for now, outermost first.
    stack: Vec<PageId>,
    done: Vec<(PageId, Vec<PageId>)>,
    /// How often a cluster was not chosen because it is searched for already.
    pub guarded: usize,
}

/// Pages in the order they were found, each once.
#[derive(Debug, Clone, Default)]
struct Found {
    pages: Vec<PageId>,
    known: std::collections::HashSet<PageId, FixedState>,
}

impl Found {
    fn add(&mut self, page: PageId) {
        if self.known.insert(page) {
            self.pages.push(page);
        }
    }
}

/// A neighbouring cluster, what it is worth, and the paths of its links that lead back.
struct Neighbour {
    pages: Vec<PageId>,
    score: f64,
    back: Vec<PathId>,
}

impl<'a> Indesit<'a> {
    pub fn new(crawl: PaperCrawl<'a>) -> Self {
        Self {
            crawl,
            stack: Vec::new(),
            done: Vec::new(),
            guarded: 0,
        }
    }

    /// The pages similar to a cluster's first.
    pub fn search(&mut self, cluster: &[PageId]) -> Vec<PageId> {
        let first = cluster[0];
        self.stack.push(first);
        let mut found = Found::default();
        cluster.iter().for_each(|&page| found.add(page));
        let mut neighbourhood = Found::default();
        self.discover(cluster, &mut neighbourhood, &mut found);
        let mut met = Found::default();
        let mut tried: Vec<SchemaId> = Vec::new();
        while !self.crawl.explored.is_stopped {
            let neighbours = self.evaluate(&neighbourhood.pages, &found, &mut met);
            let Some(best) = self.choose(neighbours, &tried) else {
                break;
            };
            tried.push(self.crawl.explored.page(best.pages[0]).schema);
            for index in self.recur(&best.pages) {
                for &path in &best.back {
                    let addresses = self.crawl.links_at(index, path);
                    self.keep_similar(&addresses, first, &mut found);
                }
            }
        }
        met.pages.iter().for_each(|&page| found.add(page));
        if !self.crawl.options.is_faithful {
            self.close(&mut found);
        }
        self.stack.pop();
        self.done.push((first, found.pages.clone()));
        found.pages
    }

    /// Neighbourhood discovery: follows the links of a cluster until each collection has shown
    /// where it leads.
    fn discover(&mut self, cluster: &[PageId], neighbourhood: &mut Found, found: &mut Found) {
        for &page in cluster {
            for (_, addresses) in self.crawl.explored.collections(page) {
                let mut counts: HashMap<SchemaId, u32, FixedState> = HashMap::default();
                for address in addresses {
                    let Some(reached) = self.crawl.follow_one(address) else {
                        continue;
                    };
                    neighbourhood.add(reached);
                    if self.crawl.is_similar(reached, cluster[0]) {
                        found.add(reached);
                    }
                    let count = counts.entry(self.crawl.explored.page(reached).schema).or_default();
                    *count += 1;
                    if *count >= ENOUGH {
                        break;
                    }
                }
            }
        }
    }

    /// Evaluation: what each neighbouring cluster is worth, in new targets, against what was found
    /// when it began. Targets that it meets are kept in `met`.
    fn evaluate(&mut self, neighbourhood: &[PageId], found: &Found, met: &mut Found) -> Vec<Neighbour> {
        let mut clusters: Vec<(SchemaId, Vec<PageId>)> = Vec::new();
        for &page in neighbourhood {
            let schema = self.crawl.explored.page(page).schema;
            match clusters.iter_mut().find(|(known, _)| *known == schema) {
                Some((_, pages)) => pages.push(page),
                None => clusters.push((schema, vec![page])),
            }
        }
        clusters
            .into_iter()
            .map(|(_, pages)| self.score(pages, found, met))
            .collect()
    }

    fn score(&mut self, pages: Vec<PageId>, found: &Found, met: &mut Found) -> Neighbour {
        let mut class_links: Vec<(PathId, Vec<Vec<AddressId>>)> = Vec::new();
        for &page in &pages {
            for (path, addresses) in self.crawl.explored.collections(page) {
                match class_links.iter_mut().find(|(known, _)| *known == path) {
                    Some((_, collections)) => collections.push(addresses),
                    None => class_links.push((path, vec![addresses])),
                }
            }
        }
        let (mut score, mut back) = (0.0, Vec::new());
        for (path, collections) in class_links {
            let new = self.count_new(&collections, found, met);
            if let Some(new) = new.filter(|new| *new > 0) {
                score += new as f64 / collections.len() as f64;
                back.push(path);
            }
        }
        Neighbour { pages, score, back }
    }

    /// How many new targets a class-link leads to; `None` as soon as it leads elsewhere.
    fn count_new(&mut self, collections: &[Vec<AddressId>], found: &Found, met: &mut Found) -> Option<usize> {
        let first = self.stack.last().copied()?;
        let mut n_new = 0;
        for &address in collections.iter().flatten() {
            let Some(page) = self.crawl.follow_one(address) else {
                continue;
            };
            if !self.crawl.is_similar(page, first) {
                return None;
            }
            met.add(page);
            n_new += usize::from(!found.known.contains(&page));
        }
        Some(n_new)
    }

    /// The neighbour worth most that may be chosen: fewer pages first, then the one met first.
    fn choose(&mut self, neighbours: Vec<Neighbour>, tried: &[SchemaId]) -> Option<Neighbour> {
        let mut best: Option<Neighbour> = None;
        for neighbour in neighbours {
            let schema = self.crawl.explored.page(neighbour.pages[0]).schema;
            if neighbour.score <= 0.0 || tried.contains(&schema) {
                continue;
            }
            let stack = self.stack.clone();
            if stack.len() > DEPTH_MAX
                || stack
                    .iter()
                    .any(|&sought| self.crawl.is_similar(sought, neighbour.pages[0]))
            {
                self.guarded += 1;
                continue;
            }
            let is_better = |best: &Neighbour| {
                neighbour.score > best.score
                    || neighbour.score == best.score && neighbour.pages.len() < best.pages.len()
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(neighbour);
            }
        }
        best
    }

    /// Recursion: the pages similar to an index cluster.
    fn recur(&mut self, pages: &[PageId]) -> Vec<PageId> {
        for index in 0..self.done.len() {
            if self.crawl.is_similar(self.done[index].0, pages[0]) {
                return self.done[index].1.clone();
            }
        }
        self.search(pages)
    }

    fn keep_similar(&mut self, addresses: &[AddressId], first: PageId, found: &mut Found) {
        for page in self.crawl.follow(addresses) {
            if self.crawl.is_similar(page, first) {
                found.add(page);
            }
        }
    }

    /// Closure: follows the paths of targets that led to targets alone, until nothing new is met.
    fn close(&mut self, found: &mut Found) {
        let Some(&first) = self.stack.last() else { return };
        let mut met = Found::default();
        let neighbours = self.evaluate(&found.pages, found, &mut met);
        met.pages.iter().for_each(|&page| found.add(page));
        let is_like = |crawl: &mut PaperCrawl<'_>, neighbour: &Neighbour| crawl.is_similar(neighbour.pages[0], first);
        let back: Vec<PathId> = neighbours
            .into_iter()
            .filter(|neighbour| is_like(&mut self.crawl, neighbour))
            .flat_map(|neighbour| neighbour.back)
            .collect();
        let mut at = 0;
        while at < found.pages.len() && !self.crawl.explored.is_stopped {
            for &path in &back {
                let addresses = self.crawl.links_at(found.pages[at], path);
                self.keep_similar(&addresses, first, found);
            }
            at += 1;
        }
    }
}
