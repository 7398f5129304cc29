//! Clusters: which subtrees of the data region are of one kind.
//!
//! In: the strings of the region's subtrees. Out: the cluster of each, numbered by first
//! appearance. Paper: section 4.2, equations (2) and (3), Fig. 5: two subtrees are alike when they
//! are as similar to all others, and groups are joined bottom-up while both thresholds hold. Equal
//! strings are one element with a weight, which gives the same groups.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::edit_similarity::edit_similarity;

/// The similarity that a group must reach, and that each of its pairs must reach; the paper sets
/// both to 0.9.
const SIMILARITY_MIN: f64 = 0.9 - 1e-9;

/// How many distinct strings are compared with each other; of more, those that occur once are left
/// alone.
const DISTINCT_MAX: usize = 600;

/// The cluster of each string, numbered by first appearance.
pub fn cluster(strings: &[Vec<u32>]) -> Vec<usize> {
    let mut numbers: HashMap<&[u32], usize, FixedState> = HashMap::default();
    let mut distinct: Vec<&[u32]> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut element_of = Vec::with_capacity(strings.len());
    for string in strings {
        let next = distinct.len();
        let number = *numbers.entry(string).or_insert(next);
        if number == next {
            distinct.push(string);
            weights.push(0.0);
        }
        weights[number] += 1.0;
        element_of.push(number);
    }
    let group_of = match distinct.len() {
        0..=DISTINCT_MAX => grouped(&column_similarities(&distinct, &weights), &weights),
        n => (0..n).collect(),
    };
    by_first_appearance(element_of.into_iter().map(|element| group_of[element]))
}

fn by_first_appearance(groups: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut numbers: HashMap<usize, usize, FixedState> = HashMap::default();
    groups
        .map(|group| {
            let next = numbers.len();
            *numbers.entry(group).or_insert(next)
        })
        .collect()
}

/// Equation (2) for all pairs of distinct strings; a string that occurs often counts as often.
pub(super) fn column_similarities(distinct: &[&[u32]], weights: &[f64]) -> Vec<Vec<f64>> {
    let n = distinct.len();
    let mut matrix = vec![vec![1.0; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            matrix[i][j] = edit_similarity(distinct[i], distinct[j]);
            matrix[j][i] = matrix[i][j];
        }
    }
    let total: f64 = weights.iter().sum();
    let mut similarities = vec![vec![1.0; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            let error: f64 = (0..n).map(|k| weights[k] * (matrix[i][k] - matrix[j][k]).abs()).sum();
            similarities[i][j] = 1.0 - error / total;
            similarities[j][i] = similarities[i][j];
        }
    }
    similarities
}

/// A group of elements with the sum of its pairs' similarities.
struct Group {
    elements: Vec<usize>,
    weight: f64,
    pair_sum: f64,
}

/// Joins the two groups whose union is the most alike, until no union reaches the thresholds. The
/// group of each element.
fn grouped(similarities: &[Vec<f64>], weights: &[f64]) -> Vec<usize> {
    let single = |element: usize| Group {
        elements: vec![element],
        weight: weights[element],
        pair_sum: weights[element] * (weights[element] - 1.0) / 2.0,
    };
    let mut groups: Vec<Group> = (0..weights.len()).map(single).collect();
    while let Some((one, other)) = best_pair(&groups, similarities, weights) {
        let joined = groups.remove(other);
        let sum = cross_sum(&groups[one], &joined, similarities, weights);
        let group = &mut groups[one];
        group.pair_sum += joined.pair_sum + sum;
        group.weight += joined.weight;
        group.elements.extend(joined.elements);
    }
    let mut group_of = vec![0; weights.len()];
    for (number, group) in groups.iter().enumerate() {
        for &element in &group.elements {
            group_of[element] = number;
        }
    }
    group_of
}

fn cross_sum(one: &Group, other: &Group, similarities: &[Vec<f64>], weights: &[f64]) -> f64 {
    let pairs = one
        .elements
        .iter()
        .flat_map(|&i| other.elements.iter().map(move |&j| (i, j)));
    pairs.map(|(i, j)| weights[i] * weights[j] * similarities[i][j]).sum()
}

/// The two groups whose union is the most alike and reaches both thresholds; the first among
/// equals.
fn best_pair(groups: &[Group], similarities: &[Vec<f64>], weights: &[f64]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for one in 0..groups.len() {
        for other in one + 1..groups.len() {
            let (left, right) = (&groups[one], &groups[other]);
            let is_close = |i: &usize| right.elements.iter().all(|&j| similarities[*i][j] >= SIMILARITY_MIN);
            if !left.elements.iter().all(is_close) {
                continue;
            }
            let weight = left.weight + right.weight;
            let sum = left.pair_sum + right.pair_sum + cross_sum(left, right, similarities, weights);
            let likeness = 2.0 * sum / (weight * (weight - 1.0));
            if likeness >= SIMILARITY_MIN && best.is_none_or(|(known, ..)| likeness > known + 1e-12) {
                best = Some((likeness, one, other));
            }
        }
    }
    best.map(|(_, one, other)| (one, other))
}
