//! Outcomes in the database: what becomes of a request when its claim ends, or a page comes without
//! a claim.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::pages::BodyOnDisk;
use super::schema::state;
use super::writing::Writing;
use crate::archive::request_key::key;
use crate::archive::{ClaimResult, ClaimToken, Committed, KeptPage, Outcome, PageId, UnixMillis};

const OPEN_CLAIM: &str = "SELECT host, page FROM request WHERE id = ?1 AND n_claims = ?2 AND state = 2";

const DONE: &str = "UPDATE request SET state = 3, page = ?2, reason = NULL, lease_until = NULL WHERE id = ?1";

const RETRY: &str = "UPDATE request SET state = 1, due = ?2, n_retries = n_retries + 1, lease_until = NULL
    WHERE id = ?1";

const RELEASE: &str = "UPDATE request SET state = 0, lease_until = NULL WHERE id = ?1";

const END: &str = "UPDATE request SET state = ?2, reason = ?3, lease_until = NULL WHERE id = ?1";

const KEPT_BEFORE: &str = "SELECT request.id, request.host, request.state, page.id, page.fetched_at, page.checked_at
    FROM request LEFT JOIN page ON page.id = request.page WHERE request.key = ?1";

/// Said of a server that answers "not modified" to a question that was not "has it changed?".
const NOTHING_STORED: &str = "the server says that the page is not modified, and none is stored";

/// The questions of this file that are asked all the time.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[OPEN_CLAIM, DONE, RETRY, RELEASE, END, KEPT_BEFORE];

/// Whether a claim is still open.
pub(super) fn is_open(connection: &Connection, token: ClaimToken) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(OPEN_CLAIM)?
        .exists([token.request.0, token.number])
}

/// What is known of a request when a page is kept for it.
struct Before {
    id: i64,
    host: i64,
    is_open: bool,
    page: Option<PageBefore>,
}

struct PageBefore {
    id: i64,
    fetched_at: UnixMillis,
    checked_at: UnixMillis,
}

impl Writing<'_> {
    /// Ends a claim, except for its links and its host.
    pub(super) fn settle(&mut self, outcome: &Outcome, body: Option<BodyOnDisk>) -> rusqlite::Result<Committed> {
        let ClaimToken { request, number } = outcome.token;
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let mut open = self.connection.prepare_cached(OPEN_CLAIM)?;
        let open: Option<(i64, Option<i64>)> = open.query_row([request.0, number], columns).optional()?;
        let Some((host, page)) = open else {
            return Ok(Committed::Refused);
        };
        self.free(host)?;
        match (&outcome.result, page) {
            (ClaimResult::Page(new), _) => {
                let (page, alias_of) = self.add_page(request.0, new, body)?;
                self.done(request.0, page)?;
                return Ok(Committed::Page { page, alias_of });
            }
            (ClaimResult::NotModified, Some(page)) => {
                self.add_unmodified(page, self.now)?;
                self.done(request.0, PageId(page))?;
            }
            (ClaimResult::NotModified, None) => self.end(request.0, state::FAILED, NOTHING_STORED)?,
            (ClaimResult::Retry { due }, _) => {
                let mut retry = self.connection.prepare_cached(RETRY)?;
                retry.execute([request.0, due.0])?;
            }
            (ClaimResult::Released, _) => {
                self.connection.prepare_cached(RELEASE)?.execute([request.0])?;
            }
            (ClaimResult::Failed { reason }, _) => self.end(request.0, state::FAILED, reason)?,
            (ClaimResult::Skipped { reason }, _) => self.end(request.0, state::SKIPPED, reason)?,
        }
        Ok(Committed::Noted)
    }

    /// Adds the links of an outcome and sets its host; returns how many links were new.
    pub(super) fn spread(&mut self, outcome: &Outcome, committed: Committed) -> rusqlite::Result<usize> {
        if committed == Committed::Refused {
            // What it found belongs to whoever holds the claim now. That the host was asked is true
            // all the same.
            if let Some(schedule) = &outcome.host {
                self.rest(&schedule.host, schedule.next_due)?;
            }
            return Ok(0);
        }
        if let Some(schedule) = &outcome.host {
            self.set_host(schedule)?;
        }
        self.add_requests(&outcome.links, Some(outcome.token.request))
    }

    /// Stores a page that comes without a claim.
    pub(super) fn keep(&mut self, kept: &KeptPage, body: Option<BodyOnDisk>) -> rusqlite::Result<Committed> {
        self.add_requests(std::slice::from_ref(&kept.request), None)?;
        let before = self.before(kept)?;
        let committed = match (&kept.page, before.page) {
            (Some(new), Some(page)) if new.fetched_at <= page.fetched_at => return Ok(Committed::Refused),
            (None, Some(page)) if kept.checked_at <= page.checked_at => return Ok(Committed::Refused),
            (None, None) => return Ok(Committed::Refused),
            (Some(new), _) => {
                let (page, alias_of) = self.add_page(before.id, new, body)?;
                self.done(before.id, page)?;
                Committed::Page { page, alias_of }
            }
            (None, Some(page)) => {
                self.add_unmodified(page.id, kept.checked_at)?;
                self.done(before.id, PageId(page.id))?;
                Committed::Noted
            }
        };
        self.touched.insert(before.host);
        if before.is_open {
            self.free(before.host)?;
        }
        Ok(committed)
    }

    fn before(&self, kept: &KeptPage) -> rusqlite::Result<Before> {
        let key = key(&kept.request.request);
        self.connection.prepare_cached(KEPT_BEFORE)?.query_row([key], before_in)
    }

    fn done(&mut self, request: i64, page: PageId) -> rusqlite::Result<()> {
        self.connection.prepare_cached(DONE)?.execute([request, page.0])?;
        Ok(())
    }

    fn end(&mut self, request: i64, state: i64, reason: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(END)?
            .execute(params![request, state, reason])?;
        Ok(())
    }
}

fn before_in(row: &Row<'_>) -> rusqlite::Result<Before> {
    Ok(Before {
        id: row.get(0)?,
        host: row.get(1)?,
        is_open: row.get::<_, i64>(2)? == state::OPEN,
        page: page_before_in(row)?,
    })
}

fn page_before_in(row: &Row<'_>) -> rusqlite::Result<Option<PageBefore>> {
    let Some(id) = row.get(3)? else { return Ok(None) };
    Ok(Some(PageBefore {
        id,
        fetched_at: UnixMillis(row.get(4)?),
        checked_at: UnixMillis(row.get(5)?),
    }))
}
