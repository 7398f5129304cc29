//! Parquet's columns: how each kind of value is stored, and the bytes of a column while a row group
//! grows.

use untemplate::table::ColumnKind;

use super::calendar::{clock_micros, days, time_micros};
use super::thrift::{Thrift, push_varint};

/// Numbers of the format: physical types, and the older names of logical ones.
const BOOLEAN: i32 = 0;
const INT32: i32 = 1;
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const UTF8: i32 = 0;
const DATE: i32 = 6;

/// The values of a column in the row group at hand.
#[derive(Debug, Default)]
pub(super) struct ColumnBuffer {
    plain: Vec<u8>,
    is_there: Vec<bool>,
}

impl ColumnBuffer {
    /// Adds a value; one that is none of its column's kind is missing.
    pub(super) fn push(&mut self, kind: ColumnKind, value: Option<&str>) {
        let is_there = value.is_some_and(|value| push_plain(kind, value, &mut self.plain).is_some());
        self.is_there.push(is_there);
    }

    /// How many bytes it holds.
    pub(super) fn n_bytes(&self) -> usize {
        self.plain.len() + self.is_there.len()
    }

    /// How many values it has, missing ones included.
    pub(super) fn n_values(&self) -> usize {
        self.is_there.len()
    }

    /// The body of a data page, and an empty buffer again.
    pub(super) fn take_page(&mut self, kind: ColumnKind) -> Vec<u8> {
        let levels = levels(&self.is_there);
        let mut page = Vec::with_capacity(4 + levels.len() + self.plain.len());
        page.extend((levels.len() as u32).to_le_bytes());
        page.extend(levels);
        if kind == ColumnKind::Boolean {
            page.extend(packed(&self.plain));
        } else {
            page.extend_from_slice(&self.plain);
        }
        self.plain.clear();
        self.is_there.clear();
        page
    }
}

/// Appends a value; `None` when it is none of this kind.
fn push_plain(kind: ColumnKind, value: &str, plain: &mut Vec<u8>) -> Option<()> {
    match kind {
        ColumnKind::Integer => plain.extend(value.parse::<i64>().ok()?.to_le_bytes()),
        ColumnKind::Decimal => {
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite())?;
            plain.extend(number.to_le_bytes());
        }
        ColumnKind::Date => plain.extend(days(value)?.to_le_bytes()),
        ColumnKind::DateTime => plain.extend(clock_micros(value)?.to_le_bytes()),
        ColumnKind::Time => plain.extend(time_micros(value)?.to_le_bytes()),
        ColumnKind::Boolean => plain.push(u8::from(value.parse::<bool>().ok()?)),
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => {
            plain.extend((value.len() as u32).to_le_bytes());
            plain.extend(value.as_bytes());
        }
    }
    Some(())
}

/// Truth values, eight a byte, the first lowest.
fn packed(values: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let byte = |bits: &[u8]| {
        bits.iter()
            .enumerate()
            .fold(0, |byte, (place, bit)| byte | bit << place)
    };
    values.chunks(8).map(byte)
}

/// Which values are there, as runs of equal levels.
fn levels(is_there: &[bool]) -> Vec<u8> {
    let mut levels = Vec::new();
    for run in is_there.chunk_by(|one, other| one == other) {
        push_varint((run.len() as u64) << 1, &mut levels);
        levels.push(u8::from(run[0]));
    }
    levels
}

/// The number of the physical type.
pub(super) fn type_number(kind: ColumnKind) -> i32 {
    match kind {
        ColumnKind::Integer | ColumnKind::DateTime | ColumnKind::Time => INT64,
        ColumnKind::Decimal => DOUBLE,
        ColumnKind::Date => INT32,
        ColumnKind::Boolean => BOOLEAN,
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => BYTE_ARRAY,
    }
}

/// Writes what the values mean into a schema element. Times are those of a clock on the page, not
/// instants.
pub(super) fn write_meaning(kind: ColumnKind, element: &mut Thrift) {
    let microseconds = |time: &mut Thrift| {
        time.boolean(1, false).structure(2, |unit| {
            unit.structure(2, |_| {});
        });
    };
    match kind {
        ColumnKind::Integer | ColumnKind::Decimal | ColumnKind::Boolean => {}
        ColumnKind::Date => {
            element.i32(6, DATE).structure(10, |meaning| {
                meaning.structure(6, |_| {});
            });
        }
        ColumnKind::Time => {
            element.structure(10, |meaning| {
                meaning.structure(7, microseconds);
            });
        }
        ColumnKind::DateTime => {
            element.structure(10, |meaning| {
                meaning.structure(8, microseconds);
            });
        }
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => {
            element.i32(6, UTF8).structure(10, |meaning| {
                meaning.structure(1, |_| {});
            });
        }
    }
}
