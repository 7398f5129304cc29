//! What turns pages into records: an inferred wrapper, or a specification that was taught. Either
//! is told by how its file begins.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value as Json, json};
use untemplate::page::{Page, Problem};
use untemplate::rule::Picked;
use untemplate::teach::{RowReading, RowsReading, Specification, TaughtRows, extract_by_specification};
use untemplate::wrapper::{Record, Value};
use untemplate_store::{Extractor, Wrapper, read_specification, read_wrapper};

/// Reads pages of a class.
pub enum Reader {
    /// By a wrapper that was inferred.
    Wrapper(Box<Extractor>),
    /// By the fields of a specification.
    Specification(Box<Specification>),
}

/// What was read on a page.
pub struct PageReading {
    /// Whether the page is of the class.
    pub is_matched: bool,
    /// The record.
    pub record: Json,
    /// What is missing or in doubt.
    pub problems: Vec<Problem>,
}

impl Reader {
    /// Opens a wrapper or a specification.
    pub fn open(file: &Path) -> Result<Self> {
        if is_specification(file)? {
            return Ok(Self::Specification(Box::new(read_specification(file)?)));
        }
        Ok(Self::Wrapper(Box::new(Extractor::new(open_wrapper(file)?))))
    }

    /// Reads a page.
    pub fn read(&self, page: &Page) -> PageReading {
        match self {
            Self::Wrapper(extractor) => {
                let extraction = extractor.extract(page);
                PageReading {
                    is_matched: extraction.is_matched,
                    record: record_to_json(extraction.record),
                    problems: extraction.problems,
                }
            }
            Self::Specification(specification) => by_specification(specification, page),
        }
    }
}

/// Opens a wrapper file.
pub fn open_wrapper(file: &Path) -> Result<Wrapper> {
    read_wrapper(&text_of(file)?).with_context(|| format!("cannot use the wrapper {}", file.display()))
}

/// Whether a file is a specification: they are XML, wrappers are not.
pub fn is_specification(file: &Path) -> Result<bool> {
    let text = text_of(file)?;
    Ok(text.trim_start_matches('\u{feff}').trim_start().starts_with('<'))
}

fn text_of(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| {
        format!(
            "cannot read the wrapper {}; `untemplate infer` and `untemplate learn` write one",
            file.display()
        )
    })
}

fn by_specification(specification: &Specification, page: &Page) -> PageReading {
    let specified = extract_by_specification(page, specification);
    let is_matched = specified.record.is_some();
    let mut problems = specified.problems;
    let mut fields = Map::new();
    if let Some(record) = specified.record {
        let class = specification.classes.iter().find(|class| class.id == record.class);
        let lists = class.into_iter().flat_map(|class| &class.rows).zip(&record.rows);
        problems.extend(record.problems);
        let values = record.fields.into_iter();
        fields.extend(values.map(|(name, values)| (name, values_to_json(values))));
        fields.extend(lists.map(|(rows, read)| (rows.name.clone(), rows_to_json(rows, read))));
    }
    PageReading {
        is_matched,
        record: Json::Object(fields),
        problems,
    }
}

/// A list of objects; what a row has not is left out.
pub fn rows_to_json(rows: &TaughtRows, read: &RowsReading) -> Json {
    let row = |row: &RowReading| {
        let values = rows.fields.iter().zip(&row.values);
        let values = values.filter_map(|(field, value)| Some((field.name.clone(), json!(value.as_ref()?.text))));
        Json::Object(values.collect())
    };
    read.rows.iter().map(row).collect()
}

/// One value is a text, several are a list, none is null.
fn values_to_json(values: Vec<Picked>) -> Json {
    let mut texts: Vec<Json> = values.into_iter().map(|picked| json!(picked.text)).collect();
    match texts.len() {
        0 => Json::Null,
        1 => texts.remove(0),
        _ => Json::Array(texts),
    }
}

fn record_to_json(record: Record) -> Json {
    let values = record.values.into_iter().map(|(key, value)| {
        let value = match value {
            Value::Text(text) => Json::String(text),
            Value::List(rounds) => rounds.into_iter().map(record_to_json).collect(),
        };
        (key.to_string(), value)
    });
    Json::Object(values.collect::<Map<_, _>>())
}
