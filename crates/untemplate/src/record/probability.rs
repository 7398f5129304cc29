//! Probability: how likely a candidate is the main list of its page.
//!
//! In: its evidence (`evidence.rs`). Out: a probability. Logistic regression, fitted on the best
//! thirty candidates of list pages with known records (search results of the early 2000s and of
//! large sites of 2017) and of pages about one thing, where none of them counts as a list; each
//! page has the same weight. Each example counts a second time as it would be with four records,
//! and without links: the list pages are nearly all results of searches, and a list need not be
//! such. A candidate of a list page is an example for lists when it is cut nearly right, and none
//! at all when it is half right. `eval/README.md` tells how the numbers were had, and what they are
//! worth on sites that they were not fitted on.

use super::evidence::{EVIDENCE, Evidence};

/// What speaks for a list before anything is known of it.
const INTERCEPT: f64 = -9.741;

/// What each number of the evidence counts, in the order of `EVIDENCE_NAMES`.
const COEFFICIENTS: [f64; EVIDENCE] = [
    0.113,  // number
    -2.823, // few
    7.950,  // regularity
    0.861,  // variety
    7.774,  // filled
    0.458,  // linked
    -0.531, // richness
    -5.291, // sections
    -0.095, // size
    1.967,  // share
    0.451,  // plain share
    2.028,  // link text
    -1.071, // links
    0.426,  // pictures
    0.452,  // targets
    -6.846, // labels
    -7.685, // narrow
    -4.250, // flowing
    -0.887, // headed
    -4.194, // aside
    -1.011, // before
    -1.702, // after
    -0.654, // menu
    -1.617, // articles
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
