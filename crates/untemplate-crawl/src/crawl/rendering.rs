//! Rendering in a crawl: the browser works on a thread of its own, and what a page's scripts want is asked for by the worker that has
//! the page's host, with the same manners as everything else. Scripts of other hosts are not fetched: their turn is not ours to take.

use std::sync::{PoisonError, mpsc};

use tokio::sync::mpsc as channel;
use untemplate::page::{Request, Response};
use untemplate_store::archive::host_name;

use super::worker::Worker;
use crate::client::{Answer, ExchangeOptions};
use crate::robots::Permission;

/// A request of a page's scripts, and where its answer is awaited.
type Asked = (Request, mpsc::Sender<Option<Response>>);

impl Worker {
    /// The page as the browser shows it; `None` where pages are taken as fetched, or the browser broke down.
    pub(super) async fn shown(&mut self, answer: &Answer) -> Option<Response> {
        let renderer = self.tools.options.renderer.clone()?;
        let fetched = Response {
            content_type: answer.header("content-type").map(str::to_owned),
            ..Response::html(answer.url.clone(), answer.body.clone())
        };
        let (sender, mut asked) = channel::channel::<Asked>(1);
        let rendering = tokio::task::spawn_blocking(move || {
            let mut answer = |request: &Request| {
                let (told, answer) = mpsc::channel();
                sender.blocking_send((request.clone(), told)).ok()?;
                answer.recv().ok()?
            };
            let mut renderer = renderer.lock().unwrap_or_else(PoisonError::into_inner);
            renderer.shown(fetched, &mut answer)
        });
        // The sender is gone when the page is done.
        while let Some((request, told)) = asked.recv().await {
            let _ = told.send(self.beside(&request).await);
        }
        rendering.await.ok()
    }

    /// The answer to a request of a page's scripts; `None` for another host's, and where robots.txt forbids it.
    async fn beside(&mut self, request: &Request) -> Option<Response> {
        let options = &self.tools.options;
        if host_name(&request.url) != self.memory.host || self.tools.control.is_stopping() {
            return None;
        }
        if options.obeys_robots && self.permission(&request.url) != Some(Permission::Allowed) {
            return None;
        }
        self.rest().await;
        let answer = self.exchange(request, &ExchangeOptions::default()).await.ok()?;
        Some(Response {
            status: answer.status,
            content_type: answer.header("content-type").map(str::to_owned),
            ..Response::html(answer.url, answer.body)
        })
    }
}
