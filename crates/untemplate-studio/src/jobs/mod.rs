//! Jobs: verbs that were started from the browser.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use maud::{Markup, html};

use crate::layout::{Frame, Part, page};
use crate::router::Shared;
use crate::studio::Hall;

/// `/jobs`.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new().route("/jobs", get(index))
}

async fn index(State(hall): Shared) -> Markup {
    let frame = Frame {
        title: "Jobs",
        part: Part::Jobs,
        scripts: &[],
        is_wide: false,
    };
    page(&hall, &frame, html! { h1 { "Jobs" } p { "Nothing is under way." } })
}
