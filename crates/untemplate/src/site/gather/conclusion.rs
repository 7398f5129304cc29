//! What a guided search found, and how: the pages nearest first, and the ways that led to them,
//! most fruitful first.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::result::{Gathered, GatheredPage, Lead};
use super::search::Search;
use crate::page::PathId;
use crate::site::visited_page::PageId;

/// How many ways are told.
const LEADS_MAX: usize = 24;

impl Search<'_> {
    /// The result of the search.
    pub fn conclude(mut self) -> Gathered {
        let targets = self.targets();
        let Some(&sample) = targets.first() else {
            return Gathered::default();
        };
        let mut pages: Vec<GatheredPage> = Vec::with_capacity(targets.len());
        for &page in &targets {
            let likeness = self.explored.likeness(sample, page).jaccard;
            pages.push(GatheredPage {
                url: self.explored.url(page),
                distance: if page == sample { 0.0 } else { 1.0 - likeness },
                copy_of: self.explored.page(page).copy_of.map(|first| self.explored.url(first)),
            });
        }
        pages[1..].sort_by(|left, right| {
            left.distance
                .total_cmp(&right.distance)
                .then_with(|| left.url.cmp(&right.url))
        });
        let losses = self.explored.losses.iter();
        Gathered {
            size_estimate: self.size_estimate,
            leads: self.leads(),
            losses: losses
                .map(|(address, why)| (self.explored.addresses.url(*address), why.clone()))
                .collect(),
            pages,
            downloads: self.explored.downloads,
            evaluations: self.explored.evaluations,
            is_stopped: self.explored.is_stopped,
        }
    }

    /// The ways that led to targets: links at one path on pages of one kind.
    fn leads(&self) -> Vec<Lead> {
        let mut ways: HashMap<(usize, PathId), Way, FixedState> = HashMap::default();
        for (page, visited) in self.explored.pages() {
            let kind = self.kind(page);
            for links_at in &visited.links {
                let way = ways.entry((kind, links_at.path)).or_insert_with(|| Way::new(page));
                way.n_pages += 1;
                for &address in &links_at.addresses {
                    let reached = self.explored.reached(address).and_then(|reached| reached.page());
                    let Some(reached) = reached.filter(|&reached| reached != page) else {
                        continue;
                    };
                    way.add(reached, self.is_target(reached), self.found_on(reached) == Some(page));
                }
            }
        }
        let mut leads: Vec<Lead> = ways
            .into_iter()
            .filter(|(_, way)| way.n_targets > 0)
            .map(|(at, way)| self.lead(at, &way))
            .collect();
        leads.sort_by(|left, right| {
            let key = |lead: &Lead| {
                (
                    std::cmp::Reverse((lead.n_first, lead.n_targets)),
                    lead.family,
                    lead.path.clone(),
                )
            };
            key(left).cmp(&key(right))
        });
        leads.truncate(LEADS_MAX);
        leads
    }

    fn lead(&self, (kind, path): (usize, PathId), way: &Way) -> Lead {
        Lead {
            family: kind as u32,
            example: self.explored.url(way.example),
            n_pages: way.n_pages,
            path: self.explored.paths.text(path),
            n_links: way.seen.len(),
            n_targets: way.n_targets,
            n_first: way.n_first,
        }
    }
}

struct Way {
    example: PageId,
    n_pages: usize,
    seen: HashSet<PageId, FixedState>,
    n_targets: usize,
    n_first: usize,
}

impl Way {
    fn new(example: PageId) -> Self {
        Self {
            example,
            n_pages: 0,
            seen: HashSet::default(),
            n_targets: 0,
            n_first: 0,
        }
    }

    fn add(&mut self, reached: PageId, is_target: bool, is_first: bool) {
        if self.seen.insert(reached) {
            self.n_targets += usize::from(is_target);
        }
        self.n_first += usize::from(is_target && is_first);
    }
}
