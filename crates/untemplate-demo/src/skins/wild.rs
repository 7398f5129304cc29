//! The wild skin: what the pages of real sites have, and program-made ones mostly lack.
//!
//! Values with mark-up and links inside, prose with links under headings that not every page has, a
//! block for each season under its own heading, the same neighbours above and below, `none` for
//! what is absent, two languages in one class of pages. Facts are spelt in four ways: rows of a
//! table, a definition list, items that begin with their label, lines.

use super::address::relative;
use super::menu::{FOOTER, MENU, SITE_NAME, visitor};
use super::wild_text::{linked, marked, prose, sentences};
use super::{modern, plain};
use crate::content::{Block, Item, Link, PageContent, Value};
use crate::database::Date;
use crate::language::Language;
use crate::page_class::PageClass;
use maud::{DOCTYPE, Markup, html};

/// Renders a page.
pub fn render(content: &PageContent) -> String {
    html! {
        (DOCTYPE)
        html lang=(content.language.code()) {
            head { meta charset="utf-8"; title { (content.title) " \u{2013} " (SITE_NAME) } }
            body {
                div #top { a href="/" { (SITE_NAME) } ul { @for (target, text) in MENU { li { a href=(target) { (frame(content, text)) } } } } }
                (crumbs(content))
                div #page {
                    (neighbours(content))
                    (title(content))
                    @for block in &content.blocks { (render_block(block, content)) }
                    @if !content.related.is_empty() { (related(content)) }
                    (neighbours(content))
                }
                (footer(content))
            }
        }
    }
    .into_string()
}

fn say<'a>(content: &PageContent, text: &'a str) -> &'a str {
    content.language.say(text)
}

/// What menus say; the home page has the same name in both languages.
fn frame<'a>(content: &PageContent, text: &'a str) -> &'a str {
    if text == "Home" { text } else { say(content, text) }
}

fn crumbs(content: &PageContent) -> Markup {
    html! {
        div.crumbs {
            (say(content, "You are here")) ": "
            @for crumb in &content.crumbs { a href=(relative(&content.path, &crumb.target)) { (frame(content, &crumb.text)) } " \u{bb} " }
            b { (content.title) }
        }
    }
}

/// Previous, up, next: on every page, above and below.
fn neighbours(content: &PageContent) -> Markup {
    let up = content.crumbs.last().filter(|_| content.class.is_detail());
    let way = |link: &Link, word: &str| html! { a href=(relative(&content.path, &link.target)) title=(link.text) { (say(content, word)) } " " };
    html! {
        p.ways {
            @if let Some(link) = &content.previous { (way(link, "Previous")) }
            @if let Some(link) = up { (way(link, "Up")) }
            @if let Some(link) = &content.next { (way(link, "Next")) }
            @if let Some((page, pages)) = content.position { "(" (page) "/" (pages) ")" }
        }
    }
}

/// The heading; the family name of a person is set apart.
fn title(content: &PageContent) -> Markup {
    match content.title.rsplit_once(' ') {
        Some((given, family)) if content.class == PageClass::Person => html! { h1 { (given) " " b { (family) } } },
        _ => html! { h1 { (content.title) } },
    }
}

fn related(content: &PageContent) -> Markup {
    html! {
        h2 { (say(content, "Related news")) }
        ul.related {
            @for (date, link) in &content.related {
                li { a href=(relative(&content.path, &link.target)) { (link.text) } ", " i { (day(*date, content)) } }
            }
        }
    }
}

fn footer(content: &PageContent) -> Markup {
    html! {
        div #foot {
            @for (target, text) in FOOTER { a href=(target) { (frame(content, text)) } " | " }
            a href="/glossary.html" { (say(content, "Glossary")) }
            br;
            (say(content, "Page generated for visitor no.")) " " (visitor(&content.path))
        }
    }
}

