//! `run`: what a specification says, read from its site.
//!
//! In: a site, a specification, a record store. Out: a [`TaughtResult`] with a table for each
//! page class that has fields, and a [`RunReport`]. Fields keep the names and the order that they
//! were taught in; their kinds are told from their values. A field with several values on some page
//! is a list: its values stand in one cell, one a line. Rows that were taught are a table of their
//! own, with the page and the place of each.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::page::{Site, stable_hash};
use crate::table::{
    ClassFacts, ColumnKind, ColumnSource, Database, FieldFacts, ProblemGroups, ReadPage, Reading, RecordStore,
    RecordStoreError, Survey, infer_chosen_schema,
};
use crate::teach::{
    FieldKind, RowReading, RunError, RunEvent, RunOptions, RunReport, Specification, TaughtClass, TaughtRecord,
    run_specification,
};
use crate::wrapper::{Record, Value};

use super::tables::{Records, TakePage};

/// What was read by a specification.
#[derive(Debug, Clone, Default)]
pub struct TaughtResult {
    /// The page classes of the specification, with the fields that were taught.
    pub classes: Vec<ClassFacts>,
    /// How the run went.
    pub report: RunReport,
    /// What was odd about pages, grouped.
    pub problems: ProblemGroups,
    /// Fields that have several values on some page: the number of the class, and the field.
    pub lists: BTreeSet<(usize, usize)>,
    /// How many records of a class an address has: answers to a form may share one.
    at_address: HashMap<(usize, u64), u32, FixedState>,
}

/// Why what was taught could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TaughtError {
    /// The specification cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The records cannot be kept.
    #[error(transparent)]
    RecordStore(#[from] RecordStoreError),
}

