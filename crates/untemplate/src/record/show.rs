//! Lists as text, for `untemplate show records` and for tests: what was found, what spoke for it,
//! and every field.

use super::list_region::{ListRegion, PageRecords, RankedList};
use crate::page::{Page, xpath_of};

/// All lists of a page as text.
pub fn show_records(page: &Page, found: &PageRecords) -> String {
    let mut text = String::new();
    for region in &found.regions {
        show_region(page, region, &mut text);
    }
    text
}

/// What may be a list of a page and was not taken for one, as text: a line each, the best of each
/// part of the page.
pub fn show_runners_up(page: &Page, lists: &[RankedList]) -> String {
    let mut shown: Vec<&RankedList> = Vec::new();
    for list in lists {
        let is_apart = |known: &&RankedList| {
            let inside = |one: &RankedList, other: &RankedList| page.dom.contains(one.node, other.node);
            !inside(known, list) && !inside(list, known)
        };
        if shown.iter().all(is_apart) {
            shown.push(list);
        }
    }
    let unlikely = shown.iter().filter(|list| !list.is_main()).take(RUNNERS_UP);
    let line = |list: &&RankedList| {
        let (place, n_records) = (xpath_of(&page.dom, list.node), list.records.len());
        let probability = list.probability;
        let signals = &list.signals;
        format!("no list {place} probability {probability:.2}, {n_records} records\nbecause {signals}\n")
    };
    unlikely.map(line).collect()
}

/// How many of them are shown.
const RUNNERS_UP: usize = 5;

fn show_region(page: &Page, region: &ListRegion, text: &mut String) {
    text.push_str(&format!(
        "list {} probability {:.2}, {} records, {} columns\n",
        xpath_of(&page.dom, region.node),
        region.probability,
        region.records.len(),
        region.columns.len()
    ));
    if let Some(signals) = &region.signals {
        text.push_str(&format!("because {signals}\n"));
    }
    for (number, record) in region.records.iter().enumerate() {
        let inside = record
            .parent
            .map_or_else(String::new, |parent| format!(" in {}", parent + 1));
        text.push_str(&format!("record {}{inside}\n", number + 1));
        for (column, field) in region.columns.iter().zip(&record.fields) {
            if let Some(field) = field {
                text.push_str(&format!("  {}: {}\n", column.name, field.value));
            }
        }
    }
}
