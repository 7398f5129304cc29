//! Coverage of classes: how much of what the pages of each class say came into a column.

use std::collections::HashSet;

use crate::table::{ColumnSource, Database};
use crate::wrapper::reading::Coverage;

use super::options::CrawlResult;

/// What became of the text of a class's pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassCoverage {
    /// The number of the class.
    pub page_class: usize,
    /// Its name.
    pub name: String,
    /// The address of one of its pages.
    pub example: Option<String>,
    /// Its characters.
    pub coverage: Coverage,
}

/// What became of the text of each class's pages, by the tables that were made of them; classes
/// without pages are left out.
pub fn class_coverage(crawl_result: &CrawlResult, database: &Database) -> Vec<ClassCoverage> {
    let mut all = Vec::new();
    for (class, reader) in crawl_result.readers.iter().enumerate() {
        let Some(reading) = &reader.reading else { continue };
        let tables = database.tables.iter().filter(|table| table.page_class == class);
        let mut columns: HashSet<&str> = HashSet::new();
        for table in tables {
            // A list of links is known by the list, not by what each link is called.
            columns.extend(table.list_path.last().map(String::as_str));
            columns.extend(table.columns.iter().filter_map(|column| match &column.source {
                ColumnSource::Field(key) => Some(key.as_str()),
                _ => None,
            }));
        }
        all.push(ClassCoverage {
            page_class: class,
            name: reader.name.clone(),
            example: reader
                .pages
                .first()
                .map(|&page| crawl_result.ledger.addresses.text(page).to_owned()),
            coverage: reading.schema.coverage(&columns),
        });
    }
    all
}
