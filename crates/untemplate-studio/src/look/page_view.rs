//! The view of one kept page.

use std::time::{Duration, UNIX_EPOCH};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;
use untemplate_store::UnixMillis;

use super::kept::{find_page, frame_of};
use super::words::moment;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// `GET /look/page?u=…&at=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let address = asked.get("u");
    let at = Some(asked.get("at")).filter(|at| !at.is_empty());
    let Some(kept) = block_in_place(|| find_page(&studio, address, at, "")) else {
        let advice =
            format!("No crawl below the studio's folder keeps {address}. Crawl it, or open it in a tab of its own.");
        let markup = trouble(&studio, Part::Look, "This page is not kept here", &advice);
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    let frame = Frame {
        title: address,
        part: Part::Look,
        scripts: &["look.js"],
        is_wide: true,
    };
    let panel = html! {
        h1 { "A page as it was kept" }
        (address_line(kept.page.url.as_str()))
        dl.facts {
            dt { "Status" } dd { (kept.status) }
            dt { "Fetched" } dd { (millis(kept.fetched_at)) " UTC" }
            dt { "Crawl" } dd { a href=(crawl_at(&studio, &kept.at)) { (kept.at) } }
            dt { "Encoding" } dd { (kept.page.encoding) }
        }
        @for problem in &kept.page.problems { p.warning { (problem) } }
    };
    page(&studio, &frame, beside(&frame_of(&studio, &kept), "[]", panel)).into_response()
}

/// A page in its frame, with marks on it, and a panel beside it.
pub fn beside(frame: &str, marks: &str, panel: Markup) -> Markup {
    html! {
        div.teach.kept {
            iframe #page src=(frame) sandbox="allow-scripts" title="The page as it was kept" {}
            div #panel data-marks=(marks) { (panel) }
        }
    }
}

/// The address of a page, and the way to it on the web.
pub fn address_line(url: &str) -> Markup {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    html! {
        p.break { code { (url) } }
        @if is_web { p { a href=(url) rel="noreferrer noopener" target="_blank" { "Open it on the web" } } }
    }
}

/// The address of a crawl's view.
pub fn crawl_at(studio: &StudioState, at: &str) -> String {
    studio.at(&format!("/look/crawl?{}", query(&[("at", at)])))
}

/// A moment of an archive, for people.
pub fn millis(time: UnixMillis) -> String {
    moment(UNIX_EPOCH + Duration::from_millis(time.0.max(0) as u64))
}
