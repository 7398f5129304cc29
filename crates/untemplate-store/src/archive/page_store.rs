//! The page store: every answer that a crawl kept, with its body.
//!
//! Answers are numbered in the order in which they were stored, so that whoever walks over them by
//! number misses none while the crawl goes on, and holds only a handful at a time.

use untemplate::page::{Problem, Request, Response};
use url::Url;

use super::{ArchiveError, ContentHash, RequestId, UnixMillis, Validators};

/// Reads stored pages. Redirects are pages like all others: to follow them is the caller's
/// business.
pub trait PageStore: Send {
    /// The stored page of a request, the newest if it was fetched more than once.
    fn page(&mut self, request: &Request) -> Result<Option<StoredPage>, ArchiveError>;

    /// The next pages after this number, in the order of their numbers: the newest page of every
    /// request.
    fn pages_after(&mut self, after: PageId, pages_max: usize) -> Result<Vec<StoredPage>, ArchiveError>;

    /// The next answers after this number: also pages that were replaced later, and each "not
    /// modified".
    fn captures_after(&mut self, after: PageId, captures_max: usize) -> Result<Vec<StoredPage>, ArchiveError>;

    /// All answers to a request, in the order of their numbers.
    fn captures_of(&mut self, request: &Request) -> Result<Vec<StoredPage>, ArchiveError>;

    /// The answer of this number.
    fn capture(&mut self, page: PageId) -> Result<StoredPage, ArchiveError>;

    /// The content of a page, as it was given to the archive.
    fn body(&mut self, page: PageId) -> Result<Vec<u8>, ArchiveError>;
}

/// The number of a stored answer. They begin at 1, and grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub i64);

impl PageId {
    /// Before all pages.
    pub const START: Self = Self(0);
}

/// An answer to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// The HTTP status.
    pub status: u16,
    /// The HTTP headers as they were sent, in their order.
    pub headers: Vec<(String, String)>,
    /// The content, with transfer and content encodings undone.
    pub body: Vec<u8>,
    /// Where it redirects to.
    pub redirect: Option<Url>,
    /// When it was fetched.
    pub fetched_at: UnixMillis,
    /// What was odd about it.
    pub problems: Vec<Problem>,
}

/// A stored answer, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPage {
    /// Its number.
    pub id: PageId,
    /// The number of its request.
    pub request_id: RequestId,
    /// What was asked.
    pub request: Request,
    /// How many links the request is away from where the crawl began.
    pub depth: u32,
    /// The page whose link led to the request first.
    pub found_on: Option<Url>,
    /// The HTTP status.
    pub status: u16,
    /// The HTTP headers as they were sent, in their order.
    pub headers: Vec<(String, String)>,
    /// Where it redirects to.
    pub redirect: Option<Url>,
    /// When it was fetched.
    pub fetched_at: UnixMillis,
    /// When the server last said that it is still right; the time of the fetch if it was never
    /// asked again.
    pub checked_at: UnixMillis,
    /// How many bytes the body has.
    pub body_length: u64,
    /// The hash of the body; `None` when it is empty.
    pub content_hash: Option<ContentHash>,
    /// An earlier answer with the same body.
    pub alias_of: Option<PageId>,
    /// This answer says "not modified", and the body is that of this page.
    pub unmodified: Option<PageId>,
    /// What was odd about it when it was stored.
    pub problems: Vec<Problem>,
}

impl StoredPage {
    /// The value of the first header of this name, in whatever case it is written.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// The value of the first header of this name.
fn header<'headers>(headers: &'headers [(String, String)], name: &str) -> Option<&'headers str> {
    let named = headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    named.map(|(_, value)| value.as_str())
}

/// What to send along when a page with these headers is asked for again.
pub(super) fn validators(headers: &[(String, String)]) -> Option<Validators> {
    let validators = Validators {
        etag: header(headers, "ETag").map(str::to_owned),
        last_modified: header(headers, "Last-Modified").map(str::to_owned),
    };
    (validators != Validators::default()).then_some(validators)
}

/// A stored page as a page source would answer with it.
pub fn stored_response(store: &mut dyn PageStore, page: &StoredPage) -> Result<Response, ArchiveError> {
    Ok(Response {
        url: page.request.url.clone(),
        status: page.status,
        content_type: page.header("Content-Type").map(str::to_owned),
        body: store.body(page.id)?,
        redirects: 0,
        problems: page.problems.clone(),
    })
}

/// Pages that are read ahead while walking over all of them.
const PAGES_AHEAD: usize = 100;

/// Shows the newest page of every request, in the order of their numbers, a few at a time in
/// memory.
pub fn visit_pages(
    store: &mut dyn PageStore,
    visit: &mut dyn FnMut(&mut dyn PageStore, StoredPage) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let mut after = PageId::START;
    loop {
        let pages = store.pages_after(after, PAGES_AHEAD)?;
        let Some(last) = pages.last() else { return Ok(()) };
        after = last.id;
        for page in pages {
            visit(store, page)?;
        }
    }
}

/// Shows every answer, also those that were replaced later, in the order of their numbers.
pub fn visit_captures(
    store: &mut dyn PageStore,
    visit: &mut dyn FnMut(&mut dyn PageStore, StoredPage) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let mut after = PageId::START;
    loop {
        let captures = store.captures_after(after, PAGES_AHEAD)?;
        let Some(last) = captures.last() else { return Ok(()) };
        after = last.id;
        for capture in captures {
            visit(store, capture)?;
        }
    }
}
