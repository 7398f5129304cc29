//! The way from a lesson's choices to what the file has, and back.
//!
//! Back, what is no address, no path or no pattern is refused with a sentence that says so.

use untemplate::page::{Method, Request};
use untemplate::teach::{
    Choice, CleanUp, Example, FieldChoice, FieldKind, LessonAnswer, Means, Navigation, Origin, ShownValue, Spot,
    ValuePattern, Values,
};
use url::Url;

use super::stored::{
    StoredAbsence, StoredChoice, StoredExample, StoredField, StoredFollow, StoredRequest, StoredSubmit, StoredValue,
    StoredValues,
};

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
            Choice::ShowAll {
                class,
                examples,
                absent,
            } => {
                let absence = |(field, page)| StoredAbsence { field, page };
                Self::ShowAll {
                    class,
                    shown: examples.into_iter().map(stored_example).collect(),
                    absent: absent.into_iter().map(absence).collect(),
                }
            }
            Choice::Rows { class, rows } => Self::Rows {
                class,
                rows: rows.into(),
            },
            Choice::RemoveRows { class, name } => Self::RemoveRows { class, name },
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
            shaping => stored_shape(shaping),
        }
    }
}

/// A choice about the shape of a class, as the file has it.
fn stored_shape(choice: Choice) -> StoredChoice {
    match choice {
        Choice::Belongs { class, page, is_wanted } => StoredChoice::Belongs { class, page, is_wanted },
        Choice::RenameField { class, field, to } => StoredChoice::RenameField { class, field, to },
        Choice::OrderFields { class, fields } => StoredChoice::OrderFields { class, fields },
        Choice::WriteRule { class, field, path } => StoredChoice::WriteRule {
            class,
            field,
            path: path.to_string(),
        },
        Choice::CleanField { class, field, clean_up } => StoredChoice::CleanField {
            class,
            field,
            kind: clean_up.kind.map(|kind| kind.word().to_owned()),
            pattern: clean_up.pattern.map(|pattern| pattern.as_str().to_owned()),
        },
        _ => unreachable!("all others are written above"),
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
            StoredChoice::ShowAll { class, shown, absent } => Self::ShowAll {
                class,
                absent: absent.into_iter().map(|its| (its.field, its.page)).collect(),
                examples: shown.into_iter().map(example).collect::<Result<_, String>>()?,
            },
            StoredChoice::Rows { class, rows } => Self::Rows {
                class,
                rows: rows.try_into()?,
            },
            StoredChoice::RemoveRows { class, name } => Self::RemoveRows { class, name },
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
            shaping => return shape(shaping),
        })
    }
}

/// A choice about the shape of a class.
fn shape(stored: StoredChoice) -> Result<Choice, String> {
    Ok(match stored {
        StoredChoice::Belongs { class, page, is_wanted } => Choice::Belongs { class, page, is_wanted },
        StoredChoice::RenameField { class, field, to } => Choice::RenameField { class, field, to },
        StoredChoice::OrderFields { class, fields } => Choice::OrderFields { class, fields },
        StoredChoice::WriteRule { class, field, path } => Choice::WriteRule {
            class,
            field,
            path: path.parse().map_err(|error| format!("the path {path:?}: {error}"))?,
        },
        StoredChoice::CleanField {
            class,
            field,
            kind,
            pattern,
        } => Choice::CleanField {
            class,
            field,
            clean_up: clean_up(kind, pattern)?,
        },
        _ => unreachable!("all others are read above"),
    })
}

/// A spot, as the file has it: its path, and how many letters stand before the value.
fn stored_spot(spot: Option<Spot>) -> (Option<String>, Option<usize>) {
    spot.map_or((None, None), |spot| (Some(spot.path.to_string()), spot.offset))
}

fn clean_up(kind: Option<String>, pattern: Option<String>) -> Result<CleanUp, String> {
    let kind = kind.map(|word| FieldKind::of(&word).ok_or(format!("the kind {word:?} is unknown")));
    let pattern =
        pattern.map(|text| ValuePattern::new(&text).map_err(|error| format!("the pattern {text:?}: {error}")));
    Ok(CleanUp {
        kind: kind.transpose()?,
        pattern: pattern.transpose()?,
    })
}

fn stored_example(Example { field, page, value }: Example) -> StoredExample {
    let value = stored_value(value);
    StoredExample { field, page, value }
}

fn example(
    StoredExample {
        field,
        page,
        value: stored,
    }: StoredExample,
) -> Result<Example, String> {
    let value = value(stored)?;
    Ok(Example { field, page, value })
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
