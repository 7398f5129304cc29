//! Table layout: which column of an HTML table a cell stands in, once `colspan` and `rowspan` are
//! counted.
//!
//! In: the rows of a table. Out: for each row its cells with their columns, cells included that
//! reach down from rows above. A table read this way never shifts a value into the column of its
//! neighbour.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use untemplate_html::{Dom, Name, NodeId};

/// Of each row its cells, each with the first column it stands in; a cell that spans rows is in
/// each of them.
pub(crate) type CellsByRow = HashMap<NodeId, Vec<(NodeId, usize)>, FixedState>;

/// How many columns or rows a cell may span, so that no page makes a table large.
const SPAN_MAX: usize = 1000;

/// How many cells in several rows a table may have, for each node of its page; one with more is not
/// read as a table.
const HANGING_MAX: usize = 16;

/// How many columns of a row are looked at.
const COLUMNS_MAX: usize = 2000;

/// The table that a node is in.
pub(crate) fn table_of(dom: &Dom, node: NodeId) -> Option<NodeId> {
    dom.ancestors(node).find(|&node| dom.is_html(node, Name::TABLE))
}

/// The rows of a table, not those of tables inside it.
pub(crate) fn rows_of_table(dom: &Dom, table: NodeId) -> Vec<NodeId> {
    let rows = dom.subtree(table).filter(|&node| dom.is_html(node, Name::TR));
    rows.filter(|&row| table_of(dom, row) == Some(table)).collect()
}

/// The cells of a row.
pub(crate) fn cells_of_row(dom: &Dom, row: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    dom.children(row).filter(|&node| is_cell(dom, node))
}

/// Whether a node is a cell of a table.
pub(crate) fn is_cell(dom: &Dom, node: NodeId) -> bool {
    dom.is_html(node, Name::TD) || dom.is_html(node, Name::TH)
}

/// Whether a row has two cells or more, all of which head columns: header cells, or cells of a
/// table's head.
pub(crate) fn heads_columns(dom: &Dom, row: NodeId) -> bool {
    let in_head = dom.parent(row).is_some_and(|parent| dom.is_html(parent, Name::THEAD));
    cells_of_row(dom, row).count() > 1 && (in_head || cells_of_row(dom, row).all(|cell| dom.is_html(cell, Name::TH)))
}

/// Lays out the rows of a table; `None` where too many cells reach down.
pub(crate) fn lay_out(dom: &Dom, rows: &[NodeId]) -> Option<CellsByRow> {
    // For each column, the cell that reaches down into the next row and how many rows it still has.
    let mut hanging: Vec<Option<(NodeId, usize)>> = Vec::new();
    let mut grid = HashMap::default();
    let mut budget = HANGING_MAX * dom.len();
    let mut group = None;
    for &row in rows {
        // No cell reaches out of its head, body or foot.
        if dom.parent(row) != group {
            group = dom.parent(row);
            hanging.clear();
        }
        budget = budget.checked_sub(hanging.len())?;
        let mut cells: Vec<(NodeId, usize)> = Vec::new();
        let mut column = 0;
        let mut next_hanging: Vec<Option<(NodeId, usize)>> = Vec::new();
        for cell in cells_of_row(dom, row).take(COLUMNS_MAX) {
            while let Some(Some((from_above, rows_left))) = hanging.get(column).copied() {
                push_hanging(&mut cells, &mut next_hanging, column, (from_above, rows_left));
                column += 1;
            }
            let (wide, high) = (width(dom, cell), height(dom, cell));
            cells.push((cell, column));
            if high > 1 {
                (column..(column + wide).min(COLUMNS_MAX))
                    .for_each(|at| put(&mut next_hanging, at, Some((cell, high - 1))));
            }
            column += wide;
        }
        for (at, held) in hanging.iter().enumerate().skip(column) {
            if let Some(held) = held {
                push_hanging(&mut cells, &mut next_hanging, at, *held);
            }
        }
        hanging = next_hanging;
        grid.insert(row, cells);
    }
    Some(grid)
}

