//! Standard error: messages and progress share it, in one voice.
//!
//! On a terminal, progress is a bar on the last line, and messages stand above it. Elsewhere both
//! are lines. With `--log json` each is a JSON object on a line of its own.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use untemplate_crawl::now;
use untemplate_store::moment_text;

use crate::arguments::LogKind;

/// How messages are written; text until it is set.
static LOG: OnceLock<LogKind> = OnceLock::new();

/// The bar that is on the terminal now.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// How often the bar moves when nothing happens, so that one sees that it is alive.
const TICK: Duration = Duration::from_millis(120);

/// Decides how messages are written, once.
pub fn set_log(kind: Option<LogKind>) {
    let _ = LOG.set(kind.unwrap_or(LogKind::Text));
}

/// Whether messages and progress are JSON.
pub fn is_json() -> bool {
    LOG.get() == Some(&LogKind::Json)
}

/// Whether progress is a bar.
pub fn has_bar() -> bool {
    stderr().is_terminal() && !is_json()
}

/// A bar that a panic left behind is as good as any.
fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the bar, so that something else can be written.
pub fn clear_progress() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

/// Writes to standard output; on a terminal without the bar in between.
pub fn suspended<T>(write: impl FnOnce() -> T) -> T {
    match shown().as_ref() {
        Some(bar) if stdout().is_terminal() => bar.suspend(write),
        _ => write(),
    }
}

/// Writes a message above the bar, if there is one; `event` is what programs are told that it is.
pub fn write_message(event: &str, text: &str) {
    let line = match is_json() {
        true => json_line(event, &json!({ "text": text })),
        false => format!("untemplate: {text}\n"),
    };
    // Nobody listening is no reason to stop.
    let write = || drop(stderr().write_all(line.as_bytes()));
    match shown().as_ref() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Writes an object of the log, with what it is and when it was.
pub fn write_event(event: &str, more: &Value) {
    let _ = stderr().write_all(json_line(event, more).as_bytes());
}

fn json_line(event: &str, more: &Value) -> String {
    let mut object = json!({ "event": event, "time": moment_text(now()) });
    for (name, value) in more.as_object().into_iter().flatten() {
        object[name.as_str()] = value.clone();
    }
    format!("{object}\n")
}

/// What the bar shows.
pub struct BarLine<'a> {
    /// What is going on, in a word.
    pub name: &'a str,
    /// How far it is: done, and of how many; `None` where nobody knows.
    pub share: Option<(u64, u64)>,
    /// The figures.
    pub text: &'a str,
}

/// Draws the bar.
pub fn draw(line: &BarLine<'_>) {
    let mut shown = shown();
    let is_new = shown.is_none();
    let new = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let bar = shown.get_or_insert_with(new);
    let template = match line.share {
        Some(_) => "[{bar:20}] {msg}",
        None => "{spinner} {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    // Every change is drawn: the text comes in one piece, so that no line has half of another one.
    bar.set_message(format!("{}: {}", line.name, line.text));
    bar.set_style(style.progress_chars("=> ").tick_chars("|/-\\ "));
    if let Some((done, of)) = line.share {
        bar.update(|state| {
            state.set_len(of.max(1));
            state.set_pos(done.min(of));
        });
    }
    if is_new {
        bar.enable_steady_tick(TICK);
    }
}
