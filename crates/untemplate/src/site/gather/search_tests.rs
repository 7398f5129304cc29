//! Tests of the guided search: small sites with what real ones have: pages of an index, stray
//! links, copies, dead ends, traps.

use super::*;
use crate::page::{Event, ParseOptions, Response};
use crate::site::map_site::{MapSite, site_url};
use crate::site::{ExploreOptions, TemplateTuning};

const MENU: &str = "<div class=menu><a href=/>Home</a><a href=/about>About</a></div>";

fn item(number: usize) -> String {
    let name = "x".repeat(number % 7 + 1);
    format!(
        "{MENU}<h1>Item {name}</h1><dl><dt>Price<dd>{number}<dt>Weight<dd>{name}</dl><p class=back><a href=/list/1>List</a></p>"
    )
}

fn list_page(number: usize, per_page: usize, n_pages: usize) -> String {
    let row = |item: usize| {
        format!(
            "<li class={}><a href=/item/{item}>x</a>",
            if item.is_multiple_of(2) { "even" } else { "odd" }
        )
    };
    let rows: String = (number * per_page..(number + 1) * per_page).map(row).collect();
    let next = match number + 1 < n_pages {
        true => format!("<p class=next><a href=/list/{}>Next</a></p>", number + 2),
        false => String::new(),
    };
    format!("{MENU}<h2>All items</h2><ul>{rows}</ul>{next}")
}

/// A shop: a home page, a page about it, and items on the pages of a list.
fn shop(n_pages: usize, per_page: usize) -> MapSite {
    let mut site = MapSite::new([
        (
            "/",
            format!("{MENU}<h1>Welcome</h1><p><a href=/list/1>All items</a></p>"),
        ),
        (
            "/about",
            format!("{MENU}<h1>About</h1><blockquote>We sell.</blockquote>"),
        ),
    ]);
    for number in 0..n_pages {
        site.pages
            .insert(format!("/list/{}", number + 1), list_page(number, per_page, n_pages));
    }
    for number in 0..n_pages * per_page {
        site.pages.insert(format!("/item/{number}"), item(number));
    }
    site
}

fn sample(site: &MapSite, path: &str) -> Page {
    let response = Response::html(site_url(path), site.pages[path].clone());
    Page::read(&response, &ParseOptions::default())
}

fn gather_from(site: &mut MapSite, path: &str, options: &GatherOptions) -> Gathered {
    let sample = sample(site, path);
    gather(site, &sample, options)
}

fn n_items(gathered: &Gathered) -> usize {
    gathered
        .pages
        .iter()
        .filter(|page| page.url.path().starts_with("/item/"))
        .count()
}

#[test]
fn all_items_are_found_through_the_pages_of_a_list() {
    let mut site = shop(6, 10);
    let gathered = gather_from(&mut site, "/item/7", &GatherOptions::default());
    assert_eq!((n_items(&gathered), gathered.pages.len()), (60, 60));
    assert_eq!(gathered.pages[0].url, site_url("/item/7"));
    assert_eq!(gathered.pages[0].distance, 0.0);
    assert!(gathered.downloads <= 59 + 6 + 6, "{}", gathered.downloads);
    assert_eq!(gathered.size_estimate, 60);
    assert!(gathered.leads[0].path.contains("ul/li"), "{:?}", gathered.leads[0]);
    assert!(site.events.contains(&Event::Found(60)));
    let alike = |event: &&Event| matches!(event, Event::Alike(url) if url.path().starts_with("/item/"));
    assert_eq!(site.events.iter().filter(alike).count(), 60, "each is told of once");
}

#[test]
fn a_stray_link_in_the_list_kills_nothing() {
    let mut site = shop(2, 20);
    let with_stray = site.pages["/list/1"].replacen("<ul>", "<ul><li class=odd><a href=/about>Advertisement</a>", 1);
    site.pages.insert("/list/1".to_owned(), with_stray);
    let gathered = gather_from(&mut site, "/item/3", &GatherOptions::default());
    assert_eq!((n_items(&gathered), gathered.pages.len()), (40, 40));
}

