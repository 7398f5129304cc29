//! Grids: tables of data, with spans resolved, headers told apart, and rows that head others as
//! sections.
//!
//! A table is data when most of its rows have the same number of cells, two or more, and few of its
//! cells hold tables or headings; else it is lay-out, and its cells are groups like any other.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::page::{Name, NodeId};

use super::block::BlockKind;
use super::build::Builder;
use super::draft::Draft;
use super::header_row::set_as_headers;
use super::section::arrange;

/// The most columns of a grid: spans beyond are cut, so that a page cannot ask for more memory than
/// it has bytes.
const COLUMNS_MAX: usize = 512;

/// A cell of a table as the page has it.
pub(super) struct TableCell {
    pub node: NodeId,
    pub is_header: bool,
    column: usize,
    span: usize,
}

/// A row of a table.
pub(super) struct TableRow {
    pub node: NodeId,
    pub cells: Vec<TableCell>,
    pub is_head: bool,
}

impl TableRow {
    /// Whether it heads the columns by its mark-up.
    pub fn is_headers(&self) -> bool {
        self.cells.len() >= 2 && (self.is_head || self.cells.iter().all(|cell| cell.is_header))
    }
}

/// The blocks of a table.
pub(super) fn read_table(builder: &mut Builder<'_>, table: NodeId, depth: usize) -> Vec<Draft> {
    let (rows, caption) = rows_of(builder, table);
    let mut blocks = Vec::new();
    if let Some(mut line) = caption.and_then(|caption| builder.one_line(caption)) {
        (line.kind, line.rank) = (BlockKind::Heading, CAPTION_RANK);
        blocks.push(line);
    }
    let name = builder.name(table);
    if is_data(builder, &rows) {
        let children = grid_rows(builder, &rows, depth);
        if is_fact_sheet(&children) || is_by_turns(&children) {
            let cells = children.into_iter().flat_map(|row| row.children);
            let lines = cells.flat_map(|cell| cell.children).collect();
            blocks.push(Draft::new(BlockKind::Group, name, table, arrange(lines)));
        } else if !children.is_empty() {
            blocks.push(Draft::new(BlockKind::Grid, name, table, children));
        }
    } else {
        let children = layout_rows(builder, &rows, depth);
        match children.len() {
            0 => {}
            1 => blocks.extend(children),
            _ => blocks.push(Draft::new(BlockKind::Group, name, table, arrange(children))),
        }
    }
    // A caption heads its table and nothing behind it.
    match blocks.len() {
        2 => {
            let section = arrange(blocks);
            section.into_iter().collect()
        }
        _ => blocks,
    }
}

/// The rank of captions: below all headings, above emphasised lines.
pub(super) const CAPTION_RANK: u8 = 6;

/// The rows of a table, not those of tables inside it, and its caption.
fn rows_of(builder: &Builder<'_>, table: NodeId) -> (Vec<TableRow>, Option<NodeId>) {
    let dom = &builder.page.dom;
    let mut rows = Vec::new();
    let mut caption = None;
    // Cells that reach down into rows below: how many more, by column.
    let mut reaching: Vec<usize> = Vec::new();
    let mut at = NodeId(table.0 + 1);
    let end = dom.subtree_end(table);
    while at < end {
        match dom.name(at) {
            Some(Name::CAPTION) => caption = Some(at),
            Some(Name::TR) => {
                rows.push(row_of(builder, at, &mut reaching));
                // Rows that stand inside a row, as the parser leaves them nowhere, are not looked
                // for.
            }
            Some(Name::THEAD | Name::TBODY | Name::TFOOT) => {
                at = NodeId(at.0 + 1);
                continue;
            }
            _ => {}
        }
        at = dom.subtree_end(at);
    }
    (rows, caption)
}

