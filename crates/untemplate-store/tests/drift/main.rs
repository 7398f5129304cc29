//! Drift, measured: what `verify` says of pages that did not change, and of pages that did; and
//! what can be mended.
//!
//! `cargo xtask eval drift` runs it over the sites of the corpora (`UNTEMPLATE_DRIFT` names their
//! folder); without them the demo site alone is looked at. Figures are lines `figure NAME VALUE`.

mod corpus;
mod mutation;
mod subject;

use std::path::PathBuf;

use corpus::{KnownPage, Site, demo_players, detail_sites, folder_sites};
use mutation::{Common, Mutation, has_body, mutated};
use rayon::prelude::*;
use subject::Learnt;
use untemplate::page::Page;
use untemplate_demo::Skin;

/// Pages that are learnt from.
const TRAINING: usize = 10;
/// Other pages of the same snapshot.
const OTHERS: usize = 100;
/// Pages that are looked at after a change.
const CHANGED: usize = 25;
/// Samples of training pages a site.
const DRAWS: usize = 4;

/// A sample of a site: pages to learn from, and others.
struct Draw {
    name: String,
    training: Vec<KnownPage>,
    others: Vec<KnownPage>,
}

/// Samples of the sites, or of the demo site where there is no corpus.
fn draws(n_others: usize, n_draws: usize) -> Vec<Draw> {
    let Some(folder) = std::env::var_os("UNTEMPLATE_DRIFT").map(PathBuf::from) else {
        let skins = [Skin::Modern, Skin::Tables, Skin::Plain, Skin::Wild];
        return skins
            .map(|skin| {
                let (training, others) = split(demo_players(skin, 60));
                let name = format!("demo {skin:?}");
                Draw { name, training, others }
            })
            .into();
    };
    let only = std::env::var("UNTEMPLATE_DRIFT_ONLY").unwrap_or_default();
    let sites = detail_sites(&folder.join("swde-dev"));
    let sites: Vec<Site> = sites.into_iter().filter(|site| site.name.contains(&only)).collect();
    let jobs: Vec<(usize, usize)> = (0..sites.len())
        .flat_map(|site| (0..n_draws).map(move |draw| (site, draw)))
        .collect();
    jobs.into_par_iter()
        .map(|(site, draw)| draw_of(&sites[site], draw, n_draws, n_others))
        .collect()
}

/// Training pages from all over, and the others.
fn split<T>(pages: Vec<T>) -> (Vec<T>, Vec<T>) {
    // Shuffled, since what alternates from page to page would otherwise be in all of them or in
    // none.
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&number| (number as u32).wrapping_mul(2_654_435_761));
    let chosen = &order[..TRAINING];
    let is_first = |(number, _): &(usize, T)| chosen.contains(number);
    let (training, others): (Vec<_>, Vec<_>) = pages.into_iter().enumerate().partition(is_first);
    let pages = |numbered: Vec<(usize, T)>| numbered.into_iter().map(|(_, page)| page).collect();
    (pages(training), pages(others))
}

fn draw_of(site: &Site, draw: usize, n_draws: usize, n_others: usize) -> Draw {
    let n_pages = site.pages.len();
    let step = n_pages / TRAINING;
    let chosen: Vec<usize> = (0..TRAINING)
        .map(|index| index * step + draw * step / n_draws)
        .collect();
    let rest: Vec<usize> = (0..n_pages).filter(|page| !chosen.contains(page)).collect();
    let n_others = n_others.min(rest.len());
    let spread = (0..n_others).map(|index| rest[index * rest.len() / n_others]);
    Draw {
        name: format!("{} {draw}", site.name),
        training: chosen.iter().map(|&page| site.pages[page].read()).collect(),
        others: spread.map(|page| site.pages[page].read()).collect(),
    }
}

fn pages(known: &[KnownPage]) -> impl Iterator<Item = &Page> {
    known.iter().map(|page| &*page.page)
}

