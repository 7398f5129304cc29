//! The grid of a table: which cell of a row stands in a column, and what heads the columns.

use crate::page::table_layout::{CellsByRow, cells_of_row, column_headings, lay_out, rows_of_table};
use crate::page::{Dom, Name, NodeId};

/// A table, laid out.
pub(super) struct Grid {
    cells: CellsByRow,
    /// What heads each column; empty where nothing does.
    pub headers: Vec<String>,
    /// Rows that head the table.
    pub header_rows: Vec<NodeId>,
}

impl Grid {
    /// Lays out a table; one with too many cells that span rows has no cells.
    pub fn of(dom: &Dom, table: NodeId) -> Self {
        let rows = rows_of_table(dom, table);
        let cells = lay_out(dom, &rows).unwrap_or_default();
        let header_rows = header_rows(dom, &rows, &cells);
        let headers = column_headings(dom, &cells, header_rows.iter().copied());
        Self {
            cells,
            headers,
            header_rows,
        }
    }

    /// The cell of a row in a column, from 0; a wide cell stands in its first column alone.
    pub fn cell(&self, row: NodeId, column: usize) -> Option<NodeId> {
        cell_in(self.cells.get(&row)?, column)
    }

    /// How many columns a row has.
    pub fn width(&self, row: NodeId) -> usize {
        let last = self.cells.get(&row).and_then(|cells| cells.last());
        last.map_or(0, |(_, column)| column + 1)
    }
}

/// The cell that begins in a column.
fn cell_in(cells: &[(NodeId, usize)], column: usize) -> Option<NodeId> {
    let found = cells.binary_search_by_key(&column, |(_, column)| *column).ok()?;
    Some(cells[found].0)
}

/// The rows that head a table: those of header cells alone before the first row of data; or, where
/// there is none, a first row whose cells are all emphasised, or have no digit above columns that
/// do.
fn header_rows(dom: &Dom, rows: &[NodeId], cells: &CellsByRow) -> Vec<NodeId> {
    let is_headed = |&row: &NodeId| {
        let in_head = dom.parent(row).is_some_and(|parent| dom.is_html(parent, Name::THEAD));
        cells_of_row(dom, row).count() > 0
            && (in_head || cells_of_row(dom, row).all(|cell| dom.is_html(cell, Name::TH)))
    };
    let headed: Vec<NodeId> = rows.iter().copied().take_while(is_headed).collect();
    if !headed.is_empty() && headed.len() < rows.len() {
        // A single wide cell is a title, and heads no column.
        let heads = headed.iter().copied().filter(|&row| cells_of_row(dom, row).count() > 1);
        return heads.collect();
    }
    let Some((&first, rest)) = rows.split_first() else {
        return Vec::new();
    };
    let texts = column_headings(dom, cells, std::iter::once(first));
    // A cell that spans columns heads none of them.
    let has_wide = cells.get(&first).is_some_and(|cells| cells.len() < texts.len());
    let is_told = texts.len() > 1 && !has_wide && texts.iter().all(|text| !text.is_empty());
    let heads =
        is_told && rest.len() > 1 && (is_emphasised(dom, first, rest) || is_above_digits(dom, cells, &texts, rest));
    if heads { vec![first] } else { Vec::new() }
}

/// Whether all text of a row is emphasised, and that of the next is not.
fn is_emphasised(dom: &Dom, first: NodeId, rest: &[NodeId]) -> bool {
    let is_strong = |text: NodeId| {
        let around = dom.ancestors(text).take(4);
        around
            .into_iter()
            .any(|node| matches!(dom.name_text(node), "b" | "strong" | "th"))
    };
    let is_all = |row: NodeId| {
        let texts = dom.subtree(row).filter(|&node| dom.is_text(node));
        let mut texts = texts.filter(|&text| !dom.text(text).trim().is_empty()).peekable();
        texts.peek().is_some() && texts.all(is_strong)
    };
    is_all(first) && rest.first().is_some_and(|&next| !is_all(next))
}

/// Whether a first row without digits stands above a column of which nearly all cells have one.
fn is_above_digits(dom: &Dom, cells: &CellsByRow, texts: &[String], rest: &[NodeId]) -> bool {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    if texts.iter().any(|text| has_digit(text)) {
        return false;
    }
    (0..texts.len()).any(|column| {
        let below = rest.iter().filter_map(|row| cell_in(cells.get(row)?, column));
        let below = below.map(|cell| dom.visible_text(cell));
        let below: Vec<String> = below.filter(|text| !text.is_empty()).collect();
        below.len() > 1 && below.iter().filter(|text| has_digit(text)).count() * 10 >= below.len() * 9
    })
}
