//! Measures: how good a classification is, against a true one, and a model against a reference.
//!
//! Paper: Crescenzi 2005, section 4, with its slips put right: precision divides by the found class, recall by the true one; entropy has one
//! minus; purity takes the largest true class of each found one. The paper does not say to which base its logarithms
//! are; its table fits base 10, so entropy is given in nats, to base 10, and over that of the true classes' number.

use std::collections::BTreeMap;

use crate::page::PageSchema;

/// Pages by true class and found class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confusion {
    /// By true and found class: how many pages. A page that no class was found for is under `None`.
    pub cells: BTreeMap<(usize, Option<usize>), usize>,
}

/// How good a classification is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Quality {
    /// The mean over pages of the F measure of their true class with the found class that suits it best.
    pub f_star: f64,
    /// How mixed the found classes are, in nats.
    pub entropy_nats: f64,
    /// The same to base 10.
    pub entropy_log10: f64,
    /// The same over the most that this many true classes can have.
    pub entropy_normalised: f64,
    /// The share of pages that are of the largest true class of their found one.
    pub purity: f64,
}

impl Confusion {
    /// Counts a page.
    pub fn add(&mut self, true_class: usize, found_class: Option<usize>) {
        *self.cells.entry((true_class, found_class)).or_default() += 1;
    }

    fn sums(&self) -> (BTreeMap<usize, f64>, BTreeMap<Option<usize>, f64>) {
        let (mut rows, mut columns) = (BTreeMap::new(), BTreeMap::new());
        for (&(row, column), &count) in &self.cells {
            *rows.entry(row).or_default() += count as f64;
            *columns.entry(column).or_default() += count as f64;
        }
        (rows, columns)
    }

    /// The measures of the paper.
    pub fn quality(&self) -> Quality {
        let (rows, columns) = self.sums();
        let size: f64 = rows.values().sum();
        if size == 0.0 {
            return Quality::default();
        }
        let mut best: BTreeMap<usize, f64> = BTreeMap::new();
        let mut largest: BTreeMap<usize, f64> = BTreeMap::new();
        let mut entropy = 0.0;
        for (&(row, column), &count) in &self.cells {
            let count = count as f64;
            let precision = count / columns[&column];
            entropy -= count / size * precision.ln();
            let Some(column) = column else { continue };
            let f_measure = harmonic(precision, count / rows[&row]);
            let known = best.entry(row).or_default();
            *known = known.max(f_measure);
            let most = largest.entry(column).or_default();
            *most = most.max(count);
        }
        let f_star: f64 = rows.iter().map(|(row, n)| best.get(row).unwrap_or(&0.0) * n).sum();
        Quality {
            f_star: f_star / size,
            entropy_nats: entropy,
            entropy_log10: entropy / std::f64::consts::LN_10,
            entropy_normalised: if rows.len() > 1 {
                entropy / (rows.len() as f64).ln()
            } else {
                0.0
            },
            purity: largest.values().sum::<f64>() / size,
        }
    }
}

/// The harmonic mean of two shares; 0 for two zeros.
fn harmonic(left: f64, right: f64) -> f64 {
    if left + right > 0.0 {
        2.0 * left * right / (left + right)
    } else {
        0.0
    }
}

/// How well found classes cover a reference and are covered by it: the paper's Q. A reference class is its schema, a found one the schemas
/// of its pages.
pub fn model_quality(reference: &[PageSchema], found: &[Vec<PageSchema>]) -> f64 {
    let alike = |class: &PageSchema, pages: &[PageSchema]| {
        let sum: f64 = pages.iter().map(|page| schema_f(page, class)).sum();
        sum / pages.len().max(1) as f64
    };
    let table: Vec<Vec<f64>> = reference
        .iter()
        .map(|class| found.iter().map(|pages| alike(class, pages)).collect())
        .collect();
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let forward = mean(table.iter().map(|row| most(&mut row.iter().copied())).collect());
    let backward = mean(
        (0..found.len())
            .map(|column| most(&mut table.iter().map(|row| row[column])))
            .collect(),
    );
    harmonic(forward, backward)
}

/// How well a page's schema and a class's cover each other.
fn schema_f(page: &PageSchema, class: &PageSchema) -> f64 {
    let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    let shared = page.shared(class);
    harmonic(share(shared, class.paths().len()), share(shared, page.paths().len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PathId;

    fn check(value: f64, expected: f64) {
        assert!((value - expected).abs() < 5e-5, "{value} is not {expected}");
    }

    /// Golden test G7.
    #[test]
    fn the_measures_of_a_small_table() {
        let mut confusion = Confusion::default();
        for (row, column, count) in [(0, 0, 90), (0, 1, 10), (1, 1, 100)] {
            confusion.cells.insert((row, Some(column)), count);
        }
        let quality = confusion.quality();
        check(quality.f_star, 0.94987);
        check(quality.purity, 0.95);
        check(quality.entropy_nats, 0.16755);
        check(quality.entropy_log10, 0.16755 / std::f64::consts::LN_10);
        check(quality.entropy_normalised, 0.16755 / std::f64::consts::LN_2);
    }

    #[test]
    fn pages_without_a_class_are_missed() {
        let mut confusion = Confusion::default();
        confusion.add(0, Some(0));
        confusion.add(0, None);
        let quality = confusion.quality();
        check(quality.purity, 0.5);
        check(quality.f_star, 2.0 / 3.0);
        assert_eq!(Confusion::default().quality(), Quality::default());
    }

    fn schema(paths: &[u32]) -> PageSchema {
        paths.iter().map(|&path| PathId(path)).collect()
    }

    #[test]
    fn a_model_that_is_the_reference_has_quality_one() {
        let reference = [schema(&[1, 2]), schema(&[3])];
        let found = [vec![schema(&[1, 2]); 3], vec![schema(&[3])]];
        check(model_quality(&reference, &found), 1.0);
        // A class too many costs what it is unlike any reference class.
        let more = [vec![schema(&[1, 2])], vec![schema(&[3])], vec![schema(&[9])]];
        check(model_quality(&reference, &more), harmonic(1.0, 2.0 / 3.0));
        check(model_quality(&[], &[]), 0.0);
    }
}
