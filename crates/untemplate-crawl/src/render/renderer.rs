//! A browser that renders what it is given, started when it is needed and again when a page broke
//! it.

use std::collections::HashMap;

use untemplate::page::{Method, Page, ParseOptions, Problem, Request, Response};
use url::Url;

use super::beside::{Answer, Beside};
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

    /// A fetched page as it is to be taken: rendered where that is wanted and can be done, else as
    /// it was fetched, with a problem that says why. `answer` is asked for what its scripts want;
    /// `None` when it said stop.
    pub fn shown(&mut self, fetched: Response, answer: &mut dyn FnMut(&Request) -> Beside) -> Option<Response> {
        let page = (self.mode == RenderMode::Auto).then(|| parse(&fetched, false));
        let worth = page.as_ref().map_or(Worth::Render, |page| self.choice.worth(page));
        if worth == Worth::Leave {
            return Some(fetched);
        }
        match self.try_render(&fetched, answer) {
            Ok(rendered) => {
                if let (Worth::Compare, Some(page)) = (worth, page) {
                    let is_richer = is_richer(&page, &parse(&rendered, true));
                    self.choice.compare(&fetched.url, is_richer);
                }
                Some(rendered)
            }
            Err(RenderError::Stopped) => None,
            // A page that could not be rendered tells nothing about what rendering would add.
            Err(error) => {
                if error.breaks_browser() {
                    self.browser = None;
                }
                Some(not_rendered(fetched, &error.to_string()))
            }
        }
    }

    fn try_render(&mut self, fetched: &Response, answer: &mut Answer<'_>) -> Result<Response, RenderError> {
        let browser = match &mut self.browser {
            Some(browser) => browser,
            None => self.browser.insert(Browser::start(&self.browser_options)?),
        };
        let (scripts, script_bytes) = (&mut self.scripts, &mut self.script_bytes);
        let mut answer = |request: &Request| {
            if let Some(script) = scripts.get(&request.url).filter(|_| request.method == Method::Get) {
                return Beside::given(script.clone());
            }
            let response = match answer(request) {
                Beside::Given(response) => response,
                other => return other,
            };
            let size = response.body.len();
            if request.method == Method::Get && is_script(&response) && *script_bytes + size <= SCRIPT_BYTES_MAX {
                *script_bytes += size;
                // What it cost was counted with the page that wanted it first.
                let free = Response {
                    redirects: 0,
                    ..(*response).clone()
                };
                scripts.insert(request.url.clone(), free);
            }
            Beside::Given(response)
        };
        render(browser, fetched, &self.limits, &mut answer)
    }
}

/// A page as it was fetched, with a problem that says why it is not rendered.
pub(crate) fn not_rendered(mut fetched: Response, why: &str) -> Response {
    let problem = Problem::new("not-rendered", format!("{why}; taken as it was fetched"));
    fetched.problems.push(problem);
    fetched
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
