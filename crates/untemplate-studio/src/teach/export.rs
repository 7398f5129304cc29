//! What leaves the lesson: the specification, and the examples and answers as `learn` reads them.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::html;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use untemplate::teach::{LessonClass, ShownValue, Specification, class_specification, show_specification};
use untemplate_store::specification_text;

use super::lobby::room_of;
use super::panel::cannot_be_had;
use super::room::Known;
use super::run::run_button;
use crate::layout::{Frame, Part, page};
use crate::router::Shared;

/// `GET /teach/ROOM/specification`: the specification for a person.
pub async fn show(State(studio): Shared, Path(name): Path<String>) -> Response {
    let room = match room_of(&studio, &name) {
        Ok(room) => room,
        Err(answer) => return *answer,
    };
    let known = match room.known().await {
        Ok(known) => known,
        Err(reason) => return cannot_be_had(&studio, &reason),
    };
    let frame = Frame {
        title: "Specification",
        part: Part::Teach,
        scripts: &[],
        is_wide: false,
    };
    let at = |file: &str| studio.at(&format!("/teach/{name}/{file}"));
    let specification = known.specification();
    let kept_in = room
        .options
        .specification
        .as_ref()
        .map(|file| file.display().to_string());
    let run_file = kept_in.unwrap_or_else(|| format!("{name}.xml"));
    let content = html! {
        h1 { "The specification" }
        @if let Err(error) = specification.check() { p.warning { (error) } }
        @if specification.paths.is_empty() {
            p.warning { "There is no path to a page that is read: follow links from the entry, and make a field." }
        }
        div.row {
            (run_button(&studio, &room, &known))
            a.button href=(at("specification.xml")) { "Download it" }
            a.button href=(at("examples.json")) { "Examples" }
            a.button href=(at("answers.json")) { "Answers" }
            a.button href=(studio.at(&format!("/teach/{name}"))) { "Back to teaching" }
        }
        @if let Some(file) = &room.options.specification {
            p { "It is kept in " code { (file.display()) } ", and changes with every choice." }
        }
        p { "Run it: " code { "untemplate run " (run_file) } }
        pre.specification tabindex="0" { (show_specification(specification)) }
    };
    page(&studio, &frame, content).into_response()
}

/// `GET /teach/ROOM/specification.xml`.
pub async fn specification(state: Shared, name: Path<String>) -> Response {
    file(state, name, "xml", "application/xml; charset=utf-8", |known| {
        specification_text(known.specification())
    })
    .await
}

/// `GET /teach/ROOM/class.xml`: the class that is read by itself, as `untemplate learn` writes it
/// from the examples and answers.
pub async fn class(state: Shared, name: Path<String>) -> Response {
    file(state, name, "class.xml", "application/xml; charset=utf-8", |known| {
        let index = known.lesson.classes.iter().position(|class| !class.examples.is_empty());
        let specification = index.map_or_else(Specification::default, |index| {
            let session = &known.taught.sessions[index];
            class_specification(&known.lesson.classes[index].id, session)
        });
        specification_text(&specification)
    })
    .await
}

/// `GET /teach/ROOM/examples.json`: for `untemplate learn --examples`.
pub async fn examples(state: Shared, name: Path<String>) -> Response {
    file(state, name, "examples.json", "application/json", |known| {
        text_of(&example_values(known))
    })
    .await
}

/// `GET /teach/ROOM/answers.json`: for `untemplate learn --answers`.
pub async fn answers(state: Shared, name: Path<String>) -> Response {
    file(state, name, "answers.json", "application/json", |known| {
        text_of(&answer_values(known))
    })
    .await
}

async fn file(
    State(studio): Shared,
    Path(name): Path<String>,
    ending: &str,
    kind: &'static str,
    text: fn(&Known) -> String,
) -> Response {
    let room = match room_of(&studio, &name) {
        Ok(room) => room,
        Err(answer) => return *answer,
    };
    match room.known().await {
        Err(reason) => cannot_be_had(&studio, &reason),
        Ok(known) => {
            let saved = format!("attachment; filename=\"{}.{ending}\"", room.name);
            (
                [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, saved)],
                text(&known),
            )
                .into_response()
        }
    }
}

fn text_of(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The class that is read: the first one with examples.
fn read_class(known: &Known) -> Option<&LessonClass> {
    known.lesson.classes.iter().find(|class| !class.examples.is_empty())
}

fn page_name(class: &LessonClass, page: usize) -> &str {
    class.sample.get(page).map_or("", |request| request.url.as_str())
}

/// The examples of each field, in the order that fields were shown in: columns have that order.
struct ShownFields<'a>(Vec<(&'a str, Vec<Value>)>);

impl Serialize for ShownFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(field, shown)| (field, shown)))
    }
}

fn example_values(known: &Known) -> BTreeMap<&'static str, ShownFields<'_>> {
    let mut fields: Vec<(&str, Vec<Value>)> = Vec::new();
    if let Some(class) = read_class(known) {
        for example in &class.examples {
            let mut shown = json!({"page": page_name(class, example.page), "value": example.value.text});
            add_place(&mut shown, &example.value);
            match fields.iter_mut().find(|(field, _)| *field == example.field) {
                Some((_, all)) => all.push(shown),
                None => fields.push((&example.field, vec![shown])),
            }
        }
    }
    BTreeMap::from([("fields", ShownFields(fields))])
}

/// The place of a value, where somebody pointed at it.
fn add_place(json: &mut Value, value: &ShownValue) {
    if let Some(spot) = &value.spot {
        json["at"] = json!(spot.path.to_string());
        if let Some(offset) = spot.offset {
            json["offset"] = json!(offset);
        }
    }
}

/// A value as answers have it: a text, or an object where its place is known.
fn answer_value(value: &ShownValue) -> Value {
    if value.spot.is_none() {
        return json!(value.text);
    }
    let mut json = json!({"value": value.text});
    add_place(&mut json, value);
    json
}

fn answer_values(known: &Known) -> Value {
    let mut pages: BTreeMap<&str, BTreeMap<&str, Vec<Value>>> = BTreeMap::new();
    if let Some(class) = read_class(known) {
        for answer in &class.answers {
            if let Some(values) = &answer.values {
                pages
                    .entry(page_name(class, answer.page))
                    .or_default()
                    .insert(&answer.field, values.iter().map(answer_value).collect());
            }
        }
    }
    json!(pages)
}
