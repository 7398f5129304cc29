//! Politeness from the command line: how hosts are treated, as options of the crawler.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use untemplate_crawl::{
    ClientOptions, CrawlLimits, CrawlOptions, Deadlines, ScheduleOptions, UrlRules, now, read_netscape_cookies,
};
use untemplate_studio::archive_name;
use url::Url;

use crate::arguments::{LimitArguments, PolitenessArguments};
use crate::outcome::WrongUsage;

/// The name that robots.txt files know the program by.
pub const AGENT: &str = "untemplate";

/// A crawl with these politeness and limits, of the entry's host, with nothing left out.
pub fn crawl_options(politeness: &PolitenessArguments, limits: &LimitArguments, entry: Url) -> Result<CrawlOptions> {
    let milliseconds = |seconds: u64| i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
    Ok(CrawlOptions {
        agent: AGENT.to_owned(),
        obeys_robots: !politeness.no_robots,
        schedule: schedule(politeness)?,
        client: client(politeness, &entry)?,
        url_rules: url_rules(politeness)?,
        workers_max: usize::from(politeness.workers),
        patience_ms: patience_ms(politeness)?,
        limits: CrawlLimits {
            pages_max: limits.max_pages,
            bytes_max: limits.max_bytes,
            time_max_ms: limits.max_time.map(milliseconds),
        },
        ..CrawlOptions::of(entry)
    })
}

/// Deadlines with another time for a whole answer.
pub fn deadlines(timeout: f64) -> Result<Deadlines> {
    let total = seconds_of("--timeout", timeout)?;
    let usual = Deadlines::default();
    Ok(Deadlines {
        connect: usual.connect.min(total),
        first_byte: total,
        total,
        rate_window: usual.rate_window.min(total),
        ..usual
    })
}

/// The longest time that one thing may be given: a day.
const SECONDS_MAX: f64 = 86_400.0;

/// The time that an option gives; none is refused as a day and more are.
pub fn seconds_of(option: &str, seconds: f64) -> Result<Duration> {
    let is_good = seconds > 0.0 && seconds <= SECONDS_MAX;
    let wrong = || {
        WrongUsage(format!(
            "{option} {seconds}: give seconds, more than 0 and up to {SECONDS_MAX}"
        ))
    };
    is_good
        .then(|| Duration::try_from_secs_f64(seconds).ok())
        .flatten()
        .ok_or_else(|| anyhow!(wrong()))
}

/// Where the pages of a live site are kept by default.
pub fn default_folder(entry: &Url) -> PathBuf {
    Path::new("untemplate-archive").join(archive_name(entry))
}

fn patience_ms(politeness: &PolitenessArguments) -> Result<i64> {
    match politeness.patience {
        seconds if (0.0..=SECONDS_MAX).contains(&seconds) => Ok((seconds * 1_000.0) as i64),
        seconds => Err(anyhow!(WrongUsage(format!(
            "--patience {seconds}: give seconds from 0 to {SECONDS_MAX}"
        )))),
    }
}

fn schedule(politeness: &PolitenessArguments) -> Result<ScheduleOptions> {
    if !politeness.delay.is_finite() || !(0.0..=86_400.0).contains(&politeness.delay) {
        return Err(anyhow!(WrongUsage(format!(
            "--delay {}: give seconds from 0 to 86400",
            politeness.delay
        ))));
    }
    let delay_ms = (politeness.delay * 1_000.0) as i64;
    let options = if delay_ms == 0 {
        ScheduleOptions::without_delay()
    } else {
        ScheduleOptions::default()
    };
    Ok(ScheduleOptions { delay_ms, ..options })
}