/// A shop of items and their reviews in one large frame: by their form alone the two are one kind
/// of page.
fn framed_shop() -> MapSite {
    let frame: String = (0..60)
        .map(|place| {
            format!(
                "<div class=f{}><section id=s{place}><em>x</em></section></div>",
                place / 10
            )
        })
        .collect();
    let row = |number: usize| format!("<li><a href=/item/{number}>x</a><a href=/review/{number}>y</a>");
    let rows: String = (0..40).map(row).collect();
    let mut site = MapSite::new([("/", format!("{MENU}{frame}<ul>{rows}</ul>"))]);
    for number in 0..40 {
        let own = [("item", "<p class=price>7"), ("review", "<q>Good</q>")];
        for (kind, own) in own {
            let html = format!("{MENU}{frame}<h1>{kind}</h1>{own}<p><a href=/>All</a>");
            site.pages.insert(format!("/{kind}/{number}"), html);
        }
    }
    site
}

#[test]
fn templates_in_one_frame_are_told_apart() {
    let gathered = gather_from(&mut framed_shop(), "/item/3", &GatherOptions::default());
    assert_eq!((n_items(&gathered), gathered.pages.len()), (40, 40));
    // Without any contrast that parts them all are one kind of page.
    let options = GatherOptions {
        templates: TemplateTuning {
            contrast_min: 2.0,
            ..TemplateTuning::default()
        },
        ..GatherOptions::default()
    };
    let gathered = gather_from(&mut framed_shop(), "/item/3", &options);
    assert_eq!((n_items(&gathered), gathered.pages.len()), (40, 81));
}

#[test]
fn a_home_page_has_few_like_it() {
    // The page about the shop is made nearly as the home page is.
    let mut site = shop(10, 30);
    let gathered = gather_from(&mut site, "/", &GatherOptions::default());
    assert_eq!(paths(&gathered), ["/", "/about"]);
    assert!(gathered.downloads <= 130, "{}", gathered.downloads);
}

#[test]
fn a_sample_without_links_is_left_through_its_folders() {
    let mut site = shop(2, 10);
    let bare = |number: usize| format!("<h1>Item</h1><dl><dt>Price<dd>{number}</dl>");
    for number in 0..20 {
        site.pages.insert(format!("/item/{number}"), bare(number));
    }
    let gathered = gather_from(&mut site, "/item/3", &GatherOptions::default());
    assert_eq!(n_items(&gathered), 20);
}

#[test]
fn an_entry_leads_where_nothing_else_does() {
    let mut site = shop(2, 10);
    for number in 0..20 {
        site.pages.insert(
            format!("/item/{number}"),
            format!("<h1>Item</h1><dl><dt>Price<dd>{number}</dl>"),
        );
    }
    site.pages.remove("/");
    assert_eq!(
        gather_from(&mut site, "/item/3", &GatherOptions::default()).pages.len(),
        1
    );
    let options = GatherOptions {
        entries: vec![site_url("/list/1")],
        ..GatherOptions::default()
    };
    assert_eq!(n_items(&gather_from(&mut site, "/item/3", &options)), 20);
}

#[test]
fn copies_are_listed_and_told() {
    let mut site = shop(2, 10);
    let copy = site.pages["/item/4"].clone();
    site.pages.insert("/item/5".to_owned(), copy);
    let gathered = gather_from(&mut site, "/item/3", &GatherOptions::default());
    assert_eq!(n_items(&gathered), 20);
    let copies: Vec<&GatheredPage> = gathered.pages.iter().filter(|page| page.copy_of.is_some()).collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
}

#[test]
fn a_budget_and_an_interrupt_keep_what_was_found() {
    let mut site = shop(6, 10);
    let options = GatherOptions {
        explore: ExploreOptions {
            downloads_max: 30,
            ..ExploreOptions::default()
        },
        ..GatherOptions::default()
    };
    let gathered = gather_from(&mut site, "/item/7", &options);
    assert!(
        gathered.is_stopped && gathered.downloads == 30,
        "{}",
        gathered.downloads
    );
    assert!(gathered.pages.len() > 10);
    let mut site = shop(6, 10);
    site.requests_max = Some(20);
    let gathered = gather_from(&mut site, "/item/7", &GatherOptions::default());
    assert!(gathered.is_stopped && gathered.pages.len() > 5);
}

