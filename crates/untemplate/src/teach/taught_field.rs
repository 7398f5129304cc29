//! A taught field: rules that agree on every page that was shown, and vote on the others.
//!
//! No single rule survives every change of a page, and a rule that broke gives a wrong value
//! without a word. So a field keeps several rules of different kinds, and they vote. A rule that
//! finds nothing votes for "absent", with less than its weight. What has more than half of all
//! votes, silence included, stands; where nothing has, the field stays empty there with a
//! `Problem`: right or silent.

use super::clean_up::CleanUp;
use super::tuning::FieldTuning;
use crate::page::{Page, Problem};
use crate::rule::{ExtractionRule, Picked, TextIndex};

/// A field that was taught, and how it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtField {
    /// The name it was given.
    pub name: String,
    /// Whether a page may be without it.
    pub is_optional: bool,
    /// Of an optional field, how many pages of the sample had it, and of how many; `None` where
    /// that is not known.
    pub share: Option<(u32, u32)>,
    /// The places where its values stand; most fields have one. None where it was lost: its rules
    /// broke, and could not be mended.
    pub slots: Vec<Slot>,
    /// What is made of its values.
    pub clean_up: CleanUp,
}

/// One of the places where a field's values stand, with the rules that lead there, the heaviest
/// first.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
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
    /// Its values in document order; none where it is absent or in doubt, a part where one of its
    /// places is in doubt.
    pub values: Vec<Picked>,
    /// Why it is in doubt, or missing where it should not be.
    pub problem: Option<Problem>,
}

/// What the vote of a rule that finds nothing counts.
pub(super) fn silence_weight(weight: f64) -> f64 {
    weight * FieldTuning::DEFAULT.silence_weight
}

/// Whether what has this many of the votes that were cast stands.
pub(super) fn stands(votes: f64, cast: f64) -> bool {
    votes > cast * FieldTuning::DEFAULT.majority
}

impl TaughtField {
    /// A field whose values stand at one place.
    pub fn of_rules(name: impl Into<String>, is_optional: bool, rules: Vec<TaughtRule>) -> Self {
        Self {
            name: name.into(),
            is_optional,
            share: None,
            slots: vec![Slot { rules }],
            clean_up: CleanUp::default(),
        }
    }

    /// The rules of all its places.
    pub fn rules(&self) -> impl Iterator<Item = &TaughtRule> {
        self.slots.iter().flat_map(|slot| &slot.rules)
    }

    /// Reads the field on a page whose texts have been looked up.
    pub fn read(&self, page: &Page, texts: &TextIndex) -> FieldReading {
        let mut values: Vec<Picked> = Vec::new();
        let mut is_doubtful = false;
        for slot in &self.slots {
            match slot.vote(page, texts) {
                Vote::For(picked) => values.extend(picked),
                Vote::Absent => {}
                Vote::Divided => is_doubtful = true,
            }
        }
        values.sort_by_key(|picked| picked.place);
        values.dedup_by(|left, right| left.place == right.place);
        if let Some(pattern) = &self.clean_up.pattern {
            let cleaned = values.into_iter().filter_map(|picked| {
                let text = pattern.apply(&picked.text)?;
                Some(Picked { text, ..picked })
            });
            values = cleaned.collect();
        }
        let problem = match (values.is_empty(), is_doubtful) {
            _ if self.slots.is_empty() => {
                Some(self.problem("lost", "its rules broke and could not be mended; teach it again"))
            }
            (true, true) => Some(self.problem("in-doubt", "its rules disagree, so that it is left empty")),
            (false, true) => Some(self.problem(
                "in-doubt",
                "its rules disagree on one of its places, so that it is read in part",
            )),
            (true, false) if !self.is_optional => {
                Some(self.problem("missing", "it is not found, and every page that was shown had it"))
            }
            _ => None,
        };
        FieldReading { values, problem }
    }

    fn problem(&self, kind: &'static str, why: &str) -> Problem {
        Problem::new(kind, format!("field {}: {why}", self.name))
    }
}

enum Vote {
    For(Vec<Picked>),
    Absent,
    Divided,
}

impl Slot {
    fn vote(&self, page: &Page, texts: &TextIndex) -> Vote {
        let mut votes: Vec<(Vec<Picked>, f64)> = Vec::new();
        let mut cast = 0.0;
        for TaughtRule { rule, weight } in &self.rules {
            let values = rule.values_with(page, texts);
            let weight = if values.is_empty() {
                silence_weight(*weight)
            } else {
                *weight
            };
            cast += weight;
            match votes.iter_mut().find(|(others, _)| is_same(others, &values)) {
                Some((_, sum)) => *sum += weight,
                None => votes.push((values, weight)),
            }
        }
        // Of sides with the same weight, the one that a heavier rule is on comes first.
        let best = votes
            .into_iter()
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        match best {
            None => Vote::Absent,
            Some((_, sum)) if !stands(sum, cast) => Vote::Divided,
            Some((values, _)) if values.is_empty() => Vote::Absent,
            Some((values, _)) => Vote::For(values),
        }
    }
}

fn is_same(left: &[Picked], right: &[Picked]) -> bool {
    left.iter()
        .map(|picked| &picked.text)
        .eq(right.iter().map(|picked| &picked.text))
}
