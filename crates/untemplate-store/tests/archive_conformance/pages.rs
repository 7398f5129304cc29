//! What every store of pages must do.

use expect_test::expect;
use untemplate::page::Problem;
use untemplate_store::archive::{
    ClaimResult, Committed, Fate, Frontier, KeptPage, NewPage, NewRequest, PageId, PageStore, UnixMillis, Validators,
    stored_response, visit_captures, visit_pages,
};

use super::{add, check_statistics};
use crate::archive_builder::{claim, content, new_page, new_request, outcome, page_outcome, request};

pub fn pages_come_back_as_they_were(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/1", 0.0)]);
    let first = claim(&mut archive, 0, 9).remove(0);
    let new = NewPage {
        status: 301,
        redirect: Some("http://a/2".parse().expect("an address")),
        problems: vec![Problem::new("too large", "only 9 bytes")],
        ..new_page(&[0, 255, 10], 77)
    };
    archive
        .commit(&[outcome(&first, ClaimResult::Page(new.clone()))], UnixMillis(80))
        .expect("committed");
    let stored = archive.page(&request("http://a/1#top")).expect("read").expect("stored");
    assert_eq!(
        (stored.status, &stored.headers, &stored.redirect),
        (301, &new.headers, &new.redirect)
    );
    assert_eq!((stored.fetched_at, stored.checked_at), (UnixMillis(77), UnixMillis(77)));
    assert_eq!(
        (stored.body_length, stored.alias_of, stored.unmodified),
        (3, None, None)
    );
    assert_eq!(stored.problems, new.problems);
    let response = stored_response(&mut archive, &stored).expect("a response");
    assert_eq!(
        (response.content_type.as_deref(), response.body),
        (Some("text/html"), new.body)
    );
    assert_eq!(archive.page(&request("http://a/2")).expect("read"), None);
    assert!(
        archive
            .body(PageId(9))
            .expect_err("no such page")
            .to_string()
            .contains("has no page 9")
    );
}

