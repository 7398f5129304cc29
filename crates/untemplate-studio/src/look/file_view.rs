//! The view of a specification or a wrapper: what it says, for people, and the file itself.

use std::fs;
use std::path::Path;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::html;
use tokio::task::block_in_place;
use untemplate::teach::show_specification;
use untemplate_store::{read_specification, read_wrapper};

use super::below::below;
use super::inventory::{Kind, kind_of_file};
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::teach::asked::{Asked, query};

/// The most of a file that is shown.
const SHOWN_CHARS: usize = 400_000;

/// `GET /look/file?at=…`, and with `raw=1` the file itself.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let at = asked.get("at");
    let known = below(&studio.folder, at).filter(|file| file.is_file());
    let known = known.and_then(|file| Some((kind_of_file(&file)?, file)));
    let Some((kind, file)) = known else {
        let markup = trouble(
            &studio,
            Part::Look,
            "There is no such file",
            "It may have been moved; look for it in the list.",
        );
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    if asked.has("raw") {
        return raw(&file);
    }
    let shown = match block_in_place(|| text_of(kind, &file)) {
        Ok(text) => text.chars().take(SHOWN_CHARS).collect::<String>(),
        Err(reason) => {
            let markup = trouble(&studio, Part::Look, "The file cannot be shown", &reason);
            return (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response();
        }
    };
    let (is_specification, name) = match kind {
        Kind::Specification => (true, "Specification"),
        Kind::Wrapper => (false, "Wrapper"),
        _ => (false, "File"),
    };
    let frame = Frame {
        title: at,
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    };
    let content = html! {
        h1 { (name) " " code { (at) } }
        p.row {
            @if is_specification { a.button.primary href=(studio.at(&format!("/jobs?{}", query(&[("verb", "run"), ("specification", at)])))) { "Run it" } }
            a.button href=(studio.at(&format!("/look/file?{}", query(&[("at", at), ("raw", "1")])))) { "Download" }
        }
        pre tabindex="0" { (shown) }
    };
    page(&studio, &frame, content).into_response()
}

fn text_of(kind: Kind, file: &Path) -> Result<String, String> {
    if kind == Kind::Specification {
        let specification = read_specification(file).map_err(|error| error.to_string())?;
        return Ok(show_specification(&specification));
    }
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    if kind == Kind::Wrapper {
        let wrapper = read_wrapper(&text).map_err(|error| error.to_string())?;
        return Ok(wrapper.show());
    }
    Ok(text)
}

fn raw(file: &Path) -> Response {
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    match fs::read(file) {
        Ok(bytes) => {
            let headers = [
                (CONTENT_TYPE, "application/octet-stream".to_owned()),
                (CONTENT_DISPOSITION, attachment(&name)),
            ];
            (headers, bytes).into_response()
        }
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The header that saves an answer under a name.
pub fn attachment(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    format!("attachment; filename=\"{name}\"")
}
