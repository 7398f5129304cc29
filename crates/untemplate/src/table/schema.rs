//! Schemas: the tables of a rebuilt database, their columns, keys and references.
//!
//! Plain values: `untemplate-store` writes them, reports show them. Values of rows are texts in the
//! canonical form of their column's [`ColumnKind`], or missing.

use super::reading::Reading;

/// The tables of a site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Database {
    /// The tables: parents before the children that lists became.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Its name, unlike those of the others, whatever their case.
    pub name: String,
    /// The number of the page class whose pages it was read from.
    pub page_class: usize,
    /// The keys of the lists that lead to it in a record, outermost first; none for a table with a
    /// row a page.
    pub list_path: Vec<String>,
    /// Its columns, unlike each other in name, whatever their case.
    pub columns: Vec<Column>,
    /// The columns that tell its rows apart, checked on the data; empty when none do.
    pub key: Vec<usize>,
    /// Its references to other tables, checked on the data.
    pub foreign_keys: Vec<ForeignKey>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name: lower case words, joined by underscores.
    pub name: String,
    /// Where its values come from.
    pub source: ColumnSource,
    /// What its values are.
    pub kind: ColumnKind,
    /// The unit or currency of its values, such as `cm` or `EUR`; none when they have none, or
    /// different ones.
    pub unit: Option<String>,
    /// Whether some rows have no value.
    pub is_nullable: bool,
    /// How its texts are read.
    pub reading: Reading,
}

/// Where the values of a column come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnSource {
    /// The address of the page.
    Address,
    /// The place of the row, from 1, in the list at this depth of the table's list path, from 0 for
    /// the outermost.
    Position(usize),
    /// A field of the record, or of the round of its list: the value as the column's kind has it.
    Field(String),
    /// The same field, as the page shows it.
    Raw(String),
    /// The unit or currency that the field names in each row, where rows have different ones.
    Unit(String),
    /// A field that only pages of another class show, on the row that stands for the same thing:
    /// the number of that table and its column.
    Joined(usize, usize),
}

/// What the values of a column are, and how they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnKind {
    /// `-12`, within 64 bits.
    Integer,
    /// `12.50`: digits and one point.
    Decimal,
    /// `2004-06-25`.
    Date,
    /// `2004-06-25T18:00:00`, with an offset where pages show one.
    DateTime,
    /// `18:00` or `18:00:30`.
    Time,
    /// `true` or `false`.
    Boolean,
    /// An absolute address.
    Url,
    /// An address for mail.
    Email,
    /// A telephone number, as the page shows it.
    Phone,
    /// One of few words.
    Enum,
    /// Any text.
    Text,
}

/// A reference from the rows of one table to those of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The columns that refer.
    pub columns: Vec<usize>,
    /// The table they refer to.
    pub table: usize,
    /// The columns they refer to.
    pub to: Vec<usize>,
}
