//! The grid of a table: which column each cell stands in, once spans are counted, and what heads
//! the columns. A cell that reaches down is in each of its rows: a table read this way never shifts
//! a value into the column of its neighbour.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId};

/// The most columns of a grid, so that no page makes a table large.
const COLUMNS_MAX: usize = 512;

/// The most rows that a cell reaches down.
const REACH_MAX: usize = 10_000;

/// A table, laid out.
pub(super) struct Grid {
    /// The cells of each row by column; a wide cell stands in its first column alone.
    cells: HashMap<NodeId, Vec<Option<NodeId>>, FixedState>,
    /// What heads each column; empty where nothing does.
    pub headers: Vec<String>,
    /// Rows that head the table.
    pub header_rows: Vec<NodeId>,
}

impl Grid {
    /// Lays out a table.
    pub fn of(dom: &Dom, table: NodeId) -> Self {
        let rows = rows_of(dom, table);
        let cells = laid_out(dom, &rows);
        let header_rows = header_rows(dom, &rows, &cells);
        let mut headers: Vec<String> = Vec::new();
        for row in &header_rows {
            add_headers(dom, &cells[row], &mut headers);
        }
        Self {
            cells,
            headers,
            header_rows,
        }
    }

    /// The cell of a row in a column, from 0.
    pub fn cell(&self, row: NodeId, column: usize) -> Option<NodeId> {
        *self.cells.get(&row)?.get(column)?
    }

    /// How many columns a row has.
    pub fn width(&self, row: NodeId) -> usize {
        self.cells.get(&row).map_or(0, Vec::len)
    }
}

/// The table that a row is of.
pub(super) fn table_of(dom: &Dom, row: NodeId) -> Option<NodeId> {
    dom.ancestors(row).find(|&node| dom.is_html(node, Name::TABLE))
}

/// The rows of a table, not those of tables inside it.
pub(super) fn rows_of(dom: &Dom, table: NodeId) -> Vec<NodeId> {
    let rows = dom.subtree(table).filter(|&node| dom.is_html(node, Name::TR));
    rows.filter(|&row| table_of(dom, row) == Some(table)).collect()
}

type Cells = HashMap<NodeId, Vec<Option<NodeId>>, FixedState>;

fn laid_out(dom: &Dom, rows: &[NodeId]) -> Cells {
    // For each column the cell that reaches down into the next row, and how many rows it still has.
    let mut hanging: Vec<Option<(NodeId, usize)>> = Vec::new();
    let mut group = None;
    let mut grid = Cells::default();
    for &row in rows {
        // No cell reaches out of its head, body or foot.
        if dom.parent(row) != group {
            group = dom.parent(row);
            hanging.clear();
        }
        grid.insert(row, one_row(dom, row, &mut hanging));
    }
    grid
}

fn one_row(dom: &Dom, row: NodeId, hanging: &mut Vec<Option<(NodeId, usize)>>) -> Vec<Option<NodeId>> {
    let mut cells: Vec<Option<NodeId>> = Vec::new();
    let mut put = |at: usize, cell: Option<NodeId>| {
        if cells.len() <= at {
            cells.resize(at + 1, None);
        }
        cells[at] = cell;
    };
    let mut column = 0;
    for cell in dom.children(row).filter(|&node| is_cell(dom, node)) {
        while let Some(Some((above, _))) = hanging.get(column) {
            put(column, Some(*above));
            column += 1;
        }
        if column >= COLUMNS_MAX {
            break;
        }
        let wide = span(dom, cell, Name::COLSPAN).min(COLUMNS_MAX - column);
        put(column, Some(cell));
        let high = span(dom, cell, Name::ROWSPAN);
        if hanging.len() < column + wide {
            hanging.resize(column + wide, None);
        }
        // One more than is left, since this row is counted below.
        hanging[column..column + wide].fill((high > 1).then_some((cell, high)));
        put(column + wide - 1, if wide == 1 { Some(cell) } else { None });
        column += wide;
    }
    for (at, held) in hanging.iter().enumerate().skip(column) {
        if let Some((above, _)) = held {
            put(at, Some(*above));
        }
    }
    for held in hanging.iter_mut() {
        *held = held.and_then(|(cell, left)| (left > 1).then(|| (cell, left - 1)));
    }
    cells
}

