//! Reading a page for its links, for the trap guard, and for whether it is a page at all.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use untemplate::page::{Page, Problem, Response};
use untemplate_store::SOFT_404;
use url::Url;

use super::follow_policy::page_links;
use super::options::CrawlOptions;
use crate::client::Answer;
use crate::directive::headers_allow_following;
use crate::soft_404::Probe;
use crate::trap::PageFacts;

/// Bodies up to this size are read where they were fetched: that takes less than a millisecond, and
/// a thread of their own would cost more than it brings.
const SMALL_BYTES_MAX: usize = 256 << 10;

/// What is to be known before a page is read.
pub(super) struct PageReader {
    /// The address that was asked for.
    pub(super) url: Url,
    pub(super) found_on: Option<Url>,
    pub(super) probe: Option<Arc<Probe>>,
    pub(super) options: Arc<CrawlOptions>,
    /// The page after its scripts ran, where it was rendered: what is stored is the page as
    /// fetched, what is read is this one.
    pub(super) shown: Option<Response>,
}

/// A page that was read.
pub(super) struct Read {
    pub(super) links: Vec<Url>,
    pub(super) facts: PageFacts,
    pub(super) soft_404: Option<Problem>,
    pub(super) body: Vec<u8>,
    /// The page itself, unless what is stored is not what was read.
    pub(super) page: Option<Arc<Page>>,
}

/// Reads a page; large ones away from the threads that fetch. An error says that the reader broke
/// down.
pub(super) async fn read_page(reading: PageReader, answer: Answer) -> Result<Read, String> {
    if answer.body.len() <= SMALL_BYTES_MAX {
        let read = catch_unwind(AssertUnwindSafe(|| read(&reading, answer)));
        return read.map_err(|_| "the reader of pages broke down".to_owned());
    }
    let read = tokio::task::spawn_blocking(move || read(&reading, answer)).await;
    read.map_err(|error| error.to_string())
}

fn read(reading: &PageReader, answer: Answer) -> Read {
    let options = &reading.options;
    let robots_tags: Vec<&str> = answer.header_values("x-robots-tag").collect();
    let may_follow = headers_allow_following(&robots_tags, &options.agent);
    let response = response_of(answer);
    let page = Page::read(reading.shown.as_ref().unwrap_or(&response), &options.parse);
    let probe = reading.probe.as_ref();
    let soft_404 = probe.and_then(|probe| probe.soft_404(&reading.url, &page));
    let links = match &soft_404 {
        // What a page that is none links to is what every page links to.
        Some(_) => Vec::new(),
        None => page_links(&page, may_follow, options).followed,
    };
    Read {
        links,
        facts: PageFacts::of(&page, &reading.url, reading.found_on.as_ref()),
        soft_404: soft_404.map(|reason| Problem::new(SOFT_404, reason)),
        body: response.body,
        page: reading.shown.is_none().then(|| Arc::new(page)),
    }
}

/// What the answer to a probe tells.
pub(super) fn read_probe(asked: &Url, answer: Answer, options: &CrawlOptions) -> Option<Probe> {
    let status = answer.status;
    let response = response_of(answer);
    let probe = catch_unwind(AssertUnwindSafe(|| {
        Probe::of(asked, status, &Page::read(&response, &options.parse))
    }));
    probe.ok()
}

fn response_of(answer: Answer) -> Response {
    let content_type = answer.header("content-type").map(str::to_owned);
    Response {
        content_type,
        problems: answer.problems,
        ..Response::html(answer.url, answer.body)
    }
}
