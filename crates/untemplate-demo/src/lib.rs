//! A data-intensive web site generated from a known database, for untemplate's demo and tests.
//!
//! untemplate turns a site back into its database. To show that, and to test it, one needs a site
//! whose database is known: this crate invents one, a football cup with players, teams, matches
//! and news, and pours it through templates. What untemplate rebuilds can then be compared with
//! the truth, row by row.
//!
//! The walk: [`database`] is generated from a size and a seed; [`route`] gives everything an
//! address; [`pages`] decides what stands on a page ([`content`]); [`skins`] dress it in one of
//! four ways; [`site`] answers requests. Then [`server`] serves the site on this machine, or
//! [`mirror`] writes it to disk with its [`truth`] and [`manifest`], or [`warc`] makes an archive
//! of it. [`verdict`] counts what of its [`facts`] is right in a rebuilt database.
//!
//! The site has what makes crawling hard: pagination of two kinds, forms by GET and POST, a
//! calendar without end, optional sections, nested lists, and two kinds of records (players and
//! coaches) behind one template. Same options, same bytes, on every machine and for ever.
//!
//! ```
//! use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};
//!
//! let site = DemoSite::new(DatabaseOptions { players: 60, seed: 1 }, Skin::Modern);
//! let path = site.paths().find(|path| path.starts_with("/players/") && path.ends_with("-17.html")).unwrap();
//! let page = site.answer("GET", &path, "");
//! assert_eq!(page.status, 200);
//! assert!(page.body.contains(&site.source.database.player(17).person.name()));
//!
//! let server = Server::start(site, ServerOptions { port: 0, delay_ms: 0 }).unwrap();
//! println!("The cup is on at {}", server.url());
//! ```

pub mod content;
pub mod database;
pub mod facts;
pub mod form;
pub mod language;
pub mod manifest;
pub mod mirror;
pub mod page_class;
pub mod pages;
pub mod route;
pub mod server;
pub mod site;
pub mod sitemap;
pub mod skins;
pub mod truth;
pub mod verdict;
pub mod warc;

pub use database::{Database, DatabaseOptions};
pub use mirror::{MirrorError, MirrorReport, write_mirror};
pub use page_class::PageClass;
pub use server::{Server, ServerError, ServerOptions};
pub use site::{DemoResponse, DemoSite};
pub use skins::Skin;
pub use verdict::{Verdict, judge};
pub use warc::warc_records;
