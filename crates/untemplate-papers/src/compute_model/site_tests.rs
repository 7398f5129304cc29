//! The algorithm on a small site.

use untemplate::page::{Page, ParseOptions, Response};
use untemplate::site::MapSite;
use untemplate::site::model::{ModelOptions, SchemaMode};
use url::Url;

use super::{ComputeOptions, SchemaClassifier, Strategy, compute_model};

fn site_url(path: &str) -> Url {
    Url::parse("http://site.example/")
        .and_then(|home| home.join(path))
        .expect("a good address")
}

/// A shop: a home page, two lists, twelve details each of two kinds that differ in their fields and
/// not in their links.
fn shop() -> Vec<(String, String)> {
    let menu = "<div class=menu><a href=/>Home</a> <a href=/books.html>Books</a> <a href=/people.html>People</a></div>";
    let page = |body: String| format!("<title>Shop</title>{menu}{body}<p class=foot>All rights reserved</p>");
    let list = |kind: &str| {
        let items = (0..12).map(|number| format!("<li><a href=/{kind}/{number}.html>{kind} {number}</a>"));
        page(format!("<ul class=list>{}</ul>", items.collect::<String>()))
    };
    let mut pages = vec![
        ("/".to_owned(), page("<h1>Welcome</h1>".to_owned())),
        ("/books.html".to_owned(), list("book")),
        ("/people.html".to_owned(), list("person")),
    ];
    for number in 0..12 {
        let book = format!("<h1>Book {number}</h1><table class=facts><tr><th>Pages<td>{number}</table>");
        pages.push((format!("/book/{number}.html"), page(book)));
        let person = format!("<h1>Person {number}</h1><dl class=life><dt>Born<dd>19{number}</dl>");
        pages.push((format!("/person/{number}.html"), page(person)));
    }
    pages
}

/// The paper's algorithm sees links alone: both kinds of details have the menu's and nothing else,
/// so they are one class to it. With so few paths only the paper's union schema tells lists from
/// details.
#[test]
fn the_papers_algorithm_sees_links_alone() {
    for strategy in [Strategy::DensestFirst, Strategy::SparsestFirst] {
        let mut site = MapSite::new(shop());
        let compute = ComputeOptions {
            strategy,
            ..ComputeOptions::default()
        };
        let options = ModelOptions {
            schema_mode: SchemaMode::Union,
            ..ModelOptions::default()
        };
        let model = compute_model(&mut site, &site_url("/"), &options, &compute).model;
        let classifier = SchemaClassifier::new(&model);
        let class_of = |path: &str| {
            let (_, html) = shop()
                .into_iter()
                .find(|(known, _)| known == path)
                .expect("a page of the shop");
            let page = Page::read(&Response::html(site_url(path), html), &ParseOptions::default());
            classifier.classify(&page).class
        };
        assert_eq!(class_of("/book/1.html"), class_of("/person/1.html"));
        assert_ne!(class_of("/book/1.html"), class_of("/books.html"));
        assert_eq!(class_of("/people.html"), class_of("/books.html"));
    }
}
