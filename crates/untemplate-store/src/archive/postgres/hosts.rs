//! Hosts on the server: their schedules.

use std::collections::BTreeMap;

use super::moment::{Moment, bounded, text};
use super::session::Session;
use crate::archive::{HostSchedule, UnixMillis};

/// A delay is added to times; a year is long enough, and no sum overflows.
const DELAY_MS_MAX: i64 = 365 * 24 * 3_600 * 1_000;

const READ: &str = "SELECT next_due, delay_ms, state FROM host WHERE name = $1";

const SET: &str = "INSERT INTO host (name, next_due, delay_ms, state) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO UPDATE SET next_due = excluded.next_due, delay_ms = excluded.delay_ms,
    state = excluded.state";

/// Whoever was thought dead may have said that the host wants a longer rest.
const LEARN: &str = "INSERT INTO host (name, next_due, delay_ms, state) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO UPDATE SET next_due = greatest(host.next_due, excluded.next_due),
    delay_ms = excluded.delay_ms, state = excluded.state";

const REST: &str = "UPDATE host SET next_due = greatest(next_due, $2) WHERE name = $1";

const FREE: &str = "UPDATE host SET n_open = greatest(n_open - freed.n, 0)
    FROM unnest($1::bigint[], $2::bigint[]) AS freed (id, n) WHERE host.id = freed.id";

const WAKE: &str = "UPDATE request SET due = 0, n_retries = 0
    WHERE state = 1 AND host = (SELECT id FROM host WHERE name = $1)";

const RESTING: &str = "SELECT name FROM host WHERE next_due > $1 ORDER BY name COLLATE \"C\"";

const WAITING_BESIDES: &str = "SELECT EXISTS (SELECT 1 FROM host WHERE name <> ALL($1)
    AND EXISTS (SELECT 1 FROM request WHERE request.host = host.id AND request.state IN (0, 1)))";

/// The schedule of a host.
pub(super) fn host(session: &mut Session, name: &str) -> Result<Option<HostSchedule>, postgres::Error> {
    let row = session.query_opt(READ, &[&name])?;
    Ok(row.map(|row| HostSchedule {
        host: name.to_owned(),
        next_due: UnixMillis(row.get(0)),
        delay_ms: row.get(1),
        state: row.get(2),
    }))
}

/// Sets the schedule of a host.
pub(super) fn set(session: &mut Session, schedule: &HostSchedule) -> Result<(), postgres::Error> {
    write(session, SET, schedule, bounded(schedule.next_due))
}

/// Sets the schedule of a host, and makes its requests due.
pub(super) fn wake(session: &mut Session, schedule: &HostSchedule) -> Result<(), postgres::Error> {
    set(session, schedule)?;
    session.execute(WAKE, &[&schedule.host])?;
    Ok(())
}

/// Takes over what a worker has learnt of a host that it had claimed.
pub(super) fn learn(session: &mut Session, schedule: &HostSchedule, moment: &Moment) -> Result<(), postgres::Error> {
    write(session, LEARN, schedule, moment.stored(schedule.next_due))
}

fn write(
    session: &mut Session,
    sql: &'static str,
    schedule: &HostSchedule,
    next_due: i64,
) -> Result<(), postgres::Error> {
    let delay_ms = schedule.delay_ms.clamp(0, DELAY_MS_MAX);
    let state = text(&schedule.state);
    session.execute(sql, &[&schedule.host, &next_due, &delay_ms, &&*state])?;
    Ok(())
}

/// Lets a host rest at least until then.
pub(super) fn rest(session: &mut Session, host: &str, until: i64) -> Result<(), postgres::Error> {
    session.execute(REST, &[&host, &until])?;
    Ok(())
}

/// Takes a number of open claims from each host.
pub(super) fn free(session: &mut Session, hosts: &BTreeMap<i64, i64>) -> Result<(), postgres::Error> {
    let (ids, counts): (Vec<i64>, Vec<i64>) = hosts.iter().unzip();
    if !ids.is_empty() {
        session.execute(FREE, &[&ids, &counts])?;
    }
    Ok(())
}

/// The hosts that may not be asked now.
pub(super) fn resting(session: &mut Session, now: i64) -> Result<Vec<String>, postgres::Error> {
    let rows = session.query(RESTING, &[&now])?;
    Ok(rows.into_iter().map(|row| row.get(0)).collect())
}

/// Whether requests wait on other hosts than these.
pub(super) fn has_waiting_besides(session: &mut Session, hosts: &[String]) -> Result<bool, postgres::Error> {
    Ok(session.query_one(WAITING_BESIDES, &[&hosts])?.get(0))
}
