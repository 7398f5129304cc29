//! Notices: whoever waits for a run is told when there is something to tell: the site has changed
//! so that rules no longer hold, the run failed or is a part of the whole, or rows are different
//! from those of the run before.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use untemplate_crawl::{ClientOptions, post_json};
use url::Url;

use crate::output::complain;

/// Calls a command or an address with the summary of a run, if it has something to tell. A notice
/// that cannot be given is said, and changes nothing about the run.
pub fn notify(target: &str, summary: &Value) {
    let Some(about) = told_of(summary) else { return };
    let mut notice = summary.clone();
    notice["notice"] = Value::from(about);
    if let Err(error) = give(target, &notice) {
        complain(&format!("the notice could not be given: {error:#}"));
    }
}

/// What there is to tell of a run; `None` for one that is complete and has brought nothing new.
fn told_of(summary: &Value) -> Option<String> {
    let first = |name: &str| {
        summary[name]
            .get(0)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let with = |text: &str, more: String| match more.is_empty() {
        true => text.to_owned(),
        false => format!("{text}: {more}"),
    };
    match summary["exit_code"].as_u64() {
        Some(4) => return Some(with("the site has changed", first("drift"))),
        Some(3) => return Some(with("done in part", first("partial_because"))),
        Some(5) => return Some("nothing was found".to_owned()),
        Some(130) => return None,
        Some(0) => {}
        _ => {
            return Some(with(
                "the run failed",
                summary["error"].as_str().unwrap_or_default().to_owned(),
            ));
        }
    }
    let count = |name: &str| summary["changes"][name].as_u64().unwrap_or(0);
    let [added, changed, vanished] = ["added", "changed", "vanished"].map(count);
    (added + changed + vanished > 0)
        .then(|| format!("rows since the last run: {added} added, {changed} changed, {vanished} vanished"))
}

fn give(target: &str, notice: &Value) -> Result<()> {
    let text = format!("{notice}\n");
    let address = Url::parse(target)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    if let Some(url) = address {
        return post_json(&url, text.as_bytes(), &ClientOptions::default())
            .map_err(|why| anyhow::anyhow!("{target}: {why}"));
    }
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.args([flag, target]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut process = command.spawn().with_context(|| format!("{target} cannot be started"))?;
    if let Some(mut input) = process.stdin.take() {
        // A command that does not read what it is told is none the worse.
        let _ = input.write_all(text.as_bytes());
    }
    let status = process.wait()?;
    if !status.success() {
        bail!("{target} ended with {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_new_is_told() {
        let check = |summary: Value, expected: Option<&str>| assert_eq!(told_of(&summary).as_deref(), expected);
        check(json!({"exit_code": 0}), None);
        check(
            json!({"exit_code": 0, "changes": {"added": 0, "changed": 0, "vanished": 0}}),
            None,
        );
        check(json!({"exit_code": 130, "partial_because": ["interrupted"]}), None);
        check(
            json!({"exit_code": 0, "changes": {"added": 2, "changed": 0, "vanished": 1}}),
            Some("rows since the last run: 2 added, 0 changed, 1 vanished"),
        );
        check(
            json!({"exit_code": 4, "drift": ["no price"]}),
            Some("the site has changed: no price"),
        );
        check(
            json!({"exit_code": 1, "error": "no host"}),
            Some("the run failed: no host"),
        );
    }
}
