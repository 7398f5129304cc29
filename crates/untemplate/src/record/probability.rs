//! Probability: how likely a candidate is the main list of its page.
//!
//! In: its evidence (`evidence.rs`). Out: a probability. Logistic regression, fitted on the best thirty candidates of list pages with known records (search results of
//! the early 2000s and of large sites of 2017) and of pages about one thing, where none of them counts as a list; each page has
//! the same weight. A candidate of a list page is an example for lists when it is cut nearly right, and none at all when it is half right. `eval/README.md`
//! tells how the numbers were had, and what they are worth on sites that they were not fitted on.

use super::evidence::{EVIDENCE, Evidence};

/// What speaks for a list before anything is known of it.
const INTERCEPT: f64 = -13.408;

/// What each number of the evidence counts, in the order of `EVIDENCE_NAMES`.
const COEFFICIENTS: [f64; EVIDENCE] = [
    0.742,  // number
    -4.340, // few
    7.373,  // regularity
    0.252,  // variety
    5.548,  // filled
    3.036,  // linked
    -0.552, // richness
    -4.164, // sections
    0.440,  // size
    1.094,  // share
    0.470,  // plain share
    1.389,  // link text
    -1.121, // links
    0.482,  // pictures
    0.350,  // targets
    0.250,  // labels
    -4.600, // narrow
    -2.596, // flowing
    -0.495, // headed
    -3.830, // aside
    -1.758, // before
    -1.793, // after
];

/// How likely a candidate with this evidence is the main list of its page.
pub fn probability(evidence: &Evidence) -> f64 {
    let sum: f64 = evidence
        .iter()
        .zip(COEFFICIENTS)
        .map(|(value, weight)| value * weight)
        .sum();
    1.0 / (1.0 + (-INTERCEPT - sum).exp())
}
