//! Pages on the server, as they are added.

use std::collections::HashMap;

use super::moment::{bounded, text};
use super::session::Session;
use crate::archive::page_store::{NewPage, PageId};
use crate::archive::stored_text::{pairs_to_text, problems_to_text};
use crate::archive::{ContentHash, UnixMillis};

const NEXT: &str = "SELECT coalesce(max(id), 0) + 1 FROM page";

const ADD: &str = "INSERT INTO page (id, request, status, headers, body, redirect, fetched_at, checked_at, problems)
    SELECT new.id, new.request, new.status, new.headers, new.body, new.redirect, new.fetched_at, new.fetched_at,
        new.problems
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::text[], $7::bigint[], $8::text[])
        AS new (id, request, status, headers, body, redirect, fetched_at, problems)";

const NAME_FIRST: &str = "UPDATE body SET first_page = named.page
    FROM (SELECT hash, min(page) AS page FROM unnest($1::bytea[], $2::bigint[]) AS new (hash, page) GROUP BY hash)
        AS named
    WHERE body.hash = named.hash AND body.first_page IS NULL";

const FIRST: &str = "SELECT hash, first_page FROM body WHERE hash = ANY($1)";

const DONE: &str = "UPDATE request SET state = 3, page = done.page, reason = NULL, lease_until = NULL, worker = NULL,
        is_wanted = false
    FROM unnest($1::bigint[], $2::bigint[]) AS done (id, page) WHERE request.id = done.id";

const ADD_UNMODIFIED: &str = "INSERT INTO page (id, request, status, headers, body, fetched_at, checked_at, unmodified)
    SELECT $1, request, 304, '[]', body, $3, $3, id FROM page WHERE id = $2";

const CHECKED: &str = "UPDATE page SET checked_at = greatest(checked_at, $2) WHERE id = $1";

/// A page that is to be added, whose body is on the server.
pub(super) struct PageRow<'a> {
    pub(super) id: i64,
    pub(super) request: i64,
    pub(super) page: &'a NewPage,
    pub(super) hash: Option<ContentHash>,
}

/// The number of the next page. Nobody else may write.
pub(super) fn next(session: &mut Session) -> Result<i64, postgres::Error> {
    Ok(session.query_one(NEXT, &[])?.get(0))
}

/// Adds pages, whose requests are done; returns the first page with the same body for each, where
/// that is another one.
pub(super) fn add(session: &mut Session, rows: &[PageRow<'_>]) -> Result<Vec<Option<PageId>>, postgres::Error> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let requests: Vec<i64> = rows.iter().map(|row| row.request).collect();
    let statuses: Vec<i64> = rows.iter().map(|row| i64::from(row.page.status)).collect();
    let headers: Vec<String> = rows.iter().map(|row| pairs_to_text(&row.page.headers)).collect();
    let hashes: Vec<Option<&[u8]>> = rows
        .iter()
        .map(|row| row.hash.as_ref().map(|hash| &hash.0[..]))
        .collect();
    let redirects: Vec<Option<&str>> = rows
        .iter()
        .map(|row| row.page.redirect.as_ref().map(url::Url::as_str))
        .collect();
    let times: Vec<i64> = rows.iter().map(|row| bounded(row.page.fetched_at)).collect();
    let problems: Vec<Option<String>> = rows
        .iter()
        .map(|row| problems_to_text(&row.page.problems).map(|problems| text(&problems).into_owned()))
        .collect();
    session.execute(
        ADD,
        &[
            &ids, &requests, &statuses, &headers, &hashes, &redirects, &times, &problems,
        ],
    )?;
    session.execute(DONE, &[&requests, &ids])?;
    session.execute(NAME_FIRST, &[&hashes, &ids])?;
    let known: Vec<&[u8]> = hashes.iter().flatten().copied().collect();
    let firsts: HashMap<Vec<u8>, i64> = session
        .query(FIRST, &[&known])?
        .iter()
        .map(|row| (row.get(0), row.get(1)))
        .collect();
    let alias = |row: &PageRow<'_>| {
        let first = firsts.get(&row.hash?.0[..]).copied()?;
        (first != row.id).then_some(PageId(first))
    };
    Ok(rows.iter().map(alias).collect())
}

/// Notes that a page is still right, under a number of its own; its request is done.
pub(super) fn add_unmodified(
    session: &mut Session,
    id: i64,
    (request, page): (i64, i64),
    checked_at: UnixMillis,
) -> Result<(), postgres::Error> {
    session.execute(ADD_UNMODIFIED, &[&id, &page, &bounded(checked_at)])?;
    session.execute(CHECKED, &[&page, &bounded(checked_at)])?;
    session.execute(DONE, &[&vec![request], &vec![page]])?;
    Ok(())
}
