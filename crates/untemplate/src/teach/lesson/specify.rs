//! From a lesson to a specification.
//!
//! Each class gets its fields and what tells its pages from those of the others; each way its rule; and there is a path from the entry to every class that
//! is read, by every way that leads there without meeting a class twice. Ways from a class to itself are followed wherever it is met.

use std::collections::HashMap;
use std::sync::Arc;

use super::model::{Lesson, Means, Way};
use super::present::PresentLesson;
use super::replay::replay;
use crate::page::{Method, NodeId, Page, Request};
use crate::rule::{LocationPath, select};
use crate::teach::way::{PathPart, paths_between};
use crate::teach::{
    Following, Form, FormRule, NavigationalPath, RequestClass, RequestMeans, SamplePage, Session, SessionOptions,
    Specification, TaughtClass, assertion_of, followings, show_rule, telling_assertion,
};

/// Paths that a specification gets at most.
const PATHS_MAX: usize = 24;

/// The fewest pages that say what a class has in common: with one, everything is.
const ASSERTED_MIN: usize = 2;

/// Pages of another class that the texts of one are held against.
const OTHERS_MAX: usize = 3;

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
    /// Replays a lesson. Pages that are not there are left out of the samples, and so is what was said about them.
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

/// A class with what its session learnt; `others` are pages of other classes.
pub fn taught_class(id: &str, session: &Session, others: &[SamplePage]) -> TaughtClass {
    let fields = session.fields();
    let (wanted, unwanted) = session.wanted();
    let telling = telling_assertion(&wanted, &unwanted, others, &fields);
    TaughtClass {
        assertion: telling.unwrap_or_else(|| assertion_of(&wanted, &[], &fields)),
        fields,
        ..TaughtClass::named(id)
    }
}

fn specification(lesson: &Lesson, sessions: &[Session]) -> Specification {
    let mut classes: Vec<TaughtClass> = Vec::new();
    for (index, (class, session)) in lesson.classes.iter().zip(sessions).enumerate() {
        let others = sessions.iter().enumerate().filter(|(other, _)| *other != index);
        let some = |session: &Session| session.sample().iter().take(OTHERS_MAX).cloned().collect::<Vec<_>>();
        let others: Vec<SamplePage> = others.flat_map(|(_, session)| some(session)).collect();
        let mut taught = if session.sample().len() < ASSERTED_MIN {
            let fields = session.fields();
            TaughtClass {
                fields,
                ..TaughtClass::named(&class.id)
            }
        } else {
            taught_class(&class.id, session, &others)
        };
        if index == 0 {
            taught.addresses = vec![lesson.entry.clone()];
        }
        classes.push(taught);
    }
    let request_classes = lesson
        .ways
        .iter()
        .filter_map(|way| request_class(way, lesson, sessions))
        .collect();
    let mut specification = Specification {
        site: Some(lesson.entry.clone()),
        classes,
        request_classes,
        paths: Vec::new(),
    };
    specification.paths = paths(&specification);
    specification
}

fn request_class(way: &Way, lesson: &Lesson, sessions: &[Session]) -> Option<RequestClass> {
    let index = lesson.classes.iter().position(|class| class.id == way.from)?;
    let page = &sessions[index].sample().get(way.page)?.page;
    let (method, means) = match &way.means {
        Means::Links { clicked, rule } => {
            let following = chosen(followings(page, clicked), rule)?;
            (Method::Get, RequestMeans::Links(vec![following.rule]))
        }
        Means::Form { form, fields } => {
            let path: LocationPath = form.parse().ok()?;
            let node = select(&path, &page.dom, NodeId::DOCUMENT).first()?.node;
            let method = Form::read(page, node)?.method;
            let choices = fields.clone();
            (method, RequestMeans::Form(FormRule { path, choices }))
        }
    };
    Some(RequestClass {
        id: way.id.clone(),
        from: way.from.clone(),
        to: way.to.clone(),
        method,
        means,
    })
}

/// The rule that was chosen, or where it is not among them any more, the likeliest.
fn chosen(followings: Vec<Following>, rule: &str) -> Option<Following> {
    let at = followings
        .iter()
        .position(|following| show_rule(&following.rule) == rule);
    followings.into_iter().nth(at.unwrap_or(0))
}

/// The paths from the entry to all classes that are read.
fn paths(specification: &Specification) -> Vec<NavigationalPath> {
    let Some(entry) = specification.classes.first() else {
        return Vec::new();
    };
    let steps: Vec<&RequestClass> = specification
        .request_classes
        .iter()
        .filter(|way| !way.is_loop())
        .collect();
    let is_read = |id: &str| {
        let class = specification.classes.iter().find(|class| class.id == id);
        class.is_some_and(|class| !class.fields.is_empty())
    };
    let ways = paths_between(&[&entry.id], &steps, PATHS_MAX, |class| match is_read(class) {
        true => PathPart::Both,
        false => PathPart::Between,
    });
    let mut found: Vec<NavigationalPath> = Vec::new();
    for steps in ways {
        let given_name = name_of(&steps, &found);
        found.push(NavigationalPath { given_name, steps });
    }
    found
}

/// A name for a path whose own would be another's: paths must be told apart.
fn name_of(steps: &[String], found: &[NavigationalPath]) -> Option<String> {
    let path = NavigationalPath {
        given_name: None,
        steps: steps.to_vec(),
    };
    let is_taken = |name: &str| found.iter().any(|its| its.name().eq_ignore_ascii_case(name));
    if !is_taken(path.name()) {
        return None;
    }
    let numbered = (2..).map(|number| format!("{}-{number}", path.name()));
    numbered.into_iter().find(|name| !is_taken(name))
}
