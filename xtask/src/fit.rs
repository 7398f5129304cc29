//! `cargo xtask fit lists`: the coefficients of the probability that a list is the main one of its
//! page, from pages with known lists.
//!
//! The example `list_evidence` of the library tells what may be a list on each page, with its
//! evidence. Here each of these is an example for lists, against them, or neither, as the truth of
//! its corpus says, and a logistic regression is fitted to them; so are the list pages as the example
//! `list_changes` changes them, all changes of a page for as much as the page. It prints the coefficients as they
//! stand in `record/probability.rs`, and how pages of sites fare that were left out of the fit.

mod choice;
mod logistic;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::corpora;
use crate::list_pages::{self, ChangedPage, TruePage, changed_pages, lines_of};
use logistic::{Example, Model};

/// How many candidates of a page count, best first.
const CANDIDATES: usize = 30;

/// Into how many parts the sites are divided; each part is judged by what was fitted to the others.
const PARTS: usize = 20;

/// The probabilities from which on a list would be taken, for the table.
const LIMITS: [f64; 5] = [0.15, 0.25, 0.3, 0.4, 0.5];

/// A page with what may be its list.
struct FitPage {
    corpus: &'static str,
    part: usize,
    /// Of each candidate, its evidence and how right it is, from 0 to 1; the first is the best by
    /// its score.
    candidates: Vec<(Vec<f64>, f64)>,
    has_list: bool,
    /// What it counts.
    weight: f64,
}

/// Fits and prints.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    match arguments {
        [what] if what == "lists" => {}
        [what] if what == "choice" => return choice::run(),
        _ => return Err("fit what? `cargo xtask fit lists`, `cargo xtask fit choice`".to_owned()),
    }
    let unpacked = corpora::unpacked()?;
    let pages = list_pages::pages(&unpacked)?;
    let (names, mut fitted) = evidence_of(&pages)?;
    for page in changed_pages(pages, "")? {
        fitted.extend(changed_fit_pages(&page));
    }
    let model = Model::fit(&examples(&fitted, None, &names));
    println!("const INTERCEPT: f64 = {:.3};", model.intercept);
    for (number, weight) in model.weights.iter().enumerate() {
        println!("    {weight:.3}, // {}", names[number]);
    }
    let parts: Vec<Model> = (0..PARTS)
        .map(|part| Model::fit(&examples(&fitted, Some(part), &names)))
        .collect();
    println!("\nof sites that were left out: pages on which the best candidate is taken for the list");
    for limit in LIMITS {
        let mut taken: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for page in &fitted {
            let count = taken.entry(page.corpus).or_default();
            count.1 += 1;
            let best = page.candidates.first();
            count.0 += usize::from(best.is_some_and(|(evidence, _)| parts[page.part].probability(evidence) >= limit));
        }
        let shown = |(corpus, (n, of)): (&&str, &(usize, usize))| format!("{corpus} {:.3}", *n as f64 / *of as f64);
        println!("{limit}: {}", taken.iter().map(shown).collect::<Vec<_>>().join(", "));
    }
    Ok(true)
}

/// Runs the library's example over all pages; the names of the evidence, and the pages.
fn evidence_of(pages: &[TruePage]) -> Result<(Vec<String>, Vec<FitPage>), String> {
    let lines = lines_of("list_evidence", &[], pages)?;
    let (names, lines) = lines.split_first().ok_or("the example printed nothing")?;
    let names = names.as_array().map_or(&[][..], Vec::as_slice);
    let names = names.iter().filter_map(|name| Some(name.as_str()?.to_owned()));
    let pages = pages.iter().zip(lines).map(|(page, line)| fit_page(page, line));
    Ok((names.collect(), pages.collect()))
}

