//! Look: every crawl, model, table and lesson in the studio's folder.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use maud::{Markup, html};

use crate::layout::{Frame, Part, page};
use crate::router::Shared;
use crate::studio::Hall;

/// `/`.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new().route("/", get(index))
}

async fn index(State(hall): Shared) -> Markup {
    let frame = Frame {
        title: "Look",
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let content = html! {
        h1 { "What is here" }
        p { "The folder is " code { (hall.folder.display()) } "." }
        h2 { "Lessons" }
        (crate::teach::lesson_list(&hall))
    };
    page(&hall, &frame, content)
}
