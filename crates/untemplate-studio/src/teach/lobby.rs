//! The lobby: the lessons that are there, and a new one.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use untemplate_store::read_lesson;
use url::Url;

use super::asked::Asked;
use super::room::Room;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::{Hall, LessonOptions};

/// The folder below the studio's that lessons are kept in.
pub const LESSONS: &str = "untemplate-lessons";

/// Lessons that are listed at most.
const LISTED_MAX: usize = 200;

/// The lessons that are open or kept, with a link to each.
pub fn lesson_list(hall: &Hall) -> Markup {
    let open = hall.room_names();
    let kept = kept_lessons(hall);
    html! {
        @if open.is_empty() && kept.is_empty() { p.quiet { "There are no lessons yet." } }
        ul.plain {
            @for name in &open { li { a href=(hall.at(&format!("/teach/{name}"))) { (name) } } }
            @for options in kept.iter().filter(|options| !open.contains(&Room::name_of(options))) {
                li {
                    form method="post" action=(hall.at("/teach")) {
                        input type="hidden" name="entry" value=(options.entry);
                        button.link { (options.entry) }
                    }
                }
            }
        }
    }
}

fn kept_lessons(hall: &Hall) -> Vec<LessonOptions> {
    let files = fs::read_dir(hall.folder.join(LESSONS)).into_iter().flatten().flatten();
    let files = files
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|end| end == "json"));
    let lesson = |file: &Path| Some(lesson_at(hall, read_lesson(file).ok()??.entry));
    let mut lessons: Vec<LessonOptions> = files.take(LISTED_MAX).filter_map(|file| lesson(&file)).collect();
    lessons.sort_by(|left, right| left.entry.cmp(&right.entry));
    lessons
}

fn lesson_at(hall: &Hall, entry: Url) -> LessonOptions {
    LessonOptions {
        file: hall.folder.join(LESSONS).join(lesson_file_name(&entry)),
        entry,
        specification: None,
        own_host_only: false,
    }
}

/// The name of the file that keeps the lesson about a site.
pub fn lesson_file_name(entry: &Url) -> String {
    let host = entry.host_str().unwrap_or("site");
    let port = entry.port().map_or_else(String::new, |port| format!("-{port}"));
    let path = entry
        .path()
        .trim_matches('/')
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let path: String = path.chars().take(60).collect();
    let name = format!("{host}{port}{}{path}", if path.is_empty() { "" } else { "-" });
    format!("{}.json", name.replace(['[', ']', ':', '.'], "-"))
}

/// `GET /teach`.
pub async fn lobby(State(hall): Shared) -> Markup {
    let frame = Frame {
        title: "Teach",
        part: Part::Teach,
        scripts: &[],
        is_wide: false,
    };
    let content = html! {
        h1 { "Teach" }
        p { "Show on a few pages what you want, and the program learns to find it on all of them." }
        form.row method="post" action=(hall.at("/teach")) {
            label for="entry" { "Where to begin" }
            input #entry name="entry" type="url" required placeholder="https://site.example/" size="40";
            button.primary { "Begin" }
        }
        h2 { "Lessons" }
        (lesson_list(&hall))
    };
    page(&hall, &frame, content)
}

/// `POST /teach`: begins a lesson, or goes on with it.
pub async fn begin(State(hall): Shared, asked: Asked) -> Response {
    let entry = Url::parse(asked.get("entry").trim()).ok();
    let Some(entry) = entry.filter(|url| matches!(url.scheme(), "http" | "https")) else {
        let advice = "Give a whole address, such as https://site.example/.";
        let markup = trouble(&hall, Part::Teach, "This is no address of a page", advice);
        return (StatusCode::BAD_REQUEST, markup).into_response();
    };
    let own_host_only = tokio::task::block_in_place(|| (hall.is_private)(&entry));
    let lesson = LessonOptions {
        own_host_only,
        ..lesson_at(&hall, entry)
    };
    match hall.enter(lesson) {
        Ok(room) => Redirect::to(&hall.at(&format!("/teach/{}", room.name))).into_response(),
        Err(error) => {
            let markup = trouble(&hall, Part::Teach, "The lesson cannot be opened", &error.to_string());
            (StatusCode::INTERNAL_SERVER_ERROR, markup).into_response()
        }
    }
}

/// The room of an address, or the answer that there is none.
pub fn room_of(hall: &Hall, name: &str) -> Result<Arc<Room>, Box<Response>> {
    hall.room(name).ok_or_else(|| {
        let advice = "Open it again from the list of lessons.";
        let markup = trouble(hall, Part::Teach, "There is no such lesson open", advice);
        Box::new((StatusCode::NOT_FOUND, markup).into_response())
    })
}
