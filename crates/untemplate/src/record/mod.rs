//! Stage 3, `record`: one list page to records.

mod alvarez;
mod candidate;
mod column;
mod column_name;
mod division;
mod emphasis;
mod find;
mod item;
mod likeness;
mod list_region;
mod nested;
mod outline;
mod query_hint;
mod ranking;
mod sequence;
mod table_grid;
mod value_shape;
mod verdict;

pub use alvarez::find_faithfully;
pub use find::{RecordOptions, find_records};
pub use item::ItemKind;
pub use list_region::{Column, Field, ListRegion, PageRecords, Record};
pub use query_hint::QueryHint;
pub use ranking::{Signals, Weights};
pub use value_shape::ValueShape;
