//! untemplate returns web sites as the databases they were made from.
//!
//! A large web site is a database poured through templates. This library takes pages and returns
//! data, without selectors written by hand, without labels, without a language model. It is pure:
//! values in, values out. It never fetches, reads, writes, prints, sleeps or asks the time; the
//! crates around it do, and hand it pages through [`page::Site`].
//!
//! Its folders are the stages of the walk; each uses only those before it:
//!
//! 1. [`page`]: bytes to pages: tree, tag paths, links, page schema, tokens.
//! 2. [`content`]: a page to what a reader sees on it: lines, sections, pairs, grids, lists.
//! 3. [`rule`]: picking nodes on a page: paths, extraction rules, assertions.
//! 4. [`record`]: one list page to records: regions, divisions, columns.
//! 5. [`site`]: pages to what a site is made of: what was visited, and where it leads.
//! 6. [`wrapper`]: pages of a class to a wrapper, and pages to records by it.
//! 7. [`teach`]: examples and answers to rules.
//! 8. [`table`]: records to typed, named, related tables.
//! 9. [`job`]: the stages in a row: a site to its database.
//!
//! Four jobs need no stage by name. A site is anything that answers requests: here a `HashMap`,
//! elsewhere `SourceSite` of `untemplate-store` over mirrors, WARC files and the live web.
//!
//! [`rebuild`]: an entry page to the database that the site was made from.
//!
//! ```
//! use std::collections::HashMap;
//! use untemplate::job::JobOptions;
//! let mut site = HashMap::new();
//! let mut list = String::new();
//! for (name, born) in [("Ada", 1815), ("Bo", 1905), ("Cleo", 1969), ("Dan", 1940)] {
//!     let page = format!("<title>{name}</title><h1>{name}</h1><dl><dt>Born<dd>{born}</dl>");
//!     site.insert(format!("http://cup.example/player/{name}"), page);
//!     list.push_str(&format!("<li><a href=/player/{name}>{name}</a>"));
//! }
//! site.insert("http://cup.example/".to_owned(), format!("<h1>Players</h1><ul>{list}</ul>"));
//! let entry = "http://cup.example/".parse()?;
//! let rebuilt = untemplate::rebuild(&mut site, &entry, &JobOptions::default())?;
//! let table = rebuilt.database.tables.iter().position(|table| table.name == "player").expect("players have a table");
//! let born = rebuilt.database.tables[table].columns.iter().position(|column| column.name == "born").expect("a column");
//! assert_eq!(rebuilt.rows[table][0][born].as_deref(), Some("1815"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`gather`]: one sample page to all pages made by the same template.
//!
//! ```
//! use std::collections::HashMap;
//! use untemplate::site::GatherOptions;
//! let mut site = HashMap::new();
//! let mut list = String::new();
//! for number in 1..9 {
//!     let page = format!("<h1>Lamp {number}</h1><p class=price>{number}9 EUR</p><a href=/>All lamps</a>");
//!     site.insert(format!("http://lamps.example/lamp/{number}"), page);
//!     list.push_str(&format!("<li><a href=/lamp/{number}>Lamp {number}</a>"));
//! }
//! site.insert("http://lamps.example/".to_owned(), format!("<h1>Lamps</h1><ul>{list}</ul>"));
//! let sample = "http://lamps.example/lamp/1".parse()?;
//! let gathered = untemplate::gather(&mut site, &sample, &GatherOptions::default())?;
//! assert_eq!(gathered.pages.len(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`records`]: a page with a list to a typed table.
//!
//! ```
//! use std::collections::HashMap;
//! use untemplate::record::RecordOptions;
//! use untemplate::table::ColumnKind;
//! let rows: String = [("Rovers", "1904"), ("Athletic", "1956"), ("United", "1902")]
//!     .map(|(team, year)| format!("<tr><td>{team}<td>{year}")).concat();
//! let html = format!("<table><tr><th>Team<th>Founded{rows}</table>");
//! let mut site = HashMap::from([("http://cup.example/teams".to_owned(), html)]);
//! let page = "http://cup.example/teams".parse()?;
//! let (table, rows) = untemplate::records(&mut site, &page, &RecordOptions::default(), 1)?;
//! assert_eq!((table.columns[2].name.as_str(), table.columns[2].kind), ("Founded", ColumnKind::Integer));
//! assert_eq!(rows[1][1].as_deref(), Some("Athletic"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`learn`]: pages and examples to rules that read every page of their class.
//!
//! ```
//! use std::collections::HashMap;
//! use untemplate::page::visit_page;
//! use untemplate::teach::{Example, SamplePage, TaughtRecord};
//! let address = |born: u32| format!("http://cup.example/{born}");
//! let page = |born: u32| format!("<dl><dt>Born<dd>{born}<dt>Team<dd>Rovers</dl>");
//! let mut site: HashMap<String, String> = [1815, 1905, 1969].map(|born| (address(born), page(born))).into();
//! let mut visit = |born| visit_page(&mut site, &address(born).parse().expect("a good address"));
//! let sample = vec![SamplePage::new("first", visit(1815)?), SamplePage::new("second", visit(1905)?)];
//! let example = Example { field: "born".to_owned(), page: 0, value: "1815".into() };
//! let mut answer = |question: &untemplate::teach::Question| Some(vec![["1815", "1905"][question.page].to_owned()]);
//! let specification = untemplate::learn("PLAYER", sample, &[example], &mut answer)?;
//! let record = TaughtRecord::read(&specification.classes[0], &*visit(1969)?);
//! assert_eq!(record.fields[0].1[0].text, "1969");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod content;
pub mod job;
pub mod page;
pub mod record;
pub mod rule;
pub mod site;
pub mod statistics;
pub mod table;
pub mod teach;
mod tuning;
pub mod wrapper;

pub use job::{gather, rebuild, records};
pub use teach::learn;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
