//! Stage 1, `page`: bytes to pages.
//!
//! In: what a page source answered. Out: a [`Page`]: its tree ([`Dom`], by the crate
//! `untemplate-html`), and as passes over that its links, [`LinkCollection`]s and [`PageSchema`],
//! the [`PathInterner`]'s tag paths, and the [`TokenInterner`]'s stream for wrapper inference. A
//! page is parsed once; every view is a walk over the arena. Anything that is odd becomes a
//! [`Problem`] beside the page: no bytes make this stage fail.
//!
//! The seam to the outside, [`Site`], is here too, since every later stage asks it for pages.
//!
//! ```
//! use untemplate::page::{Alphabet, Page, PageSchema, ParseOptions, PathInterner, Response};
//! let url = "http://team.example/".parse().expect("a good address");
//! let html = "<ul><li><a href=ada.html>Ada</a><li><a href=bo.html>Bo</a></ul>";
//! let page = Page::read(&Response::html(url, html), &ParseOptions::default());
//! let mut interner = PathInterner::new(Alphabet::Tag);
//! let schema = PageSchema::of(&page, &mut interner);
//! assert_eq!(interner.text(schema.paths()[0]), "html/body/ul/li/a");
//! ```

mod address;
mod attribute_filter;
mod data;
mod document;
mod link;
mod page_token;
mod show;
mod site;
mod stable_hash;
pub(crate) mod table_layout;
mod tag_path;
mod url_pattern;
mod visibility;
mod xpath;

pub use address::{Bounds, SiteScope, may_be_page, normalise, resolve, same_site};
pub use attribute_filter::{AttributeFilter, AttributeMode};
pub use data::{DataItem, DataSyntax, DataValue, PageData, page_data, show_data};
pub use document::Page;
pub use link::{Link, LinkCollection, PageSchema, link_collections, links};
pub use page_token::{PageToken, PageTokenKind, TokenCode, TokenInterner, push_collapsed};
pub use show::{show_links, show_page, show_schema, show_tokens};
pub use site::{Event, Method, Phase, Request, Response, Site, Visit, VisitError, visit_page};
pub use stable_hash::{stable_hash, stable_hash_more};
pub use tag_path::{Alphabet, PathId, PathInterner};
pub use untemplate_html::{
    Decoded, Dom, Limits, Name, Names, Namespace, NodeId, NodeKind, ParseOptions, Problem, decode, parse_html,
};
pub use url_pattern::{UrlParts, UrlPattern, covering_regex};
pub(crate) use url_pattern::{is_number, is_word, runs_form, without_numbers, words};
pub(crate) use visibility::Visibility;
pub use xpath::{sibling_positions, xpath_of};

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod property_tests;
