//! Rendering in a crawl: the browser works on a thread of its own, and what a page's scripts want
//! is asked for by the worker that has the page's host, with the same politeness as everything
//! else. Scripts of other hosts are not fetched: their turn is not ours to take.

use std::sync::{PoisonError, mpsc};

use tokio::sync::mpsc as channel;
use untemplate::page::{Request, Response};
use untemplate_store::archive::host_name;

use super::worker::Worker;
use crate::client::{Answer, ExchangeOptions};
use crate::render::{Beside, not_rendered};
use crate::robots::Permission;

/// A request of a page's scripts, and where its answer is awaited.
type Asked = (Request, mpsc::Sender<Beside>);

/// Says that the crawl stops, so that a page was not rendered.
pub(super) struct Stopped;

impl Worker {
    /// The page as the browser shows it; `None` where pages are taken as fetched.
    pub(super) async fn shown(&mut self, answer: &Answer) -> Result<Option<Response>, Stopped> {
        let Some(renderer) = self.tools.options.renderer.clone() else {
            return Ok(None);
        };
        let fetched = Response {
            content_type: answer.header("content-type").map(str::to_owned),
            ..Response::html(answer.url.clone(), answer.body.clone())
        };
        let (sender, mut asked) = channel::channel::<Asked>(1);
        let rendering = tokio::task::spawn_blocking(move || {
            let mut answer = |request: &Request| {
                let (told, answer) = mpsc::channel();
                // A worker that is gone was given up.
                let sent = sender.blocking_send((request.clone(), told));
                sent.ok().and_then(|()| answer.recv().ok()).unwrap_or(Beside::Stopped)
            };
            let mut renderer = renderer.lock().unwrap_or_else(PoisonError::into_inner);
            renderer.shown(fetched, &mut answer)
        });
        // The sender is gone when the page is done.
        while let Some((request, told)) = asked.recv().await {
            let _ = told.send(self.beside(&request).await);
        }
        let shown = match rendering.await {
            Ok(shown) => shown.ok_or(Stopped)?,
            Err(error) => not_rendered(
                Response::html(answer.url.clone(), answer.body.clone()),
                &error.to_string(),
            ),
        };
        // A browser may be gone because whoever stops us stopped it, too.
        let is_rendered = shown.problems.iter().all(|problem| problem.kind != "not-rendered");
        if !is_rendered && self.tools.is_ending() {
            return Err(Stopped);
        }
        Ok(Some(shown))
    }

    /// What comes of a request of a page's scripts. Nobody answers for other hosts here.
    async fn beside(&mut self, request: &Request) -> Beside {
        if host_name(&request.url) != self.memory.host {
            return Beside::Nobody;
        }
        if self.tools.options.obeys_robots && self.permission(&request.url) != Some(Permission::Allowed) {
            return Beside::Failed;
        }
        if !self.rest().await {
            return Beside::Stopped;
        }
        match self.exchange(request, &ExchangeOptions::default()).await {
            Ok(answer) => Beside::given(Response {
                status: answer.status,
                content_type: answer.header("content-type").map(str::to_owned),
                ..Response::html(answer.url, answer.body)
            }),
            Err(_) => Beside::Failed,
        }
    }
}