pub(super) fn is_cell(dom: &Dom, node: NodeId) -> bool {
    dom.is_html(node, Name::TD) || dom.is_html(node, Name::TH)
}

/// How many columns or rows a cell spans; a height of zero stands for all that follow.
fn span(dom: &Dom, cell: NodeId, attribute: Name) -> usize {
    let said = dom
        .attribute(cell, attribute)
        .and_then(|value| value.trim().parse().ok());
    match said {
        Some(0) if attribute == Name::ROWSPAN => REACH_MAX,
        said => said.unwrap_or(1).clamp(1, REACH_MAX),
    }
}

/// The rows that head a table: those of header cells alone before the first row of data; or, where
/// there is none, a first row whose cells are all emphasised, or have no digit above columns that do.
fn header_rows(dom: &Dom, rows: &[NodeId], cells: &Cells) -> Vec<NodeId> {
    let own = |row: NodeId| dom.children(row).filter(move |&node| is_cell(dom, node));
    let is_headed = |&row: &NodeId| {
        let in_head = dom.parent(row).is_some_and(|parent| dom.is_html(parent, Name::THEAD));
        own(row).count() > 0 && (in_head || own(row).all(|cell| dom.is_html(cell, Name::TH)))
    };
    let headed: Vec<NodeId> = rows.iter().copied().take_while(is_headed).collect();
    if !headed.is_empty() && headed.len() < rows.len() {
        // A single wide cell is a title, and heads no column.
        let heads = headed.iter().copied().filter(|&row| own(row).count() > 1);
        return heads.collect();
    }
    let Some((&first, rest)) = rows.split_first() else {
        return Vec::new();
    };
    let texts = texts_of(dom, cells, first);
    let is_told = texts.len() > 1 && texts.iter().all(|text| !text.is_empty());
    let heads =
        is_told && rest.len() > 1 && (is_emphasised(dom, first, rest) || is_above_digits(dom, cells, &texts, rest));
    if heads { vec![first] } else { Vec::new() }
}

fn texts_of(dom: &Dom, cells: &Cells, row: NodeId) -> Vec<String> {
    let cells = cells.get(&row).into_iter().flatten();
    cells
        .map(|cell| cell.map_or_else(String::new, |cell| dom.visible_text(cell)))
        .collect()
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
fn is_above_digits(dom: &Dom, cells: &Cells, texts: &[String], rest: &[NodeId]) -> bool {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    if texts.iter().any(|text| has_digit(text)) {
        return false;
    }
    (0..texts.len()).any(|column| {
        let below = rest
            .iter()
            .filter_map(|row| (*cells.get(row)?.get(column)?).map(|cell| dom.visible_text(cell)));
        let below: Vec<String> = below.filter(|text| !text.is_empty()).collect();
        below.len() > 1 && below.iter().filter(|text| has_digit(text)).count() * 10 >= below.len() * 9
    })
}

/// Adds a row of headers: what spans several columns heads each of them.
fn add_headers(dom: &Dom, cells: &[Option<NodeId>], headers: &mut Vec<String>) {
    let mut last: Option<NodeId> = None;
    for (column, cell) in cells.iter().enumerate() {
        if headers.len() <= column {
            headers.resize(column + 1, String::new());
        }
        last = cell.or(last);
        let text = last.map(|cell| dom.visible_text(cell)).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let own = &mut headers[column];
        if own.is_empty() {
            *own = text;
        } else if !text.is_empty() && *own != text {
            own.push(' ');
            own.push_str(&text);
        }
    }
}
