//! What a rule found: where, what, and what to do about it.

use std::fmt;

/// Does a finding fail the command?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Stop,
    Warn,
}

/// One thing that breaks a rule. Sorted by place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub path: String,
    /// Starts at 1; 0 when the file as a whole is meant.
    pub line: usize,
    pub level: Level,
    pub what: String,
    /// What to do about it.
    pub advice: String,
}

impl Finding {
    /// A finding that fails the command.
    pub fn stop(path: &str, line: usize, what: impl Into<String>, advice: &str) -> Finding {
        Finding {
            path: path.to_owned(),
            line,
            level: Level::Stop,
            what: what.into(),
            advice: advice.to_owned(),
        }
    }

    /// A finding that is only shown.
    pub fn warn(path: &str, line: usize, what: impl Into<String>, advice: &str) -> Finding {
        Finding {
            level: Level::Warn,
            ..Finding::stop(path, line, what, advice)
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.level == Level::Warn { "warning: " } else { "" };
        write!(
            formatter,
            "{}:{}: {level}{}: {}",
            self.path,
            self.line.max(1),
            self.what,
            self.advice
        )
    }
}

/// Runs one rule on files made up by a test and compares all that it prints.
#[cfg(test)]
pub fn check_rule(rule: fn(&super::Tree) -> Vec<Finding>, files: &[(&str, &str)], expected: expect_test::Expect) {
    let mut findings = rule(&super::tree::of_texts(files));
    findings.sort();
    let shown: String = findings.iter().map(|finding| format!("{finding}\n")).collect();
    expected.assert_eq(&shown);
}
