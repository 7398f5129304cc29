//! Tables as Arrow has them: typed columns, handed over by the C interface in capsules, without a
//! copy.
//!
//! Values that are none of their column's kind are null, as in the Parquet files that the program
//! writes, and kinds have the same types as there.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, ListArray, RecordBatch, RecordBatchIterator,
    RecordBatchOptions, StringArray, StructArray, Time64MicrosecondArray, TimestampMicrosecondArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, TimeUnit};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use untemplate::table::ColumnKind;
use untemplate_store::table_file::{clock_micros, days, time_micros};

use crate::error::Error;
use crate::table::{Cell, Column, Kind};

/// Rows in a capsule that Arrow's libraries take.
pub fn stream_capsule<'py>(py: Python<'py>, columns: &[Column], rows: &[Vec<Cell>]) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = py.detach(|| record_batch(columns, rows)).map_err(refused)?;
    let schema = batch.schema();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// The schema of columns in a capsule that Arrow's libraries take.
pub fn schema_capsule<'py>(py: Python<'py>, columns: &[Column]) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(&Schema::new(fields(columns))).map_err(refused)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

fn refused(error: ArrowError) -> PyErr {
    Error::new_err(format!("Arrow refuses the table: {error}"))
}

fn record_batch(columns: &[Column], rows: &[Vec<Cell>]) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<&[Cell]> = rows.iter().map(Vec::as_slice).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(
        Arc::new(Schema::new(fields(columns))),
        arrays(columns, &rows)?,
        &options,
    )
}

fn fields(columns: &[Column]) -> Fields {
    let field = |column: &Column| Field::new(&column.name, data_type(&column.kind), true);
    columns.iter().map(field).collect()
}

fn data_type(kind: &Kind) -> DataType {
    match kind {
        Kind::Value(ColumnKind::Integer) => DataType::Int64,
        Kind::Value(ColumnKind::Decimal) => DataType::Float64,
        Kind::Value(ColumnKind::Date) => DataType::Date32,
        Kind::Value(ColumnKind::DateTime) => DataType::Timestamp(TimeUnit::Microsecond, None),
        Kind::Value(ColumnKind::Time) => DataType::Time64(TimeUnit::Microsecond),
        Kind::Value(ColumnKind::Boolean) => DataType::Boolean,
        Kind::Value(_) => DataType::Utf8,
        Kind::Texts => DataType::List(item(DataType::Utf8)),
        Kind::Rows(columns) => DataType::List(item(DataType::Struct(fields(columns)))),
    }
}

fn item(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new("item", data_type, true))
}

fn arrays(columns: &[Column], rows: &[&[Cell]]) -> Result<Vec<ArrayRef>, ArrowError> {
    let column = |(place, column): (usize, &Column)| match &column.kind {
        Kind::Value(kind) => Ok(values(*kind, rows, place)),
        Kind::Texts => Ok(texts(rows, place)),
        Kind::Rows(columns) => nested(columns, rows, place),
    };
    columns.iter().enumerate().map(column).collect()
}

fn values(kind: ColumnKind, rows: &[&[Cell]], place: usize) -> ArrayRef {
    let cells = rows.iter().map(|row| match &row[place] {
        Cell::Value(text) => Some(text.as_str()),
        _ => None,
    });
    match kind {
        ColumnKind::Integer => Arc::new(Int64Array::from_iter(cells.map(|cell| cell?.parse::<i64>().ok()))),
        ColumnKind::Decimal => Arc::new(Float64Array::from_iter(
            cells.map(|cell| cell?.parse::<f64>().ok().filter(|number| number.is_finite())),
        )),
        ColumnKind::Date => Arc::new(Date32Array::from_iter(cells.map(|cell| days(cell?)))),
        ColumnKind::DateTime => Arc::new(TimestampMicrosecondArray::from_iter(
            cells.map(|cell| clock_micros(cell?)),
        )),
        ColumnKind::Time => Arc::new(Time64MicrosecondArray::from_iter(cells.map(|cell| time_micros(cell?)))),
        ColumnKind::Boolean => Arc::new(BooleanArray::from_iter(cells.map(|cell| cell?.parse::<bool>().ok()))),
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => {
            Arc::new(StringArray::from_iter(cells))
        }
    }
}

fn texts(rows: &[&[Cell]], place: usize) -> ArrayRef {
    let mut list = ListBuilder::new(StringBuilder::new());
    for row in rows {
        match &row[place] {
            Cell::Texts(texts) => {
                texts.iter().for_each(|text| list.values().append_value(text));
                list.append(true);
            }
            _ => list.append(false),
        }
    }
    Arc::new(list.finish())
}

fn nested(columns: &[Column], rows: &[&[Cell]], place: usize) -> Result<ArrayRef, ArrowError> {
    let mut inner: Vec<&[Cell]> = Vec::new();
    let mut lengths = Vec::with_capacity(rows.len());
    for row in rows {
        let before = inner.len();
        if let Cell::Rows(rows) = &row[place] {
            inner.extend(rows.iter().map(Vec::as_slice));
        }
        lengths.push(inner.len() - before);
    }
    let is_there = rows.iter().map(|row| matches!(row[place], Cell::Rows(_)));
    let values = StructArray::try_new_with_length(fields(columns), arrays(columns, &inner)?, None, inner.len())?;
    let list = ListArray::try_new(
        item(DataType::Struct(fields(columns))),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(values),
        Some(NullBuffer::from_iter(is_there)),
    )?;
    Ok(Arc::new(list))
}
