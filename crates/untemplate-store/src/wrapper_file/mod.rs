//! Wrapper files: wrappers as JSON that a person can read and edit.
//!
//! `{"version": 1, "kind": "template", …}` is a template, `"kind": "expressions"` the paper's
//! expressions, `"kind": "reading"` what `rebuild` and `report` read a class by. Another kind is
//! another way to read pages, and has keys of its own; a program that does not know the version or
//! the kind says so instead of guessing. `docs/infer.md` describes every key.

mod expressions;
mod profile;
mod reading;
mod template;
mod wrapper;

pub use wrapper::{Extractor, Wrapper};

use serde_json::Value;

/// The version of wrapper files that this program writes.
const VERSION: u64 = 1;

/// Why a wrapper file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WrapperFileError {
    /// It is no JSON.
    #[error("it is no JSON ({0}); give a file that `infer` wrote")]
    Json(#[from] serde_json::Error),
    /// It was written by a later program, or is something else.
    #[error("it is a wrapper of kind {kind} and version {version}, which this program does not know; infer it again")]
    Unknown {
        /// What the file says.
        kind: String,
        /// What the file says.
        version: String,
    },
    /// A part is not as it must be.
    #[error("part {part}: {what}; undo the last edit of the file, or infer it again")]
    Part {
        /// The number of the part.
        part: usize,
        /// What is wrong.
        what: String,
    },
}

/// Writes a wrapper.
pub fn write_wrapper(wrapper: &Wrapper) -> String {
    match wrapper {
        Wrapper::Template(template) => template::write(template),
        Wrapper::Expressions(set) => expressions::write(set),
        Wrapper::Reading(reading) => reading::write(reading),
    }
}

/// Reads a wrapper.
pub fn read_wrapper(text: &str) -> Result<Wrapper, WrapperFileError> {
    let file: Value = serde_json::from_str(text)?;
    match file["kind"].as_str().filter(|_| file["version"] == VERSION) {
        Some("template") => template::read(&file).map(Wrapper::Template),
        Some("expressions") => expressions::read(&file).map(Wrapper::Expressions),
        Some("reading") => reading::read(&file).map(|reading| Wrapper::Reading(Box::new(reading))),
        _ => {
            let show = |key: &str| file.get(key).map_or("unknown".to_owned(), Value::to_string);
            Err(WrapperFileError::Unknown {
                kind: show("kind"),
                version: show("version"),
            })
        }
    }
}

#[cfg(test)]
mod tests;
