//! Lists as tables: what `records` finds on a page, or on several, with typed columns.
//!
//! In: a [`FollowedList`]. Out: its rows as the page shows them ([`ShownList`]), and as a typed
//! [`Table`].

use std::sync::Arc;

use crate::page::Page;
use crate::record::FollowedList;
use crate::table::{ClassFacts, FieldFacts, ReadPage, Survey, Table, infer_chosen_schema, rows_of};
use crate::wrapper::{Record, Value};

/// A list as the page shows it.
#[derive(Debug, Clone)]
pub struct ShownList {
    /// The names of its columns, unlike each other.
    pub names: Vec<String>,
    /// Its rows, each with its page and as wide as the names.
    pub rows: Vec<(Arc<Page>, Vec<Option<String>>)>,
}

impl ShownList {
    /// The rows of a list. With nested records, the first two columns are the number of the record
    /// and that of the one it stands in.
    pub fn of(list: &FollowedList) -> Self {
        let columns = list.columns();
        let mut records = list.parts.iter().flat_map(|(_, region)| &region.records);
        let is_nested = records.any(|record| record.parent.is_some());
        let mut names: Vec<String> = match is_nested {
            true => vec!["record".to_owned(), "parent".to_owned()],
            false => Vec::new(),
        };
        for column in &columns {
            let mut name = column.name.clone();
            while names.contains(&name) {
                name.push('_');
            }
            names.push(name);
        }
        let mut rows = Vec::new();
        for (page, region) in &list.parts {
            let first = rows.len();
            for (number, record) in region.records.iter().enumerate() {
                let mut row: Vec<Option<String>> = Vec::with_capacity(names.len());
                if is_nested {
                    row.push(Some((first + number + 1).to_string()));
                    row.push(record.parent.map(|parent| (first + parent + 1).to_string()));
                }
                row.extend(FollowedList::fields(&columns, region, record));
                rows.push((Arc::clone(page), row));
            }
        }
        Self { names, rows }
    }

    /// The same as a typed table and its rows; with `has_page`, the first column is the page.
    pub fn table(&self, has_page: bool) -> (Table, Vec<Vec<Option<String>>>) {
        let keys: Vec<Arc<str>> = self.names.iter().map(|name| name.as_str().into()).collect();
        let field = |key: &Arc<str>| FieldFacts {
            key: key.to_string(),
            ..FieldFacts::default()
        };
        let mut survey = Survey::new(&[ClassFacts {
            name: "records".to_owned(),
            columns: keys.iter().map(field).collect(),
            ..ClassFacts::default()
        }]);
        let read = |(page, row): &(Arc<Page>, Vec<Option<String>>)| {
            let cells = keys.iter().zip(row);
            let values = cells.filter_map(|(key, cell)| Some((key.clone(), Value::Text(cell.clone()?))));
            ReadPage {
                page_class: 0,
                url: page.url.clone(),
                record: Record {
                    values: values.collect(),
                },
            }
        };
        let pages: Vec<ReadPage> = self.rows.iter().map(read).collect();
        pages.iter().for_each(|page| survey.add(page));
        let mut database = infer_chosen_schema(survey);
        let mut rows = Vec::with_capacity(pages.len());
        for page in &pages {
            rows_of(&database, page, &mut |_, row| rows.push(row));
        }
        let Some(mut table) = database.tables.pop() else {
            // A list without a column has no row either.
            return (Table::default(), Vec::new());
        };
        // A page has many of the records.
        table.key.clear();
        if !has_page {
            table.columns.remove(0);
            rows.iter_mut().for_each(|row| drop(row.remove(0)));
        }
        (table, rows)
    }
}
