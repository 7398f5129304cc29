//! The program under test, run and measured: CPU seconds and the most memory it had, as the kernel
//! tells of it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a run cost.
pub struct Run {
    pub code: Option<i32>,
    pub cpu_seconds: f64,
    pub memory_mb: f64,
    /// The last line it said.
    pub said: String,
}

/// The kernel counts CPU time in hundredths of a second for its readers, on every architecture.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs the command; where the kernel tells nothing, the figures are zero.
pub fn measured(command: &mut Command, log: &Path) -> Result<Run, String> {
    let file = std::fs::File::create(log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    let also = file.try_clone().map_err(|error| error.to_string())?;
    let child = command.stdin(Stdio::null()).stdout(file).stderr(also).spawn();
    let mut child = child.map_err(|error| format!("cannot run {}: {error}", command.get_program().display()))?;
    let folder = format!("/proc/{}", child.id());
    let (mut cpu_seconds, mut memory_mb) = (0.0, 0.0);
    loop {
        let status = std::fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
        if let Some(kilobytes) = number_after(&status, "VmHWM:") {
            memory_mb = kilobytes / 1024.0;
        }
        let stat = std::fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        let (state, ticks) = state_and_ticks(&stat);
        cpu_seconds = ticks.map_or(cpu_seconds, |ticks| ticks / TICKS_PER_SECOND);
        // An ended process keeps its times until it is waited for.
        if matches!(state, Some('Z') | None) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let said = text.trim().lines().last().unwrap_or_default().to_owned();
    Ok(Run {
        code: status.code(),
        cpu_seconds,
        memory_mb,
        said,
    })
}

fn number_after(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The state of a process and the ticks it used, from its `stat`: the fields behind the name, which
/// stands in parentheses.
fn state_and_ticks(stat: &str) -> (Option<char>, Option<f64>) {
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace()
        .collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok());
    let state = fields.first().and_then(|field| field.chars().next());
    (state, number(11).zip(number(12)).map(|(user, system)| user + system))
}

/// A figure of the summary file of a run.
pub fn summary_figure(file: &Path, key: &str) -> Option<f64> {
    let text = std::fs::read_to_string(file).ok()?;
    let summary: Value = serde_json::from_str(&text).ok()?;
    summary.get(key)?.as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_tells_is_read() {
        let stat = "17 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0";
        assert_eq!(state_and_ticks(stat), (Some('S'), Some(200.0)));
        assert_eq!(state_and_ticks(""), (None, None));
        assert_eq!(number_after("A: 1 kB\nVmHWM:\t 2048 kB\n", "VmHWM:"), Some(2048.0));
    }
}
