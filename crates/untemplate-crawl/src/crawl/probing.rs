//! The probe: what a host answers for a page that is not there, so that a "not found" that claims
//! to be a page is known.

use untemplate::page::Request;
use untemplate_store::archive::host_name;
use url::Url;

use super::reading::read_probe;
use super::rendering::Stopped;
use super::robots_first::ROBOTS_REDIRECTS_MAX;
use super::worker::{Worker, redirect_of};
use crate::client::ExchangeOptions;
use crate::clock::now;
use crate::robots::Permission;
use crate::soft_404::{Probe, probe_url};

impl Worker {
    /// Asks the host for a page that is not there; `None` if it may not be asked, or does not say.
    pub(super) async fn probe(&mut self, url: &Url) -> Result<Option<Probe>, Stopped> {
        let seed = u64::try_from(now().0).unwrap_or(1);
        let asked = probe_url(url, seed);
        if !self.may_probe(&asked) {
            return Ok(None);
        }
        let mut at = asked.clone();
        for _ in 0..=ROBOTS_REDIRECTS_MAX {
            if !self.rest().await {
                return Err(Stopped);
            }
            let request = Request::get(at.clone());
            let Ok(answer) = self.exchange(&request, &ExchangeOptions::default()).await else {
                return Ok(None);
            };
            match redirect_of(&answer).filter(|target| self.may_probe(target)) {
                Some(target) => at = target,
                None => return Ok(read_probe(&asked, answer, &self.tools.options)),
            }
        }
        Ok(None)
    }

    /// Whether an address is this worker's to ask for, and robots.txt allows it.
    fn may_probe(&self, url: &Url) -> bool {
        let is_allowed = || self.permission(url) == Some(Permission::Allowed);
        host_name(url) == self.memory.host && (!self.tools.options.obeys_robots || is_allowed())
    }
}
