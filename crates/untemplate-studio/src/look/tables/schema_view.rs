//! Names and types: what somebody wants of tables, in the `schema.toml` beside them.
//!
//! In: the file, and a form. Out: the file with what was wanted in it. The next run into the folder
//! does as it says; the tables that are there stay as they are until then.

use std::fs;
use std::path::{Path, PathBuf};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;
use untemplate_store::{ColumnWish, SCHEMA_FILE, TableWish, change_schema, read_wishes, type_words, write_whole};

use super::database_of;
use crate::jobs::register::JOBS;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// `GET /look/schema?at=…`: all tables; with `class` and `list`, the columns of one.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    match block_in_place(|| Schema::read(&studio, &asked)) {
        Ok(schema) => schema.view(&studio, &asked),
        Err(reason) => unusable(&studio, &reason),
    }
}

/// `POST /look/schema`: keeps what is wanted of one table.
pub async fn save(State(studio): Shared, asked: Asked) -> Response {
    let saved = block_in_place(|| {
        let schema = Schema::read(&studio, &asked)?;
        let table = schema.table(&asked).ok_or("The table is not in the file any more.")?;
        let changed = change_schema(&schema.text, &wish_of(&asked, table))?;
        write_whole(&schema.file, changed.as_bytes()).map_err(|error| format!("{}: {error}", schema.file.display()))
    });
    match saved {
        Ok(()) => {
            let names = ["at", "class", "list"].map(|name| (name, asked.get(name)));
            let pairs = [&names[..], &[("saved", "yes")]].concat();
            Redirect::to(&studio.at(&format!("/look/schema?{}", query(&pairs)))).into_response()
        }
        Err(reason) => unusable(&studio, &reason),
    }
}

fn unusable(studio: &StudioState, reason: &str) -> Response {
    let markup = trouble(studio, Part::Look, "Names and types cannot be changed here", reason);
    (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response()
}

/// The schema of a folder.
struct Schema {
    file: PathBuf,
    text: String,
    tables: Vec<TableWish>,
}

impl Schema {
    fn read(studio: &StudioState, asked: &Asked) -> Result<Self, String> {
        let database = database_of(studio, asked).ok_or("There are no such tables.")?;
        let file = database.with_file_name(SCHEMA_FILE);
        let text = fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}; the next run writes the file.", file.display()))?;
        let tables = read_wishes(&text).map_err(|reason| format!("{}: {reason}", file.display()))?;
        Ok(Self { file, text, tables })
    }

    /// The table that a view or a form is about.
    fn table(&self, asked: &Asked) -> Option<&TableWish> {
        let list: Vec<String> = serde_json::from_str(asked.get("list")).ok()?;
        self.tables
            .iter()
            .find(|table| table.class == asked.get("class") && table.list == list)
    }

    fn view(&self, studio: &StudioState, asked: &Asked) -> Response {
        let at = asked.get("at");
        let frame = Frame {
            title: "Names and types",
            part: Part::Look,
            scripts: &[],
            is_wide: false,
        };
        let content = match self.table(asked) {
            Some(table) => self.one(studio, asked, table),
            None if asked.has("class") => return unusable(studio, "schema.toml has no such table any more."),
            None => html! {
                h1 { "Names and types of " code { @if at.is_empty() { "this folder" } @else { (at) } } }
                (self.story(studio, at))
                (self.all(studio, at))
            },
        };
        page(studio, &frame, content).into_response()
    }

    fn story(&self, studio: &StudioState, at: &str) -> Markup {
        let tables = studio.at(&format!("/look/tables?{}", query(&[("at", at)])));
        html! {
            p.quiet {
                "What you change is kept in " code { (name_of(&self.file)) } ", and the next run into this folder does as it says. "
                a href=(tables) { "The tables as they are now" }
            }
        }
    }

    fn all(&self, studio: &StudioState, at: &str) -> Markup {
        html! {
            table.list {
                thead { tr { th { "Table" } th { "Page class" } th.number { "Columns" } th { "" } } }
                tbody { @for table in &self.tables {
                    tr.of-list[!table.list.is_empty()] {
                        td { a href=(studio.at(&format!("/look/schema?{}", query(&[("at", at), ("class", &table.class), ("list", &list_of(table))])))) { (table.name) } }
                        td { (table.class) }
                        td.number { (table.columns.iter().filter(|column| !column.is_dropped).count()) }
                        td { @if table.is_dropped { span.state.so-so { "left out" } } }
                    }
                } }
            }
        }
    }

    fn one(&self, studio: &StudioState, asked: &Asked, table: &TableWish) -> Markup {
        let at = asked.get("at");
        let all = studio.at(&format!("/look/schema?{}", query(&[("at", at)])));
        html! {
            h1 { "Names and types of " code { (table.name) } }
            (self.story(studio, at))
            @if asked.has("saved") { (kept(studio, at)) }
            form.stack method="post" action=(studio.at("/look/schema")) {
                @for (name, value) in [("at", at), ("class", &table.class), ("list", &list_of(table))] { input type="hidden" name=(name) value=(value); }
                div.row {
                    label { "The table is called " input name="table" value=(table.name) required; }
                    label.check { input type="checkbox" name="keep" value="yes" checked[!table.is_dropped]; "Write it" }
                }
                div.columns.schema { table {
                    thead { tr { th { span.unseen { "Write it" } } th { "Column" } th { "Type" } th { "Where it stands on its pages" } } }
                    tbody { @for (place, column) in table.columns.iter().enumerate() { (column_row(place, column)) } }
                } }
                div.row { button.primary { "Save" } a.button href=(all) { "All tables" } }
            }
        }
    }
}

