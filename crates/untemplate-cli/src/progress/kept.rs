//! How far a run is, in a file for whoever started it: the studio, whose figures of a crawl know
//! nothing of what is read from a mirror. The environment names the file.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The variable that names the file.
const FILE: &str = "UNTEMPLATE_PROGRESS_FILE";

/// How often it is written.
const EVERY: Duration = Duration::from_millis(500);

/// The file, where somebody wants one.
pub(super) struct KeptProgress {
    file: Option<PathBuf>,
    written: Option<Instant>,
}

impl KeptProgress {
    pub(super) fn wanted() -> Self {
        Self {
            file: std::env::var_os(FILE).map(PathBuf::from),
            written: None,
        }
    }

    /// Writes how far it is, unless it was written just now and this is no news. A file that cannot
    /// be written is no reason to end a run.
    pub(super) fn keep(&mut self, is_news: bool, status: impl FnOnce() -> Value) {
        let Some(file) = &self.file else { return };
        if !is_news && self.written.is_some_and(|written| written.elapsed() < EVERY) {
            return;
        }
        self.written = Some(Instant::now());
        let _ = fs::write(file, status().to_string());
    }
}
