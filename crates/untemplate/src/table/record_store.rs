//! Shelves: where the contents of pages wait until all pages of a class were seen.

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
pub enum RecordStoreError {
    /// The record store cannot be used.
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

impl RecordStoreError {
    /// What was kept of a page is not what was put away.
    pub fn damaged(url: &Url) -> Self {
        Self::Unusable {
            what: format!("what was kept of {url} cannot be read back; check the disk and start again"),
            source: None,
        }
    }
}

/// Takes the bytes of a page.
pub type TakeBytes<'a> = dyn FnMut(&Url, &[u8]) -> Result<(), RecordStoreError> + 'a;

/// A place for what pages say, as bytes. Who keeps them, and whether in memory or on a disk, is not
/// the business of this library.
pub trait RecordStore {
    /// Puts away what a page says; what was there of the same page and class is replaced.
    fn put(&mut self, page_class: usize, url: &Url, bytes: &[u8]) -> Result<(), RecordStoreError>;

    /// Hands out all pages of a class, ordered by address.
    fn each(&mut self, page_class: usize, take: &mut TakeBytes<'_>) -> Result<(), RecordStoreError>;
}

/// Pages by class and address, for tests and small sites.
impl RecordStore for std::collections::BTreeMap<(usize, Url), Vec<u8>> {
    fn put(&mut self, page_class: usize, url: &Url, bytes: &[u8]) -> Result<(), RecordStoreError> {
        self.insert((page_class, url.clone()), bytes.to_vec());
        Ok(())
    }

    fn each(&mut self, page_class: usize, take: &mut TakeBytes<'_>) -> Result<(), RecordStoreError> {
        let own = self.iter().filter(|((class, _), _)| *class == page_class);
        own.map(|((_, url), bytes)| (url, bytes))
            .try_for_each(|(url, bytes)| take(url, bytes))
    }
}
