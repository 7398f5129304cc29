//! The modern skin: semantic markup, a class for everything, a small style sheet.
//!
//! Links to neighbours are relative, links in tables and menus absolute: real sites mix them.

use super::address::relative;
use super::menu::{FOOTER, MENU, SITE_NAME, visitor};
use crate::content::{Block, Day, FormField, Item, Link, PageContent, Value};
use crate::database::Date;
use crate::database::names::slug;
use crate::page_class::PageClass;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("modern.css");

/// Renders a page.
pub fn render(content: &PageContent) -> String {
    let next_in_list = content.next.as_ref().filter(|_| content.position.is_some());
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (content.title) " | " (SITE_NAME) }
                @if let Some(next) = next_in_list { link rel="next" href=(next.target); }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header())
                (crumbs(content))
                main class=(content.class.info().name) {
                    h1 { (content.title) }
                    @for block in &content.blocks { (render_block(block, &content.path)) }
                    @if shows_pager(content) { (pager(content)) }
                    @if !content.related.is_empty() { (related(&content.related, &content.path)) }
                }
                (footer(&content.path))
            }
        }
    }
    .into_string()
}

fn header() -> Markup {
    html! {
        header.site {
            a.brand href="/" { (SITE_NAME) }
            nav.menu { ul { @for (target, text) in MENU { li { a href=(target) { (text) } } } } }
        }
    }
}

fn crumbs(content: &PageContent) -> Markup {
    html! {
        @if !content.crumbs.is_empty() {
            nav.crumbs {
                @for crumb in &content.crumbs { a href=(relative(&content.path, &crumb.target)) { (crumb.text) } " \u{203a} " }
                span { (content.title) }
            }
        }
    }
}

fn footer(path: &str) -> Markup {
    html! {
        footer.site {
            p { @for (target, text) in FOOTER { a href=(target) { (text) } } }
            p.visitor { "Page generated for visitor no. " span { (visitor(path)) } }
        }
    }
}

/// Lists, months, and pages that are read one after the other have links to their neighbours.
fn shows_pager(content: &PageContent) -> bool {
    !content.class.is_detail() || matches!(content.class, PageClass::Match | PageClass::Article)
}

fn pager(content: &PageContent) -> Markup {
    html! {
        @if content.previous.is_some() || content.next.is_some() {
            nav.pager {
                @if let Some(link) = &content.previous { a.previous href=(relative(&content.path, &link.target)) { "\u{2039} " (link.text) } }
                @if let Some((page, pages)) = content.position { span.position { "Page " (page) " of " (pages) } }
                @if let Some(link) = &content.next { a.next href=(relative(&content.path, &link.target)) { (link.text) " \u{203a}" } }
            }
        }
    }
}

fn related(articles: &[(Date, Link)], path: &str) -> Markup {
    html! {
        aside.related {
            h2 { "Related news" }
            ul.items {
                @for (date, link) in articles {
                    li { a href=(relative(path, &link.target)) { (link.text) } " " (time(*date)) }
                }
            }
        }
    }
}

fn render_block(block: &Block, path: &str) -> Markup {
    match block {
        Block::Facts { name, heading, rows } => facts(name, *heading, rows, path),
        Block::Grid {
            name,
            heading,
            columns,
            rows,
        } => grid(name, heading, columns, rows),
        Block::Items { name, heading, items } => {
            html! { section class=(name) { h2 { (heading) } (list(items, path)) } }
        }
        Block::Sides { name, heading, sides } => sides_section(name, heading, sides, path),
        Block::Prose {
            name,
            heading,
            paragraphs,
        } => html! {
            div class=(name) {
                @if let Some(heading) = heading { h2 { (heading) } }
                @for paragraph in paragraphs { p { (paragraph) } }
            }
        },
        Block::Score { home, away } => html! {
            div.score {
                a.home href=(relative(path, &home.0.target)) { (home.0.text) }
                b { (home.1) } b { (away.1) }
                a.away href=(relative(path, &away.0.target)) { (away.0.text) }
            }
        },
        Block::Bar { name, links } => html! {
            div class={ "bar " (name) } { @for link in links { a href=(link.target) { (link.text) } } }
        },
        Block::Form { method, action, fields } => form(method, action, fields),
        Block::Month { weeks } => month(weeks),
    }
}