fn row_of(builder: &Builder<'_>, row: NodeId, reaching: &mut Vec<usize>) -> TableRow {
    let dom = &builder.page.dom;
    let mut cells = Vec::new();
    let mut column = 0;
    let number = |node, name| {
        let value = dom
            .attribute(node, name)
            .and_then(|value| value.trim().parse::<usize>().ok());
        value.unwrap_or(1).clamp(1, COLUMNS_MAX)
    };
    for cell in dom.children(row) {
        let is_header = dom.is_html(cell, Name::TH);
        if !is_header && !dom.is_html(cell, Name::TD) || column >= COLUMNS_MAX {
            continue;
        }
        while reaching.get(column).is_some_and(|&rows| rows > 0) {
            column += 1;
        }
        let (span, depth) = (number(cell, Name::COLSPAN), number(cell, Name::ROWSPAN));
        let span = span.min(COLUMNS_MAX - column.min(COLUMNS_MAX - 1));
        if depth > 1 {
            if reaching.len() < column + span {
                reaching.resize(column + span, 0);
            }
            // This row is counted off below.
            reaching[column..column + span].fill(depth);
        }
        cells.push(TableCell {
            node: cell,
            is_header,
            column,
            span,
        });
        column += span;
    }
    for rows in reaching.iter_mut() {
        *rows = rows.saturating_sub(1);
    }
    let is_head = dom.parent(row).is_some_and(|parent| dom.is_html(parent, Name::THEAD));
    TableRow {
        node: row,
        cells,
        is_head,
    }
}

/// Whether a table holds data.
fn is_data(builder: &Builder<'_>, rows: &[TableRow]) -> bool {
    let dom = &builder.page.dom;
    let wide = rows.iter().filter(|row| row.cells.len() >= 2).count();
    let has_header = rows.iter().any(|row| row.cells.iter().any(|cell| cell.is_header));
    if wide == 0 || rows.len() < 2 && !has_header {
        return false;
    }
    let mut n_cells = 0;
    let mut n_complex = 0;
    for cell in rows.iter().flat_map(|row| &row.cells) {
        n_cells += 1;
        let is_complex = |node: NodeId| {
            matches!(
                dom.name(node),
                Some(Name::TABLE | Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::FORM)
            )
        };
        n_complex += usize::from(dom.subtree(cell.node).any(is_complex));
    }
    // Half of the rows that have several cells have as many as the others, or one fewer where a
    // cell reaches down.
    let mut counts: Vec<usize> = rows.iter().map(|row| row.cells.len()).filter(|&n| n >= 2).collect();
    counts.sort_unstable();
    let median = counts[counts.len() / 2];
    let regular = counts.iter().filter(|&&n| n == median).count();
    n_complex * 5 <= n_cells && regular * 2 >= counts.len() && wide * 3 >= rows.len()
}

/// Whether each cell of a table is a line with a label and its value, and each label is there once:
/// the table lays out a sheet of facts.
fn is_fact_sheet(rows: &[Draft]) -> bool {
    let mut labels = BTreeSet::new();
    let mut has_label = |cell: &Draft| match cell.children.as_slice() {
        [line] if line.kind == BlockKind::Line && !line.is_bare_label() => {
            let label = line.cut.map(|cut| line.text[..cut.label_end as usize].to_owned());
            label.is_some_and(|label| labels.insert(label))
        }
        _ => false,
    };
    rows.iter().all(|row| row.kind == BlockKind::Row)
        && rows.iter().flat_map(|row| &row.children).all(&mut has_label)
        && labels.len() >= FACTS_MIN
}

/// Whether each row of a table without headers has one cell with something in it, and not all in
/// the same column: the table sets what belongs together apart from its name, as margins do.
fn is_by_turns(rows: &[Draft]) -> bool {
    let column = |row: &Draft| match row.children.as_slice() {
        [cell] if row.kind == BlockKind::Row => cell.name.parse::<usize>().ok(),
        _ => None,
    };
    let columns: Option<BTreeSet<usize>> = rows.iter().map(column).collect();
    columns.is_some_and(|columns| columns.len() > 1)
}

/// The fewest labels of a sheet of facts.
const FACTS_MIN: usize = 3;

/// The rows of a table that is lay-out: a group each, of groups.
fn layout_rows(builder: &mut Builder<'_>, rows: &[TableRow], depth: usize) -> Vec<Draft> {
    let mut groups = Vec::new();
    for row in rows {
        let mut cells = Vec::new();
        for cell in &row.cells {
            let children = builder.children(cell.node, depth + 1);
            let name = builder.name(cell.node);
            match children.len() {
                0 => {}
                1 => cells.extend(children),
                _ => cells.push(Draft::new(BlockKind::Group, name, cell.node, children)),
            }
        }
        match cells.len() {
            0 => {}
            1 => groups.extend(cells),
            _ => {
                let name = builder.name(row.node);
                groups.push(Draft::new(BlockKind::Group, name, row.node, arrange(cells)));
            }
        }
    }
    groups
}

