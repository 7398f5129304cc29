//! A taught field: rules that agree on every page that was shown, and vote on the others.
//!
//! No single rule survives every change of a page, and a rule that broke gives a wrong value without a word. So a field keeps several rules of
//! different kinds. Where those that say something agree, their value stands; where they do not, the heavier side must outweigh
//! the other clearly, or the field stays empty with a `Problem`: right or silent.

use crate::page::{Page, Problem};
use crate::rule::{ExtractionRule, Picked, TextIndex};

/// How much of the votes a value needs to stand, of those that were cast for any value.
const SHARE_MIN: f64 = 0.5;

/// A field that was taught, and how it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtField {
    /// The name it was given.
    pub name: String,
    /// Whether a page may be without it.
    pub is_optional: bool,
    /// The rules, the heaviest first.
    pub rules: Vec<TaughtRule>,
}

/// A rule, and what its vote counts.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtRule {
    /// The rule.
    pub rule: ExtractionRule,
    /// What its vote counts; more than 0.
    pub weight: f64,
}

/// What a field is on one page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldReading {
    /// Its values in document order; none where it is absent or in doubt.
    pub values: Vec<Picked>,
    /// Why it is in doubt, or missing where it should not be.
    pub problem: Option<Problem>,
}

impl TaughtField {
    /// Reads the field on a page whose texts have been looked up.
    pub fn read(&self, page: &Page, texts: &TextIndex) -> FieldReading {
        let mut votes: Vec<(Vec<Picked>, f64)> = Vec::new();
        let mut cast = 0.0;
        for TaughtRule { rule, weight } in &self.rules {
            let values = rule.values_with(page, texts);
            if values.is_empty() {
                continue;
            }
            cast += weight;
            match votes.iter_mut().find(|(others, _)| is_same(others, &values)) {
                Some((_, sum)) => *sum += weight,
                None => votes.push((values, *weight)),
            }
        }
        // Of sides with the same weight, the one that a heavier rule is on comes first.
        let best = votes
            .into_iter()
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        match best {
            Some((values, sum)) if sum > cast * SHARE_MIN => FieldReading { values, problem: None },
            Some(_) => self.without("in-doubt", "its rules disagree, so that it is left empty"),
            None if self.is_optional => FieldReading::default(),
            None => self.without(
                "missing",
                "none of its rules finds it, and every page that was shown had it",
            ),
        }
    }

    fn without(&self, kind: &'static str, why: &str) -> FieldReading {
        FieldReading {
            values: Vec::new(),
            problem: Some(Problem::new(kind, format!("field {}: {why}", self.name))),
        }
    }
}

fn is_same(left: &[Picked], right: &[Picked]) -> bool {
    left.iter()
        .map(|picked| &picked.text)
        .eq(right.iter().map(|picked| &picked.text))
}
