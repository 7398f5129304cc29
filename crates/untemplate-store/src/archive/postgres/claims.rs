//! Claims on the server: giving requests out, to one worker each.
//!
//! A host is given to one worker by `FOR UPDATE SKIP LOCKED`, so that no claim waits for another;
//! what is read of its requests after that cannot change, since a request is only ever opened by
//! whoever has its host. The first statement looks at every host that may be asked: a crawl of
//! thousands of hosts pays a lookup in an index for each.

use std::collections::BTreeMap;

use postgres::Row;
use untemplate::page::Request;
use url::Url;

use super::moment::Moment;
use super::requests::request_in;
use super::schema::state;
use super::server::Fault;
use super::session::Session;
use crate::archive::page_store::validators;
use crate::archive::request_key::key;
use crate::archive::stored_text::pairs_from_text;
use crate::archive::{ArchiveError, Claim, ClaimOptions, ClaimToken, FrontierStatistics, RequestId, UnixMillis};

const WAKE_REQUESTS: &str = "UPDATE request SET state = 0 WHERE id IN (
    SELECT id FROM request WHERE state = 1 AND due <= $1 ORDER BY due LIMIT 1000 FOR UPDATE SKIP LOCKED)";

/// Which requests are claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All that are due.
    All,
    /// Those alone that somebody waits for.
    Wanted,
}

/// Hosts that may be asked, those with the best request first.
macro_rules! select_ready {
    ($which:literal) => {
        concat!(
            "SELECT host.id, host.delay_ms FROM host CROSS JOIN LATERAL (
                SELECT priority, id FROM request WHERE request.host = host.id AND state = 0",
            $which,
            " ORDER BY priority DESC, id LIMIT 1) AS head
            WHERE host.n_open = 0 AND host.next_due <= $1
            ORDER BY head.priority DESC, head.id LIMIT $2 FOR UPDATE OF host SKIP LOCKED"
        )
    };
}

const READY: &str = select_ready!("");

const READY_WANTED: &str = select_ready!(" AND is_wanted");

/// Hosts of requests that are asked for by name.
const READY_OF: &str = "SELECT id, delay_ms FROM host WHERE n_open = 0 AND next_due <= $1
    AND id IN (SELECT host FROM request WHERE key = ANY($2) AND state = 0)
    ORDER BY id FOR UPDATE SKIP LOCKED";

/// Asks for what a claim is made of; what follows says of which.
macro_rules! select_claims {
    ($which:literal) => {
        concat!(
            "SELECT host.id, host.name, request.id, request.method, request.url, request.body,
            request.n_retries, request.n_lapses, request.n_claims, request.depth, page.headers, parent.url, request.key
            FROM request JOIN host ON host.id = request.host LEFT JOIN page ON page.id = request.page
            LEFT JOIN request AS parent ON parent.id = request.found_on ",
            $which,
            " FOR UPDATE OF request SKIP LOCKED"
        )
    };
}

const OF_HOST: &str =
    select_claims!("WHERE request.host = $1 AND request.state = 0 ORDER BY request.priority DESC, request.id LIMIT $2");

const WANTED_OF_HOST: &str = select_claims!(
    "WHERE request.host = $1 AND request.state = 0 AND request.is_wanted
    ORDER BY request.priority DESC, request.id LIMIT $2"
);

const OF_KEYS: &str = select_claims!("WHERE request.key = ANY($1) AND request.host = ANY($2) AND request.state = 0");

const OPEN_REQUESTS: &str = "UPDATE request SET state = 2, n_claims = n_claims + 1, lease_until = $2, worker = $3
    WHERE id = ANY($1)";

const OPEN_HOSTS: &str = "UPDATE host SET n_open = n_open + opened.n
    FROM unnest($1::bigint[], $2::bigint[]) AS opened (id, n) WHERE host.id = opened.id";

const TALLY: &str = "SELECT state, sum(count)::bigint FROM tally GROUP BY state";

const NEXT_DUE: &str = "SELECT (SELECT count(*) FROM host), least(
    (SELECT next_due FROM host WHERE n_open = 0
        AND EXISTS (SELECT 1 FROM request WHERE request.host = host.id AND request.state = 0)
        ORDER BY next_due LIMIT 1),
    (SELECT min(due) FROM request WHERE state = 1))";

/// What is claimed in a transaction.
#[derive(Default)]
struct Claimed {
    claims: Vec<Claim>,
    /// Of each host, how many of its requests.
    hosts: BTreeMap<i64, i64>,
}

