//! Choices as the file has them, and the way there and back.

use serde::{Deserialize, Serialize};
use untemplate::page::{Method, Request};
use untemplate::teach::{
    Choice, Example, FieldChoice, LessonAnswer, Means, Navigation, Origin, ShownValue, Spot, Values,
};
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offset: Option<usize>,
    },
    Answer {
        class: String,
        field: String,
        page: usize,
        values: Option<Vec<StoredValue>>,
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
    /// The tag is the word of the first version of the file.
    #[serde(rename = "remove_way")]
    RemoveNavigation {
        id: String,
    },
}

/// A value: a text, or a text with its place on the page.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredValue {
    Text(String),
    Placed {
        value: String,
        at: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offset: Option<usize>,
    },
}

/// Links that are followed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredFollow {
    id: String,
    from: String,
    page: usize,
    clicked: Vec<StoredValue>,
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
            Choice::Navigate { navigation, sample } => stored_navigation(navigation, &sample),
            Choice::Show {
                class,
                example: Example { field, page, value },
            } => {
                let (at, offset) = stored_spot(value.spot);
                Self::Show {
                    class,
                    field,
                    page,
                    value: value.text,
                    at,
                    offset,
                }
            }
            Choice::Answer {
                class,
                answer: LessonAnswer { field, page, values },
            } => Self::Answer {
                class,
                field,
                page,
                values: values.map(|values| values.into_iter().map(stored_value).collect()),
            },
            Choice::LeaveOut { class, field, rule } => Self::LeaveOut { class, field, rule },
            Choice::Swap { id, rule } => Self::Swap { id, rule },
            Choice::More { class, sample } => Self::More {
                class,
                sample: stored_requests(&sample),
            },
            Choice::RemoveField { class, field } => Self::RemoveField { class, field },
            Choice::RemoveNavigation { id } => Self::RemoveNavigation { id },
        }
    }
}

impl TryFrom<StoredChoice> for Choice {
    type Error = String;

    fn try_from(stored: StoredChoice) -> Result<Self, String> {
        Ok(match stored {
            StoredChoice::Follow(stored) => {
                let shown: Vec<ShownValue> = stored.clicked.into_iter().map(value).collect::<Result<_, String>>()?;
                shown.iter().try_for_each(|link| address(&link.text).map(drop))?;
                let means = Means::Links {
                    shown,
                    rule: Some(stored.rule),
                };
                let between = (stored.from, stored.page, stored.to);
                navigate(stored.id, between, means, stored.sample)?
            }
            StoredChoice::Submit(stored) => {
                let means = Means::Form {
                    path: Some(stored.form),
                    fields: stored.fields.into_iter().map(field_choice).collect(),
                };
                let between = (stored.from, stored.page, stored.to);
                navigate(stored.id, between, means, stored.sample)?
            }
            StoredChoice::Show {
                class,
                field,
                page,
                value,
                at,
                offset,
            } => {
                let value = shown_value(value, at, offset)?;
                Self::Show {
                    class,
                    example: Example { field, page, value },
                }
            }
            StoredChoice::Answer {
                class,
                field,
                page,
                values,
            } => {
                let values = values.map(|values| values.into_iter().map(value).collect::<Result<_, String>>());
                let values = values.transpose()?;
                Self::Answer {
                    class,
                    answer: LessonAnswer { field, page, values },
                }
            }
            StoredChoice::LeaveOut { class, field, rule } => Self::LeaveOut { class, field, rule },
            StoredChoice::Swap { id, rule } => Self::Swap { id, rule },
            StoredChoice::More { class, sample } => Self::More {
                class,
                sample: requests(sample)?,
            },
            StoredChoice::RemoveField { class, field } => Self::RemoveField { class, field },
            StoredChoice::RemoveNavigation { id } => Self::RemoveNavigation { id },
        })
    }
}

/// A spot, as the file has it: its path, and how many letters stand before the value.
fn stored_spot(spot: Option<Spot>) -> (Option<String>, Option<usize>) {
    spot.map_or((None, None), |spot| (Some(spot.path.to_string()), spot.offset))
}

fn stored_value(value: ShownValue) -> StoredValue {
    let text = value.text;
    match stored_spot(value.spot) {
        (Some(at), offset) => StoredValue::Placed {
            value: text,
            at,
            offset,
        },
        (None, _) => StoredValue::Text(text),
    }
}

fn value(stored: StoredValue) -> Result<ShownValue, String> {
    match stored {
        StoredValue::Text(text) => Ok(text.into()),
        StoredValue::Placed { value, at, offset } => shown_value(value, Some(at), offset),
    }
}

fn shown_value(text: String, at: Option<String>, offset: Option<usize>) -> Result<ShownValue, String> {
    let path = |at: String| at.parse().map_err(|error| format!("the place {at:?}: {error}"));
    let spot = at.map(path).transpose()?.map(|path| Spot { path, offset });
    Ok(ShownValue { text, spot })
}

/// Links and forms have choices of their own in the file. A rule or path that nobody chose is an
/// empty text.
fn stored_navigation(navigation: Navigation, sample: &[Request]) -> StoredChoice {
    let from = navigation.from_class().unwrap_or_default().to_owned();
    let page = navigation.page().unwrap_or(0);
    let Navigation { id, to, means, .. } = navigation;
    let sample = stored_requests(sample);
    match means {
        Means::Links { shown, rule } => StoredChoice::Follow(StoredFollow {
            id,
            from,
            page,
            clicked: shown.into_iter().map(stored_value).collect(),
            rule: rule.unwrap_or_default(),
            to,
            sample,
        }),
        Means::Form { path, fields } => StoredChoice::Submit(StoredSubmit {
            id,
            from,
            page,
            form: path.unwrap_or_default(),
            fields: fields.into_iter().map(stored_field).collect(),
            to,
            sample,
        }),
    }
}

fn navigate(
    id: String,
    (class, page, to): (String, usize, String),
    means: Means,
    sample: Vec<StoredRequest>,
) -> Result<Choice, String> {
    let origin = Origin::SamplePage { class, page };
    Ok(Choice::Navigate {
        navigation: Navigation { id, origin, to, means },
        sample: requests(sample)?,
    })
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
