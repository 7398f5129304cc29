//! What can be started, and the jobs that were.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;

use super::order::{FORMATS, JobVerb, Order};
use super::register::{Job, JobState};
use crate::layout::{Frame, Part, page, trouble};
use crate::look::inventory::{Kind, take_inventory};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// `GET /jobs?verb=…`.
pub async fn index(State(studio): Shared, asked: Asked) -> Markup {
    let jobs = block_in_place(|| studio.jobs.all());
    let verb = JobVerb::of(asked.get("verb")).unwrap_or(JobVerb::Rebuild);
    let frame = Frame {
        title: "Jobs",
        part: Part::Jobs,
        scripts: &[],
        is_wide: false,
    };
    let content = html! {
        h1 { "Jobs" }
        nav.classes aria-label="What to do" {
            @for own in JobVerb::ALL {
                a href=(studio.at(&format!("/jobs?{}", query(&[("verb", own.word())])))) aria-current=[(own == verb).then_some("page")] { (own.word()) }
            }
        }
        p { (verb.story()) }
        (form(&studio, verb, &asked))
        h2 { "Started so far" }
        (job_list(&studio, &jobs))
    };
    page(&studio, &frame, content)
}

fn form(studio: &StudioState, verb: JobVerb, asked: &Asked) -> Markup {
    let subject = match verb {
        JobVerb::Gather | JobVerb::Report => "A page of the kind you want",
        _ => "Where to begin",
    };
    html! {
        form.job method="post" action=(studio.at("/jobs")) {
            input type="hidden" name="verb" value=(verb.word());
            @if verb == JobVerb::Run {
                (specifications(studio, asked.get("specification")))
            } @else {
                label for="entry" { (subject) }
                input #entry name="entry" type="url" required placeholder="https://site.example/" value=(asked.get("entry"));
            }
            label for="pages" { "Pages at most" }
            input #pages name="pages" type="number" min="1" placeholder="no limit";
            label for="minutes" { "Minutes at most" }
            input #minutes name="minutes" type="number" min="1" placeholder="no limit";
            label for="mirror" { "Instead of the web, a folder" }
            input #mirror name="mirror" placeholder="none: the web" aria-describedby="mirror-help";
            span #mirror-help .quiet.help { "below the studio's folder, with the site's files" }
            @if verb.has_tables() {
                span { "Tables as" }
                span.row { @for format in FORMATS {
                    label.check { input type="checkbox" name="format" value=(format) checked[format == "sqlite"] disabled[format == "sqlite"]; (format) }
                } }
            }
            @if verb != JobVerb::Run {
                span { "The site is" }
                label.check { input type="checkbox" name="host_only" value="1"; "the host of this address alone" }
            }
            span {}
            span { button.primary { "Start " (verb.word()) } }
        }
        @if !studio.jobs.options.sources.is_empty() { p.quiet { "Pages come from where the studio was told to take them, unless a folder is named." } }
    }
}

fn specifications(studio: &StudioState, chosen: &str) -> Markup {
    let inventory = block_in_place(|| take_inventory(&studio.folder));
    let names: Vec<&str> = inventory
        .of(Kind::Specification)
        .map(|found| found.at.as_str())
        .collect();
    html! {
        label for="specification" { "Specification" }
        @if names.is_empty() {
            span { "There is none yet; " a href=(studio.at("/teach")) { "teach one" } "." }
        } @else {
            select #specification name="specification" required { @for name in names { option selected[name == chosen] { (name) } } }
        }
    }
}

fn job_list(studio: &StudioState, jobs: &[Job]) -> Markup {
    html! {
        @if jobs.is_empty() { p.quiet { "Nothing was started yet." } } @else {
            table.list {
                thead { tr { th { "Job" } th { "What" } th { "State" } } }
                tbody { @for job in jobs {
                    tr {
                        td { a href=(studio.at(&format!("/jobs/{}", job.name))) { (job.name) } }
                        td { (job.order.verb.word()) " " code { (job.order.subject) } }
                        td { (state_mark(job.state)) }
                    }
                } }
            }
        }
    }
}

/// A state, as a word on a ground that tells at a glance.
pub fn state_mark(state: JobState) -> Markup {
    let look = match state {
        JobState::Running => "going",
        JobState::Ended(0) => "good",
        JobState::Ended(3 | 5 | 130) | JobState::Left => "so-so",
        JobState::Ended(_) => "bad",
    };
    html! { span.state.(look) { (state.words()) } }
}

/// `POST /jobs`.
pub async fn start(State(studio): Shared, asked: Asked) -> Response {
    let started = block_in_place(|| {
        let order = Order::read(&asked, &studio.folder)?;
        studio.jobs.start(order)
    });
    match started {
        Ok(name) => Redirect::to(&studio.at(&format!("/jobs/{name}"))).into_response(),
        Err(reason) => {
            let markup = trouble(&studio, Part::Jobs, "The job was not started", &reason);
            (StatusCode::BAD_REQUEST, markup).into_response()
        }
    }
}
