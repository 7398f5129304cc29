//! Changing `schema.toml` for somebody who does not open it: names, types, and what is dropped.
//!
//! In: the file's text, and what is wanted of one table. Out: the text with that in it; all else,
//! comments included, stays as it is. The parser tells where each value stands.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::parse_schema;

/// What is wanted of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableWish {
    /// Its page class: this and the lists tell which table is meant.
    pub class: String,
    /// The lists that lead to it.
    pub list: Vec<String>,
    /// What it is called.
    pub name: String,
    /// Whether it is left out.
    pub is_dropped: bool,
    /// Its columns.
    pub columns: Vec<ColumnWish>,
}

/// What is wanted of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnWish {
    /// Where its values come from: this and the key tell which column is meant.
    pub source: String,
    /// What they are known by there.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Its type, in a word of the file.
    pub kind: String,
    /// Whether it is left out.
    pub is_dropped: bool,
}

/// What a schema wants of each table.
pub fn read_wishes(text: &str) -> Result<Vec<TableWish>, String> {
    let wish = |table: &FileTable| TableWish {
        class: table.class.clone(),
        list: table.list.clone(),
        name: table.name.get_ref().clone(),
        is_dropped: is_set(table.drop.as_ref()),
        columns: table.column.iter().map(column_wish).collect(),
    };
    Ok(tables_of(text)?.iter().map(wish).collect())
}

fn column_wish(column: &FileColumn) -> ColumnWish {
    ColumnWish {
        source: column.source.clone(),
        key: column.key.clone(),
        name: column.name.get_ref().clone(),
        kind: column
            .kind
            .as_ref()
            .map(|kind| kind.get_ref().clone())
            .unwrap_or_default(),
        is_dropped: is_set(column.drop.as_ref()),
    }
}

/// The text of a schema with a table as it is wanted. Columns that are not named stay as they are.
pub fn change_schema(text: &str, wish: &TableWish) -> Result<String, String> {
    let tables = tables_of(text)?;
    let table = tables
        .iter()
        .find(|table| table.class == wish.class && table.list == wish.list)
        .ok_or_else(|| format!("the schema has no table {}", wish.name))?;
    let mut changes = Changes { text, made: Vec::new() };
    changes.set_text(&table.name, &wish.name);
    changes.set_flag(table.drop.as_ref(), &table.name, wish.is_dropped);
    for wish in &wish.columns {
        let column = table
            .column
            .iter()
            .find(|column| column.source == wish.source && column.key == wish.key)
            .ok_or_else(|| format!("the schema has no column {} in that table", wish.name))?;
        changes.set_text(&column.name, &wish.name);
        if let Some(kind) = &column.kind {
            changes.set_text(kind, &wish.kind);
        }
        changes.set_flag(column.drop.as_ref(), &column.name, wish.is_dropped);
    }
    let changed = changes.apply();
    // A name that is empty or a type that there is not is told in the same words as in a file that
    // is given.
    parse_schema(&changed).map(|_| changed)
}

fn is_set(flag: Option<&Spanned<bool>>) -> bool {
    flag.is_some_and(|flag| *flag.get_ref())
}

fn tables_of(text: &str) -> Result<Vec<FileTable>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    Ok(file.table)
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    table: Vec<FileTable>,
}

#[derive(Deserialize)]
struct FileTable {
    name: Spanned<String>,
    class: String,
    #[serde(default)]
    list: Vec<String>,
    drop: Option<Spanned<bool>>,
    #[serde(default)]
    column: Vec<FileColumn>,
}

#[derive(Deserialize)]
struct FileColumn {
    name: Spanned<String>,
    source: String,
    #[serde(default)]
    key: String,
    #[serde(rename = "type")]
    kind: Option<Spanned<String>>,
    drop: Option<Spanned<bool>>,
}

/// Places of a text, and what is to stand there.
struct Changes<'a> {
    text: &'a str,
    made: Vec<(Range<usize>, String)>,
}

impl Changes<'_> {
    fn set_text(&mut self, place: &Spanned<String>, value: &str) {
        if place.get_ref() != value {
            self.made.push((place.span(), super::write::quoted(value)));
        }
    }

    /// A flag that is not there yet stands in a line of its own, after that of the name.
    fn set_flag(&mut self, place: Option<&Spanned<bool>>, name: &Spanned<String>, value: bool) {
        if is_set(place) == value {
            return;
        }
        let (range, line) = match place {
            Some(place) => (place.span(), value.to_string()),
            None => {
                let end = name.span().end;
                let line_end = self.text[end..]
                    .find('\n')
                    .map_or(self.text.len(), |length| end + length);
                (line_end..line_end, format!("\ndrop = {value}"))
            }
        };
        self.made.push((range, line));
    }

    fn apply(mut self) -> String {
        self.made.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut changed, mut at) = (String::with_capacity(self.text.len()), 0);
        for (range, value) in &self.made {
            changed.push_str(&self.text[at..range.start]);
            changed.push_str(value);
            at = range.end;
        }
        changed.push_str(&self.text[at..]);
        changed
    }
}
