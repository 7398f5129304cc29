//! Questions in SQL: a statement that reads, its rows, and an address that can be kept and shared.
//!
//! The database is opened for reading alone. Besides, a statement must be one that asks: others
//! could write files elsewhere (`VACUUM INTO`) or read them (`ATTACH`). What takes too long is
//! broken off.

use std::path::Path;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tokio::task::block_in_place;

use super::catalogue::{Catalogue, ask_within, quoted};
use super::database_of;
use super::rows::text_at;
use super::saved;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::teach::asked::{Asked, query};

/// How long an answer may take.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Rows that are shown.
const ROWS_MAX: usize = 500;

/// Letters of a cell that are shown.
const LETTERS_MAX: usize = 400;

/// The words that a statement which only asks begins with.
const ASKING: [&str; 4] = ["select", "with", "values", "explain"];

/// What a statement gives.
#[derive(Default)]
struct Found {
    columns: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
    has_more: bool,
}

/// `GET /look/sql?at=…&sql=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let Some(file) = database_of(&studio, &asked) else {
        let advice = "They may have been moved; look for them in the list.";
        let markup = trouble(&studio, Part::Look, "There are no such tables", advice);
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    let (at, sql) = (asked.get("at"), asked.get("sql").trim());
    let found = match sql {
        "" => None,
        sql => Some(answer(&file, sql).await),
    };
    let catalogue = block_in_place(|| Catalogue::open(&file)).unwrap_or_default();
    let kept = block_in_place(|| saved::saved(&studio));
    let frame = Frame {
        title: "SQL",
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let tables = studio.at(&format!("/look/tables?{}", query(&[("at", at)])));
    let content = html! {
        h1 { "SQL" }
        p.quiet { "Of " a href=(tables) { @if at.is_empty() { "this folder" } @else { (at) } } ". The address of an answer can be kept and shared." }
        form.stack method="get" action=(studio.at("/look/sql")) {
            input type="hidden" name="at" value=(at);
            label for="sql" { "A statement that asks: SELECT, WITH, VALUES or EXPLAIN" }
            textarea #sql name="sql" rows="5" spellcheck="false" { (if sql.is_empty() { first_question(&catalogue) } else { sql.to_owned() }) }
            div.row { button.primary { "Ask" } }
        }
        @if !sql.is_empty() {
            form.row method="post" action=(studio.at("/look/sql")) {
                input type="hidden" name="at" value=(at);
                input type="hidden" name="sql" value=(sql);
                label for="name" { "Keep it as" }
                input #name name="name" value=(asked.get("name")) required maxlength="80" size="20";
                button { "Keep" }
                @if asked.has("name") { a href=(saved::at(&studio, asked.get("name"))) { "its own address" } }
            }
        }
        @match &found {
            None => {}
            Some(Err(reason)) => { p.warning role="status" { (reason) } }
            Some(Ok(found)) => (rows(found)),
        }
        @if !kept.is_empty() {
            h2 { "Kept questions" }
            ul.plain { @for (name, its) in &kept { li { a href=(saved::at(&studio, name)) { (name) } " " code.rule.line { (its.sql) } } } }
        }
        h2 { "Tables" }
        ul { @for table in &catalogue.tables {
            li { code { (quoted(&table.name)) } " " span.quiet { (table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")) } }
        } }
    };
    page(&studio, &frame, content).into_response()
}

/// A statement to begin with.
fn first_question(catalogue: &Catalogue) -> String {
    let table = catalogue.tables.iter().max_by_key(|table| table.n_rows);
    table.map_or_else(String::new, |table| {
        format!("SELECT * FROM {} LIMIT 20", quoted(&table.name))
    })
}

fn rows(found: &Found) -> Markup {
    html! {
        p { strong { (found.rows.len()) @if found.rows.len() == 1 { " row" } @else { " rows" } } @if found.has_more { " and more, which are not shown" } }
        div.grid tabindex="0" role="region" aria-label="Rows" {
            table {
                thead { tr { @for column in &found.columns { th { (column) } } } }
                tbody { @for row in &found.rows {
                    tr { @for cell in row { td { @match cell { Some(value) => (value), None => span.quiet aria-label="nothing" { "–" } } } } }
                } }
            }
        }
    }
}

async fn answer(file: &Path, sql: &str) -> Result<Found, String> {
    let first = sql.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    if !ASKING.contains(&first.to_ascii_lowercase().as_str()) {
        return Err("Only statements that ask are answered; begin with SELECT or WITH.".to_owned());
    }
    let sql = sql.to_owned();
    ask_within(file, TIME_MAX, move |connection| found(connection, &sql)).await
}

fn found(connection: &Connection, sql: &str) -> rusqlite::Result<Found> {
    let mut statement = connection.prepare(sql)?;
    if !statement.readonly() {
        return Err(rusqlite::Error::InvalidQuery);
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = Found {
        columns,
        ..Found::default()
    };
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if found.rows.len() == ROWS_MAX {
            found.has_more = true;
            break;
        }
        let cell = |at: usize| match row.get_ref(at)? {
            ValueRef::Blob(_) => Ok(Some("(bytes)".to_owned())),
            _ => Ok(text_at(row, at)?.map(|text| text.chars().take(LETTERS_MAX).collect())),
        };
        let cells = (0..found.columns.len()).map(cell).collect::<rusqlite::Result<_>>()?;
        found.rows.push(cells);
    }
    Ok(found)
}
