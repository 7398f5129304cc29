//! Look: every crawl, model, table and lesson in the studio's folder.
//!
//! Views ask the network for nothing: what is shown is read from files when it is asked for. They
//! write nothing but what somebody keeps: a question, or a change of `schema.toml`.
//!
//! 1. [`inventory`] finds what is there, [`index`] lists it. [`below`] is what every name from an
//!    address passes: it never leads out of the folder.
//! 2. [`model_view`]: the graph of a site's classes. [`file_view`]: a specification or a wrapper.
//! 3. [`crawl_view`]: how far a crawl is, live ([`rate`]), and its pages. [`kept`]: a page out of
//!    an archive, in its frame; [`page_view`]: with what is known of it.
//! 4. [`tables`]: rows by the screen, what columns hold, where each value comes from, and files to
//!    take away.
//! 5. [`start`]: the form that everything begins with, also with files that are [`dropped`] on it;
//!    [`sites`]: what was done about each site; [`report_view`]: the report beside tables.
//! 6. [`words`]: figures as people read them.

pub mod below;
pub mod crawl_view;
pub mod dropped;
pub mod file_view;
pub mod index;
pub mod inventory;
pub mod kept;
pub mod model_view;
pub mod page_view;
pub mod rate;
pub mod report_view;
pub mod sites;
pub mod start;
pub mod tables;
pub mod words;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::studio::StudioState;

/// `/` and what is below `/look`.
pub fn routes() -> Router<Arc<StudioState>> {
    Router::new()
        .route("/", get(index::index))
        .route("/look/model", get(model_view::view))
        .route("/look/file", get(file_view::view))
        .route("/look/crawl", get(crawl_view::view))
        .route("/look/crawl/live", get(crawl_view::live))
        .route("/look/page", get(page_view::view))
        .route("/look/report", get(report_view::view))
        .route("/start", post(start::start))
        .route("/drop", post(dropped::begin))
        .route("/drop/file", post(dropped::file))
        .merge(tables::routes())
}

/// What crawled pages know of: themselves, and what they show.
pub fn view_routes() -> Router<Arc<StudioState>> {
    Router::new()
        .route("/look/kept/page", get(kept::page))
        .route("/look/kept/resource", get(kept::resource))
}
