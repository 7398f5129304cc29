//! Navigation: how one gets from page to page, learnt from links and forms that a person showed
//! (paper 002 §4 and §5).
//!
//! In: entry addresses, [`Navigation`]s, a [`Site`](crate::page::Site) to try them on, a
//! [`Teacher`] to ask. Out: request classes, and a sample of pages for each page class, from which
//! assertions and fields are learnt.
//!
//! Level by level, as the site will be crawled (`tour.rs`): the links that were shown are
//! generalised on the pages of their class (`link_choice.rs`), some of those that each hypothesis
//! would follow are visited, spread over parents and kinds of addresses (`stratum.rs`), and
//! compared with the page that the shown link leads to (`same_class.rs`). Forms are sent a few
//! times (`by_form.rs`). Where several hypotheses are still likely, a person is asked, one address
//! at a time. Where the pages are fixed beforehand, nothing is visited (`resolve.rs`).

mod by_form;
mod by_links;
mod form_choice;
mod link_choice;
mod path;
mod resolve;
mod same_class;
mod shown;
mod stratum;
mod tour;

pub use shown::{
    LearnOptions, LinkQuestion, Means, NamedExample, Navigation, NavigationError, Origin, ShownSite, Teacher,
};

pub(super) use path::paths_to;
pub(super) use resolve::request_class;
pub(super) use shown::LearntNavigation;
pub(super) use tour::learn_navigation;

#[cfg(test)]
mod tests;
