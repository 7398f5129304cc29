//! Tables: the databases that `run`, `report` and `rebuild` write, by the screen.
//!
//! 1. [`catalogue`]: what a database has. Names of tables and columns from an address are looked up
//!    here, and only what was found reaches SQL, quoted. Connections read, and cannot write; a
//!    question that takes too long is broken off.
//! 2. [`question`]: what of a table is asked for: order, conditions, from which row on. [`rows`]
//!    answers it: a screen of rows is found by the row before it, never by counting, so that a
//!    table of a million rows is never read whole. Numbers are compared as numbers, also where they
//!    stand in texts ([`natural`]).
//! 3. [`grid`]: the view. [`statistics`]: what a column holds, [`column_view`] in full, with a
//!    histogram.
//! 4. [`origin`]: where on which page a cell was read; [`cell_view`] shows it. [`download`]: the
//!    rows in any format. [`groups`]: counts by value; [`row_view`]: one row in full. [`sql_view`]:
//!    questions in SQL, which can be kept ([`saved`]). [`schema_view`]: names, types and what is
//!    dropped, in the file that the next run follows.

pub mod catalogue;
pub mod cell_view;
pub mod column_view;
pub mod download;
pub mod grid;
pub mod groups;
pub mod natural;
pub mod origin;
pub mod question;
pub mod row_view;
pub mod rows;
pub mod saved;
pub mod schema_view;
pub mod sql_view;
pub mod statistics;

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::task::block_in_place;

use self::catalogue::{Catalogue, KnownTable};
use super::below::below;
use crate::layout::{Part, trouble};
use crate::studio::StudioState;
use crate::teach::asked::Asked;

/// `/look/tables`, `/look/table` and below.
pub fn routes() -> Router<Arc<StudioState>> {
    Router::new()
        .route("/look/tables", get(grid::tables))
        .route("/look/table", get(grid::table))
        .route("/look/table/column", get(column_view::view))
        .route("/look/table/histogram.svg", get(column_view::drawing))
        .route("/look/table/cell", get(cell_view::view))
        .route("/look/table/download", get(download::download))
        .route("/look/table/groups", get(groups::view))
        .route("/look/table/row", get(row_view::view))
        .route("/look/schema", get(schema_view::view).post(schema_view::save))
        .route("/look/sql", get(sql_view::view).post(saved::keep))
        .route("/look/query/{name}", get(saved::answer))
}

/// The database that an address names.
pub fn database_of(studio: &StudioState, asked: &Asked) -> Option<PathBuf> {
    below(&studio.folder, asked.get("at"))
        .map(|folder| folder.join("tables.sqlite"))
        .filter(|file| file.is_file())
}

/// The database and the table that an address names, or the answer that there is none.
pub fn table_of(studio: &StudioState, asked: &Asked) -> Result<(PathBuf, KnownTable), Box<Response>> {
    let missing = |what: &str, advice: &str| {
        let markup = trouble(studio, Part::Look, what, advice);
        Box::new((StatusCode::NOT_FOUND, markup).into_response())
    };
    let advice = "It may have been written anew; look for it in the list.";
    let file = database_of(studio, asked).ok_or_else(|| missing("There are no such tables", advice))?;
    let catalogue = block_in_place(|| Catalogue::open(&file));
    let catalogue = catalogue.map_err(|reason| missing("The tables cannot be read", &reason))?;
    let table = catalogue
        .tables
        .into_iter()
        .find(|table| table.name == asked.get("table"));
    Ok((file, table.ok_or_else(|| missing("There is no such table", advice))?))
}

/// The same with the place of a column, which the parameter of this name names.
pub fn column_of(
    studio: &StudioState,
    asked: &Asked,
    parameter: &str,
) -> Result<(PathBuf, KnownTable, usize), Box<Response>> {
    let (file, table) = table_of(studio, asked)?;
    match table.column(asked.get(parameter)) {
        Some(column) => Ok((file, table, column)),
        None => {
            let (what, advice) = ("There is no such column", "Look for it in its table.");
            let markup = trouble(studio, Part::Look, what, advice);
            Err(Box::new((StatusCode::NOT_FOUND, markup).into_response()))
        }
    }
}
