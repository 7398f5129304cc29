//! Rows of headers without header cells: pages set them apart by how they look alone.
//!
//! In: the rows of a table. Out: the first of them, if it is set in another way than all rows below:
//! each of its cells has a class that none of theirs has, or all of its cells are emphasised, and of
//! no other row all are.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::page::NodeId;

use super::build::Builder;
use super::draft::Draft;
use super::grid::TableRow;

/// The fewest rows below: of fewer, one may be set apart for what it says.
const ROWS_BELOW_MIN: usize = 2;

/// The longest text that heads a column, in characters.
const HEADER_CHARS_MAX: usize = 60;

/// The first row of a table, if it is set as headers.
pub(super) fn set_as_headers(builder: &mut Builder<'_>, rows: &[TableRow]) -> Option<NodeId> {
    let (first, below) = rows.split_first()?;
    if below.len() < ROWS_BELOW_MIN || first.cells.len() < 2 || rows.iter().any(TableRow::is_headers) {
        return None;
    }
    let lines = lines_of(builder, first)?;
    let is_short = |line: &Draft| line.text.chars().nth(HEADER_CHARS_MAX).is_none();
    if !lines.iter().all(is_short) {
        return None;
    }
    let is_bold = |lines: &[Draft]| lines.iter().all(|line| line.is_emphasised);
    let is_set_apart = match is_bold(&lines) {
        true => !below
            .iter()
            .any(|row| lines_of(builder, row).is_some_and(|lines| is_bold(&lines))),
        false => has_own_classes(builder, first, below),
    };
    is_set_apart.then_some(first.node)
}

/// The cells of a row, a line each; `None` if one is empty.
fn lines_of(builder: &mut Builder<'_>, row: &TableRow) -> Option<Vec<Draft>> {
    row.cells.iter().map(|cell| builder.one_line(cell.node)).collect()
}

/// Whether each cell of a row has a class that no cell below has.
fn has_own_classes(builder: &mut Builder<'_>, first: &TableRow, below: &[TableRow]) -> bool {
    let own: BTreeSet<Rc<str>> = first.cells.iter().map(|cell| builder.name(cell.node)).collect();
    own.iter().all(|name| name.contains('.'))
        && below
            .iter()
            .flat_map(|row| &row.cells)
            .all(|cell| !own.contains(&builder.name(cell.node)))
}
