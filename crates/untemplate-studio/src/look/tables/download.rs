//! Downloads: the rows that a question asks for, in any format.
//!
//! Rows go one by one into a file of a folder of their own, and the file goes out by the piece;
//! both ends hold one row or one piece. The database itself goes out as it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use untemplate::table::{Column, ColumnKind, ColumnSource, Database, Table};
use untemplate_store::table_file::{TableFolder, TableFormat};

use super::catalogue::{KnownColumn, KnownTable, open};
use super::question::Question;
use super::rows::{each_row, text_at};
use super::{database_of, table_of};
use crate::layout::{Part, trouble};
use crate::look::file_view::attachment;
use crate::router::Shared;
use crate::teach::asked::Asked;

/// Bytes of one piece.
const PIECE_BYTES: usize = 256 << 10;

/// `GET /look/table/download?at=…&table=…&format=…` and what is asked of the table.
pub async fn download(State(studio): Shared, asked: Asked) -> Response {
    let Some(format) = format_of(asked.get("format")) else {
        let markup = trouble(
            &studio,
            Part::Look,
            "There is no such format",
            "Choose one below the table.",
        );
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    if format == TableFormat::Sqlite {
        return match database_of(&studio, &asked) {
            Some(file) => send(&file, "tables.sqlite", None),
            None => StatusCode::NOT_FOUND.into_response(),
        };
    }
    let (file, table) = match table_of(&studio, &asked) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let question = Question::read(&asked, &table);
    let name = format!("{}.{}", table.name, format.ending());
    let written = spawn_blocking(move || write(&file, &table, &question, format)).await;
    match written {
        Ok(Ok((folder, path))) => send(&path, &name, Some(folder)),
        Ok(Err(reason)) => {
            let markup = trouble(&studio, Part::Look, "The rows cannot be written", &reason);
            (StatusCode::INTERNAL_SERVER_ERROR, markup).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn format_of(word: &str) -> Option<TableFormat> {
    let all = [
        TableFormat::JsonLines,
        TableFormat::Csv,
        TableFormat::Parquet,
        TableFormat::Xml,
        TableFormat::Sqlite,
        TableFormat::Xlsx,
    ];
    all.into_iter().find(|format| format.ending() == word)
}

/// Writes rows to a file of a folder that is removed when both are dropped.
fn write(
    file: &Path,
    table: &KnownTable,
    question: &Question,
    format: TableFormat,
) -> Result<(TempDir, std::path::PathBuf), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for the file: {error}"))?;
    let schema = schema_of(table);
    let kinds: Vec<ColumnKind> = schema.columns.iter().map(|column| column.kind).collect();
    let database = Database { tables: vec![schema] };
    let said = |error: &dyn std::error::Error| error.to_string();
    let mut files = TableFolder::create(folder.path(), &database, &[format]).map_err(|error| said(&error))?;
    let connection = open(file).map_err(|error| said(&error))?;
    let mut failure = None;
    let read = each_row(&connection, table, question, &mut |row| {
        let cells = kinds
            .iter()
            .enumerate()
            .map(|(at, kind)| Ok(cell(text_at(row, at)?, *kind)));
        let cells = cells.collect::<rusqlite::Result<Vec<_>>>()?;
        files.push(0, &cells).map_err(|error| {
            failure = Some(error.to_string());
            rusqlite::Error::InvalidQuery
        })
    });
    if let Err(error) = read {
        return Err(failure.unwrap_or_else(|| error.to_string()));
    }
    let mut written = files.finish().map_err(|error| said(&error))?;
    let path = written.pop().ok_or("nothing was written")?;
    Ok((folder, path))
}

/// A cell as its kind is written.
fn cell(value: Option<String>, kind: ColumnKind) -> Option<String> {
    match (kind, value.as_deref()) {
        (ColumnKind::Boolean, Some("1")) => Some("true".to_owned()),
        (ColumnKind::Boolean, Some("0")) => Some("false".to_owned()),
        _ => value,
    }
}

fn schema_of(table: &KnownTable) -> Table {
    let column = |column: &KnownColumn| Column {
        name: column.name.clone(),
        source: ColumnSource::Field(column.name.clone()),
        kind: kind_of(&column.kind),
        unit: column.unit.clone(),
        is_nullable: true,
        reading: Default::default(),
    };
    Table {
        name: table.name.clone(),
        page_class: 0,
        list_path: Vec::new(),
        columns: table.columns.iter().map(column).collect(),
        key: Vec::new(),
        foreign_keys: Vec::new(),
    }
}

fn kind_of(word: &str) -> ColumnKind {
    match word {
        "integer" => ColumnKind::Integer,
        "decimal" => ColumnKind::Decimal,
        "date" => ColumnKind::Date,
        "datetime" => ColumnKind::DateTime,
        "time" => ColumnKind::Time,
        "boolean" => ColumnKind::Boolean,
        "url" => ColumnKind::Url,
        "email" => ColumnKind::Email,
        "phone" => ColumnKind::Phone,
        "enum" => ColumnKind::Enum,
        _ => ColumnKind::Text,
    }
}

/// A file as an answer, by the piece. The folder lives until the last piece has gone.
fn send(path: &Path, name: &str, folder: Option<TempDir>) -> Response {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    let Ok((length, file)) = opened else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let pieces = unfold(Some((file, folder)), |state| async move {
        let (mut file, folder) = state?;
        let piece = spawn_blocking(move || read_piece(&mut file).map(|piece| (piece, file))).await;
        match piece {
            Ok(Ok((piece, _))) if piece.is_empty() => None,
            Ok(Ok((piece, file))) => Some((Ok(Bytes::from(piece)), Some((file, folder)))),
            Ok(Err(error)) => Some((Err(error), None)),
            Err(_) => None,
        }
    });
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, attachment(name)),
        (CONTENT_LENGTH, length.to_string()),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

fn read_piece(file: &mut File) -> io::Result<Vec<u8>> {
    let mut piece = Vec::new();
    file.take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
    Ok(piece)
}
