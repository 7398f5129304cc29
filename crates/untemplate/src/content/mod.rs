//! Stage 2, `content`: what a reader sees on a page, told once.
//!
//! In: a [`Page`](crate::page::Page). Out: its [`Content`], a tree of [`Block`]s: lines (runs of
//! text and inline elements, ended by block edges and `br`), sections under headings, label-value
//! pairs in all their spellings, grids with spans resolved, lists, pictures. Inline mark-up makes
//! no structure: `sub`, `i`, `a` and the like are part of their line, which keeps where its links
//! lead.
//!
//! Behind them stands what the page says for programs alone (JSON-LD and the like), as pairs.
//!
//! The stage looks at one page and knows nothing of others: whether `Rules` is a heading that all
//! pages of a class have, or `Note:` a label, is for the stage that compares pages. It is linear in
//! the page, and total: any page has a content.
//!
//! ```
//! use untemplate::content::{Content, show_content};
//! use untemplate::page::{Page, ParseOptions, Response};
//! let url = "http://chem.example/acetone.html".parse().expect("a good address");
//! let html = "<h1>Acetone</h1><ul><li>Formula: C<sub>3</sub>H<sub>6</sub>O</ul>";
//! let page = Page::read(&Response::html(url, html), &ParseOptions::default());
//! let content = Content::of(&page);
//! assert!(show_content(&content).contains("Formula: C3H6O"));
//! ```

mod block;
mod build;
mod bytes;
mod data;
mod draft;
mod grid;
mod header_row;
mod label;
mod line;
mod numbering;
mod page_ways;
mod retain;
mod section;
mod show;

pub use block::{Block, BlockId, BlockKind, Content, Mark, MarkKind};
pub use label::{Cut, label_cut};
pub use numbering::unnumbered;
pub use show::show_content;

#[cfg(test)]
mod tests;
