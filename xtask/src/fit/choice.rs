//! `cargo xtask fit choice`: what the evidence of lists counts beside their scores when the main one
//! of a page is chosen.
//!
//! The example `list_changes` of the library changes list pages whose records are found, and tells
//! what may be the main list of each changed page. A conditional logistic regression says which
//! weights make the right one likeliest. Prints the weights as they stand in `record/choice.rs`, and
//! on which share of the pages of sites that were left out of the fit the right list is chosen, by
//! the score alone and with the evidence.

use std::collections::BTreeMap;

use serde_json::Value;

use super::part_of;
use crate::corpora;
use crate::list_pages::{self, ALL_RIGHT, changed_pages};

/// Into how many parts the sites are divided; each part is judged by what was fitted to the others.
const PARTS: usize = 6;

/// What a changed page weighs against the page as it is.
const CHANGED_WEIGHT: f64 = 0.3;

/// How much the weights are held back, for values of unit spread. Swept 0.003, 0.01, 0.03 with
/// sites left out: 0.925, 0.925, 0.926 of the pages.
const RIDGE: f64 = 0.03;

/// Steps of the descent, and the length of the first.
const STEPS: i32 = 250;
const RATE: f64 = 0.1;

/// From this rightness on, a list is the main one, however well it is cut.
const RIGHT_MIN: f64 = 0.8;

/// A page after a change, with what may be its list.
pub struct Trial {
    change: String,
    part: usize,
    pub rivals: Vec<Rival>,
}

/// What may be the list of a page.
pub struct Rival {
    score: f64,
    pub evidence: Vec<f64>,
    pub right: f64,
}

/// Fits and prints.
pub fn run() -> Result<bool, String> {
    let pages = changed_pages(list_pages::pages(&corpora::unpacked()?)?, "")?;
    let trials: Vec<Trial> = pages
        .iter()
        .flat_map(|page| trials_of(&page.said, part_of(&page.site, PARTS)))
        .collect();
    let spreads = spreads(&trials);
    let weights = fit(&trials, &spreads, None);
    weights.iter().for_each(|weight| println!("    {weight:.3},"));
    let parts: Vec<Vec<f64>> = (0..PARTS).map(|part| fit(&trials, &spreads, Some(part))).collect();
    println!("\nof sites that were left out: pages whose list is chosen by the score, and with the evidence");
    let mut counts: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    for trial in &trials {
        let count = counts.entry(&trial.change).or_default();
        let none = vec![0.0; spreads.len()];
        count[0] += 1.0;
        count[1] += f64::from(u8::from(is_right(trial, &none)));
        count[2] += f64::from(u8::from(is_right(trial, &parts[trial.part])));
    }
    for (change, [all, by_score, by_both]) in &counts {
        println!("{change:16} {:.3} {:.3}", by_score / all, by_both / all);
    }
    let mean = |at: usize| counts.values().map(|count| count[at] / count[0]).sum::<f64>() / counts.len() as f64;
    println!("{:16} {:.3} {:.3}", "mean", mean(1), mean(2));
    Ok(true)
}

/// The trials of a page. Groups are left out: what may be the list of these is told as groups.
pub fn trials_of(said: &Value, part: usize) -> impl Iterator<Item = Trial> {
    let lists = said["lists"].as_object().into_iter().flatten();
    let lists = lists.filter(|(change, _)| *change != "grouped");
    lists.map(move |(change, rivals)| Trial {
        change: change.clone(),
        part,
        rivals: rivals.as_array().into_iter().flatten().map(rival_of).collect(),
    })
}

fn rival_of(said: &Value) -> Rival {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    Rival {
        score: number(&said["score"]),
        evidence: said["evidence"].as_array().into_iter().flatten().map(number).collect(),
        right: number(&said["right"]),
    }
}

