//! The plain skin: hardly any links, and the same ones on every page.
//!
//! A tiny menu, previous and next, back to the list. Detail pages show all values as text, so
//! that only their bodies tell page classes apart; lists link each row once.

use super::address::relative;
use super::menu::{SITE_NAME, TINY_MENU, visitor};
use crate::content::{Block, Day, FormField, Item, Link, PageContent, Value};
use crate::page_class::PageClass;
use maud::{DOCTYPE, Markup, html};

/// Renders a page.
pub fn render(content: &PageContent) -> String {
    html! {
        (DOCTYPE)
        html {
            head { meta charset="utf-8"; title { (content.title) " - " (SITE_NAME) } }
            body {
                p { @for (target, text) in TINY_MENU { a href=(target) { (text) } " " } }
                h1 { (content.title) }
                @for block in &content.blocks { (render_block(block, content)) }
                @if !content.related.is_empty() {
                    h2 { "Related news" }
                    @for (date, link) in &content.related { p { (date.iso()) ": " (link.text) } }
                }
                hr;
                p { (ways(content)) }
                p { "Page generated for visitor no. " (visitor(&content.path)) }
            }
        }
    }
    .into_string()
}

/// Previous, back to the list, next: one kind of link, wherever it leads.
fn ways(content: &PageContent) -> Markup {
    let list = content.crumbs.last();
    let ways = [
        (content.previous.as_ref(), "Previous"),
        (list, "Back"),
        (content.next.as_ref(), "Next"),
    ];
    html! {
        @for (link, text) in ways {
            @if let Some(link) = link { a href=(relative(&content.path, &link.target)) { (text) } " " }
        }
        @if let Some((page, pages)) = content.position { "Page " (page) " of " (pages) }
    }
}

fn render_block(block: &Block, content: &PageContent) -> Markup {
    match block {
        Block::Facts { heading, rows, .. } => html! {
            @if let Some(heading) = heading { h2 { (heading) } }
            dl { @for (label, value) in rows { dt { (label) } dd { (text_of(value)) } } }
        },
        Block::Grid {
            heading, columns, rows, ..
        } => grid(heading, columns, rows, content),
        Block::Items { heading, items, .. } => html! { h2 { (heading) } (list(items, content)) },
        Block::Sides { heading, sides, .. } => html! {
            h2 { (heading) }
            @for (title, items) in sides { h3 { (title) } @if items.is_empty() { p { "None" } } @else { (list(items, content)) } }
        },
        Block::Prose {
            heading, paragraphs, ..
        } => html! {
            @if let Some(heading) = heading { h2 { (heading) } }
            @for paragraph in paragraphs { p { (paragraph) } }
        },
        Block::Score { home, away } => html! {
            table { tr { td { (home.0.text) } td { (home.1) } } tr { td { (away.0.text) } td { (away.1) } } }
        },
        Block::Bar { links, .. } => bar(links, content),
        Block::Form { method, action, fields } => form(method, action, fields),
        Block::Month { weeks } => month(weeks),
    }
}

/// Only hubs show a row of links; on lists it would tell the class.
fn bar(links: &[Link], content: &PageContent) -> Markup {
    html! {
        @if matches!(content.class, PageClass::PlayerHub | PageClass::SearchForm) {
            ul { @for link in links { li { a href=(relative(&content.path, &link.target)) { (link.text) } } } }
        }
    }
}

fn grid(heading: &str, columns: &[&str], rows: &[Vec<Value>], content: &PageContent) -> Markup {
    let entry = |row: &[Value]| row.iter().position(|value| matches!(value, Value::Link(_)));
    html! {
        h2 { (heading) }
        table {
            tr { @for column in columns { th { (column) } } }
            @for row in rows {
                tr { @for (index, value) in row.iter().enumerate() {
                    td { @if entry(row) == Some(index) { (entry_of(value, content)) } @else { (text_of(value)) } }
                } }
            }
        }
    }
}

fn list(items: &[Item], content: &PageContent) -> Markup {
    html! {
        ul { @for item in items { li {
            @if let Some(before) = &item.before { (before) " " }
            (entry_of(&item.value, content))
            @if let Some(after) = &item.after { " (" (after) ")" }
        } } }
    }
}

/// The value that a row is about: a link on lists, text on detail pages.
fn entry_of(value: &Value, content: &PageContent) -> Markup {
    match value {
        Value::Link(link) if !content.class.is_detail() => {
            html! { a href=(relative(&content.path, &link.target)) { (link.text) } }
        }
        _ => text_of(value),
    }
}

fn text_of(value: &Value) -> Markup {
    match value {
        Value::Text(text) => html! { (text) },
        Value::Link(link) => html! { (link.text) },
        Value::Date(date) => html! { (date.iso()) },
        Value::Missing => html! {},
    }
}

/// A form.
pub(super) fn form(method: &str, action: &str, fields: &[FormField]) -> Markup {
    html! {
        form method=(method) action=(action) {
            @for field in fields {
                (field.label) ": "
                @if field.choices.is_empty() {
                    input name=(field.name) value=(field.value);
                } @else {
                    select name=(field.name) { @for (value, text) in &field.choices { option value=(value) selected[*value == field.value] { (text) } } }
                }
                " "
            }
            input type="submit" value="Search";
        }
    }
}

fn month(weeks: &[[Option<Day>; 7]]) -> Markup {
    html! {
        table { @for week in weeks { tr { @for day in week { td { @if let Some(day) = day {
            (day.day)
            @if let Some(game) = &day.game { " " (game.text) }
            @if day.more > 0 { " and " (day.more) " more" }
        } } } } } }
    }
}
