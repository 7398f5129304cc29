//! Reunion: pages of one script that grouping has parted, because some of them lack whole sections.
//!
//! In: groups of pages, the script that made each address, and what the pages weigh. Out: groups
//! again. A page without the sections of its like has little in common with them, by any measure
//! over what either has; but nearly all that it has is theirs. So where most pages of a script are
//! in one group, others of it are moved there when the group holds what they have about as well as
//! it holds what its own pages have, each asked of the others; or when they have what all pages of
//! the group have and not all of the site: its core. Pages of two templates with one shape of
//! address stay apart: each lacks marks and labels that are in the other's core.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use super::affinity::{WEIGHT_FLOOR, Weighed};
use super::fingerprint::{Feature, FeatureKind};

/// The kinds that are compared; what an address says is known already.
const KINDS: [FeatureKind; 3] = [FeatureKind::MarkUp, FeatureKind::TagPairs, FeatureKind::Texts];

/// How well a group must hold what a page has, as a share of how well it holds what its own pages
/// have. Swept 0.8 to 0.95 on nine real sites and three skins of the demo site: F* is the same,
/// purity falls from 0.999 to 0.998 at 0.8.
const HELD_SHARE: f32 = 0.9;

/// How much of a group's core a page must have, as a share of what its own pages have. Swept 0.8 to
/// 0.95: below 0.9 purity falls to 0.985 on one site.
const CORE_HELD_SHARE: f32 = 0.95;

/// A script with fewer pages in one group says nothing about the others.
const HOME_PAGES: usize = 3;

/// Of a home, this many pages are asked how well the others hold what they have.
const ASKED_MAX: usize = 24;

/// Moves pages to the group where the others of their script are, if it holds what they have. Pages
/// of no script stay where they are.
pub fn reunite(groups: Vec<Vec<usize>>, scripts: &[Option<usize>], weighed: &[Weighed]) -> Vec<Vec<usize>> {
    let mut of_page = vec![0; weighed.len()];
    for (group, pages) in groups.iter().enumerate() {
        pages.iter().for_each(|&page| of_page[page] = group);
    }
    let mut by_script: BTreeMap<usize, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for (page, script) in scripts
        .iter()
        .enumerate()
        .filter_map(|(page, script)| Some((page, (*script)?)))
    {
        let units = by_script.entry(script).or_default();
        units.entry(of_page[page]).or_default().push(page);
    }
    for units in by_script.into_values().filter(|units| units.len() > 1) {
        for page in strays(units, weighed) {
            of_page[page.0] = page.1;
        }
    }
    let mut united = vec![Vec::new(); groups.len()];
    for (page, &group) in of_page.iter().enumerate() {
        united[group].push(page);
    }
    united.retain(|pages| !pages.is_empty());
    united.sort_unstable();
    united
}

/// The pages of a script that belong to the group of the most, and that group. Who comes home may
/// open the door for the next.
fn strays(units: BTreeMap<usize, Vec<usize>>, weighed: &[Weighed]) -> Vec<(usize, usize)> {
    let mut units: Vec<(usize, Vec<usize>)> = units.into_iter().collect();
    units.sort_by_key(|(group, pages)| (Reverse(pages.len()), *group));
    let (home, mut own) = units.remove(0);
    let mut strays = Vec::new();
    while own.len() >= HOME_PAGES {
        let home_pages = Home::of(&own, weighed);
        let Some(at) = units.iter().position(|(_, pages)| home_pages.knows(pages, weighed)) else {
            break;
        };
        let (_, pages) = units.remove(at);
        strays.extend(pages.iter().map(|&page| (page, home)));
        own.extend(pages);
    }
    strays
}

/// The pages of a script in the group that most of them are in: what they have, and what of it they
/// all have.
struct Home {
    holdings: Holdings,
    core: Core,
    /// How well it holds what its own pages have.
    usual: f32,
    /// How much of its core its own pages have.
    usual_core: f32,
}

impl Home {
    fn of(pages: &[usize], weighed: &[Weighed]) -> Self {
        let holdings = Holdings::of(pages, weighed);
        let core = Core::of(&holdings, pages, weighed);
        let asked = || pages.iter().take(ASKED_MAX).map(|&page| &weighed[page]);
        Self {
            usual: mean(asked().map(|page| holdings.holds(page, 1))),
            usual_core: mean(asked().map(|page| core.held_by(page))),
            holdings,
            core,
        }
    }

    /// Whether pages belong here: it holds what they have, or they have what all here have.
    fn knows(&self, pages: &[usize], weighed: &[Weighed]) -> bool {
        let held = mean(pages.iter().map(|&page| self.holdings.holds(&weighed[page], 0)));
        let core = mean(pages.iter().map(|&page| self.core.held_by(&weighed[page])));
        held >= HELD_SHARE * self.usual || (self.usual_core > 0.0 && core >= CORE_HELD_SHARE * self.usual_core)
    }
}

fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f32
}

/// What the pages of a group have, and how many of them.
struct Holdings {
    counts: [HashMap<Feature, u32, FixedState>; 3],
}

impl Holdings {
    fn of(pages: &[usize], weighed: &[Weighed]) -> Self {
        let mut counts: [HashMap<Feature, u32, FixedState>; 3] = Default::default();
        for &page in pages {
            for (counts, kind) in counts.iter_mut().zip(KINDS) {
                for &(feature, _) in weighed[page].by(kind) {
                    *counts.entry(feature).or_default() += 1;
                }
            }
        }
        Self { counts }
    }