fn learnt(training: &[KnownPage]) -> Vec<(&'static str, Learnt)> {
    let taught = Learnt::taught(training).map(|taught| ("specification", taught));
    std::iter::once(("wrapper", Learnt::inferred(training)))
        .chain(taught)
        .collect()
}

/// Alarms on pages of the same snapshot: of training pages there may be none.
#[test]
fn unchanged_pages_raise_no_alarm() {
    let alarms: Vec<(String, &str, bool, bool)> = draws(OTHERS, DRAWS)
        .into_par_iter()
        .flat_map_iter(|draw| {
            let told = learnt(&draw.training).into_iter().map(|(kind, learnt)| {
                let own = learnt.drifted(pages(&draw.training));
                let others = learnt.drifted(pages(&draw.others));
                if !own.is_empty() || !others.is_empty() {
                    println!("{} {kind}: training {own:?}, others {others:?}", draw.name);
                }
                (draw.name.clone(), kind, !own.is_empty(), !others.is_empty())
            });
            told.collect::<Vec<_>>()
        })
        .collect();
    for kind in ["wrapper", "specification"] {
        let all: Vec<_> = alarms.iter().filter(|(_, its, ..)| *its == kind).collect();
        let own = all.iter().filter(|(_, _, own, _)| *own).count();
        let others = all.iter().filter(|(_, _, _, others)| *others).count();
        println!("figure {kind}_cases {}", all.len());
        println!("figure {kind}_training_alarms {:.4}", own as f64 / all.len() as f64);
        println!("figure {kind}_false_alarms {:.4}", others as f64 / all.len() as f64);
        assert_eq!(own, 0, "{kind}: alarms on training pages");
    }
}

/// The fields that read something else on more than a tenth of the pages.
fn broken(before: &[subject::Values], after: &[subject::Values]) -> Vec<String> {
    let mut names: Vec<&String> = before.iter().flat_map(|values| values.keys()).collect();
    names.sort();
    names.dedup();
    let is_broken = |name: &&String| {
        let pairs = before
            .iter()
            .zip(after)
            .filter(|(old, new)| old.contains_key(*name) || new.contains_key(*name));
        let (mut n_pages, mut n_other) = (0, 0);
        for (old, new) in pairs {
            n_pages += 1;
            n_other += usize::from(old.get(*name) != new.get(*name));
        }
        10 * n_other > n_pages
    };
    names.into_iter().filter(is_broken).cloned().collect()
}

/// Changes of pages that break what is read are found.
#[test]
fn changed_pages_raise_an_alarm() {
    let outcomes: Vec<(&str, Mutation, usize, bool)> = draws(CHANGED, 1)
        .into_par_iter()
        .flat_map_iter(|draw| {
            let common = Common::of(pages(&draw.training).filter(|page| has_body(page)));
            let mut outcomes = Vec::new();
            for (kind, learnt) in learnt(&draw.training) {
                // Written anew, so that what writing alone changes is not taken for a change.
                let plain: Vec<Page> = pages(&draw.others)
                    .map(|page| mutated(page, Mutation::Nothing, &common))
                    .collect();
                let before = learnt.read(plain.iter());
                for mutation in std::iter::once(Mutation::Nothing).chain(Mutation::ALL) {
                    let changed: Vec<Page> = pages(&draw.others)
                        .map(|page| mutated(page, mutation, &common))
                        .collect();
                    let broken = broken(&before, &learnt.read(changed.iter()));
                    let drifted = learnt.drifted(changed.iter());
                    if drifted.is_empty() != broken.is_empty() {
                        println!(
                            "{} {kind} {mutation:?}: broken {broken:?}, alarms {drifted:?}",
                            draw.name
                        );
                    }
                    outcomes.push((kind, mutation, broken.len(), !drifted.is_empty()));
                }
            }
            outcomes
        })
        .collect();
    for kind in ["wrapper", "specification"] {
        let own = || outcomes.iter().filter(|(its, ..)| *its == kind);
        for mutation in std::iter::once(Mutation::Nothing).chain(Mutation::ALL) {
            let own: Vec<_> = own().filter(|(_, its, ..)| *its == mutation).collect();
            let broken = own.iter().filter(|(.., n_broken, _)| *n_broken > 0);
            let detected = broken.clone().filter(|(.., is_alarm)| *is_alarm).count();
            let early = own
                .iter()
                .filter(|(.., n_broken, is_alarm)| *n_broken == 0 && *is_alarm)
                .count();
            println!(
                "{kind} {mutation:?}: {detected} of {} found, {early} alarms where nothing broke, of {}",
                broken.count(),
                own.len()
            );
        }
        let broken = own().filter(|(_, mutation, n_broken, _)| *mutation != Mutation::Nothing && *n_broken > 0);
        let detected = broken.clone().filter(|(.., is_alarm)| *is_alarm).count();
        let share = detected as f64 / broken.clone().count().max(1) as f64;
        println!("figure {kind}_broken {}", broken.count());
        println!("figure {kind}_detected {share:.4}");
    }
}