/// Follows a specification through its site and puts away what it reads; `observe` is told what
/// happens as it happens, and can end it.
pub fn read_taught(
    site: &mut dyn Site,
    record_store: &mut dyn RecordStore,
    specification: &Specification,
    options: &RunOptions,
    observe: &mut dyn FnMut(RunEvent<'_>) -> ControlFlow<()>,
) -> Result<TaughtResult, TaughtError> {
    let mut crawl_result = TaughtResult {
        classes: specification.classes.iter().map(class_facts).collect(),
        ..TaughtResult::default()
    };
    let mut trouble = None;
    let report = run_specification(specification, options, site, &mut |event| {
        match event {
            RunEvent::Record(record) => {
                if let Err(error) = crawl_result.put(record_store, record) {
                    trouble = Some(error);
                    return ControlFlow::Break(());
                }
            }
            RunEvent::Odd(url, problem) => crawl_result.problems.add(url.as_str(), problem),
            RunEvent::Arrived(_) => {}
        }
        observe(event)
    })?;
    match trouble {
        Some(error) => Err(error.into()),
        None => Ok(TaughtResult { report, ..crawl_result }),
    }
}

fn class_facts(class: &TaughtClass) -> ClassFacts {
    let field = |field: &crate::teach::TaughtField| FieldFacts {
        key: field.name.clone(),
        kind: field.clean_up.kind.map(column_kind),
        ..FieldFacts::default()
    };
    let row_fields = class.rows.iter().flat_map(|rows| {
        let fact = |field: &crate::teach::RowField| FieldFacts {
            list_path: vec![rows.name.clone()],
            key: field.name.clone(),
            ..FieldFacts::default()
        };
        rows.fields.iter().map(fact)
    });
    ClassFacts {
        name: class.id.clone(),
        columns: class.fields.iter().map(field).chain(row_fields).collect(),
        ..ClassFacts::default()
    }
}

/// The kind of column that somebody asked for.
fn column_kind(kind: FieldKind) -> ColumnKind {
    match kind {
        FieldKind::Text => ColumnKind::Text,
        FieldKind::Integer => ColumnKind::Integer,
        FieldKind::Decimal => ColumnKind::Decimal,
        FieldKind::Boolean => ColumnKind::Boolean,
        FieldKind::Date => ColumnKind::Date,
        FieldKind::DateTime => ColumnKind::DateTime,
        FieldKind::Time => ColumnKind::Time,
        FieldKind::Url => ColumnKind::Url,
    }
}

impl TaughtResult {
    /// Puts a record away.
    fn put(&mut self, record_store: &mut dyn RecordStore, record: &TaughtRecord) -> Result<(), RecordStoreError> {
        let Some(page_class) = self.classes.iter().position(|class| class.name == record.class) else {
            return Ok(());
        };
        for problem in &record.problems {
            self.problems.add(record.url.as_str(), problem);
        }
        let mut values = Vec::with_capacity(record.fields.len());
        for (index, (name, picked)) in record.fields.iter().enumerate() {
            if picked.len() > 1 {
                self.lists.insert((page_class, index));
            }
            // Values have no line ends of their own: their white space is collapsed.
            let texts: Vec<&str> = picked.iter().map(|picked| picked.text.as_str()).collect();
            if !texts.is_empty() {
                values.push((name.as_str().into(), Value::Text(texts.join("\n"))));
            }
        }
        values.extend(self.lists_of(page_class, record));
        let mut url = record.url.clone();
        let known = (page_class, stable_hash(url.as_str().as_bytes()));
        let n_before = self.at_address.entry(known).or_default();
        if *n_before > 0 {
            // A record store has one record for an address; the fragment tells them apart there,
            // and never reaches a table.
            url.set_fragment(Some(&format!("{n_before:08}")));
        }
        *n_before += 1;
        record_store.put(page_class, &url, &Record { values }.to_bytes())
    }

    /// The rows of a record, as lists of records.
    fn lists_of(&self, page_class: usize, record: &TaughtRecord) -> Vec<(Arc<str>, Value)> {
        let facts = &self.classes[page_class].columns;
        let mut lists: Vec<&str> = facts
            .iter()
            .filter_map(|field| field.list_path.first().map(String::as_str))
            .collect();
        lists.dedup();
        let keys = |list: &str| -> Vec<Arc<str>> {
            let own = facts
                .iter()
                .filter(|field| field.list_path.first().is_some_and(|its| its == list));
            own.map(|field| field.key.as_str().into()).collect()
        };
        let mut values = Vec::new();
        for (list, reading) in lists.into_iter().zip(&record.rows) {
            let keys = keys(list);
            let row = |row: &RowReading| Record {
                values: keys
                    .iter()
                    .zip(&row.values)
                    .filter_map(|(key, value)| Some((Arc::clone(key), Value::Text(value.as_ref()?.text.clone()))))
                    .collect(),
            };
            if !reading.rows.is_empty() {
                values.push((list.into(), Value::List(reading.rows.iter().map(row).collect())));
            }
        }
        values
    }

    fn is_list(&self, class: usize, source: &ColumnSource) -> bool {
        let (ColumnSource::Field(key) | ColumnSource::Raw(key) | ColumnSource::Unit(key)) = source else {
            return false;
        };
        let fields = &self.classes[class].columns;
        let place = fields
            .iter()
            .position(|field| field.list_path.is_empty() && field.key == *key);
        place.is_some_and(|place| self.lists.contains(&(class, place)))
    }
}

impl Records for TaughtResult {
    fn classes(&self) -> Vec<ClassFacts> {
        self.classes.clone()
    }

    fn each_page(&self, record_store: &mut dyn RecordStore, take: &mut TakePage<'_>) -> Result<(), RecordStoreError> {
        for class in 0..self.classes.len() {
            record_store.each(class, &mut |url, bytes| {
                let record = Record::from_bytes(bytes).ok_or_else(|| RecordStoreError::damaged(url))?;
                let mut page = ReadPage {
                    page_class: class,
                    url: url.clone(),
                    record,
                };
                page.url.set_fragment(None);
                take(&page)
            })?;
        }
        Ok(())
    }

    /// All fields of each class; lists are texts, since no other kind has several values.
    fn infer_schema(&self, survey: Survey) -> Database {
        let mut database = infer_chosen_schema(survey);
        for table in database.tables.iter_mut().filter(|table| table.list_path.is_empty()) {
            let class = table.page_class;
            table.columns.retain(|column| {
                matches!(column.source, ColumnSource::Field(_)) || !self.is_list(class, &column.source)
            });
            for column in &mut table.columns {
                if self.is_list(class, &column.source) {
                    column.kind = ColumnKind::Text;
                    column.unit = None;
                    column.reading = Reading::default();
                }
            }
        }
        database
    }

    fn list_columns(&self, database: &Database) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let tables = database.tables.iter().enumerate();
        for (index, table) in tables.filter(|(_, table)| table.list_path.is_empty()) {
            let columns = table.columns.iter().enumerate();
            let lists = columns.filter(|(_, column)| self.is_list(table.page_class, &column.source));
            found.extend(lists.map(|(place, _)| (index, place)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::{fill_tables, infer_tables};
    use super::*;
    use crate::page::{Page, ParseOptions, Response};
    use crate::rule::{ExtractionRule, TextIndex};
    use crate::teach::{TaughtField, TaughtRule};
    use expect_test::{Expect, expect};
    use std::collections::BTreeMap;

    /// The rows of pages that are read by one class with the fields `price` and `colour`.
    fn check(pages: &[(&str, &str)], expected: Expect) {
        let field = |name: &str, path: &str| {
            let rule = ExtractionRule::absolute(path).expect("a good path");
            TaughtField::of_rules(name, true, vec![TaughtRule { rule, weight: 1.0 }])
        };
        let class = TaughtClass {
            fields: vec![field("price", "//b/text()"), field("colour", "//i/text()")],
            ..TaughtClass::named("ITEM")
        };
        let mut record_store: BTreeMap<(usize, url::Url), Vec<u8>> = BTreeMap::new();
        let mut crawl_result = TaughtResult {
            classes: vec![class_facts(&class)],
            ..TaughtResult::default()
        };
        for (address, html) in pages {
            let url = format!("http://a.example/{address}").parse().expect("a good address");
            let page = Page::read(&Response::html(url, *html), &ParseOptions::default());
            let texts = TextIndex::of(&page.dom);
            let record = TaughtRecord {
                class: "ITEM".to_owned(),
                url: page.url.clone(),
                fields: class
                    .fields
                    .iter()
                    .map(|field| (field.name.clone(), field.read(&page, &texts).values))
                    .collect(),
                rows: Vec::new(),
                problems: Vec::new(),
            };
            crawl_result.put(&mut record_store, &record).expect("there is room");
        }
        let database = infer_tables(&crawl_result, &mut record_store).expect("there is room");
        let table = &database.tables[0];
        let kinds = table
            .columns
            .iter()
            .map(|column| format!("{} {:?}", column.name, column.kind));
        let mut text = format!("key {:?}: {}", table.key, kinds.collect::<Vec<_>>().join(", "));
        fill_tables(&crawl_result, &mut record_store, &database, &mut |_, row| {
            text.push_str(&format!("\n{:?}", row.iter().map(Option::as_deref).collect::<Vec<_>>()));
            Ok(())
        })
        .expect("there is room");
        expected.assert_eq(&text);
    }

    #[test]
    fn taught_fields_are_typed_and_lists_stay_texts() {
        check(
            &[("2", "<b>7</b><i>1</i><i>2</i>"), ("1", "<b>9</b><i>3</i>")],
            expect![[r#"
                key [0]: page Url, price Integer, colour Text
                [Some("http://a.example/1"), Some("9"), Some("3")]
                [Some("http://a.example/2"), Some("7"), Some("1\n2")]"#]],
        );
    }

    #[test]
    fn answers_that_share_an_address_are_all_rows_and_have_no_key() {
        check(
            &[("find", "<b>7</b>"), ("find", "<b>8</b>")],
            expect![[r#"
                key []: page Url, price Integer, colour Text
                [Some("http://a.example/find"), Some("7"), None]
                [Some("http://a.example/find"), Some("8"), None]"#]],
        );
    }
}