/// A column, as the form has it. Rows are told apart by their address and position, so that those
/// stay.
fn column_row(place: usize, column: &ColumnWish) -> Markup {
    let is_fixed = matches!(column.source.as_str(), "address" | "position");
    let has_kind = column.source == "field";
    html! {
        tr {
            td { input type="checkbox" name={ "keep-" (place) } value="yes" checked[!column.is_dropped] disabled[is_fixed] aria-label={ "Write " (column.name) }; }
            td { input name={ "name-" (place) } value=(column.name) required aria-label={ "Name of " (column.name) }; }
            td {
                @if has_kind {
                    select name={ "type-" (place) } aria-label={ "Type of " (column.name) } {
                        @for word in type_words() { option selected[word == column.kind] { (word) } }
                    }
                } @else { span.quiet { (column.kind) } }
            }
            td { code.line title=(column.key) { @if column.key.is_empty() { (column.source) } @else { (column.key) } } }
        }
    }
}

/// What is said after it was kept; tables of a job of the studio can be made anew at once.
fn kept(studio: &StudioState, at: &str) -> Markup {
    let job = at
        .strip_prefix(&format!("{JOBS}/"))
        .and_then(|rest| rest.split('/').next());
    html! {
        div.notice role="status" {
            p { "Kept. The next run does as it says." }
            @if let Some(job) = job {
                form method="post" action=(studio.at(&format!("/jobs/{job}/resume"))) { button { "Run it again now" } }
            }
        }
    }
}

/// What a form wants of a table.
fn wish_of(asked: &Asked, table: &TableWish) -> TableWish {
    let column = |(place, column): (usize, &ColumnWish)| {
        let of = |what: &str, known: &str| match asked.get(&format!("{what}-{place}")).trim() {
            "" => known.to_owned(),
            value => value.to_owned(),
        };
        let is_fixed = matches!(column.source.as_str(), "address" | "position");
        ColumnWish {
            name: of("name", &column.name),
            kind: of("type", &column.kind),
            is_dropped: !is_fixed && !asked.has(&format!("keep-{place}")),
            ..column.clone()
        }
    };
    let name = asked.get("table").trim();
    TableWish {
        name: if name.is_empty() {
            table.name.clone()
        } else {
            name.to_owned()
        },
        is_dropped: !asked.has("keep"),
        columns: table.columns.iter().enumerate().map(column).collect(),
        ..table.clone()
    }
}

fn list_of(table: &TableWish) -> String {
    serde_json::Value::from(table.list.clone()).to_string()
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
