//! Choices as the file has them, and the way there and back.

use serde::{Deserialize, Serialize};
use untemplate::page::{Method, Request};
use untemplate::teach::{Choice, FieldChoice, LessonAnswer, LessonExample, Values};
use url::Url;

/// The whole file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredLesson {
    pub version: u32,
    pub entry: String,
    pub choices: Vec<StoredChoice>,
}

/// A choice, as the file has it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum StoredChoice {
    Follow(StoredFollow),
    Submit(StoredSubmit),
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

/// Links that are followed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredFollow {
    id: String,
    from: String,
    page: usize,
    clicked: Vec<String>,
    rule: String,
    to: String,
    sample: Vec<StoredRequest>,
}

/// A form that is filled in.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredSubmit {
    id: String,
    from: String,
    page: usize,
    form: String,
    fields: Vec<StoredField>,
    to: String,
    sample: Vec<StoredRequest>,
}

/// A request: its address, and what is posted there.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredRequest {
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
            } => Self::Follow(StoredFollow {
                id,
                from,
                page,
                clicked: clicked.iter().map(Url::to_string).collect(),
                rule,
                to,
                sample: stored_requests(&sample),
            }),
            Choice::Submit {
                id,
                from,
                page,
                form,
                fields,
                to,
                sample,
            } => Self::Submit(StoredSubmit {
                id,
                from,
                page,
                form,
                fields: fields.into_iter().map(stored_field).collect(),
                to,
                sample: stored_requests(&sample),
            }),
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
            StoredChoice::Follow(stored) => Self::Follow {
                id: stored.id,
                from: stored.from,
                page: stored.page,
                clicked: stored
                    .clicked
                    .iter()
                    .map(|url| address(url))
                    .collect::<Result<_, _>>()?,
                rule: stored.rule,
                to: stored.to,
                sample: requests(stored.sample)?,
            },
            StoredChoice::Submit(stored) => Self::Submit {
                id: stored.id,
                from: stored.from,
                page: stored.page,
                form: stored.form,
                fields: stored.fields.into_iter().map(field_choice).collect(),
                to: stored.to,
                sample: requests(stored.sample)?,
            },
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
