//! [`RobotsState`]: what a crawl knows of a host's robots.txt over time.
//!
//! In: the state before, how a fetch of the file ended, and when. Out: the state after. RFC 9309,
//! section 2.3.1: a file that is not there (4xx) forbids nothing, one that cannot be fetched (5xx,
//! network) forbids all, but a good copy is kept and used meanwhile. Departure: 429 counts as
//! "cannot be fetched", since a host that is asked too much has not said that it has no file.

use untemplate_store::UnixMillis;

use super::file::{DecidingRule, Delay, Group, Robots, Rule};
use crate::state_text::{StateReader, StateTextError, StateWriter};

/// What a crawl knows of a host's robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsState {
    /// The copy that counts, `None` while there is neither a file nor word that there is none.
    pub copy: Option<Robots>,
    /// When the file is asked for again.
    pub again_at: UnixMillis,
    /// How many fetches failed since the last that did not.
    pub failures_in_row: u32,
}

/// How a fetch of robots.txt ended. Redirects are followed by the caller, at least five, to any
/// host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsFetch<'a> {
    /// The host answered.
    Answered {
        /// The last answer's status.
        status: u16,
        /// Its body, as much of it as was read.
        body: &'a [u8],
    },
    /// Redirects went on and on: the RFC counts this as no file.
    TooManyRedirects,
    /// There was no answer: name, connection, encryption, time.
    Failed,
}

/// Whether a host may be asked for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// It may.
    Allowed,
    /// It may not, by this rule.
    Forbidden(DecidingRule),
    /// Nobody knows before the file is fetched: wait, and ask for it again.
    Unknown {
        /// When.
        again_at: UnixMillis,
    },
}

/// How long a copy is good: what the RFC allows.
const GOOD_MS: i64 = 24 * 3_600_000;

/// The pause after the first failed fetch. It doubles with each: a restart of a server takes a
/// minute or two, an outage hours.
const RETRY_FIRST_MS: i64 = 60_000;

/// The longest pause after failed fetches: a host that is back is noticed within the hour.
const RETRY_LAST_MS: i64 = 3_600_000;

const KIND: &str = "robots";
const VERSION: u32 = 1;

impl RobotsState {
    /// The state after a fetch.
    pub fn after(before: Option<&Self>, fetch: RobotsFetch<'_>, now: UnixMillis) -> Self {
        let copy = match fetch {
            RobotsFetch::Answered {
                status: 200..=299,
                body,
            } => Robots::parse(body),
            RobotsFetch::Answered { status: 429, .. } => return Self::after_failure(before, now),
            RobotsFetch::Answered { status: 300..=499, .. } | RobotsFetch::TooManyRedirects => Robots::default(),
            RobotsFetch::Answered { .. } | RobotsFetch::Failed => return Self::after_failure(before, now),
        };
        Self {
            copy: Some(copy),
            again_at: now + GOOD_MS,
            failures_in_row: 0,
        }
    }

    fn after_failure(before: Option<&Self>, now: UnixMillis) -> Self {
        let failures_before = before.map_or(0, |state| state.failures_in_row);
        let pause = RETRY_FIRST_MS << failures_before.min(16);
        Self {
            copy: before.and_then(|state| state.copy.clone()),
            again_at: now + pause.min(RETRY_LAST_MS),
            failures_in_row: failures_before.saturating_add(1),
        }
    }

    /// Whether the file is to be asked for. A moment further ahead than any pause means that the
    /// clock was set back.
    pub fn is_due(&self, now: UnixMillis) -> bool {
        now >= self.again_at || self.again_at.since(now) > GOOD_MS
    }

    /// Whether an agent may ask for a path, given with its query as URLs write it.
    pub fn permission(&self, agent: &str, path_and_query: &str) -> Permission {
        let Some(robots) = &self.copy else {
            return Permission::Unknown {
                again_at: self.again_at,
            };
        };
        let decision = robots.decide(agent, path_and_query);
        match decision.rule {
            Some(rule) if !decision.allowed => Permission::Forbidden(rule),
            _ => Permission::Allowed,
        }
    }

    /// The state as text for the store.
    pub fn to_text(&self) -> String {
        let mut writer = StateWriter::new(KIND, VERSION);
        writer.line("again", self.again_at.0);
        writer.line("failures", self.failures_in_row);
        if let Some(robots) = &self.copy {
            writer.line("copy", "");
            write_robots(&mut writer, robots);
        }
        writer.finish()
    }

    /// The state from text that [`RobotsState::to_text`] made.
    pub fn from_text(text: &str) -> Result<Self, StateTextError> {
        let reader = StateReader::new(text, KIND, VERSION)?;
        let has_copy = reader.lines().any(|(key, _)| key == "copy");
        Ok(Self {
            copy: if has_copy { Some(read_robots(&reader)?) } else { None },
            again_at: UnixMillis(reader.value("again")?),
            failures_in_row: reader.value("failures")?,
        })
    }
}

