//! Claims that nobody will settle: those of workers that died, and those whose own lease ran out.

use super::server::Fault;
use super::session::Session;

/// Workers that were silent for too long. After a restart of the server each has its whole lease
/// again: nobody could renew while it was away.
macro_rules! silent {
    () => {
        "ended_at IS NULL AND lease_until <= now_ms()
        AND (extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint + lease_ms <= now_ms()"
    };
}

const ANY: &str = concat!(
    "SELECT EXISTS (SELECT 1 FROM request WHERE state = 2 AND lease_until <= $1)
    OR EXISTS (SELECT 1 FROM request JOIN worker ON worker.id = request.worker
        WHERE request.state = 2 AND worker.ended_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM worker WHERE ",
    silent!(),
    ")"
);

const END_SILENT: &str = concat!("UPDATE worker SET ended_at = now_ms() WHERE ", silent!());

const END: &str = "UPDATE worker SET ended_at = now_ms() WHERE id = $1 AND ended_at IS NULL";

/// The host may have been asked up to the end of the lease, or up to now.
const LAPSE: &str = "WITH gone AS (
        SELECT request.id, least(request.lease_until, worker.lease_until, $1) AS asked
        FROM request LEFT JOIN worker ON worker.id = request.worker AND worker.ended_at IS NOT NULL
        WHERE request.state = 2 AND (request.lease_until <= $1 OR worker.id IS NOT NULL)),
    lapsed AS (
        UPDATE request SET state = 0, n_lapses = n_lapses + 1, lease_until = NULL, worker = NULL
        FROM gone WHERE request.id = gone.id RETURNING request.host, gone.asked)
    UPDATE host SET n_open = greatest(n_open - lapsed.n, 0), next_due = greatest(next_due, lapsed.asked + delay_ms)
    FROM (SELECT host, count(*) AS n, max(asked) AS asked FROM lapsed GROUP BY host) AS lapsed
    WHERE host.id = lapsed.host";

/// A worker that ends in good order gives back what it has, and its hosts rest from now on.
const GIVE_BACK: &str = "WITH released AS (
        UPDATE request SET state = 0, lease_until = NULL, worker = NULL WHERE state = 2 AND worker = $1
        RETURNING host)
    UPDATE host SET n_open = greatest(n_open - released.n, 0), next_due = greatest(next_due, now_ms() + delay_ms)
    FROM (SELECT host, count(*) AS n FROM released GROUP BY host) AS released WHERE host.id = released.host";

/// What ended workers counted goes to the slot of nobody.
const FOLD: &str = "WITH gone AS (
        DELETE FROM tally WHERE slot <> 0 AND slot NOT IN (SELECT id FROM worker WHERE ended_at IS NULL)
        RETURNING state, count)
    INSERT INTO tally SELECT 0, state, sum(count) FROM gone GROUP BY state
    ON CONFLICT (slot, state) DO UPDATE SET count = tally.count + excluded.count";

/// Whether anything is to be taken back.
pub(super) fn any(session: &mut Session, now: i64) -> Result<bool, postgres::Error> {
    Ok(session.query_one(ANY, &[&now])?.get(0))
}

/// Ends workers that are silent, and takes back what nobody will settle. Nobody else may write.
pub(super) fn take_back(session: &mut Session, now: i64) -> Result<(), Fault> {
    session.execute(END_SILENT, &[])?;
    session.execute(LAPSE, &[&now])?;
    session.execute(FOLD, &[])?;
    Ok(())
}

/// Ends a worker that says so. Nobody else may write.
pub(super) fn end(session: &mut Session, worker: i64) -> Result<(), Fault> {
    session.execute(GIVE_BACK, &[&worker])?;
    session.execute(END, &[&worker])?;
    session.execute(FOLD, &[])?;
    Ok(())
}
