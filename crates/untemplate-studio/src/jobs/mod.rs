//! Jobs: verbs that were started from the browser.
//!
//! A job is this same program as a process of its own, with arguments that were checked here and no
//! shell between. Its folder, below `untemplate-jobs` in the studio's folder, has what was ordered,
//! its messages, its summary and its result; so a job can be looked at after a reload and after the
//! studio was started anew, and the same order goes on where it stopped.
//!
//! 1. [`order`]: what a form asks for, checked, and the arguments that follow.
//! 2. [`process`]: a job's process: started, interrupted as by Ctrl-C, its end noted. [`register`]:
//!    all jobs of a studio. `room`: whether there is room for what they write.
//! 3. [`form`]: what can be started. [`job_view`]: a job as it goes on. [`schedule`]: jobs that run
//!    again.

pub mod form;
pub mod job_view;
pub mod order;
#[cfg(test)]
mod order_tests;
pub mod process;
pub mod register;
mod room;
pub mod schedule;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

pub use register::{JobOptions, Jobs};

use crate::studio::StudioState;

/// `/jobs` and below.
pub fn routes() -> Router<Arc<StudioState>> {
    Router::new()
        .route("/jobs", get(form::index).post(form::start))
        .route("/jobs/{name}", get(job_view::view))
        .route("/jobs/{name}/live", get(job_view::live))
        .route("/jobs/{name}/cancel", post(job_view::cancel))
        .route("/jobs/{name}/resume", post(job_view::resume))
        .route("/jobs/{name}/schedule", post(schedule::set))
        .route("/jobs/{name}/pages.jsonl", get(job_view::pages))
}
