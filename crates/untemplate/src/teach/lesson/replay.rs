//! Replaying what was said about a class: examples first, then answers, question by question.
//!
//! Questions come in the order that the session asks them, whatever the order in which a person
//! came to answer them; an answer that is there is given when its question comes up. So a browser,
//! a terminal and a file of answers end with the same session.

use super::model::LessonClass;
use crate::teach::{Example, SamplePage, Session, SessionOptions};

/// The session of a class after all that was said; its next question, if it has one, was not
/// answered yet.
///
/// The sample has the pages of the class in its order.
pub fn replay(class: &LessonClass, sample: Vec<SamplePage>, options: SessionOptions) -> Session {
    let mut session = Session::new(sample, options);
    let n_pages = session.sample().len();
    let unwanted = class.unwanted.iter().filter(|&&page| page < n_pages);
    unwanted.for_each(|&page| session.exclude(page));
    let examples: Vec<Example> = class
        .examples
        .iter()
        .filter(|example| example.page < n_pages && !class.unwanted.contains(&example.page))
        .cloned()
        .collect();
    session.show(&examples);
    for (field, page) in class.absent.iter().filter(|(_, page)| *page < n_pages) {
        session.show_absent(field, *page);
    }
    for (field, rule) in &class.left_out {
        session.leave_out(field, rule);
    }
    while let Some(question) = session.question() {
        let is_it = |field: &str, page: usize| (field, page) == (&question.field, question.page);
        let answer = class.answers.iter().find(|its| is_it(&its.field, its.page));
        match answer.map(|answer| &answer.values) {
            None => break,
            Some(Some(values)) => session.answer(&question, values),
            Some(None) => session.skip(&question),
        }
    }
    session
}
