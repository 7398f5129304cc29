//! The view of a crawl: how far it is, as it goes on, and the pages that it keeps.

use std::convert::Infallible;
use std::path::PathBuf;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use maud::{Markup, html};
use serde_json::json;
use tokio::task::block_in_place;
use tokio::time::{Duration, sleep};
use untemplate_report::number;
use untemplate_store::archive::{ArchiveReader, PageId, PageStore, StoredPage};

use super::kept::archive_folder;
use super::page_view::millis;
use super::rate::Pace;
use super::words::size;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// Pages on one view.
const PAGES_SHOWN: usize = 100;

/// How often a live view looks.
pub const LOOK_EVERY: Duration = Duration::from_millis(500);

/// `GET /look/crawl?at=…&after=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let at = asked.get("at");
    let after = PageId(asked.get("after").parse().unwrap_or(0));
    let read = |folder: PathBuf| {
        let mut archive = ArchiveReader::open(&folder).map_err(|error| error.to_string())?;
        archive
            .pages_after(after, PAGES_SHOWN + 1)
            .map_err(|error| error.to_string())
    };
    let pages = match archive_folder(&studio, at) {
        None => {
            let advice = "It may have been moved; look for it in the list.";
            let markup = trouble(&studio, Part::Look, "There is no such crawl", advice);
            return (StatusCode::NOT_FOUND, markup).into_response();
        }
        Some(folder) => block_in_place(|| read(folder)),
    };
    let pages = match pages {
        Ok(pages) => pages,
        Err(reason) => {
            let markup = trouble(&studio, Part::Look, "The crawl cannot be read", &reason);
            return (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response();
        }
    };
    let frame = Frame {
        title: at,
        part: Part::Look,
        scripts: &["look.js"],
        is_wide: false,
    };
    let live = studio.at(&format!("/look/crawl/live?{}", query(&[("at", at)])));
    let content = html! {
        h1 { "Crawl " code { (at) } }
        div data-live=(live) { (figures()) }
        h2 { "Pages" }
        (page_list(&studio, at, &pages))
    };
    page(&studio, &frame, content).into_response()
}

/// The figures of a crawl, which the live view fills in.
pub fn figures() -> Markup {
    let names = [
        ("done", "pages found"),
        ("rate", "a second"),
        ("waiting", "in the queue"),
        ("open", "being fetched"),
        ("failed", "errors"),
        ("skipped", "left out"),
    ];
    html! {
        div.figures role="status" aria-live="off" {
            @for (name, words) in names { div.figure { strong data-figure=(name) { "–" } span { (words) } } }
        }
        svg.pace viewBox="0 0 300 40" preserveAspectRatio="none" role="img" aria-label="Pages a second, of late" { polyline points="" {} }
    }
}

fn page_list(studio: &StudioState, at: &str, pages: &[StoredPage]) -> Markup {
    let next = pages.get(PAGES_SHOWN).and_then(|_| pages.get(PAGES_SHOWN - 1));
    html! {
        table.list {
            thead { tr { th { "Address" } th.number { "Status" } th.number { "Size" } th.when { "Fetched (UTC)" } } }
            tbody {
                @for stored in pages.iter().take(PAGES_SHOWN) {
                    @let address = stored.request.url.as_str();
                    tr {
                        td { a href=(studio.at(&format!("/look/page?{}", query(&[("at", at), ("u", address)])))) { (address) } }
                        td.number { (stored.status) }
                        td.number { (size(stored.body_length)) }
                        td.when { (millis(stored.fetched_at)) }
                    }
                }
            }
        }
        @if pages.is_empty() { p.quiet { "There are no more pages." } }
        nav.row aria-label="Pages of the crawl" {
            a.button href=(studio.at(&format!("/look/crawl?{}", query(&[("at", at)])))) { "From the start" }
            @if let Some(last) = next {
                a.button href=(studio.at(&format!("/look/crawl?{}", query(&[("at", at), ("after", &last.id.0.to_string())])))) { "Next " (number(PAGES_SHOWN as u64)) }
            }
        }
    }
}

/// What a live view of an archive shows now; `None` when it cannot be read.
pub fn archive_figures(archive: &mut ArchiveReader, pace: &mut Pace) -> Option<serde_json::Value> {
    let known = archive.statistics().ok()?;
    pace.note(known.done);
    Some(json!({
        "done": known.done, "waiting": known.waiting, "open": known.open, "failed": known.failed,
        "skipped": known.skipped, "hosts": known.hosts, "rate": pace.rate(),
    }))
}

/// `GET /look/crawl/live?at=…`: the figures, again and again.
pub async fn live(State(studio): Shared, asked: Asked) -> Response {
    let archive = archive_folder(&studio, asked.get("at")).and_then(|folder| ArchiveReader::open(&folder).ok());
    let Some(archive) = archive else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let state = (archive, Pace::default(), true);
    let events = unfold(state, |(mut archive, mut pace, is_first)| async move {
        if !is_first {
            sleep(LOOK_EVERY).await;
        }
        let figures = block_in_place(|| archive_figures(&mut archive, &mut pace))?;
        let event = Event::default().data(json!({ "figures": figures }).to_string());
        Some((Ok::<_, Infallible>(event), (archive, pace, false)))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
