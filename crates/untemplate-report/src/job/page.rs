//! What a report says, and the page it says it on.

use maud::{Markup, html};
use untemplate::table::{Changes, Database, ProblemGroup, Profile};
use untemplate::wrapper::reading::Coverage;

use super::cards::columns;
use super::changes::changes;
use super::omitted::omitted;
use super::order::{OPEN_MAX, TableFamily, TableOrder, table_order};
use super::relations::relations;
use super::rows::sample_rows;
use super::sections::{classes, cost, problems, reference};
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
    /// Addresses that nothing was read from, by the reason.
    pub omitted: Vec<OmittedSection>,
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

/// Addresses that nothing was read from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OmittedSection {
    /// What they are: `Dead addresses`.
    pub title: String,
    /// Why nothing was read from them.
    pub why: String,
    /// How many there are.
    pub count: usize,
    /// The first of them, with what is known of each.
    pub addresses: Vec<(String, String)>,
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
        @for family in order.main.iter().take(OPEN_MAX) {
            section #{ "t" (family.table) } { h2 { (report.database.tables[family.table].name) } (family_content(report, family)) }
        }
        (more_tables(report, &order))
        (relations(report, &order))
        (small_tables(report, &order.small))
        (problems(&report.problems))
        (omitted(&report.omitted))
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
        (files_of(report, &table.name))
    }
}

/// The files of a table, as links.
fn files_of(report: &ReportPage, table: &str) -> Markup {
    let is_own = |file: &&String| file.rsplit_once('.').is_some_and(|(stem, _)| stem == table);
    let own: Vec<&String> = report.files.iter().filter(is_own).collect();
    html! {
        @if !own.is_empty() { p.soft { @for (index, file) in own.iter().enumerate() {
            @if index > 0 { " · " } a href=(reference(file)) { (file) }
        } } }
    }
}

/// A table, and under it those of the lists on its pages, folded away.
fn family_content(report: &ReportPage, family: &TableFamily) -> Markup {
    html! {
        (table_content(report, family.table))
        @if !family.lists.is_empty() {
            div.lists {
                p.soft { (counted(family.lists.len(), "list")) " on these pages:" }
                @for &list in &family.lists { (folded(report, list, table_content(report, list))) }
            }
        }
    }
}

/// Something about a table, folded away under its name.
fn folded(report: &ReportPage, index: usize, content: Markup) -> Markup {
    html! {
        details #{ "t" (index) } {
            summary { b { (report.database.tables[index].name) } " " small { (counted(report.tables[index].n_rows, "row")) } }
            (content)
        }
    }
}

/// The main tables behind the first ones.
fn more_tables(report: &ReportPage, order: &TableOrder) -> Markup {
    let more = order.main.get(OPEN_MAX..).unwrap_or_default();
    html! {
        @if !more.is_empty() {
            section #more {
                h2 { "More tables" }
                @for family in more { (folded(report, family.table, family_content(report, family))) }
            }
        }
    }
}

/// The tables that few readers look for, each folded away under its name.
fn small_tables(report: &ReportPage, small: &[TableFamily]) -> Markup {
    html! {
        @if !small.is_empty() {
            section #small {
                h2 { "Small tables" }
                p.soft { "What pages that stand alone have." }
                @for family in small { (folded(report, family.table, family_content(report, family))) }
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
                @for index in order.main.iter().take(OPEN_MAX).map(|family| family.table) {
                    a href={ "#t" (index) } {
                        (report.database.tables[index].name) " " small { (number(report.tables[index].n_rows as u64)) }
                    } " "
                }
                @if order.main.len() > OPEN_MAX { a href="#more" { (counted(order.main.len() - OPEN_MAX, "more table")) } " " }
                @if !order.small.is_empty() { a href="#small" { (counted(order.small.len(), "small table")) } }
            }
        }
    }
}
