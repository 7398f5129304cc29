//! Probability: how likely a candidate is the main list of its page.
//!
//! In: its evidence (`evidence.rs`). Out: a probability. Logistic regression, fitted on the best
//! thirty candidates of list pages with known records (search results of the early 2000s and of
//! large sites of 2017) and of pages about one thing, where none of them counts as a list; each
//! page has the same weight. Each example counts a second time as it would be with four records,
//! and without links: the list pages are nearly all results of searches, and a list need not be
//! such. The list pages count once more as `cargo xtask eval mutations` changes them. A candidate of
//! a list page is an example for lists when it is cut nearly right, and none at all when it is half
//! right. `eval/README.md` tells how the numbers were had, and what they are worth on sites that they
//! were not fitted on.

use super::evidence::{EVIDENCE, Evidence};

/// What speaks for a list before anything is known of it.
const INTERCEPT: f64 = -10.564;

/// What each number of the evidence counts, in the order of `EVIDENCE_NAMES`.
const COEFFICIENTS: [f64; EVIDENCE] = [
    -0.199, // number
    -5.552, // few
    7.665,  // regularity
    0.162,  // variety
    11.054, // filled
    -0.698, // linked
    -0.504, // richness
    -8.608, // sections
    -0.082, // size
    2.047,  // share
    0.590,  // plain share
    1.951,  // link text
    -0.936, // links
    0.677,  // pictures
    1.324,  // targets
    -4.864, // labels
    -8.013, // narrow
    -1.878, // flowing
    -0.486, // headed
    -5.248, // aside
    -0.951, // before
    -1.846, // after
    -1.425, // menu
    -4.726, // articles
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