fn push_hanging(
    cells: &mut Vec<(NodeId, usize)>,
    hanging: &mut Vec<Option<(NodeId, usize)>>,
    column: usize,
    (cell, rows_left): (NodeId, usize),
) {
    // A cell that is wide as well hangs in several columns, and counts once.
    if cells.last().is_none_or(|&(last, _)| last != cell) {
        cells.push((cell, column));
    }
    put(hanging, column, (rows_left > 1).then(|| (cell, rows_left - 1)));
}

fn put(hanging: &mut Vec<Option<(NodeId, usize)>>, column: usize, held: Option<(NodeId, usize)>) {
    if hanging.len() <= column {
        hanging.resize(column + 1, None);
    }
    hanging[column] = held;
}

/// How many columns a cell spans.
fn width(dom: &Dom, cell: NodeId) -> usize {
    span(dom, cell, Name::COLSPAN).clamp(1, SPAN_MAX)
}

/// How many rows a cell spans; zero stands for all rows of its group.
fn height(dom: &Dom, cell: NodeId) -> usize {
    match span(dom, cell, Name::ROWSPAN) {
        0 => usize::MAX,
        high => high.min(SPAN_MAX),
    }
}

fn span(dom: &Dom, cell: NodeId, attribute: Name) -> usize {
    let value = dom.attribute(cell, attribute);
    value.and_then(|value| value.trim().parse().ok()).unwrap_or(1)
}

/// What heads each column, by rows that head columns: what several of them say, one after the
/// other; what spans several columns heads each of them.
pub(crate) fn column_headings(dom: &Dom, cells: &CellsByRow, rows: impl Iterator<Item = NodeId>) -> Vec<String> {
    let mut headings: Vec<String> = Vec::new();
    for &(cell, column) in rows.filter_map(|row| cells.get(&row)).flatten() {
        let text = dom.visible_text(cell);
        let end = (column + width(dom, cell)).min(COLUMNS_MAX);
        if headings.len() < end {
            headings.resize(end, String::new());
        }
        for heading in headings.iter_mut().take(end).skip(column) {
            if !heading.is_empty() && !text.is_empty() && *heading != text {
                heading.push(' ');
                heading.push_str(&text);
            } else if heading.is_empty() {
                heading.push_str(&text);
            }
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate_html::{ParseOptions, parse_html};

    /// The texts of the cells of each row, with their columns.
    fn check_grid(html: &str, expected: &[&str]) {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let rows: Vec<NodeId> = dom.nodes().filter(|&node| dom.is_html(node, Name::TR)).collect();
        let grid = lay_out(&dom, &rows).expect("the table is small");
        let shown = |row: &NodeId| {
            let cells = grid[row].iter();
            let cells = cells.map(|&(cell, column)| format!("{}{column}", dom.visible_text(cell)));
            cells.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(rows.iter().map(shown).collect::<Vec<_>>(), expected, "{html}");
    }

    #[test]
    fn cells_reach_down_to_the_end_of_their_group() {
        let rows = |high: usize| {
            format!("<table><tbody><tr><td rowspan={high}>a<td>b<tr><td>c</tbody><tbody><tr><td>d<td>e</table>")
        };
        check_grid(&rows(3), &["a0 b1", "a0 c1", "d0 e1"]);
        check_grid(&rows(0), &["a0 b1", "a0 c1", "d0 e1"]);
        check_grid(&rows(1), &["a0 b1", "c0", "d0 e1"]);
    }

    #[test]
    fn a_table_that_reaches_down_too_much_is_none() {
        let cells = "<td colspan=1000 rowspan=1000>x".repeat(2);
        let html = format!("<table><tr>{cells}{}</table>", "<tr><td>y".repeat(500));
        let (dom, _) = parse_html(&html, &ParseOptions::default());
        let rows: Vec<NodeId> = dom.nodes().filter(|&node| dom.is_html(node, Name::TR)).collect();
        assert!(lay_out(&dom, &rows).is_none());
    }
}
