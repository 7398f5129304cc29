//! Finding records: a page in, the records of its lists out.
//!
//! In: a page. Out: its main list, or all of them, as records with fields under columns; nothing when the page has no
//! list. This is the walk of the stage: outline, candidates, the best of them, items, columns, names.

use super::candidate::{Candidate, candidates};
use super::column::align;
use super::emphasis::Emphasis;
use super::item::{Item, items};
use super::outline::Outline;
use super::ranking::Weights;
use super::verdict::{why_no_list, why_not_main};
use crate::page::{NodeId, Page};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// All lists of the page, not the main one alone.
    pub all: bool,
    /// How signals are weighed.
    pub weights: Weights,
}

/// The lists of a page.
#[derive(Debug, Clone)]
pub struct PageRecords {
    /// The lists, best first.
    pub regions: Vec<ListRegion>,
}

/// One list of a page.
#[derive(Debug, Clone)]
pub struct ListRegion {
    /// The node that holds it.
    pub node: NodeId,
    /// How much speaks for it; more is better.
    pub score: f64,
    /// What was measured.
    pub explanation: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its records, in document order.
    pub records: Vec<Record>,
}

/// A column of a list.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name.
    pub name: String,
}

/// One record of a list.
#[derive(Debug, Clone)]
pub struct Record {
    /// The nodes it is made of.
    pub nodes: Vec<NodeId>,
    /// Its values, one for each column.
    pub fields: Vec<Option<String>>,
}

/// Finds the records of a page.
pub fn find_records(page: &Page, options: &RecordOptions) -> PageRecords {
    let outline = Outline::of(&page.dom);
    let found = candidates(&outline, &options.weights);
    let mut regions = Vec::new();
    let mut lists = found.iter().filter(|candidate| why_no_list(&outline, candidate).is_none());
    let chosen: Vec<&Candidate> = match options.all {
        true => lists.take(40).collect(),
        false => lists.find(|candidate| why_not_main(candidate).is_none()).into_iter().collect(),
    };
    for candidate in chosen {
        regions.push(region_of(&outline, page, candidate));
    }
    PageRecords { regions }
}

fn region_of(outline: &Outline<'_>, page: &Page, candidate: &Candidate) -> ListRegion {
    let emphasis = Emphasis::of(outline, &candidate.records);
    let all: Vec<Vec<Item>> =
        candidate.records.iter().map(|nodes| items(outline, page, &emphasis, nodes)).collect();
    let (places, n_columns) = align(&all);
    let mut records = Vec::new();
    for ((nodes, items), places) in candidate.records.iter().zip(&all).zip(&places) {
        let mut fields = vec![None; n_columns];
        for (item, place) in items.iter().zip(places) {
            if let Some(place) = *place {
                fields[place] = Some(item.value.clone());
            }
        }
        records.push(Record {
            nodes: nodes.clone(),
            fields,
        });
    }
    ListRegion {
        node: candidate.region,
        score: candidate.score,
        explanation: format!("{:?}", candidate.signals),
        columns: (0..n_columns)
            .map(|number| Column {
                name: format!("c{number}"),
            })
            .collect(),
        records,
    }
}
