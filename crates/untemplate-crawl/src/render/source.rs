//! A page source whose pages are rendered.

use untemplate::page::{Page, Request, Response};
use untemplate_store::{PageSource, SourceCounts, SourceError, first_answer};
use url::Url;

use super::beside::Beside;
use super::renderer::Renderer;

/// Sources, and a browser that shows what they answer.
pub struct RenderedSource {
    /// Who answers for pages, and for what their scripts want.
    pub sources: Vec<Box<dyn PageSource>>,
    /// Who renders them.
    pub renderer: Renderer,
}

impl PageSource for RenderedSource {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        self.answers(std::slice::from_ref(request)).pop()?
    }

    /// Pages are fetched together, as the sources can, and rendered one after the other.
    fn answers(&mut self, requests: &[Request]) -> Vec<Option<Result<Response, SourceError>>> {
        let sources = &mut self.sources;
        let fetched: Vec<_> = match sources.as_mut_slice() {
            [only] => only.answers(requests),
            several => requests.iter().map(|request| first_answer(several, request)).collect(),
        };
        let mut answer = |request: &Request| match first_answer(sources, request) {
            Some(Ok(response)) => Beside::given(response),
            Some(Err(SourceError::Stopped)) => Beside::Stopped,
            Some(Err(_)) => Beside::Failed,
            None => Beside::Nobody,
        };
        let mut is_stopped = false;
        let mut shown = |response: Response| {
            if response.status >= 400 || !response.is_html() {
                return Ok(response);
            }
            let shown = (!is_stopped)
                .then(|| self.renderer.shown(response, &mut answer))
                .flatten();
            // Pages without what their scripts want are not what was asked for.
            is_stopped |= shown.is_none();
            shown.ok_or(SourceError::Stopped)
        };
        fetched
            .into_iter()
            .map(|answer| answer.map(|result| result.and_then(&mut shown)))
            .collect()
    }

    fn observe(&mut self, page: &Page) {
        self.sources.iter_mut().for_each(|source| source.observe(page));
    }

    fn permit(&mut self, url: &Url) {
        self.sources.iter_mut().for_each(|source| source.permit(url));
    }

    fn losses(&self) -> Vec<String> {
        self.sources.iter().flat_map(|source| source.losses()).collect()
    }

    fn named_sitemaps(&mut self, around: &Url) -> Option<Vec<String>> {
        self.sources.iter_mut().find_map(|source| source.named_sitemaps(around))
    }

    fn counts(&self) -> Option<SourceCounts> {
        match self.sources.as_slice() {
            [only] => only.counts(),
            _ => None,
        }
    }
}