/// How requests are made.
pub fn client(politeness: &PolitenessArguments, entry: &Url) -> Result<ClientOptions> {
    let header = |text: &String| {
        let parts = text
            .split_once(':')
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        parts.ok_or_else(|| {
            anyhow!(WrongUsage(format!(
                "--header {text:?} has no colon; write 'NAME: VALUE'"
            )))
        })
    };
    let user_agent = politeness.user_agent.clone();
    Ok(ClientOptions {
        saved_cookies: politeness
            .cookies
            .as_deref()
            .map(cookies)
            .transpose()?
            .unwrap_or_default(),
        user_agent: user_agent
            .unwrap_or_else(|| user_agent_of(env!("CARGO_PKG_REPOSITORY"), politeness.contact.as_deref())),
        headers: politeness.header.iter().map(header).collect::<Result<_>>()?,
        home: Some(entry.clone()),
        public_only: politeness.public_only,
        ..ClientOptions::default()
    })
}

/// The cookies of a file, as a client takes them.
fn cookies(file: &Path) -> Result<String> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read the cookies in {name}"))?;
    let wrong = |error| {
        WrongUsage(format!(
            "--cookies {name}: {error}; export them from a browser as cookies.txt"
        ))
    };
    let read = read_netscape_cookies(&text, now()).map_err(wrong)?;
    if read.n_cookies == 0 {
        let why = match read.n_ended {
            0 => "it has no cookies",
            _ => "all its cookies have ended; log in again",
        };
        return Err(anyhow!(WrongUsage(format!("--cookies {name}: {why}"))));
    }
    Ok(read.saved)
}

/// The program, where it is explained, and whom to write to.
fn user_agent_of(page: &str, contact: Option<&str>) -> String {
    let page = Some(page)
        .filter(|page| !page.is_empty())
        .map(|page| format!("+{page}"));
    let parts: Vec<String> = page.into_iter().chain(contact.map(str::to_owned)).collect();
    let version = env!("CARGO_PKG_VERSION");
    match parts.is_empty() {
        true => format!("{AGENT}/{version}"),
        false => format!("{AGENT}/{version} ({})", parts.join("; ")),
    }
}

fn url_rules(politeness: &PolitenessArguments) -> Result<UrlRules> {
    let mut rules = if politeness.keep_parameters {
        UrlRules::none()
    } else {
        UrlRules::default()
    };
    let changes = politeness.keep_parameter.iter().map(|name| format!("-{name}"));
    for change in changes.chain(politeness.strip_parameter.iter().map(|name| format!("+{name}"))) {
        let changed = rules.changed(&change);
        rules = changed.map_err(|error| anyhow!(WrongUsage(error.to_string())))?;
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_says_who_and_where() {
        let version = env!("CARGO_PKG_VERSION");
        let check = |page: &str, contact: Option<&str>, expected: &str| {
            assert_eq!(user_agent_of(page, contact), format!("untemplate/{version}{expected}"));
        };
        check("", None, "");
        check("https://site.example/x", None, " (+https://site.example/x)");
        check(
            "https://site.example/x",
            Some("me@site.example"),
            " (+https://site.example/x; me@site.example)",
        );
        check("", Some("me@site.example"), " (me@site.example)");
    }

    #[test]
    fn times_are_within_a_day() {
        for bad in [0.0, -1.0, 1e15, 1e18, f64::NAN, f64::INFINITY] {
            assert!(seconds_of("--timeout", bad).is_err(), "{bad}");
        }
        let half = seconds_of("--timeout", 0.5).expect("half a second");
        assert_eq!(half, Duration::from_millis(500));
    }

    #[test]
    fn folders_of_hosts() {
        let folder = |url: &str| default_folder(&url.parse().expect("an address"));
        assert_eq!(folder("http://a.example/x"), Path::new("untemplate-archive/a.example"));
        assert_eq!(
            folder("http://127.0.0.1:81/"),
            Path::new("untemplate-archive/127.0.0.1-81")
        );
        assert_eq!(folder("http://../"), Path::new("untemplate-archive/site"));
        assert_eq!(folder("http://[::1]:81/"), Path::new("untemplate-archive/1-81"));
    }
}
