//! Requests on the server: adding, finding, scoring.

use postgres::Row;
use untemplate::page::Request;

use super::moment::bounded;
use super::schema::state;
use super::session::Session;
use crate::archive::known_keys::{Key, KnownKeys};
use crate::archive::request_key::{address, key, method_number, method_of, ordered};
use crate::archive::{Fate, NewRequest, RequestId, UnixMillis, host_name};

const ADD_HOSTS: &str = "INSERT INTO host (name, next_due, delay_ms)
    SELECT named.name, 0, $2 FROM unnest($1::text[]) WITH ORDINALITY AS named (name, place)
    WHERE NOT EXISTS (SELECT 1 FROM host WHERE host.name = named.name)
    ORDER BY named.place ON CONFLICT (name) DO NOTHING";

const ADD: &str = "INSERT INTO request
        (key, method, url, body, host, state, priority, due, depth, found_on, added_at)
    SELECT new.key, new.method, new.url, new.body, host.id, 0, new.priority, $9, new.depth, new.found_on, $9
    FROM unnest($1::bytea[], $2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::double precision[], $7::bigint[],
        $8::bigint[]) WITH ORDINALITY AS new (key, method, url, body, host, priority, depth, found_on, place)
    JOIN host ON host.name = new.host
    WHERE NOT EXISTS (SELECT 1 FROM request WHERE request.key = new.key)
    ORDER BY new.place ON CONFLICT (key) DO NOTHING";

const FATE: &str = "SELECT state, reason FROM request WHERE key = $1";

const REFRESH: &str = "UPDATE request SET state = 0, due = 0, n_retries = 0, reason = NULL
    WHERE state = 3 AND page IN (SELECT id FROM page WHERE checked_at < $1)";

const RETRY: &str = "UPDATE request SET state = 0, due = 0, n_retries = 0, reason = NULL WHERE state = $1";

const REVIVE: &str = "UPDATE request SET state = 0, due = 0, n_retries = 0, reason = NULL
    WHERE key = ANY($1) AND state IN (4, 5)";

/// What somebody waits for, and others may help with.
const WANT: &str = "UPDATE request SET is_wanted = true WHERE key = ANY($1) AND state IN (0, 1) AND NOT is_wanted";

const SKIPPED_BECAUSE: &str = "SELECT count(*) FROM request WHERE state = 5 AND starts_with(reason, $1)";

/// The request in three columns from `first` on: method, address, body. An error says what is wrong
/// with it.
pub(super) fn request_in(row: &Row, first: usize) -> Result<Request, String> {
    let number: i64 = row.get(first);
    let method = method_of(number).ok_or_else(|| format!("a request has the method {number}"))?;
    let url: &str = row.get(first + 1);
    let url = url
        .parse()
        .map_err(|error| format!("a request has the address {url:?}: {error}"))?;
    let body = row.get::<_, Option<Vec<u8>>>(first + 2).unwrap_or_default();
    Ok(Request { method, url, body })
}

/// What is known of a request.
pub(super) fn fate(session: &mut Session, request: &Request) -> Result<Option<Fate>, postgres::Error> {
    let row = session.query_opt(FATE, &[&&key(request)[..]])?;
    Ok(row.map(|row| {
        let reason = row.get::<_, Option<String>>(1).unwrap_or_default();
        match row.get(0) {
            state::OPEN => Fate::Open,
            state::DONE => Fate::Done,
            state::FAILED => Fate::Failed { reason },
            state::SKIPPED => Fate::Skipped { reason },
            _ => Fate::Waiting,
        }
    }))
}

/// How many requests were not made for a reason that begins so.
pub(super) fn skipped_because(session: &mut Session, begin: &str) -> Result<u64, postgres::Error> {
    let count: i64 = session.query_one(SKIPPED_BECAUSE, &[&begin])?.get(0);
    Ok(u64::try_from(count).unwrap_or(0))
}

/// A request that is to be added, and on which page it was found.
pub(super) type Found<'a> = (&'a NewRequest, Option<RequestId>);

/// Requests as columns.
#[derive(Default)]
struct Columns<'a> {
    keys: Vec<Vec<u8>>,
    methods: Vec<i64>,
    urls: Vec<&'a str>,
    bodies: Vec<Option<&'a [u8]>>,
    hosts: Vec<String>,
    priorities: Vec<f64>,
    depths: Vec<i64>,
    found_on: Vec<Option<i64>>,
}

/// Adds requests that are not known; returns how many were new, and the keys that are known from
/// then on.
pub(super) fn add(
    session: &mut Session,
    requests: &[Found<'_>],
    known: &KnownKeys,
    host_delay_ms: i64,
    now: UnixMillis,
) -> Result<(usize, Vec<Key>), postgres::Error> {
    let (mut columns, mut keys) = (Columns::default(), Vec::new());
    for (new, found_on) in requests {
        let key = key(&new.request);
        if known.contains(&key) {
            continue;
        }
        keys.push(key);
        columns.keys.push(key.to_vec());
        columns.methods.push(i64::from(method_number(new.request.method)));
        columns.urls.push(address(&new.request));
        columns
            .bodies
            .push(Some(&new.request.body[..]).filter(|body| !body.is_empty()));
        columns.hosts.push(host_name(&new.request.url));
        columns.priorities.push(ordered(new.priority));
        columns.depths.push(i64::from(new.depth));
        columns.found_on.push(new.found_on.or(*found_on).map(|id| id.0));
    }
    if keys.is_empty() {
        return Ok((0, keys));
    }
    let mut hosts: Vec<&str> = columns.hosts.iter().map(String::as_str).collect();
    let mut seen = std::collections::HashSet::new();
    hosts.retain(|host| seen.insert(*host));
    session.execute(ADD_HOSTS, &[&hosts, &host_delay_ms])?;
    let n_new = session.execute(
        ADD,
        &[
            &columns.keys,
            &columns.methods,
            &columns.urls,
            &columns.bodies,
            &columns.hosts,
            &columns.priorities,
            &columns.depths,
            &columns.found_on,
            &bounded(now),
        ],
    )?;
    Ok((usize::try_from(n_new).unwrap_or(usize::MAX), keys))
}

/// Makes requests due that failed or were not made, and says that somebody waits for them.
pub(super) fn want(session: &mut Session, requests: &[NewRequest]) -> Result<(), postgres::Error> {
    let keys: Vec<Vec<u8>> = requests.iter().map(|new| key(&new.request).to_vec()).collect();
    session.execute(REVIVE, &[&keys])?;
    session.execute(WANT, &[&keys])?;
    Ok(())
}

/// Makes pages due that were last checked before this time.
pub(super) fn refresh(session: &mut Session, before: UnixMillis) -> Result<usize, postgres::Error> {
    let n_due = session.execute(REFRESH, &[&bounded(before)])?;
    Ok(usize::try_from(n_due).unwrap_or(usize::MAX))
}

/// Makes requests due that have ended in a state.
pub(super) fn retry(session: &mut Session, state: i64) -> Result<usize, postgres::Error> {
    let n_due = session.execute(RETRY, &[&state])?;
    Ok(usize::try_from(n_due).unwrap_or(usize::MAX))
}
