//! The site's thread: where pages are asked for.
//!
//! Whoever starts the studio brings the page source. It lives on a thread of its own, which answers
//! one request after the other, since a source is one conversation: pages first, then the pictures
//! and style sheets that they show, so that nobody waits for a page behind somebody's forty
//! pictures. What nobody waits for any more is not asked for. Pages stay in memory, a limited
//! number of them; sources that archive answer again from there.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;
use untemplate::page::{Page, Request, Response, Site, Visit};
use untemplate_store::{DiskSource, SourceSite};
use url::Url;

/// Opens the page source of an entry, and is told whether its own host is all that is asked, and
/// what on the disk answers for it; the text says why it cannot.
pub type OpenSite = Arc<dyn Fn(&Url, bool, Option<&DiskSource>) -> Result<SourceSite, String> + Send + Sync>;

/// The same for an entry of which is known whether it is on the disk.
pub type OpenEntry = Arc<dyn Fn(&Url, bool) -> Result<SourceSite, String> + Send + Sync>;

/// Pages that stay in memory.
const PAGES_MAX: usize = 64;

/// Pictures and style sheets that may wait; more are not shown.
const RESOURCES_WAITING_MAX: usize = 256;

/// Where pages are asked for.
#[derive(Clone)]
pub struct SiteThread {
    shared: Arc<Shared>,
}

struct Shared {
    queues: Mutex<Queues>,
    bell: Condvar,
    pages: Mutex<Kept>,
}

#[derive(Default)]
struct Queues {
    pages: VecDeque<(Vec<Request>, oneshot::Sender<Vec<Visit>>)>,
    resources: VecDeque<(Request, oneshot::Sender<Option<Response>>)>,
    is_closed: bool,
}

#[derive(Default)]
struct Kept {
    by_request: HashMap<Request, Arc<Page>>,
    order: VecDeque<Request>,
}

enum Order {
    Pages(Vec<Request>, oneshot::Sender<Vec<Visit>>),
    Resource(Request, oneshot::Sender<Option<Response>>),
}

impl SiteThread {
    /// Starts a thread for the site of an entry; what comes from another host in the end is refused
    /// where its own is all that is asked.
    pub fn open(entry: Url, own_host_only: bool, open: OpenEntry) -> Self {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            bell: Condvar::new(),
            pages: Mutex::default(),
        });
        let its = Arc::clone(&shared);
        // Without its thread nothing is answered, and whoever asks is told so.
        let spawned = thread::Builder::new().name("site_thread".to_owned()).spawn(move || {
            // However the thread ends, nobody waits for it afterwards.
            let closing = Closing(&its);
            work(closing.0, &entry, own_host_only, &open);
        });
        if spawned.is_err() {
            close(&shared);
        }
        Self { shared }
    }

    /// The pages of requests, in their order; those in memory are not asked for again.
    pub async fn visit(&self, requests: &[Request]) -> Vec<Visit> {
        let known: Vec<Option<Arc<Page>>> = {
            let kept = lock(&self.shared.pages);
            requests
                .iter()
                .map(|request| kept.by_request.get(request).cloned())
                .collect()
        };
        let unknown = requests.iter().zip(&known).filter(|(_, page)| page.is_none());
        let unknown: Vec<Request> = unknown.map(|(request, _)| request.clone()).collect();
        let answers = if unknown.is_empty() {
            Vec::new()
        } else {
            self.ask(unknown).await
        };
        let mut answers = answers.into_iter();
        let visit = |page: Option<Arc<Page>>| match page {
            Some(page) => Visit::Page(page),
            None => answers.next().unwrap_or(Visit::Stopped),
        };
        known.into_iter().map(visit).collect()
    }

    /// One page, or why it cannot be had.
    pub async fn page(&self, request: &Request) -> Result<Arc<Page>, String> {
        match self.visit(std::slice::from_ref(request)).await.pop() {
            Some(Visit::Page(page)) => Ok(page),
            Some(
                Visit::Dead { reason }
                | Visit::Refused { reason }
                | Visit::NotFollowed { reason }
                | Visit::Failed { reason },
            ) => Err(reason),
            Some(Visit::Stopped) | None => Err(format!(
                "{} could not be asked for: the source has stopped",
                request.url
            )),
        }
    }

    async fn ask(&self, requests: Vec<Request>) -> Vec<Visit> {
        let (sender, answer) = oneshot::channel();
        let n_requests = requests.len();
        {
            let mut queues = lock(&self.shared.queues);
            if !queues.is_closed {
                queues.pages.push_back((requests, sender));
            }
        }
        self.shared.bell.notify_one();
        answer.await.unwrap_or_else(|_| vec![Visit::Stopped; n_requests])
    }

    /// A picture or style sheet; `None` when it cannot be had.
    pub async fn resource(&self, url: Url) -> Option<Response> {
        let (sender, answer) = oneshot::channel();
        {
            let mut queues = lock(&self.shared.queues);
            if queues.is_closed || queues.resources.len() >= RESOURCES_WAITING_MAX {
                return None;
            }
            queues.resources.push_back((Request::get(url), sender));
        }
        self.shared.bell.notify_one();
        answer.await.ok().flatten()
    }
}

