//! The smaller sections of a report: problems, how it was found, what it took.

use maud::{Markup, html};
use untemplate::table::ProblemGroup;
use untemplate::wrapper::reading::Coverage;

use super::cards::share_bar;
use super::page::{ClassSection, ReportPage};
use crate::text::{counted, number, percent, shown_value};

/// Characters of a value in an example.
const EXAMPLE_CHARS: usize = 160;

/// What was odd, by kind, with examples.
pub(super) fn problems(problems: &[ProblemGroup]) -> Markup {
    if problems.is_empty() {
        return html! {};
    }
    html! {
        section #problems {
            h2 { "Problems" }
            p.soft { "What was in doubt was left empty." }
            @for group in ProblemGroup::one_a_kind(problems) {
                details {
                    summary { b { (group.kind) } " " small { (number(group.count as u64)) } }
                    ul {
                        @for (url, message) in &group.examples {
                            li { (shown_value(message, EXAMPLE_CHARS)) br; small { (shown_value(url, EXAMPLE_CHARS)) } }
                        }
                        @if group.count > group.examples.len() {
                            li.soft { "and " (number((group.count - group.examples.len()) as u64)) " more" }
                        }
                    }
                }
            }
        }
    }
}

/// How the data was found: the classes, how much of them was read, and by what.
pub(super) fn classes(classes: &[ClassSection]) -> Markup {
    if classes.is_empty() {
        return html! {};
    }
    html! {
        section #classes {
            h2 { "How it was found" }
            div.cards { @for class in classes {
                article {
                    h4 { (class.name) }
                    p.soft { (class.kind) }
                    (coverage(class))
                    @if !class.pattern.is_empty() { p { code { (class.pattern) } } }
                    @if !class.wrapper.is_empty() { p { (class.wrapper) } }
                    @if let Some(text) = &class.text { (text_coverage(text, class.example.as_deref())) }
                    @if let Some(example) = &class.example { p.values { (shown_value(example, EXAMPLE_CHARS)) } }
                }
            } }
        }
    }
}

/// How many pages of a class were read, of how many there may be.
fn coverage(class: &ClassSection) -> Markup {
    let read = counted(class.pages_read, "page");
    // An estimate that the pages themselves have overtaken is no more than they are.
    let estimated = class
        .estimated_pages
        .map(|estimated| estimated.max(class.pages_read + class.pages_unread));
    html! {
        @match estimated {
            Some(estimated) => {
                @let share = percent(class.pages_read, estimated);
                (share_bar(class.pages_read, estimated, &format!("{share} of the class was read")))
                p { (read) " read of about " (number(estimated as u64)) ": " (share) }
            }
            None => { p { (read) " read" } }
        }
        @if class.pages_unread > 0 { p { (counted(class.pages_unread, "page")) " could not be read" } }
    }
}

/// The most places whose lost text is shown.
const LOST_MAX: usize = 10;

/// How much of the text of a class's pages is in a column, and where the rest is.
fn text_coverage(text: &Coverage, example: Option<&str>) -> Markup {
    let all = text.n_chars();
    if all == 0 {
        return html! {};
    }
    let [columns, frame, lost] = [text.n_in_columns, text.n_frame, text.n_lost].map(|n| percent(n, all));
    html! {
        p { "Of the text, " (columns) " is in a column, " (frame) " is the frame of the site, " (lost) " is in neither." }
        @if !text.lost.is_empty() {
            details {
                summary { "Text in no column " small { (number(text.lost.len() as u64)) } }
                ul { @for place in text.lost.iter().take(LOST_MAX) {
                    li { (shown_value(&place.path, EXAMPLE_CHARS)) " " small { (percent(place.n_chars, all)) ", " (place.reason) } }
                } }
                @if let Some(url) = example.filter(|url| url.starts_with("http")) { p { a href=(url) { "A page of the class" } } }
            }
        }
    }
}

/// What it took, and how to do it again.
pub(super) fn cost(report: &ReportPage) -> Markup {
    let cost = &report.cost;
    let n_rows: usize = report.tables.iter().map(|table| table.n_rows).sum();
    let answers = cost.downloads + cost.reused;
    let facts = [
        ("downloads", Some(number(cost.downloads))),
        ("from the archive", (cost.reused > 0).then(|| number(cost.reused))),
        ("bytes", Some(number(cost.bytes))),
        ("seconds", cost.seconds.map(|seconds| format!("{seconds:.1}"))),
        (
            "rows per page asked for",
            (answers > 0).then(|| format!("{:.2}", n_rows as f64 / answers as f64)),
        ),
    ];
    html! {
        section #cost {
            h2 { "What it took" }
            dl.facts { @for (name, value) in facts {
                @if let Some(value) = value { div { dt { (name) } dd { (value) } } }
            } }
            @if !report.command.is_empty() { p { "To do it again:" } pre { (report.command) } }
            @if report.files.iter().any(|file| file == SCHEMA) {
                p { "Other names, other types, fewer columns: change " a href=(reference(SCHEMA)) { (SCHEMA) } ", and the next run does as it says." }
            }
            @match report.files.len() {
                0 => {}
                n_files if n_files > FILES_OPEN_MAX => details { summary { (counted(n_files, "file")) } (files(report)) },
                _ => (files(report)),
            }
        }
    }
}

/// What names and types are changed in.
const SCHEMA: &str = "schema.toml";

/// Files that are listed openly: more are more than a glance.
const FILES_OPEN_MAX: usize = 12;

fn files(report: &ReportPage) -> Markup {
    html! {
        p.values { "Files: " @for (index, file) in report.files.iter().enumerate() {
            @if index > 0 { ", " } a href=(reference(file)) { (file) }
        } }
    }
}

/// A file beside the report as a link has it: what means something else in an address is escaped.
pub(super) fn reference(file: &str) -> String {
    let mut reference = String::from("./");
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => reference.push(byte as char),
            _ => reference.push_str(&format!("%{byte:02X}")),
        }
    }
    reference
}
