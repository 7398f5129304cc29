//! One page in one tab: its requests answered, its timers run out, its tree read.
//!
//! Each page gets a browser context of its own, so that no page sees what another stored. The tab
//! lives on virtual time: the clock stands while an answer is awaited and jumps where a page only
//! waits, so five seconds of timers cost milliseconds. What a page may cost is bounded: requests,
//! hops to other documents, bytes of the result, and real time without that of the source.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use untemplate::page::{Problem, Request, Response};

use super::beside::{Answer, Beside};
use super::browser::Browser;
use super::error::RenderError;
use super::pipe::{Deadline, Event, Pipe};
use super::request::{Asked, Treatment, document_fulfilment, fulfilment, stand_in};
use super::tree::{READ_TREE, cut};

/// What rendering one page may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderLimits {
    /// Real time that the browser may take, without that of the page source.
    pub time: Duration,
    /// Time that passes for the page's own timers.
    pub virtual_time: Duration,
    /// Requests that the page source answers for it.
    pub requests_max: usize,
    /// How often the page may send the browser to another one in its place.
    pub hops_max: usize,
    /// Bytes of the rendered page; the rest is cut off.
    pub bytes_max: usize,
}

impl Default for RenderLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(20),
            virtual_time: Duration::from_secs(5),
            requests_max: 100,
            hops_max: 5,
            bytes_max: 32 << 20,
        }
    }
}

/// Renders a page that was fetched. `answer` is asked for what the page's scripts want; nobody else
/// is.
pub fn render(
    browser: &mut Browser,
    fetched: &Response,
    limits: &RenderLimits,
    answer: &mut Answer<'_>,
) -> Result<Response, RenderError> {
    let pipe = &mut browser.pipe;
    let context = text_of(
        &pipe.call("", "Target.createBrowserContext", json!({}), None)?,
        "browserContextId",
    );
    // What the browser is told of downloads does not hold for contexts that are made later.
    let deny = json!({ "behavior": "deny", "browserContextId": context });
    pipe.call("", "Browser.setDownloadBehavior", deny, None)?;
    let blank = json!({ "url": "about:blank", "browserContextId": context });
    let target = text_of(&pipe.call("", "Target.createTarget", blank, None)?, "targetId");
    let attach = json!({ "targetId": target, "flatten": true });
    let session = text_of(&pipe.call("", "Target.attachToTarget", attach, None)?, "sessionId");
    let mut tab = Tab {
        pipe,
        session,
        main_frame: target,
        limits: *limits,
        deadline: Deadline::within(limits.time),
        shown: fetched.clone(),
        n_documents: 0,
        n_requests: 0,
        n_beside: fetched.redirects,
        n_refused: 0,
        n_failed: 0,
        problems: Vec::new(),
    };
    let rendered = tab.render(answer);
    // A page that never ends keeps its process busy; closing the context ends it.
    browser.pipe.send(
        "",
        "Target.disposeBrowserContext",
        json!({ "browserContextId": context }),
    )?;
    rendered
}

/// A tab that renders one page.
struct Tab<'a> {
    pipe: &'a mut Pipe,
    session: String,
    main_frame: String,
    limits: RenderLimits,
    deadline: Deadline,
    /// The document in the tab: the page, or one that its scripts went on to.
    shown: Response,
    n_documents: usize,
    n_requests: usize,
    /// Requests beside the one for the page: a summary counts them.
    n_beside: usize,
    /// Requests over the limits.
    n_refused: usize,
    /// Requests that were refused or failed.
    n_failed: usize,
    problems: Vec<Problem>,
}

