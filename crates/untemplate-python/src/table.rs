//! Tables: rows that are dictionaries to Python, and columns to whatever speaks Arrow.

use std::collections::HashMap;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList};
use untemplate::table::ColumnKind;
use untemplate::wrapper::{Record, Value};

use crate::arrow::{schema_capsule, stream_capsule};

/// A column, and what its cells hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its cells hold.
    pub kind: Kind,
    /// The unit of its values.
    pub unit: Option<String>,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// One value.
    Value(ColumnKind),
    /// Any number of texts.
    Texts,
    /// The rows of a table inside of this one.
    Rows(Vec<Column>),
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Missing,
    /// A value, as its kind writes it.
    Value(String),
    /// Texts.
    Texts(Vec<String>),
    /// Rows.
    Rows(Vec<Vec<Cell>>),
}

impl Column {
    /// A column of one value a row.
    pub fn of(name: &str, kind: ColumnKind) -> Self {
        Self {
            name: name.to_owned(),
            kind: Kind::Value(kind),
            unit: None,
        }
    }
}

impl From<Option<String>> for Cell {
    fn from(value: Option<String>) -> Self {
        value.map_or(Self::Missing, Self::Value)
    }
}

/// A table. It is a sequence of rows, each a dict with a key for every column, and it can be handed
/// to pyarrow, Polars, DuckDB or pandas, which take its columns without copying:
/// `pyarrow.table(t)`, `polars.DataFrame(t)`.
#[pyclass(frozen, module = "untemplate")]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, as wide as the columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table of the library, with the rows it made.
    pub fn of_table(table: &untemplate::table::Table, rows: Vec<Vec<Option<String>>>) -> Self {
        Self {
            columns: table_columns(table),
            rows: rows
                .into_iter()
                .map(|row| row.into_iter().map(Cell::from).collect())
                .collect(),
        }
    }
}

/// The columns of a table of the library.
pub fn table_columns(table: &untemplate::table::Table) -> Vec<Column> {
    let column = |column: &untemplate::table::Column| Column {
        unit: column.unit.clone(),
        ..Column::of(&column.name, column.kind)
    };
    table.columns.iter().map(column).collect()
}

#[pymethods]
impl Table {
    /// The names of its columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// Its columns, each a dict: `name`, `kind` and `unit`.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        columns_list(py, &self.columns)
    }

    /// All rows, as dicts.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        rows_list(py, &self.columns, &self.rows)
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyDict>> {
        let place = if index < 0 {
            index + self.rows.len() as isize
        } else {
            index
        };
        let row = usize::try_from(place).ok().and_then(|place| self.rows.get(place));
        match row {
            Some(row) => row_dict(py, &self.columns, row),
            None => Err(PyIndexError::new_err(format!(
                "row {index} of {} is not there",
                self.rows.len()
            ))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_list(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows: {})", self.rows.len(), self.column_names().join(", "))
    }

    /// The rows through the Arrow C stream interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol lets a producer answer with the schema it has.
        drop(requested_schema);
        stream_capsule(py, &self.columns, &self.rows)
    }

    /// The schema through the Arrow C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.columns)
    }
}

/// Columns, as dicts.
pub fn columns_list<'py>(py: Python<'py>, columns: &[Column]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for column in columns {
        let dict = PyDict::new(py);
        dict.set_item("name", &column.name)?;
        dict.set_item("kind", kind_name(&column.kind))?;
        dict.set_item("unit", &column.unit)?;
        if let Kind::Rows(inner) = &column.kind {
            dict.set_item("columns", columns_list(py, inner)?)?;
        }
        list.append(dict)?;
    }
    Ok(list)
}

