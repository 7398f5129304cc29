//! The tables and their references, as a drawing: what refers stands to the right of what it refers to.

use std::fmt::Write;

use super::page::TableSection;
use super::text::{PROMISE, counted, cut};
use crate::page::escaped_markup;
use crate::table::Database;

const BOX_WIDTH: f64 = 168.0;
const BOX_HEIGHT: f64 = 44.0;
const GAP_X: f64 = 72.0;
const GAP_Y: f64 = 18.0;
const MARGIN: f64 = 12.0;
const NAME_CHARS: usize = 21;

/// Draws the references between tables; nothing where there are none.
pub(super) fn draw_relations(database: &Database, sections: &[TableSection], html: &mut String) {
    let n_references: usize = database.tables.iter().map(|table| table.foreign_keys.len()).sum();
    if n_references == 0 {
        return;
    }
    let columns = columns(database);
    let n_tallest = columns.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let width = 2.0 * MARGIN + columns.len() as f64 * (BOX_WIDTH + GAP_X) - GAP_X + 40.0;
    let height = 2.0 * MARGIN + n_tallest * (BOX_HEIGHT + GAP_Y) - GAP_Y;
    let mut places = vec![(0.0, 0.0); database.tables.len()];
    for (number, column) in columns.iter().enumerate() {
        let top = MARGIN + (n_tallest - column.len() as f64) * (BOX_HEIGHT + GAP_Y) / 2.0;
        for (row, &table) in column.iter().enumerate() {
            places[table] = (
                MARGIN + number as f64 * (BOX_WIDTH + GAP_X),
                top + row as f64 * (BOX_HEIGHT + GAP_Y),
            );
        }
    }
    write!(
        html,
        "<section id=\"relations\"><h2>Relations</h2><div class=\"scroll\" tabindex=\"0\"><svg class=\"relations\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\" aria-label=\"tables and their references\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
    )
    .expect(PROMISE);
    for (from, table) in database.tables.iter().enumerate() {
        for reference in &table.foreign_keys {
            let names: Vec<&str> = reference
                .columns
                .iter()
                .map(|&column| table.columns[column].name.as_str())
                .collect();
            let parent = &database.tables[reference.table].name;
            let title = format!("{}.{} refers to {parent}", table.name, names.join(", "));
            draw_arc(places[from], places[reference.table], &title, html);
        }
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

/// The tables by the longest chain of references that leads from them: those that refer to nothing come first. Circles are cut.
fn columns(database: &Database) -> Vec<Vec<usize>> {
    let n_tables = database.tables.len();
    let mut depths = vec![0_usize; n_tables];
    for _ in 0..n_tables.min(8) {
        for (from, table) in database.tables.iter().enumerate() {
            for reference in table.foreign_keys.iter().filter(|reference| reference.table != from) {
                depths[from] = depths[from].max((depths[reference.table] + 1).min(n_tables.min(8) - 1));
            }
        }
    }
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); n_tables.max(1)];
    for (table, depth) in depths.into_iter().enumerate() {
        columns[depth].push(table);
    }
    columns.retain(|column| !column.is_empty());
    columns
}

fn draw_arc(from: (f64, f64), to: (f64, f64), title: &str, html: &mut String) {
    let middle = BOX_HEIGHT / 2.0;
    // To the left, from the left side to the right side; within a column and to the right, around the right side.
    let (start, end, bend_start, bend_end) = if to.0 < from.0 {
        let (start, end) = ((from.0, from.1 + middle), (to.0 + BOX_WIDTH, to.1 + middle));
        (start, end, start.0 - GAP_X / 2.0, end.0 + GAP_X / 2.0)
    } else {
        let (start, end) = (
            (from.0 + BOX_WIDTH, from.1 + middle - 8.0),
            (to.0 + BOX_WIDTH, to.1 + middle + 8.0),
        );
        (start, end, start.0 + 38.0, end.0 + 38.0)
    };
    write!(
        html,
        "<path class=\"arc\" marker-end=\"url(#tip)\" d=\"M{:.0} {:.0}C{bend_start:.0} {:.0} {bend_end:.0} {:.0} {:.0} {:.0}\"><title>{}</title></path>",
        start.0,
        start.1,
        start.1,
        end.1,
        end.0,
        end.1,
        escaped_markup(title)
    )
    .expect(PROMISE);
}
