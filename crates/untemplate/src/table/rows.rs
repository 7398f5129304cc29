//! Rows: the second pass, which fills the tables.

use crate::page::Problem;
use crate::wrapper::{Record, Value};

use super::number::read_number;
use super::reading::{is_placeholder, read_value, value_hash};
use super::record_store::ReadPage;
use super::schema::{Column, ColumnKind, ColumnSource, Database, Table};

/// Hands out the rows of one page: the number of the table, and a value or nothing for each of its
/// columns. What could not be read as its column's kind is reported, and left out.
pub fn rows_of(database: &Database, page: &ReadPage, put: &mut dyn FnMut(usize, Vec<Option<String>>)) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, table) in database.tables.iter().enumerate() {
        if table.page_class == page.page_class {
            rows_of_table(table, page, &mut |row| put(index, row), &mut problems);
        }
    }
    problems
}

/// The rows of one table.
fn rows_of_table(
    table: &Table,
    page: &ReadPage,
    put: &mut dyn FnMut(Vec<Option<String>>),
    problems: &mut Vec<Problem>,
) {
    let mut waiting: Vec<(&Record, Vec<usize>)> = vec![(&page.record, Vec::new())];
    while let Some((record, places)) = waiting.pop() {
        if let Some(key) = table.list_path.get(places.len()) {
            if let Some(Value::List(rounds)) = record.get(key) {
                for (place, round) in rounds.iter().enumerate().rev() {
                    let mut places = places.clone();
                    places.push(place + 1);
                    waiting.push((round, places));
                }
            }
            continue;
        }
        if !is_header(table, record) {
            put(row_of(table, page, record, &places, problems));
        }
    }
}

/// Whether a round of a list is the head of a table.
fn is_header(table: &Table, record: &Record) -> bool {
    let mut has_header = false;
    for column in &table.columns {
        if let (ColumnSource::Field(key), Some(header)) = (&column.source, &column.reading.header) {
            has_header = true;
            if record.text(key).is_none_or(|text| text.trim() != header) {
                return false;
            }
        }
    }
    has_header
}

fn row_of(
    table: &Table,
    page: &ReadPage,
    record: &Record,
    places: &[usize],
    problems: &mut Vec<Problem>,
) -> Vec<Option<String>> {
    let cell = |column: &Column| match &column.source {
        ColumnSource::Address => Some(page.url.to_string()),
        ColumnSource::Position(depth) => places.get(*depth).map(usize::to_string),
        ColumnSource::Field(key) => read_field(column, record.text(key)?, page, problems),
        ColumnSource::Raw(key) => Some(record.text(key)?.trim())
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        ColumnSource::Unit(key) => unit_of(column, record.text(key)?),
        ColumnSource::Joined(..) => None,
    };
    table.columns.iter().map(cell).collect()
}

/// The value of a field as its column has it.
fn read_field(column: &Column, text: &str, page: &ReadPage, problems: &mut Vec<Problem>) -> Option<String> {
    let value = read_value(column.kind, column.reading.marks, column.reading.core(text));
    match value {
        Some(value) if !column.reading.left_out.is_empty() && column.reading.left_out.contains(&value_hash(&value)) => {
            None
        }
        Some(value) => Some(value),
        None if text.trim().is_empty() || is_placeholder(text) => None,
        None => {
            let message = format!(
                "{}: {} is no {}: {text:?}",
                page.url,
                column.name,
                kind_text(column.kind)
            );
            problems.push(Problem::new("odd value", message));
            None
        }
    }
}

fn unit_of(column: &Column, text: &str) -> Option<String> {
    let number = read_number(text, column.reading.marks.decimal())?;
    Some(number.unit).filter(|unit| !unit.is_empty())
}

fn kind_text(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "whole number",
        ColumnKind::Decimal => "number",
        ColumnKind::Date => "date",
        ColumnKind::DateTime => "date with a time",
        ColumnKind::Time => "time",
        ColumnKind::Boolean => "yes or no",
        ColumnKind::Url => "address",
        ColumnKind::Email => "address for mail",
        ColumnKind::Phone => "telephone number",
        ColumnKind::Enum | ColumnKind::Text => "text",
    }
}
