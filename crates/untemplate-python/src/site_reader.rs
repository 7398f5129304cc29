//! Site readers: pages to rows one at a time, by what a job learnt from a sample.

use std::fs;
use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyType};
use untemplate::job::PageRows;
use untemplate::page::{Page, ParseOptions};
use untemplate::table::ColumnKind;
use untemplate_store::{parse_site_reader, write_site_reader};

use crate::arrow::schema_capsule;
use crate::error::{FormatError, file_error};
use crate::page::{GivenPage, all_pages, any_pages, each_page};
use crate::table::{Cell, Column, Kind, Table, columns_list, rows_list, table_columns};
use crate::value::problem_texts;
use crate::wrapper::named;

/// Reads the pages of a site one at a time, each without the others, into the rows of the site's
/// tables: what `rebuild(…, wrappers_only=True)` and `untemplate rebuild --wrappers-only` write. A
/// page gives the same rows wherever and however often it is read.
#[pyclass(frozen, module = "untemplate")]
pub struct SiteReader {
    reader: untemplate::job::SiteReader,
    columns: Vec<Vec<Column>>,
}

/// What a page came to.
struct Read {
    rows: PageRows,
    problem: Option<String>,
}

impl Read {
    /// Nothing, and why.
    fn none(problem: String) -> Self {
        let rows = PageRows {
            page_class: None,
            rows: Vec::new(),
            problems: Vec::new(),
        };
        let problem = Some(problem);
        Self { rows, problem }
    }
}

impl SiteReader {
    fn read_page(&self, given: &GivenPage) -> Read {
        let response = given.response();
        if !response.is_html() {
            return Read::none("it is no HTML".to_owned());
        }
        let page = Page::read(&response, &ParseOptions::default());
        if let Some(loss) = page.problems.iter().find(|problem| problem.is_loss()) {
            return Read::none(loss.to_string());
        }
        let rows = self.reader.read(&page);
        let problem = rows.page_class.is_none().then(|| "it is like no page class".to_owned());
        Read { rows, problem }
    }

    fn class_name(&self, read: &Read) -> Option<&str> {
        read.rows
            .page_class
            .map(|class| self.reader.classes[class].name.as_str())
    }

    /// The rows of each table, as cells.
    fn cells(&self, read: &Read) -> Vec<Vec<Vec<Cell>>> {
        let mut tables = vec![Vec::new(); self.columns.len()];
        for (table, row) in &read.rows.rows {
            tables[*table].push(row.iter().cloned().map(Cell::from).collect());
        }
        tables
    }

    /// The columns of [`Self::pages`].
    fn page_columns(&self) -> Vec<Column> {
        let mut columns = vec![
            Column::of("url", ColumnKind::Url),
            Column::of("page_class", ColumnKind::Integer),
            Column::of("class_name", ColumnKind::Text),
            Column::of("problem", ColumnKind::Text),
        ];
        let tables = self.reader.database.tables.iter().zip(&self.columns);
        for (table, inner) in tables {
            let mut name = table.name.clone();
            while columns.iter().any(|column| column.name == name) {
                name.push('_');
            }
            columns.push(Column {
                name,
                kind: Kind::Rows(inner.clone()),
                unit: None,
            });
        }
        columns
    }
}

#[pymethods]
impl SiteReader {
    /// Reads `reader.json`, or the one in a folder.
    #[classmethod]
    fn load(class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        let path = if path.is_dir() { path.join("reader.json") } else { path };
        let text = fs::read_to_string(&path).map_err(|error| file_error("read", &path, error))?;
        Self::loads(class, &text).map_err(|error| named(class.py(), &path, &error))
    }

    /// Reads the text of `reader.json`.
    #[classmethod]
    fn loads(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let reader = parse_site_reader(text).map_err(FormatError::new_err)?;
        Ok(Self {
            columns: reader.database.tables.iter().map(table_columns).collect(),
            reader,
        })
    }

    /// The text of `reader.json`.
    fn dumps(&self) -> String {
        write_site_reader(&self.reader)
    }

