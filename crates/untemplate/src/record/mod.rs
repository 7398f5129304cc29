//! Stage 4, `record`: one list page to records.
//!
//! In: a [`Page`](crate::page::Page). Out: its main list, or all of them: [`ListRegion`]s with
//! columns and [`ListRecord`]s; none when the page has no list. Nothing is taught and no other page
//! is asked.
//!
//! The way there: `outline` sees each node once, `stripes` which classes are only the colours of
//! rows; `sequence` and `parallel_blocks` say what a list may be cut from, `division` in which
//! ways; `signals` measures each way, `ranking` adds up what speaks for it; `evidence`, `choice` and
//! `probability` tell lists from what else repeats: menus, facts, prose. Then `widening` adds the
//! items that a division left out, `group` opens lists of lists, `stranger` takes out what is no
//! record, `nested`, `emphasis`, `table_grid`, `line` and `item` read what the records show, and
//! `column` sets it under columns.
//!
//! [`next_page`] and [`follow_list`] go on from page to page; [`show_records`] shows a person what
//! was found.
//!
//! ```
//! use untemplate::page::{Page, ParseOptions, Response};
//! use untemplate::record::{RecordOptions, find_records};
//! let url = "http://cup.example/".parse().expect("a good address");
//! let html = "<table><tr><th>Team<th>Founded<th>City
//!     <tr><td>Rovers<td>1904<td>Bloerby<tr><td>Athletic<td>1956<td>Creinford<tr><td>United<td>1902<td>Thoronby</table>";
//! let page = Page::read(&Response::html(url, html), &ParseOptions::default());
//! let list = &find_records(&page, &RecordOptions::default()).regions[0];
//! let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["Team", "Founded", "City"]);
//! ```

mod alternatives;
mod aside;
mod candidate;
mod choice;
mod column;
mod column_name;
mod division;
mod emphasis;
mod evidence;
mod find;
mod follow;
mod group;
mod item;
mod likeness;
mod line;
mod list_region;
mod nested;
mod next_page;
mod outline;
mod parallel_blocks;
mod probability;
mod query_hint;
mod ranking;
mod sequence;
mod show;
mod signals;
mod stranger;
mod stripes;
mod table_grid;
mod value_shape;
mod widening;

pub use evidence::{EVIDENCE, EVIDENCE_NAMES, Evidence};
pub use find::{RecordOptions, find_records, rank_lists};
pub use follow::{FollowedList, follow_list, follow_list_with};
pub use item::ItemKind;
pub use list_region::{Column, Field, ListRecord, ListRegion, PageRecords, RankedList};
pub use next_page::next_page;
pub use outline::shown_nodes;
pub use query_hint::QueryHint;
pub use ranking::Weights;
pub use show::{show_records, show_runners_up};
pub use signals::Signals;
pub use value_shape::{ValueShape, shape_of};

#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod page_tests;