/// Writes what decides; what was odd about the file was said when it was fetched.
fn write_robots(writer: &mut StateWriter, robots: &Robots) {
    for group in &robots.groups {
        writer.line("group", group.agents.join(" "));
        for rule in &group.rules {
            let key = if rule.allows { "allow" } else { "disallow" };
            writer.line(key, format_args!("{} {}", rule.line, rule.pattern));
        }
    }
    for delay in &robots.delays {
        writer.line(
            "delay",
            format_args!("{} {}", delay.milliseconds, delay.agents.join(" ")),
        );
    }
    for sitemap in &robots.sitemaps {
        writer.line("sitemap", sitemap);
    }
}

fn read_robots(reader: &StateReader<'_>) -> Result<Robots, StateTextError> {
    let mut robots = Robots::default();
    let agents = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect();
    for (key, value) in reader.lines() {
        let bad_line = || reader.bad_line(key);
        let (number, rest) = value.split_once(' ').unwrap_or((value, ""));
        match key {
            "group" => robots.groups.push(Group {
                agents: agents(value),
                rules: Vec::new(),
            }),
            "allow" | "disallow" => robots.groups.last_mut().ok_or_else(bad_line)?.rules.push(Rule {
                line: number.parse().map_err(|_| bad_line())?,
                allows: key == "allow",
                pattern: rest.to_owned(),
            }),
            "delay" => robots.delays.push(Delay {
                agents: agents(rest),
                milliseconds: number.parse().map_err(|_| bad_line())?,
            }),
            "sitemap" => robots.sitemaps.push(value.to_owned()),
            _ => {}
        }
    }
    Ok(robots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const NOW: UnixMillis = UnixMillis(1_000_000);

    fn answered(status: u16) -> RobotsFetch<'static> {
        let body = b"User-agent: *\nDisallow: /x\n";
        RobotsFetch::Answered { status, body }
    }

    /// Runs fetches a second apart and tells what may be asked after each, and when the file is
    /// asked for again.
    fn check_fetches(fetches: &[RobotsFetch<'_>], expected: Expect) {
        let mut state: Option<RobotsState> = None;
        let mut told = String::new();
        for (fetch, now) in fetches.iter().zip((0..).map(|seconds| NOW + seconds * 1000)) {
            let after = RobotsState::after(state.as_ref(), *fetch, now);
            let permission = match after.permission("a", "/x") {
                Permission::Allowed => "allowed",
                Permission::Forbidden(_) => "forbidden",
                Permission::Unknown { .. } => "unknown",
            };
            told += &format!("{permission}, again in {} s\n", after.again_at.since(now) / 1000);
            assert_eq!(RobotsState::from_text(&after.to_text()), Ok(after.clone()));
            state = Some(after);
        }
        expected.assert_eq(&told);
    }

    #[test]
    fn fetches_end_as_the_rfc_says() {
        let fetches = [200, 404, 500, 200, 503, 302, 401].map(answered);
        check_fetches(
            &fetches,
            expect![[r#"
                forbidden, again in 86400 s
                allowed, again in 86400 s
                allowed, again in 60 s
                forbidden, again in 86400 s
                forbidden, again in 60 s
                allowed, again in 86400 s
                allowed, again in 86400 s
            "#]],
        );
    }

    #[test]
    fn a_host_without_an_answer_is_left_alone() {
        let mut fetches = vec![RobotsFetch::Failed; 8];
        fetches.extend([answered(429), RobotsFetch::TooManyRedirects]);
        check_fetches(
            &fetches,
            expect![[r#"
                unknown, again in 60 s
                unknown, again in 120 s
                unknown, again in 240 s
                unknown, again in 480 s
                unknown, again in 960 s
                unknown, again in 1920 s
                unknown, again in 3600 s
                unknown, again in 3600 s
                unknown, again in 3600 s
                allowed, again in 86400 s
            "#]],
        );
    }

    #[test]
    fn a_copy_is_due_after_a_day_and_when_the_clock_jumped() {
        let state = RobotsState::after(None, answered(200), NOW);
        assert!(!state.is_due(NOW));
        assert!(state.is_due(NOW + GOOD_MS));
        assert!(state.is_due(NOW - 1));
    }

    #[test]
    fn stored_text_has_a_version_and_makes_sense() {
        let fetch = RobotsFetch::Answered {
            status: 200,
            body: b"User-agent: a\nUser-agent: *\nDisallow: /x y\nAllow:\nCrawl-delay: 3\nSitemap: /s.xml\n",
        };
        let state = RobotsState::after(None, fetch, NOW);
        expect![[r#"
            untemplate robots 1
            again 87400000
            failures 0
            copy 
            group a *
            disallow 3 /x y
            allow 4 
            delay 3000 a *
            sitemap /s.xml
        "#]]
        .assert_eq(&state.to_text());
        let bad = |text: &str| RobotsState::from_text(text).expect_err("a bad text").to_string();
        expect!["the stored state begins with `untemplate robots 9` and not with `untemplate robots 1`; a newer program may have written it"]
            .assert_eq(&bad("untemplate robots 9\n"));
        expect!["the stored robots state has a bad line for `again`; delete it and it is learnt again"]
            .assert_eq(&bad("untemplate robots 1\nagain soon\n"));
        bad("");
        bad("untemplate robots 1\nagain 1\nfailures 0\ncopy \nallow 3 /\n");
    }
}
