//! What keeps a page from being rendered.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a page could not be rendered, or no page can.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// There is no browser on this machine, as far as we see.
    #[error(
        "rendering needs Chromium, and none of {tried} is on the PATH; install it (Debian: apt install chromium) or name it with --browser"
    )]
    NoBrowser {
        /// The names that were tried.
        tried: String,
    },
    /// The browser did not start.
    #[error("cannot start {}: {cause}; run it by hand to see why, or name another with --browser", browser.display())]
    NotStarted {
        /// The program.
        browser: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The browser is gone.
    #[error("the browser ended without a word; run it by hand to see why, or name another with --browser")]
    Gone,
    /// A page kept the browser busy for too long.
    #[error("the page was not rendered within {limit:?}; its scripts may never end: allow more with --render-seconds")]
    Timeout {
        /// The time allowed.
        limit: Duration,
    },
    /// What the page's scripts want is not asked for any more: a limit was reached, or somebody
    /// said stop.
    #[error("no more pages are rendered: a limit was reached, or the run was interrupted; the same command goes on")]
    Stopped,
    /// The browser refused a command.
    #[error("the browser refused {method}: {reason}; a newer Chromium may do better")]
    Refused {
        /// The command.
        method: &'static str,
        /// What it said.
        reason: String,
    },
}

impl RenderError {
    /// Whether the browser must be started again before the next page.
    pub fn breaks_browser(&self) -> bool {
        matches!(self, Self::Gone | Self::Timeout { .. } | Self::Refused { .. })
    }
}
