//! A lesson that `teach` kept, replayed without a browser: the same choices give the same
//! specification.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use untemplate::page::{Page, Request, Site, Visit};
use untemplate::teach::{Lesson, SessionOptions, Taught};
use untemplate_store::{LessonFile, LessonFileError, SourceSite, read_lesson, specification_text};

use crate::arguments::LearnArguments;
use crate::outcome::Outcome;
use crate::output::{complain, say, write_result};
use crate::summary::Summary;

/// The lesson in a file of examples, if it is one.
pub fn lesson_in(file: &Path) -> Result<Option<LessonFile>> {
    match read_lesson(file) {
        Ok(lesson) => Ok(lesson),
        // Examples of another kind, or nothing at all: whoever reads those says so.
        Err(LessonFileError::Wrong { .. } | LessonFileError::Read { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Replays a lesson and writes its specification.
pub fn learn_lesson(
    kept: &LessonFile,
    options: SessionOptions,
    arguments: &LearnArguments,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    let lesson = Lesson::of(kept.entry.clone(), &kept.choices);
    let pages = pages_of(&lesson, site, summary);
    let taught = Taught::new(&lesson, &pages, options);
    for lost in &taught.lost {
        complain(lost);
        summary.partial_because.push(lost.clone());
    }
    for (class, session) in lesson.classes.iter().zip(&taught.sessions) {
        for field in session.unlearnt() {
            let reason = format!("{}: no rule finds {field}, so that it is not read", class.id);
            complain(&reason);
            summary.partial_because.push(reason);
        }
    }
    let n_questions: usize = taught.sessions.iter().map(|session| session.n_questions()).sum();
    summary.more.push(("questions", json!(n_questions)));
    for question in taught.sessions.iter().filter_map(|session| session.question()) {
        say(
            &arguments.output,
            &format!("nobody said yet what {} is on all its pages", question.field),
        );
    }
    if !taught.specification.classes.iter().any(|class| class.is_read()) {
        return Ok(Outcome::Nothing);
    }
    taught.specification.check()?;
    write_result(&arguments.output, specification_text(&taught.specification).as_bytes())?;
    Ok(if summary.partial_because.is_empty() {
        Outcome::Complete
    } else {
        Outcome::Partial
    })
}

/// The pages of all samples; those that cannot be fetched are said.
fn pages_of(lesson: &Lesson, site: &mut SourceSite, summary: &mut Summary) -> HashMap<Request, Arc<Page>> {
    let requests: Vec<Request> = lesson.classes.iter().flat_map(|class| class.sample.clone()).collect();
    let mut pages = HashMap::new();
    for (request, visit) in requests.iter().zip(site.visit(&requests)) {
        let reason = match visit {
            Visit::Page(page) => {
                pages.insert(request.clone(), page);
                continue;
            }
            Visit::Dead { reason }
            | Visit::Refused { reason }
            | Visit::NotFollowed { reason }
            | Visit::Failed { reason } => reason,
            Visit::Stopped => format!("{}: the visit was stopped", request.url),
        };
        summary.figures.failures += 1;
        complain(&reason);
        summary.partial_because.push(reason);
    }
    pages
}
