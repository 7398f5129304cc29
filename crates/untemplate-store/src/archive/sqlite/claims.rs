//! Claims in the database: giving requests out, and taking them back when a lease runs out.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use untemplate::page::Request;
use url::Url;

use super::requests::request_in;
use super::schema::state;
use super::writing::Writing;
use crate::archive::page_store::validators;
use crate::archive::request_key::key;
use crate::archive::stored_text::pairs_from_text;
use crate::archive::{Claim, ClaimOptions, ClaimToken, FrontierStatistics, RequestId, UnixMillis};

const LAPSED: &str = "SELECT id, host, lease_until FROM request WHERE state = 2 AND lease_until <= ?1";

const LAPSE: &str = "UPDATE request SET state = 0, n_lapses = n_lapses + 1, lease_until = NULL WHERE id = ?1";

const REST_AFTER: &str = "UPDATE host SET is_open = max(is_open - 1, 0), is_resting = 1,
    next_due = max(next_due, ?2 + delay_ms) WHERE id = ?1";

const WAKE_REQUESTS: &str = "UPDATE request SET state = 0 WHERE state = 1 AND due <= ?1 RETURNING host";

const WAKE_HOSTS: &str = "UPDATE host SET is_resting = 0
    WHERE is_open = 0 AND is_resting = 1 AND head_request IS NOT NULL AND next_due <= ?1";

/// Asks for what a claim is made of; what follows says of which.
macro_rules! select_claims {
    ($which:literal) => {
        concat!(
            "SELECT host.id, host.name, request.id, request.method, request.url, request.body,
            request.n_retries, request.n_lapses, request.n_claims, request.depth, page.headers, parent.url,
            host.delay_ms ",
            $which
        )
    };
}

const READY: &str = select_claims!(
    "FROM host JOIN request ON request.id = host.head_request LEFT JOIN page ON page.id = request.page
    LEFT JOIN request AS parent ON parent.id = request.found_on
    WHERE host.is_open = 0 AND host.is_resting = 0 AND host.head_request IS NOT NULL
    ORDER BY host.head_priority DESC, host.head_request LIMIT ?1"
);

const MORE_OF_HOST: &str = select_claims!(
    "FROM request JOIN host ON host.id = request.host LEFT JOIN page ON page.id = request.page
    LEFT JOIN request AS parent ON parent.id = request.found_on
    WHERE request.host = ?1 AND request.state = 0 ORDER BY request.priority DESC, request.id LIMIT ?2"
);

const OF_KEY: &str = select_claims!(
    "FROM request JOIN host ON host.id = request.host LEFT JOIN page ON page.id = request.page
    LEFT JOIN request AS parent ON parent.id = request.found_on
    WHERE request.key = ?1 AND request.state = 0 AND host.is_open = 0 AND host.is_resting = 0"
);

const OPEN_REQUEST: &str = "UPDATE request SET state = 2, n_claims = n_claims + 1, lease_until = ?2, worker = ?3
    WHERE id = ?1";

const OPEN_HOST: &str = "UPDATE host SET is_open = is_open + ?2 WHERE id = ?1";

const TALLY: &str = "SELECT state, count FROM tally";

const HOSTS: &str = "SELECT max(id) FROM host";

const NEXT_READY: &str = "SELECT next_due FROM host
    WHERE is_open = 0 AND is_resting = 0 AND head_request IS NOT NULL LIMIT 1";

const NEXT_RESTING: &str = "SELECT next_due FROM host
    WHERE is_open = 0 AND is_resting = 1 AND head_request IS NOT NULL ORDER BY next_due LIMIT 1";

const NEXT_DELAYED: &str = "SELECT due FROM request WHERE state = 1 ORDER BY due LIMIT 1";

/// The questions of this file that are asked all the time.
#[cfg(test)]
pub(super) const QUESTIONS: &[&str] = &[
    LAPSED,
    LAPSE,
    REST_AFTER,
    WAKE_REQUESTS,
    WAKE_HOSTS,
    READY,
    MORE_OF_HOST,
    OF_KEY,
    OPEN_REQUEST,
    OPEN_HOST,
    NEXT_READY,
    NEXT_RESTING,
    NEXT_DELAYED,
];

