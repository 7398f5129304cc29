//! [`Robots`]: one robots.txt file.
//!
//! In: bytes. Out: groups of rules, and for an agent and a path the one rule that decides: the
//! longest that matches, allowing ones first among equals. Departures from RFC 9309, all of them
//! search engines' habits that the public cases hold us to: the path is compared as it is written,
//! a group begins at the first `User-agent` after a rule, and an allowed `/x/index.html` allows
//! `/x/` too. Where the RFC is stricter (escapes of letters mean the letters), a forbidding rule
//! matches either way, so that no reading of a file is ever overruled to a site's harm.

use std::fmt;

use untemplate::page::Problem;

use super::line::{Key, Line, lines};
use super::pattern;

/// One robots.txt file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Robots {
    pub(super) groups: Vec<Group>,
    pub(super) delays: Vec<Delay>,
    pub(super) sitemaps: Vec<String>,
    /// What was odd about the file.
    pub problems: Vec<Problem>,
}

/// Agents, in lower case and `*` for all, and the rules that they share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Group {
    pub(super) agents: Vec<String>,
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) line: u32,
    pub(super) allows: bool,
    pub(super) pattern: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delay {
    pub(super) agents: Vec<String>,
    pub(super) milliseconds: u64,
}

/// Whether a path may be asked for, and which rule says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Whether it may.
    pub allowed: bool,
    /// The rule, if one matched; where none does, all is allowed.
    pub rule: Option<DecidingRule>,
}

/// The rule that decided, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidingRule {
    /// Its line in the file, from 1.
    pub line: u32,
    /// What it says.
    pub text: String,
}

impl fmt::Display for DecidingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// How much of a file is read; RFC 9309 asks for this much at least.
pub(super) const FILE_BYTES_MAX: usize = 500 << 10;

/// The longest delay that is kept as a number: a day. What a crawl honours of it is the schedule's
/// business.
const DELAY_MS_MAX: f64 = 86_400_000.0;

impl Robots {
    /// Reads a file. It is total: any bytes give one, and what means nothing is passed over.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut robots = Self::default();
        if bytes.len() > FILE_BYTES_MAX {
            let message = format!(
                "robots.txt has {} bytes; all after {FILE_BYTES_MAX} are ignored",
                bytes.len()
            );
            robots.problems.push(Problem::new("long robots.txt", message));
        }
        let bytes = &bytes[..bytes.len().min(FILE_BYTES_MAX)];
        if bytes.trim_ascii_start().starts_with(b"<") {
            let message = "robots.txt is a page and no robots.txt; what it allows by accident is taken as allowed";
            robots.problems.push(Problem::new("odd robots.txt", message));
        }
        let mut reading = RobotsParser::default();
        lines(bytes).for_each(|line| reading.take(&mut robots, line));
        robots
    }

    /// Whether an agent may ask for a path, given with its query as URLs write it, and by which
    /// rule.
    pub fn decide(&self, agent: &str, path_and_query: &str) -> Decision {
        let path = if path_and_query.is_empty() { "/" } else { path_and_query };
        let paths = [path.to_owned(), pattern::unescape_plain(path)];
        let mut best: Option<(usize, &Rule)> = None;
        for rule in self.groups_of(agent).flat_map(|group| &group.rules) {
            let Some(length) = matched_length(rule, &paths) else {
                continue;
            };
            let is_better =
                best.is_none_or(|(best_length, best_rule)| (length, rule.allows) > (best_length, best_rule.allows));
            if is_better {
                best = Some((length, rule));
            }
        }
        Decision {
            allowed: best.is_none_or(|(_, rule)| rule.allows),
            rule: best.map(|(_, rule)| DecidingRule {
                line: rule.line,
                text: format!("{}: {}", if rule.allows { "Allow" } else { "Disallow" }, rule.pattern),
            }),
        }
    }

    /// The groups that bind an agent: those that name it, or else those for all.
    fn groups_of<'a>(&'a self, agent: &str) -> impl Iterator<Item = &'a Group> + use<'a> {
        let agent = self.name_for(agent);
        self.groups.iter().filter(move |group| group.agents.contains(&agent))
    }

    /// The name under which an agent is bound: its own where the file has it, or else `*`.
    fn name_for(&self, agent: &str) -> String {
        let agent = agent.to_ascii_lowercase();
        let is_named = self.groups.iter().any(|group| group.agents.contains(&agent));
        if is_named { agent } else { "*".to_owned() }
    }

    /// The pause that the file asks of an agent, in milliseconds; the longest if it names several.
    pub fn crawl_delay(&self, agent: &str) -> Option<u64> {
        let agent = self.name_for(agent);
        let delays = self.delays.iter().filter(|delay| delay.agents.contains(&agent));
        delays.map(|delay| delay.milliseconds).max()
    }

    /// The sitemaps that the file names, as it writes them.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

