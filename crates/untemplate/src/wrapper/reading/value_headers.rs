//! Headers that are values: a table whose last column is headed by what its page is about.
//!
//! Each of two hundred pages has a table of countries and one figure, and the figure's name is the
//! header of its column. Read by header, that is a column for each page; read by place, it is one.
//! Cells that stand at one place of their rows never stand in one row: five headers or more there,
//! each in fewer than half of the rows, are values, and the cells are one column. That holds beside
//! a header that nearly all rows have; without one, these are different tables.

use super::guide::{Guide, PlaceId};
use super::step::StepKind;

/// The fewest headers at one place of a row that are values: fewer are variants of a table.
const HEADERS_MIN: usize = 5;

/// The least share of the rows that have the header which makes them rows of one table.
const COMMON_SHARE: f64 = 0.9;

/// The greatest distance, from 0 to 1, between mean positions in the row that are one place.
const DISTANCE_MAX: f64 = 0.02;

/// Makes one place of cells whose headers are values.
pub(super) fn merge_value_headers(guide: &mut Guide) {
    for row in 0..guide.places.len() {
        let own = &guide.places[row];
        let is_common = |&cell: &PlaceId| guide.places[cell].n as f64 >= COMMON_SHARE * own.n as f64;
        if own.kind != StepKind::Row || own.children.len() <= HEADERS_MIN || !own.children.iter().any(is_common) {
            continue;
        }
        for cells in cells_by_place(guide, row) {
            let n: usize = cells.iter().map(|&cell| guide.places[cell].n_parents).sum();
            let to = cells
                .iter()
                .copied()
                .max_by_key(|&cell| (guide.places[cell].n, std::cmp::Reverse(cell)));
            if let Some(to) = to.filter(|_| cells.len() >= HEADERS_MIN && n <= guide.places[row].n) {
                guide.places[to].is_merged = true;
                guide.merge_into(row, to, &cells);
            }
        }
    }
}

/// The cells of a row that fewer than half of the rows have, by where they stand.
fn cells_by_place(guide: &Guide, row: PlaceId) -> Vec<Vec<PlaceId>> {
    let n_rows = guide.places[row].n;
    let mean = |cell: PlaceId| guide.places[cell].mean_position();
    let is_told = |text: &str| text.contains(char::is_alphabetic);
    let mut cells: Vec<PlaceId> = guide.places[row].children.clone();
    cells.retain(|&cell| {
        let own = &guide.places[cell];
        own.kind == StepKind::Cell && own.n > 0 && own.n_parents * 2 < n_rows && is_told(&own.text)
    });
    cells.sort_by(|&left, &right| mean(left).total_cmp(&mean(right)).then(left.cmp(&right)));
    let mut groups: Vec<Vec<PlaceId>> = Vec::new();
    for cell in cells {
        match groups.last_mut() {
            Some(group) if mean(cell) - mean(group[0]) <= DISTANCE_MAX => group.push(cell),
            _ => groups.push(vec![cell]),
        }
    }
    groups
}
