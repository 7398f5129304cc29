//! Saved questions: SQL under a name, in a file of the studio's folder, with an address of its own.
//!
//! `untemplate-queries/NAME.json` has the folder of the tables and the statement. Whoever opens the
//! address of a name is led to the answer as the tables are now.

use std::fs;
use std::path::PathBuf;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::{Deserialize, Serialize};
use tokio::task::block_in_place;
use untemplate_store::write_whole;

use crate::layout::{Part, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// The folder below the studio's that questions are kept in.
const QUERIES: &str = "untemplate-queries";

/// Questions that are listed at most, and letters of one.
const LISTED_MAX: usize = 500;
const LETTERS_MAX: usize = 100_000;

/// A question that somebody keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// The folder of the tables, below the studio's.
    pub at: String,
    /// The statement.
    pub sql: String,
}

fn file_of(studio: &StudioState, name: &str) -> Option<PathBuf> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let is_name = !name.is_empty() && name.chars().count() <= 80 && name.chars().all(is_plain);
    is_name.then(|| studio.folder.join(QUERIES).join(format!("{name}.json")))
}

/// The questions that are kept, by name.
pub fn saved(studio: &StudioState) -> Vec<(String, Saved)> {
    let files = fs::read_dir(studio.folder.join(QUERIES))
        .into_iter()
        .flatten()
        .flatten();
    let read = files.take(LISTED_MAX).filter_map(|entry| {
        let name = entry.path().file_stem()?.to_str()?.to_owned();
        Some((name.clone(), read(studio, &name)?))
    });
    let mut all: Vec<(String, Saved)> = read.collect();
    all.sort_by(|left, right| left.0.cmp(&right.0));
    all
}

fn read(studio: &StudioState, name: &str) -> Option<Saved> {
    serde_json::from_slice(&fs::read(file_of(studio, name)?).ok()?).ok()
}

/// `POST /look/sql`: keeps a question under a name.
pub async fn keep(State(studio): Shared, asked: Asked) -> Response {
    let name = asked.get("name").split_whitespace().collect::<Vec<_>>().join(" ");
    let saved = Saved {
        at: asked.get("at").to_owned(),
        sql: asked.get("sql").trim().chars().take(LETTERS_MAX).collect(),
    };
    let Some(file) = file_of(&studio, &name).filter(|_| !saved.sql.is_empty()) else {
        let advice = "Names have letters, digits, blanks, '-' and '_', and a question has a statement.";
        let markup = trouble(
            &studio,
            Part::Look,
            "The question cannot be kept under this name",
            advice,
        );
        return (StatusCode::BAD_REQUEST, markup).into_response();
    };
    let text = serde_json::to_vec_pretty(&saved).unwrap_or_default();
    match block_in_place(|| write_whole(&file, &text)) {
        Ok(()) => Redirect::to(&at(&studio, &name)).into_response(),
        Err(error) => {
            let advice = format!("{}: {error}", file.display());
            let markup = trouble(&studio, Part::Look, "The question could not be kept", &advice);
            (StatusCode::INTERNAL_SERVER_ERROR, markup).into_response()
        }
    }
}

/// The address of a question that is kept.
pub fn at(studio: &StudioState, name: &str) -> String {
    let name: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    studio.at(&format!("/look/query/{}", name.replace('+', "%20")))
}

/// `GET /look/query/NAME`: the answer to a question that is kept.
pub async fn answer(State(studio): Shared, Path(name): Path<String>) -> Response {
    match block_in_place(|| read(&studio, &name)) {
        Some(saved) => {
            let pairs = [("at", saved.at.as_str()), ("sql", &saved.sql), ("name", &name)];
            Redirect::to(&studio.at(&format!("/look/sql?{}", query(&pairs)))).into_response()
        }
        None => {
            let markup = trouble(
                &studio,
                Part::Look,
                "No question is kept under this name",
                "It may have been renamed or removed.",
            );
            (StatusCode::NOT_FOUND, markup).into_response()
        }
    }
}
