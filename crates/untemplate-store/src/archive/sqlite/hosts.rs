//! Hosts in the database: their schedules, and the head of each, which is the best of its waiting
//! requests.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::writing::Writing;
use crate::archive::{HostSchedule, UnixMillis};

/// A delay is added to times; a year is long enough, and no sum overflows.
const DELAY_MS_MAX: i64 = 365 * 24 * 3_600 * 1_000;

const FIND: &str = "SELECT id FROM host WHERE name = ?1";

const ADD: &str = "INSERT INTO host (name, next_due, delay_ms) VALUES (?1, 0, ?2) RETURNING id";

const READ: &str = "SELECT next_due, delay_ms, state FROM host WHERE name = ?1";

const SET: &str = "INSERT INTO host (name, next_due, delay_ms, state) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (name) DO UPDATE SET next_due = excluded.next_due, delay_ms = excluded.delay_ms,
    state = excluded.state, is_resting = 1";

const REST: &str = "UPDATE host SET next_due = max(next_due, ?2), is_resting = 1 WHERE name = ?1";

const FREE: &str = "UPDATE host SET is_open = max(is_open - 1, 0) WHERE id = ?1";

const FIND_HEAD: &str = "UPDATE host SET (head_request, head_priority) =
    (SELECT id, priority FROM request WHERE host = ?1 AND state = 0 ORDER BY priority DESC, id LIMIT 1) WHERE id = ?1";

const FIND_ALL_HEADS: &str = "UPDATE host SET (head_request, head_priority) =
    (SELECT id, priority FROM request WHERE host = host.id AND state = 0 ORDER BY priority DESC, id LIMIT 1)";

const WAKE: &str = "UPDATE request SET due = 0, n_retries = 0
    WHERE state = 1 AND host = (SELECT id FROM host WHERE name = ?1)";

const RESTING: &str = "SELECT name FROM host WHERE next_due > ?1 ORDER BY name";

const WAITING_HOSTS: &str = "SELECT name FROM host WHERE EXISTS
    (SELECT 1 FROM request WHERE host = host.id AND state IN (0, 1))";

/// The questions of this file that are asked all the time.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[FIND, READ, SET, REST, FREE, FIND_HEAD];

/// The schedule of a host.
pub(super) fn host(connection: &Connection, name: &str) -> rusqlite::Result<Option<HostSchedule>> {
    let schedule = |row: &Row<'_>| {
        Ok(HostSchedule {
            host: name.to_owned(),
            next_due: UnixMillis(row.get(0)?),
            delay_ms: row.get(1)?,
            state: row.get(2)?,
        })
    };
    connection.prepare_cached(READ)?.query_row([name], schedule).optional()
}

/// The hosts that may not be asked before this time.
pub(super) fn resting(connection: &Connection, now: UnixMillis) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(RESTING)?;
    let names = statement.query_map([now.0], |row| row.get(0))?;
    names.collect()
}

/// Whether requests wait on other hosts than these.
pub(super) fn has_waiting_besides(connection: &Connection, hosts: &[String]) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare(WAITING_HOSTS)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    for name in names {
        if !hosts.contains(&name?) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Writing<'_> {
    /// Sets the schedule of a host, and makes its requests due.
    pub(super) fn wake_host(&mut self, schedule: &HostSchedule) -> rusqlite::Result<()> {
        self.set_host(schedule)?;
        self.connection.prepare_cached(WAKE)?.execute([&schedule.host])?;
        Ok(())
    }

    /// The number of a host, known or not.
    pub(super) fn host_id(&mut self, name: String) -> rusqlite::Result<i64> {
        if let Some(id) = self.host_ids.get(&name) {
            return Ok(*id);
        }
        let first = |row: &Row<'_>| row.get(0);
        let found = self
            .connection
            .prepare_cached(FIND)?
            .query_row([&name], first)
            .optional()?;
        let id = match found {
            Some(id) => id,
            None => self
                .connection
                .prepare_cached(ADD)?
                .query_row(params![name, self.host_delay_ms], first)?,
        };
        self.host_ids.insert(name, id);
        Ok(id)
    }

    /// Sets the schedule of a host.
    pub(super) fn set_host(&mut self, schedule: &HostSchedule) -> rusqlite::Result<()> {
        let HostSchedule { host, state, .. } = schedule;
        let delay_ms = schedule.delay_ms.clamp(0, DELAY_MS_MAX);
        let values = params![host, schedule.next_due.0, delay_ms, state];
        self.connection.prepare_cached(SET)?.execute(values)?;
        Ok(())
    }

    /// Lets a host rest at least until then.
    pub(super) fn rest(&mut self, host: &str, until: UnixMillis) -> rusqlite::Result<()> {
        self.connection.prepare_cached(REST)?.execute(params![host, until.0])?;
        Ok(())
    }

    /// The host has one open claim less.
    pub(super) fn free(&mut self, host: i64) -> rusqlite::Result<()> {
        self.touched.insert(host);
        self.connection.prepare_cached(FREE)?.execute([host])?;
        Ok(())
    }

    /// Finds the best waiting request of a host.
    pub(super) fn find_head(&mut self, host: i64) -> rusqlite::Result<()> {
        self.connection.prepare_cached(FIND_HEAD)?.execute([host])?;
        Ok(())
    }

    /// Finds the best waiting request of every host.
    pub(super) fn find_all_heads(&mut self) -> rusqlite::Result<()> {
        self.connection.prepare_cached(FIND_ALL_HEADS)?.execute([])?;
        Ok(())
    }
}