/// Facts at the top are a description list, those with a heading a small table.
fn facts(name: &str, heading: Option<&str>, rows: &[(&'static str, Value)], path: &str) -> Markup {
    html! {
        @if let Some(heading) = heading {
            section class=(name) {
                h2 { (heading) }
                table.facts { @for (label, value) in rows { tr { th { (label) } td class=(slug(label)) { (render_value(value, path)) } } } }
            }
        } @else {
            dl class=(name) { @for (label, value) in rows { dt { (label) } dd class=(slug(label)) { (render_value(value, path)) } } }
        }
    }
}

fn grid(name: &str, heading: &str, columns: &[&str], rows: &[Vec<Value>]) -> Markup {
    html! {
        section class=(name) {
            h2 { (heading) }
            table {
                thead { tr { @for column in columns { th { (column) } } } }
                tbody {
                    @for (index, row) in rows.iter().enumerate() {
                        tr class=(if index % 2 == 0 { "odd" } else { "even" }) {
                            @for (column, value) in columns.iter().zip(row) { td class=(slug(column)) { (render_value(value, "")) } }
                        }
                    }
                }
            }
        }
    }
}

fn list(items: &[Item], path: &str) -> Markup {
    html! {
        ul.items {
            @for item in items {
                li {
                    @if let Some(before) = &item.before { span.before { (before) } " " }
                    (render_value(&item.value, path))
                    @if let Some(after) = &item.after { " " span.after { (after) } }
                }
            }
        }
    }
}

fn sides_section(name: &str, heading: &str, sides: &[(String, Vec<Item>); 2], path: &str) -> Markup {
    html! {
        section class=(name) {
            h2 { (heading) }
            div.sides {
                @for (class, (title, items)) in ["home", "away"].iter().zip(sides) {
                    div class=(class) {
                        h3 { (title) }
                        @if items.is_empty() { p.none { "None" } } @else { (list(items, path)) }
                    }
                }
            }
        }
    }
}

fn form(method: &str, action: &str, fields: &[FormField]) -> Markup {
    html! {
        form method=(method) action=(action) {
            @for field in fields {
                label { (field.label) " "
                    @if field.choices.is_empty() {
                        input type="text" name=(field.name) value=(field.value);
                    } @else {
                        select name=(field.name) {
                            @for (value, text) in &field.choices { option value=(value) selected[*value == field.value] { (text) } }
                        }
                    }
                }
            }
            button type="submit" { "Search" }
        }
    }
}

/// A month, with links to its matches.
pub(super) fn month(weeks: &[[Option<Day>; 7]]) -> Markup {
    html! {
        table.month {
            thead { tr { @for day in ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] { th { (day) } } } }
            tbody {
                @for week in weeks {
                    tr { @for day in week { td { @if let Some(day) = day {
                        span.day { (day.day) }
                        @if let Some(game) = &day.game { br; a href=(game.target) { (game.text) } }
                        @if day.more > 0 { br; span.more { "and " (day.more) " more" } }
                    } } } }
                }
            }
        }
    }
}

/// A value; links are relative to `path`, or absolute where it is empty.
fn render_value(value: &Value, path: &str) -> Markup {
    match value {
        Value::Text(text) => html! { (text) },
        Value::Link(link) if path.is_empty() => html! { a href=(link.target) { (link.text) } },
        Value::Link(link) => html! { a href=(relative(path, &link.target)) { (link.text) } },
        Value::Date(date) => time(*date),
        Value::Missing => html! { "\u{2013}" },
    }
}

fn time(date: Date) -> Markup {
    html! { time datetime=(date.iso()) { (date.long()) } }
}
