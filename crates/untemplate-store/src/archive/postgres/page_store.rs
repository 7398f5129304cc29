//! Pages on the server, as they are read.

use postgres::Row;
use untemplate::page::Request;

use super::requests::request_in;
use super::server::Fault;
use super::session::{Session, Values};
use crate::archive::page_store::{PageId, StoredPage};
use crate::archive::request_key::key;
use crate::archive::stored_text::{pairs_from_text, problems_from_text};
use crate::archive::{ArchiveError, ContentHash, RequestId, UnixMillis};

/// Asks for stored pages; what follows says which.
macro_rules! select_pages {
    ($which:literal) => {
        concat!(
            "SELECT page.id, request.id, request.method, request.url, request.body, request.depth, page.status,
            page.headers, page.redirect, page.fetched_at, page.checked_at, body.length, body.hash, body.first_page,
            page.unmodified, page.problems, parent.url
            FROM page JOIN request ON request.id = page.request LEFT JOIN body ON body.hash = page.body
            LEFT JOIN request AS parent ON parent.id = request.found_on ",
            $which
        )
    };
}

const OF_REQUEST: &str = select_pages!("WHERE page.id = (SELECT page FROM request WHERE key = $1)");

const OF_NUMBER: &str = select_pages!("WHERE page.id = $1");

const CURRENT: &str = select_pages!("WHERE page.id > $1 AND request.page = page.id ORDER BY page.id LIMIT $2");

const CAPTURES: &str = select_pages!("WHERE page.id > $1 ORDER BY page.id LIMIT $2");

const OF_REQUEST_ALL: &str =
    select_pages!("WHERE page.request = (SELECT id FROM request WHERE key = $1) ORDER BY page.id");

/// The newest page of a request.
pub(super) fn page(session: &mut Session, request: &Request) -> Result<Option<StoredPage>, Fault> {
    Ok(list(session, OF_REQUEST, &[&&key(request)[..]])?.pop())
}

/// The answer of a number.
pub(super) fn capture(session: &mut Session, id: PageId) -> Result<Option<StoredPage>, Fault> {
    Ok(list(session, OF_NUMBER, &[&id.0])?.pop())
}

/// All answers to a request.
pub(super) fn captures_of(session: &mut Session, request: &Request) -> Result<Vec<StoredPage>, Fault> {
    list(session, OF_REQUEST_ALL, &[&&key(request)[..]])
}

/// The next pages that are the newest of their request.
pub(super) fn pages_after(session: &mut Session, after: PageId, max: usize) -> Result<Vec<StoredPage>, Fault> {
    list(session, CURRENT, &[&after.0, &i64::try_from(max).unwrap_or(i64::MAX)])
}

/// The next answers.
pub(super) fn captures_after(session: &mut Session, after: PageId, max: usize) -> Result<Vec<StoredPage>, Fault> {
    list(session, CAPTURES, &[&after.0, &i64::try_from(max).unwrap_or(i64::MAX)])
}

fn list(session: &mut Session, question: &'static str, values: &Values<'_>) -> Result<Vec<StoredPage>, Fault> {
    let rows = session.query(question, values)?;
    let page = |row: &Row| {
        let damaged = |reason| ArchiveError::Damaged {
            file: format!("page {}", row.get::<_, i64>(0)).into(),
            reason,
        };
        stored_page_in(row).map_err(|reason| Fault::Archive(damaged(reason)))
    };
    rows.iter().map(page).collect()
}

/// The page of a row; an error says what is wrong with it.
fn stored_page_in(row: &Row) -> Result<StoredPage, String> {
    let id = row.get(0);
    let headers = pairs_from_text(row.get(7)).map_err(|error| format!("its headers are no JSON: {error}"))?;
    let redirect: Option<&str> = row.get(8);
    let redirect = redirect.map(str::parse).transpose();
    let problems = problems_from_text(row.get(15)).map_err(|error| format!("its problems are no JSON: {error}"))?;
    let unmodified: Option<i64> = row.get(14);
    let first_page: Option<i64> = row.get(13);
    let length: Option<i64> = row.get(11);
    let hash: Option<&[u8]> = row.get(12);
    let parent: Option<&str> = row.get(16);
    Ok(StoredPage {
        id: PageId(id),
        request_id: RequestId(row.get(1)),
        request: request_in(row, 2)?,
        depth: u32::try_from(row.get::<_, i64>(5)).unwrap_or(u32::MAX),
        found_on: parent.and_then(|url| url.parse().ok()),
        status: u16::try_from(row.get::<_, i64>(6)).map_err(|error| format!("its status is none: {error}"))?,
        headers,
        redirect: redirect.map_err(|error: url::ParseError| format!("its redirect is no address: {error}"))?,
        fetched_at: UnixMillis(row.get(9)),
        checked_at: UnixMillis(row.get(10)),
        body_length: length.map_or(0, |length| u64::try_from(length).unwrap_or(0)),
        content_hash: hash.map(hash_in).transpose()?,
        alias_of: first_page
            .filter(|first| *first != id && unmodified.is_none())
            .map(PageId),
        unmodified: unmodified.map(PageId),
        problems,
    })
}

/// The hash in a column.
pub(super) fn hash_in(bytes: &[u8]) -> Result<ContentHash, String> {
    let bytes = bytes
        .try_into()
        .map_err(|_| format!("a hash has {} bytes", bytes.len()))?;
    Ok(ContentHash(bytes))
}
