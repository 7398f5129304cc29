//! Evidence: what a field was on the pages that it was learnt from, which its file keeps.

use crate::wrapper::ValueProfile;

/// What a field was on the pages that it was learnt from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldEvidence {
    /// The field.
    pub field: String,
    /// On how many pages its rules held, and of how many.
    pub held: (u32, u32),
    /// What the first value of each page looks like.
    pub values: ValueProfile,
}