    /// The columns of each table, by its name.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (table, columns) in self.reader.database.tables.iter().zip(&self.columns) {
            dict.set_item(&table.name, columns_list(py, columns)?)?;
        }
        Ok(dict)
    }

    /// The names of the page classes.
    #[getter]
    fn classes(&self) -> Vec<&str> {
        self.reader.classes.iter().map(|class| class.name.as_str()).collect()
    }

    /// Reads a page: a dict with `url`, `page_class`, `class_name`, `problem` (why the page has no
    /// rows, or None), `rows` by table, and `problems`, the values that are none of their column's
    /// kind.
    fn read<'py>(&self, py: Python<'py>, page: GivenPage) -> PyResult<Bound<'py, PyDict>> {
        let read = py.detach(|| self.read_page(&page));
        let rows = PyDict::new(py);
        let tables = self.reader.database.tables.iter().zip(&self.columns);
        for ((table, columns), cells) in tables.zip(self.cells(&read)) {
            if !cells.is_empty() {
                rows.set_item(&table.name, rows_list(py, columns, &cells)?)?;
            }
        }
        let dict = PyDict::new(py);
        dict.set_item("url", page.url.as_str())?;
        dict.set_item("page_class", read.rows.page_class)?;
        dict.set_item("class_name", self.class_name(&read))?;
        dict.set_item("problem", &read.problem)?;
        dict.set_item("rows", rows)?;
        dict.set_item("problems", problem_texts(&read.rows.problems))?;
        Ok(dict)
    }

    /// Reads pages on all cores into a table with a row a page: `url`, `page_class`, `class_name`,
    /// `problem`, and for each table of the site a column with the list of the page's rows. What is
    /// no page at all, such as one without an address or a body, is a row with a problem, too.
    /// Without `time_of_day`, times such as `18:00` are text to Arrow, for engines that have no
    /// type for them.
    #[pyo3(signature = (pages, *, time_of_day=true))]
    fn pages(&self, py: Python<'_>, pages: &Bound<'_, PyAny>, time_of_day: bool) -> PyResult<Table> {
        let pages = any_pages(pages)?;
        let rows = each_page(py, &pages, |page| {
            let (url, read) = match page {
                Ok(page) => (Some(page.url.to_string()), self.read_page(page)),
                Err((url, problem)) => (url.clone(), Read::none(problem.clone())),
            };
            let head = [
                url,
                read.rows.page_class.map(|class| class.to_string()),
                self.class_name(&read).map(str::to_owned),
                read.problem.clone(),
            ];
            let tables = self.cells(&read).into_iter().map(Cell::Rows);
            head.into_iter().map(Cell::from).chain(tables).collect::<Vec<Cell>>()
        });
        let mut columns = self.page_columns();
        if !time_of_day {
            columns.iter_mut().for_each(time_as_text);
        }
        Ok(Table { columns, rows })
    }

    /// Reads pages on all cores into the rows of one table of the site.
    fn table(&self, py: Python<'_>, name: &str, pages: &Bound<'_, PyAny>) -> PyResult<Table> {
        let tables = &self.reader.database.tables;
        let Some(number) = tables.iter().position(|table| table.name == name) else {
            let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
            let what = format!("there is no table {name}; there are {}", names.join(", "));
            return Err(PyKeyError::new_err(what));
        };
        let pages = all_pages(pages)?;
        let rows = each_page(py, &pages, |page| self.cells(&self.read_page(page)).swap_remove(number));
        Ok(Table {
            columns: self.columns[number].clone(),
            rows: rows.into_iter().flatten().collect(),
        })
    }

    /// The schema of `pages` through the Arrow C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.page_columns())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("loads")?, (self.dumps(),)))
    }
}

/// Makes text of times of day, in a column and those inside of it.
fn time_as_text(column: &mut Column) {
    match &mut column.kind {
        Kind::Value(kind) if *kind == ColumnKind::Time => *kind = ColumnKind::Text,
        Kind::Rows(columns) => columns.iter_mut().for_each(time_as_text),
        Kind::Value(_) | Kind::Texts => {}
    }
}
