//! Schedules: jobs that run again every day or week while the studio runs.
//!
//! `schedule.json` in the folder of a job says how many hours lie between its runs. A thread of the
//! studio looks at all jobs from time to time, and starts those that are due. A job that is under
//! way is left alone; one that was missed while no studio ran is started by the next.

use std::fs;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use tokio::task::block_in_place;
use untemplate_store::write_whole;

use super::register::{Job, JobState, Jobs};
use crate::layout::{Part, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::Asked;

/// The file of a schedule in a job's folder.
const SCHEDULE: &str = "schedule.json";

/// How often jobs are looked at.
pub const LOOK_EVERY: Duration = Duration::from_secs(30);

/// What a job can be told, with the hours between its runs.
const CHOICES: [(&str, u64); 4] = [("never", 0), ("every hour", 1), ("every day", 24), ("every week", 168)];

#[derive(Serialize, Deserialize)]
struct Schedule {
    every_hours: u64,
}

/// The time between the runs of a job, if it has a schedule.
pub fn period(folder: &FilePath) -> Option<Duration> {
    let text = fs::read(folder.join(SCHEDULE)).ok()?;
    let schedule: Schedule = serde_json::from_slice(&text).ok()?;
    (schedule.every_hours > 0).then(|| Duration::from_secs(schedule.every_hours * 3_600))
}

/// When a job that ran at this time runs again.
pub fn next_run(job: &Job, ran: Option<SystemTime>) -> Option<SystemTime> {
    ran?.checked_add(period(&job.place.folder)?)
}

/// Starts the jobs that are due at this time; their names.
pub fn start_due(jobs: &Jobs, now: SystemTime) -> Vec<String> {
    let ended = |job: &Job| {
        let of = |file: &str| {
            fs::metadata(job.place.folder.join(file))
                .and_then(|facts| facts.modified())
                .ok()
        };
        of("ended.json").or_else(|| of("job.json"))
    };
    let is_due =
        |job: &Job| job.state != JobState::Running && next_run(job, ended(job)).is_some_and(|next| next <= now);
    let due = jobs.all().into_iter().filter(is_due);
    // One that cannot be started now is due again at the next look.
    due.filter(|job| jobs.resume(&job.name).is_ok())
        .map(|job| job.name)
        .collect()
}

/// Looks at the jobs of a studio as long as it runs.
pub async fn keep(studio: Arc<StudioState>) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        block_in_place(|| start_due(&studio.jobs, SystemTime::now()));
    }
}

/// The form of a job's schedule.
pub fn schedule_form(studio: &StudioState, job: &Job) -> Markup {
    let hours = period(&job.place.folder).map_or(0, |period| period.as_secs() / 3_600);
    html! {
        form.row method="post" action=(studio.at(&format!("/jobs/{}/schedule", job.name))) {
            label for="every" { "Run it again" }
            select #every name="every" { @for (words, own) in CHOICES { option value=(own) selected[own == hours] { (words) } } }
            button { "Keep" }
            span.quiet { "while the studio runs" }
        }
    }
}

/// `POST /jobs/NAME/schedule`.
pub async fn set(State(studio): Shared, Path(name): Path<String>, asked: Asked) -> Response {
    let kept = block_in_place(|| {
        let job = studio.jobs.job(&name).ok_or("there is no such job")?;
        let every_hours = CHOICES
            .map(|(_, hours)| hours)
            .into_iter()
            .find(|hours| hours.to_string() == asked.get("every"));
        let every_hours = every_hours.ok_or("choose one of the offered times")?;
        let text = serde_json::to_vec(&Schedule { every_hours }).unwrap_or_default();
        write_whole(&job.place.folder.join(SCHEDULE), &text).map_err(|error| error.to_string())
    });
    match kept {
        Ok(()) => Redirect::to(&studio.at(&format!("/jobs/{name}"))).into_response(),
        Err(reason) => {
            let markup = trouble(&studio, Part::Jobs, "The schedule was not kept", &reason);
            (StatusCode::CONFLICT, markup).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::JobOptions;
    use crate::jobs::order::{JobVerb, Order};

    #[test]
    fn a_job_with_a_schedule_is_started_when_it_is_due() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = JobOptions {
            program: "/bin/true".into(),
            ..JobOptions::default()
        };
        let jobs = Jobs::new(folder.path(), options);
        let order = Order {
            verb: JobVerb::Model,
            subject: "http://cup.example/".to_owned(),
            mirror: String::new(),
            pages: String::new(),
            formats: Vec::new(),
            pages_max: None,
            minutes_max: None,
            host_only: false,
        };
        let name = jobs.start(order).expect("it starts");
        let ended = || {
            (0..500).any(|_| {
                std::thread::sleep(Duration::from_millis(20));
                jobs.job(&name).is_some_and(|job| job.state != JobState::Running)
            })
        };
        assert!(ended(), "the program does nothing");
        let in_hours = |hours: u64| SystemTime::now() + Duration::from_secs(hours * 3_600);
        assert!(start_due(&jobs, in_hours(1_000)).is_empty(), "it has no schedule");
        let job = jobs.job(&name).expect("it is there");
        fs::write(job.place.folder.join(SCHEDULE), r#"{"every_hours": 24}"#).expect("it can be written");
        assert!(start_due(&jobs, in_hours(23)).is_empty(), "it is not due");
        assert_eq!(start_due(&jobs, in_hours(25)), std::slice::from_ref(&name));
        assert!(ended(), "it was started again");
    }
}
