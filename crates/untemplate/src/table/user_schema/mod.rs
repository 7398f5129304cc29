//! The user's schema: what a person wants of the tables that were found.
//!
//! In: a [`Database`] and a [`UserSchema`]. Out: an [`AppliedSchema`]: the tables as they are read,
//! the tables as they are written, and how a row of the former becomes one of the latter; and what
//! of the schema applies to nothing any more. Tables are known by their class and the keys of their
//! lists, columns by the key of the field that they come from, so that names can change on either
//! side.

mod applied;
mod matching;
#[cfg(test)]
mod tests;

pub use applied::{AppliedSchema, apply_schema};

use super::schema::{ColumnKind, ColumnSource};

/// What a person wants of the tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserSchema {
    /// The tables that something is said of.
    pub tables: Vec<UserTable>,
    /// Lists that were left out, and are to be tables.
    pub kept_lists: Vec<KeptField>,
}

/// What is wanted of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserTable {
    /// What it is called.
    pub name: String,
    /// The name of the class whose pages it is read from.
    pub class: String,
    /// The keys of the lists that lead to it.
    pub list_path: Vec<String>,
    /// It is not written.
    pub is_dropped: bool,
    /// Tables of the same shape whose rows it takes in, by their names.
    pub merge: Vec<String>,
    /// Its columns, in their order.
    pub columns: Vec<UserColumn>,
    /// The keys of fields that were left out, and are to be columns.
    pub kept: Vec<String>,
}

/// What is wanted of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserColumn {
    /// What it is called.
    pub name: String,
    /// Where its values come from.
    pub source: ColumnSource,
    /// What its values are; as they are found where nothing is said.
    pub kind: Option<ColumnKind>,
    /// It is not written.
    pub is_dropped: bool,
    /// Columns that fill it where it has no value, by their names; they are not written themselves.
    pub merge: Vec<String>,
    /// It refers to no other table.
    pub is_plain: bool,
}

/// Something that was left out, and is to be kept: a field, or a whole list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeptField {
    /// The name of its class.
    pub class: String,
    /// The keys of the lists that lead to it.
    pub list_path: Vec<String>,
    /// The key of the field; `None` for the list as a whole.
    pub key: Option<String>,
}

impl UserSchema {
    /// All that is to be kept although it would be left out.
    pub fn kept(&self) -> Vec<KeptField> {
        let fields = self.tables.iter().flat_map(|table| {
            table.kept.iter().map(|key| KeptField {
                class: table.class.clone(),
                list_path: table.list_path.clone(),
                key: Some(key.clone()),
            })
        });
        fields.chain(self.kept_lists.iter().cloned()).collect()
    }

    /// The names of its tables and columns, and their order, and nothing else that it says: what an
    /// earlier job called them.
    pub fn names(self) -> Self {
        let named = |column: UserColumn| UserColumn {
            kind: None,
            is_dropped: false,
            merge: Vec::new(),
            is_plain: false,
            ..column
        };
        let tables = self.tables.into_iter().map(|table| UserTable {
            is_dropped: false,
            merge: Vec::new(),
            kept: Vec::new(),
            columns: table.columns.into_iter().map(named).collect(),
            ..table
        });
        Self {
            tables: tables.collect(),
            kept_lists: Vec::new(),
        }
    }

    /// Whether it says names alone: rows stay what they are then.
    pub fn is_names(&self) -> bool {
        *self == self.clone().names()
    }
}
