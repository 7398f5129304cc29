//! Shelves: where records wait until it is known what their columns are.

use url::Url;

use crate::wrapper::Record;

/// What was read from one page.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPage {
    /// The number of its page class.
    pub page_class: usize,
    /// Its address.
    pub url: Url,
    /// The data; addresses in it are absolute.
    pub record: Record,
}

/// Why records could not be kept, read back or handed on.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// The shelf cannot be used.
    #[error("{what}")]
    Unusable {
        /// Where it is, and what to try.
        what: String,
        /// What the system said, where it said something.
        source: Option<std::io::Error>,
    },
    /// Whoever took the records could not go on.
    #[error(transparent)]
    Taker(Box<dyn std::error::Error + Send + Sync>),
}

/// A place for records. Who keeps them, and whether in memory or on a disk, is not the business of this library.
pub trait Shelf {
    /// Puts a page's record away; one of a page that is there already replaces it.
    fn put(&mut self, page: &ReadPage) -> Result<(), ShelfError>;

    /// Hands out all records of a class, ordered by address.
    fn each(
        &mut self,
        page_class: usize,
        take: &mut dyn FnMut(&ReadPage) -> Result<(), ShelfError>,
    ) -> Result<(), ShelfError>;
}

/// Records by page class and address, for tests and small sites.
impl Shelf for std::collections::BTreeMap<(usize, String), ReadPage> {
    fn put(&mut self, page: &ReadPage) -> Result<(), ShelfError> {
        self.insert((page.page_class, page.url.to_string()), page.clone());
        Ok(())
    }

    fn each(
        &mut self,
        page_class: usize,
        take: &mut dyn FnMut(&ReadPage) -> Result<(), ShelfError>,
    ) -> Result<(), ShelfError> {
        let first = (page_class, String::new());
        let own = self.range(first..).take_while(|((class, _), _)| *class == page_class);
        own.map(|(_, page)| page).try_for_each(take)
    }
}
