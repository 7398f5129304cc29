//! Tests of [`super::Explored`]: what is remembered, what it costs.

use super::super::map_site::{MapSite, site_url};
use super::*;
use crate::site::likeness::Shared;

fn explore(site: &mut MapSite, paths: &[&str]) -> (Explored, Vec<Reached>) {
    let mut explored = Explored::new(site_url("/"), &ExploreOptions::default());
    let addresses = intern_all(&mut explored, paths);
    let reached = explored.visit(site, &addresses);
    (explored, reached)
}

fn intern_all(explored: &mut Explored, paths: &[&str]) -> Vec<AddressId> {
    let intern = |path: &&str| {
        explored
            .addresses
            .intern(&site_url(path))
            .expect("an address of the site")
    };
    paths.iter().map(intern).collect()
}

#[test]
fn an_address_is_asked_for_once() {
    let mut site = MapSite::new([("/a", "<p>A"), ("/b", "<p>B"), ("/c", "!")]);
    let (mut explored, reached) = explore(&mut site, &["/a", "/gone", "/a", "/c"]);
    let page = |id| Reached::Page(PageId(id));
    assert_eq!(reached, [page(0), Reached::Dead, page(0), Reached::Failed]);
    let addresses = intern_all(&mut explored, &["/b", "/a", "/gone"]);
    assert_eq!(explored.visit(&mut site, &addresses), [page(1), page(0), Reached::Dead]);
    assert_eq!(site.asked, ["/a", "/gone", "/c", "/b"]);
    assert_eq!((explored.downloads, explored.evaluations), (4, 7));
    assert_eq!(explored.losses.len(), 1);
}

#[test]
fn redirects_fold_and_copies_are_told() {
    let mut site = MapSite::new([("/a", "> /b"), ("/b", "<p>B"), ("/copy", "<p>B")]);
    let (explored, reached) = explore(&mut site, &["/a", "/b", "/copy"]);
    assert_eq!(reached[0], reached[1]);
    assert_eq!(explored.url(PageId(0)), site_url("/b"));
    assert_eq!(explored.page(PageId(1)).copy_of, Some(PageId(0)));
}

#[test]
fn links_are_grouped_by_settled_paths() {
    let row = |class: &str, to: &str| format!("<li class={class}><a href={to}>x</a>");
    let first = format!(
        "<ul>{}{}{}",
        row("x", "/1"),
        row("alone", "/2"),
        row("x", "http://other.example/")
    );
    let mut site = MapSite::new([("/a", first.clone()), ("/b", format!("<ul>{}", row("x", "/3")))]);
    let (mut explored, _) = explore(&mut site, &["/a", "/b"]);
    let shown: Vec<(String, usize)> = explored
        .collections(PageId(0))
        .into_iter()
        .map(|(path, addresses)| (explored.paths.text(path), addresses.len()))
        .collect();
    let path = |li: &str| format!("html/body/ul/{li}/a");
    assert_eq!(shown, [(path("li[class=x]"), 1), (path("li[class]"), 1)]);
    assert_eq!(explored.schema(PageId(0)).paths().len(), 2);
    let form = |page: u32| explored.page(PageId(page)).form;
    let (left, right) = (form(0), form(1));
    let (left, right) = (explored.outline(left).to_vec(), explored.outline(right).to_vec());
    assert!(
        (Shared::of(&left, &right).likeness().jaccard - 6.0 / 8.0).abs() < 1e-9,
        "{left:?} {right:?}"
    );
}

#[test]
fn a_limit_stops_visits_and_forgets_nothing() {
    let mut site = MapSite::new([("/a", "<p>A"), ("/b", "<p>B")]);
    site.requests_max = Some(1);
    let (mut explored, reached) = explore(&mut site, &["/a", "/b"]);
    assert_eq!(reached[1], Reached::Stopped);
    assert!(explored.is_stopped);
    let addresses = intern_all(&mut explored, &["/a"]);
    assert_eq!(explored.visit(&mut site, &addresses), [reached[0]]);

    let mut site = MapSite::new([("/a", "<p>A"), ("/b", "<p>B")]);
    let options = ExploreOptions {
        downloads_max: 1,
        ..ExploreOptions::default()
    };
    let mut explored = Explored::new(site_url("/"), &options);
    let addresses = intern_all(&mut explored, &["/a", "/b"]);
    let reached = explored.visit(&mut site, &addresses);
    assert_eq!(reached, [Reached::Page(PageId(0)), Reached::Stopped]);
    assert_eq!(site.asked, ["/a"]);
}
