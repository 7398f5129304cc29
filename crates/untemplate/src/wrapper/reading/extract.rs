//! Extraction by a reading: a page to its record, and where each value of it was read.

use crate::content::Content;
use crate::page::{Page, Problem};
use crate::wrapper::Extraction;

use super::ClassReading;
use super::read::read;

/// A page is of the class when it has a quarter of the values that nearly all pages have; not
/// swept.
const MATCHED_SHARE: usize = 4;

/// Missing values of a page that are told of.
const PROBLEMS_MAX: usize = 20;

impl ClassReading {
    /// Reads a page, and notes where each value was read.
    pub fn extract(&self, page: &Page) -> Extraction {
        let noted = read(&self.schema, &self.vocabulary, &Content::of(page));
        let (sources, rounds) = noted.sources(page);
        let record = noted.into_record();
        let expected = self.schema.expected_keys();
        let missed: Vec<_> = expected.iter().filter(|key| record.get(key).is_none()).collect();
        let n_found = expected.len() - missed.len();
        let is_matched = match expected.is_empty() {
            true => !record.values.is_empty(),
            false => n_found > 0 && MATCHED_SHARE * n_found >= expected.len(),
        };
        let problems = missed.iter().take(PROBLEMS_MAX).map(|key| {
            let message = format!("there is no {key}, which nearly all pages of the class had");
            Problem::new("missing field", message)
        });
        Extraction {
            is_matched,
            agreement: n_found as f64 / expected.len().max(1) as f64,
            record,
            sources,
            rounds,
            problems: problems.collect(),
        }
    }
}
