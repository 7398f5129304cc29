//! What every frontier must do with several claims on one host, and with requests that are asked
//! for by name.

use expect_test::expect;
use untemplate_store::archive::{ClaimOptions, ClaimResult, Frontier, PageStore, UnixMillis};

use super::{add, check_claims};
use crate::archive_builder::{claim_options, new_request, outcome, page_outcome, request, schedule};

pub fn a_host_that_needs_no_rest_gives_a_run(mut archive: impl Frontier + PageStore) {
    let urls = [
        ("http://a/1", 3.0),
        ("http://a/2", 2.0),
        ("http://a/3", 1.0),
        ("http://a/4", 0.0),
    ];
    add(&mut archive, &urls);
    add(&mut archive, &[("http://b/1", 2.5), ("http://b/2", 2.5)]);
    archive.wake(&schedule("a", 0)).expect("set");
    let options = ClaimOptions {
        of_host_max: 3,
        ..claim_options(9)
    };
    let run = archive.claim(UnixMillis(0), &options).expect("claims");
    check_claims(
        &run,
        expect![[r#"
        http://a/1 attempt 1, lapses 0
        http://a/2 attempt 1, lapses 0
        http://a/3 attempt 1, lapses 0
        http://b/1 attempt 1, lapses 0
    "#]],
    );
    // As long as one of them is open the host is asked nothing else.
    let part = [page_outcome(&run[0], b"x"), outcome(&run[1], ClaimResult::Released)];
    archive.commit(&part, UnixMillis(1)).expect("committed");
    assert!(archive.claim(UnixMillis(1), &options).expect("claims").is_empty());
    archive
        .commit(&[page_outcome(&run[2], b"y")], UnixMillis(2))
        .expect("committed");
    check_claims(
        &archive.claim(UnixMillis(2), &options).expect("claims"),
        expect![[r#"
        http://a/2 attempt 1, lapses 0
        http://a/4 attempt 1, lapses 0
    "#]],
    );
}

pub fn requests_are_claimed_by_name(mut archive: impl Frontier + PageStore) {
    add(
        &mut archive,
        &[
            ("http://a/1", 9.0),
            ("http://a/2", 0.0),
            ("http://b/1", 0.0),
            ("http://c/1", 0.0),
        ],
    );
    let wanted = ["http://a/2", "http://a/1", "http://b/1", "http://nowhere/"].map(request);
    let options = claim_options(9);
    let claims = archive.claim_of(&wanted, UnixMillis(0), &options).expect("claims");
    check_claims(
        &claims,
        expect![[r#"
        http://a/2 attempt 1, lapses 0
        http://b/1 attempt 1, lapses 0
    "#]],
    );
    assert!(
        archive
            .claim_of(&wanted, UnixMillis(0), &options)
            .expect("claims")
            .is_empty()
    );
    let failed = ClaimResult::Failed {
        reason: "lost".to_owned(),
    };
    let batch = [page_outcome(&claims[0], b"x"), outcome(&claims[1], failed)];
    archive.commit(&batch, UnixMillis(1)).expect("committed");
    // What failed is made again once somebody wants it; what is done stays done.
    let again = ["http://a/2", "http://b/1", "http://d/1"].map(|url| new_request(url, 0.0));
    archive.want(&again, UnixMillis(2)).expect("wanted");
    let wanted = again.map(|new| new.request);
    check_claims(
        &archive.claim_of(&wanted, UnixMillis(5_000), &options).expect("claims"),
        expect![[r#"
        http://b/1 attempt 1, lapses 0
        http://d/1 attempt 1, lapses 0
    "#]],
    );
}
