//! Page sources: whatever answers a request with raw bytes.
//!
//! The live web, a mirror folder and WARC files all implement [`PageSource`], so that every verb
//! asks the same way.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use untemplate::page::{Page, ParseOptions, Request, Response};
use url::Url;

use crate::{StopReason, UnixMillis};

/// Answers requests with raw responses. It has no opinion on which page is worth a visit.
pub trait PageSource: Send {
    /// The answer, or `None` when the address is not this source's business.
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>>;

    /// The answers to several requests, in their order; a source that can asks for them at the same
    /// time.
    fn answers(&mut self, requests: &[Request]) -> Vec<Option<Result<Response, SourceError>>> {
        requests.iter().map(|request| self.answer(request)).collect()
    }

    /// The page that the last answer to a request was parsed to, where the source parsed it with
    /// these options while it fetched it: nobody needs to parse it again.
    fn parsed(&mut self, _request: &Request, _options: &ParseOptions) -> Option<Arc<Page>> {
        None
    }

    /// Shows the source a page that was made of one of its answers: a source that fetches learns
    /// which of its links may be followed.
    fn observe(&mut self, _page: &Page) {}

    /// Lets an address be asked for whatever links say of it: a person named it.
    fn permit(&mut self, _url: &Url) {}

    /// The sitemaps that the robots.txt of an address's host names, where the source has read it
    /// for itself.
    fn named_sitemaps(&mut self, _around: &Url) -> Option<Vec<String>> {
        None
    }

    /// When the page at an address was last fetched or checked, where the source knows.
    fn seen_at(&mut self, _url: &Url) -> Option<UnixMillis> {
        None
    }

    /// Why pages may be missing from it, as far as it is known before anything is asked.
    fn losses(&self) -> Vec<String> {
        Vec::new()
    }

    /// What it took so far, where the source counts itself and whoever asks need not.
    fn counts(&self) -> Option<SourceCounts> {
        None
    }
}

/// What a source has counted itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Requests made, failures, redirects and robots.txt included.
    pub downloads: usize,
    /// Bytes of content they brought.
    pub bytes: usize,
    /// Distinct requests that were answered from an archive instead.
    pub reused: usize,
    /// Why no more requests are made, if so.
    pub stopped_because: Option<StopReason>,
}

/// The answer of the first source that has the page, or else of the first that stands for its
/// address.
pub fn first_answer(sources: &mut [Box<dyn PageSource>], request: &Request) -> Option<Result<Response, SourceError>> {
    let mut answers = sources.iter_mut().filter_map(|source| source.answer(request));
    let first = answers.next()?;
    let is_missing = |answer: &Result<Response, SourceError>| matches!(answer, Ok(response) if response.status == 404);
    let better = if is_missing(&first) {
        answers.find(|answer| !is_missing(answer))
    } else {
        None
    };
    Some(better.unwrap_or(first))
}

/// Why a source that is responsible for an address could not answer.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file on disk could not be read.
    #[error("cannot read {}: {cause}; check that it is there and that you may read it", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// What answers stands in a file, and cannot be used.
    #[error("{}: {what}; try another copy of the file", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it, and where.
        what: String,
    },
    /// A redirect leads back to where it came from.
    #[error(
        "{url} redirects in a loop: {}; look at it in a browser, it may want cookies or a login",
        chain(hops)
    )]
    RedirectLoop {
        /// The address that was asked for.
        url: Url,
        /// All addresses on the way; the last one was there before.
        hops: Vec<Url>,
    },
    /// A chain of redirects is too long.
    #[error("{url} redirects more than {limit} times; look at it in a browser and ask for where it ends")]
    RedirectsTooMany {
        /// The address that was asked for.
        url: Url,
        /// How many redirects are followed.
        limit: usize,
    },
    /// A redirect leads out of the web.
    #[error("{url} redirects to {target}, which is no http or https address; ask for another page of the site")]
    RedirectRefused {
        /// The address that was asked for.
        url: Url,
        /// Where the redirect leads, as the server wrote it.
        target: String,
    },
    /// The answer did not come in time.
    #[error("no complete answer from {url} within {limit:?}; try again later, or allow more time")]
    Timeout {
        /// The address that was asked for.
        url: Url,
        /// The time allowed.
        limit: Duration,
    },
    /// Robots or the scope of the crawl forbid it.
    #[error("{reason}")]
    Refused {
        /// Why, for a person.
        reason: String,
    },
    /// Only links that ask not to be followed lead there.
    #[error("{reason}")]
    NotFollowed {
        /// Why, for a person.
        reason: String,
    },
    /// A limit was reached, or somebody said stop.
    #[error("no more pages are fetched: a limit was reached, or the run was interrupted; the same command goes on")]
    Stopped,
    /// The page could not be fetched.
    #[error("{reason}")]
    Failed {
        /// Why, for a person.
        reason: String,
    },
    /// The connection failed.
    #[error("cannot fetch {url}: {reason}; {advice}")]
    Transport {
        /// The address that was asked for.
        url: Url,
        /// What happened.
        reason: Box<str>,
        /// What to try.
        advice: &'static str,
    },
}

fn chain(hops: &[Url]) -> String {
    let hops: Vec<&str> = hops.iter().map(Url::as_str).collect();
    hops.join(" -> ")
}
