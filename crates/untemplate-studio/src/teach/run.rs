//! "Run it": what was taught so far, followed through the whole site as a job of the studio.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;
use untemplate_store::{specification_text, write_whole};

use super::lobby::{LESSONS, room_of};
use super::panel::cannot_be_had;
use super::room::{Known, Room};
use crate::jobs::order::{JobVerb, Order};
use crate::layout::{Part, trouble};
use crate::router::Shared;
use crate::studio::StudioState;

/// The button, where there is something to run.
pub fn run_button(studio: &StudioState, room: &Room, known: &Known) -> Markup {
    html! {
        @if can_run(known) {
            form method="post" action=(studio.at(&format!("/teach/{}/run", room.name))) {
                button.primary { "Run it" }
            }
        }
    }
}

/// Whether a path leads to pages that are read.
fn can_run(known: &Known) -> bool {
    let specification = known.specification();
    let is_read = specification.classes.iter().any(|class| class.is_read());
    is_read && specification.check().is_ok() && !specification.paths.is_empty()
}

/// `POST /teach/ROOM/run`: keeps the specification beside the lessons, and starts a job that runs
/// it.
pub async fn run(State(studio): Shared, Path(name): Path<String>) -> Response {
    let room = match room_of(&studio, &name) {
        Ok(room) => room,
        Err(answer) => return *answer,
    };
    let known = match room.known().await {
        Ok(known) => known,
        Err(reason) => return cannot_be_had(&studio, &reason),
    };
    match block_in_place(|| started(&studio, &room, &known)) {
        Ok(job) => Redirect::to(&studio.at(&format!("/jobs/{job}"))).into_response(),
        Err(reason) => {
            let markup = trouble(&studio, Part::Teach, "The lesson was not run", &reason);
            (StatusCode::CONFLICT, markup).into_response()
        }
    }
}

fn started(studio: &StudioState, room: &Room, known: &Known) -> Result<String, String> {
    if !can_run(known) {
        return Err(
            "There is no path to a page that is read: follow links from the entry, and make a field.".to_owned(),
        );
    }
    let subject = format!("{LESSONS}/{}.xml", room.name);
    let file = studio.folder.join(&subject);
    write_whole(&file, specification_text(known.specification()).as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    studio.jobs.start(Order {
        verb: JobVerb::Run,
        subject,
        mirror: String::new(),
        pages: String::new(),
        formats: Vec::new(),
        pages_max: None,
        minutes_max: None,
        host_only: false,
    })
}