/// The length of a rule's pattern, if it matches; paths as written and with plain escapes undone.
fn matched_length(rule: &Rule, [path, plain_path]: &[String; 2]) -> Option<usize> {
    let length = rule.pattern.len();
    if length == 0 {
        return None;
    }
    if pattern::matches(&rule.pattern, path) {
        return Some(length);
    }
    match rule.allows {
        true => {
            let folder = index_folder(&rule.pattern)?;
            (path == folder).then_some(folder.len() + 1)
        }
        false if rule.pattern.contains('%') || path != plain_path => {
            pattern::matches(&pattern::unescape_plain(&rule.pattern), plain_path).then_some(length)
        }
        false => None,
    }
}

/// The folder of an index page, which search engines take for the same page.
fn index_folder(pattern: &str) -> Option<&str> {
    let slash = pattern.rfind('/')?;
    pattern[slash + 1..]
        .starts_with("index.htm")
        .then(|| &pattern[..=slash])
}

/// Where the reading of a file stands.
#[derive(Default)]
struct RobotsParser {
    /// Whether a rule came since the last agent, so that the next agent begins a group.
    has_rules: bool,
    /// The agents that a delay is for: unlike rules, delays end a list of agents as well.
    delayed: Vec<String>,
    has_delay: bool,
}

impl RobotsParser {
    fn take(&mut self, robots: &mut Robots, line: Line<'_>) {
        match line.key {
            Key::UserAgent => self.take_agent(robots, line.value),
            Key::Allow | Key::Disallow => {
                self.has_rules = true;
                self.has_delay = true;
                if let Some(group) = robots.groups.last_mut() {
                    group.rules.push(Rule {
                        line: line.number,
                        allows: line.key == Key::Allow,
                        pattern: pattern::escape(line.value),
                    });
                }
            }
            Key::CrawlDelay => {
                self.has_delay = true;
                self.take_delay(robots, line.value);
            }
            Key::Sitemap if !line.value.is_empty() => {
                robots.sitemaps.push(String::from_utf8_lossy(line.value).into_owned());
            }
            Key::Sitemap => {}
        }
    }

    /// Keeps a delay for the agents before it. They move, so that many delays after many agents
    /// cost no more than the file.
    fn take_delay(&mut self, robots: &mut Robots, value: &[u8]) {
        let Some(milliseconds) = read_delay(value) else { return };
        if !self.delayed.is_empty() {
            robots.delays.push(Delay {
                agents: std::mem::take(&mut self.delayed),
                milliseconds,
            });
        } else if let Some(delay) = robots.delays.last_mut() {
            delay.milliseconds = delay.milliseconds.max(milliseconds);
        }
    }

    fn take_agent(&mut self, robots: &mut Robots, value: &[u8]) {
        if self.has_rules || robots.groups.is_empty() {
            robots.groups.push(Group::default());
            self.has_rules = false;
        }
        if self.has_delay {
            self.delayed.clear();
            self.has_delay = false;
        }
        let agent = product_token(value);
        if agent.is_empty() {
            return;
        }
        self.delayed.push(agent.clone());
        let group = robots.groups.last_mut().expect("a group was begun above");
        group.agents.push(agent);
    }
}

/// The name in a `User-agent` line: letters, `-` and `_` up to anything else, or `*`.
fn product_token(value: &[u8]) -> String {
    match value {
        [b'*'] => "*".to_owned(),
        [b'*', next, ..] if next.is_ascii_whitespace() => "*".to_owned(),
        _ => {
            let is_part = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
            let token = value.iter().take_while(is_part);
            token.map(|&byte| char::from(byte.to_ascii_lowercase())).collect()
        }
    }
}

