//! A browser that renders what it is given, started when it is needed and again when a page broke it.

use std::collections::HashMap;

use untemplate::page::{Method, Page, ParseOptions, Problem, Request, Response};
use url::Url;

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

/// Bytes of scripts that are kept, since the pages of a site share them.
const SCRIPT_BYTES_MAX: usize = 64 << 20;

/// Renders pages, one at a time.
#[derive(Debug)]
pub struct Renderer {
    browser: Option<Browser>,
    browser_options: BrowserOptions,
    limits: RenderLimits,
    mode: RenderMode,
    choice: RenderChoice,
    scripts: HashMap<Url, Response>,
    script_bytes: usize,
}

impl Renderer {
    /// Starts the browser. An error here means that no page can be rendered on this machine.
    pub fn start(mode: RenderMode, browser_options: BrowserOptions, limits: RenderLimits) -> Result<Self, RenderError> {
        let browser = Some(Browser::start(&browser_options)?);
        Ok(Self {
            browser,
            browser_options,
            limits,
            mode,
            choice: RenderChoice::default(),
            scripts: HashMap::new(),
            script_bytes: 0,
        })
    }

    /// A fetched page as it is to be taken: rendered where that is wanted and can be done, else as it was fetched, with a problem that says why.
    /// `answer` is asked for what its scripts want.
    pub fn shown(&mut self, fetched: Response, answer: &mut dyn FnMut(&Request) -> Option<Response>) -> Response {
        if self.mode == RenderMode::Always {
            return self.rendered(fetched, answer);
        }
        let page = parse(&fetched, false);
        let worth = self.choice.worth(&page);
        if worth == Worth::Leave {
            return fetched;
        }
        let asked = fetched.url.clone();
        let rendered = self.rendered(fetched, answer);
        if worth == Worth::Compare {
            self.choice.compare(&asked, is_richer(&page, &parse(&rendered, true)));
        }
        rendered
    }

    fn rendered(&mut self, mut fetched: Response, answer: &mut dyn FnMut(&Request) -> Option<Response>) -> Response {
        match self.try_render(&fetched, answer) {
            Ok(rendered) => rendered,
            Err(error) => {
                if error.breaks_browser() {
                    self.browser = None;
                }
                let problem = Problem::new("not-rendered", format!("{error}; taken as it was fetched"));
                fetched.problems.push(problem);
                fetched
            }
        }
    }

    fn try_render(
        &mut self,
        fetched: &Response,
        answer: &mut dyn FnMut(&Request) -> Option<Response>,
    ) -> Result<Response, RenderError> {
        let browser = match &mut self.browser {
            Some(browser) => browser,
            None => self.browser.insert(Browser::start(&self.browser_options)?),
        };
        let (scripts, script_bytes) = (&mut self.scripts, &mut self.script_bytes);
        let mut answer = |request: &Request| {
            if let Some(script) = scripts.get(&request.url) {
                return Some(script.clone());
            }
            let response = answer(request)?;
            let size = response.body.len();
            if request.method == Method::Get && is_script(&response) && *script_bytes + size <= SCRIPT_BYTES_MAX {
                *script_bytes += size;
                // What it cost was counted with the page that wanted it first.
                let free = Response {
                    redirects: 0,
                    ..response.clone()
                };
                scripts.insert(request.url.clone(), free);
            }
            Some(response)
        };
        render(browser, fetched, &self.limits, &mut answer)
    }
}

fn is_script(response: &Response) -> bool {
    let kind = response.content_type.as_deref().unwrap_or("");
    response.status == 200 && (kind.contains("javascript") || kind.contains("ecmascript"))
}

fn parse(response: &Response, scripting: bool) -> Page {
    let options = ParseOptions {
        scripting,
        ..ParseOptions::default()
    };
    Page::read(response, &options)
}
