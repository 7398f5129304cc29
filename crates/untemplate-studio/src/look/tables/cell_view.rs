//! The view of a cell: its value, and the page with the spot that it was read from.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::Value;
use tokio::task::block_in_place;
use untemplate::rule::Selected;
use untemplate_store::table_file::CellOrigin;

use super::catalogue::{KnownTable, ask};
use super::origin::{origin_of, places_of, reader_of};
use super::rows::one_row;
use super::table_of;
use crate::layout::{Frame, Part, page, trouble};
use crate::look::kept::{KeptPage, find_page, frame_of};
use crate::look::page_view::{address_line, beside, crawl_at, millis};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};
use crate::teach::marks::{Mark, marks};

/// `GET /look/table/cell?at=…&table=…&row=…&column=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let (file, table) = match table_of(&studio, &asked) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let (own, row) = (table.clone(), asked.get("row").parse().unwrap_or(-1));
    let cells = ask(&file, move |connection| one_row(connection, &own, row)).await;
    let (Ok(Some(cells)), Some(column)) = (cells, table.column(asked.get("column"))) else {
        let advice = "The tables may have been written anew; look for it in its table.";
        let markup = trouble(&studio, Part::Look, "There is no such cell", advice);
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    let name = &table.columns[column].name;
    let traced = block_in_place(|| origin_of(&file, &table, &cells, name));
    let address = traced
        .as_ref()
        .ok()
        .map(|origin| origin.url.clone())
        .filter(|url| !url.is_empty());
    let address = address.or_else(|| address_in(&cells));
    let kept = address
        .as_ref()
        .and_then(|url| block_in_place(|| find_page(&studio, url, None, asked.get("at"))));
    let places = match (&traced, &kept) {
        (Ok(origin), Some(kept)) => block_in_place(|| {
            let reader = reader_of(&studio, &file, origin);
            places_of(reader.as_deref(), origin, &kept.page)
        }),
        _ => Vec::new(),
    };
    let title = format!("{name} · {}", table.name);
    let frame = Frame {
        title: &title,
        part: Part::Look,
        scripts: &["look.js"],
        is_wide: kept.is_some(),
    };
    let panel = html! {
        h1 { (name) }
        p.quiet { "a cell of " a href=(studio.at(&format!("/look/table?{}", query(&[("at", asked.get("at")), ("table", &table.name)])))) { (table.name) } }
        @match &cells[column] { Some(value) => { blockquote { (value) } } None => { p.quiet { "There is no value." } } }
        (facts(&studio, &traced, kept.as_ref(), &places, address.as_deref()))
        (whole_row(&studio, &asked, &table, &cells))
    };
    let content = match &kept {
        None => panel,
        Some(kept) => {
            let spots = places.iter().map(|(place, _)| *place);
            let marks = Value::from(marks(&kept.page.dom, Mark::Candidate, spots)).to_string();
            beside(&frame_of(&studio, kept), &marks, panel)
        }
    };
    page(&studio, &frame, content).into_response()
}

/// The first cell that is the address of a page, for tables that tell nothing of themselves.
fn address_in(cells: &[Option<String>]) -> Option<String> {
    let mut cells = cells.iter().flatten();
    cells
        .find(|cell| cell.starts_with("http://") || cell.starts_with("https://"))
        .cloned()
}

fn facts(
    studio: &StudioState,
    traced: &Result<CellOrigin, String>,
    kept: Option<&KeptPage>,
    places: &[(Selected, String)],
    address: Option<&str>,
) -> Markup {
    html! {
        @match traced {
            Ok(origin) => {
                @let is_read = matches!(origin.source.as_str(), "field" | "raw" | "unit");
                dl.facts {
                    dt { "Type" } dd { (origin.kind) @if let Some(unit) = &origin.unit { ", in " (unit) } }
                    @if let Some(raw) = &origin.raw { dt { "On the page" } dd { (raw) } }
                    @if let Some(class) = &origin.class { dt { "Page class" } dd { (class) } }
                    @for (list, place) in &origin.rounds { dt { "List" } dd { (list) ", row " (place) } }
                    dt { "Read as" } dd { (source_words(origin)) }
                    @if let Some(state) = &origin.page { dt { "Page" } dd { (state.state) @if let Some(seen) = &state.last_seen { ", last seen " (seen) } } }
                    @for (_, xpath) in places { dt { "Spot" } dd { code { (xpath) } } }
                }
                @if is_read && kept.is_some() && places.is_empty() { p.warning { "The page as it is kept no longer has it, or the wrapper that read it is gone." } }
            }
            Err(reason) => p.warning { (reason) }
        }
        @if let Some(address) = address { (address_line(address)) }
        @match kept {
            Some(kept) => p.quiet { "Kept by " a href=(crawl_at(studio, &kept.at)) { (kept.at) } " on " (millis(kept.fetched_at)) " UTC" }
            None => p.notice { "No crawl below the studio's folder keeps its page, so that the spot cannot be shown." }
        }
    }
}

fn source_words(origin: &CellOrigin) -> String {
    let key = origin.key.as_deref().unwrap_or_default();
    match origin.source.as_str() {
        "address" => "the address of the page".to_owned(),
        "position" => "the place of the row in its list".to_owned(),
        "joined" => format!("joined from {key}"),
        _ => format!("the field {key}"),
    }
}

fn whole_row(studio: &StudioState, asked: &Asked, table: &KnownTable, cells: &[Option<String>]) -> Markup {
    let at = |column: &str| {
        let names = [
            ("at", asked.get("at")),
            ("table", &table.name),
            ("row", asked.get("row")),
            ("column", column),
        ];
        studio.at(&format!("/look/table/cell?{}", query(&names)))
    };
    html! {
        h2 { "The row" }
        table.list { tbody { @for (column, cell) in table.columns.iter().zip(cells) {
            tr {
                th scope="row" { a href=(at(&column.name)) aria-current=[(column.name == asked.get("column")).then_some("true")] { (column.name) } }
                td { @match cell { Some(value) => { (value.chars().take(300).collect::<String>()) } None => span.quiet { "–" } } }
            }
        } } }
    }
}
