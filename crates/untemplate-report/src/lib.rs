//! HTML for people: what a run found, what a site is made of, where on a page records stand.
//!
//! In: values of the library [`untemplate`]. Out: pages that need nothing else ([`report_page`],
//! [`model_page`], [`navigation_page`], [`inference_page`], [`outlined_page`]), and pieces of pages
//! that the studio shows too ([`class_graph`], [`histogram`], [`number`]). Everything that came
//! from a site is escaped, by `maud`, and no page loads anything.
//!
//! As the library, it is pure: values in, values out.
//!
//! ```
//! use untemplate_report::{ReportPage, report_page};
//! let html = report_page(&ReportPage { title: "Players & teams".to_owned(), ..ReportPage::default() });
//! assert!(html.contains("<title>Players &amp; teams</title>"));
//! ```

mod document;
mod histogram;
mod inference;
mod job;
mod model;
mod navigation;
mod outlined_page;
mod text;

pub use histogram::{Bar, histogram};
pub use inference::inference_page;
pub use job::{ClassSection, Cost, OmittedSection, ReportPage, TableSection, report_page};
pub use model::{class_graph, class_targets, model_page};
pub use navigation::navigation_page;
pub use outlined_page::outlined_page;
pub use text::{counted, cut, number, percent, push_escaped, shown_value};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
