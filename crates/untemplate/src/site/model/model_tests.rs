//! Tests of whole explorations, on small sites written here.

use super::super::map_site::{MapSite, site_url};
use super::*;
use crate::page::{AttributeFilter, Page, ParseOptions, Response};

/// A shop: a home page, two lists, twelve details each of two kinds that differ in their fields.
fn shop() -> Vec<(String, String)> {
    let menu = "<div class=menu><a href=/>Home</a> <a href=/books.html>Books</a> <a href=/people.html>People</a></div>";
    let page = |body: String| format!("<title>Shop</title>{menu}{body}<p class=foot>All rights reserved</p>");
    let list = |kind: &str| {
        let items = (0..12).map(|number| format!("<li><a href=/{kind}/{number}.html>{kind} {number}</a>"));
        page(format!(
            "<h1>All {kind}</h1><ul class=list>{}</ul>",
            items.collect::<String>()
        ))
    };
    let mut pages = vec![
        (
            "/".to_owned(),
            page("<h1>Welcome</h1><div class=banner><img src=x.png></div>".to_owned()),
        ),
        ("/books.html".to_owned(), list("book")),
        ("/people.html".to_owned(), list("person")),
    ];
    for number in 0..12 {
        let award = if number % 3 == 0 {
            "<div class=award><b>Award</b><i>gold</i></div>"
        } else {
            ""
        };
        let book = format!(
            "<h1>Book {number}</h1><table class=facts><tr><th>Pages<td>{number}<tr><th>Price<td>{number}</table>{award}"
        );
        pages.push((format!("/book/{number}.html"), page(book)));
        let person = format!("<h1>Person {number}</h1><dl class=life><dt>Born<dd>19{number}<dt>Lives in<dd>Rome</dl>");
        pages.push((format!("/person/{number}.html"), page(person)));
    }
    pages
}

fn explore_shop() -> (Exploration, MapSite) {
    let mut site = MapSite::new(shop());
    let exploration = explore_model(&mut site, &site_url("/"), &[], &ModelOptions::default());
    (exploration, site)
}

/// The class of the visited page at a path.
fn class_at(model: &SiteModel, path: &str) -> Option<usize> {
    let address = site_url(path).to_string();
    model.classes.iter().position(|class| class.pages.contains(&address))
}

#[test]
fn templates_become_classes() {
    let (exploration, site) = explore_shop();
    let model = &exploration.model;
    let named: Vec<(&str, &str)> = model
        .classes
        .iter()
        .map(|class| (class.name.as_str(), class.kind.name()))
        .collect();
    assert!(named.contains(&("book", "detail")), "{named:?}");
    assert!(named.contains(&("person", "detail")), "{named:?}");
    let lists = class_at(model, "/books.html").expect("the list was visited");
    assert_eq!(class_at(model, "/people.html"), Some(lists));
    assert_eq!(model.classes[lists].kind, ClassKind::List);
    for class in model
        .classes
        .iter()
        .filter(|class| class.name == "book" || class.name == "person")
    {
        assert_eq!(class.estimated_pages, 12, "{}", class.name);
    }
    let asked: std::collections::BTreeSet<&String> = site.asked.iter().collect();
    assert_eq!(asked.len(), site.asked.len(), "no page is asked for twice");
    let books = class_at(model, "/book/0.html")
        .or(class_at(model, "/book/1.html"))
        .expect("a book was visited");
    assert!(
        model.links.iter().any(|link| (link.from, link.to) == (lists, books)),
        "{:?}",
        model.links
    );
}

#[test]
fn the_same_site_gives_the_same_model() {
    assert_eq!(explore_shop().0.model, explore_shop().0.model);
}

#[test]
fn pages_are_classified_and_addresses_predicted() {
    let model = explore_shop().0.model;
    let classifier = Classifier::new(&model);
    let predictor = Predictor::new(&model);
    for (path, html) in shop() {
        let page = Page::read(&Response::html(site_url(&path), html), &ParseOptions::default());
        let fingerprint = sight(&page, &AttributeFilter::default()).fingerprint;
        let found = classifier.classify(&fingerprint, &page.url);
        let name = found.class.map(|class| model.classes[class].name.as_str());
        for kind in ["book", "person"] {
            if path.starts_with(&format!("/{kind}/")) {
                assert_eq!(name, Some(kind), "{path}");
                let predicted = predictor.predict(&page.url).expect("the shape was visited");
                assert_eq!(model.classes[predicted.class].name, kind);
                assert!(predicted.confidence > 0.5);
            }
        }
    }
    assert_eq!(predictor.predict(&site_url("/else/where?x=1")), None);
}

#[test]
fn a_page_like_nothing_is_of_no_class() {
    let classifier = Classifier::new(&explore_shop().0.model);
    let html = "<frameset><frame src=a><frame src=b></frameset>";
    let page = Page::read(&Response::html(site_url("/x/y/z"), html), &ParseOptions::default());
    let fingerprint = sight(&page, &AttributeFilter::default()).fingerprint;
    assert_eq!(classifier.classify(&fingerprint, &page.url).class, None);
}

#[test]
fn an_update_goes_on_and_keeps_numbers() {
    let old = explore_shop().0.model;
    let mut more = shop();
    let extra = |number: usize| format!("<h1>Event {number}</h1><form><input name=a><select><option>x</select></form>");
    more.extend((0..4).map(|number| (format!("/event/{number}.html"), extra(number))));
    let links: String = (0..4)
        .map(|number| format!("<a href=/event/{number}.html>e</a>"))
        .collect();
    more[0].1.push_str(&format!("<p class=events>{links}</p>"));
    let mut site = MapSite::new(more);
    let seeds: Vec<url::Url> = old
        .classes
        .iter()
        .flat_map(|class| &class.pages)
        .map(|page| page.parse().expect("a good address"))
        .collect();
    let exploration = explore_model(&mut site, &site_url("/"), &seeds, &ModelOptions::default());
    let model = keep_numbers(exploration.model, &old);
    for (number, class) in old
        .classes
        .iter()
        .enumerate()
        .filter(|(_, class)| class.pages.len() > 1)
    {
        assert_eq!(model.classes[number].name, class.name);
        assert!(model.classes[number].pages.contains(&class.pages[0]));
    }
    assert!(
        model.classes.iter().any(|class| class.name == "event"),
        "{:?}",
        model.classes
    );
}

#[test]
fn stopped_and_empty_sites_give_what_there_is() {
    let mut site = MapSite::new(shop());
    site.requests_max = Some(3);
    let exploration = explore_model(&mut site, &site_url("/"), &[], &ModelOptions::default());
    assert!(exploration.is_stopped);
    assert!(!exploration.model.classes.is_empty());
    let mut nothing = MapSite::new([("/", "!")]);
    let exploration = explore_model(&mut nothing, &site_url("/"), &[], &ModelOptions::default());
    assert!(exploration.model.classes.is_empty());
    assert_eq!(exploration.losses.len(), 1);
}
