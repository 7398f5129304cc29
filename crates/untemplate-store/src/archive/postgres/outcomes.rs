//! Outcomes on the server: what becomes of requests when their claims end, or pages come without
//! claims. Nobody else may write meanwhile.

use std::collections::{BTreeMap, HashMap};

use postgres::Row;

use super::moment::{Moment, text};
use super::pages::PageRow;
use super::requests::Found;
use super::schema::state;
use super::server::Fault;
use super::session::Session;
use super::{hosts, pages, requests};
use crate::archive::known_keys::{Key, KnownKeys};
use crate::archive::request_key::key;
use crate::archive::{
    ClaimResult, CommitReport, Committed, ContentHash, KeptPage, Outcome, PageId, RequestId, UnixMillis,
};

const OPEN_CLAIMS: &str = "SELECT id, n_claims, host, page FROM request WHERE id = ANY($1) AND state = 2";

const RETRY: &str =
    "UPDATE request SET state = 1, due = $2, n_retries = n_retries + 1, lease_until = NULL, worker = NULL
    WHERE id = $1";

const RELEASE: &str = "UPDATE request SET state = 0, lease_until = NULL, worker = NULL WHERE id = $1";

const END: &str = "UPDATE request SET state = $2, reason = $3, lease_until = NULL, worker = NULL, is_wanted = false
    WHERE id = $1";

const KEPT_BEFORE: &str = "SELECT request.id, request.host, request.state, page.id, page.fetched_at, page.checked_at
    FROM request LEFT JOIN page ON page.id = request.page WHERE request.key = $1";

/// Said of a server that answers "not modified" to a question that was not "has it changed?".
const NOTHING_STORED: &str = "the server says that the page is not modified, and none is stored";

/// What a transaction needs beside the outcomes themselves.
pub(super) struct Surroundings<'a> {
    pub(super) moment: Moment,
    /// The time by the clock of whoever calls, which pages keep.
    pub(super) told: UnixMillis,
    pub(super) known: &'a KnownKeys,
    pub(super) host_delay_ms: i64,
}

/// A claim that is open.
struct OpenClaim {
    number: i64,
    host: i64,
    page: Option<i64>,
}

/// Ends claims: pages, links and hosts. `bodies` has the hash of each page's body. Returns the keys
/// that are known from then on, too.
pub(super) fn settle(
    session: &mut Session,
    batch: &[Outcome],
    bodies: &[Option<ContentHash>],
    around: &Surroundings<'_>,
) -> Result<(CommitReport, Vec<Key>), Fault> {
    let mut open = open_claims(session, batch)?;
    let mut next_page = pages::next(session)?;
    let (mut committed, mut rows, mut freed) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (outcome, hash) in batch.iter().zip(bodies) {
        let request = outcome.token.request.0;
        let is_open = open
            .get(&request)
            .is_some_and(|claim| claim.number == outcome.token.number);
        let Some(claim) = is_open.then(|| open.remove(&request)).flatten() else {
            committed.push(Committed::Refused);
            continue;
        };
        *freed.entry(claim.host).or_default() += 1;
        if let ClaimResult::Page(page) = &outcome.result {
            let (id, hash) = (next_page, *hash);
            next_page += 1;
            committed.push(Committed::Page {
                page: PageId(id),
                alias_of: None,
            });
            rows.push(PageRow {
                id,
                request,
                page,
                hash,
            });
            continue;
        }
        if note(session, outcome, &claim, next_page, around)? {
            next_page += 1;
        }
        committed.push(Committed::Noted);
    }
    let mut aliases = pages::add(session, &rows)?.into_iter();
    for committed in &mut committed {
        if let Committed::Page { alias_of, .. } = committed {
            *alias_of = aliases.next().flatten();
        }
    }
    hosts::free(session, &freed)?;
    let (n_new, keys) = spread(session, batch, &committed, around)?;
    Ok((CommitReport { committed, n_new }, keys))
}

fn open_claims(session: &mut Session, batch: &[Outcome]) -> Result<HashMap<i64, OpenClaim>, postgres::Error> {
    let ids: Vec<i64> = batch.iter().map(|outcome| outcome.token.request.0).collect();
    let claim = |row: &Row| {
        let claim = OpenClaim {
            number: row.get(1),
            host: row.get(2),
            page: row.get(3),
        };
        (row.get(0), claim)
    };
    Ok(session.query(OPEN_CLAIMS, &[&ids])?.iter().map(claim).collect())
}

