//! What every frontier must do.

use expect_test::expect;
use untemplate::page::{Method, Request};
use untemplate_store::archive::{
    ClaimResult, Committed, Fate, Frontier, HostSchedule, NewRequest, PageId, PageStore, UnixMillis,
};

use super::{add, check_claims, check_statistics};
use crate::archive_builder::{claim, content, new_request, outcome, page_outcome, request, schedule};

pub fn a_request_is_added_once(mut archive: impl Frontier + PageStore) {
    assert_eq!(
        add(
            &mut archive,
            &[("http://a/1", 0.0), ("http://a/1#x", 0.0), ("http://a/2", 0.0)]
        ),
        2
    );
    assert_eq!(add(&mut archive, &[("http://a/2", 9.0), ("http://a/3", 0.0)]), 1);
    let form = |body: &[u8]| NewRequest {
        request: Request {
            method: Method::Post,
            url: "http://a/1".parse().expect("an address"),
            body: body.to_vec(),
        },
        ..new_request("http://a/1", 0.0)
    };
    let added = archive.add(&[form(b"x=1"), form(b"x=2"), form(b"x=1"), form(b"")], UnixMillis(0));
    assert_eq!(added.expect("added"), 3);
    check_statistics(
        &mut archive,
        expect!["6 waiting, 0 open, 0 done, 0 failed, 0 skipped, 1 hosts, next 0"],
    );
}

