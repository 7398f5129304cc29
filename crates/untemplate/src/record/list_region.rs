//! List regions: what leaves this stage. A page's lists, each with its columns and records.

use super::item::ItemKind;
use super::signals::Signals;
use super::value_shape::ValueShape;
use crate::page::{NodeId, Problem};

/// The lists of a page.
#[derive(Debug, Clone, Default)]
pub struct PageRecords {
    /// The lists, the main one first; none when the page has no list.
    pub regions: Vec<ListRegion>,
    /// What was odd.
    pub problems: Vec<Problem>,
}

/// One list of a page, cut into records.
#[derive(Debug, Clone)]
#[doc(alias = "data region")]
pub struct ListRegion {
    /// The node that holds it.
    pub node: NodeId,
    /// How much speaks for it; more is better, and only lists of one page compare.
    pub score: f64,
    /// What was measured of it; nothing when another way than [`find_records`](super::find_records) found it.
    pub signals: Option<Signals>,
    /// Its columns, in the order in which records show them.
    pub columns: Vec<Column>,
    /// Its records, in document order.
    pub records: Vec<Record>,
}

/// A column of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name, unlike those of the other columns.
    pub name: String,
    /// Whether the page says the name, and of this column alone; else it was made up.
    pub is_said: bool,
    /// Where in records its values stand: equal on all pages of one template.
    pub place: u64,
    /// What its values are: texts, or where links and pictures lead.
    pub kind: ItemKind,
    /// What most of its values look like.
    pub shape: ValueShape,
    /// Whether every record has it, with the same value: a label or a button.
    pub is_constant: bool,
}

/// One record of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(alias = "data record")]
pub struct Record {
    /// The nodes it is made of, in document order.
    pub nodes: Vec<NodeId>,
    /// Its values, one for each column of the list.
    pub fields: Vec<Option<Field>>,
    /// The record that this one stands inside of, as a reply does, by its number in the list.
    pub parent: Option<usize>,
}

/// One value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The text or the address.
    pub value: String,
    /// The element that shows it.
    pub node: NodeId,
}