/// What became of the broken fields of one case.
#[derive(Default)]
struct Mending {
    kind: &'static str,
    what: String,
    broken: usize,
    mended: usize,
    /// Values that were read by mended fields on pages that repair did not see, and those of them
    /// that are right.
    read: usize,
    right: usize,
}

/// Repairs for one change: `before` are pages as they were, `after` the same pages as they are. The
/// first half is what repair sees, beside old pages; the other half judges it.
fn mending(
    kind: &'static str,
    what: String,
    learnt: &Learnt,
    (before, after): (&[Page], &[Page]),
    expected: impl Fn(&str) -> String,
) -> Mending {
    let mut values = learnt.read(before.iter());
    for values in values.iter_mut().flat_map(|page| page.values_mut()) {
        values.iter_mut().for_each(|value| *value = expected(value));
        values.sort();
    }
    let broken = broken(&values, &learnt.read(after.iter()));
    let mut mending = Mending {
        kind,
        what,
        broken: broken.len(),
        ..Mending::default()
    };
    if broken.is_empty() {
        return mending;
    }
    let half = after.len() / 2;
    let (old, new): (Vec<&Page>, Vec<&Page>) = (before[..half].iter().collect(), after[..half].iter().collect());
    let (mended, lost) = learnt.repaired(&old, &new);
    let now = mended.read(after[half..].iter());
    for field in &broken {
        let (mut n_there, mut n_read, mut n_right) = (0, 0, 0);
        for (was, is) in values[half..].iter().zip(&now) {
            n_there += usize::from(was.contains_key(field));
            // Where nothing was read before, nobody knows what is right.
            n_read += usize::from(was.contains_key(field) && is.contains_key(field));
            n_right += usize::from(was.contains_key(field) && was.get(field) == is.get(field));
        }
        let is_mended = 10 * n_right >= 9 * n_there && n_there > 0;
        mending.mended += usize::from(is_mended || n_there == 0 && n_read == 0);
        mending.read += n_read;
        mending.right += n_right;
        if n_right < n_read {
            println!("wrong: {kind} {} {field}: {n_right} of {n_read}", mending.what);
        } else if !is_mended {
            println!(
                "unmended: {kind} {} {field}: {n_right} of {n_there}, lost {}",
                mending.what,
                lost.contains(field)
            );
        }
    }
    mending
}

