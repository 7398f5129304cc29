//! Pages in the database: what is known of each answer, and where its body is.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use untemplate::page::Request;

use super::requests::request_in;
use super::writing::Writing;
use crate::archive::page_store::{NewPage, PageId, StoredPage};
use crate::archive::request_key::key;
use crate::archive::segment::BodyPlace;
use crate::archive::stored_text::{pairs_from_text, pairs_to_text, problems_from_text, problems_to_text};
use crate::archive::{ContentHash, RequestId, UnixMillis};

/// Asks for stored pages; what follows says which.
macro_rules! select_pages {
    ($which:literal) => {
        concat!(
            "SELECT page.id, request.id, request.method, request.url, request.body, request.depth, page.status,
            page.headers, page.redirect, page.fetched_at, page.checked_at, body.length, body.hash, body.first_page,
            page.unmodified, page.problems, parent.url
            FROM page JOIN request ON request.id = page.request LEFT JOIN body ON body.id = page.body
            LEFT JOIN request AS parent ON parent.id = request.found_on ",
            $which
        )
    };
}

const OF_REQUEST: &str = select_pages!("WHERE page.id = (SELECT page FROM request WHERE key = ?1)");

const OF_NUMBER: &str = select_pages!("WHERE page.id = ?1");

const CURRENT: &str = select_pages!("WHERE page.id > ?1 AND request.page = page.id ORDER BY page.id LIMIT ?2");

const CAPTURES: &str = select_pages!("WHERE page.id > ?1 ORDER BY page.id LIMIT ?2");

const OF_REQUEST_ALL: &str =
    select_pages!("WHERE page.request = (SELECT id FROM request WHERE key = ?1) ORDER BY page.id");

const BODY_OF_PAGE: &str = "SELECT body.hash, body.segment, body.offset, body.stored_length, body.length
    FROM page LEFT JOIN body ON body.id = page.body WHERE page.id = ?1";

const BODY_OF_HASH: &str = "SELECT id, first_page FROM body WHERE hash = ?1";

const ADD_BODY: &str = "INSERT INTO body (hash, segment, offset, stored_length, length, first_page)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id";

const NEXT_PAGE: &str = "SELECT coalesce(max(id), 0) + 1 FROM page";

const ADD_PAGE: &str = "INSERT INTO page
    (id, request, status, headers, body, redirect, fetched_at, checked_at, problems)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)";

const ADD_UNMODIFIED: &str = "INSERT INTO page (id, request, status, headers, body, fetched_at, checked_at, unmodified)
    SELECT ?1, request, 304, '[]', body, ?3, ?3, id FROM page WHERE id = ?2";

const CHECKED: &str = "UPDATE page SET checked_at = max(checked_at, ?2) WHERE id = ?1";

const LAST_SEGMENT: &str = "SELECT number, length FROM segment ORDER BY number DESC LIMIT 1";

const NAME_SEGMENT: &str = "INSERT INTO segment (number, length) VALUES (?1, ?2)
    ON CONFLICT (number) DO UPDATE SET length = excluded.length";

/// The questions of this file that are asked all the time.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[
    OF_REQUEST,
    OF_REQUEST_ALL,
    OF_NUMBER,
    CURRENT,
    CAPTURES,
    BODY_OF_PAGE,
    BODY_OF_HASH,
    ADD_UNMODIFIED,
    CHECKED,
];

/// The newest page of a request.
pub(super) fn page(connection: &Connection, request: &Request) -> rusqlite::Result<Option<StoredPage>> {
    let mut statement = connection.prepare_cached(OF_REQUEST)?;
    statement.query_row([key(request)], stored_page_in).optional()
}

/// The answer of a number.
pub(super) fn capture(connection: &Connection, id: PageId) -> rusqlite::Result<Option<StoredPage>> {
    let mut statement = connection.prepare_cached(OF_NUMBER)?;
    statement.query_row([id.0], stored_page_in).optional()
}

/// All answers to a request.
pub(super) fn captures_of(connection: &Connection, request: &Request) -> rusqlite::Result<Vec<StoredPage>> {
    let mut statement = connection.prepare_cached(OF_REQUEST_ALL)?;
    statement.query_map([key(request)], stored_page_in)?.collect()
}

/// The next pages that are the newest of their request.
pub(super) fn pages_after(connection: &Connection, after: PageId, max: usize) -> rusqlite::Result<Vec<StoredPage>> {
    list(connection, CURRENT, after, max)
}

/// The next answers.
pub(super) fn captures_after(connection: &Connection, after: PageId, max: usize) -> rusqlite::Result<Vec<StoredPage>> {
    list(connection, CAPTURES, after, max)
}

fn list(connection: &Connection, question: &str, after: PageId, max: usize) -> rusqlite::Result<Vec<StoredPage>> {
    let max = i64::try_from(max).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(question)?;
    statement.query_map([after.0, max], stored_page_in)?.collect()
}

/// Where the body of a page is: `None` when there is no such page, `Some(None)` when its body is
/// empty.
pub(super) fn body_place(
    connection: &Connection,
    page: PageId,
) -> rusqlite::Result<Option<Option<(ContentHash, BodyPlace)>>> {
    let place = |row: &Row<'_>| {
        let Some(hash) = row.get::<_, Option<[u8; 32]>>(0)? else {
            return Ok(None);
        };
        let place = BodyPlace {
            segment: row.get(1)?,
            offset: unsigned(row, 2)?,
            stored_length: unsigned(row, 3)?,
            length: unsigned(row, 4)?,
        };
        Ok(Some((ContentHash(hash), place)))
    };
    connection
        .prepare_cached(BODY_OF_PAGE)?
        .query_row([page.0], place)
        .optional()
}

