//! The tables and their references, as a drawing: tables with a row a page on the left, the tables of their lists beside them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::page::TableSection;
use super::text::{PROMISE, counted, cut};
use crate::page::escaped_markup;
use crate::table::Database;

const BOX_WIDTH: f64 = 168.0;
const BOX_HEIGHT: f64 = 44.0;
const GAP_X: f64 = 80.0;
const GAP_Y: f64 = 14.0;
/// Room on the left, for arcs between tables that stand there.
const LEFT: f64 = 84.0;
const MARGIN: f64 = 12.0;
const NAME_CHARS: usize = 21;

/// Draws the references between tables; nothing where there are none.
pub(super) fn draw_relations(database: &Database, sections: &[TableSection], html: &mut String) {
    // References between the same two tables are one arc.
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
    if arcs.is_empty() {
        return;
    }
    let (places, height) = places(database);
    let width = LEFT + 2.0 * BOX_WIDTH + GAP_X + MARGIN;
    write!(
        html,
        "<section id=\"relations\"><h2>Relations</h2><div class=\"scroll\" tabindex=\"0\"><svg class=\"relations\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\" aria-label=\"tables and their references\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
    )
    .expect(PROMISE);
    for ((from, to), columns) in arcs {
        let title = format!(
            "{}.{} refers to {}",
            database.tables[from].name,
            columns.join("; "),
            database.tables[to].name
        );
        draw_arc(places[from], places[to], &title, html);
    }
    for (index, table) in database.tables.iter().enumerate() {
        let (x, y) = places[index];
        let rows = sections
            .get(index)
            .map_or(String::new(), |section| counted(section.n_rows, "row"));
        write!(
            html,
            "<a href=\"#t{index}\"><rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"6\"/><text x=\"{tx:.0}\" y=\"{ty:.0}\">{name}</text>\
             <text class=\"soft\" x=\"{tx:.0}\" y=\"{below:.0}\">{rows}</text></a>",
            tx = x + 10.0,
            ty = y + 19.0,
            below = y + 35.0,
            name = escaped_markup(&cut(&table.name, NAME_CHARS)),
        )
        .expect(PROMISE);
    }
    html.push_str("</svg></div></section>\n");
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
fn draw_arc(from: (f64, f64), to: (f64, f64), title: &str, html: &mut String) {
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
    write!(
        html,
        "<path class=\"arc\" marker-end=\"url(#tip)\" d=\"M{:.0} {:.0}C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}\"><title>{}</title></path>",
        start.0,
        start.1,
        bends.0,
        start.1,
        bends.1,
        end.1,
        end.0,
        end.1,
        escaped_markup(title)
    )
    .expect(PROMISE);
}
