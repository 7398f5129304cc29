//! An archive as a crawl uses it: the schedule and the pages in one.

use super::{Frontier, PageStore};

/// The schedule of a crawl and the pages that it kept.
pub trait Archive: Frontier + PageStore {}

impl<Both: Frontier + PageStore> Archive for Both {}
