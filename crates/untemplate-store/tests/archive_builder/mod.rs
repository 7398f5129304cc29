//! Requests, pages and outcomes made by the tests of archives themselves.

// Every test file uses some of these.
#![allow(dead_code)]

use untemplate::page::Request;
use untemplate_store::archive::{
    Claim, ClaimOptions, ClaimResult, Frontier, HostSchedule, NewPage, NewRequest, Outcome, PageStore, UnixMillis,
    visit_pages,
};

/// A plain request.
pub fn request(url: &str) -> Request {
    Request::get(url.parse().expect("an address"))
}

/// A request to be made, of this priority.
pub fn new_request(url: &str, priority: f64) -> NewRequest {
    NewRequest {
        request: request(url),
        priority,
        depth: 0,
        found_on: None,
    }
}

/// How tests claim: leases of ten seconds.
pub fn claim_options(claims_max: usize) -> ClaimOptions {
    ClaimOptions {
        claims_max,
        of_host_max: 1,
        lease_ms: 10_000,
        worker: "test".to_owned(),
    }
}

/// Claims at a time.
pub fn claim(frontier: &mut dyn Frontier, now: i64, claims_max: usize) -> Vec<Claim> {
    frontier
        .claim(UnixMillis(now), &claim_options(claims_max))
        .expect("claims")
}

/// An ordinary page.
pub fn new_page(body: &[u8], fetched_at: i64) -> NewPage {
    NewPage {
        status: 200,
        headers: vec![
            ("Content-Type".to_owned(), "text/html".to_owned()),
            ("ETag".to_owned(), "\"1\"".to_owned()),
        ],
        body: body.to_vec(),
        redirect: None,
        fetched_at: UnixMillis(fetched_at),
        problems: Vec::new(),
    }
}

/// The outcome of a claim; the host may be asked again at once.
pub fn outcome(claim: &Claim, result: ClaimResult) -> Outcome {
    Outcome {
        token: claim.token,
        result,
        links: Vec::new(),
        host: Some(schedule(&claim.host, 0)),
    }
}

/// The outcome of a claim: a page.
pub fn page_outcome(claim: &Claim, body: &[u8]) -> Outcome {
    outcome(claim, ClaimResult::Page(new_page(body, 7)))
}

/// The schedule of a host without delay.
pub fn schedule(host: &str, next_due: i64) -> HostSchedule {
    HostSchedule {
        host: host.to_owned(),
        next_due: UnixMillis(next_due),
        delay_ms: 0,
        state: String::new(),
    }
}

/// Every page with its body, sorted by address: what two archives of the same site have in common.
pub fn content(store: &mut dyn PageStore) -> Vec<(String, u16, Vec<u8>)> {
    let mut content = Vec::new();
    visit_pages(store, &mut |store, page| {
        content.push((page.request.url.to_string(), page.status, store.body(page.id)?));
        Ok(())
    })
    .expect("all pages");
    content.sort();
    content
}
