//! What a crawl remembers of a host: when it may be asked, and its robots.txt. It lives in the archive, so that it
//! survives the process.

use untemplate_store::UnixMillis;
use untemplate_store::archive::HostSchedule;

use crate::robots::RobotsState;
use crate::schedule::{HostState, ScheduleOptions};

/// What is remembered of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostMemory {
    pub(super) host: String,
    pub(super) schedule: HostState,
    /// `None` while nobody asked for it.
    pub(super) robots: Option<RobotsState>,
}

/// Stands between the two parts of the stored text; neither has such a line.
const SEPARATOR: &str = "\n--\n";

impl HostMemory {
    /// A host that nobody asked yet.
    pub(super) fn new(host: &str, now: UnixMillis) -> Self {
        Self {
            host: host.to_owned(),
            schedule: HostState::new(now),
            robots: None,
        }
    }

    /// What the archive kept. What cannot be read is forgotten: robots.txt is asked for again, and the archive itself
    /// keeps the time from which on the host may be asked.
    pub(super) fn from_stored(stored: &HostSchedule, now: UnixMillis) -> Self {
        let (schedule, robots) = stored.state.split_once(SEPARATOR).unwrap_or((&stored.state, ""));
        Self {
            host: stored.host.clone(),
            schedule: HostState::from_text(schedule).unwrap_or_else(|_| HostState::new(now)),
            robots: RobotsState::from_text(robots).ok(),
        }
    }

    /// What the archive is to keep.
    pub(super) fn to_stored(&self, options: &ScheduleOptions) -> HostSchedule {
        let robots = self.robots.as_ref().map(RobotsState::to_text).unwrap_or_default();
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
        memory.robots = Some(RobotsState::after(
            None,
            RobotsFetch::Answered { status: 200, body },
            now,
        ));
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