fn fit_page(page: &TruePage, line: &Value) -> FitPage {
    let lists = line["lists"].as_array().map_or(&[][..], Vec::as_slice);
    let candidate = |list: &Value| {
        let evidence = list["evidence"].as_array().map_or(&[][..], Vec::as_slice);
        let evidence = evidence.iter().map(|value| value.as_f64().unwrap_or(0.0)).collect();
        (evidence, page.rightness(list))
    };
    FitPage {
        corpus: page.corpus,
        part: part_of(&page.site, PARTS),
        candidates: lists.iter().take(CANDIDATES).map(candidate).collect(),
        has_list: page.has_list(),
        weight: 1.0,
    }
}

/// A list page after each of its changes.
fn changed_fit_pages(page: &ChangedPage) -> Vec<FitPage> {
    let part = part_of(&page.site, PARTS);
    let trials: Vec<choice::Trial> = choice::trials_of(&page.said, part).collect();
    let weight = 1.0 / trials.len().max(1) as f64;
    let changed = trials.into_iter().map(|trial| FitPage {
        corpus: "changed",
        part,
        candidates: trial
            .rivals
            .into_iter()
            .map(|rival| (rival.evidence, rival.right))
            .collect(),
        has_list: true,
        weight,
    });
    changed.collect()
}

/// The part that a site is in: by its name, so that it stays the same when pages are added.
fn part_of(site: &str, parts: usize) -> usize {
    let number = site
        .bytes()
        .fold(7_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    number % parts
}

/// The examples of all pages but those of one part. Each page weighs as much for lists as against
/// them.
fn examples(pages: &[FitPage], left_out: Option<usize>, names: &[String]) -> Vec<Example> {
    let mut all = Vec::new();
    for page in pages.iter().filter(|page| Some(page.part) != left_out) {
        let best = page.candidates.iter().map(|(_, right)| *right).fold(0.0, f64::max);
        if page.has_list && best < 0.6 {
            continue;
        }
        let label = |right: f64| match right {
            right if right >= 0.8 && right >= best - 0.02 => Some(true),
            right if right < 0.6 => Some(false),
            _ => None,
        };
        for wanted in [true, false] {
            let own = page
                .candidates
                .iter()
                .filter(|(_, right)| label(*right) == Some(wanted));
            let own: Vec<&Vec<f64>> = own.map(|(evidence, _)| evidence).collect();
            let weight = page.weight / own.len().max(1) as f64;
            for evidence in own {
                let mut add = |evidence: Vec<f64>, share: f64| {
                    all.push(Example {
                        evidence,
                        is_list: wanted,
                        weight: weight * share,
                    });
                };
                add(evidence.clone(), 1.0);
                for variant in variants(evidence, names) {
                    add(variant, VARIANT_WEIGHT);
                }
            }
        }
    }
    all
}

/// What a variant of an example weighs.
const VARIANT_WEIGHT: f64 = 0.25;

/// A list with this many records is short.
const SHORT: f64 = 4.0;

/// The same example as it would be with few records, and without links. The pages with known lists
/// are nearly all results of searches, ten and more to a page and each with a link, and a list need
/// not be such.
fn variants(evidence: &[f64], names: &[String]) -> Vec<Vec<f64>> {
    let at = |name: &str| names.iter().position(|own| own == name).unwrap_or(0);
    let mut variants = Vec::new();
    if evidence[at("number")] > SHORT.ln() {
        let mut short = evidence.to_vec();
        short[at("number")] = SHORT.ln();
        short[at("few")] = 1.0 / SHORT;
        variants.push(short);
    }
    // What is nothing but links is something else without them.
    if evidence[at("link text")] < 0.5 {
        let bare: Vec<Vec<f64>> = std::iter::once(evidence.to_vec())
            .chain(variants.iter().cloned())
            .map(|mut bare| {
                for name in ["linked", "link text", "links", "targets", "menu"] {
                    bare[at(name)] = 0.0;
                }
                bare[at("plain share")] = evidence[at("share")];
                bare
            })
            .collect();
        variants.extend(bare);
    }
    variants
}
