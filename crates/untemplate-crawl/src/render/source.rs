//! A page source whose pages are rendered.

use untemplate::page::{Page, ParseOptions, Problem, Request, Response};
use untemplate_store::{PageSource, SourceCounts, SourceError, first_answer};

use super::browser::{Browser, BrowserOptions};
use super::choice::{RenderChoice, Worth, is_richer};
use super::error::RenderError;
use super::tab::{RenderLimits, render};

/// Which pages are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderMode {
    /// All of them.
    Always,
    /// Those of URL patterns where it adds something.
    Auto,
}

/// Sources, and a browser that shows what they answer. It starts with the first page that needs it, and again when a page broke it.
pub struct RenderedSource {
    sources: Vec<Box<dyn PageSource>>,
    browser: Option<Browser>,
    browser_options: BrowserOptions,
    limits: RenderLimits,
    mode: RenderMode,
    choice: RenderChoice,
}

impl RenderedSource {
    /// Renders what the sources answer. An error here means that no page can be rendered on this machine.
    pub fn new(
        sources: Vec<Box<dyn PageSource>>,
        mode: RenderMode,
        browser_options: BrowserOptions,
        limits: RenderLimits,
    ) -> Result<Self, RenderError> {
        let browser = Some(Browser::start(&browser_options)?);
        Ok(Self {
            sources,
            browser,
            browser_options,
            limits,
            mode,
            choice: RenderChoice::default(),
        })
    }

    fn shown(&mut self, fetched: Response) -> Response {
        let parse = |response: &Response, scripting| {
            let options = ParseOptions {
                scripting,
                ..ParseOptions::default()
            };
            Page::read(response, &options)
        };
        if self.mode == RenderMode::Always {
            return self.rendered(fetched);
        }
        let page = parse(&fetched, false);
        let worth = self.choice.worth(&page);
        if worth == Worth::Leave {
            return fetched;
        }
        let asked = fetched.url.clone();
        let rendered = self.rendered(fetched);
        if worth == Worth::Compare {
            self.choice.compare(&asked, is_richer(&page, &parse(&rendered, true)));
        }
        rendered
    }

    /// The page as the browser shows it, or as it was fetched with a problem that says why.
    fn rendered(&mut self, fetched: Response) -> Response {
        match self.try_render(&fetched) {
            Ok(rendered) => rendered,
            Err(error) => {
                if error.breaks_browser() {
                    self.browser = None;
                }
                let problem = Problem::new("not-rendered", format!("{error}; taken as it was fetched"));
                let mut fetched = fetched;
                fetched.problems.push(problem);
                fetched
            }
        }
    }

    fn try_render(&mut self, fetched: &Response) -> Result<Response, RenderError> {
        let browser = match &mut self.browser {
            Some(browser) => browser,
            None => self.browser.insert(Browser::start(&self.browser_options)?),
        };
        let sources = &mut self.sources;
        let mut answer = |request: &Request| first_answer(sources, request)?.ok();
        render(browser, fetched, &self.limits, &mut answer)
    }
}

impl PageSource for RenderedSource {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        self.answers(std::slice::from_ref(request)).pop()?
    }

    /// Pages are fetched together, as the sources can, and rendered one after the other.
    fn answers(&mut self, requests: &[Request]) -> Vec<Option<Result<Response, SourceError>>> {
        let fetched: Vec<_> = match self.sources.as_mut_slice() {
            [only] => only.answers(requests),
            several => requests.iter().map(|request| first_answer(several, request)).collect(),
        };
        let mut shown = |response: Response| match response.status < 400 && response.is_html() {
            true => self.shown(response),
            false => response,
        };
        fetched
            .into_iter()
            .map(|answer| answer.map(|result| result.map(&mut shown)))
            .collect()
    }

    fn counts(&self) -> Option<SourceCounts> {
        match self.sources.as_slice() {
            [only] => only.counts(),
            _ => None,
        }
    }
}
