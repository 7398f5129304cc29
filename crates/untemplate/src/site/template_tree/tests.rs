//! Small sites, and which of their pages the tree says are of one template.

use url::Url;

use super::*;
use crate::page::{AttributeFilter, Page, ParseOptions, Response, SiteScope};
use crate::site::address_book::AddressBook;
use crate::site::model::Fingerprint;

/// Grows a tree of pages, given as address and body, and checks which of them are together.
fn check_leaves(pages: &[(String, String)], expected: &[&[&str]]) {
    let mut book = FeatureBook::default();
    let urls: Vec<Url> = (pages.iter())
        .map(|(path, _)| format!("http://a.example/{path}").parse().expect("a good address"))
        .collect();
    let features: Vec<PageFeatures> = (urls.iter().zip(pages))
        .map(|(url, (_, body))| {
            let html = format!("<div class=menu><a href=/>Home</a></div>{body}<div class=foot>x</div>");
            let page = Page::read(&Response::html(url.clone(), html), &ParseOptions::default());
            book.read(&Fingerprint::of(&page, &AttributeFilter::default()))
        })
        .collect();
    let home: Url = "http://a.example/".parse().expect("a good address");
    let mut addresses = AddressBook::new(home, SiteScope::Domain);
    let numbers: Vec<AddressId> = urls.iter().filter_map(|url| addresses.intern(url)).collect();
    let mut parts = PartBook::default();
    parts.learn_stems(&addresses);
    parts.read_on(&addresses);
    let seen = |(&address, features)| SeenPage {
        address,
        features,
        places: &[],
    };
    let visited: Vec<SeenPage<'_>> = numbers.iter().zip(&features).map(seen).collect();
    let tree = TemplateTree::grow(&parts, &numbers, &visited, &TemplateTuning::default());
    let mut leaves: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (&address, (path, _)) in numbers.iter().zip(pages) {
        let kind = path.trim_end_matches(|c: char| c.is_ascii_digit());
        let own = leaves.entry(tree.leaf(parts.of(address))).or_default();
        if !own.contains(&kind) {
            own.push(kind);
        }
    }
    let mut leaves: Vec<Vec<&str>> = leaves.into_values().collect();
    leaves.sort();
    assert_eq!(leaves, expected);
}

const TEAM: &str = "<h1>T</h1><ul class=squad><li><b>n</b></ul><table><tr><td>1</table>";
const PLAYER: &str = "<h2>P</h2><dl class=facts><dt>Born<dd>1</dl><p class=life>x";

/// Pages of one template: some lack a section.
fn pages(path: &str, body: &str) -> Vec<(String, String)> {
    let section = |number: usize| {
        if number.is_multiple_of(3) {
            "<blockquote><p>q</blockquote>"
        } else {
            ""
        }
    };
    (0..9)
        .map(|number| (format!("{path}{number}"), format!("{body}{}", section(number))))
        .collect()
}

#[test]
fn folders_that_tell_templates_apart_are_told_from_data() {
    let site = [
        pages("team/", TEAM),
        pages("player/a/", PLAYER),
        pages("player/b/", PLAYER),
    ]
    .concat();
    check_leaves(&site, &[&["player/a/", "player/b/"], &["team/"]]);
}

#[test]
fn words_before_numbers_tell_templates_apart_in_every_folder() {
    let site = [
        pages("one/team-", TEAM),
        pages("one/player-", PLAYER),
        pages("two/team-", TEAM),
        pages("two/player-", PLAYER),
    ]
    .concat();
    check_leaves(&site, &[&["one/player-", "two/player-"], &["one/team-", "two/team-"]]);
}

#[test]
fn a_site_of_one_template_is_one_leaf() {
    check_leaves(&[pages("a/", TEAM), pages("b/", TEAM)].concat(), &[&["a/", "b/"]]);
    check_leaves(&[], &[]);
}
