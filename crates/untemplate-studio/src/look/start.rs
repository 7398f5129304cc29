//! The start: an address, or something on the disk, and what to do with it.

use std::path::PathBuf;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;
use url::Url;

use super::below::below;
use crate::disk;
use crate::jobs::order::{JobVerb, Order};
use crate::layout::{Part, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::Asked;
use crate::teach::lobby::enter;

/// The form that everything begins with.
pub fn start_form(studio: &StudioState) -> Markup {
    html! {
        form.start method="post" action=(studio.at("/start")) data-drop=(studio.at("/drop")) {
            label for="entry" { "Which site?" }
            div.row.entry-row {
                input #entry name="entry" required placeholder="site.example or https://site.example/list" autocomplete="url" autocapitalize="off" spellcheck="false" aria-describedby="start-help";
                button.primary name="do" value="teach" { "Look and teach" }
                button name="do" value="rebuild" { "Rebuild it all" }
            }
            p #start-help .quiet { "“Look and teach” shows the page: click what you want. “Rebuild it all” reads the whole site back into tables, without being shown anything." }
            p.row.drop-row {
                label.button for="files" { "Take a folder" input #files .unseen type="file" webkitdirectory multiple; }
                label.button for="file" { "Take a page or WARC file" input #file .unseen type="file" accept=".html,.htm,.xhtml,.warc,.gz,.zst" multiple; }
                span.quiet role="status" data-dropped { "Or drop a folder, a page or a WARC file here; a name below the studio's folder will do as well." }
            }
        }
    }
}

/// Where somebody wants to begin.
enum Beginning {
    Web(Url),
    Disk(PathBuf),
}

/// What was typed: the name of something below the studio's folder, or an address with or without
/// its scheme. The text says what is wrong with it.
fn beginning(studio: &StudioState, typed: &str) -> Result<Beginning, String> {
    let typed = typed.trim();
    let name = typed.trim_start_matches("./").trim_end_matches('/');
    if let Some(path) = below(&studio.folder, name).filter(|_| !name.is_empty()) {
        return Ok(Beginning::Disk(path));
    }
    // What is elsewhere on the disk is nobody's business here.
    if typed.is_empty() || typed.starts_with(['/', '.', '~']) {
        return Err(format!(
            "\"{typed}\" is no address, and nothing below the studio's folder; give an address such as site.example."
        ));
    }
    match Url::parse(typed) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(Beginning::Web(url)),
        Ok(url) if typed.contains("://") => Err(format!("Pages cannot be had by {}.", url.scheme())),
        _ => (studio.find_address)(typed).map(Beginning::Web),
    }
}

/// `POST /start`: begins to teach a site, or to rebuild it.
pub async fn start(State(studio): Shared, asked: Asked) -> Response {
    match block_in_place(|| started(&studio, &asked)) {
        Ok(path) => Redirect::to(&studio.at(&path)).into_response(),
        Err(reason) => {
            let markup = trouble(&studio, Part::Look, "This cannot be begun with", &reason);
            (StatusCode::BAD_REQUEST, markup).into_response()
        }
    }
}

fn started(studio: &StudioState, asked: &Asked) -> Result<String, String> {
    let (entry, is_on_disk) = match beginning(studio, asked.get("entry"))? {
        Beginning::Web(url) => {
            disk::begin_on_web(&studio.folder, &url);
            (url, false)
        }
        Beginning::Disk(path) => (disk::begin_with(&studio.folder, &path)?.entry, true),
    };
    if asked.get("do") != "rebuild" {
        return enter(studio, entry, is_on_disk).map(|room| format!("/teach/{room}"));
    }
    let order = Order {
        verb: JobVerb::Rebuild,
        subject: entry.into(),
        mirror: String::new(),
        pages: String::new(),
        formats: vec!["csv".to_owned()],
        pages_max: None,
        minutes_max: None,
        host_only: false,
    };
    studio.jobs.start(order).map(|name| format!("/jobs/{name}"))
}
