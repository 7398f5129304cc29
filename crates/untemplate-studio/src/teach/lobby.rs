//! The lobby: the lessons that are there, and a new one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use untemplate_store::read_lesson;
use url::Url;

use super::asked::Asked;
use super::room::Room;
use crate::disk;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::{LessonOptions, StudioState};

/// The folder below the studio's that lessons are kept in.
pub const LESSONS: &str = "untemplate-lessons";

/// Lessons that are listed at most.
const LISTED_MAX: usize = 200;

/// The lessons that are open or kept, with a link to each.
pub fn lesson_list(studio: &StudioState) -> Markup {
    let open = studio.room_names();
    let kept = kept_lessons(studio);
    html! {
        @if open.is_empty() && kept.is_empty() { p.quiet { "There are no lessons yet." } }
        ul.plain {
            @for name in &open { li { a href=(studio.at(&format!("/teach/{name}"))) { (name) } } }
            @for options in kept.iter().filter(|options| !open.contains(&Room::name_of(options))) {
                li {
                    form method="post" action=(studio.at("/teach")) {
                        input type="hidden" name="entry" value=(options.entry);
                        button.link { (options.entry) }
                    }
                }
            }
        }
    }
}

/// The entries of all lessons, open or kept, each once.
pub fn known_entries(studio: &StudioState) -> Vec<Url> {
    let open = studio.room_names().into_iter().filter_map(|name| studio.room(&name));
    let open = open.map(|room| room.options.entry.clone());
    let mut entries: Vec<Url> = open
        .chain(kept_lessons(studio).into_iter().map(|its| its.entry))
        .collect();
    entries.sort();
    entries.dedup();
    entries
}

fn kept_lessons(studio: &StudioState) -> Vec<LessonOptions> {
    let files = fs::read_dir(studio.folder.join(LESSONS))
        .into_iter()
        .flatten()
        .flatten();
    let files = files
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|end| end == "json"));
    let lesson = |file: &Path| Some(lesson_at(studio, read_lesson(file).ok()??.entry));
    let mut lessons: Vec<LessonOptions> = files.take(LISTED_MAX).filter_map(|file| lesson(&file)).collect();
    lessons.sort_by(|left, right| left.entry.cmp(&right.entry));
    lessons
}

fn lesson_at(studio: &StudioState, entry: Url) -> LessonOptions {
    let is_taken = |file: &Path| studio.entry_in(file).is_some_and(|open| open != entry);
    LessonOptions {
        file: lesson_file(&studio.folder, &entry, is_taken),
        entry,
        specification: None,
        own_host_only: false,
    }
}

/// The file below a folder that keeps the lesson about a site; where that of another lesson has the
/// name, one with a number of its own.
pub fn lesson_file(folder: &Path, entry: &Url, is_taken: impl Fn(&Path) -> bool) -> PathBuf {
    let name = lesson_name(entry);
    let plain = folder.join(LESSONS).join(format!("{name}.json"));
    let is_other = matches!(read_lesson(&plain), Ok(Some(kept)) if kept.entry != *entry);
    if !is_other && !is_taken(&plain) {
        return plain;
    }
    folder
        .join(LESSONS)
        .join(format!("{name}-{:016x}.json", hash(entry.as_str())))
}

/// The FNV-1a hash of a text: the same on all machines and in all versions.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

fn lesson_name(entry: &Url) -> String {
    let host = entry.host_str().unwrap_or("site");
    let port = entry.port().map_or_else(String::new, |port| format!("-{port}"));
    let path = entry
        .path()
        .trim_matches('/')
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let path: String = path.chars().take(60).collect();
    let name = format!("{host}{port}{}{path}", if path.is_empty() { "" } else { "-" });
    name.replace(['[', ']', ':', '.'], "-")
}

/// `GET /teach`.
pub async fn lobby(State(studio): Shared, asked: Asked) -> Markup {
    let frame = Frame {
        title: "Teach",
        part: Part::Teach,
        scripts: &[],
        is_wide: false,
    };
    let content = html! {
        h1 { "Teach" }
        p { "Show on a few pages what you want, and the program learns to find it on all of them." }
        form.row method="post" action=(studio.at("/teach")) {
            label for="entry" { "Where to begin" }
            input #entry name="entry" type="url" required placeholder="https://site.example/" size="40" value=(asked.get("entry"));
            button.primary { "Begin" }
        }
        h2 { "Lessons" }
        (lesson_list(&studio))
    };
    page(&studio, &frame, content)
}

/// `POST /teach`: begins a lesson, or goes on with it.
pub async fn begin(State(studio): Shared, asked: Asked) -> Response {
    let entry = Url::parse(asked.get("entry").trim()).ok();
    let Some(entry) = entry.filter(|url| matches!(url.scheme(), "http" | "https")) else {
        let advice = "Give a whole address, such as https://site.example/.";
        let markup = trouble(&studio, Part::Teach, "This is no address of a page", advice);
        return (StatusCode::BAD_REQUEST, markup).into_response();
    };
    let entered = tokio::task::block_in_place(|| {
        let is_on_disk = disk::path_of(&studio.folder, &entry).is_some();
        enter(&studio, entry, is_on_disk)
    });
    match entered {
        Ok(room) => Redirect::to(&studio.at(&format!("/teach/{room}"))).into_response(),
        Err(reason) => {
            let markup = trouble(&studio, Part::Teach, "The lesson cannot be opened", &reason);
            (StatusCode::INTERNAL_SERVER_ERROR, markup).into_response()
        }
    }
}

/// Begins a lesson, or goes on with it; the name of its room.
pub fn enter(studio: &StudioState, entry: Url, is_on_disk: bool) -> Result<String, String> {
    let lesson = LessonOptions {
        // A site on the disk has an address that leads nowhere, and is not asked where.
        own_host_only: !is_on_disk && (studio.is_private)(&entry),
        ..lesson_at(studio, entry)
    };
    let room = studio.enter(lesson).map_err(|error| error.to_string())?;
    Ok(room.name.clone())
}

/// The room of an address, or the answer that there is none.
pub fn room_of(studio: &StudioState, name: &str) -> Result<Arc<Room>, Box<Response>> {
    studio.room(name).ok_or_else(|| {
        let advice = "Open it again from the list of lessons.";
        let markup = trouble(studio, Part::Teach, "There is no such lesson open", advice);
        Box::new((StatusCode::NOT_FOUND, markup).into_response())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::teach::Choice;
    use untemplate_store::{LessonFile, write_lesson};

    #[test]
    fn lessons_about_two_entries_are_kept_in_two_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = |text: &str| text.parse::<Url>().expect("a good address");
        let entry = address("http://shop.example/list");
        let file = |entry: &Url| lesson_file(folder.path(), entry, |_| false);
        let first = file(&entry);
        assert!(first.ends_with("shop-example-list.json"), "{first:?}");
        let choices = vec![Choice::RemoveNavigation { id: "A".to_owned() }];
        let lesson = LessonFile {
            entry: entry.clone(),
            choices,
        };
        write_lesson(&first, &lesson).expect("it can be written");
        assert_eq!(file(&entry), first);
        let others = [
            "https://shop.example/list",
            "http://shop.example/list?a=1",
            "http://shop.example/list?a=2",
        ];
        let mut files: Vec<PathBuf> = others.iter().map(|other| file(&address(other))).collect();
        files.push(first);
        files.sort();
        files.dedup();
        assert_eq!(files.len(), 4, "{files:?}");
    }
}