impl Tab<'_> {
    fn render(&mut self, answer: &mut Answer<'_>) -> Result<Response, RenderError> {
        self.call("Page.enable", json!({}))?;
        self.call("Network.enable", json!({}))?;
        self.call("Network.setBypassServiceWorker", json!({ "bypass": true }))?;
        self.call("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] }))?;
        let url = self.shown.url.as_str().to_owned();
        // The browser answers this only when the page has come, which waits for us.
        self.send("Page.navigate", json!({ "url": url }))?;
        loop {
            let event = self.pipe.event(&self.session, self.deadline)?;
            if self.handle(event, answer)? {
                break;
            }
        }
        self.read_tree()
    }

    /// Handles an event; true when the page's time has run out.
    fn handle(&mut self, event: Event, answer: &mut Answer<'_>) -> Result<bool, RenderError> {
        match event.method.as_str() {
            "Fetch.requestPaused" => self.give(&event.parameters, answer)?,
            "Page.javascriptDialogOpening" => {
                self.send("Page.handleJavaScriptDialog", json!({ "accept": false }))?;
            }
            "Emulation.virtualTimeBudgetExpired" => return Ok(true),
            "Inspector.targetCrashed" | "Inspector.detached" => return Err(RenderError::Gone),
            _ => {}
        }
        Ok(false)
    }

    fn give(&mut self, parameters: &Value, answer: &mut Answer<'_>) -> Result<(), RenderError> {
        let asked = Asked::read(parameters, &self.shown.url, &self.main_frame);
        let page = self.shown.url.clone();
        self.n_failed += usize::from(asked.treatment == Treatment::Unable);
        let given = match (asked.treatment, &asked.request) {
            (Treatment::Document, Some(request)) => self.document(request, answer)?,
            (Treatment::Source, Some(request)) => self.ask(request, answer)?,
            _ => None,
        };
        let fulfilment = match &given {
            Some(response) if asked.treatment == Treatment::Document => Some(document_fulfilment(&asked.id, response)),
            Some(response) => Some(fulfilment(&asked.id, response, &page)),
            None => stand_in(&asked.id, asked.treatment, &page),
        };
        match fulfilment {
            Some(fulfilment) => self.send("Fetch.fulfillRequest", fulfilment)?,
            None => self.refuse(&asked)?,
        }
        if asked.treatment == Treatment::Document && self.n_documents == 1 {
            self.run_time()?;
        }
        Ok(())
    }

    /// Lets a request fail. One for another document is aborted, so that the one before stays; else
    /// an error page took its place.
    fn refuse(&mut self, asked: &Asked) -> Result<(), RenderError> {
        let mut reason = "BlockedByClient";
        if let (Treatment::Document, Some(request)) = (asked.treatment, &asked.request) {
            reason = "Aborted";
            let message = format!(
                "its scripts go on to {}, which is not answered; taken as it was before",
                request.url
            );
            self.problems.push(Problem::new("render-hop", message));
        }
        self.send(
            "Fetch.failRequest",
            json!({ "requestId": asked.id, "errorReason": reason }),
        )
    }

    /// The document for the tab: first the page itself, then whatever its scripts go on to.
    fn document(&mut self, request: &Request, answer: &mut Answer<'_>) -> Result<Option<Response>, RenderError> {
        self.n_documents += 1;
        if self.n_documents == 1 {
            return Ok(Some(self.shown.clone()));
        }
        if self.n_documents > self.limits.hops_max + 1 {
            self.n_refused += 1;
            return Ok(None);
        }
        let given = self.ask(request, answer)?;
        if let Some(document) = &given {
            self.shown = document.clone();
        }
        Ok(given)
    }

    /// Asks the source. The time it takes is not the page's.
    fn ask(&mut self, request: &Request, answer: &mut Answer<'_>) -> Result<Option<Response>, RenderError> {
        if self.n_requests == self.limits.requests_max {
            self.n_refused += 1;
            return Ok(None);
        }
        self.n_requests += 1;
        let began = Instant::now();
        let given = answer(request);
        self.deadline.put_off(began);
        self.n_beside += 1;
        match given {
            Beside::Given(response) => {
                self.n_beside += response.redirects;
                Ok(Some(*response))
            }
            Beside::Nobody => Ok(None),
            Beside::Failed => {
                self.n_failed += 1;
                Ok(None)
            }
            Beside::Stopped => Err(RenderError::Stopped),
        }
    }

    /// Lets the page's own clock run.
    fn run_time(&mut self) -> Result<(), RenderError> {
        let policy = json!({
            "policy": "pauseIfNetworkFetchesPending",
            "budget": self.limits.virtual_time.as_millis() as u64,
            "maxVirtualTimeTaskStarvationCount": 10_000,
        });
        self.send("Emulation.setVirtualTimePolicy", policy)
    }

    fn read_tree(&mut self) -> Result<Response, RenderError> {
        let expression = format!(
            "({READ_TREE})({}, {})",
            json!(self.shown.url.as_str()),
            self.limits.bytes_max
        );
        let world = json!({ "frameId": self.main_frame });
        let world = self.call("Page.createIsolatedWorld", world)?["executionContextId"].take();
        let evaluate = json!({ "expression": expression, "returnByValue": true, "contextId": world });
        let tree = self.call("Runtime.evaluate", evaluate)?["result"]["value"].take();
        let Value::String(mut html) = tree else {
            let reason = "the page's own scripts keep it from being read".to_owned();
            let method = "Runtime.evaluate";
            return Err(RenderError::Refused { method, reason });
        };
        let limit = self.limits.bytes_max;
        let cut_message = cut(&mut html, limit)
            .then(|| format!("the rendered page is longer than {limit} bytes; the rest is cut off"));
        let over = (self.n_refused > 0).then(|| {
            let n = self.n_refused;
            format!("{n} requests of its scripts were over the limits for one page")
        });
        let failed =
            (self.n_failed > 0).then(|| format!("{} requests of its scripts were refused or failed", self.n_failed));
        let kinds = [
            ("page-cut", cut_message),
            ("render-limits", over),
            ("render-requests", failed),
        ];
        let mut problems = self.shown.problems.clone();
        problems.append(&mut self.problems);
        problems.extend(
            kinds
                .into_iter()
                .filter_map(|(kind, message)| Some(Problem::new(kind, message?))),
        );
        Ok(Response {
            content_type: Some("text/html; charset=utf-8".to_owned()),
            body: html.into_bytes(),
            redirects: self.n_beside,
            problems,
            ..self.shown.clone()
        })
    }

    fn call(&mut self, method: &'static str, parameters: Value) -> Result<Value, RenderError> {
        self.pipe.call(&self.session, method, parameters, Some(self.deadline))
    }

    fn send(&mut self, method: &str, parameters: Value) -> Result<(), RenderError> {
        self.pipe.send(&self.session, method, parameters).map(|_| ())
    }
}

fn text_of(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or("").to_owned()
}
