//! Table grids: which column of an HTML table a cell stands in, once `colspan` and `rowspan` are counted.
//!
//! In: records that are rows of one table. Out: for each row its cells with their columns, cells included that reach down
//! from rows above, and the heading of each column. A table read this way never shifts a value into the
//! column of its neighbour.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::outline::Outline;
use crate::page::{Name, NodeId};

/// The cells and headings of a table.
#[derive(Debug, Clone, Default)]
pub struct TableGrid {
    /// For each row, its cells and the first column of each; a cell that spans rows is in each of them.
    pub rows: HashMap<NodeId, Vec<(NodeId, usize)>, FixedState>,
    /// The heading of each column; empty where there is none.
    pub headings: Vec<String>,
}

/// How many columns or rows a cell may span, so that no page makes a table large.
const SPAN_MAX: usize = 1000;

/// How many cells in several rows a table may have, for each node of its page; one with more is not read as a table.
const HANGING_MAX: usize = 16;

/// How many cells of a row are looked at.
const CELLS_MAX: usize = 2000;

/// The grid of the table that all records are rows of; `None` when they are anything else, or the table has no headings.
pub fn table_grid(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Option<TableGrid> {
    let dom = outline.dom;
    let is_row = |record: &Vec<NodeId>| record.len() == 1 && dom.is_html(record[0], Name::TR);
    if !records.iter().all(is_row) {
        return None;
    }
    let table_of = |row: NodeId| dom.ancestors(row).find(|&node| dom.is_html(node, Name::TABLE));
    let table = table_of(*records.first()?.first()?)?;
    if !records.iter().all(|record| table_of(record[0]) == Some(table)) {
        return None;
    }
    let rows: Vec<NodeId> = dom
        .subtree(table)
        .filter(|&node| dom.is_html(node, Name::TR) && table_of(node) == Some(table))
        .collect();
    let grid = laid_out(outline, &rows)?;
    let first = records[0][0];
    let headings = headings(outline, &grid, rows.iter().copied().filter(|&row| row < first))?;
    Some(TableGrid { rows: grid, headings })
}

/// Of each row its cells, each with the column it stands in.
type CellsByRow = HashMap<NodeId, Vec<(NodeId, usize)>, FixedState>;

fn laid_out(outline: &Outline<'_>, rows: &[NodeId]) -> Option<CellsByRow> {
    let dom = outline.dom;
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
        let own = dom
            .children(row)
            .filter(|&node| dom.is_html(node, Name::TD) || dom.is_html(node, Name::TH));
        let mut next_hanging: Vec<Option<(NodeId, usize)>> = Vec::new();
        for cell in own.take(CELLS_MAX) {
            while let Some(Some((from_above, rows_left))) = hanging.get(column).copied() {
                push_hanging(&mut cells, &mut next_hanging, column, (from_above, rows_left));
                column += 1;
            }
            let (wide, high) = (span(outline, cell, Name::COLSPAN), height(outline, cell));
            cells.push((cell, column));
            if high > 1 {
                (column..(column + wide).min(CELLS_MAX))
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

fn span(outline: &Outline<'_>, cell: NodeId, attribute: Name) -> usize {
    let value = outline
        .dom
        .attribute(cell, attribute)
        .and_then(|value| value.trim().parse().ok());
    value.unwrap_or(1).clamp(1, SPAN_MAX)
}

/// How many rows a cell spans; zero stands for all rows of its group.
fn height(outline: &Outline<'_>, cell: NodeId) -> usize {
    let says_zero = outline
        .dom
        .attribute(cell, Name::ROWSPAN)
        .is_some_and(|value| value.trim() == "0");
    if says_zero {
        usize::MAX
    } else {
        span(outline, cell, Name::ROWSPAN)
    }
}

/// The headings of the columns, from the rows before the first record; `None` when there is no row of headings.
fn headings(
    outline: &Outline<'_>,
    grid: &HashMap<NodeId, Vec<(NodeId, usize)>, FixedState>,
    rows: impl Iterator<Item = NodeId>,
) -> Option<Vec<String>> {
    let dom = outline.dom;
    let mut headings: Vec<String> = Vec::new();
    let mut is_headed = false;
    for row in rows {
        let cells = &grid[&row];
        let is_heading = |cell: NodeId| {
            dom.is_html(cell, Name::TH) || dom.ancestors(cell).take(2).any(|node| dom.is_html(node, Name::THEAD))
        };
        if cells.len() < 2 || !cells.iter().all(|&(cell, _)| is_heading(cell)) {
            continue;
        }
        is_headed = true;
        for &(cell, column) in cells {
            let text = dom.visible_text(cell);
            let wide = span(outline, cell, Name::COLSPAN);
            for at in column..(column + wide).min(CELLS_MAX) {
                if headings.len() <= at {
                    headings.resize(at + 1, String::new());
                }
                if !headings[at].is_empty() && !text.is_empty() && headings[at] != text {
                    headings[at].push(' ');
                    headings[at].push_str(&text);
                } else if headings[at].is_empty() {
                    headings[at].push_str(&text);
                }
            }
        }
    }
    is_headed.then_some(headings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, parse_html};

    /// The texts of the cells of each row, with their columns.
    fn check_grid(html: &str, expected: &[&str]) {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let outline = Outline::of(&dom);
        let rows: Vec<NodeId> = dom.nodes().filter(|&node| dom.is_html(node, Name::TR)).collect();
        let grid = laid_out(&outline, &rows).expect("the table is small");
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
        assert!(laid_out(&Outline::of(&dom), &rows).is_none());
    }
}
