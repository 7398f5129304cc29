//! What every archive must do, whatever database it is on: generic over the traits.
//!
//! Each function takes an empty archive, whose hosts rest for a second by default.

pub mod frontier;
pub mod pages;
pub mod runs;

/// Hands everything that an archive must do to a macro, by part and name: each database runs all.
macro_rules! every_conformance {
    ($run:ident) => {
        $run! {
            frontier:
                a_request_is_added_once
                one_claim_per_host_best_first
                hosts_rest
                retries_wait_for_their_time
                leases_run_out
                a_refused_claim_leaves_nothing_but_rest
                a_token_serves_once
                links_and_schedules_come_with_the_page
                fates
                settings_are_kept
                skipped_requests_are_counted_by_reason
                absurd_numbers_do_no_harm;
            runs:
                a_host_that_needs_no_rest_gives_a_run
                requests_are_claimed_by_name;
            pages:
                pages_come_back_as_they_were
                the_same_body_is_stored_once
                pages_are_claimed_again_when_refreshed
                not_modified_without_a_page_is_a_failure
                pages_are_kept_without_claims
                the_walk_over_pages_is_stable;
        }
    };
}

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

pub(crate) use every_conformance;
