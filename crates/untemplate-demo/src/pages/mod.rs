//! The pages: for each route, what stands on it. One file for each kind of page.
//!
//! In: a [`Source`] (database and index) and a route. Out: a page's content, or none where a
//! list is not that long. Nothing is kept: a page is made when it is asked for.

pub mod article;
pub mod calendar;
pub mod contents;
pub mod game;
pub mod glossary;
pub mod home;
pub mod lists;
pub mod person;
pub mod search;
pub mod source;
pub mod stadium;
pub mod team;
pub mod wild;

pub use contents::content_of;
pub use source::Source;
