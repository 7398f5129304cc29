//! What a report says, and the page it says it on.

use maud::{Markup, html};
use untemplate::table::{Changes, Database, ProblemGroup, Profile};
use untemplate::wrapper::reading::Coverage;

use super::cards::columns;
use super::changes::changes;
use super::order::{TableOrder, table_order};
use super::relations::relations;
use super::rows::sample_rows;
use super::sections::{classes, cost, problems};
use super::style::STYLE;
use crate::document::document;
use crate::text::{counted, number};

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
    /// What its pages are, in a word: `list`, `detail`, `menu`, `singleton`; empty where nobody
    /// knows.
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
    /// What became of the text of its pages; none where nobody counted.
    pub text: Option<Coverage>,
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
    let order = table_order(report);
    let body = html! {
        (header(report))
        (contents(report, &order))
        @if let Some(found) = &report.changes { (changes(found)) }
        @for &index in &order.main {
            section #{ "t" (index) } { h2 { (report.database.tables[index].name) } (table_content(report, index)) }
        }
        (relations(report, &order))
        (small_tables(report, &order.small))
        (problems(&report.problems))
        (classes(&report.classes))
        (cost(report))
    };
    document(&report.title, STYLE, body)
}

/// What a row of a table is, a few rows, and its columns.
fn table_content(report: &ReportPage, index: usize) -> Markup {
    let (table, section) = (&report.database.tables[index], &report.tables[index]);
    html! {
        p.soft {
            (counted(section.n_rows, "row"))
            @if let Some(class) = report.classes.get(table.page_class) {
                @if table.list_path.is_empty() { ", one a page of class " b { (class.name) } }
                @else { ", from the list " b { (table.list_path.join(" / ")) } " on pages of class " b { (class.name) } }
            }
        }
        (sample_rows(table, section))
        (columns(&report.database, table, section))
    }
}

/// The tables that few readers look for, each folded away under its name.
fn small_tables(report: &ReportPage, small: &[usize]) -> Markup {
    html! {
        @if !small.is_empty() {
            section #small {
                h2 { "Small tables" }
                p.soft { "Short lists, and what pages that stand alone have." }
                @for &index in small {
                    details #{ "t" (index) } {
                        summary { b { (report.database.tables[index].name) } " " small { (counted(report.tables[index].n_rows, "row")) } }
                        (table_content(report, index))
                    }
                }
            }
        }
    }
}

/// The title, what was found in figures, and what cut it short.
fn header(report: &ReportPage) -> Markup {
    let tables = &report.database.tables;
    let n_rows: usize = report.tables.iter().map(|table| table.n_rows).sum();
    let n_columns: usize = tables.iter().map(|table| table.columns.len()).sum();
    let n_references: usize = tables.iter().map(|table| table.foreign_keys.len()).sum();
    let n_read: usize = report.classes.iter().map(|class| class.pages_read).sum();
    let tiles = [
        (tables.len(), "table", ""),
        (n_rows, "row", ""),
        (n_columns, "column", ""),
        (n_references, "reference", ""),
        (n_read, "page", " read"),
    ];
    html! {
        header {
            h1 { (report.title) }
            @if let Some(time) = &report.time { p.soft { (time) } }
            dl.tiles { @for (count, word, more) in tiles {
                div { dd { (number(count as u64)) } dt { (word) @if count != 1 { "s" } (more) } }
            } }
            @if !report.partial_because.is_empty() {
                div.notice {
                    b { "This is not all." }
                    ul { @for reason in &report.partial_because { li { (reason) } } }
                }
            }
        }
    }
}

/// The main tables by name, for whoever wants to go there.
fn contents(report: &ReportPage, order: &TableOrder) -> Markup {
    html! {
        @if report.database.tables.len() > 1 {
            nav {
                @for &index in &order.main {
                    a href={ "#t" (index) } {
                        (report.database.tables[index].name) " " small { (number(report.tables[index].n_rows as u64)) }
                    } " "
                }
                @if !order.small.is_empty() { a href="#small" { (counted(order.small.len(), "small table")) } }
            }
        }
    }
}
