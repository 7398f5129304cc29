//! The view of tables: all of a folder, and the rows of one by the screen.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;
use untemplate_report::number;
use untemplate_store::SCHEMA_FILE;
use url::form_urlencoded;

use super::catalogue::{Catalogue, KnownTable, ask};
use super::question::{From, How, Question};
use super::rows::{COUNTED_MAX, Screen, count, screen};
use super::{database_of, table_of};
use crate::layout::{Frame, Part, page, trouble};
use crate::look::model_view::name_in;
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// Characters of a cell that are shown.
const SHOWN_CHARS: usize = 120;

/// The formats that rows can be taken away in.
pub const FORMATS: [(&str, &str); 6] = [
    ("csv", "CSV"),
    ("xlsx", "Excel"),
    ("jsonl", "JSON lines"),
    ("parquet", "Parquet"),
    ("xml", "XML"),
    ("sqlite", "SQLite (all tables)"),
];

/// `GET /look/tables?at=…`: the tables of a folder.
pub async fn tables(State(studio): Shared, asked: Asked) -> Response {
    let at = asked.get("at");
    let catalogue = database_of(&studio, &asked).map(|file| block_in_place(|| Catalogue::open(&file)));
    let catalogue = match catalogue {
        Some(Ok(catalogue)) => catalogue,
        other => {
            let reason = other.and_then(Result::err);
            let advice = reason.unwrap_or_else(|| "They may have been moved; look for them in the list.".to_owned());
            let markup = trouble(&studio, Part::Look, "The tables cannot be shown", &advice);
            return (StatusCode::NOT_FOUND, markup).into_response();
        }
    };
    let frame = Frame {
        title: at,
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let has = |name: &str| database_of(&studio, &asked).is_some_and(|file| file.with_file_name(name).is_file());
    let (has_report, has_schema) = (has("report.html"), has(SCHEMA_FILE));
    let link = |table: &str| studio.at(&format!("/look/table?{}", query(&[("at", at), ("table", table)])));
    let content = html! {
        h1 { "Tables of " code { @if at.is_empty() { "this folder" } @else { (at) } } }
        p.row {
            @if has_report { a.button href=(studio.at(&format!("/look/report?{}", query(&[("at", at)])))) { "The report" } }
            a.button href=(studio.at(&format!("/look/sql?{}", query(&[("at", at)])))) { "Ask in SQL" }
            @if has_schema { a.button href=(studio.at(&format!("/look/schema?{}", query(&[("at", at)])))) { "Names and types" } }
            a.button href=(studio.at(&format!("/look/table/download?{}", query(&[("at", at), ("format", "sqlite")])))) { "Download as SQLite" }
        }
        @if catalogue.tables.is_empty() { p { "There are no tables in this database." } }
        table.list {
            thead { tr { th { "Table" } th.number { "Rows" } th.number { "Columns" } th { "Page class" } th { "Read by" } } }
            tbody { @for table in catalogue.in_view_order() {
                tr.of-list[table.is_list()] {
                    td { @if table.is_list() { span.quiet aria-hidden="true" { "↳ " } } a href=(link(&table.name)) { (table.name) } }
                    td.number { (number(table.n_rows)) }
                    td.number { (table.columns.len()) }
                    td { @if let Some(class) = &table.class { (class) } }
                    td { @if let Some(wrapper) = &table.wrapper { a href=(studio.at(&format!("/look/file?{}", query(&[("at", &name_in(at, wrapper))])))) { (wrapper) } } }
                }
            } }
        }
    };
    page(&studio, &frame, content).into_response()
}

/// `GET /look/table?at=…&table=…` and what is asked of it.
pub async fn table(State(studio): Shared, asked: Asked) -> Response {
    let (file, table) = match table_of(&studio, &asked) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let question = Question::read(&asked, &table);
    let (own, own_question) = (table.clone(), question.clone());
    let answer = ask(&file, move |connection| {
        Ok((
            screen(connection, &own, &own_question)?,
            count(connection, &own, &own_question)?,
        ))
    });
    let (screen, n_matching) = match answer.await {
        Ok(answer) => answer,
        Err(reason) => {
            let markup = trouble(&studio, Part::Look, "The rows cannot be shown", &reason);
            return (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response();
        }
    };
    let title = format!("{} · {}", table.name, asked.get("at"));
    let frame = Frame {
        title: &title,
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let view = View {
        studio: &studio,
        at: asked.get("at"),
        table: &table,
        question: &question,
    };
    page(&studio, &frame, view.content(&screen, n_matching)).into_response()
}

/// What all parts of the view know.
pub struct View<'a> {
    /// The studio.
    pub studio: &'a StudioState,
    /// The folder of the tables.
    pub at: &'a str,
    /// The table.
    pub table: &'a KnownTable,
    /// What is asked of it.
    pub question: &'a Question,
}

impl View<'_> {
    /// The address of another question about the same table.
    pub fn asking(&self, path: &str, question: &Question, more: &[(&str, &str)]) -> String {
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.append_pair("at", self.at).append_pair("table", &self.table.name);
        text.extend_pairs(question.pairs(self.table));
        text.extend_pairs(more);
        self.studio.at(&format!("{path}?{}", text.finish()))
    }

    fn content(&self, screen: &Screen, n_matching: u64) -> Markup {
        let tables = self.studio.at(&format!("/look/tables?{}", query(&[("at", self.at)])));
        html! {
            h1 { (self.table.name) }
            p.quiet {
                a href=(tables) { @if self.at.is_empty() { "this folder" } @else { (self.at) } } " · " (number(self.table.n_rows)) " rows"
                @if let Some(class) = &self.table.class { " · page class " (class) }
            }
            (self.conditions(n_matching))
            (self.tools())
            @let columns = self.question.columns(self.table);
            div.grid tabindex="0" role="region" aria-label="Rows" {
                table {
                    thead { tr { th.open { span.unseen { "The row" } } @for &column in &columns { (self.heading(column)) } } }
                    tbody { @for (row, cells) in &screen.rows { (self.row(*row, &columns, cells)) } }
                }
            }
            @if screen.rows.is_empty() { p { "No row is like that." } }
            (self.paging(screen))
            (self.downloads())
        }
    }

    fn conditions(&self, n_matching: u64) -> Markup {
        let without = |place: usize| {
            let mut question = self.question.clone();
            question.conditions.remove(place);
            question.from = From::Start;
            self.asking("/look/table", &question, &[])
        };
        html! {
            form.row.filter method="get" action=(self.studio.at("/look/table")) {
                (self.hidden(&Question { from: From::Start, ..self.question.clone() }))
                label.unseen for="where" { "Column" }
                select #where name="where" { @for place in self.table.in_view_order() { option { (self.table.columns[place].name) } } }
                label.unseen for="how" { "How" }
                select #how name="how" { @for how in How::ALL { option value=(how.word()) { (how.words()) } } }
                label.unseen for="value" { "Value" }
                input #value name="value" type="search" placeholder="value" size="18";
                button { "Filter" }
            }
            @if !self.question.conditions.is_empty() {
                p.row {
                    strong { @if n_matching > COUNTED_MAX { "More than " (number(COUNTED_MAX)) } @else { (number(n_matching)) } (if n_matching == 1 { " row matches" } else { " rows match" }) }
                    @for (place, condition) in self.question.conditions.iter().enumerate() {
                        span.chip {
                            (self.table.columns[condition.column].name) " " (condition.how.words()) " "
                            @if condition.how.has_value() { em { (condition.value) } " " }
                            a href=(without(place)) aria-label="Without this condition" { "×" }
                        }
                    }
                }
            }
        }
    }

    fn heading(&self, place: usize) -> Markup {
        let column = &self.table.columns[place];
        let is_own = self.question.order == Some(place);
        let question = Question {
            order: Some(place),
            is_descending: is_own && !self.question.is_descending,
            from: From::Start,
            ..self.question.clone()
        };
        let names = [("at", self.at), ("table", &self.table.name), ("column", &column.name)];
        let drawing = self.studio.at(&format!("/look/table/histogram.svg?{}", query(&names)));
        let full = self.studio.at(&format!("/look/table/column?{}", query(&names)));
        let sort = is_own.then_some(if self.question.is_descending {
            "descending"
        } else {
            "ascending"
        });
        html! {
            th aria-sort=[sort] {
                a.sort href=(self.asking("/look/table", &question, &[])) { (column.name) @if is_own { (if self.question.is_descending { " ↓" } else { " ↑" }) } }
                span.quiet { (column.kind) @if let Some(unit) = &column.unit { " · " (unit) } }
                a href=(full) title={ "What " (column.name) " holds" } { img src=(drawing) width="110" height="24" alt={ "How " (column.name) " is spread" } loading="lazy"; }
            }
        }
    }

    /// Which columns are shown, and counts by value.
    fn tools(&self) -> Markup {
        let question = Question {
            from: From::Start,
            shown: Vec::new(),
            ..self.question.clone()
        };
        let shown = self.question.columns(self.table);
        let n_all = self.table.columns.len();
        html! {
            div.row.tools {
                details.chooser {
                    summary.button { "Columns" span.quiet { (shown.len()) " of " (n_all) } }
                    form.popover method="get" action=(self.studio.at("/look/table")) {
                        (self.hidden(&question))
                        div.choices { @for place in self.table.in_view_order() {
                            @let column = &self.table.columns[place];
                            label.check { input type="checkbox" name="show" value=(column.name) checked[shown.contains(&place)]; (column.name) " " span.quiet { (column.kind) } }
                        } }
                        div.row { button.primary { "Show these" } a.button href=(self.asking("/look/table", &question, &[])) { "As at first" } }
                    }
                }
                form.row method="get" action=(self.studio.at("/look/table/groups")) {
                    (self.hidden(&Question { from: From::Start, ..self.question.clone() }))
                    label for="by" { "Count by" }
                    select #by name="by" { @for place in self.table.in_view_order() { option { (self.table.columns[place].name) } } }
                    button { "Count" }
                }
                @if let Some(class) = &self.table.class {
                    @let list = serde_json::Value::from(self.table.list_path.clone()).to_string();
                    a.button href=(self.studio.at(&format!("/look/schema?{}", query(&[("at", self.at), ("class", class), ("list", &list)])))) { "Names and types" }
                }
            }
        }
    }

    /// What a form says so that it asks about the same rows.
    fn hidden(&self, question: &Question) -> Markup {
        html! {
            input type="hidden" name="at" value=(self.at);
            input type="hidden" name="table" value=(self.table.name);
            @for (name, value) in question.pairs(self.table) { input type="hidden" name=(name) value=(value); }
        }
    }

    fn row(&self, row: i64, columns: &[usize], cells: &[Option<String>]) -> Markup {
        let row = row.to_string();
        let names = [("at", self.at), ("table", &self.table.name), ("row", &row)];
        let whole = self.studio.at(&format!("/look/table/row?{}", query(&names)));
        let cell_at = |column: &str| {
            let names = [
                ("at", self.at),
                ("table", &self.table.name),
                ("row", &row),
                ("column", column),
            ];
            self.studio.at(&format!("/look/table/cell?{}", query(&names)))
        };
        html! {
            tr {
                td.open { a href=(whole) title="The whole row" aria-label="The whole row" { "⤢" } }
                @for (&place, cell) in columns.iter().zip(cells) {
                @let column = &self.table.columns[place];
                td.number[column.is_number()] {
                    @match cell {
                        Some(value) => { a.cell href=(cell_at(&column.name)) title="Where it comes from" { (cut(value)) } }
                        None => { span.quiet aria-label="nothing" { "–" } }
                    }
                }
            } }
        }
    }

    fn paging(&self, screen: &Screen) -> Markup {
        let at = |from: From| {
            self.asking(
                "/look/table",
                &Question {
                    from,
                    ..self.question.clone()
                },
                &[],
            )
        };
        let (first, last) = (screen.rows.first(), screen.rows.last());
        html! {
            nav.row.paging aria-label="Rows of the table" {
                @if screen.has_before {
                    a.button href=(at(From::Start)) { "First" }
                    @if let Some((row, _)) = first { a.button rel="prev" href=(at(From::Before(*row))) { "← Previous" } }
                }
                @if screen.has_after && let Some((row, _)) = last { a.button rel="next" href=(at(From::After(*row))) { "Next →" } }
            }
        }
    }

    fn downloads(&self) -> Markup {
        let question = Question {
            from: From::Start,
            ..self.question.clone()
        };
        html! {
            p.row { span { @if self.question.conditions.is_empty() { "Download:" } @else { "Download the rows that match:" } }
                @for (format, name) in FORMATS { a.button href=(self.asking("/look/table/download", &question, &[("format", format)])) { (name) } }
            }
        }
    }
}

/// A value, as long as it is shown.
pub fn cut(value: &str) -> String {
    match value.chars().count() > SHOWN_CHARS {
        true => value.chars().take(SHOWN_CHARS).chain(['…']).collect(),
        false => value.to_owned(),
    }
}
