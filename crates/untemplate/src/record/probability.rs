//! Probability: how likely a candidate is the main list of its page.
//!
//! In: its evidence (`evidence.rs`). Out: a probability. Logistic regression, fitted on the best thirty candidates of list pages with known records (search results of
//! the early 2000s and of large sites of 2017) and of pages about one thing, where none of them counts as a list; each page has
//! the same weight. Each example counts a second time as it would be with four records, and without links: the list pages are nearly all results of
//! searches, and a list need not be such. A candidate of a list page is an example for lists when it is cut nearly right, and none at all when it is half right. `eval/README.md`
//! tells how the numbers were had, and what they are worth on sites that they were not fitted on.

use super::evidence::{EVIDENCE, Evidence};

/// What speaks for a list before anything is known of it.
const INTERCEPT: f64 = -9.724;

/// What each number of the evidence counts, in the order of `EVIDENCE_NAMES`.
const COEFFICIENTS: [f64; EVIDENCE] = [
    0.114,  // number
    -2.812, // few
    7.946,  // regularity
    0.853,  // variety
    7.764,  // filled
    0.458,  // linked
    -0.530, // richness
    -5.292, // sections
    -0.096, // size
    1.967,  // share
    0.451,  // plain share
    2.029,  // link text
    -1.072, // links
    0.426,  // pictures
    0.453,  // targets
    -6.880, // labels
    -7.721, // narrow
    -4.487, // flowing
    -0.887, // headed
    -4.194, // aside
    -1.010, // before
    -1.700, // after
    -0.654, // menu
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
