//! Stage 3, `record`: one list page to records.

mod alvarez;
mod aside;
mod candidate;
mod column;
mod column_name;
mod division;
mod emphasis;
mod find;
mod follow;
mod item;
mod likeness;
mod list_region;
mod nested;
mod next_page;
mod outline;
mod outlined_page;
mod query_hint;
mod ranking;
mod sequence;
mod show;
mod signals;
mod table_grid;
mod value_shape;
mod verdict;

pub use find::{RecordOptions, find_records};
pub use follow::{FollowedList, follow_list};
pub use item::ItemKind;
pub use list_region::{Column, Field, ListRegion, PageRecords, Record};
pub use next_page::next_page;
pub use outlined_page::outlined_page;
pub use query_hint::QueryHint;
pub use ranking::Weights;
pub use show::show_records;
pub use signals::Signals;
pub use value_shape::ValueShape;
