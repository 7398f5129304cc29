//! List regions: what leaves this stage. A page's lists, each with its columns and records.

use super::evidence::Evidence;
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

/// What may be a list of a page.
#[derive(Debug, Clone)]
pub struct RankedList {
    /// The node that holds it.
    pub node: NodeId,
    /// Its records, each as its nodes.
    pub records: Vec<Vec<NodeId>>,
    /// How much speaks for this place and this way to cut it; more is better, and only those of one
    /// page compare.
    pub score: f64,
    /// What was measured of it.
    pub signals: Signals,
    /// Whether it is the best way to cut its part of the page and may be the main list.
    pub is_best_here: bool,
    /// How likely it is the main list of its page.
    pub probability: f64,
    /// What the probability is computed from, in the order of
    /// [`EVIDENCE_NAMES`](super::EVIDENCE_NAMES).
    pub evidence: Evidence,
}

impl RankedList {
    /// Whether it is likely enough the main list of its page to be taken for it.
    pub fn is_main(&self) -> bool {
        self.probability >= PROBABILITY_MIN
    }
}

/// How likely the main list of a page is one, at least. Missing the list of a list page is worse
/// than showing one of a page about one thing, most of which have true lists beside their subject;
/// `eval/README.md` has the figures for other values.
const PROBABILITY_MIN: f64 = 0.2;

/// One list of a page, cut into records.
#[derive(Debug, Clone)]
#[doc(alias = "data region")]
pub struct ListRegion {
    /// The node that holds it.
    pub node: NodeId,
    /// How much speaks for it; more is better, and only lists of one page compare.
    pub score: f64,
    /// How likely it is the main list of its page; 1 when another way than
    /// [`find_records`](super::find_records) found it.
    pub probability: f64,
    /// What was measured of it; nothing when another way than [`find_records`](super::find_records)
    /// found it.
    pub signals: Option<Signals>,
    /// Its columns, in the order in which records show them.
    pub columns: Vec<Column>,
    /// Its records, in document order.
    pub records: Vec<ListRecord>,
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
pub struct ListRecord {
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
