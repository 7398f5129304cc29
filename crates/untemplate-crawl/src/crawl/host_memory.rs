//! What a crawl remembers of a host: when it may be asked, and its robots.txt. It lives in the
//! archive, so that it survives the process.

use std::net::IpAddr;
use std::sync::Arc;

use untemplate_store::UnixMillis;
use untemplate_store::archive::{Archive, ArchiveError, Frontier, HostSchedule};

use super::receipt::Receipt;
use crate::clock::now;
use crate::robots::{Robots, RobotsState};
use crate::schedule::{HostState, ScheduleOptions};
use crate::soft_404::Probe;

/// What is remembered of a host. It is copied with every answer, so what is large is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostMemory {
    pub(super) host: String,
    pub(super) schedule: HostState,
    /// `None` while nobody asked for it.
    pub(super) robots: Option<Arc<RobotsState>>,
    /// What it answers for what does not exist; `None` while nobody tried. The archive keeps it
    /// apart.
    pub(super) probe: Option<Arc<Probe>>,
    /// Where it is, for this run.
    pub(super) address: Option<IpAddr>,
    /// How it was treated in this run.
    pub(super) receipt: Receipt,
    /// What is wrong with it in this run, until it gives a good answer.
    pub(super) trouble: Option<Trouble>,
}

/// Why a host is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// Since when.
    pub(super) since: UnixMillis,
    /// What it does, in words that follow its name.
    pub(super) what: String,
}

/// Where the archive keeps what a host answers for what is not there; the host's name follows.
const PROBE_SETTING: &str = "answer to what is not there at ";

/// Stands between the two parts of the stored text; neither has such a line.
const SEPARATOR: &str = "\n--\n";

impl HostMemory {
    /// A host that nobody asked yet.
    pub(super) fn new(host: &str, now: UnixMillis) -> Self {
        Self {
            host: host.to_owned(),
            schedule: HostState::new(now),
            robots: None,
            probe: None,
            address: None,
            receipt: Receipt::default(),
            trouble: None,
        }
    }

    /// Notes what is wrong with the host; `None` after a good answer.
    pub(super) fn set_trouble(&mut self, what: Option<String>) {
        let since = self.trouble.as_ref().map_or_else(now, |trouble| trouble.since);
        self.trouble = what.map(|what| Trouble { since, what });
    }

    /// Whether waiting for the host would take longer than anybody is patient.
    pub(super) fn is_given_up(&self, patience_ms: i64) -> bool {
        let due_at = self.schedule.due_at;
        let is_long = |trouble: &Trouble| due_at.since(trouble.since) > patience_ms;
        due_at > now() && self.trouble.as_ref().is_some_and(is_long)
    }

    /// What a new run makes of a host that the last one had trouble with; `None` where there was
    /// none.
    pub(super) fn in_new_run(mut self, options: &ScheduleOptions) -> Option<Self> {
        if self.schedule.failures_in_row == 0 && self.schedule.slow_down_ms == 0 {
            return None;
        }
        self.schedule = self.schedule.in_new_run(now(), options);
        // A robots.txt that could not be fetched is asked for again, too.
        self.robots = self.robots.filter(|robots| robots.copy.is_some());
        if self.schedule.rest_until.is_some_and(|until| until > now()) {
            self.set_trouble(Some("asked for a pause".to_owned()));
        }
        Some(self)
    }

    /// What the archive remembers of a host, with its answer to a probe where that is wanted.
    pub(super) fn recall(archive: &mut dyn Frontier, host: &str, with_probe: bool) -> Result<Self, ArchiveError> {
        let mut memory = match archive.host(host)? {
            Some(stored) => Self::from_stored(&stored, now()),
            None => Self::new(host, now()),
        };
        if with_probe {
            let probe = archive.setting(&format!("{PROBE_SETTING}{host}"))?;
            memory.probe = probe.and_then(|text| Probe::from_text(&text).ok()).map(Arc::new);
        }
        Ok(memory)
    }

    /// What the archive remembers, with what this run alone knows.
    pub(super) fn in_same_run(mut self, known: &Self) -> Self {
        self.address = known.address;
        self.receipt = known.receipt;
        let has_trouble = self.schedule.failures_in_row > 0;
        self.trouble = known.trouble.clone().filter(|_| has_trouble);
        self.probe = self.probe.or_else(|| known.probe.clone());
        self
    }

    /// Keeps the answer to a probe, which is no part of the host's row.
    pub(super) fn keep_probe(&self, archive: &mut dyn Archive) -> Result<(), ArchiveError> {
        match &self.probe {
            Some(probe) => archive.set_setting(&format!("{PROBE_SETTING}{}", self.host), &probe.to_text()),
            None => Ok(()),
        }
    }

    /// What the archive kept. What cannot be read is forgotten: robots.txt is asked for again, and
    /// the archive itself keeps the time from which on the host may be asked.
    pub(super) fn from_stored(stored: &HostSchedule, now: UnixMillis) -> Self {
        let (schedule, robots) = stored.state.split_once(SEPARATOR).unwrap_or((&stored.state, ""));
        Self {
            schedule: HostState::from_text(schedule).unwrap_or_else(|_| HostState::new(now)),
            robots: RobotsState::from_text(robots).ok().map(Arc::new),
            ..Self::new(&stored.host, now)
        }
    }

    /// What is known of its robots.txt, in a word or three.
    pub(super) fn robots_state(&self) -> &'static str {
        match self.robots.as_ref().map(|robots| robots.copy.as_ref()) {
            None => "not asked for",
            Some(None) => "not to be had",
            Some(Some(copy)) if *copy == Robots::default() => "asks for nothing",
            Some(Some(_)) => "read",
        }
    }

    /// What the archive is to keep.
    pub(super) fn to_stored(&self, options: &ScheduleOptions) -> HostSchedule {
        let robots = self.robots.as_ref().map(|robots| robots.to_text()).unwrap_or_default();
        HostSchedule {
            host: self.host.clone(),
            next_due: self.schedule.due_at,
            delay_ms: self.schedule.pace_ms(options),
            state: format!("{}{SEPARATOR}{robots}", self.schedule.to_text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::RobotsFetch;
    use crate::schedule::HostEvent;

    #[test]
    fn a_host_is_remembered() {
        let options = ScheduleOptions::default();
        let now = UnixMillis(1_000_000);
        let mut memory = HostMemory::new("site.example", now);
        memory.schedule = memory.schedule.after(HostEvent::Started, now, &options).state;
        let body = b"User-agent: *\nDisallow: /--\n--\nCrawl-delay: 2";
        let robots = RobotsState::after(None, RobotsFetch::Answered { status: 200, body }, now);
        memory.robots = Some(Arc::new(robots));
        let stored = memory.to_stored(&options);
        assert_eq!(HostMemory::from_stored(&stored, now), memory);
        let broken = HostSchedule {
            state: "rubbish".to_owned(),
            ..stored
        };
        assert_eq!(
            HostMemory::from_stored(&broken, now),
            HostMemory::new("site.example", now)
        );
    }
}
