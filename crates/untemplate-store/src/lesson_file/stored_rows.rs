//! Rows as the file has them.

use serde::{Deserialize, Serialize};
use untemplate::rule::{LocationPath, Trim};
use untemplate::teach::{GridColumn, RowField, TaughtRows};

/// Rows, with what is read in each. Whether pages may be without any follows from the sample.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredRows {
    name: String,
    path: String,
    fields: Vec<StoredRowField>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRowField {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    header: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    prefix: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    suffix: String,
}

impl From<TaughtRows> for StoredRows {
    fn from(rows: TaughtRows) -> Self {
        let field = |field: RowField| StoredRowField {
            name: field.name,
            column: field.column.as_ref().map(|column| column.number),
            header: field.column.and_then(|column| column.header),
            path: field.path.map(|path| path.to_string()),
            prefix: field.trim.prefix.into(),
            suffix: field.trim.suffix.into(),
        };
        Self {
            name: rows.name,
            path: rows.path.to_string(),
            fields: rows.fields.into_iter().map(field).collect(),
        }
    }
}

impl TryFrom<StoredRows> for TaughtRows {
    type Error = String;

    fn try_from(stored: StoredRows) -> Result<Self, String> {
        let path = |text: &str| -> Result<LocationPath, String> {
            text.parse().map_err(|error| format!("the path {text:?}: {error}"))
        };
        let field = |field: StoredRowField| -> Result<RowField, String> {
            let header = field.header;
            Ok(RowField {
                name: field.name,
                column: field.column.map(|number| GridColumn { number, header }),
                path: field.path.as_deref().map(path).transpose()?,
                trim: Trim {
                    prefix: field.prefix.into(),
                    suffix: field.suffix.into(),
                },
            })
        };
        Ok(Self {
            name: stored.name,
            is_optional: true,
            path: path(&stored.path)?,
            fields: stored.fields.into_iter().map(field).collect::<Result<_, String>>()?,
        })
    }
}
