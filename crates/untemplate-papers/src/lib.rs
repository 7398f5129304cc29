//! The algorithms of the papers that untemplate stands on, as the papers have them.
//!
//! The product's own ways, in the library [`untemplate`], began with these and measure better;
//! these are what `--faithful` runs, and what a change of the product is compared with. Each module
//! is one paper:
//!
//! - [`alvarez`]: the main list of one page (2007). Product: [`untemplate::record::find_records`].
//! - [`roadrunner`]: a wrapper from pages of one class (2001). Product:
//!   [`untemplate::wrapper::infer_template`].
//! - [`indesit`]: the pages like a sample (2004). Product: [`untemplate::site::gather()`].
//! - [`compute_model`]: the page classes of a site (2005). Product:
//!   [`untemplate::site::model::explore_model`].
//!
//! As the library, it is pure: values in, values out.
//!
//! ```
//! use untemplate::page::{Page, ParseOptions, Response};
//! use untemplate_papers::roadrunner::{ExpressionSet, SearchOptions};
//! let book = |title: &str| {
//!     let html = format!("<p>Title: <b>{title}</b></p>");
//!     Page::read(&Response::html("http://a.example/".parse().expect("a good address"), html), &ParseOptions::default())
//! };
//! let (one, two) = (book("Alpha"), book("Beta"));
//! let set = ExpressionSet::infer(&[&one, &two], &SearchOptions::default());
//! assert_eq!(set.extract(&book("Gamma")).record.text("title"), Some("Gamma"));
//! ```

pub mod alvarez;
pub mod compute_model;
pub mod indesit;
pub mod roadrunner;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
