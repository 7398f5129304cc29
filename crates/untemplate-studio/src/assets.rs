//! The studio's own files: one style sheet, and modules of plain JavaScript. They are inside the
//! program.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

use crate::studio::StudioState;

/// The script inside the frame of a crawled page: it tells us what is clicked, and shows marks.
pub const FRAME_SCRIPT: &str = include_str!("assets/frame.js");

/// How marks look there.
pub const FRAME_STYLE: &str = include_str!("assets/frame.css");

/// Name, kind and text of each file.
const FILES: [(&str, &str, &str); 4] = [
    (
        "studio.css",
        "text/css; charset=utf-8",
        include_str!("assets/studio.css"),
    ),
    (
        "teach.js",
        "text/javascript; charset=utf-8",
        include_str!("assets/teach.js"),
    ),
    (
        "drop.js",
        "text/javascript; charset=utf-8",
        include_str!("assets/drop.js"),
    ),
    (
        "look.js",
        "text/javascript; charset=utf-8",
        include_str!("assets/look.js"),
    ),
];

/// `/assets/NAME`.
pub fn routes() -> Router<Arc<StudioState>> {
    Router::new().route("/assets/{name}", get(file))
}

async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(its, _, _)| *its == name) {
        Some(&(_, kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