impl Writing<'_> {
    /// Gives out requests that are due.
    pub(super) fn claim(&mut self, options: &ClaimOptions) -> rusqlite::Result<Vec<Claim>> {
        self.give_up_leases(self.now)?;
        self.wake()?;
        let claims_max = i64::try_from(options.claims_max).unwrap_or(i64::MAX);
        let mut ready = self.connection.prepare_cached(READY)?;
        let heads: Vec<Claimable> = ready.query_map([claims_max], claimable_in)?.collect::<Result<_, _>>()?;
        let mut room = options.claims_max.saturating_sub(heads.len());
        let mut claims = Vec::with_capacity(heads.len());
        for head in heads {
            let (host, needs_rest) = (head.host, head.delay_ms > 0);
            self.open_request(&head.claim, options)?;
            let mut of_host = vec![head.claim];
            let more_max = room.min(options.of_host_max.saturating_sub(1));
            if !needs_rest && more_max > 0 {
                let more_max = i64::try_from(more_max).unwrap_or(i64::MAX);
                let mut more = self.connection.prepare_cached(MORE_OF_HOST)?;
                let more: Vec<Claimable> = more
                    .query_map([host, more_max], claimable_in)?
                    .collect::<Result<_, _>>()?;
                for next in more {
                    self.open_request(&next.claim, options)?;
                    of_host.push(next.claim);
                }
            }
            room = room.saturating_sub(of_host.len() - 1);
            self.open_host(host, of_host.len())?;
            claims.append(&mut of_host);
        }
        Ok(claims)
    }

    /// Gives out those of the requests that are due.
    pub(super) fn claim_of(&mut self, requests: &[Request], options: &ClaimOptions) -> rusqlite::Result<Vec<Claim>> {
        self.give_up_leases(self.now)?;
        self.wake()?;
        let (mut claims, mut opened) = (Vec::new(), BTreeMap::<i64, usize>::new());
        let mut of_key = self.connection.prepare_cached(OF_KEY)?;
        for request in requests {
            if claims.len() >= options.claims_max {
                break;
            }
            let found = of_key.query_row([key(request)], claimable_in).optional()?;
            let Some(found) = found else { continue };
            let of_host_max = if found.delay_ms > 0 { 1 } else { options.of_host_max };
            let n_opened = opened.entry(found.host).or_default();
            if *n_opened < of_host_max {
                *n_opened += 1;
                self.open_request(&found.claim, options)?;
                claims.push(found.claim);
            }
        }
        for (host, n_opened) in opened {
            self.open_host(host, n_opened)?;
        }
        Ok(claims)
    }

    fn open_request(&self, claim: &Claim, options: &ClaimOptions) -> rusqlite::Result<()> {
        let lease_until = self.now + options.lease_ms;
        let values = params![claim.id.0, lease_until.0, options.worker];
        self.connection.prepare_cached(OPEN_REQUEST)?.execute(values)?;
        Ok(())
    }

    /// This many more requests of the host are open.
    fn open_host(&mut self, host: i64, n_opened: usize) -> rusqlite::Result<()> {
        let n_opened = i64::try_from(n_opened).unwrap_or(i64::MAX);
        self.connection.prepare_cached(OPEN_HOST)?.execute([host, n_opened])?;
        Ok(())
    }

    /// Takes back claims whose lease has ended by `until`. Their hosts may have been asked up to
    /// that end, or up to now.
    pub(super) fn give_up_leases(&mut self, until: UnixMillis) -> rusqlite::Result<()> {
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let mut lapsed = self.connection.prepare_cached(LAPSED)?;
        let lapsed: Vec<(i64, i64, i64)> = lapsed.query_map([until.0], columns)?.collect::<Result<_, _>>()?;
        for (id, host, lease_until) in lapsed {
            self.connection.prepare_cached(LAPSE)?.execute([id])?;
            let asked = lease_until.min(self.now.0);
            self.connection.prepare_cached(REST_AFTER)?.execute([host, asked])?;
            self.find_head(host)?;
        }
        Ok(())
    }

    /// Requests and hosts whose time has come are no longer waiting for it.
    fn wake(&mut self) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(WAKE_REQUESTS)?;
        let hosts: Vec<i64> = statement
            .query_map([self.now.0], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        self.touched.extend(hosts);
        // Heads must be right before hosts are chosen by them.
        for host in std::mem::take(&mut self.touched) {
            self.find_head(host)?;
        }
        self.connection.prepare_cached(WAKE_HOSTS)?.execute([self.now.0])?;
        Ok(())
    }
}

/// A request that may be claimed, and what decides how many of its host may.
struct Claimable {
    host: i64,
    delay_ms: i64,
    claim: Claim,
}

fn claimable_in(row: &Row<'_>) -> rusqlite::Result<Claimable> {
    let id = RequestId(row.get(2)?);
    let headers = row.get_ref(10)?.as_str_or_null()?;
    // Headers that cannot be read cost a full answer instead of "not modified", and nothing else.
    let headers = headers.and_then(|text| pairs_from_text(text).ok()).unwrap_or_default();
    let found_on: Option<String> = row.get(11)?;
    let claim = Claim {
        token: ClaimToken {
            request: id,
            number: row.get::<_, i64>(8)? + 1,
        },
        id,
        request: request_in(row, 3)?,
        host: row.get(1)?,
        attempt: row.get::<_, u32>(6)?.saturating_add(1),
        n_lapses: row.get(7)?,
        depth: row.get(9)?,
        found_on: found_on.and_then(|url| Url::parse(&url).ok()),
        validators: validators(&headers),
    };
    Ok(Claimable {
        host: row.get(0)?,
        delay_ms: row.get(12)?,
        claim,
    })
}

/// How far the crawl is.
pub(super) fn statistics(connection: &Connection) -> rusqlite::Result<FrontierStatistics> {
    let mut statistics = FrontierStatistics {
        hosts: connection.prepare_cached(HOSTS)?.query_row([], count)?,
        next_due: next_due(connection)?,
        ..FrontierStatistics::default()
    };
    let mut tally = connection.prepare_cached(TALLY)?;
    let mut rows = tally.query([])?;
    while let Some(row) = rows.next()? {
        let count = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        match row.get(0)? {
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

fn count(row: &Row<'_>) -> rusqlite::Result<u64> {
    let count = row.get::<_, Option<i64>>(0)?.unwrap_or(0);
    Ok(u64::try_from(count).unwrap_or(0))
}

/// When a claim may next find something.
fn next_due(connection: &Connection) -> rusqlite::Result<Option<UnixMillis>> {
    let mut next = None;
    for question in [NEXT_READY, NEXT_RESTING, NEXT_DELAYED] {
        let mut statement = connection.prepare_cached(question)?;
        let due: Option<i64> = statement.query_row([], |row| row.get(0)).optional()?;
        next = next.into_iter().chain(due).min();
    }
    Ok(next.map(UnixMillis))
}
