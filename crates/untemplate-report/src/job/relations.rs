//! The tables and their references, as a drawing: tables with a row a page on the left, the tables
//! of their lists beside them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use untemplate::table::ColumnSource;

use super::order::TableOrder;
use super::page::ReportPage;
use crate::text::{counted, cut};

const BOX_WIDTH: f64 = 168.0;
const BOX_HEIGHT: f64 = 44.0;
const GAP_X: f64 = 130.0;
const GAP_Y: f64 = 14.0;
/// Room on the left, for arcs between tables that stand there.
const LEFT: f64 = 130.0;
const MARGIN: f64 = 12.0;
const NAME_CHARS: usize = 21;
const LABEL_CHARS: usize = 22;
/// The height of a line of labels.
const LABEL_HEIGHT: f64 = 12.0;

/// The columns that refer, by the tables that they refer from and to. References between the same
/// two tables are one arc.
type Arcs = BTreeMap<(usize, usize), Vec<Arc>>;

/// Columns that refer.
struct Arc {
    columns: String,
    /// Whether they lead from a list to the page that it stands on, which needs no label.
    is_own_page: bool,
}

/// What stands at an arc: the columns that lead somewhere.
fn label(arcs: &[Arc]) -> String {
    let names = arcs
        .iter()
        .filter(|arc| !arc.is_own_page)
        .map(|arc| arc.columns.as_str());
    cut(&names.collect::<Vec<_>>().join(", "), LABEL_CHARS)
}

/// The references between the main tables, and folded away those between all; nothing where there
/// are none.
pub(super) fn relations(report: &ReportPage, order: &TableOrder) -> Markup {
    let (drawn, all) = (order.drawn(report), order.all());
    let (main_arcs, all_arcs) = (arcs(report, &drawn), arcs(report, &all));
    html! {
        @if !all_arcs.is_empty() {
            section #relations {
                h2 { "Relations" }
                @if !main_arcs.is_empty() { (drawing(report, &drawn, &main_arcs, "tip")) }
                (reference_list(report, &all_arcs))
                @if drawn.len() < all.len() {
                    details {
                        summary { "Relations of all " (counted(all.len(), "table")) }
                        (drawing(report, &all, &all_arcs, "tip-all"))
                    }
                }
            }
        }
    }
}

/// The columns that refer to another table than that of their own page, as a list.
fn reference_list(report: &ReportPage, arcs: &Arcs) -> Markup {
    let tables = &report.database.tables;
    let leading: Vec<(usize, usize, &Arc)> = arcs
        .iter()
        .flat_map(|(&(from, to), arcs)| arcs.iter().map(move |arc| (from, to, arc)))
        .filter(|(_, _, arc)| !arc.is_own_page)
        .collect();
    html! {
        @if !leading.is_empty() {
            details {
                summary { (counted(leading.len(), "column")) " that " @if leading.len() == 1 { "refers" } @else { "refer" } " to another table" }
                ul { @for (from, to, arc) in leading {
                    li {
                        a href={ "#t" (from) } { (tables[from].name) } "." (arc.columns) " → "
                        a href={ "#t" (to) } { (tables[to].name) }
                    }
                } }
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
            let is_address = |&column: &usize| table.columns[column].source == ColumnSource::Address;
            let arc = Arc {
                columns: names.join(", "),
                is_own_page: reference.columns.iter().any(is_address),
            };
            arcs.entry((from, reference.table)).or_default().push(arc);
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
                    title { (tables[*from].name) "." (told(columns)) " refers to " (tables[*to].name) }
                }
            }
            @for (place, name) in labels(&places, arcs) {
                text.label x=(place.0) y=(place.1) text-anchor="middle" { (name) }
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

/// The columns of arcs between the same two tables.
fn told(arcs: &[Arc]) -> String {
    let names: Vec<&str> = arcs.iter().map(|arc| arc.columns.as_str()).collect();
    names.join("; ")
}

/// Where the columns of each arc are written: near its middle, below each other where arcs meet.
fn labels(places: &BTreeMap<usize, (f64, f64)>, arcs: &Arcs) -> Vec<((f64, f64), String)> {
    let mut labels: Vec<((f64, f64), String)> = Vec::new();
    for ((from, to), arc) in arcs {
        let name = label(arc);
        if name.is_empty() {
            continue;
        }
        let (from, to) = (places[from], places[to]);
        let y = (from.1 + to.1 + BOX_HEIGHT) / 2.0;
        let x = match from.0 == to.0 {
            true => from.0 - LEFT / 2.0,
            false => LEFT + BOX_WIDTH + GAP_X / 2.0,
        };
        let mut place = (x, y);
        let is_near = |place: (f64, f64), (other, _): &((f64, f64), String)| {
            (other.0 - place.0).abs() < GAP_X && (other.1 - place.1).abs() < LABEL_HEIGHT
        };
        while labels.iter().any(|label| is_near(place, label)) {
            place.1 += LABEL_HEIGHT;
        }
        labels.push((place, name));
    }
    labels
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
