//! The crawl loop: claim, work, commit, until nothing is left or somebody says stop.

use std::time::Duration;

use untemplate::page::normalise;
use untemplate_store::archive::{Archive, Frontier};
use untemplate_store::{StopControl, StopReason, UnixMillis};

use super::engine::Engine;
use super::options::{CrawlOptions, Progress};
use super::report::{CrawlError, CrawlReport};
use crate::clock::now;

/// How long the loop sleeps at the most before it looks at its limits again.
const NAP_MAX_MS: i64 = 200;

/// The least time between two words about progress.
const PROGRESS_MS: i64 = 500;

/// Crawls until nothing is left, a limit is reached, or `control` says stop. Whatever was committed
/// stays done.
pub fn crawl(
    archive: &mut dyn Archive,
    options: CrawlOptions,
    control: &StopControl,
    watch: &mut dyn FnMut(&Progress),
) -> Result<CrawlReport, CrawlError> {
    // Links to the entry are stripped as all links are; it must be known by the same address.
    let entry = options.url_rules.strip(normalise(options.entry.clone()));
    let options = CrawlOptions { entry, ..options };
    let mut engine = Engine::start(archive, options, control)?;
    engine.recall_traps(archive)?;
    engine.renew_hosts(archive)?;
    engine.heed_wants(archive)?;
    let starts = std::iter::once(&engine.options.entry).chain(&engine.options.starts);
    let starts: Vec<_> = starts.map(|url| engine.new_request(url.clone(), 0)).collect();
    archive.add(&starts, now())?;
    let mut told = UnixMillis(0);
    while !is_over(&mut engine, archive)? {
        if engine.report.stopped_because.is_none() {
            claim(&mut engine, archive)?;
        }
        let nap = nap(&engine, archive)?;
        engine.wait(nap);
        engine.commit(archive)?;
        if now().since(told) >= PROGRESS_MS {
            told = now();
            watch(&engine.progress(&archive.statistics()?));
        }
    }
    watch(&engine.progress(&archive.statistics()?));
    engine.end(archive)
}

/// Whether there is nothing more to do; notes what cut the crawl short.
fn is_over(engine: &mut Engine, archive: &mut dyn Frontier) -> Result<bool, CrawlError> {
    if engine.control.is_stopping_now() {
        engine.report.stopped_because = Some(StopReason::Interrupted);
        return Ok(true);
    }
    if engine.report.stopped_because.is_none() {
        engine.report.stopped_because = engine.limit();
    }
    if engine.open > 0 {
        return Ok(false);
    }
    if engine.report.stopped_because.is_none() {
        engine.report.stopped_because = only_silence_left(engine, archive)?;
    }
    if engine.report.stopped_because.is_some() {
        return Ok(true);
    }
    let statistics = archive.statistics()?;
    // What others have claimed may lead further, and is this one's when they die.
    Ok(statistics.waiting == 0 && (statistics.open == 0 || !archive.is_shared()))
}

/// Why the crawl ends when all that is left to ask is hosts that are given up.
fn only_silence_left(engine: &Engine, archive: &mut dyn Frontier) -> Result<Option<StopReason>, CrawlError> {
    let given_up = engine.given_up();
    let hosts: Vec<String> = given_up.keys().cloned().collect();
    let messages: Vec<String> = given_up.into_values().collect();
    let is_all = !hosts.is_empty() && !archive.has_waiting_besides(&hosts)?;
    Ok(is_all.then(|| StopReason::silent(messages.join("; "))))
}

/// Claims what is due, and sets workers to it.
fn claim(engine: &mut Engine, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
    let options = engine.claim_options();
    if options.claims_max == 0 {
        return Ok(());
    }
    let claims = archive.claim(now(), &options)?;
    let claims = engine.leave_out(archive, claims)?;
    engine.set_to_work(archive, claims)
}

/// How long there is nothing to claim. An answer ends the nap.
fn nap(engine: &Engine, archive: &mut dyn Frontier) -> Result<Duration, CrawlError> {
    if engine.claim_options().claims_max == 0 {
        return Ok(Duration::from_millis(NAP_MAX_MS as u64));
    }
    let next_due = archive.statistics()?.next_due;
    let until_due = next_due.map_or(NAP_MAX_MS, |due| due.since(now()));
    Ok(Duration::from_millis(until_due.clamp(1, NAP_MAX_MS) as u64))
}
