//! What an engine tells of itself: how far the crawl is, and how hosts were treated.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use untemplate_store::archive::FrontierStatistics;

use super::engine::Engine;
use super::host_memory::HostMemory;
use super::options::{Progress, Wait};
use super::receipt::HostReceipt;
use crate::clock::now;

/// Hosts that a report tells of.
const RECEIPTS_MAX: usize = 100;

/// Growth from which on nothing can be said of the total.
const GROWTH_MAX: f64 = 0.95;

impl Engine {
    /// How far the crawl is.
    pub(super) fn progress(&self, statistics: &FrontierStatistics) -> Progress {
        let to_do = statistics.waiting + statistics.open;
        let known = (statistics.done + to_do + statistics.failed + statistics.skipped) as f64;
        let growth = self.growth.filter(|growth| *growth < GROWTH_MAX);
        let estimated = growth.map(|growth| known + to_do as f64 * growth / (1.0 - growth));
        Progress {
            done: statistics.done,
            to_do,
            failed: statistics.failed,
            skipped: statistics.skipped,
            estimated: estimated.map(|estimated| estimated.round() as u64),
            stored: self.report.stored,
            bytes: self.report.bytes,
            errors: self.errors(),
            elapsed_ms: now().since(self.started),
            waits: self.waits(),
        }
    }

    /// Hosts that are waited for: those that are given up are not.
    fn waits(&self) -> Vec<Wait> {
        let now = now();
        let wait = |memory: &HostMemory| {
            let trouble = memory.trouble.as_ref().filter(|_| memory.schedule.due_at > now)?;
            (!memory.is_given_up(self.options.patience_ms)).then(|| Wait {
                host: memory.host.clone(),
                what: trouble.what.clone(),
                until: memory.schedule.due_at,
            })
        };
        let mut waits: Vec<Wait> = self.memories.values().filter_map(wait).collect();
        waits.sort_by_key(|wait| (wait.until, wait.host.clone()));
        waits
    }

    /// Hosts that are given up, and what is said of each.
    pub(super) fn given_up(&self) -> BTreeMap<String, String> {
        let said = |memory: &HostMemory| {
            let trouble = memory
                .trouble
                .as_ref()
                .filter(|_| memory.is_given_up(self.options.patience_ms))?;
            // A pause that the host asked for holds for the next run, too; one that its failures
            // led to does not.
            let asked_for = memory.schedule.rest_until.filter(|until| *until > now());
            let advice = match asked_for {
                Some(_) => format!(
                    "it may be asked again in {} s: the same command goes on then, or waits with a longer --patience",
                    memory.schedule.due_at.since(now()) / 1_000
                ),
                None => "the same command asks it again, and waits for it with a longer --patience".to_owned(),
            };
            let message = format!("gave up on {}, which {}; {advice}", memory.host, trouble.what);
            Some((memory.host.clone(), message))
        };
        self.memories.values().filter_map(said).collect()
    }

    fn errors(&self) -> BTreeMap<u16, u64> {
        let statuses = self.report.statuses.iter();
        statuses
            .filter(|(status, _)| **status >= 400)
            .map(|(status, count)| (*status, *count))
            .collect()
    }

    /// How hosts were treated.
    pub(super) fn receipts(&self) -> Vec<HostReceipt> {
        let asked = self.memories.values().filter(|memory| memory.receipt.requests > 0);
        let mut receipts: Vec<HostReceipt> = asked.map(|memory| self.receipt(memory)).collect();
        receipts.sort_by(|left, right| {
            let rank = |host: &HostReceipt| Reverse(host.receipt.requests);
            rank(left).cmp(&rank(right)).then_with(|| left.host.cmp(&right.host))
        });
        receipts.truncate(RECEIPTS_MAX);
        receipts
    }

    fn receipt(&self, memory: &HostMemory) -> HostReceipt {
        HostReceipt {
            host: memory.host.clone(),
            receipt: memory.receipt,
            delay_ms: memory.schedule.pace_ms(&self.options.schedule),
            crawl_delay_ms: memory.schedule.crawl_delay_ms,
            robots: memory.robots_state(),
        }
    }
}
