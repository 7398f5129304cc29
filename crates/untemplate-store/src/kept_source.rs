//! Page sources whose answers are kept in an archive: what is stored is answered from there, what
//! is not is asked of the sources and stored before anyone looks at it. Mirrors and WARC files are
//! kept this way when somebody wants it.

use std::collections::HashSet;

use untemplate::page::{Request, Response};

use crate::archive::{
    Archive, ArchiveError, ArchiveOptions, ArchivePlace, Fate, KeptPage, NewPage, NewRequest, StoredPage, UnixMillis,
    stored_response,
};
use crate::{PageSource, SourceCounts, SourceError};

/// Redirects between a request and its page that are kept: a source that follows more on its own is
/// asked again.
const HOPS_MAX: usize = 20;

/// Sources and the archive that keeps their answers.
pub struct KeptSource {
    archive: Box<dyn Archive>,
    sources: Vec<Box<dyn PageSource>>,
    now: fn() -> UnixMillis,
    /// Requests that were asked for in this run.
    asked: HashSet<Request>,
    counts: SourceCounts,
}

impl KeptSource {
    /// Keeps what these sources answer in an archive. It is told the time, which is none of its
    /// business.
    pub fn open(
        place: &ArchivePlace,
        sources: Vec<Box<dyn PageSource>>,
        now: fn() -> UnixMillis,
    ) -> Result<Self, ArchiveError> {
        let options = ArchiveOptions {
            host_delay_ms: 0,
            ..ArchiveOptions::default()
        };
        Ok(Self {
            archive: place.open(&options, now())?,
            sources,
            now,
            asked: HashSet::new(),
            counts: SourceCounts::default(),
        })
    }

    fn kept(&mut self, request: &Request) -> Result<Option<Response>, ArchiveError> {
        let mut request = request.clone();
        for _ in 0..=HOPS_MAX {
            if self.archive.fate(&request)? != Some(Fate::Done) {
                return Ok(None);
            }
            let Some(page) = self.archive.page(&request)? else {
                return Ok(None);
            };
            match page.redirect.clone().filter(|_| (300..400).contains(&page.status)) {
                Some(target) => request = Request::get(target),
                None => return self.response(&page).map(Some),
            }
        }
        Ok(None)
    }

    fn response(&mut self, page: &StoredPage) -> Result<Response, ArchiveError> {
        stored_response(&mut *self.archive, page)
    }

    /// Asks the sources in turn: the first that has the page counts.
    fn ask(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        let mut missing = None;
        for source in &mut self.sources {
            match source.answer(request) {
                None => {}
                Some(Ok(response)) if response.status == 404 => missing = missing.or(Some(Ok(response))),
                answer => return answer,
            }
        }
        missing
    }

    /// Stores an answer: the page under its own address, and the way from the request to it.
    fn keep(&mut self, request: &Request, response: &Response) -> Result<(), ArchiveError> {
        let fetched_at = (self.now)();
        let kept = |request: Request, page: NewPage| KeptPage {
            request: NewRequest {
                request,
                priority: 0.0,
                depth: 0,
                found_on: None,
            },
            page: Some(page),
            checked_at: fetched_at,
        };
        let content_type = response.content_type.iter();
        let page = NewPage {
            status: response.status,
            headers: content_type
                .map(|value| ("content-type".to_owned(), value.clone()))
                .collect(),
            body: response.body.clone(),
            redirect: None,
            fetched_at,
            problems: response.problems.clone(),
        };
        let mut own = request.clone();
        own.url.set_fragment(None);
        if own.url == response.url {
            return self.archive.keep(&[kept(own, page)], fetched_at).map(drop);
        }
        let way = NewPage {
            status: 302,
            headers: vec![("location".to_owned(), response.url.to_string())],
            body: Vec::new(),
            redirect: Some(response.url.clone()),
            fetched_at,
            problems: Vec::new(),
        };
        let pages = [kept(own, way), kept(Request::get(response.url.clone()), page)];
        self.archive.keep(&pages, fetched_at).map(drop)
    }

    fn answer_kept(&mut self, request: &Request) -> Result<Option<Result<Response, SourceError>>, ArchiveError> {
        let is_new = self.asked.insert(request.clone());
        if let Some(response) = self.kept(request)? {
            self.counts.reused += usize::from(is_new);
            return Ok(Some(Ok(response)));
        }
        let Some(answer) = self.ask(request) else {
            return Ok(None);
        };
        self.counts.downloads += 1;
        if let Ok(response) = &answer {
            self.counts.downloads += response.redirects;
            self.counts.bytes += response.body.len();
            self.keep(request, response)?;
        }
        Ok(Some(answer))
    }
}

impl PageSource for KeptSource {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        self.answer_kept(request).unwrap_or_else(|error| {
            Some(Err(SourceError::Failed {
                reason: error.to_string(),
            }))
        })
    }

    fn losses(&self) -> Vec<String> {
        self.sources.iter().flat_map(|source| source.losses()).collect()
    }

    fn counts(&self) -> Option<SourceCounts> {
        Some(self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mirror;

    fn told(source: &mut KeptSource, path: &str) -> String {
        let url = format!("http://m.example{path}").parse().expect("an address");
        match source.answer(&Request::get(url)) {
            None => "not asked".to_owned(),
            Some(Err(error)) => error.to_string(),
            Some(Ok(response)) => {
                let body = String::from_utf8_lossy(&response.body).into_owned();
                format!("{} {} {body}", response.status, response.url)
            }
        }
    }

    #[test]
    fn what_a_mirror_answered_is_answered_without_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (site, kept) = (folder.path().join("site"), folder.path().join("kept"));
        std::fs::create_dir_all(&site).expect("a folder");
        std::fs::write(site.join("index.html"), "<p>Hello").expect("a file");
        let open = || {
            let mirror = Mirror::open("http://m.example/", &site, 1 << 20).expect("a mirror");
            KeptSource::open(&ArchivePlace::from(kept.clone()), vec![Box::new(mirror)], || {
                UnixMillis(5)
            })
            .expect("an archive")
        };
        let asked = ["/", "/index.html", "/none", "/"];
        let mut first = open();
        let answers = asked.map(|path| told(&mut first, path));
        assert_eq!(answers[0], "200 http://m.example/index.html <p>Hello");
        assert!(answers[2].starts_with("404 "), "{}", answers[2]);
        let counts = first.counts().expect("it counts");
        assert_eq!((counts.downloads, counts.reused), (2, 1), "/index.html came with /");
        drop(first);
        std::fs::remove_file(site.join("index.html")).expect("it is there");
        let mut second = open();
        assert_eq!(asked.map(|path| told(&mut second, path)), answers);
        let counts = second.counts().expect("it counts");
        assert_eq!((counts.downloads, counts.reused), (0, 3));
    }
}
