//! The report that stands beside tables, as it was written: a page of the site's words, which runs
//! nothing.

use std::fs;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use tokio::task::block_in_place;

use super::below::below;
use crate::layout::{Part, trouble};
use crate::router::Shared;
use crate::teach::asked::Asked;

/// What a report may do: show its own styles and drawings, in an origin of nobody's.
const POLICY: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// `GET /look/report?at=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let report = below(&studio.folder, asked.get("at")).map(|folder| folder.join("report.html"));
    match report.and_then(|file| block_in_place(|| fs::read(file)).ok()) {
        Some(bytes) => {
            let kind = (CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (CONTENT_SECURITY_POLICY, POLICY)], bytes).into_response()
        }
        None => {
            let markup = trouble(
                &studio,
                Part::Look,
                "There is no such report",
                "Reports stand beside the tables of a run.",
            );
            (StatusCode::NOT_FOUND, markup).into_response()
        }
    }
}
