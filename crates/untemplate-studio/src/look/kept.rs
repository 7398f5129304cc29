//! Kept pages: pages out of the archives of crawls, in their frame. Looking never asks the network:
//! what no archive has is not shown.

use std::path::PathBuf;

use axum::extract::State;
use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::task::block_in_place;
use untemplate::page::{Page, ParseOptions, Request};
use untemplate_store::UnixMillis;
use untemplate_store::archive::{ArchiveReader, PageStore, stored_response};
use url::Url;

use super::below::below;
use super::inventory::{Kind, take_inventory};
use crate::router::Shared;
use crate::safe::secret::new_secret;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};
use crate::teach::view::{as_shown, framed};

/// Archives that are asked for a page nobody says the archive of.
const ARCHIVES_MAX: usize = 100;

/// Redirects that are followed inside an archive.
const REDIRECTS_MAX: usize = 10;

/// A page out of an archive.
pub struct KeptPage {
    /// The archive's name below the studio's folder.
    pub at: String,
    /// The page.
    pub page: Page,
    /// When it was fetched.
    pub fetched_at: UnixMillis,
    /// The HTTP status.
    pub status: u16,
}

/// Finds a page: in the archive of a name, or in the first that has it, those nearest to a place
/// first.
pub fn find_page(studio: &StudioState, address: &str, at: Option<&str>, near: &str) -> Option<KeptPage> {
    let url = Url::parse(address).ok()?;
    let archives: Vec<String> = match at {
        Some(at) => vec![at.to_owned()],
        None => {
            let inventory = take_inventory(&studio.folder);
            let mut archives: Vec<String> = inventory.of(Kind::Crawl).map(|found| found.at.clone()).collect();
            archives.sort_by_key(|at| std::cmp::Reverse(shared_parts(at, near)));
            archives
        }
    };
    archives
        .iter()
        .take(ARCHIVES_MAX)
        .find_map(|at| page_of(studio, at, &url))
}

fn shared_parts(left: &str, right: &str) -> usize {
    left.split('/')
        .zip(right.split('/'))
        .take_while(|(left, right)| left == right)
        .count()
}

/// The folder of an archive.
pub fn archive_folder(studio: &StudioState, at: &str) -> Option<PathBuf> {
    below(&studio.folder, at).filter(|folder| folder.join("archive.sqlite").is_file())
}

fn page_of(studio: &StudioState, at: &str, url: &Url) -> Option<KeptPage> {
    let mut archive = ArchiveReader::open(&archive_folder(studio, at)?).ok()?;
    let (response, fetched_at) = response_of(&mut archive, url)?;
    Some(KeptPage {
        at: at.to_owned(),
        page: Page::read(&response, &ParseOptions::default()),
        fetched_at,
        status: response.status,
    })
}

fn response_of(archive: &mut ArchiveReader, url: &Url) -> Option<(untemplate::page::Response, UnixMillis)> {
    let mut url = url.clone();
    for _ in 0..REDIRECTS_MAX {
        let stored = archive.page(&Request::get(url)).ok()??;
        match &stored.redirect {
            Some(next) => url = next.clone(),
            None => return Some((stored_response(archive, &stored).ok()?, stored.fetched_at)),
        }
    }
    None
}

/// The address of a kept page in its frame.
pub fn frame_of(studio: &StudioState, kept: &KeptPage) -> String {
    studio.view_at(&format!(
        "/look/kept/page?{}",
        query(&[("at", &kept.at), ("u", kept.page.url.as_str())])
    ))
}

/// `GET /PASS/look/kept/page?at=…&u=…`.
pub async fn page(State(studio): Shared, headers: HeaderMap, asked: Asked) -> Response {
    let found = block_in_place(|| find_page(&studio, asked.get("u"), Some(asked.get("at")), ""));
    let (Some(kept), Some(nonce)) = (found, new_secret()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let origin = own_origin(&studio, &headers);
    let resources = resources_at(&studio, &origin, &kept.at);
    framed(&kept.page, &studio, &origin, &resources, &nonce)
}

/// Where our own pages are for whoever asks: by number or by name, as they asked. The access check
/// has seen that it is us.
fn own_origin(studio: &StudioState, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    host.map_or_else(|| studio.origin.clone(), |host| format!("http://{host}"))
}

fn resources_at(studio: &StudioState, origin: &str, at: &str) -> String {
    let place = studio.view_at(&format!("/look/kept/resource?{}&u=", query(&[("at", at)])));
    format!("{origin}{place}")
}

/// `GET /PASS/look/kept/resource?at=…&u=…`: a picture or style sheet, if the archive has it.
pub async fn resource(State(studio): Shared, headers: HeaderMap, asked: Asked) -> Response {
    let found = block_in_place(|| {
        let mut archive = ArchiveReader::open(&archive_folder(&studio, asked.get("at"))?).ok()?;
        response_of(&mut archive, &Url::parse(asked.get("u")).ok()?)
    });
    match found {
        Some((response, _)) => as_shown(
            response,
            &resources_at(&studio, &own_origin(&studio, &headers), asked.get("at")),
        ),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
