//! The classes of the pages visited so far.
//!
//! In: fingerprints of pages and the scripts of their addresses, more each time. Out: a class
//! number each. While few pages are known all are grouped anew in each round; later, pages between
//! two groupings join the class of the page they are most like.
//!
//! That one script made two addresses ([`super::AddressTree`]) explains much of what parts their
//! pages: as much more as the script is rare among the pages visited ([`Scripts`]). On a site whose
//! addresses are all of one script, it says nothing.

use super::affinity::{Affinity, Weighed, likeness, trusting};
use super::fingerprint::Fingerprint;
use super::grouping::{LikenessTable, group};
use super::reunion::reunite;
use super::scripts::Scripts;
use super::tuning::ModelTuning;

/// Which page is of which class.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    /// By page, the number of its class.
    pub of_page: Vec<usize>,
    /// How many classes.
    pub n_classes: usize,
    /// How many classes have several pages.
    pub n_plural: usize,
    /// How many pages the last grouping was made from.
    n_grouped: usize,
}

/// Up to this many pages are all grouped anew in each round.
const REGROUP_ALWAYS: usize = 160;

impl Classes {
    /// Gives pages that are new a class; groups all anew when they became many.
    pub fn update(&mut self, fingerprints: &[&Fingerprint], scripts: &Scripts, tuning: &ModelTuning) {
        if fingerprints.len() <= REGROUP_ALWAYS || fingerprints.len() * 4 >= self.n_grouped * 5 {
            self.settle(fingerprints, scripts, tuning);
        } else {
            self.follow(fingerprints);
        }
    }

    /// Groups all pages anew.
    pub fn settle(&mut self, fingerprints: &[&Fingerprint], scripts: &Scripts, tuning: &ModelTuning) {
        let weighed = weigh_all(fingerprints);
        let n_pages = weighed.len();
        let table = LikenessTable::of(n_pages, |left, right| {
            let (all, tag_pairs) = likeness(&weighed[left], &weighed[right]);
            let rarity = scripts.rarity(left, right);
            // Pages of one template in two languages are alike in their tags alone.
            let in_tags = all + (tag_pairs - all) * rarity * tuning.tag_pairs_trust;
            trusting(all, rarity * tuning.script_trust).max(in_tags)
        });
        let marked: Vec<Option<usize>> = (0..n_pages).map(|page| scripts.marked(page)).collect();
        let groups = reunite(group(&table, tuning), &marked, &weighed);
        self.of_page = vec![0; n_pages];
        for (class, pages) in groups.iter().enumerate() {
            for &page in pages {
                self.of_page[page] = class;
            }
        }
        self.n_classes = groups.len();
        self.n_plural = groups.iter().filter(|pages| pages.len() > 1).count();
        self.n_grouped = n_pages;
    }

    /// Lets new pages join the class of the page they are most like.
    fn follow(&mut self, fingerprints: &[&Fingerprint]) {
        let weighed = weigh_all(fingerprints);
        let n_known = self.of_page.len();
        for page in n_known..fingerprints.len() {
            let alike = (0..n_known).map(|known| (likeness(&weighed[page], &weighed[known]).0, known));
            let nearest = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
            self.of_page
                .push(nearest.map_or(0, |(_, nearest)| self.of_page[nearest]));
        }
    }
}

fn weigh_all(fingerprints: &[&Fingerprint]) -> Vec<Weighed> {
    let affinity = Affinity::of(fingerprints.iter().copied());
    fingerprints
        .iter()
        .map(|fingerprint| affinity.weigh(fingerprint))
        .collect()
}