/// How much each number of the evidence varies.
fn spreads(trials: &[Trial]) -> Vec<f64> {
    let rivals: Vec<&Rival> = trials.iter().flat_map(|trial| &trial.rivals).collect();
    let n = rivals.len().max(1) as f64;
    let width = rivals.first().map_or(0, |rival| rival.evidence.len());
    let spread = |at: usize| {
        let mean = rivals.iter().map(|rival| rival.evidence[at]).sum::<f64>() / n;
        let squares = rivals.iter().map(|rival| (rival.evidence[at] - mean).powi(2));
        (squares.sum::<f64>() / n).sqrt().max(1e-6)
    };
    (0..width).map(spread).collect()
}

/// The weights that make the right lists of all parts but one likeliest, by Adam's descent.
fn fit(trials: &[Trial], spreads: &[f64], left_out: Option<usize>) -> Vec<f64> {
    let best = |trial: &Trial| trial.rivals.iter().map(|rival| rival.right).fold(0.0, f64::max);
    let is_known = |trial: &&Trial| Some(trial.part) != left_out && best(trial) >= RIGHT_MIN;
    let known: Vec<&Trial> = trials.iter().filter(is_known).collect();
    let weight = |trial: &Trial| if trial.change == "same" { 1.0 } else { CHANGED_WEIGHT };
    let all: f64 = known.iter().map(|trial| weight(trial)).sum();
    let width = spreads.len();
    // In units of the spreads.
    let (mut found, mut first, mut second) = (vec![0.0; width], vec![0.0; width], vec![0.0; width]);
    for step in 1..=STEPS {
        let mut slope: Vec<f64> = found.iter().map(|weight| RIDGE * weight).collect();
        for trial in &known {
            add_slope(trial, weight(trial) / all, spreads, &found, &mut slope);
        }
        let rate = RATE / (1.0 + f64::from(step) / 60.0);
        for at in 0..width {
            first[at] = 0.9 * first[at] + 0.1 * slope[at];
            second[at] = 0.99 * second[at] + 0.01 * slope[at].powi(2);
            let (mean, square) = (
                first[at] / (1.0 - 0.9_f64.powi(step)),
                second[at] / (1.0 - 0.99_f64.powi(step)),
            );
            found[at] -= rate * mean / (square.sqrt() + 1e-9);
        }
    }
    found
        .iter()
        .zip(spreads)
        .map(|(weight, spread)| weight / spread)
        .collect()
}

/// Adds the slope of one trial: what is expected of its lists, less what is expected of the right
/// ones.
fn add_slope(trial: &Trial, weight: f64, spreads: &[f64], found: &[f64], slope: &mut [f64]) {
    let best = trial.rivals.iter().map(|rival| rival.right).fold(0.0, f64::max);
    let value = |rival: &Rival| {
        let scaled = rival.evidence.iter().zip(spreads).zip(found);
        rival.score
            + scaled
                .map(|((value, spread), weight)| value / spread * weight)
                .sum::<f64>()
    };
    let values: Vec<f64> = trial.rivals.iter().map(value).collect();
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let odds: Vec<f64> = values.iter().map(|value| (value - most).exp()).collect();
    let is_right = |rival: &Rival| rival.right >= best - 0.02;
    let right: f64 = trial
        .rivals
        .iter()
        .zip(&odds)
        .filter(|(rival, _)| is_right(rival))
        .map(|(_, odds)| odds)
        .sum();
    let all: f64 = odds.iter().sum();
    for (rival, odds) in trial.rivals.iter().zip(odds) {
        let share = odds / all - if is_right(rival) { odds / right.max(1e-12) } else { 0.0 };
        for (at, slope) in slope.iter_mut().enumerate() {
            *slope += weight * share * rival.evidence[at] / spreads[at];
        }
    }
}

/// Whether the list that the weights choose is cut rightly, too.
fn is_right(trial: &Trial, weights: &[f64]) -> bool {
    let value = |rival: &Rival| {
        let said = rival.evidence.iter().zip(weights);
        rival.score + said.map(|(value, weight)| value * weight).sum::<f64>()
    };
    let chosen = trial
        .rivals
        .iter()
        .max_by(|one, other| value(one).total_cmp(&value(other)));
    chosen.is_some_and(|rival| rival.right > ALL_RIGHT)
}
