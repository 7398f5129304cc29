//! What every archive must do, whatever database it is on: generic over the traits.
//!
//! Each function takes an empty archive, whose hosts rest for a second by default.

pub mod frontier;
pub mod pages;
pub mod runs;

use expect_test::Expect;
use untemplate_store::archive::{Claim, Frontier, NewRequest, UnixMillis};

use crate::archive_builder::new_request;

pub fn check_claims(claims: &[Claim], expected: Expect) {
    let lines = claims.iter().map(|claim| {
        let Claim { attempt, n_lapses, .. } = claim;
        format!("{} attempt {attempt}, lapses {n_lapses}\n", claim.request.url)
    });
    expected.assert_eq(&lines.collect::<String>());
}

pub fn check_statistics(frontier: &mut impl Frontier, expected: Expect) {
    let told = frontier.statistics().expect("statistics");
    let next_due = told.next_due.map_or("never".to_owned(), |due| due.0.to_string());
    expected.assert_eq(&format!(
        "{} waiting, {} open, {} done, {} failed, {} skipped, {} hosts, next {next_due}",
        told.waiting, told.open, told.done, told.failed, told.skipped, told.hosts
    ));
}

pub fn add(frontier: &mut impl Frontier, urls: &[(&str, f64)]) -> usize {
    let requests: Vec<NewRequest> = urls.iter().map(|(url, priority)| new_request(url, *priority)).collect();
    frontier.add(&requests, UnixMillis(0)).expect("added")
}
