//! The public conformance suites, run when the environment variable `UNTEMPLATE_SUITES` names their
//! folder.
//!
//! Every case passes or is an exception with a reason; an exception that passes is an error too, so
//! that the lists stay true. Cases are named by file and number, since the suites themselves stay
//! outside this repository.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

mod tokenizer;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of one suite, or `None` with a word about it.
pub(crate) fn suite_folder(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("UNTEMPLATE_SUITES") else {
        eprintln!("suite {name}: skipped, since UNTEMPLATE_SUITES is not set");
        return None;
    };
    Some(Path::new(&folder).join(name))
}

/// The files of a folder that end so, by name, and their content.
pub(crate) fn suite_files(folder: &Path, ending: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a folder can be listed"))
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(ending))
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                fs::read(entry.path()).expect("a file can be read"),
            )
        })
        .collect();
    files.sort();
    files
}

/// A case that is known to differ: file, number from 0, reason.
pub(crate) type Exception = (&'static str, usize, &'static str);

/// How a suite went.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    total: usize,
    failures: Vec<String>,
    excepted: Vec<Exception>,
}

impl Tally {
    /// Counts a case; `failure` says what was wrong with it.
    pub(crate) fn count(&mut self, file: &str, number: usize, failure: Option<String>, exceptions: &[Exception]) {
        self.total += 1;
        let exception = exceptions
            .iter()
            .find(|(its_file, its_number, _)| (*its_file, *its_number) == (file, number));
        match (failure, exception) {
            (None, None) => self.passed += 1,
            (Some(_), Some(exception)) => self.excepted.push(*exception),
            (None, Some(_)) => self
                .failures
                .push(format!("{file} {number}: passes now, so strike it off the exceptions")),
            (Some(failure), None) => self.failures.push(format!("{file} {number}: {failure}")),
        }
    }

    /// Prints the figures and fails if a case did.
    pub(crate) fn close(self, name: &str) {
        let n_exceptions = self.excepted.len();
        eprintln!(
            "suite {name}: {} of {} ({n_exceptions} listed exceptions)",
            self.passed, self.total
        );
        for (file, number, reason) in &self.excepted {
            eprintln!("  exception {file} {number}: {reason}");
        }
        let shown: Vec<&String> = self.failures.iter().take(20).collect();
        assert!(
            self.failures.is_empty(),
            "{} cases of {name} fail: {shown:#?}",
            self.failures.len()
        );
    }
}
