//! Reading `schema.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use untemplate::table::{ColumnKind, ColumnSource, KeptField, UserColumn, UserSchema, UserTable};

use crate::table_file::metadata::kind_word;

/// Why a schema cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SchemaFileError {
    /// The file cannot be read.
    #[error("cannot read the schema {}: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It says something that makes no sense.
    #[error("the schema {}: {reason}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Reads a schema file.
pub fn read_schema(file: &Path) -> Result<UserSchema, SchemaFileError> {
    let text = fs::read_to_string(file).map_err(|cause| SchemaFileError::Unreadable {
        file: file.to_owned(),
        cause,
    })?;
    parse_schema(&text).map_err(|reason| SchemaFileError::Wrong {
        file: file.to_owned(),
        reason,
    })
}

/// Reads the text of a schema; what is wrong with it otherwise.
pub fn parse_schema(text: &str) -> Result<UserSchema, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    let kept_lists = file
        .left_out
        .into_iter()
        .filter(|list| list.keep)
        .map(|list| KeptField {
            class: list.class,
            list_path: list.list,
            key: None,
        });
    let mut schema = UserSchema {
        tables: Vec::new(),
        kept_lists: kept_lists.collect(),
    };
    for table in file.table {
        if table.keep {
            schema.kept_lists.push(KeptField {
                class: table.class.clone(),
                list_path: table.list.clone(),
                key: None,
            });
        }
        schema.tables.push(user_table(table)?);
    }
    Ok(schema)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    table: Vec<FileTable>,
    #[serde(default)]
    left_out: Vec<FileList>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    name: String,
    class: String,
    #[serde(default)]
    list: Vec<String>,
    #[serde(default)]
    drop: bool,
    #[serde(default)]
    keep: bool,
    #[serde(default)]
    merge: Vec<String>,
    #[serde(default)]
    column: Vec<FileColumn>,
    #[serde(default)]
    left_out: Vec<FileField>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileColumn {
    name: String,
    source: String,
    #[serde(default)]
    key: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    drop: bool,
    #[serde(default)]
    keep: bool,
    #[serde(default)]
    merge: Vec<String>,
    /// The table and column that it refers to, for people; `false` takes the reference out.
    references: Option<References>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum References {
    Are(bool),
    To(#[allow(dead_code, reason = "it is there for people")] String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileField {
    key: String,
    #[allow(dead_code, reason = "it is there for people")]
    why: String,
    #[serde(default)]
    keep: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileList {
    class: String,
    #[serde(default)]
    list: Vec<String>,
    #[allow(dead_code, reason = "it is there for people")]
    why: String,
    #[serde(default)]
    keep: bool,
}

fn user_table(table: FileTable) -> Result<UserTable, String> {
    let kept_columns = table
        .column
        .iter()
        .filter(|column| column.keep)
        .map(|column| column.key.clone());
    let kept_fields = table
        .left_out
        .iter()
        .filter(|field| field.keep)
        .map(|field| field.key.clone());
    let kept = kept_columns.chain(kept_fields).collect();
    let column = |column| user_column(&table.name, column);
    Ok(UserTable {
        columns: table.column.into_iter().map(column).collect::<Result<_, _>>()?,
        name: table.name.clone(),
        class: table.class,
        list_path: table.list,
        is_dropped: table.drop,
        merge: table.merge,
        kept,
    })
}

fn user_column(table: &str, column: FileColumn) -> Result<UserColumn, String> {
    let wrong = |what: String| format!("table {table}, column {}: {what}", column.name);
    let source = match column.source.as_str() {
        "address" => ColumnSource::Address,
        "position" => match column.key.parse() {
            Ok(depth) => ColumnSource::Position(depth),
            Err(_) => {
                return Err(wrong(format!(
                    "a position has a number as its key, not {:?}",
                    column.key
                )));
            }
        },
        "field" => ColumnSource::Field(column.key.clone()),
        "raw" => ColumnSource::Raw(column.key.clone()),
        "unit" => ColumnSource::Unit(column.key.clone()),
        other => return Err(wrong(format!("{other:?} is no source; leave it as it was written"))),
    };
    let kind = column.kind.as_deref().map(|word| kind_of(word).ok_or(word)).transpose();
    let kind = kind.map_err(|word| {
        let words: Vec<&str> = type_words().collect();
        wrong(format!("{word:?} is no type; there are {}", words.join(", ")))
    })?;
    if column.name.trim().is_empty() {
        return Err(wrong("it needs a name; drop = true leaves it out".to_owned()));
    }
    Ok(UserColumn {
        source,
        kind,
        is_dropped: column.drop,
        merge: column.merge,
        is_plain: matches!(column.references, Some(References::Are(false))),
        name: column.name,
    })
}

/// All types.
const KINDS: [ColumnKind; 11] = [
    ColumnKind::Integer,
    ColumnKind::Decimal,
    ColumnKind::Boolean,
    ColumnKind::Date,
    ColumnKind::DateTime,
    ColumnKind::Time,
    ColumnKind::Url,
    ColumnKind::Email,
    ColumnKind::Phone,
    ColumnKind::Enum,
    ColumnKind::Text,
];

/// All types, as the file calls them.
pub fn type_words() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().map(kind_word)
}

fn kind_of(word: &str) -> Option<ColumnKind> {
    KINDS.into_iter().find(|&kind| kind_word(kind) == word)
}