pub fn the_same_body_is_stored_once(mut archive: impl Frontier + PageStore) {
    add(
        &mut archive,
        &[
            ("http://a/", 4.0),
            ("http://b/", 3.0),
            ("http://c/", 2.0),
            ("http://d/", 1.0),
        ],
    );
    let claims = claim(&mut archive, 0, 9);
    let batch = [
        page_outcome(&claims[0], b"same"),
        page_outcome(&claims[1], b"same"),
        page_outcome(&claims[2], b""),
    ];
    let report = archive.commit(&batch, UnixMillis(1)).expect("committed");
    let last = archive
        .commit(&[page_outcome(&claims[3], b"same")], UnixMillis(1))
        .expect("committed");
    let aliases: Vec<Option<PageId>> = [report.committed, last.committed]
        .concat()
        .iter()
        .map(|committed| match committed {
            Committed::Page { alias_of, .. } => *alias_of,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(aliases, [None, Some(PageId(1)), None, Some(PageId(1))]);
    let bodies: Vec<Vec<u8>> = content(&mut archive).into_iter().map(|(_, _, body)| body).collect();
    assert_eq!(bodies, [&b"same"[..], b"same", b"", b"same"]);
    assert_eq!(archive.capture(PageId(4)).expect("stored").alias_of, Some(PageId(1)));
}

pub fn pages_are_claimed_again_when_refreshed(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/", 1.0), ("http://b/", 0.0)]);
    let claims = claim(&mut archive, 0, 9);
    assert_eq!(claims[0].validators, None);
    archive
        .commit(
            &[page_outcome(&claims[0], b"old"), page_outcome(&claims[1], b"b")],
            UnixMillis(7),
        )
        .expect("committed");
    assert!(claim(&mut archive, 1_000, 9).is_empty());
    assert_eq!(archive.refresh(UnixMillis(7)).expect("refreshed"), 0);
    assert_eq!(archive.refresh(UnixMillis(8)).expect("refreshed"), 2);
    let again = claim(&mut archive, 1_000, 9);
    let validators = Validators {
        etag: Some("\"1\"".to_owned()),
        last_modified: None,
    };
    assert_eq!(again[0].validators, Some(validators));
    let newer = outcome(&again[1], ClaimResult::Page(new_page(b"b2", 1_001)));
    let batch = [outcome(&again[0], ClaimResult::NotModified), newer];
    archive.commit(&batch, UnixMillis(1_002)).expect("committed");
    let pages: Vec<Vec<u8>> = content(&mut archive).into_iter().map(|(_, _, body)| body).collect();
    assert_eq!(pages, [&b"old"[..], b"b2"]);
    let first = archive.page(&request("http://a/")).expect("read").expect("stored");
    assert_eq!(
        (first.id, first.checked_at, first.status),
        (PageId(1), UnixMillis(1_002), 200)
    );
    let mut captures = Vec::new();
    visit_captures(&mut archive, &mut |_, page| {
        captures.push((page.id.0, page.status, page.unmodified.map(|page| page.0)));
        Ok(())
    })
    .expect("all");
    assert_eq!(
        captures,
        [(1, 200, None), (2, 200, None), (3, 304, Some(1)), (4, 200, None)]
    );
    assert_eq!(archive.refresh(UnixMillis(1_002)).expect("refreshed"), 1);
}

pub fn not_modified_without_a_page_is_a_failure(mut archive: impl Frontier + PageStore) {
    add(&mut archive, &[("http://a/", 0.0)]);
    let first = claim(&mut archive, 0, 9).remove(0);
    archive
        .commit(&[outcome(&first, ClaimResult::NotModified)], UnixMillis(1))
        .expect("committed");
    let fate = archive.fate(&request("http://a/")).expect("a fate");
    assert!(matches!(fate, Some(Fate::Failed { .. })));
}

pub fn pages_are_kept_without_claims(mut archive: impl Frontier + PageStore) {
    let kept = |url: &str, body: &[u8], fetched_at: i64| KeptPage {
        request: new_request(url, 0.0),
        page: Some(new_page(body, fetched_at)),
        checked_at: UnixMillis(fetched_at),
    };
    add(&mut archive, &[("http://a/", 0.0)]);
    let open = claim(&mut archive, 0, 9).remove(0);
    let pages = [
        kept("http://a/", b"one", 5),
        kept("http://a/2", b"two", 5),
        kept("http://a/2", b"three", 4),
    ];
    let committed = archive.keep(&pages, UnixMillis(10)).expect("kept");
    assert!(matches!(
        committed[..],
        [Committed::Page { .. }, Committed::Page { .. }, Committed::Refused]
    ));
    assert_eq!(
        archive.keep(&pages, UnixMillis(10)).expect("kept"),
        [Committed::Refused; 3]
    );
    let unmodified = KeptPage {
        page: None,
        checked_at: UnixMillis(6),
        ..pages[1].clone()
    };
    assert_eq!(
        archive.keep(&[unmodified], UnixMillis(10)).expect("kept"),
        [Committed::Noted]
    );
    let report = archive
        .commit(&[page_outcome(&open, b"late")], UnixMillis(11))
        .expect("committed");
    assert_eq!(report.committed, [Committed::Refused]);
    check_statistics(
        &mut archive,
        expect!["0 waiting, 0 open, 2 done, 0 failed, 0 skipped, 1 hosts, next never"],
    );
    let pages: Vec<Vec<u8>> = content(&mut archive).into_iter().map(|(_, _, body)| body).collect();
    assert_eq!(pages, [&b"one"[..], b"two"]);
    add(&mut archive, &[("http://a/3", 0.0)]);
    assert_eq!(claim(&mut archive, 20, 9).len(), 1);
}

pub fn the_walk_over_pages_is_stable(mut archive: impl Frontier + PageStore) {
    let urls: Vec<String> = (0..250).map(|number| format!("http://h{number}/")).collect();
    let requests: Vec<NewRequest> = urls.iter().map(|url| new_request(url, 0.0)).collect();
    archive.add(&requests, UnixMillis(0)).expect("added");
    let claims = claim(&mut archive, 0, 999);
    let batch: Vec<_> = claims
        .iter()
        .map(|claim| page_outcome(claim, claim.host.as_bytes()))
        .collect();
    archive.commit(&batch, UnixMillis(1)).expect("committed");
    let mut walked = Vec::new();
    visit_pages(&mut archive, &mut |store, page| {
        assert_eq!(
            store.body(page.id)?,
            page.request.url.host_str().expect("a host").as_bytes()
        );
        walked.push(page.request.url.to_string());
        Ok(())
    })
    .expect("all");
    assert_eq!(walked, urls);
}