/// Ends a claim that brought no page; whether that took the number of one.
fn note(
    session: &mut Session,
    outcome: &Outcome,
    claim: &OpenClaim,
    next_page: i64,
    around: &Surroundings<'_>,
) -> Result<bool, postgres::Error> {
    let request = outcome.token.request.0;
    match (&outcome.result, claim.page) {
        (ClaimResult::NotModified, Some(page)) => {
            pages::add_unmodified(session, next_page, (request, page), around.told)?;
            return Ok(true);
        }
        (ClaimResult::NotModified, None) => end(session, request, state::FAILED, NOTHING_STORED)?,
        (ClaimResult::Retry { due }, _) => {
            session.execute(RETRY, &[&request, &around.moment.stored(*due)])?;
        }
        (ClaimResult::Failed { reason }, _) => end(session, request, state::FAILED, reason)?,
        (ClaimResult::Skipped { reason }, _) => end(session, request, state::SKIPPED, reason)?,
        (ClaimResult::Released | ClaimResult::Page(_), _) => {
            session.execute(RELEASE, &[&request])?;
        }
    }
    Ok(false)
}

fn end(session: &mut Session, request: i64, state: i64, reason: &str) -> Result<(), postgres::Error> {
    session.execute(END, &[&request, &state, &&*text(reason)])?;
    Ok(())
}

/// Adds the links of outcomes and what was learnt of their hosts; returns how many links were new.
fn spread(
    session: &mut Session,
    batch: &[Outcome],
    committed: &[Committed],
    around: &Surroundings<'_>,
) -> Result<(usize, Vec<Key>), postgres::Error> {
    let mut links: Vec<Found<'_>> = Vec::new();
    for (outcome, committed) in batch.iter().zip(committed) {
        let schedule = outcome.host.as_ref();
        if *committed == Committed::Refused {
            // What it found belongs to whoever holds the claim now. That the host was asked is true
            // all the same.
            if let Some(schedule) = schedule {
                hosts::rest(session, &schedule.host, around.moment.stored(schedule.next_due))?;
            }
            continue;
        }
        if let Some(schedule) = schedule {
            hosts::learn(session, schedule, &around.moment)?;
        }
        links.extend(outcome.links.iter().map(|link| (link, Some(outcome.token.request))));
    }
    requests::add(session, &links, around.known, around.host_delay_ms, around.told)
}

/// What is known of a request when a page is kept for it.
struct Before {
    request: i64,
    host: i64,
    is_open: bool,
    page: Option<PageBefore>,
}

struct PageBefore {
    id: i64,
    fetched_at: i64,
    checked_at: i64,
}

/// Stores a page that comes without a claim; returns the keys that are known from then on, too.
pub(super) fn keep(
    session: &mut Session,
    kept: &KeptPage,
    hash: Option<ContentHash>,
    around: &Surroundings<'_>,
) -> Result<(Committed, Vec<Key>), Fault> {
    let found: [Found<'_>; 1] = [(&kept.request, None::<RequestId>)];
    let (_, keys) = requests::add(session, &found, around.known, around.host_delay_ms, around.told)?;
    let row = session.query_one(KEPT_BEFORE, &[&&key(&kept.request.request)[..]])?;
    let before = before_in(&row);
    let committed = match (&kept.page, &before.page) {
        (Some(new), Some(page)) if new.fetched_at.0 <= page.fetched_at => Committed::Refused,
        (None, Some(page)) if kept.checked_at.0 <= page.checked_at => Committed::Refused,
        (None, None) => Committed::Refused,
        (Some(new), _) => {
            let (id, request) = (pages::next(session)?, before.request);
            let row = PageRow {
                id,
                request,
                page: new,
                hash,
            };
            let alias_of = pages::add(session, &[row])?.pop().flatten();
            Committed::Page {
                page: PageId(id),
                alias_of,
            }
        }
        (None, Some(page)) => {
            let id = pages::next(session)?;
            pages::add_unmodified(session, id, (before.request, page.id), kept.checked_at)?;
            Committed::Noted
        }
    };
    if committed != Committed::Refused && before.is_open {
        hosts::free(session, &BTreeMap::from([(before.host, 1)]))?;
    }
    Ok((committed, keys))
}

fn before_in(row: &Row) -> Before {
    let page: Option<i64> = row.get(3);
    Before {
        request: row.get(0),
        host: row.get(1),
        is_open: row.get::<_, i64>(2) == state::OPEN,
        page: page.map(|id| PageBefore {
            id,
            fetched_at: row.get(4),
            checked_at: row.get(5),
        }),
    }
}
