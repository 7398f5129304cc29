//! The view of one column: what it holds, in full; and the small drawing above it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use untemplate_report::{cut, histogram, number};

use super::catalogue::KnownColumn;
use super::column_of;
use super::statistics::{SAMPLE_ROWS, Statistics};
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::safe::policy;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// `GET /look/table/histogram.svg?…`: the drawing, of the first many rows.
pub async fn drawing(State(studio): Shared, asked: Asked) -> Response {
    let (file, table, column) = match column_of(&studio, &asked, "column") {
        Ok(found) => found,
        Err(response) => return *response,
    };
    match studio.statistics.of(&file, &table, column, false).await {
        Ok(found) => {
            let headers = [
                (CONTENT_TYPE, "image/svg+xml"),
                (CONTENT_SECURITY_POLICY, policy::RESOURCE),
            ];
            (headers, histogram(&found.bars, 110, 24).into_string()).into_response()
        }
        Err(reason) => (StatusCode::UNPROCESSABLE_ENTITY, reason).into_response(),
    }
}

/// `GET /look/table/column?at=…&table=…&column=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let (file, table, column) = match column_of(&studio, &asked, "column") {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let found = match studio.statistics.of(&file, &table, column, true).await {
        Ok(found) => found,
        Err(reason) => {
            let markup = trouble(&studio, Part::Look, "The column cannot be summed up", &reason);
            return (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response();
        }
    };
    let column = &table.columns[column];
    let title = format!("{} · {}", column.name, table.name);
    let frame = Frame {
        title: &title,
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let names = [("at", asked.get("at")), ("table", &table.name)];
    let content = html! {
        h1 { (column.name) }
        p.quiet { "in " a href=(studio.at(&format!("/look/table?{}", query(&names)))) { (table.name) } " · " (column.kind) @if let Some(unit) = &column.unit { " in " (unit) } }
        (facts(&found))
        @if !found.bars.is_empty() {
            h2 { "Spread" }
            figure.spread {
                (histogram(&found.bars, 720, 160))
                figcaption.ends { span { (found.bars[0].label) } span { (found.bars[found.bars.len() - 1].label) } }
            }
        }
        (common(&studio, &names, column, &found))
    };
    page(&studio, &frame, content).into_response()
}

fn facts(found: &Statistics) -> Markup {
    let share = 100.0 * found.n_filled as f64 / found.n_rows.max(1) as f64;
    html! {
        dl.facts {
            dt { "Rows" } dd { (number(found.n_rows)) }
            dt { "With a value" } dd { (number(found.n_filled)) " (" (format!("{share:.1}")) " %)" }
            dt { "Different values" } dd { (number(found.n_distinct)) @if found.n_rows > SAMPLE_ROWS { " among the first " (number(SAMPLE_ROWS)) " rows" } }
            @if let Some(least) = &found.least { dt { "Least" } dd { (short(least)) } }
            @if let Some(greatest) = &found.greatest { dt { "Greatest" } dd { (short(greatest)) } }
            @if let Some(mean) = found.mean { dt { "Mean" } dd { (format!("{mean:.2}")) } }
        }
    }
}

fn common(studio: &StudioState, names: &[(&str, &str); 2], column: &KnownColumn, found: &Statistics) -> Markup {
    let most = found.common.first().map_or(1, |(_, count)| *count).max(1);
    let rows_with = |value: &str| {
        let [at, table] = *names;
        let asked = [at, table, ("where", &column.name), ("how", "is"), ("value", value)];
        studio.at(&format!("/look/table?{}", query(&asked)))
    };
    html! {
        @if !found.common.is_empty() {
            h2 { (if most > 1 { "Most common values" } else { "Some of its values, all different" }) }
            @if found.n_rows > SAMPLE_ROWS { p.quiet { "Of the first " (number(SAMPLE_ROWS)) " rows." } }
            table.list {
                thead { tr { th { "Value" } th.number { "Rows" } th.bar { "" } } }
                tbody { @for (value, count) in &found.common {
                    tr {
                        td { a href=(rows_with(value)) { (short(value)) } }
                        td.number { (number(*count)) }
                        td.bar { @if most > 1 { meter min="0" max=(most) value=(count) { (count) } } }
                    }
                } }
            }
        }
    }
}

fn short(value: &str) -> String {
    cut(value, 200)
}