/// Seconds, possibly with a fraction, to milliseconds.
fn read_delay(value: &[u8]) -> Option<u64> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
    let is_sensible = seconds.is_finite() && seconds >= 0.0;
    is_sensible.then(|| (seconds * 1000.0).min(DELAY_MS_MAX).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_decide(file: &str, agent: &str, path: &str, expected: Expect) {
        let decision = Robots::parse(file.as_bytes()).decide(agent, path);
        let rule = decision.rule.map_or("no rule".to_owned(), |rule| rule.to_string());
        expected.assert_eq(&format!("{} by {rule}", decision.allowed));
    }

    #[test]
    fn the_longest_rule_decides() {
        let file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b\nDisallow: /*.pdf$\n";
        check_decide(file, "x", "/", expect!["true by no rule"]);
        check_decide(file, "x", "/a/x", expect!["false by line 2: Disallow: /a"]);
        check_decide(file, "x", "/a/b/c", expect!["true by line 3: Allow: /a/b"]);
        check_decide(file, "x", "/a/b/c.pdf", expect!["false by line 5: Disallow: /*.pdf$"]);
    }

    #[test]
    fn an_agent_has_its_own_groups_or_those_for_all() {
        let file = "User-agent: *\nDisallow: /\n\nUser-agent: A\nDisallow: /x\n\nUser-agent: a/2\nDisallow: /y";
        check_decide(file, "A", "/x", expect!["false by line 5: Disallow: /x"]);
        check_decide(file, "a", "/y", expect!["false by line 8: Disallow: /y"]);
        check_decide(file, "a", "/z", expect!["true by no rule"]);
        check_decide(file, "b", "/z", expect!["false by line 2: Disallow: /"]);
    }

    #[test]
    fn an_escaped_letter_is_forbidden_either_way_and_allowed_as_written() {
        let file = "User-agent: *\nDisallow: /%7Ejo/\nDisallow: /k\nAllow: /%6B";
        check_decide(file, "x", "/~jo/a", expect!["false by line 2: Disallow: /%7Ejo/"]);
        check_decide(file, "x", "/%7ejo/a", expect!["false by line 2: Disallow: /%7Ejo/"]);
        check_decide(file, "x", "/k", expect!["false by line 3: Disallow: /k"]);
    }

    fn check_delay(file: &str, agent: &str, expected: Option<u64>) {
        assert_eq!(Robots::parse(file.as_bytes()).crawl_delay(agent), expected, "{file}");
    }

    #[test]
    fn delays_belong_to_the_agents_before_them() {
        let file = "User-agent: a\nCrawl-delay: 10\nUser-agent: b\nCrawl-delay: 0.5\nDisallow: /";
        check_delay(file, "a", Some(10_000));
        check_delay(file, "b", Some(500));
        check_delay(file, "c", None);
        let together = "User-agent: a\nUser-agent: *\nDisallow: /x\nCrawl-delay: 2\nCrawl-delay: 3";
        check_delay(together, "a", Some(3_000));
        check_delay(together, "z", Some(3_000));
        check_delay("Crawl-delay: 4", "a", None);
        check_delay(
            "User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay: nan",
            "a",
            None,
        );
        check_delay("User-agent: *\nCrawl-delay: 1e300", "a", Some(86_400_000));
    }

    #[test]
    fn strange_files_are_files() {
        let problem = |bytes: &[u8]| Robots::parse(bytes).problems.first().map(|problem| problem.kind);
        assert_eq!(
            problem(b"<!doctype html><p>Disallow: everything"),
            Some("odd robots.txt")
        );
        assert_eq!(problem(&vec![b'a'; 600 << 10]), Some("long robots.txt"));
        assert_eq!(problem(b"Sitemap: x"), None);
        assert_eq!(
            Robots::parse(b"Sitemap: /a.xml\nsite-map: /b.xml\nSitemap:").sitemaps(),
            ["/a.xml", "/b.xml"]
        );
    }
}
