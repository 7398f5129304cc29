//! Requests in the database: adding, finding, scoring.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use untemplate::page::Request;

use super::schema::state;
use super::writing::Writing;
use crate::archive::known_keys::Key;
use crate::archive::request_key::{address, key, method_number, method_of, ordered};
use crate::archive::{Fate, NewRequest, RequestId, host_name};

const ADD: &str = "INSERT INTO request (key, method, url, body, host, state, priority, due, depth, found_on, added_at)
    VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?7) ON CONFLICT (key) DO NOTHING";

const FATE: &str = "SELECT state, reason FROM request WHERE key = ?1";

const REFRESH: &str = "UPDATE request SET state = 0, due = 0, n_retries = 0, reason = NULL
    WHERE state = 3 AND page IN (SELECT id FROM page WHERE checked_at < ?1)";

const RETRY: &str = "UPDATE request SET state = 0, due = 0, n_retries = 0, reason = NULL WHERE state = ?1";

const REVIVE: &str = "UPDATE request SET state = 0, due = 0, n_retries = 0, reason = NULL
    WHERE key = ?1 AND state IN (4, 5) RETURNING host";

const SKIPPED_BECAUSE: &str = "SELECT count(*) FROM request WHERE state = 5 AND substr(reason, 1, length(?1)) = ?1";

/// The questions of this file that are asked all the time.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[FATE, REVIVE];

/// The request in three columns from `first` on: method, address, body.
pub(super) fn request_in(row: &Row<'_>, first: usize) -> rusqlite::Result<Request> {
    let number = row.get(first)?;
    let method = method_of(number).ok_or(rusqlite::Error::IntegralValueOutOfRange(first, number))?;
    let url = row.get_ref(first + 1)?.as_str()?.parse();
    let url = url.map_err(|error| rusqlite::Error::FromSqlConversionFailure(first + 1, Type::Text, Box::new(error)))?;
    let body = row.get::<_, Option<Vec<u8>>>(first + 2)?.unwrap_or_default();
    Ok(Request { method, url, body })
}

/// What is known of a request.
pub(super) fn fate(connection: &Connection, request: &Request) -> rusqlite::Result<Option<Fate>> {
    let mut statement = connection.prepare_cached(FATE)?;
    let fate = |row: &Row<'_>| {
        let reason = row.get::<_, Option<String>>(1)?.unwrap_or_default();
        Ok(match row.get(0)? {
            state::OPEN => Fate::Open,
            state::DONE => Fate::Done,
            state::FAILED => Fate::Failed { reason },
            state::SKIPPED => Fate::Skipped { reason },
            _ => Fate::Waiting,
        })
    };
    statement.query_row([key(request)], fate).optional()
}

/// How many requests were not made for a reason that begins so.
pub(super) fn skipped_because(connection: &Connection, begin: &str) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare(SKIPPED_BECAUSE)?;
    let count: i64 = statement.query_row([begin], |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}

impl Writing<'_> {
    /// Adds requests that are not known; returns how many were new. `found_on` stands in where they
    /// do not say.
    pub(super) fn add_requests(
        &mut self,
        requests: &[NewRequest],
        found_on: Option<RequestId>,
    ) -> rusqlite::Result<usize> {
        let mut n_new = 0;
        for new in requests {
            let key = key(&new.request);
            if !self.known.contains(&key) {
                n_new += self.add_request(&key, new, new.found_on.or(found_on))?;
                self.keys.push(key);
            }
        }
        Ok(n_new)
    }

    fn add_request(&mut self, key: &Key, new: &NewRequest, found_on: Option<RequestId>) -> rusqlite::Result<usize> {
        let host = self.host_id(host_name(&new.request.url))?;
        let method = method_number(new.request.method);
        let body = Some(&new.request.body).filter(|body| !body.is_empty());
        let (priority, url) = (ordered(new.priority), address(&new.request));
        let found_on = found_on.map(|id| id.0);
        let added = self.connection.prepare_cached(ADD)?.execute(params![
            key, method, url, body, host, priority, self.now.0, new.depth, found_on
        ])?;
        if added > 0 {
            self.touched.insert(host);
        }
        Ok(added)
    }

    /// Adds requests that are not known, and makes those due that failed or were not made.
    pub(super) fn want(&mut self, requests: &[NewRequest]) -> rusqlite::Result<()> {
        self.add_requests(requests, None)?;
        let mut revive = self.connection.prepare_cached(REVIVE)?;
        for new in requests {
            let host = revive.query_row([key(&new.request)], |row| row.get::<_, i64>(0));
            self.touched.extend(host.optional()?);
        }
        Ok(())
    }

    /// Makes pages due that were last checked before this time.
    pub(super) fn refresh(&mut self, before: i64) -> rusqlite::Result<usize> {
        let n_due = self.connection.prepare_cached(REFRESH)?.execute([before])?;
        self.find_all_heads()?;
        Ok(n_due)
    }

    /// Makes requests due that have ended in a state.
    pub(super) fn retry(&mut self, state: i64) -> rusqlite::Result<usize> {
        let n_due = self.connection.prepare_cached(RETRY)?.execute([state])?;
        self.find_all_heads()?;
        Ok(n_due)
    }
}
