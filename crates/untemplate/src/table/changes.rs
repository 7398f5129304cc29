//! Changes: what is different between two runs over the same site.

/// What is different.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// What changed in each table that both have, in the order of their names.
    pub tables: Vec<TableChanges>,
    /// Tables that only the later run has.
    pub tables_added: Vec<String>,
    /// Tables that only the earlier run has.
    pub tables_gone: Vec<String>,
}

/// What is different in a table. Rows are told apart by its key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableChanges {
    /// Its name.
    pub name: String,
    /// Rows that only the later run has.
    pub n_added: usize,
    /// Rows that both have, with other values.
    pub n_changed: usize,
    /// Rows that only the earlier run has.
    pub n_vanished: usize,
    /// Columns that only the later run has.
    pub columns_added: Vec<String>,
    /// Columns that only the earlier run has.
    pub columns_gone: Vec<String>,
    /// The first few rows that changed.
    pub examples: Vec<RowChange>,
}

/// A row that is new, changed or gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowChange {
    /// What happened to it.
    pub kind: RowChangeKind,
    /// The values of its key, or of all columns where the table has none.
    pub key: Vec<String>,
    /// Of a changed row, its columns with other values: name, value before, value after.
    pub cells: Vec<(String, Option<String>, Option<String>)>,
}

/// What happened to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowChangeKind {
    /// It is new.
    Added,
    /// It has other values.
    Changed,
    /// It is gone.
    Vanished,
}

impl RowChangeKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Vanished => "vanished",
        }
    }
}

impl Changes {
    /// Whether nothing is different.
    pub fn is_empty(&self) -> bool {
        let is_same = |table: &TableChanges| {
            table.n_added + table.n_changed + table.n_vanished == 0
                && table.columns_added.is_empty()
                && table.columns_gone.is_empty()
        };
        self.tables_added.is_empty() && self.tables_gone.is_empty() && self.tables.iter().all(is_same)
    }
}
