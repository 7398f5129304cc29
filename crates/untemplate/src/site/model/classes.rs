//! The classes of the pages visited so far.
//!
//! In: sightings of pages and the shapes of their addresses, more each time. Out: a class number each. While few pages are known all are grouped
//! anew in each round; later, pages between two groupings join the class of the page they are most like.
//!
//! Addresses of one shape are made by one script, more often than not. So between pages of one shape the bones count more, which no
//! data can blur: as much more as the shape is rare among the pages visited. On a site whose addresses are all of one shape, it says
//! nothing. Of a name with a word at each end (`roses-card_red`), one names the template and the other the thing; the pages tell
//! which: those that share it are more alike.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::address_shape::ShapeParts;
use super::affinity::{Affinity, Likeness, Weighed, likeness, shape_trust};
use super::grouping::{GroupingOptions, LikenessTable, group};
use super::observer::Sighting;
use super::reunion::reunite;

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
    pub fn update(&mut self, sightings: &[Sighting], shapes: &[ShapeParts]) {
        if sightings.len() <= REGROUP_ALWAYS || sightings.len() * 4 >= self.n_grouped * 5 {
            self.settle(sightings, shapes);
        } else {
            self.follow(sightings);
        }
    }

    /// Groups all pages anew.
    pub fn settle(&mut self, sightings: &[Sighting], shapes: &[ShapeParts]) {
        let weighed = weigh_all(sightings);
        let n_pages = weighed.len();
        let mut pairs: Vec<Likeness> = Vec::with_capacity(n_pages * n_pages / 2);
        for left in 0..n_pages {
            pairs.extend((0..left).map(|right| likeness(&weighed[left], &weighed[right])));
        }
        let pair = |left: usize, right: usize| {
            let (high, low) = (left.max(right), left.min(right));
            pairs[high * (high - 1) / 2 + low]
        };
        let scripts = scripts(shapes, |left, right| pair(left, right).together);
        let trusts = trusts(&scripts);
        let table = LikenessTable::of(n_pages, |left, right| {
            let trust = if scripts[left] == scripts[right] {
                trusts[left]
            } else {
                0.0
            };
            pair(left, right).trusting(trust)
        });
        let groups = reunite(group(&table, &GroupingOptions::default()), &scripts, &weighed);
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
    fn follow(&mut self, sightings: &[Sighting]) {
        let weighed = weigh_all(sightings);
        let n_known = self.of_page.len();
        for page in n_known..sightings.len() {
            let alike = (0..n_known).map(|known| (likeness(&weighed[page], &weighed[known]).together, known));
            let nearest = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
            self.of_page
                .push(nearest.map_or(0, |(_, nearest)| self.of_page[nearest]));
        }
    }
}

fn weigh_all(sightings: &[Sighting]) -> Vec<Weighed> {
    let affinity = Affinity::of(sightings.iter().map(|sighting| &sighting.portrait));
    sightings
        .iter()
        .map(|sighting| affinity.weigh(&sighting.portrait))
        .collect()
}

/// The script that made each address, as far as shapes tell: its place, and the word of the end that tells templates apart there.
fn scripts(shapes: &[ShapeParts], alike: impl Fn(usize, usize) -> f32) -> Vec<(&str, &str)> {
    let mut by_place: HashMap<&str, Vec<usize>, FixedState> = HashMap::default();
    for (page, shape) in shapes.iter().enumerate() {
        by_place.entry(&shape.place).or_default().push(page);
    }
    let mut scripts = vec![("", ""); shapes.len()];
    for (place, pages) in by_place {
        let first = |page: usize| shapes[page].first.as_str();
        let last = |page: usize| shapes[page].last.as_str();
        let is_first = telling(&pages, &first, &alike) >= telling(&pages, &last, &alike);
        for page in pages {
            scripts[page] = (place, if is_first { first(page) } else { last(page) });
        }
    }
    scripts
}

/// How much more alike pages are that share a word than pages that do not.
fn telling<'a>(pages: &[usize], word: &impl Fn(usize) -> &'a str, alike: &impl Fn(usize, usize) -> f32) -> f32 {
    let (mut same, mut n_same, mut other, mut n_other) = (0.0, 0.0, 0.0, 0.0);
    for (place, &left) in pages.iter().enumerate() {
        for &right in &pages[..place] {
            let value = alike(left, right);
            if word(left) == word(right) {
                same += value;
                n_same += 1.0;
            } else {
                other += value;
                n_other += 1.0;
            }
        }
    }
    if n_same == 0.0 || n_other == 0.0 {
        0.0
    } else {
        same / n_same - other / n_other
    }
}

/// How much it says of each page that another is of the same script.
fn trusts(scripts: &[(&str, &str)]) -> Vec<f32> {
    let mut counts: HashMap<(&str, &str), f32, FixedState> = HashMap::default();
    for &script in scripts {
        *counts.entry(script).or_default() += 1.0;
    }
    let share = |script: &(&str, &str)| counts[script] / scripts.len() as f32;
    scripts.iter().map(|script| shape_trust(share(script))).collect()
}
