//! Choices about the shape of fields: names, order, rules by hand, clean-ups; and what a rule that
//! somebody writes picks as it is written.

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::task::block_in_place;
use untemplate::rule::{ExtractionRule, LocationPath, Locator};
use untemplate::teach::{Choice, CleanUp, FieldKind, ValuePattern};

use super::asked::Asked;
use super::lobby::room_of;
use super::marks::{Mark, collapsed, picked_marks};
use super::panel::Scene;
use crate::router::Shared;

/// Values that are shown of each page.
const VALUES_SHOWN: usize = 3;

/// Marks of what a rule picks at most.
const MARKED_MAX: usize = 2000;

/// The choice that a form about a field makes.
pub fn shaping_choice(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, &'static str> {
    let class = scene.class_id().to_owned();
    let field = asked.get("field").to_owned();
    Ok(match asked.get("act") {
        "rename_field" => {
            let to = collapsed(asked.get("to"));
            let names = scene.fields().into_iter().map(|its| its.name);
            let is_taken = names
                .into_iter()
                .any(|name| name.eq_ignore_ascii_case(&to) && name != field);
            if to.is_empty() || is_taken || to.contains(char::is_control) {
                return Err("unnamed");
            }
            Choice::RenameField { class, field, to }
        }
        "belongs" => Choice::Belongs {
            class,
            page: scene.page_number,
            is_wanted: asked.has("wanted"),
        },
        "move_field" => {
            let mut fields: Vec<String> = scene.fields().into_iter().map(|its| its.name).collect();
            let place = fields.iter().position(|name| *name == field).ok_or("odd")?;
            let to = match asked.get("to") {
                "up" => place.checked_sub(1).ok_or("odd")?,
                _ => place + 1,
            };
            if to >= fields.len() {
                return Err("odd");
            }
            fields.swap(place, to);
            Choice::OrderFields { class, fields }
        }
        "clean_field" => {
            let pattern = match asked.get("pattern") {
                "" => None,
                text => Some(ValuePattern::new(text).map_err(|_| "pattern")?),
            };
            let kind = FieldKind::of(asked.get("kind"));
            let clean_up = CleanUp { pattern, kind };
            Choice::CleanField { class, field, clean_up }
        }
        "write_rule" => {
            let path = written(asked.get("path")).map_err(|_| "path")?;
            let field = collapsed(&field);
            if field.is_empty() || field.contains(char::is_control) {
                return Err("unnamed");
            }
            Choice::WriteRule { class, field, path }
        }
        _ => return Err("odd"),
    })
}

/// A path from the document.
fn written(text: &str) -> Result<LocationPath, String> {
    let path: LocationPath = text.trim().parse().map_err(|error| format!("{error}"))?;
    match path.is_absolute {
        true => Ok(path),
        false => Err("begin with / or //, from the document".to_owned()),
    }
}

/// `GET /teach/ROOM/matches?class=…&page=…&path=…`: what a path picks on the page in view, and how
/// much on the others.
pub async fn matches(State(studio): Shared, Path(name): Path<String>, asked: Asked) -> Response {
    let room = match room_of(&studio, &name) {
        Ok(room) => room,
        Err(answer) => return *answer,
    };
    let Ok(known) = room.known().await else {
        return told(&json!({"error": "the pages cannot be had"}));
    };
    let Some(scene) = Scene::of(&studio, &room, &known, &asked) else {
        return told(&json!({"error": "there is no such page"}));
    };
    let path = match written(asked.get("path")) {
        Ok(path) => path,
        Err(reason) => return told(&json!({"error": reason})),
    };
    let answer = block_in_place(|| {
        let rule = ExtractionRule::at(Locator::Absolute(path));
        let mut picked = rule.values(&scene.page.page);
        picked.truncate(MARKED_MAX);
        let marks = picked_marks(&scene.page.page.dom, Mark::Candidate, &picked);
        let pages = scene.session().sample().iter().map(|page| {
            let values = rule.values(&page.page);
            let texts: Vec<String> = values
                .iter()
                .take(VALUES_SHOWN)
                .map(|value| short(&value.text))
                .collect();
            json!({"count": values.len(), "values": texts})
        });
        json!({"marks": marks, "pages": pages.collect::<Vec<_>>()})
    });
    told(&answer)
}

fn told(answer: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}
