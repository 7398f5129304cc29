//! What holds of any text and any record.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use crate::wrapper::{Record, Value};

use super::{Addresses, ClassFacts, ColumnKind, Marks, Profiler, ReadPage, Survey, infer_schema, read_value, rows_of};

const KINDS: [ColumnKind; 11] = [
    ColumnKind::Integer,
    ColumnKind::Decimal,
    ColumnKind::Date,
    ColumnKind::DateTime,
    ColumnKind::Time,
    ColumnKind::Boolean,
    ColumnKind::Url,
    ColumnKind::Email,
    ColumnKind::Phone,
    ColumnKind::Enum,
    ColumnKind::Text,
];

const MARKS: [Marks; 5] = [
    Marks::Plain,
    Marks::DecimalPoint,
    Marks::DecimalComma,
    Marks::DayFirst,
    Marks::MonthFirst,
];

/// Texts that look like what columns hold.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,30}",
        "[-+$€]{0,1}[0-9]{1,3}([.,' ][0-9]{1,3}){0,3}( ?(m|kg|%|'|EUR)){0,1}",
        "[0-9]{1,4}[-/. ](Jan|May|Juni|août|[0-9]{1,2})[-/. ][0-9]{1,4}( ?[0-9]{1,2}:[0-9]{2}(Z|\\+0200){0,1}){0,1}",
        "https?://[a-z]{1,5}\\.example/[a-z0-9/#?]{0,8}",
        "(yes|no|n/a|-|Ja|✓)",
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let flat = prop::collection::btree_map("[a-d]", text(), 0..4);
    let lists = prop::collection::vec(prop::collection::btree_map("[a-d]", text(), 0..4), 0..3);
    let record_of = |fields: BTreeMap<String, String>| Record {
        values: fields
            .into_iter()
            .map(|(key, text)| (Arc::from(key), Value::Text(text)))
            .collect(),
    };
    (flat, lists).prop_map(move |(flat, lists)| {
        let mut record = record_of(flat);
        let rounds = lists.into_iter().map(record_of).collect();
        record.values.push((Arc::from("list"), Value::List(rounds)));
        record
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn canonical_values_are_read_as_themselves(text in text()) {
        for kind in KINDS {
            for marks in MARKS {
                if let Some(value) = read_value(kind, marks, &text) {
                    // Canonical numbers have a point, whatever the column's texts have.
                    let again = match kind {
                        ColumnKind::Integer | ColumnKind::Decimal => read_value(kind, Marks::DecimalPoint, &value),
                        _ => read_value(kind, marks, &value),
                    };
                    prop_assert_eq!(again.as_deref(), Some(value.as_str()), "{:?} {:?} {:?}", kind, marks, text);
                }
            }
        }
    }

    #[test]
    fn rows_are_as_wide_as_their_table(records in prop::collection::vec((0_usize..3, record()), 0..12)) {
        let pages: Vec<ReadPage> = records
            .into_iter()
            .enumerate()
            .map(|(index, (page_class, record))| ReadPage {
                page_class,
                url: format!("http://a.example/{index}").parse().expect("a good address"),
                record,
            })
            .collect();
        let mut survey = Survey::new(&[ClassFacts::default()]);
        pages.iter().for_each(|page| survey.add(page));
        let database = infer_schema(survey, &Addresses::default());
        let mut names: Vec<String> = database.tables.iter().map(|table| table.name.to_lowercase()).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), database.tables.len());
        let mut profiler = Profiler::new(&database);
        let mut n_rows = vec![0; database.tables.len()];
        for page in &pages {
            rows_of(&database, page, &mut |table, row| {
                assert_eq!(row.len(), database.tables[table].columns.len());
                profiler.add(table, &row);
                n_rows[table] += 1;
                for (cell, column) in row.iter().zip(&database.tables[table].columns) {
                    assert!(cell.is_some() || column.is_nullable, "{} of {}", column.name, page.url);
                }
            });
        }
        for (profiles, n_rows) in profiler.finish().iter().zip(n_rows) {
            for profile in profiles {
                prop_assert_eq!(profile.filled + profile.missing, n_rows);
            }
        }
    }
}
