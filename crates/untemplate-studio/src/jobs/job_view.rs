//! The view of a job: its figures and messages as they come, and what came of it.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream::unfold;
use maud::{Markup, html};
use serde_json::{Value, json};
use tokio::task::block_in_place;
use tokio::time::sleep;
use untemplate_store::archive::ArchiveReader;

use super::form::state_mark;
use super::order::{JobVerb, PREVIEW};
use super::process::PROGRESS;
use super::register::{Job, JobState};
use super::room::want_of_room;
use super::schedule::schedule_form;
use crate::layout::{Frame, Part, page, trouble};
use crate::look::below::name_below;
use crate::look::crawl_view::{LOOK_EVERY, archive_figures, figures};
use crate::look::file_view::attachment;
use crate::look::page_view::crawl_at;
use crate::look::rate::Pace;
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// Bytes of messages that a view begins with, and that one event brings.
const MESSAGES_BYTES: u64 = 32 << 10;

/// `GET /jobs/NAME`.
pub async fn view(State(studio): Shared, Path(name): Path<String>) -> Response {
    let Some(job) = block_in_place(|| studio.jobs.job(&name)) else {
        let markup = trouble(
            &studio,
            Part::Jobs,
            "There is no such job",
            "Look for it in the list of jobs.",
        );
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    let length = fs::metadata(job.messages()).map_or(0, |facts| facts.len());
    let (messages, end) = messages_from(&job.messages(), length.saturating_sub(MESSAGES_BYTES));
    let frame = Frame {
        title: &job.name,
        part: Part::Jobs,
        scripts: &["look.js"],
        is_wide: false,
    };
    let live = studio.at(&format!("/jobs/{}/live?from={end}", job.name));
    let is_running = job.state == JobState::Running;
    let content = html! {
        h1 { (job.order.verb.word()) " " code { (job.order.subject) } }
        div.row { (state_mark(job.state)) (buttons(&studio, &job)) (schedule_form(&studio, &job)) }
        @if let Some(words) = want_of_room(&job.place.folder) { p.warning role="status" { (words) } }
        div data-live=[is_running.then_some(&live)] data-until="ended" {
            @if is_running { (progress_bar()) (figures()) (rows_so_far(&job)) } @else { (result(&studio, &job)) }
        }
        h2 { "Messages" }
        pre #messages tabindex="0" { (messages) }
        p.quiet { "Kept in " code { (name_below(&job.place.studio, &job.place.folder)) }
            @if let Some(at) = archive_name(&studio, &job) { " · pages in " a href=(crawl_at(&studio, &at)) { (at) } }
        }
    };
    page(&studio, &frame, content).into_response()
}

/// How far the job is, in its own words.
fn progress_bar() -> Markup {
    html! {
        div.progress hidden data-progress="" {
            progress aria-label="How far it is" {}
            p.quiet {}
        }
    }
}

/// Where rows appear as they are read; a site that is rebuilt has its rows when all of it is read.
fn rows_so_far(job: &Job) -> Markup {
    html! {
        @if job.order.verb == JobVerb::Run {
            section.so-far hidden aria-label="Rows so far" {
                h2 { "Rows so far" }
                div.grid tabindex="0" { table data-rows { thead { tr {} } tbody {} } }
            }
        }
    }
}

fn buttons(studio: &StudioState, job: &Job) -> Markup {
    let (deed, words) = match job.state {
        JobState::Running => ("cancel", "Cancel"),
        JobState::Ended(0 | 5) => ("resume", "Run again"),
        JobState::Ended(1 | 2) => ("resume", "Try again"),
        _ => ("resume", "Resume"),
    };
    html! {
        form method="post" action=(studio.at(&format!("/jobs/{}/{deed}", job.name))) {
            button.primary[deed == "resume" && words == "Resume"] { (words) }
        }
    }
}

/// The job's archive, by its name below the studio's folder, if it is there.
fn archive_name(studio: &StudioState, job: &Job) -> Option<String> {
    let archive = job.order.archive(&job.place, &studio.jobs.options).ok()?;
    archive
        .join("archive.sqlite")
        .is_file()
        .then(|| name_below(&job.place.studio, &archive))
}

/// What came of a job: its result and its figures.
fn result(studio: &StudioState, job: &Job) -> Markup {
    let file = job.place.folder.join(job.order.result_name());
    let at = name_below(&job.place.studio, &file);
    let named = [("at", at.as_str())];
    html! {
        p.row {
            @if file.join("tables.sqlite").is_file() { a.button.primary href=(studio.at(&format!("/look/tables?{}", query(&named)))) { "Look at the tables" } }
            @if file.join("report.html").is_file() { a.button href=(studio.at(&format!("/look/report?{}", query(&named)))) { "The report" } }
            @if file.is_file() && file.ends_with("model.json") { a.button.primary href=(studio.at(&format!("/look/model?{}", query(&named)))) { "Look at the model" } }
            @if file.is_file() && file.ends_with("pages.jsonl") { a.button.primary href=(studio.at(&format!("/jobs/{}/pages.jsonl", job.name))) { "Download the pages" } }
        }
        @if let Some(summary) = job.summary() { (summary_facts(&summary)) }
    }
}

fn summary_facts(summary: &Value) -> Markup {
    let names = [
        ("seconds", "Seconds"),
        ("downloads", "Downloads"),
        ("reused", "From the archive"),
        ("pages", "Pages"),
        ("problems", "Problems"),
        ("failures", "Failures"),
        ("classes", "Page classes"),
        ("class_size_estimate", "Pages of the class, estimated"),
    ];
    let text = |value: &Value| match value {
        Value::Number(number) if number.is_f64() => format!("{:.1}", number.as_f64().unwrap_or(0.0)),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let rows = summary["rows"].as_object().into_iter().flatten();
    html! {
        dl.facts {
            @for (name, words) in names { @if let Some(value) = summary.get(name).filter(|value| !value.is_null()) { dt { (words) } dd { (text(value)) } } }
            @for (table, count) in rows { dt { "Rows of " (table) } dd { (text(count)) } }
        }
        @for why in summary["partial_because"].as_array().into_iter().flatten() { p.warning { (text(why)) } }
        @if let Some(error) = summary.get("error") { p.warning { (text(error)) } }
    }
}

/// The messages from a place on, as whole lines, and where they end.
fn messages_from(file: &FilePath, from: u64) -> (String, u64) {
    let read = || {
        let mut file = File::open(file)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(MESSAGES_BYTES).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let mut bytes = read().unwrap_or_default();
    // A line that is not whole yet comes with the next look, unless it is longer than any.
    if (bytes.len() as u64) < MESSAGES_BYTES {
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
    }
    (String::from_utf8_lossy(&bytes).into_owned(), from + bytes.len() as u64)
}

/// What a live view knows from one look to the next.
struct Watch {
    studio: Arc<StudioState>,
    name: String,
    from: u64,
    /// Where in the file of rows the next one begins, and its number.
    rows_from: u64,
    n_rows: usize,
    archive: Option<ArchiveReader>,
    pace: Pace,
    is_over: bool,
    is_first: bool,
}

impl Watch {
    fn look(&mut self) -> Option<Event> {
        let job = self.studio.jobs.job(&self.name)?;
        self.is_over = job.state != JobState::Running;
        let (messages, end) = messages_from(&job.messages(), self.from);
        self.from = end;
        if self.archive.is_none() {
            let folder = job.order.archive(&job.place, &self.studio.jobs.options).ok();
            self.archive = folder.and_then(|folder| ArchiveReader::open(&folder).ok());
        }
        let figures = self
            .archive
            .as_mut()
            .and_then(|archive| archive_figures(archive, &mut self.pace));
        let progress = fs::read(job.place.folder.join(PROGRESS)).ok();
        let progress: Value = progress
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        let figures = figures.map(|figures| with_queue(figures, &progress));
        let (rows, rows_end) = messages_from(&job.place.folder.join(PREVIEW), self.rows_from);
        self.rows_from = rows_end;
        let rows: Vec<Value> = rows.lines().filter_map(|row| serde_json::from_str(row).ok()).collect();
        let first_row = self.n_rows;
        self.n_rows += rows.len();
        let told = json!({
            "figures": figures, "progress": progress, "messages": messages, "ended": self.is_over, "state": job.state.words(),
            "rows": rows, "first_row": first_row,
        });
        Some(Event::default().id(end.to_string()).data(told.to_string()))
    }
}

/// The figures of a crawl with the queue of a job that asks no web, since no crawl knows of it.
fn with_queue(mut figures: Value, progress: &Value) -> Value {
    let count = |name: &str| progress[name].as_u64();
    if figures["waiting"] == 0
        && let (Some(done), Some(estimated)) = (count("done"), count("estimated"))
    {
        figures["waiting"] = json!(estimated.saturating_sub(done));
    }
    figures
}

/// `GET /jobs/NAME/live?from=…`: figures and messages, until the job has ended. A browser that lost
/// the thread says where it was.
pub async fn live(State(studio): Shared, Path(name): Path<String>, headers: HeaderMap, asked: Asked) -> Response {
    if block_in_place(|| studio.jobs.job(&name)).is_none() {
        return StatusCode::NOT_FOUND.into_response();
    }
    let last = headers.get(HeaderName::from_static("last-event-id"));
    let last = last.and_then(|last| last.to_str().ok()?.parse().ok());
    let watch = Watch {
        studio,
        name,
        from: last.unwrap_or(asked.number("from") as u64),
        rows_from: 0,
        n_rows: 0,
        archive: None,
        pace: Pace::default(),
        is_over: false,
        is_first: true,
    };
    let events = unfold(watch, |mut watch| async move {
        if watch.is_over {
            return None;
        }
        if !watch.is_first {
            sleep(LOOK_EVERY).await;
        }
        watch.is_first = false;
        let event = block_in_place(|| watch.look())?;
        Some((Ok::<_, Infallible>(event), watch))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

/// `POST /jobs/NAME/cancel`.
pub async fn cancel(State(studio): Shared, Path(name): Path<String>) -> Response {
    let done = block_in_place(|| studio.jobs.cancel(&name));
    back(&studio, &name, done, "The job was not cancelled")
}

/// `POST /jobs/NAME/resume`.
pub async fn resume(State(studio): Shared, Path(name): Path<String>) -> Response {
    let done = block_in_place(|| studio.jobs.resume(&name));
    back(&studio, &name, done, "The job does not go on")
}

fn back(studio: &StudioState, name: &str, done: Result<(), String>, trouble_words: &str) -> Response {
    match done {
        Ok(()) => Redirect::to(&studio.at(&format!("/jobs/{name}"))).into_response(),
        Err(reason) => {
            let markup = trouble(studio, Part::Jobs, trouble_words, &reason);
            (StatusCode::CONFLICT, markup).into_response()
        }
    }
}

/// `GET /jobs/NAME/pages.jsonl`: what `gather` found.
pub async fn pages(State(studio): Shared, Path(name): Path<String>) -> Response {
    let job = block_in_place(|| studio.jobs.job(&name));
    let bytes = job.and_then(|job| fs::read(job.place.folder.join("pages.jsonl")).ok());
    match bytes {
        Some(bytes) => {
            let headers = [
                (CONTENT_TYPE, "application/octet-stream".to_owned()),
                (CONTENT_DISPOSITION, attachment("pages.jsonl")),
            ];
            (headers, bytes).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_on_a_mirror_has_a_queue() {
        let check = |waiting: u64, progress: Value, expected: u64| {
            let figures = with_queue(json!({"done": 30, "waiting": waiting}), &progress);
            assert_eq!(figures["waiting"], expected, "{progress}");
        };
        check(0, json!({"done": 464, "estimated": 1947}), 1483);
        check(7, json!({"done": 464, "estimated": 1947}), 7);
        check(0, json!({"done": 3, "estimated": null}), 0);
        check(0, Value::Null, 0);
    }
}
