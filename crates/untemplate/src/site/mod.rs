//! Stage 5, `site`: pages to what a site is made of.
//!
//! In: a [`Site`](crate::page::Site) to ask for pages. Both algorithms over sites stand on one
//! substrate: the [`AddressBook`] gives addresses numbers, [`SitePaths`] gives tag paths that leave
//! out what one page alone has, and [`Explored`] is what was visited so far, as facts. What
//! addresses have in common, [`UrlParts`](crate::page::UrlParts) and
//! [`UrlPattern`](crate::page::UrlPattern) say.
//!
//! On it stands [`gather()`]: from one sample page to every page like it.

mod address_book;
mod explored;
mod gather;
mod label;
mod likeness;
pub(crate) mod map_site;
pub mod model;
mod site_paths;
mod template_tree;
mod visited_page;

pub use address_book::{AddressBook, AddressId, is_media};
pub use explored::{ExploreOptions, Explored, Reached};
pub use gather::{GatherOptions, GatherTuning, Gathered, GatheredPage, Lead, explain, gather};
pub use likeness::{Likeness, joint_likeness};
pub use map_site::MapSite;
pub use site_paths::{PagePaths, SitePaths, keep_values};
pub use template_tree::TemplateTuning;
pub use visited_page::{Form, FormId, LinksAt, PageId, SchemaId, VisitedPage, content_hash};
