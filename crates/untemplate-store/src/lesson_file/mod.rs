//! Lesson files: what a person said about a site, choice by choice, as JSON.
//!
//! The file is written whole or not at all after every choice, so that a reload, a crash or a
//! restart loses none. It has a version; one that a newer program wrote is refused.
//!
//! ```
//! use untemplate::teach::Choice;
//! use untemplate_store::{LessonFile, lesson_text, parse_lesson};
//! let lesson = LessonFile {
//!     entry: "http://cup.example/".parse().expect("a good address"),
//!     choices: vec![Choice::RemoveNavigation { id: "NEXT".to_owned() }],
//! };
//! assert_eq!(parse_lesson(&lesson_text(&lesson)).expect("it was just written"), lesson);
//! ```

mod conversion;
mod stored;
mod stored_rows;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use untemplate::teach::Choice;
use url::Url;

use stored::{StoredChoice, StoredLesson};

use crate::write_whole;

/// The version that is written, and the newest that is read.
///
/// 2: values may have the places that were clicked. 3: rows, several fields at a time,
/// names, order, rules by hand and clean-ups of fields.
const VERSION: u32 = 3;

/// Bytes of a lesson at most: nobody clicks that much.
const BYTES_MAX: u64 = 16 << 20;

/// What is stored of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonFile {
    /// Where teaching begins.
    pub entry: Url,
    /// What was said, in order.
    pub choices: Vec<Choice>,
}

/// Why a lesson cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum LessonFileError {
    /// The file cannot be read.
    #[error("cannot read the lesson {file}: {source}; check the path, or name another file")]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot keep the lesson in {file}: {source}; check that its folder may be written to and has room")]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another program wrote it meanwhile.
    #[error(
        "the lesson {file} was changed by another program meanwhile, and was left alone; end one of the two, and open it again"
    )]
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// It is something else.
    #[error("{file} is no lesson: {reason}; name another file, or remove this one to begin anew")]
    Wrong {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads a lesson; `None` when there is no such file yet.
pub fn read_lesson(file: &Path) -> Result<Option<LessonFile>, LessonFileError> {
    let unreadable = |source| LessonFileError::Read {
        file: file.to_owned(),
        source,
    };
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) if metadata.len() > BYTES_MAX => return Err(unreadable(io::ErrorKind::FileTooLarge.into())),
        Ok(_) => {}
    }
    let text = fs::read_to_string(file).map_err(unreadable)?;
    parse_lesson(&text).map(Some).map_err(|reason| LessonFileError::Wrong {
        file: file.to_owned(),
        reason,
    })
}

/// Keeps a lesson: the file is the old one or the new one, never a part.
pub fn write_lesson(file: &Path, lesson: &LessonFile) -> Result<(), LessonFileError> {
    write_whole(file, lesson_text(lesson).as_bytes()).map_err(|source| LessonFileError::Write {
        file: file.to_owned(),
        source,
    })
}

/// Keeps a lesson in the place of the one that was seen there; `None` where there was none. A file
/// that changed meanwhile stays as it is.
pub fn rewrite_lesson(file: &Path, seen: Option<&LessonFile>, lesson: &LessonFile) -> Result<(), LessonFileError> {
    let there = read_lesson(file)?;
    // A lesson in which nothing is said is as good as none.
    let said = there.as_ref().filter(|there| !there.choices.is_empty());
    if said != seen.filter(|seen| !seen.choices.is_empty()) {
        return Err(LessonFileError::Changed { file: file.to_owned() });
    }
    write_lesson(file, lesson)
}

/// The text of a lesson file.
pub fn lesson_text(lesson: &LessonFile) -> String {
    let stored = StoredLesson {
        version: VERSION,
        entry: lesson.entry.to_string(),
        choices: lesson.choices.iter().map(StoredChoice::from).collect(),
    };
    let mut text = serde_json::to_string_pretty(&stored).expect("texts and lists of them are JSON");
    text.push('\n');
    text
}

/// Reads the text of a lesson file; the error says what is wrong.
pub fn parse_lesson(text: &str) -> Result<LessonFile, String> {
    let stored: StoredLesson = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if stored.version > VERSION {
        return Err(format!(
            "it has version {}, and this program reads up to {VERSION}",
            stored.version
        ));
    }
    let entry = Url::parse(&stored.entry).map_err(|error| format!("its entry {:?}: {error}", stored.entry))?;
    let choices = stored
        .choices
        .into_iter()
        .map(Choice::try_from)
        .collect::<Result<_, String>>()?;
    Ok(LessonFile { entry, choices })
}

#[cfg(test)]
mod tests;
