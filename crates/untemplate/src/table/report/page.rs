//! What a report says, and the page it says it on.

use std::fmt::Write;

use super::cards::draw_columns;
use super::problem_groups::ProblemGroup;
use super::relations::draw_relations;
use super::sections::{draw_changes, draw_classes, draw_cost, draw_problems, draw_sample};
use super::style::STYLE;
use super::text::{PROMISE, counted, number};
use crate::page::escaped_markup;
use crate::table::{Changes, Database, Profile};

/// All that a report says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportPage {
    /// What was asked for, such as `All pages like http://cup.example/players/ada-1.html`.
    pub title: String,
    /// The command that does it again.
    pub command: String,
    /// When it was done; none where the same input should give the same bytes.
    pub time: Option<String>,
    /// What cut the run short; empty when it is complete.
    pub partial_because: Vec<String>,
    /// The schema of the tables.
    pub database: Database,
    /// What is in each table of the schema.
    pub tables: Vec<TableSection>,
    /// The page classes, by their numbers in the schema.
    pub classes: Vec<ClassSection>,
    /// What was odd, grouped.
    pub problems: Vec<ProblemGroup>,
    /// What is different from an earlier run; none without one.
    pub changes: Option<Changes>,
    /// What it took.
    pub cost: Cost,
    /// The files that were written.
    pub files: Vec<String>,
}

/// What is in a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableSection {
    /// How many rows.
    pub n_rows: usize,
    /// What each column holds; none where it was not looked at.
    pub profiles: Vec<Profile>,
    /// A few rows.
    pub sample: Vec<Vec<Option<String>>>,
}

/// A page class, and how its pages were read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClassSection {
    /// Its name.
    pub name: String,
    /// What its pages are, in a word: `list`, `detail`, `menu`, `singleton`; empty where nobody knows.
    pub kind: String,
    /// The pattern of its addresses, or how its pages were found.
    pub pattern: String,
    /// How many pages it is thought to have; none where nobody knows.
    pub estimated_pages: Option<usize>,
    /// How many were read.
    pub pages_read: usize,
    /// How many were there and could not be read.
    pub pages_unread: usize,
    /// How they are read, in a line: `template, 14 fields, learnt from 40 pages`.
    pub wrapper: String,
    /// An address of a page of it.
    pub example: Option<String>,
}

/// What a run took.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cost {
    /// Requests put to the page source.
    pub downloads: u64,
    /// Answers that came from an archive instead.
    pub reused: u64,
    /// Bytes that came.
    pub bytes: u64,
    /// How long it took; none where the same input should give the same bytes.
    pub seconds: Option<f64>,
}

/// Draws a report.
pub fn report_page(report: &ReportPage) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\"><title>{title}</title><style>{STYLE}</style></head><body>\n",
        title = escaped_markup(&report.title),
    );
    draw_header(report, &mut html);
    draw_contents(report, &mut html);
    if let Some(changes) = &report.changes {
        draw_changes(changes, &mut html);
    }
    draw_relations(&report.database, &report.tables, &mut html);
    for (index, table) in report.database.tables.iter().enumerate() {
        let Some(section) = report.tables.get(index) else {
            continue;
        };
        let class = report.classes.get(table.page_class).map(|class| class.name.as_str());
        let origin = match (class, table.list_path.is_empty()) {
            (Some(class), true) => format!(", one a page of class <b>{}</b>", escaped_markup(class)),
            (Some(class), false) => format!(
                ", from the list <b>{}</b> on pages of class <b>{}</b>",
                escaped_markup(&table.list_path.join(" / ")),
                escaped_markup(class)
            ),
            (None, _) => String::new(),
        };
        write!(
            html,
            "<section id=\"t{index}\"><h2>{}</h2><p class=\"soft\">{}{origin}</p>",
            escaped_markup(&table.name),
            counted(section.n_rows, "row"),
        )
        .expect(PROMISE);
        draw_sample(table, section, &mut html);
        draw_columns(&report.database, table, section, &mut html);
        html.push_str("</section>\n");
    }
    draw_problems(&report.problems, &mut html);
    draw_classes(&report.classes, &mut html);
    draw_cost(report, &mut html);
    html.push_str("</body></html>\n");
    html
}

/// The title, what was found in figures, and what cut it short.
fn draw_header(report: &ReportPage, html: &mut String) {
    write!(html, "<header><h1>{}</h1>", escaped_markup(&report.title)).expect(PROMISE);
    if let Some(time) = &report.time {
        write!(html, "<p class=\"soft\">{}</p>", escaped_markup(time)).expect(PROMISE);
    }
    let n_rows: usize = report.tables.iter().map(|table| table.n_rows).sum();
    let n_columns: usize = report.database.tables.iter().map(|table| table.columns.len()).sum();
    let n_references: usize = report
        .database
        .tables
        .iter()
        .map(|table| table.foreign_keys.len())
        .sum();
    let n_read: usize = report.classes.iter().map(|class| class.pages_read).sum();
    html.push_str("<dl class=\"tiles\">");
    let n_tables = report.database.tables.len();
    for (count, word) in [
        (n_tables, "table"),
        (n_rows, "row"),
        (n_columns, "column"),
        (n_references, "reference"),
        (n_read, "page"),
    ] {
        let plural = if count == 1 { "" } else { "s" };
        let read = if word == "page" { " read" } else { "" };
        write!(
            html,
            "<div><dd>{}</dd><dt>{word}{plural}{read}</dt></div>",
            number(count as u64)
        )
        .expect(PROMISE);
    }
    html.push_str("</dl>");
    if !report.partial_because.is_empty() {
        html.push_str("<div class=\"notice\"><b>This is not all.</b><ul>");
        for reason in &report.partial_because {
            write!(html, "<li>{}</li>", escaped_markup(reason)).expect(PROMISE);
        }
        html.push_str("</ul></div>");
    }
    html.push_str("</header>\n");
}

/// The tables by name, for whoever wants to go there.
fn draw_contents(report: &ReportPage, html: &mut String) {
    if report.database.tables.len() < 2 {
        return;
    }
    html.push_str("<nav>");
    for (index, (table, section)) in report.database.tables.iter().zip(&report.tables).enumerate() {
        let (name, n_rows) = (escaped_markup(&table.name), number(section.n_rows as u64));
        write!(html, "<a href=\"#t{index}\">{name} <small>{n_rows}</small></a> ").expect(PROMISE);
    }
    html.push_str("</nav>\n");
}
