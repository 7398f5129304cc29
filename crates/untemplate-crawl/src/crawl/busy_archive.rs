//! An archive that another process writes to: what it has can be read, and nothing is fetched.

use std::collections::HashSet;
use std::path::Path;

use untemplate::page::{Request, Response};
use untemplate_store::archive::{ArchiveError, ArchiveReader, PageStore, stored_response};
use untemplate_store::{RedirectTrail, SourceError, UnixMillis};
use url::Url;

/// An archive that another process writes to.
pub(super) struct BusyArchive {
    reader: ArchiveReader,
    /// That it is in use, as the lock says it.
    why: String,
    answered: HashSet<Request>,
}

impl BusyArchive {
    /// Opens the archive of a folder to read; `lock` is why it cannot be written to.
    pub fn open(folder: &Path, lock: &ArchiveError) -> Result<Self, ArchiveError> {
        Ok(Self {
            reader: ArchiveReader::open(folder)?,
            why: lock.to_string(),
            answered: HashSet::new(),
        })
    }

    /// The stored answer to a request, after redirects, and whether it is the first time that it is
    /// asked for.
    pub fn answer(
        &mut self,
        request: &Request,
        redirects_max: usize,
    ) -> Result<(Result<Response, SourceError>, bool), ArchiveError> {
        let mut trail = RedirectTrail::begin(request, redirects_max);
        loop {
            let Some(page) = self.reader.page(trail.current())? else {
                let reason = format!("{} is not in the archive yet, and {}", trail.current().url, self.why);
                return Ok((Err(SourceError::Failed { reason }), false));
            };
            match trail.follow(page.status, page.header("location")) {
                Ok(true) => {}
                Err(error) => return Ok((Err(error), false)),
                Ok(false) => {
                    let redirects = trail.redirects();
                    let response = stored_response(&mut self.reader, &page)?;
                    let is_first = self.answered.insert(request.clone());
                    return Ok((Ok(Response { redirects, ..response }), is_first));
                }
            }
        }
    }

    /// When a page was last seen to be as it is.
    pub fn seen_at(&mut self, url: &Url) -> Option<UnixMillis> {
        let page = self.reader.page(&Request::get(url.clone())).ok()??;
        Some(page.checked_at)
    }
}
