//! Taught rows: the path to the rows of a page, and what is read in each.
//!
//! Of a table, a field names its column by number and, where it has one, by header. With a header
//! the column is looked for by it alone: where a page has its columns in another order they are
//! still found, and where it has no such column nothing is read. A row that says what its headers
//! say is no row, and one with nothing in it neither.

use std::collections::HashMap;

use super::grid::Grid;
use crate::page::table_layout::table_of;
use crate::page::{Dom, Name, NodeId, Page, Problem};
use crate::rule::{LocationPath, Picked, Selected, Trim, select, value_text};

/// Rows that are read on the pages of a class; they have a table of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaughtRows {
    /// What the table is called.
    pub name: String,
    /// Whether a page may be without rows.
    pub is_optional: bool,
    /// What selects the rows, from the document.
    pub path: LocationPath,
    /// What is read in each row, in the order of the columns.
    pub fields: Vec<RowField>,
}

/// What is read in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowField {
    /// The name it was given.
    pub name: String,
    /// Where rows are those of a table, the column that it stands in.
    pub column: Option<GridColumn>,
    /// The way from the row, or from its cell in that column; `None` for all that it shows. The
    /// first that it leads to is the value.
    pub path: Option<LocationPath>,
    /// Constant text around the value.
    pub trim: Trim,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridColumn {
    /// Its number, from 1; of several columns with one header it says which is meant.
    pub number: u32,
    /// What heads it.
    pub header: Option<String>,
}

/// What was read of rows on a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowsReading {
    /// The rows, in document order.
    pub rows: Vec<RowReading>,
    /// Why there are none, where there should be.
    pub problem: Option<Problem>,
}

/// What was read in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowReading {
    /// The row.
    pub node: NodeId,
    /// For each field its value, if the row has one.
    pub values: Vec<Option<Picked>>,
}

/// Rows of one page at most: a bound on what a page can make of memory.
const ROWS_MAX: usize = 100_000;

impl TaughtRows {
    /// Reads the rows of a page.
    pub fn read(&self, page: &Page) -> RowsReading {
        let mut rows = Vec::new();
        let mut tables: HashMap<NodeId, Layout> = HashMap::new();
        for Selected { node, .. } in select(&self.path, &page.dom, NodeId::DOCUMENT) {
            if rows.len() >= ROWS_MAX {
                break;
            }
            let layout = table_of(&page.dom, node)
                .filter(|_| self.fields.iter().any(|field| field.column.is_some()))
                .map(|table| {
                    &*tables
                        .entry(table)
                        .or_insert_with(|| Layout::of(&page.dom, table, &self.fields))
                });
            rows.extend(self.row(page, node, layout));
        }
        let problem = (rows.is_empty() && !self.is_optional).then(|| {
            let message = format!(
                "rows {}: none is found, and every page that was shown had some",
                self.name
            );
            Problem::new("missing", message)
        });
        RowsReading { rows, problem }
    }

    /// One row; `None` where it is none.
    fn row(&self, page: &Page, node: NodeId, layout: Option<&Layout>) -> Option<RowReading> {
        if layout.is_some_and(|layout| layout.grid.header_rows.contains(&node)) {
            return None;
        }
        let fields = self.fields.iter().enumerate();
        let values = fields.map(|(place, field)| {
            let from = match (&field.column, layout) {
                (None, _) => node,
                (Some(_), Some(layout)) => layout.cell(node, place)?,
                (Some(_), None) => return None,
            };
            field.read(page, from)
        });
        let values: Vec<Option<Picked>> = values.collect();
        let is_header = |(field, value): (&RowField, &Option<Picked>)| {
            let header = field.column.as_ref().and_then(|column| column.header.as_deref());
            header.is_some() && value.as_ref().map(|picked| picked.text.as_str()) == header
        };
        let is_empty = values.iter().all(Option::is_none);
        let is_row = !is_empty && !self.fields.iter().zip(&values).all(is_header);
        is_row.then_some(RowReading { node, values })
    }
}

impl RowField {
    /// Reads the field in a row or a cell.
    fn read(&self, page: &Page, from: NodeId) -> Option<Picked> {
        let place = match &self.path {
            None => Selected {
                node: from,
                attribute: None,
            },
            Some(path) => *select(path, &page.dom, from).first()?,
        };
        let text = value_text(&page.dom, place);
        let text = self.trim.apply(&text)?;
        let text = match place.attribute {
            // An address means something only as a whole.
            Some(Name::HREF | Name::SRC) => page
                .resolve(text)
                .map_or_else(|| text.to_owned(), |url| url.to_string()),
            _ => text.to_owned(),
        };
        (!text.is_empty()).then_some(Picked { place, text })
    }
}

/// A table, and the column of each field in it.
struct Layout {
    grid: Grid,
    columns: Vec<Option<usize>>,
}

impl Layout {
    fn of(dom: &Dom, table: NodeId, fields: &[RowField]) -> Self {
        let grid = Grid::of(dom, table);
        let column = |field: &RowField| {
            let column = field.column.as_ref()?;
            let number = (column.number as usize).checked_sub(1)?;
            let Some(header) = &column.header else {
                return Some(number);
            };
            if grid.headers.get(number) == Some(header) {
                return Some(number);
            }
            grid.headers.iter().position(|its| its == header)
        };
        let columns = fields.iter().map(column).collect();
        Self { grid, columns }
    }

    fn cell(&self, row: NodeId, field: usize) -> Option<NodeId> {
        self.grid.cell(row, self.columns[field]?)
    }
}
