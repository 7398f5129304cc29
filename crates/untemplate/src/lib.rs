//! untemplate pours web sites back into the databases they were made from.
//!
//! A large web site is a database poured through templates. This library takes pages and returns data, without
//! selectors written by hand, without labels, without a language model. It is pure: values in, values out. It never fetches,
//! reads, writes, prints, sleeps or asks the time; the crates around it do, and hand it pages through
//! [`page::Site`].
//!
//! Its folders are the stages of the walk; each uses only those before it:
//!
//! 1. [`page`]: bytes to pages: tree, tag paths, links, page schema, tokens.
//! 2. [`rule`]: picking nodes on a page: paths, extraction rules, assertions.
//! 3. [`record`]: one list page to records: regions, divisions, columns.
//! 4. [`site`]: pages to what a site is made of: what was visited, and where it leads.
//! 5. [`wrapper`]: pages of a class to a wrapper, and pages to records by it.
//! 6. [`teach`]: examples and answers to rules.
//! 7. [`table`]: records to typed, named, related tables.
//! 8. [`job`]: the stages in a row: a site to its database.
//!
//! ```
//! use untemplate::page::{Alphabet, Page, ParseOptions, PathInterner, Response, show_links};
//! let url = "http://cup.example/".parse().expect("a good address");
//! let html = "<table><tr><td><a href=/final>Final</a><tr><td><a href=/semi>Semi-final</a></table>";
//! let page = Page::read(&Response::html(url, html), &ParseOptions::default());
//! let shown = show_links(&page, &mut PathInterner::new(Alphabet::Tag));
//! assert_eq!(shown, concat!(
//!     "2 html/body/table/tbody/tr/td/a\n",
//!     "  http://cup.example/final \"Final\"\n",
//!     "  http://cup.example/semi \"Semi-final\"\n",
//! ));
//! ```

pub mod content;
pub mod job;
pub mod page;
pub mod record;
pub mod rule;
pub mod site;
pub mod table;
pub mod teach;
pub mod wrapper;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
