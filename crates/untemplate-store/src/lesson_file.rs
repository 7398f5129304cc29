//! Lesson files: what a person said about a site, choice by choice, as JSON.
//!
//! The file is written whole or not at all after every choice, so that a reload, a crash or a restart loses none. It has a version; one that a newer program wrote is refused.
//!
//! ```
//! use untemplate::teach::Choice;
//! use untemplate_store::{LessonFile, lesson_text, parse_lesson};
//! let lesson = LessonFile {
//!     entry: "http://cup.example/".parse().expect("a good address"),
//!     choices: vec![Choice::RemoveWay { id: "NEXT".to_owned() }],
//! };
//! assert_eq!(parse_lesson(&lesson_text(&lesson)).expect("it was just written"), lesson);
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use untemplate::page::{Method, Request};
use untemplate::teach::{Choice, FieldChoice, LessonAnswer, LessonExample, Values};
use url::Url;

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;

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

/// Writes a file whole or not at all, and its folder first if need be.
pub fn write_whole(file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(content)?;
    fresh.as_file().sync_all()?;
    fresh.persist(file)?;
    Ok(())
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

#[derive(Serialize, Deserialize)]
struct StoredLesson {
    version: u32,
    entry: String,
    choices: Vec<StoredChoice>,
}

/// A choice, as the file has it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "snake_case", deny_unknown_fields)]
enum StoredChoice {
    Follow {
        id: String,
        from: String,
        page: usize,
        clicked: Vec<String>,
        rule: String,
        to: String,
        sample: Vec<StoredRequest>,
    },
    Submit {
        id: String,
        from: String,
        page: usize,
        form: String,
        fields: Vec<StoredField>,
        to: String,
        sample: Vec<StoredRequest>,
    },
    Show {
        class: String,
        field: String,
        page: usize,
        value: String,
    },
    Answer {
        class: String,
        field: String,
        page: usize,
        values: Option<Vec<String>>,
    },
    LeaveOut {
        class: String,
        field: String,
        rule: String,
    },
    Swap {
        id: String,
        rule: String,
    },
    More {
        class: String,
        sample: Vec<StoredRequest>,
    },
    RemoveField {
        class: String,
        field: String,
    },
    RemoveWay {
        id: String,
    },
}

/// A request: its address, and what is posted there.
#[derive(Serialize, Deserialize)]
struct StoredRequest {
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    post: Option<String>,
}

/// What a field of a form is given: one value, several, or each that the page offers.
#[derive(Serialize, Deserialize)]
struct StoredField {
    name: String,
    values: StoredValues,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredValues {
    Constant(String),
    Listed(Vec<String>),
    Options,
    Omitted,
}

impl From<&Choice> for StoredChoice {
    fn from(choice: &Choice) -> Self {
        match choice.clone() {
            Choice::Follow {
                id,
                from,
                page,
                clicked,
                rule,
                to,
                sample,
            } => {
                let clicked = clicked.iter().map(Url::to_string).collect();
                let sample = stored_requests(&sample);
                Self::Follow {
                    id,
                    from,
                    page,
                    clicked,
                    rule,
                    to,
                    sample,
                }
            }
            Choice::Submit {
                id,
                from,
                page,
                form,
                fields,
                to,
                sample,
            } => {
                let (fields, sample) = (fields.into_iter().map(stored_field).collect(), stored_requests(&sample));
                Self::Submit {
                    id,
                    from,
                    page,
                    form,
                    fields,
                    to,
                    sample,
                }
            }
            Choice::Show {
                class,
                example: LessonExample { field, page, value },
            } => Self::Show {
                class,
                field,
                page,
                value,
            },
            Choice::Answer {
                class,
                answer: LessonAnswer { field, page, values },
            } => Self::Answer {
                class,
                field,
                page,
                values,
            },
            Choice::LeaveOut { class, field, rule } => Self::LeaveOut { class, field, rule },
            Choice::Swap { id, rule } => Self::Swap { id, rule },
            Choice::More { class, sample } => Self::More {
                class,
                sample: stored_requests(&sample),
            },
            Choice::RemoveField { class, field } => Self::RemoveField { class, field },
            Choice::RemoveWay { id } => Self::RemoveWay { id },
        }
    }
}

impl TryFrom<StoredChoice> for Choice {
    type Error = String;

    fn try_from(stored: StoredChoice) -> Result<Self, String> {
        Ok(match stored {
            StoredChoice::Follow {
                id,
                from,
                page,
                clicked,
                rule,
                to,
                sample,
            } => {
                let clicked = clicked.iter().map(|url| address(url)).collect::<Result<_, _>>()?;
                let sample = requests(sample)?;
                Self::Follow {
                    id,
                    from,
                    page,
                    clicked,
                    rule,
                    to,
                    sample,
                }
            }
            StoredChoice::Submit {
                id,
                from,
                page,
                form,
                fields,
                to,
                sample,
            } => {
                let (fields, sample) = (fields.into_iter().map(field_choice).collect(), requests(sample)?);
                Self::Submit {
                    id,
                    from,
                    page,
                    form,
                    fields,
                    to,
                    sample,
                }
            }
            StoredChoice::Show {
                class,
                field,
                page,
                value,
            } => Self::Show {
                class,
                example: LessonExample { field, page, value },
            },
            StoredChoice::Answer {
                class,
                field,
                page,
                values,
            } => Self::Answer {
                class,
                answer: LessonAnswer { field, page, values },
            },
            StoredChoice::LeaveOut { class, field, rule } => Self::LeaveOut { class, field, rule },
            StoredChoice::Swap { id, rule } => Self::Swap { id, rule },
            StoredChoice::More { class, sample } => Self::More {
                class,
                sample: requests(sample)?,
            },
            StoredChoice::RemoveField { class, field } => Self::RemoveField { class, field },
            StoredChoice::RemoveWay { id } => Self::RemoveWay { id },
        })
    }
}

fn stored_requests(requests: &[Request]) -> Vec<StoredRequest> {
    let stored = |request: &Request| StoredRequest {
        url: request.url.to_string(),
        post: (request.method == Method::Post).then(|| String::from_utf8_lossy(&request.body).into_owned()),
    };
    requests.iter().map(stored).collect()
}

fn requests(stored: Vec<StoredRequest>) -> Result<Vec<Request>, String> {
    let request = |stored: StoredRequest| {
        let url = address(&stored.url)?;
        Ok(match stored.post {
            None => Request::get(url),
            Some(body) => Request {
                method: Method::Post,
                url,
                body: body.into_bytes(),
            },
        })
    };
    stored.into_iter().map(request).collect()
}

fn address(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|error| format!("the address {text:?}: {error}"))
}

fn stored_field(field: FieldChoice) -> StoredField {
    let values = match field.values {
        Values::Constant(value) => StoredValues::Constant(value),
        Values::Listed(values) => StoredValues::Listed(values),
        Values::Options => StoredValues::Options,
        Values::Omitted => StoredValues::Omitted,
    };
    StoredField {
        name: field.name,
        values,
    }
}

fn field_choice(stored: StoredField) -> FieldChoice {
    let values = match stored.values {
        StoredValues::Constant(value) => Values::Constant(value),
        StoredValues::Listed(values) => Values::Listed(values),
        StoredValues::Options => Values::Options,
        StoredValues::Omitted => Values::Omitted,
    };
    FieldChoice {
        name: stored.name,
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson() -> LessonFile {
        let entry: Url = "http://shop.example/".parse().expect("a good address");
        let class = || "ITEM".to_owned();
        let post = Request {
            method: Method::Post,
            url: entry.clone(),
            body: b"kind=a".to_vec(),
        };
        let field = |name: &str, values| FieldChoice {
            name: name.to_owned(),
            values,
        };
        let text = |text: &str| text.to_owned();
        let choices = vec![
            Choice::Follow {
                id: text("TO"),
                from: text("HOME"),
                page: 0,
                clicked: vec![entry.clone()],
                rule: text("ABSOLUTE //a/@href"),
                to: class(),
                sample: vec![Request::get(entry.clone()), post],
            },
            Choice::Submit {
                id: text("FIND"),
                from: text("HOME"),
                page: 0,
                form: text("//form"),
                fields: vec![
                    field("a", Values::Options),
                    field("b", Values::Constant(text("x"))),
                    field("c", Values::Listed(vec![text("y")])),
                    field("d", Values::Omitted),
                ],
                to: class(),
                sample: Vec::new(),
            },
            Choice::Show {
                class: class(),
                example: LessonExample {
                    field: text("price"),
                    page: 1,
                    value: text("$ 9"),
                },
            },
            Choice::Answer {
                class: class(),
                answer: LessonAnswer {
                    field: text("price"),
                    page: 2,
                    values: None,
                },
            },
            Choice::Answer {
                class: class(),
                answer: LessonAnswer {
                    field: text("price"),
                    page: 2,
                    values: Some(Vec::new()),
                },
            },
            Choice::LeaveOut {
                class: class(),
                field: text("price"),
                rule: text("r"),
            },
            Choice::Swap {
                id: text("TO"),
                rule: text("r"),
            },
            Choice::More {
                class: class(),
                sample: Vec::new(),
            },
            Choice::RemoveField {
                class: class(),
                field: text("price"),
            },
            Choice::RemoveWay { id: text("TO") },
        ];
        LessonFile { entry, choices }
    }

    #[test]
    fn every_choice_comes_back_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("new").join("shop.json");
        assert_eq!(read_lesson(&file).expect("no file is no error"), None);
        write_lesson(&file, &lesson()).expect("it can be written");
        write_lesson(&file, &lesson()).expect("it can be written again");
        assert_eq!(read_lesson(&file).expect("it was written"), Some(lesson()));
    }

    #[test]
    fn what_is_no_lesson_is_said_to_be_none() {
        let check = |text: &str, reason: &str| {
            let error = parse_lesson(text).expect_err("it is none");
            assert!(error.contains(reason), "{error}");
        };
        check("{}", "version");
        check(
            r#"{"version": 2, "entry": "http://a.example/", "choices": []}"#,
            "version 2",
        );
        check(r#"{"version": 1, "entry": "a", "choices": []}"#, "entry");
        check(
            r#"{"version": 1, "entry": "http://a.example/", "choices": [{"choice": "dance"}]}"#,
            "dance",
        );
    }
}
