//! Whoever answers what is in doubt: a file of answers, or a person on a terminal.

use std::io::{self, IsTerminal};

use untemplate::teach::{Answer, LinkQuestion, Question, ShownValue, Teacher};

use super::ask::{ask_link, ask_person};
use super::lesson::Answers;
use crate::arguments::LearnArguments;
use crate::output::say;

/// Answers questions from the file, or by asking a person.
pub struct Asker<'a> {
    pub arguments: &'a LearnArguments,
    pub answers: Option<&'a Answers>,
}

impl Teacher for Asker<'_> {
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

    fn value(&mut self, question: &Question, page: &str) -> Option<Answer> {
        let answer = match self.answers {
            Some(answers) => answers.look_up(page, &question.field),
            None if io::stdin().is_terminal() => ask_person(question, page),
            None => None,
        };
        if answer.is_none() {
            self.tell(&format!("{page}: nobody said what {} is there", question.field));
        }
        answer
    }

    fn tell(&mut self, what: &str) {
        say(&self.arguments.output, what);
    }
}

/// Whether a link is one of those that were named by their words or addresses.
fn is_among(question: &LinkQuestion, links: &[ShownValue]) -> bool {
    links
        .iter()
        .any(|link| link.text == question.words || link.text == question.address.as_str())
}
