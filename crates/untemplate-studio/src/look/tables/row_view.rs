//! The view of a row: all of its values, one below the other, and what other tables have of the
//! same page.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use rusqlite::Connection;
use tokio::task::block_in_place;
use untemplate_report::number;

use super::catalogue::{Catalogue, KnownTable, ask, quoted};
use super::rows::one_row;
use super::table_of;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// `GET /look/table/row?at=…&table=…&row=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let (file, table) = match table_of(&studio, &asked) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let (own, row) = (table.clone(), asked.get("row").parse().unwrap_or(-1));
    let Ok(Some(cells)) = ask(&file, move |connection| one_row(connection, &own, row)).await else {
        let advice = "The tables may have been written anew; look for it in its table.";
        let markup = trouble(&studio, Part::Look, "There is no such row", advice);
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    let address = address_of(&table, &cells);
    let catalogue = block_in_place(|| Catalogue::open(&file)).unwrap_or_default();
    let others = related(&file, catalogue, &table, address.clone()).await;
    let order = table.in_view_order();
    let title = order.iter().find_map(|&place| cells[place].clone()).unwrap_or_default();
    let title: String = title.chars().take(80).collect();
    let frame = Frame {
        title: &title,
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let at = asked.get("at");
    let table_at = studio.at(&format!("/look/table?{}", query(&[("at", at), ("table", &table.name)])));
    let content = html! {
        h1 { (title) }
        p.quiet { "a row of " a href=(table_at) { (table.name) } }
        table.list.record { tbody { @for place in order { (value(&studio, &asked, &table, place, cells[place].as_deref())) } } }
        @if let (false, Some(address)) = (others.is_empty(), &address) {
            h2 { "Of the same page" }
            ul.plain { @for (other, column, count) in &others {
                @let names = [("at", at), ("table", other), ("where", column), ("how", "is"), ("value", address)];
                li { a href=(studio.at(&format!("/look/table?{}", query(&names)))) { (other) } " " span.quiet { (number(*count)) @if *count == 1 { " row" } @else { " rows" } } }
            } }
        }
    };
    page(&studio, &frame, content).into_response()
}

fn value(studio: &StudioState, asked: &Asked, table: &KnownTable, place: usize, cell: Option<&str>) -> Markup {
    let column = &table.columns[place];
    let names = [
        ("at", asked.get("at")),
        ("table", &table.name),
        ("row", asked.get("row")),
        ("column", &column.name),
    ];
    html! {
        tr {
            th scope="row" { (column.name) " " span.quiet { (column.kind) @if let Some(unit) = &column.unit { " · " (unit) } } }
            td.long { @match cell {
                Some(value) => { a.cell title="Where it comes from" href=(studio.at(&format!("/look/table/cell?{}", query(&names)))) { (value) } }
                None => { span.quiet aria-label="nothing" { "–" } }
            } }
        }
    }
}

/// The address of the page that a row was read from.
fn address_of(table: &KnownTable, cells: &[Option<String>]) -> Option<String> {
    let place = table.columns.iter().position(|column| column.source == "address")?;
    cells[place].clone()
}

/// The other tables that have rows of the same page: name, the column of addresses, number of rows.
async fn related(
    file: &std::path::Path,
    catalogue: Catalogue,
    own: &KnownTable,
    address: Option<String>,
) -> Vec<(String, String, u64)> {
    let Some(address) = address else { return Vec::new() };
    let addressed = catalogue.tables.into_iter().filter(|table| table.name != own.name);
    let addressed: Vec<(String, String)> = addressed
        .filter_map(|table| {
            let column = table.columns.iter().find(|column| column.source == "address")?;
            Some((table.name.clone(), column.name.clone()))
        })
        .collect();
    let counted = ask(file, move |connection| {
        let count = |(table, column): (String, String)| {
            let count = rows_at(connection, &table, &column, &address)?;
            Ok((table, column, count))
        };
        addressed.into_iter().map(count).collect::<rusqlite::Result<Vec<_>>>()
    });
    let counted = counted.await.unwrap_or_default();
    counted.into_iter().filter(|(_, _, count)| *count > 0).collect()
}

fn rows_at(connection: &Connection, table: &str, column: &str, address: &str) -> rusqlite::Result<u64> {
    let sql = format!("SELECT count(*) FROM {} WHERE {} = ?", quoted(table), quoted(column));
    let count: i64 = connection.query_row(&sql, [address], |row| row.get(0))?;
    Ok(count as u64)
}
