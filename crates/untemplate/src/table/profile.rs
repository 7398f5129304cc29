//! Profiles: what a column holds, in figures that a person reads at a glance.

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    /// Rows with a value.
    pub filled: usize,
    /// Rows without one.
    pub missing: usize,
    /// Values that differ; an estimate above some thousands.
    pub distinct: usize,
    /// The least value, in the order of the column's kind.
    pub lowest: Option<String>,
    /// The greatest value.
    pub highest: Option<String>,
    /// The most frequent values and their numbers of rows, most frequent first; none when hardly
    /// any occurs twice.
    pub top: Vec<(String, usize)>,
    /// Of numbers and dates, how many values lie in each of some equal parts between the least and
    /// the greatest.
    pub histogram: Vec<usize>,
}
