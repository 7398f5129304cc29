//! The tables and their references, as a drawing: tables with a row a page on the left, the tables
//! of their lists beside them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::order::TableOrder;
use super::page::ReportPage;
use crate::text::{counted, cut};

const BOX_WIDTH: f64 = 168.0;
const BOX_HEIGHT: f64 = 44.0;
const GAP_X: f64 = 80.0;
const GAP_Y: f64 = 14.0;
/// Room on the left, for arcs between tables that stand there.
const LEFT: f64 = 84.0;
const MARGIN: f64 = 12.0;
const NAME_CHARS: usize = 21;

/// The columns that refer, by the tables that they refer from and to. References between the same
/// two tables are one arc.
type Arcs = BTreeMap<(usize, usize), Vec<String>>;

/// The references between the main tables, and folded away those between all; nothing where there
/// are none.
pub(super) fn relations(report: &ReportPage, order: &TableOrder) -> Markup {
    let all: Vec<usize> = order.main.iter().chain(&order.small).copied().collect();
    let (main_arcs, all_arcs) = (arcs(report, &order.main), arcs(report, &all));
    html! {
        @if !all_arcs.is_empty() {
            section #relations {
                h2 { "Relations" }
                @if !main_arcs.is_empty() { (drawing(report, &order.main, &main_arcs, "tip")) }
                @if !order.small.is_empty() {
                    details {
                        summary { "Relations of all " (counted(all.len(), "table")) }
                        (drawing(report, &all, &all_arcs, "tip-all"))
                    }
                }
            }
        }
    }
}

fn arcs(report: &ReportPage, shown: &[usize]) -> Arcs {
    let mut arcs = Arcs::new();
    for &from in shown {
        let table = &report.database.tables[from];
        for reference in table.foreign_keys.iter().filter(|it| shown.contains(&it.table)) {
            let names = reference
                .columns
                .iter()
                .map(|&column| table.columns[column].name.as_str());
            let names: Vec<&str> = names.collect();
            arcs.entry((from, reference.table)).or_default().push(names.join(", "));
        }
    }
    arcs
}

/// The tables and arcs; `tip` is the name of the arrow's tip, which no other drawing on the page
/// may have.
fn drawing(report: &ReportPage, shown: &[usize], arcs: &Arcs, tip: &str) -> Markup {
    let tables = &report.database.tables;
    let (places, height) = places(report, shown);
    let width = LEFT + 2.0 * BOX_WIDTH + GAP_X + MARGIN;
    html! {
        svg.relations width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="tables and their references" {
            defs { marker #(tip) viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" { path d="M0 0L8 4L0 8z" {} } }
            @for ((from, to), columns) in arcs {
                path.arc marker-end={ "url(#" (tip) ")" } d=(arc_path(places[from], places[to])) {
                    title { (tables[*from].name) "." (columns.join("; ")) " refers to " (tables[*to].name) }
                }
            }
            @for (&index, &(x, y)) in &places {
                a href={ "#t" (index) } {
                    rect x=(x) y=(y) width=(BOX_WIDTH) height=(BOX_HEIGHT) rx="6" {}
                    text x=(x + 10.0) y=(y + 19.0) { (cut(&tables[index].name, NAME_CHARS)) }
                    text.soft x=(x + 10.0) y=(y + 35.0) { (counted(report.tables[index].n_rows, "row")) }
                }
            }
        }
    }
}

/// Where each table stands, and how high the drawing is: the tables of a page class in rows of
/// their own.
fn places(report: &ReportPage, shown: &[usize]) -> (BTreeMap<usize, (f64, f64)>, f64) {
    let table = |index: usize| &report.database.tables[index];
    let mut classes: Vec<usize> = Vec::new();
    for &index in shown {
        if !classes.contains(&table(index).page_class) {
            classes.push(table(index).page_class);
        }
    }
    let mut places = BTreeMap::new();
    let mut top = MARGIN;
    for class in classes {
        let mut n_rows = [0.0, 0.0];
        for &index in shown.iter().filter(|&&index| table(index).page_class == class) {
            let side = usize::from(!table(index).list_path.is_empty());
            let x = LEFT + side as f64 * (BOX_WIDTH + GAP_X);
            places.insert(index, (x, top + n_rows[side] * (BOX_HEIGHT + GAP_Y)));
            n_rows[side] += 1.0;
        }
        top += n_rows[0].max(n_rows[1]) * (BOX_HEIGHT + GAP_Y);
    }
    (places, top - GAP_Y + MARGIN)
}

/// An arc from a table to another: across the gap, or around the outer side where both stand on
/// one.
fn arc_path(from: (f64, f64), to: (f64, f64)) -> String {
    let middle = BOX_HEIGHT / 2.0;
    // Long arcs lie farther out, so that they do not lie on short ones.
    let reach = 18.0 + ((from.1 - to.1).abs() / 8.0).min(LEFT - 30.0);
    let (start, end, bends) = if from.0 == to.0 && from.0 == LEFT {
        let (start, end) = ((from.0, from.1 + middle - 8.0), (to.0, to.1 + middle + 8.0));
        (start, end, (start.0 - reach, end.0 - reach))
    } else if from.0 > to.0 {
        let (start, end) = ((from.0, from.1 + middle), (to.0 + BOX_WIDTH, to.1 + middle));
        (start, end, (start.0 - GAP_X / 2.0, end.0 + GAP_X / 2.0))
    } else if from.0 < to.0 {
        let (start, end) = ((from.0 + BOX_WIDTH, from.1 + middle), (to.0, to.1 + middle));
        (start, end, (start.0 + GAP_X / 2.0, end.0 - GAP_X / 2.0))
    } else {
        let (start, end) = ((from.0, from.1 + middle - 8.0), (to.0, to.1 + middle + 8.0));
        (start, end, (start.0 - reach / 2.0, end.0 - reach / 2.0))
    };
    format!(
        "M{:.0} {:.0}C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
        start.0, start.1, bends.0, start.1, bends.1, end.1, end.0, end.1
    )
}
