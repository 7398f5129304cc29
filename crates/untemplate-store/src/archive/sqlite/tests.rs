//! What cannot be seen from outside: that no question scans a table, and what a database does that
//! cannot grow.

use rusqlite::Connection;
use untemplate::page::Request;

use super::{ArchiveOptions, SqliteArchive, claims, hosts, outcomes, pages, requests};
use crate::archive::{
    ArchiveError, ClaimOptions, ClaimResult, Frontier, NewPage, NewRequest, Outcome, PageStore, UnixMillis,
};

/// Indexes of which the first entries are taken.
const ORDERED: [&str; 3] = ["host_ready", "host_resting", "request_delayed"];

/// How SQLite answers a question, in its own words.
fn plan(connection: &Connection, question: &str) -> String {
    let mut statement = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {question}"))
        .expect("SQL");
    let n_parameters = statement.parameter_count();
    let parameters = rusqlite::params_from_iter((0..n_parameters).map(|_| 1));
    let steps = statement
        .query_map(parameters, |row| row.get::<_, String>(3))
        .expect("a plan");
    steps.map(|step| step.expect("a step") + "\n").collect()
}

#[test]
fn no_frequent_question_scans_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = SqliteArchive::open(folder.path(), &ArchiveOptions::default(), UnixMillis(0)).expect("an archive");
    let questions = [
        claims::QUESTIONS,
        hosts::QUESTIONS,
        outcomes::QUESTIONS,
        pages::QUESTIONS,
        requests::QUESTIONS,
    ];
    for question in questions.concat() {
        let plan = plan(&archive.reader.database.connection, question);
        // To take the first entries of an index in its order is also called a scan.
        let is_first = |step: &str| ORDERED.iter().any(|index| step.contains(index));
        let scans = plan.lines().filter(|step| step.contains("SCAN") && !is_first(step));
        assert_eq!(scans.collect::<Vec<_>>(), Vec::<&str>::new(), "{question}");
        assert!(!plan.contains("TEMP B-TREE"), "{question}: {plan}");
    }
}

#[test]
fn a_database_that_cannot_grow_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ArchiveOptions::default();
    let mut archive = SqliteArchive::open(folder.path(), &options, UnixMillis(0)).expect("an archive");
    let mut n_committed = 0;
    let limit = |archive: &SqliteArchive, n_pages: u32| {
        let pragma = archive
            .reader
            .database
            .connection
            .pragma_update(None, "max_page_count", n_pages);
        pragma.expect("a limit");
    };
    limit(&archive, 40);
    let error = loop {
        match commit_page(&mut archive, n_committed, UnixMillis(0)) {
            Ok(()) => n_committed += 1,
            Err(error) => break error,
        }
        assert!(n_committed < 10_000, "the limit has no effect");
    };
    assert!(matches!(error, ArchiveError::DiskFull { .. }), "{error}");
    limit(&archive, 1_000_000);
    // The host of a claim that was lost rests for a second.
    commit_page(&mut archive, n_committed, UnixMillis(9_000)).expect("there is room again");
    drop(archive);
    let mut archive = SqliteArchive::open(folder.path(), &options, UnixMillis(0)).expect("it opens");
    for number in 0..=n_committed {
        let page = archive.page(&request(number)).expect("read").expect("stored");
        assert_eq!(archive.body(page.id).expect("a body"), number.to_string().as_bytes());
    }
}

fn request(number: usize) -> Request {
    Request::get(format!("http://h{number}.example/").parse().expect("an address"))
}

fn commit_page(archive: &mut SqliteArchive, number: usize, now: UnixMillis) -> Result<(), ArchiveError> {
    let new = NewRequest {
        request: request(number),
        priority: 0.0,
        depth: 0,
        found_on: None,
    };
    archive.add(&[new], now)?;
    let options = ClaimOptions {
        claims_max: 1,
        of_host_max: 1,
        lease_ms: 1_000,
        worker: String::new(),
    };
    let claims = archive.claim(now, &options)?;
    let page = NewPage {
        status: 200,
        headers: Vec::new(),
        body: number.to_string().into_bytes(),
        redirect: None,
        fetched_at: UnixMillis(0),
        problems: Vec::new(),
    };
    let result = ClaimResult::Page(page);
    let outcome = |claim: &crate::archive::Claim| Outcome {
        token: claim.token,
        result: result.clone(),
        links: Vec::new(),
        host: None,
    };
    let batch: Vec<Outcome> = claims.iter().map(outcome).collect();
    archive.commit(&batch, now)?;
    Ok(())
}