/// Whether a body with this hash is stored.
pub(super) fn has_body(connection: &Connection, hash: ContentHash) -> rusqlite::Result<bool> {
    connection.prepare_cached(BODY_OF_HASH)?.exists([hash.0])
}

/// The last segment that holds bodies, and how many of its bytes count; zeros when there is none.
pub(super) fn last_segment(connection: &Connection) -> rusqlite::Result<(i64, u64)> {
    let last = |row: &Row<'_>| Ok((row.get(0)?, unsigned(row, 1)?));
    Ok(connection
        .query_row(LAST_SEGMENT, [], last)
        .optional()?
        .unwrap_or((0, 0)))
}

fn unsigned(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(index)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, value))
}

fn stored_page_in(row: &Row<'_>) -> rusqlite::Result<StoredPage> {
    let id = row.get(0)?;
    let strange = |index, error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, error)
    };
    let headers = pairs_from_text(row.get_ref(7)?.as_str()?).map_err(|error| strange(7, error.into()))?;
    let redirect = row.get_ref(8)?.as_str_or_null()?.map(str::parse).transpose();
    let problems = problems_from_text(row.get_ref(15)?.as_str_or_null()?).map_err(|error| strange(15, error.into()))?;
    let unmodified: Option<i64> = row.get(14)?;
    let first_page: Option<i64> = row.get(13)?;
    let length: Option<i64> = row.get(11)?;
    Ok(StoredPage {
        id: PageId(id),
        request_id: RequestId(row.get(1)?),
        request: request_in(row, 2)?,
        depth: row.get(5)?,
        found_on: row.get_ref(16)?.as_str_or_null()?.and_then(|url| url.parse().ok()),
        status: row.get(6)?,
        headers,
        redirect: redirect.map_err(|error: url::ParseError| strange(8, error.into()))?,
        fetched_at: UnixMillis(row.get(9)?),
        checked_at: UnixMillis(row.get(10)?),
        body_length: length.map_or(0, |length| u64::try_from(length).unwrap_or(0)),
        content_hash: row.get::<_, Option<[u8; 32]>>(12)?.map(ContentHash),
        alias_of: first_page
            .filter(|first| *first != id && unmodified.is_none())
            .map(PageId),
        unmodified: unmodified.map(PageId),
        problems,
    })
}

/// A body that is on the disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyOnDisk {
    pub(super) hash: ContentHash,
    /// Where it was just written; `None` if it was there before.
    pub(super) place: Option<BodyPlace>,
}

impl Writing<'_> {
    /// Names the end of the segment that was just written.
    pub(super) fn name_segment(&mut self, (number, length): (i64, u64)) -> rusqlite::Result<()> {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        self.connection
            .prepare_cached(NAME_SEGMENT)?
            .execute([number, length])?;
        Ok(())
    }

    /// Adds a page; returns its number and that of the first page with the same body, if it is
    /// another one.
    pub(super) fn add_page(
        &mut self,
        request: i64,
        new: &NewPage,
        body: Option<BodyOnDisk>,
    ) -> rusqlite::Result<(PageId, Option<PageId>)> {
        let id = self.next_page()?;
        let body = body.map(|body| self.body_row(body, id)).transpose()?;
        let redirect = new.redirect.as_ref().map(url::Url::as_str);
        self.connection.prepare_cached(ADD_PAGE)?.execute(params![
            id,
            request,
            new.status,
            pairs_to_text(&new.headers),
            body.map(|(row, _)| row),
            redirect,
            new.fetched_at.0,
            problems_to_text(&new.problems)
        ])?;
        let alias_of = body.map(|(_, first)| first).filter(|first| *first != id);
        Ok((PageId(id), alias_of.map(PageId)))
    }

    /// Notes that a page is still right.
    pub(super) fn add_unmodified(&mut self, page: i64, checked_at: UnixMillis) -> rusqlite::Result<()> {
        let id = self.next_page()?;
        self.connection
            .prepare_cached(ADD_UNMODIFIED)?
            .execute([id, page, checked_at.0])?;
        self.connection.prepare_cached(CHECKED)?.execute([page, checked_at.0])?;
        Ok(())
    }

    /// The row of a body, and the first page that has it.
    fn body_row(&mut self, body: BodyOnDisk, page: i64) -> rusqlite::Result<(i64, i64)> {
        let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let mut known = self.connection.prepare_cached(BODY_OF_HASH)?;
        let known = known.query_row([body.hash.0], pair).optional()?;
        match (known, body.place) {
            (Some(known), _) => Ok(known),
            (None, None) => Err(rusqlite::Error::QueryReturnedNoRows),
            (None, Some(place)) => {
                let [offset, stored, length] = [place.offset, place.stored_length, place.length]
                    .map(|value| i64::try_from(value).unwrap_or(i64::MAX));
                let values = params![body.hash.0, place.segment, offset, stored, length, page];
                let row = self
                    .connection
                    .prepare_cached(ADD_BODY)?
                    .query_row(values, |row| row.get(0))?;
                Ok((row, page))
            }
        }
    }

    fn next_page(&mut self) -> rusqlite::Result<i64> {
        let next = match self.next_page {
            Some(next) => next,
            None => self
                .connection
                .prepare_cached(NEXT_PAGE)?
                .query_row([], |row| row.get(0))?,
        };
        self.next_page = Some(next + 1);
        Ok(next)
    }
}
