//! Lists as text, for `untemplate show records` and for tests: what was found, what spoke for it, and every field.

use super::list_region::{ListRegion, PageRecords};
use crate::page::{Page, xpath_of};

/// All lists of a page as text.
pub fn show_records(page: &Page, found: &PageRecords) -> String {
    let mut text = String::new();
    for region in &found.regions {
        show_region(page, region, &mut text);
    }
    text
}

fn show_region(page: &Page, region: &ListRegion, text: &mut String) {
    text.push_str(&format!(
        "list {} score {:.2}, {} records, {} columns\n",
        xpath_of(&page.dom, region.node),
        region.score,
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
