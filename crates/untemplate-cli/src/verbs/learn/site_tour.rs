//! The tour through a site that the examples show: visits, questions about links, and what came of it.

use std::io::{self, IsTerminal};

use anyhow::{Result, anyhow};
use untemplate::teach::{Guide, LearntWays, LinkQuestion, SamplePage, ShownSite, WayError, WayOptions, learn_ways};
use untemplate_store::SourceSite;

use super::ask::ask_link;
use super::examples::{Examples, wrong_way};
use super::lesson::{Answer, Answers};
use crate::arguments::LearnArguments;
use crate::output::say;

/// Learns the ways that the examples show; the pages that are known already are of the target or of a class that the examples name.
pub fn tour(
    arguments: &LearnArguments,
    examples: &Examples,
    answers: Option<&Answers>,
    (target, known): (&str, Vec<(String, SamplePage)>),
    site: &mut SourceSite,
) -> Result<LearntWays> {
    let shown = ShownSite {
        entries: examples.entries.clone(),
        entry_class: examples.entry_class.clone(),
        ways: examples.ways.clone(),
        target: target.to_owned(),
        known,
    };
    let options = WayOptions {
        questions_max: arguments.max_questions,
        send: arguments.send.clone(),
        ..WayOptions::default()
    };
    let mut asker = Asker { arguments, answers };
    learn_ways(&shown, &options, site, &mut asker).map_err(|error| match error {
        WayError::Way { way, key, what } => wrong_way(&arguments.examples, way, key, &what),
        other => anyhow!(other),
    })
}

/// Answers questions about links: from the file, or by asking a person.
struct Asker<'a> {
    arguments: &'a LearnArguments,
    answers: Option<&'a Answers>,
}

impl Guide for Asker<'_> {
    fn belongs(&mut self, question: &LinkQuestion) -> Option<bool> {
        let answer = match self.answers {
            Some(answers) => match answers.look_up(&question.page, &question.request_class) {
                Some(Answer::Values(links)) => Some(is_among(question, &links)),
                _ => None,
            },
            None if io::stdin().is_terminal() => ask_link(question),
            None => None,
        };
        if answer.is_none() {
            let LinkQuestion {
                page,
                request_class,
                address,
                ..
            } = question;
            self.tell(&format!(
                "{page}: nobody said whether {address} belongs to {request_class}"
            ));
        }
        answer
    }

    fn tell(&mut self, what: &str) {
        say(&self.arguments.output, what);
    }
}

/// Whether a link is one of those that were named by their words or addresses.
fn is_among(question: &LinkQuestion, links: &[String]) -> bool {
    links
        .iter()
        .any(|link| *link == question.words || link == question.address.as_str())
}
