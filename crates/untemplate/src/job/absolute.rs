//! Absolute addresses: what links and pictures of a record say, as addresses that mean the same everywhere.
//!
//! In: a record as its page has it. Out: the same, each `href` and `src` resolved against the page's base, and spelt as the crawl spells addresses, so that a
//! link and the page that it leads to are equal texts. What is no address of a page, such as `mailto:`, stays as it is.

use std::sync::Arc;

use crate::page::Page;
use crate::wrapper::{Record, Template, Value};

/// The keys of a template's fields that are addresses, sorted.
pub fn address_keys(template: &Template) -> Vec<Arc<str>> {
    let attributes = template.parts.iter().flat_map(|part| &part.attributes);
    let addresses = attributes.filter(|field| matches!(field.attribute.as_str(), "href" | "src"));
    let mut keys: Vec<Arc<str>> = addresses.map(|field| field.name.as_str().into()).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// Resolves the values of these keys, in lists as well.
pub fn make_absolute(record: &mut Record, keys: &[Arc<str>], page: &Page) {
    each_address(record, keys, &mut |text| {
        if let Some(url) = page.resolve(text) {
            *text = url.into();
        }
    });
}

/// Shows the texts of these keys to somebody who may change them, in lists as well.
pub fn each_address(record: &mut Record, keys: &[Arc<str>], change: &mut dyn FnMut(&mut String)) {
    let mut waiting: Vec<&mut Record> = vec![record];
    while let Some(record) = waiting.pop() {
        for (key, value) in &mut record.values {
            match value {
                Value::Text(text) if keys.binary_search(key).is_ok() => change(text),
                Value::Text(_) => {}
                Value::List(rounds) => waiting.extend(rounds.iter_mut()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    #[test]
    fn links_become_absolute_and_mail_stays() {
        let url = "http://cup.example/teams/rovers.html".parse().expect("a good address");
        let page = Page::read(&Response::html(url, "<p>"), &ParseOptions::default());
        let text = |text: &str| Value::Text(text.to_owned());
        let row = |href: &str| Record {
            values: vec![("player_href".into(), text(href)), ("player".into(), text(href))],
        };
        let mut record = Record {
            values: vec![(
                "list".into(),
                Value::List(vec![row("../players/ada.html#top"), row("mailto:ada@cup.example")]),
            )],
        };
        make_absolute(&mut record, &["player_href".into()], &page);
        let Some(Value::List(rows)) = record.get("list") else {
            panic!("a list stays one");
        };
        assert_eq!(rows[0].text("player_href"), Some("http://cup.example/players/ada.html"));
        assert_eq!(rows[0].text("player"), Some("../players/ada.html#top"));
        assert_eq!(rows[1].text("player_href"), Some("mailto:ada@cup.example"));
    }
}