impl Drop for SiteThread {
    fn drop(&mut self) {
        // The thread and this site_thread hold it, and nobody else.
        if Arc::strong_count(&self.shared) <= 2 {
            close(&self.shared);
        }
    }
}

/// Closes the queues when the thread that answers ends, also when it panics.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        close(self.0);
    }
}

/// Closes the queues: who waits is told that it has stopped.
fn close(shared: &Shared) {
    let mut queues = lock(&shared.queues);
    queues.is_closed = true;
    queues.pages.clear();
    queues.resources.clear();
    drop(queues);
    shared.bell.notify_all();
}

/// A thread that panicked with the lock left nothing half done that matters here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers orders until the queues close.
fn work(shared: &Shared, entry: &Url, own_host_only: bool, open: &OpenEntry) {
    let mut site = open(entry, own_host_only);
    // A redirect may lead elsewhere than what was asked for.
    let may_answer = |url: &Url| !own_host_only || url.origin() == entry.origin();
    let refuse_strange = |visit: Visit| match visit {
        Visit::Page(page) if !may_answer(&page.url) => Visit::Refused {
            reason: format!(
                "a page of {} leads to another host, {}; an entry inside a private network shows its own alone",
                entry.origin().ascii_serialization(),
                page.url.origin().ascii_serialization()
            ),
        },
        visit => visit,
    };
    while let Some(order) = next(shared) {
        match (order, &mut site) {
            (Order::Pages(requests, sender), Ok(site)) => {
                let visits: Vec<Visit> = site.visit(&requests).into_iter().map(refuse_strange).collect();
                keep(shared, &requests, &visits);
                let _ = sender.send(visits);
            }
            (Order::Pages(requests, sender), Err(reason)) => {
                let failed = Visit::Failed { reason: reason.clone() };
                let _ = sender.send(vec![failed; requests.len()]);
            }
            (Order::Resource(request, sender), Ok(site)) => {
                let answer = site.read(&request).filter(|answer| may_answer(&answer.url));
                let _ = sender.send(answer);
            }
            (Order::Resource(..), Err(_)) => {}
        }
    }
}

fn next(shared: &Shared) -> Option<Order> {
    let mut queues = lock(&shared.queues);
    loop {
        if queues.is_closed {
            return None;
        }
        if let Some((requests, sender)) = queues.pages.pop_front() {
            return Some(Order::Pages(requests, sender));
        }
        while let Some((request, sender)) = queues.resources.pop_front() {
            if !sender.is_closed() {
                return Some(Order::Resource(request, sender));
            }
        }
        queues = shared.bell.wait(queues).unwrap_or_else(PoisonError::into_inner);
    }
}

fn keep(shared: &Shared, requests: &[Request], visits: &[Visit]) {
    let mut kept = lock(&shared.pages);
    for (request, visit) in requests.iter().zip(visits) {
        if let Visit::Page(page) = visit
            && kept.by_request.insert(request.clone(), Arc::clone(page)).is_none()
        {
            kept.order.push_back(request.clone());
        }
        if kept.order.len() > PAGES_MAX
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.by_request.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nobody_waits_for_a_thread_that_panicked() {
        let entry: Url = "http://shop.example/".parse().expect("a good address");
        let site_thread = SiteThread::open(entry.clone(), false, Arc::new(|_, _| panic!("a source that breaks")));
        let visits = site_thread.visit(&[Request::get(entry.clone())]).await;
        assert!(matches!(visits[..], [Visit::Stopped]));
        assert!(site_thread.resource(entry).await.is_none());
    }
}
