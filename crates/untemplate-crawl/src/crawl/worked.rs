//! What came of claims, on its way from a worker to the commit: handed over in groups, and whole
//! whatever becomes of the worker.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use tokio::time::Instant;
use untemplate::page::Page;
use untemplate_store::archive::{Claim, ClaimResult};
use url::Url;

use super::host_memory::HostMemory;
use crate::trap::PageFacts;

/// How long an answer waits for others of its run before it is handed over to be committed: what a
/// crash can cost is bounded in time as well as in number.
const GROUP_WAIT: Duration = Duration::from_millis(50);

/// What came of a claim.
pub(super) struct Worked {
    pub(super) claim: Claim,
    pub(super) result: ClaimResult,
    /// Where the answer leads, before anyone asked whether that is in scope.
    pub(super) leads: Leads,
    /// What the trap guard wants to know, of a page.
    pub(super) facts: Option<PageFacts>,
    /// The page, where the answer is one and was read as it was fetched.
    pub(super) page: Option<Arc<Page>>,
    pub(super) memory: HostMemory,
    pub(super) n_requests: u64,
    /// Wishes of the host that were not honoured in full.
    pub(super) notes: Vec<String>,
}

/// Where an answer leads.
#[derive(Debug, Default)]
pub(super) struct Leads {
    /// Links of a page, the target of a redirect, pages that a sitemap lists.
    pub(super) pages: Vec<Url>,
    /// Sitemaps, that robots.txt or another sitemap names.
    pub(super) sitemaps: Vec<Url>,
}

impl Worked {
    /// A claim that was not worked.
    pub(super) fn untouched(claim: Claim, result: ClaimResult, memory: HostMemory) -> Self {
        Self {
            claim,
            result,
            leads: Leads::default(),
            facts: None,
            page: None,
            memory,
            n_requests: 0,
            notes: Vec::new(),
        }
    }
}

/// The claims of a worker: those that wait, the one under way, and what is finished and not handed
/// over yet.
///
/// When it is dropped, whatever is left is handed over as not worked: nobody else would ever hear
/// of it.
pub(super) struct Group {
    pub(super) worked: Vec<Worked>,
    /// When it is handed over at the latest.
    pub(super) due: Instant,
    group_max: usize,
    sender: Sender<Vec<Worked>>,
    waiting: VecDeque<Claim>,
    current: Option<Claim>,
    memory: HostMemory,
}

impl Group {
    pub(super) fn new(claims: Vec<Claim>, memory: HostMemory, group_max: usize, sender: Sender<Vec<Worked>>) -> Self {
        Self {
            worked: Vec::new(),
            due: Instant::now(),
            group_max,
            sender,
            waiting: claims.into(),
            current: None,
            memory,
        }
    }

    /// The next claim, which is under way from now on.
    pub(super) fn next_claim(&mut self) -> Option<Claim> {
        self.current = self.waiting.pop_front();
        self.current.clone()
    }

    /// Takes what came of the claim under way.
    pub(super) fn push(&mut self, worked: Worked) {
        self.current = None;
        self.memory = worked.memory.clone();
        if self.worked.is_empty() {
            self.due = Instant::now() + GROUP_WAIT;
        }
        self.worked.push(worked);
        if self.worked.len() >= self.group_max {
            self.hand_over();
        }
    }

    pub(super) fn hand_over(&mut self) {
        if !self.worked.is_empty() {
            // Nobody receives once the crawl is given up; the claims are then made again.
            let _ = self.sender.send(std::mem::take(&mut self.worked));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A claim is under way here only when its worker broke down; what broke it would do so
        // again.
        if let Some(claim) = self.current.take() {
            let reason = format!("{} broke the worker down; please report its address", claim.request.url);
            let failed = ClaimResult::Failed { reason };
            self.worked.push(Worked::untouched(claim, failed, self.memory.clone()));
        }
        let released = std::mem::take(&mut self.waiting)
            .into_iter()
            .map(|claim| Worked::untouched(claim, ClaimResult::Released, self.memory.clone()));
        self.worked.extend(released);
        self.hand_over();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use untemplate::page::Request;
    use untemplate_store::archive::{ClaimToken, RequestId};

    use super::*;
    use crate::clock::now;

    fn claim(number: i64) -> Claim {
        let request = RequestId(number);
        Claim {
            token: ClaimToken { request, number: 1 },
            id: request,
            request: Request::get(format!("http://site.example/{number}").parse().expect("an address")),
            host: "site.example".to_owned(),
            attempt: 1,
            n_lapses: 0,
            depth: 0,
            found_on: None,
            validators: None,
        }
    }

    #[test]
    fn claims_survive_a_worker_that_breaks_down() {
        let (sender, receiver) = channel();
        let memory = HostMemory::new("site.example", now());
        let worker = std::thread::spawn(move || {
            let mut group = Group::new(vec![claim(1), claim(2), claim(3)], memory.clone(), 2, sender);
            let first = group.next_claim().expect("three claims");
            group.push(Worked::untouched(first, ClaimResult::NotModified, memory));
            group.next_claim();
            panic!("as meant");
        });
        assert!(worker.join().is_err());
        let results: Vec<(i64, ClaimResult)> = receiver
            .iter()
            .flatten()
            .map(|worked| (worked.claim.id.0, worked.result))
            .collect();
        assert_eq!(results.len(), 3);
        assert_eq!(results[0], (1, ClaimResult::NotModified));
        assert!(matches!(&results[1], (2, ClaimResult::Failed { .. })));
        assert_eq!(results[2], (3, ClaimResult::Released));
    }
}
