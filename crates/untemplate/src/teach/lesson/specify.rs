//! From a lesson to a specification.
//!
//! Each class gets the session that its examples and answers lead to, each navigation its request
//! class; `assembly.rs` puts them together, as it does for whoever learns without a lesson.

use std::collections::HashMap;
use std::sync::Arc;

use super::model::Lesson;
use super::present::PresentLesson;
use super::replay::replay;
use crate::page::{Page, Request};
use crate::teach::assembly::{ClassEvidence, assemble};
use crate::teach::navigation::request_class;
use crate::teach::{Navigation, SamplePage, Session, SessionOptions, Specification};

/// A lesson with all that follows from it.
#[derive(Debug, Clone)]
pub struct Taught {
    /// The session of each class, in the lesson's order.
    pub sessions: Vec<Session>,
    /// What was taught.
    pub specification: Specification,
    /// What was left out because pages are missing, for people.
    pub lost: Vec<String>,
}

impl Taught {
    /// Replays a lesson. Pages that are not there are left out of the samples, and so is what was
    /// said about them.
    pub fn new(lesson: &Lesson, pages: &HashMap<Request, Arc<Page>>, options: SessionOptions) -> Self {
        let present = lesson.present(|request| pages.contains_key(request));
        let lesson = &present.lesson;
        let sessions = lesson
            .classes
            .iter()
            .map(|class| replay(class, sample_of(&class.sample, pages), options));
        let sessions = sessions.collect();
        Self::of(&present, sessions)
    }

    /// The same, where the sessions are replayed already.
    pub fn of(present: &PresentLesson, sessions: Vec<Session>) -> Self {
        let specification = specification(&present.lesson, &sessions);
        Self {
            sessions,
            specification,
            lost: present.lost.clone(),
        }
    }
}

/// The pages of a sample, all of which are there, called by their addresses.
fn sample_of(requests: &[Request], pages: &HashMap<Request, Arc<Page>>) -> Vec<SamplePage> {
    let page = |request: &Request| Some(SamplePage::new(request.url.as_str(), Arc::clone(pages.get(request)?)));
    requests.iter().filter_map(page).collect()
}

fn specification(lesson: &Lesson, sessions: &[Session]) -> Specification {
    let classes = lesson.classes.iter().zip(sessions).enumerate();
    let classes = classes.map(|(index, (class, session))| {
        let addresses = if index == 0 {
            vec![lesson.entry.clone()]
        } else {
            Vec::new()
        };
        let mut evidence = ClassEvidence::of(&class.id, addresses, session);
        evidence.fields = class.shaped_fields(session);
        evidence.rows = class.rows.clone();
        evidence
    });
    let taught_on = |navigation: &Navigation| {
        let index = lesson
            .classes
            .iter()
            .position(|class| Some(&*class.id) == navigation.from_class())?;
        sessions[index].sample().get(navigation.page().unwrap_or(0))
    };
    let request_classes = lesson
        .navigation
        .iter()
        .filter_map(|navigation| request_class(navigation, &taught_on(navigation)?.page));
    assemble(Some(lesson.entry.clone()), classes.collect(), request_classes.collect()).0
}
