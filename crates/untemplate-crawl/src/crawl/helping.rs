//! Helping: a worker that fetches what another one waits for, and has no opinion on what that is.

use std::time::Duration;

use untemplate_store::archive::{Archive, ArchiveError};
use untemplate_store::{StopControl, UnixMillis};

use super::engine::Engine;
use super::options::CrawlOptions;
use super::report::{CrawlError, CrawlReport};
use crate::clock::now;

/// How long to sleep at the most before looking again whether there is something to fetch.
const NAP: Duration = Duration::from_millis(100);

/// How often it is asked whether anybody still needs help.
const LOOK_MS: i64 = 500;

/// Fetches requests that somebody waits for, until `is_over` says that nobody does, a limit is
/// reached, or `control` says stop.
pub fn help<Shared: Archive>(
    archive: &mut Shared,
    options: CrawlOptions,
    control: &StopControl,
    is_over: &mut dyn FnMut(&mut Shared) -> Result<bool, ArchiveError>,
) -> Result<CrawlReport, CrawlError> {
    let mut engine = Engine::start(archive, options, control)?;
    let (mut looked, mut is_ending) = (UnixMillis(0), false);
    while !engine.control.is_stopping_now() {
        if engine.report.stopped_because.is_none() {
            engine.report.stopped_because = engine.limit();
        }
        if !is_ending && now().since(looked) >= LOOK_MS {
            looked = now();
            is_ending = is_over(archive)?;
        }
        let may_claim = !is_ending && engine.report.stopped_because.is_none();
        if !may_claim && engine.open == 0 {
            break;
        }
        let claim_options = engine.claim_options();
        if may_claim && claim_options.claims_max > 0 {
            let claims = archive.claim_wanted(now(), &claim_options)?;
            engine.set_to_work(archive, claims)?;
        }
        engine.wait(NAP);
        engine.commit(archive)?;
    }
    engine.end(archive)
}
