//! What is dropped on the studio: files that a browser sends, kept in a folder of their own below
//! the studio's.
//!
//! `POST /drop?name=NAME` makes a folder and tells its name; `POST /drop/file?at=NAME&path=PATH`
//! puts a file into it. Names are plain names, whatever was sent; a file that is there is not
//! overwritten.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use tokio::task::block_in_place;

use super::below::below;
use crate::router::Shared;
use crate::teach::asked::Asked;

/// The folder that holds what was dropped.
pub const DROPPED: &str = "untemplate-dropped";

/// Bytes of a file at most.
const FILE_BYTES_MAX: u64 = 4 << 30;

/// Letters of a name at most.
const NAME_CHARS_MAX: usize = 60;

/// `POST /drop?name=…`: a new folder; the answer is its name below the studio's folder.
pub async fn begin(State(studio): Shared, RawQuery(query): RawQuery) -> Response {
    let asked = Asked::read(query.unwrap_or_default().as_bytes());
    let made = block_in_place(|| {
        let within = studio.folder.join(DROPPED);
        fs::create_dir_all(&within)?;
        let stem = plain_name(asked.get("name"));
        let mut names = std::iter::once(stem.clone()).chain((2..10_000).map(|number| format!("{stem}-{number}")));
        let free = names.find(|name| fs::create_dir(within.join(name)).is_ok());
        free.ok_or_else(|| std::io::Error::other("no folder could be made"))
    });
    match made {
        Ok(name) => format!("{DROPPED}/{name}").into_response(),
        Err(error) => (StatusCode::INSUFFICIENT_STORAGE, format!("it cannot be kept: {error}")).into_response(),
    }
}

/// `POST /drop/file?at=…&path=…` with a file as its content.
pub async fn file(State(studio): Shared, RawQuery(query): RawQuery, body: Body) -> Response {
    let asked = Asked::read(query.unwrap_or_default().as_bytes());
    let within = below(&studio.folder, DROPPED).zip(below(&studio.folder, asked.get("at")));
    let within = within.filter(|(root, folder)| folder.parent() == Some(root));
    let Some(((_, folder), path)) = within.zip(plain_path(asked.get("path"))) else {
        return (StatusCode::BAD_REQUEST, "this is no place for a file").into_response();
    };
    match keep(&folder.join(path), body).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::INSUFFICIENT_STORAGE, format!("it cannot be kept: {error}")).into_response(),
    }
}

/// Writes a file as it comes.
async fn keep(target: &Path, body: Body) -> std::io::Result<()> {
    let mut file = block_in_place(|| {
        fs::create_dir_all(target.parent().unwrap_or(target))?;
        File::create_new(target)
    })?;
    let mut parts = body.into_data_stream();
    let mut n_bytes = 0;
    while let Some(part) = parts.next().await {
        let part = part.map_err(std::io::Error::other)?;
        n_bytes += part.len() as u64;
        if n_bytes > FILE_BYTES_MAX {
            return Err(std::io::Error::other("it is too large"));
        }
        block_in_place(|| file.write_all(&part))?;
    }
    Ok(())
}

/// A name that is one, and begins with no dot.
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let name: String = name.trim_matches(['.', '-']).chars().take(NAME_CHARS_MAX).collect();
    if name.is_empty() { "site".to_owned() } else { name }
}

/// A path that leads down and nowhere else.
fn plain_path(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && path.file_name().is_some() && !path.to_string_lossy().contains('\0')).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        assert_eq!(plain_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(plain_name("My site (copy)"), "My-site--copy");
        assert_eq!(plain_name(".."), "site");
        for wrong in ["", "..", "../a", "/etc/passwd", "a/../../b", "a/.."] {
            assert_eq!(plain_path(wrong), None, "{wrong}");
        }
        assert_eq!(plain_path("pages/a b.html"), Some(PathBuf::from("pages/a b.html")));
    }
}
