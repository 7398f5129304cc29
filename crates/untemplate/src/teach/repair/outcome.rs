//! What became of a specification, field by field.

use crate::teach::{Specification, TaughtField, show_rule};

/// A specification that was mended as far as that was possible.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// The specification as it is now.
    pub specification: Specification,
    /// What became of each field, class by class.
    pub fields: Vec<FieldRepair>,
    /// What became of the assertions that had drifted.
    pub assertions: Vec<AssertionRepair>,
    /// What could not be looked at, for people.
    pub problems: Vec<String>,
}

/// What became of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldRepair {
    /// The class, by its name.
    pub class: String,
    /// The field.
    pub field: String,
    /// What became of it.
    pub outcome: RepairOutcome,
    /// How it was read, a rule a line.
    pub before: Vec<String>,
    /// How it is read now.
    pub after: Vec<String>,
}

/// What became of something that may have drifted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairOutcome {
    /// It had not drifted, and is as it was.
    Kept,
    /// It was learnt again from values of old pages: on this many of the pages that it was checked
    /// with it reads the same.
    Mended {
        /// Pages with the old value.
        agreed: usize,
        /// Pages that were compared.
        compared: usize,
    },
    /// It was learnt again from a label that it stands by: its values on this many pages look as
    /// they did.
    MendedByLabel {
        /// Pages that have it.
        pages: usize,
    },
    /// It could not be mended with confidence, and is left empty.
    Lost,
}

/// What became of the assertion of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct AssertionRepair {
    /// The class, by its name.
    pub class: String,
    /// What it asserted.
    pub before: Vec<String>,
    /// What it asserts now.
    pub after: Vec<String>,
}

impl Repair {
    /// Whether something is as broken as it was.
    pub fn is_incomplete(&self) -> bool {
        let is_lost = |field: &FieldRepair| field.outcome == RepairOutcome::Lost;
        self.fields.iter().any(is_lost) || !self.problems.is_empty()
    }

    /// Whether nothing had drifted.
    pub fn is_unchanged(&self) -> bool {
        let is_kept = |field: &FieldRepair| field.outcome == RepairOutcome::Kept;
        self.assertions.is_empty() && self.fields.iter().all(is_kept)
    }
}

/// The rules of a field, a rule a line.
pub(super) fn shown(field: &TaughtField) -> Vec<String> {
    field.rules().map(|taught| show_rule(&taught.rule)).collect()
}
