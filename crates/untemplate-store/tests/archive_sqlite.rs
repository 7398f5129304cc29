//! The archive on SQLite does what every archive must.

mod archive_builder;
mod archive_conformance;

use untemplate_store::archive::{ArchiveOptions, SqliteArchive, UnixMillis};

/// One test for each thing that an archive must do.
macro_rules! conformance {
    ($part:ident: $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let folder = tempfile::tempdir().expect("a folder");
                let archive = SqliteArchive::open(folder.path(), &ArchiveOptions::default(), UnixMillis(0));
                archive_conformance::$part::$name(archive.expect("an archive"));
            }
        )*
    };
}

conformance! { frontier:
    a_request_is_added_once
    one_claim_per_host_best_first
    hosts_rest
    retries_wait_for_their_time
    leases_run_out_and_can_be_extended
    a_refused_claim_leaves_nothing_but_rest
    a_token_serves_once
    links_and_schedules_come_with_the_page
    fates
    priorities_change
    settings_are_kept
    absurd_numbers_do_no_harm
}

conformance! { runs:
    a_host_that_needs_no_rest_gives_a_run
    requests_are_claimed_by_name
}

conformance! { pages:
    pages_come_back_as_they_were
    the_same_body_is_stored_once
    pages_are_claimed_again_when_refreshed
    not_modified_without_a_page_is_a_failure
    pages_are_kept_without_claims
    the_walk_over_pages_is_stable
}