    /// The share of what a page has, in weight, that more than this many pages have; over the
    /// kinds, the geometric mean.
    fn holds(&self, page: &Weighed, n_less: u32) -> f32 {
        let shares = self.counts.iter().zip(KINDS).map(|(counts, kind)| {
            let (mut held, mut whole) = (0.0, 0.0);
            for &(feature, weight) in page.by(kind) {
                whole += weight;
                held += if counts.get(&feature).is_some_and(|&count| count > n_less) {
                    weight
                } else {
                    0.0
                };
            }
            if whole > 0.0 { held / whole } else { 1.0 }
        });
        shares.product::<f32>().cbrt()
    }
}

/// What nearly all pages of a group have, and not all of the site: for each kind features and what
/// they tell.
struct Core {
    features: [HashMap<Feature, f32, FixedState>; 3],
    totals: [f32; 3],
}

impl Core {
    fn of(holdings: &Holdings, pages: &[usize], weighed: &[Weighed]) -> Self {
        let mut features: [HashMap<Feature, f32, FixedState>; 3] = Default::default();
        let mut totals = [0.0; 3];
        for &page in pages {
            for index in 0..3 {
                for &(feature, weight) in weighed[page].by(KINDS[index]) {
                    let is_usual = holdings.counts[index][&feature] as f32 >= CORE_SHARE * pages.len() as f32;
                    let told = weight - WEIGHT_FLOOR;
                    if is_usual && told > 0.0 && features[index].insert(feature, told).is_none() {
                        totals[index] += told;
                    }
                }
            }
        }
        Self { features, totals }
    }

    /// The share of the core that a page has; over the kinds, the geometric mean. A core that says
    /// nothing is held by none.
    fn held_by(&self, page: &Weighed) -> f32 {
        let shares = (0..3).map(|index| {
            let own = page.by(KINDS[index]).iter();
            let held: f32 = own.filter_map(|(feature, _)| self.features[index].get(feature)).sum();
            if self.totals[index] < CORE_LEAST {
                0.0
            } else {
                held / self.totals[index]
            }
        });
        shares.product::<f32>().cbrt()
    }
}

/// What this many pages of a group have is its core.
const CORE_SHARE: f32 = 0.9;

/// A core that tells less than this says nothing.
const CORE_LEAST: f32 = 1.0;

#[cfg(test)]
mod tests {
    use super::super::affinity::Affinity;
    use super::super::fingerprint::Fingerprint;
    use super::*;
    use crate::page::{AttributeFilter, Page, ParseOptions, Response};

    /// Groups pages of one script, given as (group, body), anew.
    fn check_reunion(pages: &[(usize, &str)], expected: &[&[usize]]) {
        let fingerprint = |(number, (_, body)): (usize, &(usize, &str))| {
            let url = format!("http://a.example/{number}.html")
                .parse()
                .expect("a good address");
            let html = format!("<div class=menu><a href=/>Home</a></div>{body}");
            Fingerprint::of(
                &Page::read(&Response::html(url, html), &ParseOptions::default()),
                &AttributeFilter::default(),
            )
        };
        let fingerprints: Vec<Fingerprint> = pages.iter().enumerate().map(fingerprint).collect();
        let affinity = Affinity::of(fingerprints.iter());
        let weighed: Vec<Weighed> = fingerprints
            .iter()
            .map(|fingerprint| affinity.weigh(fingerprint))
            .collect();
        let n_groups = pages.iter().map(|(group, _)| group + 1).max().unwrap_or(0);
        let mut groups = vec![Vec::new(); n_groups];
        for (page, (group, _)) in pages.iter().enumerate() {
            groups[*group].push(page);
        }
        assert_eq!(reunite(groups, &vec![Some(0); pages.len()], &weighed), expected);
    }

    const FACTS: &str =
        "<table class=facts><tr><th>Shirt</th><td>7</td></tr><tr><th>Weight</th><td>80</td></tr></table>";
    const CAREER: &str = "<h3>Career</h3><ul class=career><li>1990</li><li>1991</li></ul>";
    const STORY: &str =
        "<h4>Story</h4><blockquote><p>Born</p><p>Raised</p></blockquote><dl><dt>Fee</dt><dd>5</dd></dl>";
    const OTHER: &str = "<form><input name=q></form><ol><li><em>Ground</em></li><li><em>Seats</em></li></ol>";

    #[test]
    fn pages_without_sections_come_home_and_other_templates_stay_away() {
        let (with, without) = (format!("{FACTS}{CAREER}"), FACTS);
        let pages = [
            (0, with.as_str()),
            (0, &with),
            (0, &with),
            (1, without),
            (2, OTHER),
            (2, OTHER),
        ];
        check_reunion(&pages, &[&[0, 1, 2, 3], &[4, 5]]);
    }

    #[test]
    fn pages_with_other_sections_come_home_by_what_all_have() {
        let (career, story) = (format!("{FACTS}{CAREER}"), format!("{FACTS}{STORY}"));
        let pages = [
            (0, career.as_str()),
            (0, &career),
            (0, FACTS),
            (1, &story),
            (1, &story),
            (2, OTHER),
            (2, OTHER),
        ];
        check_reunion(&pages, &[&[0, 1, 2, 3, 4], &[5, 6]]);
    }
}