fn render_block(block: &Block, content: &PageContent) -> Markup {
    match block {
        Block::Facts { heading, rows, .. } => facts(*heading, rows, content),
        Block::Grid {
            name: "seasons",
            heading,
            columns,
            rows,
        } => seasons(heading, columns, rows, content),
        Block::Grid {
            heading, columns, rows, ..
        } => grid(heading, columns, rows, content),
        Block::Items { heading, items, .. } => html! { h2 { (say(content, heading)) } (list(items, content)) },
        Block::Sides { heading, sides, .. } => html! {
            h2 { (say(content, heading)) }
            @for (team, items) in sides {
                h3 { (team) }
                @if items.is_empty() { p { (say(content, "none")) } } @else { (list(items, content)) }
            }
        },
        Block::Prose {
            heading, paragraphs, ..
        } => paragraphs_of(*heading, paragraphs, content),
        Block::Score { home, away } => html! {
            p.score {
                a href=(relative(&content.path, &home.0.target)) { (home.0.text) } " " b { (home.1) } " : " b { (away.1) } " "
                a href=(relative(&content.path, &away.0.target)) { (away.0.text) }
            }
        },
        Block::Bar { links, .. } => html! { p.bar { @for link in links { a href=(link.target) { (link.text) } " " } } },
        Block::Form { method, action, fields } => plain::form(method, action, fields),
        Block::Month { weeks } => modern::month(weeks),
    }
}

/// Facts as each class of pages spells them; those with a heading are lines of a paragraph.
fn facts(heading: Option<&str>, rows: &[(&'static str, Value)], content: &PageContent) -> Markup {
    let value = |label: &str, value: &Value| fact(label, value, content);
    if let Some(heading) = heading {
        return html! {
            h2 { (say(content, heading)) }
            p { @for (label, own) in rows { b { (say(content, label)) ":" } " " (value(label, own)) br; } }
        };
    }
    match content.class {
        PageClass::Person => html! {
            table.infobox {
                caption { (content.title) }
                @for (label, own) in rows { tr { th { (say(content, label)) } td { (value(label, own)) } } }
            }
        },
        PageClass::Stadium | PageClass::Article => html! {
            ul.facts { @for (label, own) in rows { li { b { (say(content, label)) } ": " (value(label, own)) } } }
        },
        _ => html! { dl { @for (label, own) in rows { dt { (say(content, label)) } dd { (value(label, own)) } } } },
    }
}

fn fact(label: &str, value: &Value, content: &PageContent) -> Markup {
    match value {
        Value::Text(text) => marked(label, say(content, text), content),
        other => render_value(other, content),
    }
}

/// A block for each season, under its year.
fn seasons(heading: &str, columns: &[&str], rows: &[Vec<Value>], content: &PageContent) -> Markup {
    html! {
        h2 { (say(content, heading)) }
        @for row in rows {
            @if let Some((year, rest)) = row.split_first() {
                h3 { (render_value(year, content)) }
                ul {
                    @for (column, value) in columns.iter().skip(1).zip(rest) { li { (say(content, column)) ": " (render_value(value, content)) } }
                }
            }
        }
    }
}

fn grid(heading: &str, columns: &[&str], rows: &[Vec<Value>], content: &PageContent) -> Markup {
    html! {
        h2 { (say(content, heading)) }
        table {
            tr { @for column in columns { th { (say(content, column)) } } }
            @for row in rows { tr { @for value in row { td { (render_value(value, content)) } } } }
        }
    }
}

fn list(items: &[Item], content: &PageContent) -> Markup {
    html! {
        ul {
            @for item in items {
                li {
                    @if let Some(before) = &item.before { b { (before) } " " }
                    (render_value(&item.value, content))
                    @if let Some(after) = &item.after { " (" (say(content, after)) ")" }
                }
            }
        }
    }
}

/// Prose: a biography has a paragraph for each of its sentences.
fn paragraphs_of(heading: Option<&str>, paragraphs: &[String], content: &PageContent) -> Markup {
    let is_life = content.class == PageClass::Person;
    let parts = paragraphs
        .iter()
        .flat_map(|text| if is_life { sentences(text) } else { vec![text.as_str()] });
    html! {
        @if let Some(heading) = heading { h2 { (say(content, heading)) } }
        @for text in parts { p { (prose(text, content)) } }
    }
}

fn render_value(value: &Value, content: &PageContent) -> Markup {
    match value {
        Value::Text(text) => linked(say(content, text), content),
        Value::Link(link) => html! { a href=(relative(&content.path, &link.target)) { (link.text) } },
        Value::Date(date) => html! { (day(*date, content)) },
        Value::Missing => html! { (say(content, "none")) },
    }
}

/// A date as each language writes it.
fn day(date: Date, content: &PageContent) -> String {
    match content.language {
        Language::English => date.long(),
        Language::German => format!("{:02}.{:02}.{}", date.day, date.month, date.year),
    }
}
