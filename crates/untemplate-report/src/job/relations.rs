//! The tables and their references, as a drawing: tables with a row a page on the left, the tables of their lists beside them.

use std::collections::BTreeMap;

use maud::{Markup, html};
use untemplate::table::Database;

use super::page::TableSection;
use crate::text::{counted, cut};

const BOX_WIDTH: f64 = 168.0;
const BOX_HEIGHT: f64 = 44.0;
const GAP_X: f64 = 80.0;
const GAP_Y: f64 = 14.0;
/// Room on the left, for arcs between tables that stand there.
const LEFT: f64 = 84.0;
const MARGIN: f64 = 12.0;
const NAME_CHARS: usize = 21;

/// The references between tables; nothing where there are none.
pub(super) fn relations(database: &Database, sections: &[TableSection]) -> Markup {
    let arcs = arcs(database);
    html! {
        @if !arcs.is_empty() {
            section #relations {
                h2 { "Relations" }
                div.scroll tabindex="0" { (drawing(database, sections, &arcs)) }
            }
        }
    }
}

/// The columns that refer from a table to another. References between the same two tables are one arc.
fn arcs(database: &Database) -> BTreeMap<(usize, usize), Vec<String>> {
    let mut arcs: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for (from, table) in database.tables.iter().enumerate() {
        for reference in &table.foreign_keys {
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

fn drawing(database: &Database, sections: &[TableSection], arcs: &BTreeMap<(usize, usize), Vec<String>>) -> Markup {
    let (places, height) = places(database);
    let width = LEFT + 2.0 * BOX_WIDTH + GAP_X + MARGIN;
    html! {
        svg.relations width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="tables and their references" {
            defs { marker #tip viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" { path d="M0 0L8 4L0 8z" {} } }
            @for ((from, to), columns) in arcs {
                path.arc marker-end="url(#tip)" d=(arc_path(places[*from], places[*to])) {
                    title { (database.tables[*from].name) "." (columns.join("; ")) " refers to " (database.tables[*to].name) }
                }
            }
            @for (index, table) in database.tables.iter().enumerate() {
                @let (x, y) = places[index];
                a href={ "#t" (index) } {
                    rect x=(x) y=(y) width=(BOX_WIDTH) height=(BOX_HEIGHT) rx="6" {}
                    text x=(x + 10.0) y=(y + 19.0) { (cut(&table.name, NAME_CHARS)) }
                    text.soft x=(x + 10.0) y=(y + 35.0) {
                        @if let Some(section) = sections.get(index) { (counted(section.n_rows, "row")) }
                    }
                }
            }
        }
    }
}

/// Where each table stands, and how high the drawing is: the tables of a page class in rows of their own.
fn places(database: &Database) -> (Vec<(f64, f64)>, f64) {
    let mut classes: Vec<usize> = Vec::new();
    for table in &database.tables {
        if !classes.contains(&table.page_class) {
            classes.push(table.page_class);
        }
    }
    let mut places = vec![(0.0, 0.0); database.tables.len()];
    let mut top = MARGIN;
    for class in classes {
        let own = || {
            database
                .tables
                .iter()
                .enumerate()
                .filter(move |(_, table)| table.page_class == class)
        };
        let mut n_rows = [0.0, 0.0];
        for (index, table) in own() {
            let side = usize::from(!table.list_path.is_empty());
            let x = LEFT + side as f64 * (BOX_WIDTH + GAP_X);
            places[index] = (x, top + n_rows[side] * (BOX_HEIGHT + GAP_Y));
            n_rows[side] += 1.0;
        }
        top += n_rows[0].max(n_rows[1]) * (BOX_HEIGHT + GAP_Y);
    }
    (places, top - GAP_Y + MARGIN)
}

/// An arc from a table to another: across the gap, or around the outer side where both stand on one.
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