#[test]
fn an_endless_calendar_is_no_trap() {
    let mut site = shop(3, 10);
    let month = |number: usize| {
        format!(
            "{MENU}<h2>Month</h2><table><tr><td><a href=/month/{}>Next</a></table>",
            number + 1
        )
    };
    for number in 0..2000 {
        site.pages.insert(format!("/month/{number}"), month(number));
    }
    let about = format!("{MENU}<h1>About</h1><p><a href=/month/0>Calendar</a>");
    site.pages.insert("/about".to_owned(), about);
    let gathered = gather_from(&mut site, "/item/7", &GatherOptions::default());
    assert_eq!((n_items(&gathered), gathered.pages.len()), (30, 30));
    assert!(gathered.downloads <= 30 + 60, "{}", gathered.downloads);
}

/// A site where items have no index: they hang on notes, every third of which names one, and the
/// first thirty none.
fn notebook(n_notes: usize) -> MapSite {
    let mut site = MapSite::new([("/", format!("{MENU}<h1>Welcome</h1>"))]);
    let named_by = |note: usize| (note >= 30 && note % 3 == 1).then_some(note);
    let mut rows = String::new();
    for note in 0..n_notes {
        rows += &format!("<li><a href=/note/{note}>note</a>");
        let about = named_by(note).map_or(String::new(), |item| {
            format!("<p class=about><a href=/item/{item}>x</a></p>")
        });
        let text = format!("{MENU}<h3>Note</h3><blockquote>{note}</blockquote><p><a href=/notes>Notes</a></p>{about}");
        site.pages.insert(format!("/note/{note}"), text);
        if let Some(number) = named_by(note) {
            let text = item(number).replace("/list/1", &format!("/note/{note}"));
            site.pages.insert(format!("/item/{number}"), text);
        }
    }
    site.pages
        .insert("/notes".to_owned(), format!("{MENU}<h2>Notes</h2><ul>{rows}</ul>"));
    site
}

#[test]
fn a_class_without_an_index_is_not_given_up() {
    let mut site = notebook(900);
    let n_all = site.pages.keys().filter(|path| path.starts_with("/item/")).count();
    let gathered = gather_from(&mut site, "/item/49", &GatherOptions::default());
    assert_eq!(gathered.pages.len(), n_items(&gathered));
    assert!(
        n_items(&gathered) * 100 >= n_all * 99,
        "{} of {n_all}",
        n_items(&gathered)
    );
}

#[test]
fn losses_are_told_and_dead_links_are_none() {
    let mut site = shop(2, 10);
    site.pages.insert("/item/4".to_owned(), "!".to_owned());
    site.pages.remove("/item/5");
    let gathered = gather_from(&mut site, "/item/3", &GatherOptions::default());
    assert_eq!(n_items(&gathered), 18);
    assert_eq!(gathered.losses.len(), 1);
}

#[test]
fn same_site_same_result() {
    let run = || gather_from(&mut shop(4, 12), "/item/7", &GatherOptions::default());
    assert_eq!(run(), run());
}

#[test]
fn a_site_need_not_be_asked_for_what_it_lists() {
    let options = GatherOptions {
        listed: false,
        ..GatherOptions::default()
    };
    let gathered = gather_from(&mut shop(3, 10), "/item/7", &options);
    assert_eq!(n_items(&gathered), 30);
}

#[test]
fn folders_of_dead_links_are_left_alone() {
    let mut site = shop(6, 10);
    let links: String = (0..200)
        .map(|number| format!("<a href=/login/{number}>Log in</a>"))
        .collect();
    for html in site.pages.values_mut() {
        *html += &format!("<div class=foot>{links}</div>");
    }
    let gathered = gather_from(&mut site, "/item/7", &GatherOptions::default());
    assert_eq!((n_items(&gathered), gathered.pages.len()), (60, 60));
    assert!(gathered.downloads <= 59 + 6 + 30, "{}", gathered.downloads);
}

