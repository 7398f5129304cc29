//! Table grids: the cells of records that are rows of one HTML table, by column, and what heads the
//! columns.
//!
//! In: records. Out: for each row its cells with their columns (`page/table_layout.rs`), and the
//! heading of each column.

use super::outline::Outline;
use crate::page::table_layout::{CellsByRow, column_headings, lay_out, rows_of_table, table_of};
use crate::page::{Dom, Name, NodeId};

/// The cells and headings of a table.
#[derive(Debug, Clone, Default)]
pub struct TableGrid {
    /// For each row, its cells and the first column of each; a cell that spans rows is in each of
    /// them.
    pub rows: CellsByRow,
    /// The heading of each column; empty where there is none.
    pub headings: Vec<String>,
}

/// The grid of the table that all records are rows of; `None` when they are anything else, or the
/// table has no headings.
pub fn table_grid(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Option<TableGrid> {
    let dom = outline.dom;
    let is_row = |record: &Vec<NodeId>| record.len() == 1 && dom.is_html(record[0], Name::TR);
    if !records.iter().all(is_row) {
        return None;
    }
    let table = table_of(dom, *records.first()?.first()?)?;
    if !records.iter().all(|record| table_of(dom, record[0]) == Some(table)) {
        return None;
    }
    let rows = rows_of_table(dom, table);
    let grid = lay_out(dom, &rows)?;
    let first = records[0][0];
    let headings = headings(dom, &grid, rows.iter().copied().filter(|&row| row < first))?;
    Some(TableGrid { rows: grid, headings })
}

/// The headings of the columns, from the rows before the first record; `None` when there is no row
/// of headings.
fn headings(dom: &Dom, grid: &CellsByRow, rows: impl Iterator<Item = NodeId>) -> Option<Vec<String>> {
    let is_heading = |cell: NodeId| {
        dom.is_html(cell, Name::TH) || dom.ancestors(cell).take(2).any(|node| dom.is_html(node, Name::THEAD))
    };
    let is_headings = |row: &NodeId| {
        let cells = &grid[row];
        cells.len() > 1 && cells.iter().all(|&(cell, _)| is_heading(cell))
    };
    let mut rows = rows.filter(is_headings).peekable();
    rows.peek()?;
    Some(column_headings(dom, grid, rows))
}