pub fn one_claim_per_host_best_first(mut archive: impl Frontier + PageStore) {
    let urls = [
        ("http://a/low", 1.0),
        ("http://a/high", 5.0),
        ("http://b/old", 3.0),
        ("http://b/new", 3.0),
        ("http://c/1", f64::NAN),
        ("http://d/1", 4.0),
    ];
    add(&mut archive, &urls);
    let first = claim(&mut archive, 0, 2);
    check_claims(
        &first,
        expect![[r#"
        http://a/high attempt 1, lapses 0
        http://d/1 attempt 1, lapses 0
    "#]],
    );
    check_claims(
        &claim(&mut archive, 0, 9),
        expect![[r#"
        http://b/old attempt 1, lapses 0
        http://c/1 attempt 1, lapses 0
    "#]],
    );
    check_claims(&claim(&mut archive, 0, 9), expect![""]);
    check_statistics(
        &mut archive,
        expect!["2 waiting, 4 open, 0 done, 0 failed, 0 skipped, 4 hosts, next never"],
    );
    archive
        .commit(&[page_outcome(&first[0], b"x")], UnixMillis(0))
        .expect("committed");
    check_claims(
        &claim(&mut archive, 0, 9),
        expect![[r#"
        http://a/low attempt 1, lapses 0
    "#]],
    );
}

pub fn hosts_rest(mut archive: impl Frontier + PageStore) {
    add(
        &mut archive,
        &[("http://a/1", 0.0), ("http://a/2", 0.0), ("http://b/1", 0.0)],
    );
    archive.wake(&schedule("b", 700)).expect("set");
    let claims = claim(&mut archive, 0, 9);
    assert_eq!(claims.len(), 1);
    let mut first = page_outcome(&claims[0], b"x");
    first.host = Some(schedule("a", 500));
    archive.commit(&[first], UnixMillis(10)).expect("committed");
    check_statistics(
        &mut archive,
        expect!["2 waiting, 0 open, 1 done, 0 failed, 0 skipped, 2 hosts, next 500"],
    );
    assert!(claim(&mut archive, 499, 9).is_empty());
    check_claims(
        &claim(&mut archive, 500, 9),
        expect![[r#"
        http://a/2 attempt 1, lapses 0
    "#]],
    );
    check_claims(
        &claim(&mut archive, 700, 9),
        expect![[r#"
        http://b/1 attempt 1, lapses 0
    "#]],
    );
}

pub fn retries_wait_for_their_time(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/1", 5.0), ("http://a/2", 1.0)]);
    let first = claim(&mut archive, 0, 1);
    let retry = ClaimResult::Retry { due: UnixMillis(900) };
    let report = archive
        .commit(&[outcome(&first[0], retry)], UnixMillis(1))
        .expect("committed");
    assert_eq!(report.committed, [Committed::Noted]);
    let second = claim(&mut archive, 899, 9);
    check_claims(
        &second,
        expect![[r#"
        http://a/2 attempt 1, lapses 0
    "#]],
    );
    archive
        .commit(&[page_outcome(&second[0], b"x")], UnixMillis(899))
        .expect("committed");
    check_statistics(
        &mut archive,
        expect!["1 waiting, 0 open, 1 done, 0 failed, 0 skipped, 1 hosts, next 900"],
    );
    assert!(claim(&mut archive, 899, 9).is_empty());
    check_claims(
        &claim(&mut archive, 900, 9),
        expect![[r#"
        http://a/1 attempt 2, lapses 0
    "#]],
    );
}

pub fn leases_run_out(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/1", 0.0), ("http://b/1", 0.0)]);
    let claims = claim(&mut archive, 0, 9);
    assert!(claim(&mut archive, 9_999, 9).is_empty());
    let in_time = archive.commit(&[page_outcome(&claims[1], b"in time")], UnixMillis(9_999));
    assert!(matches!(
        in_time.expect("committed").committed[..],
        [Committed::Page { .. }]
    ));
    // The lease ends at 10,000, and the host rests for its second from then on.
    assert!(claim(&mut archive, 10_999, 9).is_empty());
    let again = claim(&mut archive, 11_000, 9);
    check_claims(
        &again,
        expect![[r#"
        http://a/1 attempt 1, lapses 1
    "#]],
    );
    let batch = [page_outcome(&claims[0], b"late"), page_outcome(&again[0], b"new")];
    let report = archive.commit(&batch, UnixMillis(11_500)).expect("committed");
    assert!(matches!(
        report.committed[..],
        [Committed::Refused, Committed::Page { .. }]
    ));
    let pages: Vec<_> = content(&mut archive)
        .into_iter()
        .map(|(url, _, body)| (url, body))
        .collect();
    assert_eq!(
        pages,
        [
            ("http://a/1".to_owned(), b"new".to_vec()),
            ("http://b/1".to_owned(), b"in time".to_vec())
        ]
    );
}

pub fn a_refused_claim_leaves_nothing_but_rest(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/1", 0.0)]);
    let old = claim(&mut archive, 0, 9).remove(0);
    let new = claim(&mut archive, 20_000, 9).remove(0);
    archive
        .commit(&[page_outcome(&new, b"x")], UnixMillis(20_001))
        .expect("committed");
    let mut late = page_outcome(&old, b"y");
    late.links = vec![new_request("http://a/2", 0.0)];
    late.host = Some(HostSchedule {
        state: "old".to_owned(),
        ..schedule("a", 30_000)
    });
    let report = archive
        .commit(&[late.clone(), late], UnixMillis(20_002))
        .expect("committed");
    assert_eq!((report.committed, report.n_new), (vec![Committed::Refused; 2], 0));
    assert_eq!(archive.host("a").expect("read"), Some(schedule("a", 30_000)));
    check_statistics(
        &mut archive,
        expect!["0 waiting, 0 open, 1 done, 0 failed, 0 skipped, 1 hosts, next never"],
    );
}

pub fn a_token_serves_once(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/1", 0.0)]);
    let only = claim(&mut archive, 0, 9).remove(0);
    let batch = [page_outcome(&only, b"x"), page_outcome(&only, b"y")];
    let report = archive.commit(&batch, UnixMillis(1)).expect("committed");
    assert!(matches!(
        report.committed[..],
        [Committed::Page { .. }, Committed::Refused]
    ));
    assert_eq!(archive.body(PageId(1)).expect("a body"), b"x");
}

pub fn links_and_schedules_come_with_the_page(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/1", 0.0)]);
    let first = claim(&mut archive, 0, 9).remove(0);
    let mut page = page_outcome(&first, b"x");
    page.links = vec![
        new_request("http://a/1", 0.0),
        new_request("http://a/2", 0.0),
        new_request("http://b/1", 2.0),
    ];
    let kept = HostSchedule {
        host: "a".to_owned(),
        next_due: UnixMillis(0),
        delay_ms: 20,
        state: "{\"robots\": \"…\"}".to_owned(),
    };
    page.host = Some(kept.clone());
    assert_eq!(archive.commit(&[page], UnixMillis(0)).expect("committed").n_new, 2);
    assert_eq!(archive.host("a").expect("read"), Some(kept));
    assert_eq!(archive.host("z").expect("read"), None);
    check_claims(
        &claim(&mut archive, 0, 9),
        expect![[r#"
        http://b/1 attempt 1, lapses 0
        http://a/2 attempt 1, lapses 0
    "#]],
    );
}

pub fn fates(mut archive: impl Frontier + PageStore) {
    let urls = [
        ("http://a/", 0.0),
        ("http://b/", 0.0),
        ("http://c/", 0.0),
        ("http://d/", 0.0),
        ("http://e/", 0.0),
    ];
    add(&mut archive, &urls);
    let claims = claim(&mut archive, 0, 4);
    let reason = || "because".to_owned();
    let batch = [
        page_outcome(&claims[0], b"x"),
        outcome(&claims[1], ClaimResult::Failed { reason: reason() }),
        outcome(&claims[2], ClaimResult::Skipped { reason: reason() }),
    ];
    archive.commit(&batch, UnixMillis(1)).expect("committed");
    let mut fate = |url: &str| archive.fate(&request(url)).expect("a fate");
    assert_eq!(fate("http://a/"), Some(Fate::Done));
    assert_eq!(fate("http://b/"), Some(Fate::Failed { reason: reason() }));
    assert_eq!(fate("http://c/"), Some(Fate::Skipped { reason: reason() }));
    assert_eq!(fate("http://d/"), Some(Fate::Open));
    assert_eq!(fate("http://e/"), Some(Fate::Waiting));
    assert_eq!(fate("http://f/"), None);
    check_statistics(
        &mut archive,
        expect!["1 waiting, 1 open, 1 done, 1 failed, 1 skipped, 5 hosts, next 0"],
    );
    assert_eq!(archive.retry_failed().expect("retried"), 1);
    check_claims(
        &claim(&mut archive, 2, 9),
        expect![[r#"
        http://b/ attempt 1, lapses 0
        http://e/ attempt 1, lapses 0
    "#]],
    );
}

pub fn settings_are_kept(mut archive: impl Frontier + PageStore) {
    assert_eq!(archive.setting("scope").expect("read"), None);
    archive.set_setting("scope", "host").expect("set");
    archive.set_setting("scope", "domain").expect("set");
    assert_eq!(archive.setting("scope").expect("read").as_deref(), Some("domain"));
}

pub fn skipped_requests_are_counted_by_reason(mut archive: impl Frontier + PageStore) {
    add(
        &mut archive,
        &[("http://a/", 0.0), ("http://b/", 0.0), ("http://c/", 0.0)],
    );
    let claims = claim(&mut archive, 0, 9);
    let skipped = |index: usize, reason: &str| {
        let reason = reason.to_owned();
        outcome(&claims[index], ClaimResult::Skipped { reason })
    };
    let failed = ClaimResult::Failed {
        reason: "robots.txt, too".to_owned(),
    };
    let batch = [
        skipped(0, "robots.txt forbids http://a/"),
        skipped(1, "a trap: robots.txt"),
        outcome(&claims[2], failed),
    ];
    archive.commit(&batch, UnixMillis(1)).expect("committed");
    assert_eq!(archive.skipped_because("robots.txt").expect("counted"), 1);
    assert_eq!(archive.skipped_because("").expect("counted"), 2);
}

pub fn absurd_numbers_do_no_harm(mut archive: impl Frontier + PageStore) {
    add(
        &mut archive,
        &[("http://a/1", f64::INFINITY), ("http://b/1", f64::NEG_INFINITY)],
    );
    let absurd = HostSchedule {
        delay_ms: i64::MAX,
        ..schedule("a", i64::MIN)
    };
    archive.wake(&absurd).expect("set");
    let claims = claim(&mut archive, i64::MAX - 5, 9);
    assert_eq!(claims.len(), 2);
    archive.host("a").expect("read").expect("known");
    let retry = ClaimResult::Retry { due: UnixMillis::NEVER };
    archive
        .commit(&[outcome(&claims[1], retry)], UnixMillis(0))
        .expect("committed");
    archive.statistics().expect("statistics");
}
