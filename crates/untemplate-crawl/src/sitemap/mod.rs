//! Sitemaps: the addresses that a site itself says it has.
//!
//! In: a body and its address. Out: a [`Sitemap`] with entries, or with problems that say why there
//! are none. Sitemaps, sitemap indices, lists of addresses as plain text, RSS and Atom feeds; each
//! also in gzip. Who fetches them, and the sitemaps that an index names, is the crawl's business.

mod document;
mod read;
mod walk;

pub use read::{Sitemap, SitemapEntry, SitemapKind, SitemapLimits, read_sitemap};
pub use walk::{Listed, SitemapWalk, read_listed, sitemap_addresses};