/// The rows of a grid; headers name the cells below them, a cell over the whole width heads the
/// rows that follow.
fn grid_rows(builder: &mut Builder<'_>, rows: &[TableRow], depth: usize) -> Vec<Draft> {
    let width = rows
        .iter()
        .filter_map(|row| row.cells.last())
        .map(|cell| cell.column + cell.span)
        .max();
    let width = width.unwrap_or(0);
    let mut headers: Vec<Rc<str>> = vec!["".into(); width];
    let mut is_headed = false;
    let mut has_values = false;
    let mut blocks = Vec::new();
    let first = set_as_headers(builder, rows);
    for row in rows {
        if let Some(mut heading) = group_heading(builder, row, width) {
            heading.rank = rank_of_span(row, width);
            blocks.push(heading);
            continue;
        }
        let is_header = row.is_headers() || first == Some(row.node);
        if is_header {
            // A second row of headers adds to the first; one after values begins anew.
            if has_values {
                headers = vec!["".into(); width];
            }
            (is_headed, has_values) = (true, false);
            add_headers(builder, row, &mut headers);
            continue;
        }
        has_values = true;
        let pairs = if is_headed {
            None
        } else {
            label_cells(builder, row, depth)
        };
        match pairs {
            Some(pairs) => blocks.extend(pairs),
            None => blocks.extend(grid_row(builder, row, &headers, depth)),
        }
    }
    arrange(blocks)
}

/// The line of a cell that stands alone in its row and heads those below.
fn group_heading(builder: &mut Builder<'_>, row: &TableRow, width: usize) -> Option<Draft> {
    let [cell] = row.cells.as_slice() else { return None };
    if width < 2 || cell.span < 2 && !cell.is_header {
        return None;
    }
    let mut line = builder.one_line(cell.node)?;
    line.kind = BlockKind::Heading;
    line.name = builder.name(cell.node);
    Some(line)
}

/// The rank of a row that heads others: the wider, the higher.
fn rank_of_span(row: &TableRow, width: usize) -> u8 {
    let span = row.cells.first().map_or(0, |cell| cell.span);
    8 + width.saturating_sub(span).min(200) as u8
}

fn add_headers(builder: &mut Builder<'_>, row: &TableRow, headers: &mut [Rc<str>]) {
    for cell in &row.cells {
        let Some(line) = builder.one_line(cell.node) else {
            continue;
        };
        let end = (cell.column + cell.span).min(headers.len());
        for header in &mut headers[cell.column.min(end)..end] {
            *header = match header.is_empty() {
                true => line.text.as_str().into(),
                false => format!("{header} {}", line.text).into(),
            };
        }
    }
}

/// A row of labels and values by turns, as pairs.
fn label_cells(builder: &mut Builder<'_>, row: &TableRow, depth: usize) -> Option<Vec<Draft>> {
    let is_pairs = row.cells.len() >= 2
        && row.cells.len().is_multiple_of(2)
        && row.cells.chunks(2).all(|pair| pair[0].is_header && !pair[1].is_header);
    if !is_pairs {
        return None;
    }
    let mut pairs = Vec::new();
    for cells in row.cells.chunks(2) {
        let Some(label) = builder.one_line(cells[0].node) else {
            continue;
        };
        let mut children = vec![label.into_label()];
        children.extend(builder.children(cells[1].node, depth + 1));
        let name = builder.name(row.node);
        pairs.push(Draft::new(BlockKind::Pair, name, row.node, children));
    }
    Some(pairs)
}

fn grid_row(builder: &mut Builder<'_>, row: &TableRow, headers: &[Rc<str>], depth: usize) -> Option<Draft> {
    let mut cells = Vec::new();
    for cell in &row.cells {
        let children = builder.children(cell.node, depth + 1);
        if children.is_empty() {
            continue;
        }
        let header = headers.get(cell.column).cloned().unwrap_or_default();
        let name = match header.is_empty() {
            true => cell.column.to_string().into(),
            false => header,
        };
        let mut draft = Draft::new(BlockKind::Cell, name, cell.node, children);
        draft.rank = u8::from(cell.is_header);
        cells.push(draft);
    }
    let name = builder.name(row.node);
    (!cells.is_empty()).then(|| Draft::new(BlockKind::Row, name, row.node, cells))
}