/// What a column holds, in a word.
fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Value(ColumnKind::Integer) => "integer",
        Kind::Value(ColumnKind::Decimal) => "decimal",
        Kind::Value(ColumnKind::Date) => "date",
        Kind::Value(ColumnKind::DateTime) => "datetime",
        Kind::Value(ColumnKind::Time) => "time",
        Kind::Value(ColumnKind::Boolean) => "boolean",
        Kind::Value(ColumnKind::Url) => "url",
        Kind::Value(ColumnKind::Email) => "email",
        Kind::Value(ColumnKind::Phone) => "phone",
        Kind::Value(ColumnKind::Enum) => "enum",
        Kind::Value(ColumnKind::Text) => "text",
        Kind::Texts => "texts",
        Kind::Rows(_) => "rows",
    }
}

/// Rows, as dicts.
pub fn rows_list<'py>(py: Python<'py>, columns: &[Column], rows: &[Vec<Cell>]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for row in rows {
        list.append(row_dict(py, columns, row)?)?;
    }
    Ok(list)
}

fn row_dict<'py>(py: Python<'py>, columns: &[Column], row: &[Cell]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (column, cell) in columns.iter().zip(row) {
        match (cell, &column.kind) {
            (Cell::Value(text), Kind::Value(kind)) => set_value(&dict, &column.name, *kind, text)?,
            (Cell::Texts(texts), _) => dict.set_item(&column.name, texts)?,
            (Cell::Rows(rows), Kind::Rows(inner)) => dict.set_item(&column.name, rows_list(py, inner, rows)?)?,
            _ => dict.set_item(&column.name, py.None())?,
        }
    }
    Ok(dict)
}

/// Numbers and truth values as such, all else as text, as in JSON.
fn set_value(dict: &Bound<'_, PyDict>, name: &str, kind: ColumnKind, text: &str) -> PyResult<()> {
    let number = text.parse::<f64>().ok().filter(|_| kind == ColumnKind::Decimal);
    let whole = text.parse::<i64>().ok().filter(|_| kind == ColumnKind::Integer);
    let truth = text.parse::<bool>().ok().filter(|_| kind == ColumnKind::Boolean);
    match (whole, number, truth) {
        (Some(whole), ..) => dict.set_item(name, whole),
        (_, Some(number), _) => dict.set_item(name, number),
        (.., Some(truth)) => dict.set_item(name, truth),
        _ => dict.set_item(name, text),
    }
}

/// Records as a table: a column for each key, in the order in which they are met; lists become rows
/// in their cells.
pub fn of_records(records: &[&Record]) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let mut columns: Vec<Column> = Vec::new();
    // A key is a text on one page and a list on another only where wrappers were edited; both are
    // kept.
    let mut places: HashMap<(&str, bool), usize> = HashMap::new();
    let mut inner: Vec<Vec<&Record>> = Vec::new();
    for (key, value) in records.iter().flat_map(|record| &record.values) {
        let is_list = matches!(value, Value::List(_));
        let place = *places.entry((key, is_list)).or_insert_with(|| {
            let mut name = key.to_string();
            while columns.iter().any(|column| column.name == name) {
                name.push('_');
            }
            columns.push(Column::of(&name, ColumnKind::Text));
            inner.push(Vec::new());
            columns.len() - 1
        });
        if let Value::List(rounds) = value {
            inner[place].extend(rounds);
        }
    }
    let mut rounds: Vec<std::vec::IntoIter<Vec<Cell>>> = Vec::new();
    for (place, inner) in inner.iter().enumerate() {
        let (inner_columns, inner_rows) = of_records(inner);
        rounds.push(inner_rows.into_iter());
        if places.iter().any(|((_, is_list), at)| *is_list && *at == place) {
            columns[place].kind = Kind::Rows(inner_columns);
        }
    }
    let rows = records.iter().map(|record| {
        let mut row = vec![Cell::Missing; columns.len()];
        for (key, value) in &record.values {
            match value {
                Value::Text(text) => row[places[&(&**key, false)]] = Cell::Value(text.clone()),
                Value::List(list) => {
                    let place = places[&(&**key, true)];
                    row[place] = Cell::Rows(rounds[place].by_ref().take(list.len()).collect());
                }
            }
        }
        row
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    (columns, rows)
}
