//! Texts of the wild skin: mark-up inside values, links inside prose.
//!
//! Whatever is marked up, the text that a reader takes in is the one that was given.

use super::address::relative;
use crate::content::{Link, PageContent};
use maud::{Markup, html};

/// A value below its label, with the mark-up that such values have.
pub fn marked(label: &str, text: &str, content: &PageContent) -> Markup {
    match label {
        "Height" => with_decimals(text, |decimals| html! { sup { (decimals) } }),
        "Pitch length" | "Pitch width" => with_decimals(text, |decimals| html! { sub { (decimals) } }),
        "Fee" | "Budget" => {
            let digits = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
            html! { (text[..digits]) b { (text[digits..]) } }
        }
        "Colours" => {
            let last = text.rfind(' ').map_or(0, |blank| blank + 1);
            html! { (text[..last]) i { (text[last..]) } }
        }
        "Capacity" | "Attendance" => {
            let end = text.find(',').map_or(0, |comma| comma + 1);
            html! { (text[..end]) small { (text[end..]) } }
        }
        _ => linked(text, content),
    }
}

/// `1.83 m` with its decimals in mark-up of their own.
fn with_decimals(text: &str, dress: impl Fn(&str) -> Markup) -> Markup {
    let Some(point) = text.find('.') else {
        return html! { (text) };
    };
    let end = text.find(' ').unwrap_or(text.len());
    html! { (text[..=point]) (dress(&text[point + 1..end])) (text[end..]) }
}

/// A text with a link where it first names a record of the page.
pub fn linked(text: &str, content: &PageContent) -> Markup {
    let mut names: Vec<&Link> = content.names.iter().collect();
    let mut parts: Vec<(&str, Option<&Link>)> = Vec::new();
    let mut rest = text;
    loop {
        let places = names.iter().enumerate().filter_map(|(index, name)| {
            let start = rest.find(&name.text)?;
            // Of two names that begin at the same place the longer one is meant.
            Some((start, usize::MAX - name.text.len(), index))
        });
        let Some((start, _, index)) = places.min() else {
            break;
        };
        let name = names.remove(index);
        parts.push((&rest[..start], Some(name)));
        rest = &rest[start + name.text.len()..];
    }
    parts.push((rest, None));
    html! {
        @for (before, name) in parts {
            (before)
            @if let Some(name) = name { a href=(relative(&content.path, &name.target)) { (name.text) } }
        }
    }
}

/// A paragraph: links, and its first number in bold.
pub fn prose(text: &str, content: &PageContent) -> Markup {
    let start = text.find(|letter: char| letter.is_ascii_digit());
    let Some(start) = start else {
        return linked(text, content);
    };
    let end = text[start..].find(|letter: char| !letter.is_ascii_digit());
    let end = end.map_or(text.len(), |end| start + end);
    html! { (linked(&text[..start], content)) b { (text[start..end]) } (linked(&text[end..], content)) }
}

/// The sentences of a text: a paragraph each.
pub fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(". ").map(str::trim_end).collect()
}