/// The paths of what was found, sorted.
fn paths(gathered: &Gathered) -> Vec<String> {
    let mut paths: Vec<String> = gathered.pages.iter().map(|page| page.url.path().to_owned()).collect();
    paths.sort();
    paths
}

/// A shop whose pages are changed, and the items found there from one of them.
fn found_in_twin(change: impl Fn(&str) -> String) -> Vec<String> {
    let mut site = shop(6, 10);
    for html in site.pages.values_mut() {
        *html = change(html);
    }
    paths(&gather_from(&mut site, "/item/7", &GatherOptions::default()))
}

#[test]
fn links_that_redirect_change_nothing() {
    let plain = found_in_twin(str::to_owned);
    assert_eq!(plain.len(), 60);
    let mut site = shop(6, 10);
    let known: Vec<String> = site.pages.keys().cloned().collect();
    for html in site.pages.values_mut() {
        *html = html.replace("href=/", "href=/go/");
    }
    for path in known {
        site.pages.insert(format!("/go{path}"), format!("> {path}"));
    }
    let gathered = gather_from(&mut site, "/item/7", &GatherOptions::default());
    assert_eq!(paths(&gathered), plain);
    assert!(gathered.downloads <= 59 + 6 + 60, "{}", gathered.downloads);
}

#[test]
fn names_of_classes_language_and_frame_change_nothing() {
    let plain = found_in_twin(str::to_owned);
    let hashed = |html: &str| {
        let names = [("menu", "css-1k9x2b"), ("back", "css-8fq03z"), ("next", "css-0pz77m")];
        names.iter().fold(html.to_owned(), |html, (name, hash)| {
            html.replace(&format!("class={name}"), &format!("class={hash}"))
        })
    };
    assert_eq!(found_in_twin(hashed), plain);
    let words = [
        ("Item", "Artikel"),
        ("Price", "Preis"),
        ("Weight", "Gewicht"),
        ("All", "Alle"),
        ("Next", "Weiter"),
    ];
    let translated = |html: &str| {
        words
            .iter()
            .fold(html.to_owned(), |html, (word, other)| html.replace(word, other))
    };
    assert_eq!(found_in_twin(translated), plain);
    let links: String = (0..40)
        .map(|number| format!("<li class=m{number}><a href=/about>Topic</a>"))
        .collect();
    let framed = |html: &str| {
        format!(
            "<div class=frame><ul class=topics>{links}</ul><table><tr><td>{html}</table><form><input name=q></form></div>"
        )
    };
    assert_eq!(found_in_twin(framed), plain);
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Whatever links to whatever: it ends, the sample is first, nothing is asked for twice,
        /// nothing is listed twice.
        #[test]
        fn any_site_is_left_again(links in proptest::collection::vec(proptest::collection::vec(0usize..30, 0..8), 1..30), kinds in proptest::collection::vec(0usize..4, 30)) {
            let tags = ["p", "h1", "td", "em"];
            let page = |at: usize, to: &Vec<usize>| {
                let links: String = to.iter().map(|to| format!("<a href=/{}/{to}>x</a>", kinds[*to])).collect();
                (format!("/{}/{at}", kinds[at]), format!("<{0}>{links}</{0}>", tags[kinds[at]]))
            };
            let mut site = MapSite::new(links.iter().enumerate().map(|(at, to)| page(at, to)));
            let first = format!("/{}/0", kinds[0]);
            let gathered = gather_from(&mut site, &first, &GatherOptions::default());
            prop_assert_eq!(gathered.pages[0].url.path(), first.as_str());
            let mut asked = site.asked.clone();
            asked.sort();
            asked.dedup();
            prop_assert_eq!(asked.len(), site.asked.len());
            let mut listed: Vec<&str> = gathered.pages.iter().map(|page| page.url.as_str()).collect();
            listed.sort_unstable();
            listed.dedup();
            prop_assert_eq!(listed.len(), gathered.pages.len());
        }
    }
}