/// Gives out requests that are due.
pub(super) fn claim(
    session: &mut Session,
    which: Which,
    moment: &Moment,
    options: &ClaimOptions,
    worker: i64,
) -> Result<Vec<Claim>, Fault> {
    let (ready, of_host) = match which {
        Which::All => (READY, OF_HOST),
        Which::Wanted => (READY_WANTED, WANTED_OF_HOST),
    };
    session.execute(WAKE_REQUESTS, &[&moment.now])?;
    let hosts = session.query(ready, &[&moment.now, &count(options.claims_max)])?;
    let mut room = options.claims_max.saturating_sub(hosts.len());
    let mut claimed = Claimed::default();
    for row in hosts {
        let (host, delay_ms): (i64, i64) = (row.get(0), row.get(1));
        let more_max = room.min(options.of_host_max.saturating_sub(1));
        let most = if delay_ms > 0 { 1 } else { 1 + more_max };
        let rows = session.query(of_host, &[&host, &count(most)])?;
        room = room.saturating_sub(rows.len().saturating_sub(1));
        for row in rows {
            claimed.claims.push(claim_in(&row)?);
            *claimed.hosts.entry(host).or_default() += 1;
        }
    }
    claimed.open(session, moment, options, worker)
}

/// Gives out those of the requests that are due.
pub(super) fn claim_of(
    session: &mut Session,
    requests: &[Request],
    moment: &Moment,
    options: &ClaimOptions,
    worker: i64,
) -> Result<Vec<Claim>, Fault> {
    session.execute(WAKE_REQUESTS, &[&moment.now])?;
    let keys: Vec<Vec<u8>> = requests.iter().map(|request| key(request).to_vec()).collect();
    let delays: BTreeMap<i64, i64> = session
        .query(READY_OF, &[&moment.now, &keys])?
        .iter()
        .map(|row| (row.get(0), row.get(1)))
        .collect();
    let hosts: Vec<i64> = delays.keys().copied().collect();
    let mut found: BTreeMap<Vec<u8>, Row> = session
        .query(OF_KEYS, &[&keys, &hosts])?
        .into_iter()
        .map(|row| (row.get(12), row))
        .collect();
    let mut claimed = Claimed::default();
    for key in &keys {
        if claimed.claims.len() >= options.claims_max {
            break;
        }
        let Some(row) = found.remove(key) else { continue };
        let host: i64 = row.get(0);
        let has_delay = delays.get(&host).is_some_and(|delay_ms| *delay_ms > 0);
        let of_host_max = if has_delay { 1 } else { options.of_host_max };
        let n_opened = claimed.hosts.entry(host).or_default();
        if *n_opened < count(of_host_max) {
            *n_opened += 1;
            claimed.claims.push(claim_in(&row)?);
        }
    }
    claimed.open(session, moment, options, worker)
}

impl Claimed {
    fn open(
        self,
        session: &mut Session,
        moment: &Moment,
        options: &ClaimOptions,
        worker: i64,
    ) -> Result<Vec<Claim>, Fault> {
        if self.claims.is_empty() {
            return Ok(self.claims);
        }
        let ids: Vec<i64> = self.claims.iter().map(|claim| claim.id.0).collect();
        let until = moment.after(options.lease_ms);
        session.execute(OPEN_REQUESTS, &[&ids, &until, &worker])?;
        let (hosts, counts): (Vec<i64>, Vec<i64>) = self.hosts.into_iter().unzip();
        session.execute(OPEN_HOSTS, &[&hosts, &counts])?;
        Ok(self.claims)
    }
}

fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn claim_in(row: &Row) -> Result<Claim, ArchiveError> {
    let id = RequestId(row.get(2));
    let headers: Option<&str> = row.get(10);
    // Headers that cannot be read cost a full answer instead of "not modified", and nothing else.
    let headers = headers.and_then(|text| pairs_from_text(text).ok()).unwrap_or_default();
    let found_on: Option<&str> = row.get(11);
    let small = |index| u32::try_from(row.get::<_, i64>(index)).unwrap_or(u32::MAX);
    let request = request_in(row, 3).map_err(|reason| ArchiveError::Damaged {
        file: format!("request {}", id.0).into(),
        reason,
    })?;
    Ok(Claim {
        token: ClaimToken {
            request: id,
            number: row.get::<_, i64>(8) + 1,
        },
        id,
        request,
        host: row.get(1),
        attempt: small(6).saturating_add(1),
        n_lapses: small(7),
        depth: small(9),
        found_on: found_on.and_then(|url| Url::parse(url).ok()),
        validators: validators(&headers),
    })
}

/// How far the crawl is.
pub(super) fn statistics(session: &mut Session) -> Result<FrontierStatistics, postgres::Error> {
    let unsigned = |count: i64| u64::try_from(count).unwrap_or(0);
    let row = session.query_one(NEXT_DUE, &[])?;
    let next_due: Option<i64> = row.get(1);
    let mut statistics = FrontierStatistics {
        hosts: unsigned(row.get(0)),
        next_due: next_due.map(UnixMillis),
        ..FrontierStatistics::default()
    };
    for row in session.query(TALLY, &[])? {
        let count = unsigned(row.get(1));
        match row.get(0) {
            state::WAITING | state::DELAYED => statistics.waiting += count,
            state::OPEN => statistics.open = count,
            state::DONE => statistics.done = count,
            state::FAILED => statistics.failed = count,
            state::SKIPPED => statistics.skipped = count,
            _ => {}
        }
    }
    Ok(statistics)
}
