//! Ways: how one gets from page to page, learnt from links and forms that a person showed (paper 002 §4 and §5).
//!
//! In: entry addresses, [`ShownWay`]s, a [`Site`](crate::page::Site) to try them on, a [`Guide`] to ask. Out: [`LearntWays`]: request classes, paths from the entry to the
//! target, and a sample of pages for each page class, from which assertions and fields are learnt.
//!
//! Level by level, as the site will be crawled (`tour.rs`): the links of a way are generalised on the pages of its class (`link_choice.rs`), some of those that each
//! reading would follow are visited, spread over parents and kinds of addresses (`stratum.rs`), and held against the page that the shown link leads to
//! (`kinship.rs`). Forms are sent a few times (`by_form.rs`). What speaks for several readings still is asked, one address at a time.

mod by_form;
mod by_links;
mod form_choice;
mod kinship;
mod link_choice;
mod path;
mod shown;
mod stratum;
mod tour;

pub use shown::{
    Guide, LearntClass, LearntWays, LinkQuestion, Origin, ShownMeans, ShownSite, ShownWay, WayError, WayOptions,
};
pub use tour::learn_ways;

pub(super) use path::{PathPart, paths_between};

#[cfg(test)]
mod tests;
