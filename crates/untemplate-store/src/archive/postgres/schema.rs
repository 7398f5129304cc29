//! The tables of an archive on a server, and how they are made.
//!
//! The states of a request and the meaning of the columns are those of the archive on SQLite, but
//! for these: the best request of a host is looked up by an index instead of being kept with the
//! host, since that would be one more row that everybody writes to; how many requests are in a
//! state is counted for each worker apart, in a slot of its own, for the same reason.

use super::address::ArchiveAddress;
use super::session::Session;
use crate::archive::ArchiveError;
use crate::table_file::sql_name::quoted;

/// The version of the layout that this program writes.
const VERSION: i64 = 1;

/// States of a request. SQL says these numbers literally, because partial indexes ask for that.
pub(super) mod state {
    pub(crate) const WAITING: i64 = 0;
    pub(crate) const DELAYED: i64 = 1;
    pub(crate) const OPEN: i64 = 2;
    pub(crate) const DONE: i64 = 3;
    pub(crate) const FAILED: i64 = 4;
    pub(crate) const SKIPPED: i64 = 5;
}

const TABLES: &str = "
CREATE TABLE untemplate_archive (version bigint NOT NULL, leader bigint, n_led bigint NOT NULL DEFAULT 0);
CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    started_at bigint NOT NULL,
    lease_ms bigint NOT NULL,
    lease_until bigint NOT NULL,
    ended_at bigint
);
CREATE INDEX worker_alive ON worker (lease_until) WHERE ended_at IS NULL;
CREATE TABLE host (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    next_due bigint NOT NULL,
    delay_ms bigint NOT NULL,
    state text NOT NULL DEFAULT '',
    n_open bigint NOT NULL DEFAULT 0
);
CREATE INDEX host_free ON host (next_due) WHERE n_open = 0;
CREATE TABLE request (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key bytea NOT NULL UNIQUE,
    method bigint NOT NULL,
    url text NOT NULL,
    body bytea,
    host bigint NOT NULL REFERENCES host,
    state bigint NOT NULL,
    priority double precision NOT NULL,
    due bigint NOT NULL,
    depth bigint NOT NULL,
    found_on bigint,
    added_at bigint NOT NULL,
    n_retries bigint NOT NULL DEFAULT 0,
    n_lapses bigint NOT NULL DEFAULT 0,
    n_claims bigint NOT NULL DEFAULT 0,
    lease_until bigint,
    worker bigint REFERENCES worker,
    is_wanted boolean NOT NULL DEFAULT false,
    reason text,
    page bigint
);
CREATE INDEX request_waiting ON request (host, priority DESC, id) WHERE state = 0;
CREATE INDEX request_wanted ON request (host, priority DESC, id) WHERE state = 0 AND is_wanted;
CREATE INDEX request_delayed ON request (due) WHERE state = 1;
CREATE INDEX request_open ON request (lease_until) WHERE state = 2;
CREATE INDEX request_open_of ON request (worker) WHERE state = 2;
CREATE INDEX request_ended ON request (state, id) WHERE state IN (4, 5);
CREATE TABLE body (
    hash bytea PRIMARY KEY,
    length bigint NOT NULL,
    packed bytea,
    first_page bigint
);
ALTER TABLE body ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE TABLE page (
    id bigint PRIMARY KEY,
    request bigint NOT NULL REFERENCES request,
    status bigint NOT NULL,
    headers text NOT NULL,
    body bytea REFERENCES body,
    redirect text,
    fetched_at bigint NOT NULL,
    checked_at bigint NOT NULL,
    unmodified bigint,
    problems text
);
CREATE INDEX page_request ON page (request);
CREATE TABLE tally (
    slot bigint NOT NULL,
    state bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (slot, state)
);
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
CREATE FUNCTION tally_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO tally SELECT current_setting('untemplate.slot')::bigint, moved.state, count(*)
        FROM arrived AS moved GROUP BY moved.state ORDER BY moved.state
        ON CONFLICT (slot, state) DO UPDATE SET count = tally.count + excluded.count;
    ELSE
        INSERT INTO tally SELECT current_setting('untemplate.slot')::bigint, moved.state, sum(moved.n)
        FROM (SELECT state, 1 AS n FROM arrived UNION ALL SELECT state, -1 FROM gone) AS moved
        GROUP BY moved.state HAVING sum(moved.n) <> 0 ORDER BY moved.state
        ON CONFLICT (slot, state) DO UPDATE SET count = tally.count + excluded.count;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER request_added AFTER INSERT ON request
    REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION tally_up();
CREATE TRIGGER request_moved AFTER UPDATE ON request
    REFERENCING OLD TABLE AS gone NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION tally_up();
";

/// A number of our own: whoever makes an archive holds this lock of the database.
const MAKE_LOCK: i64 = 0x756e_7461;

/// Whether the schema is there, and the names in it that are not an archive's.
const LOOK: &str = "SELECT to_regnamespace($1) IS NOT NULL,
    (SELECT min(relname)::text FROM pg_class WHERE relnamespace = to_regnamespace($1)),
    EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relname = 'untemplate_archive')";

/// Why an archive could not be made or used.
pub(super) enum Unfit {
    Server(postgres::Error),
    Archive(ArchiveError),
}

impl From<postgres::Error> for Unfit {
    fn from(error: postgres::Error) -> Self {
        Self::Server(error)
    }
}

/// Makes the archive where there is none, and refuses what is not one.
pub(super) fn prepare(session: &mut Session, address: &ArchiveAddress) -> Result<(), Unfit> {
    session.run("BEGIN")?;
    let prepared = prepare_within(session, address);
    session.run(if prepared.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    prepared
}

fn prepare_within(session: &mut Session, address: &ArchiveAddress) -> Result<(), Unfit> {
    let name = quoted(&address.schema);
    session.query_one("SELECT pg_advisory_xact_lock($1)", &[&MAKE_LOCK])?;
    let row = session.query_one(LOOK, &[&name])?;
    let (is_there, other, is_ours): (bool, Option<String>, bool) = (row.get(0), row.get(1), row.get(2));
    if is_ours {
        return check_version(session, address);
    }
    if let Some(other) = other {
        return Err(Unfit::Archive(ArchiveError::NotOurSchema {
            address: address.shown.clone(),
            schema: address.schema.clone(),
            reason: format!("it has {other}, and no table untemplate_archive"),
        }));
    }
    if !is_there {
        session.run(&format!("CREATE SCHEMA {name}"))?;
    }
    session.run(TABLES)?;
    session.execute("INSERT INTO untemplate_archive (version) VALUES ($1)", &[&VERSION])?;
    Ok(())
}

fn check_version(session: &mut Session, address: &ArchiveAddress) -> Result<(), Unfit> {
    let row = session.query_opt("SELECT max(version) FROM untemplate_archive", &[])?;
    let found: Option<i64> = row.and_then(|row| row.get(0));
    match found {
        Some(found) if found <= VERSION => Ok(()),
        Some(found) => Err(Unfit::Archive(ArchiveError::NewerVersion {
            file: address.shown.clone().into(),
            found,
            known: VERSION,
        })),
        None => Err(Unfit::Archive(ArchiveError::NotOurSchema {
            address: address.shown.clone(),
            schema: address.schema.clone(),
            reason: "its table untemplate_archive names no version".to_owned(),
        })),
    }
}
