//! Stage 3, `record`: one list page to records.

mod candidate;
mod column;
mod division;
mod emphasis;
mod find;
mod item;
mod likeness;
mod outline;
mod ranking;
mod sequence;
mod value_shape;
mod verdict;

pub use find::{Column, ListRegion, PageRecords, Record, RecordOptions, find_records};
pub use ranking::Weights;
pub use value_shape::ValueShape;
