//! Joining: groups of pages of little contrast become one.

use super::TemplateTuning;
use super::contrast::PageGroup;

/// Joins groups, nearest first, while the mean contrast between two is below the bound; returns for
/// each group the number of what it is in, counted from 0 in the order of the groups.
pub fn joined(groups: &[PageGroup], bound: f64, tuning: &TemplateTuning) -> Vec<usize> {
    let len = groups.len();
    let mut contrasts = vec![f64::INFINITY; len * len];
    for left in 0..len {
        for right in 0..left {
            let contrast = groups[left].contrast(&groups[right], tuning);
            contrasts[left * len + right] = contrast;
            contrasts[right * len + left] = contrast;
        }
    }
    let mut weights: Vec<usize> = groups.iter().map(PageGroup::n_pages).collect();
    let mut home: Vec<usize> = (0..len).collect();
    while let Some((kept, gone)) = nearest(&contrasts, len, bound) {
        let (own, others) = (weights[kept] as f64, weights[gone] as f64);
        for other in 0..len {
            let mean = (contrasts[kept * len + other] * own + contrasts[gone * len + other] * others) / (own + others);
            contrasts[kept * len + other] = mean;
            contrasts[other * len + kept] = mean;
            contrasts[gone * len + other] = f64::INFINITY;
            contrasts[other * len + gone] = f64::INFINITY;
        }
        contrasts[kept * len + kept] = f64::INFINITY;
        weights[kept] += weights[gone];
        home.iter_mut()
            .filter(|home| **home == gone)
            .for_each(|home| *home = kept);
    }
    let mut kept: Vec<usize> = home.clone();
    kept.sort_unstable();
    kept.dedup();
    home.iter()
        .map(|home| kept.partition_point(|first| first < home))
        .collect()
}

/// The pair of least contrast, if it is below the bound; of equals the first.
fn nearest(contrasts: &[f64], len: usize, bound: f64) -> Option<(usize, usize)> {
    let pairs = (0..len).flat_map(|left| (left + 1..len).map(move |right| (left, right)));
    let contrast = |(left, right): (usize, usize)| contrasts[left * len + right];
    let best = pairs.reduce(|best, next| if contrast(next) < contrast(best) { next } else { best })?;
    (contrast(best) < bound).then_some(best)
}
