//! The page in its frame, and what it shows.

use axum::extract::{Path, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::task::block_in_place;
use untemplate::page::Page;
use url::Url;

use super::asked::Asked;
use super::room::Room;
use crate::assets::{FRAME_SCRIPT, FRAME_STYLE};
use crate::router::Shared;
use crate::safe::policy;
use crate::safe::secret::new_secret;
use crate::safe::sieve::{Sieve, place, sieved};
use crate::safe::style::rewrite_style;
use crate::studio::StudioState;

/// `GET /PASS/ROOM/page?class=…&page=…`: a page of a class, as it may be shown.
pub async fn page(State(studio): Shared, Path(name): Path<String>, headers: HeaderMap, asked: Asked) -> Response {
    let Some(room) = studio.room(&name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let known = match room.known().await {
        Ok(known) => known,
        Err(reason) => return (StatusCode::BAD_GATEWAY, reason).into_response(),
    };
    let class = known.class_index(asked.get("class"));
    let (Some((_, shown)), Some(nonce)) = (known.page(class, asked.number("page")), new_secret()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let origin = origin_of(&headers);
    let resources = resources_at(&studio, &room, &origin);
    framed(&shown.page, &studio, &origin, &resources, &nonce)
}

/// A crawled page as the frame shows it: written anew, with its policy. `resources` stands before
/// the address of what it shows.
pub fn framed(page: &Page, studio: &StudioState, origin: &str, resources: &str, nonce: &str) -> Response {
    let sieve = Sieve {
        nonce,
        origin,
        resources,
        script: FRAME_SCRIPT,
        style: FRAME_STYLE,
    };
    let html = block_in_place(|| sieved(page, &sieve));
    let policy = policy::crawled(nonce, &format!("{origin}{}/", studio.view_at("")));
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, html).into_response()
}

/// Where we are, as the browser knows us; the access check has seen that it is one of our names.
fn origin_of(headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or_default())
}

/// What stands before the address of what a room's pages show.
fn resources_at(studio: &StudioState, room: &Room, origin: &str) -> String {
    format!("{origin}{}", studio.view_at(&format!("/{}/resource?u=", room.name)))
}

/// `GET /PASS/ROOM/resource?u=…`: a picture, a font or a style sheet.
pub async fn resource(State(studio): Shared, Path(name): Path<String>, headers: HeaderMap, asked: Asked) -> Response {
    let missing = || StatusCode::NOT_FOUND.into_response();
    let Some(room) = studio.room(&name) else {
        return missing();
    };
    let Some(url) = Url::parse(asked.get("u")).ok().filter(|url| may_be_shown(&room, url)) else {
        return missing();
    };
    let Some(response) = room.site_thread.resource(url).await else {
        return missing();
    };
    as_shown(response, &resources_at(&studio, &room, &origin_of(&headers)))
}

/// A picture, a font or a style sheet as it may be shown: nothing in it runs, and it leads to
/// nothing but us.
pub fn as_shown(response: untemplate::page::Response, resources: &str) -> Response {
    let kind = response.content_type.as_deref().unwrap_or("").to_ascii_lowercase();
    let kind = kind.split(';').next().unwrap_or("").trim().to_owned();
    let policy = (CONTENT_SECURITY_POLICY, policy::RESOURCE.to_owned());
    if kind == "text/css" {
        let text = untemplate::page::decode(&response.body, response.content_type.as_deref()).text;
        let text = rewrite_style(&text, &|address| place(&response.url, address, resources));
        return ([policy, (CONTENT_TYPE, "text/css; charset=utf-8".to_owned())], text).into_response();
    }
    let is_font = kind.starts_with("font/") || kind.starts_with("application/font") || kind.contains("font-");
    if kind.starts_with("image/") {
        return ([policy, (CONTENT_TYPE, kind)], response.body).into_response();
    }
    if is_font {
        // Fonts are asked for with the frame's origin, which is nobody's.
        let sharing = (ACCESS_CONTROL_ALLOW_ORIGIN, "*".to_owned());
        return ([policy, (CONTENT_TYPE, kind), sharing], response.body).into_response();
    }
    StatusCode::NOT_FOUND.into_response()
}

/// Whether something may be asked for because a page shows it or leads there. A page inside a
/// private network shows what its own host has.
pub fn may_be_shown(room: &Room, url: &Url) -> bool {
    let is_web = matches!(url.scheme(), "http" | "https");
    is_web && (!room.options.own_host_only || url.origin() == room.options.entry.origin())
}