/// What drifted is mended, and what is mended is right.
#[test]
fn broken_fields_are_mended() {
    let mut mendings: Vec<Mending> = draws(CHANGED + 25, 1)
        .into_par_iter()
        .flat_map_iter(|draw| {
            let common = Common::of(pages(&draw.training).filter(|page| has_body(page)));
            let before: Vec<Page> = pages(&draw.others)
                .map(|page| mutated(page, Mutation::Nothing, &common))
                .collect();
            let mut mendings = Vec::new();
            for (kind, learnt) in learnt(&draw.training) {
                for mutation in Mutation::ALL {
                    let after: Vec<Page> = before.iter().map(|page| mutated(page, mutation, &common)).collect();
                    mendings.push(mending(
                        kind,
                        format!("{} {mutation:?}", draw.name),
                        &learnt,
                        (&before, &after),
                        |value| common.expected(value, mutation),
                    ));
                }
            }
            mendings
        })
        .collect();
    mendings.extend(demo_mendings());
    for kind in ["wrapper", "specification", "demo wrapper", "demo specification"] {
        let own: Vec<&Mending> = mendings.iter().filter(|its| its.kind == kind).collect();
        let sum = |count: fn(&Mending) -> usize| own.iter().map(|its| count(its)).sum::<usize>();
        let (broken, mended) = (sum(|its| its.broken), sum(|its| its.mended));
        let (read, right) = (sum(|its| its.read), sum(|its| its.right));
        let name = kind.replace(' ', "_");
        println!("figure {name}_fields {broken}");
        println!("figure {name}_mended {:.4}", mended as f64 / broken.max(1) as f64);
        println!("figure {name}_precision {:.4}", right as f64 / read.max(1) as f64);
    }
    for mutation in Mutation::ALL {
        let own: Vec<&Mending> = mendings
            .iter()
            .filter(|its| its.what.ends_with(&format!("{mutation:?}")))
            .collect();
        for kind in ["wrapper", "specification"] {
            let own = own.iter().filter(|its| its.kind == kind);
            let (mended, broken) = own.fold((0, 0), |(mended, broken), its| {
                (mended + its.mended, broken + its.broken)
            });
            println!("{kind} {mutation:?}: {mended} of {broken} mended");
        }
    }
}

/// From each skin of the demo site to each other.
fn demo_mendings() -> Vec<Mending> {
    let skins = [Skin::Modern, Skin::Tables, Skin::Plain, Skin::Wild];
    let pairs = skins.iter().flat_map(|from| skins.iter().map(move |to| (*from, *to)));
    let pairs: Vec<(Skin, Skin)> = pairs.filter(|(from, to)| from != to).collect();
    pairs
        .into_par_iter()
        .flat_map_iter(|(from, to)| {
            let (before, after) = (demo_players(from, 60), demo_players(to, 60));
            let both: Vec<(KnownPage, KnownPage)> = before
                .into_iter()
                .filter_map(|page| {
                    let other = after.iter().find(|other| other.name == page.name)?.clone();
                    Some((page, other))
                })
                .collect();
            let (training, others) = split(both);
            let training: Vec<KnownPage> = training.into_iter().map(|(before, _)| before).collect();
            let learnt = learnt(&training);
            let before: Vec<Page> = others.iter().map(|(before, _)| Page::clone(&before.page)).collect();
            let after: Vec<Page> = others.iter().map(|(_, after)| Page::clone(&after.page)).collect();
            let what = format!("demo {from:?} {to:?}");
            let mended = learnt.into_iter().map(|(kind, learnt)| {
                let kind = if kind == "wrapper" {
                    "demo wrapper"
                } else {
                    "demo specification"
                };
                mending(kind, what.clone(), &learnt, (&before, &after), str::to_owned)
            });
            mended.collect::<Vec<_>>()
        })
        .collect()
}

/// Every corpus: training pages are as training counted them.
#[test]
fn lists_agree_with_their_training() {
    let Some(folder) = std::env::var_os("UNTEMPLATE_DRIFT").map(PathBuf::from) else {
        return;
    };
    let sites = ["wien-dev", "exalg-dev"].map(|corpus| folder_sites(&folder.join(corpus)));
    let alarms: Vec<String> = sites
        .into_iter()
        .flatten()
        .collect::<Vec<Site>>()
        .into_par_iter()
        .filter_map(|site| {
            let training: Vec<KnownPage> = site.pages.iter().take(40).map(corpus::PageFile::read).collect();
            if training.is_empty() {
                return None;
            }
            let drifted = Learnt::inferred(&training).drifted(pages(&training));
            (!drifted.is_empty()).then(|| format!("{}: {drifted:?}", site.name))
        })
        .collect();
    assert!(alarms.is_empty(), "{alarms:?}");
}
