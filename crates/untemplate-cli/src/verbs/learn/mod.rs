//! `untemplate learn`: examples to a specification, asking only what is in doubt.

mod ask;
mod kept_lesson;
mod lesson;

use std::io::{self, IsTerminal};

use anyhow::{Result, bail};
use serde_json::json;
use untemplate::teach::{Example, SamplePage, Session, SessionOptions, Specification, taught_class};
use untemplate_store::{Figures, SourceSite, specification_text};

use crate::arguments::LearnArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{complain, say, write_result};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};
use ask::ask_person;
use kept_lesson::{learn_lesson, lesson_in};
use lesson::{Answers, NamedExample, read_examples};

/// Learns, asks, and writes the specification.
pub fn run(arguments: &LearnArguments) -> Result<Outcome> {
    summarised("learn", &arguments.output, |summary| {
        let mut site = open_site(&arguments.sources, &arguments.output, false)?;
        let result = learn(arguments, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

fn learn(arguments: &LearnArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    let options = SessionOptions {
        questions_max: arguments.max_questions,
        questions_min: arguments.max_questions.min(1),
        ..SessionOptions::default()
    };
    if let Some(kept) = lesson_in(&arguments.examples)? {
        return learn_lesson(&kept, options, arguments, site, summary);
    }
    if arguments.pages.is_empty() {
        bail!(WrongUsage(
            "there are no pages to learn from; name some ten of one class".to_owned()
        ));
    }
    let examples = read_examples(&arguments.examples)?;
    let answers = arguments.answers.as_deref().map(Answers::read).transpose()?;
    let sample = read_sample(arguments, &examples, site, summary)?;
    let mut session = Session::new(sample, options);
    session.show(&numbered(&examples, session.sample())?);
    ask_all(&mut session, answers.as_ref(), arguments);
    summary.more.push(("questions", json!(session.n_questions())));
    let fields = session.fields();
    for name in session.unlearnt() {
        let why =
            format!("field {name}: no text of its pages is the value that was shown; look at `untemplate show page`");
        complain(&why);
        summary.partial_because.push(why);
    }
    for (name, page) in session.doubtful() {
        let page = &session.sample()[page].name;
        let why = format!(
            "field {name}: every rule contradicts what is known of {page}; check the examples and answers, or give the field one meaning"
        );
        complain(&why);
        summary.partial_because.push(why);
    }
    if fields.is_empty() {
        return Ok(Outcome::Nothing);
    }
    let specification = Specification {
        classes: vec![taught_class(&arguments.class, &session, &[])],
        ..Specification::default()
    };
    write_result(&arguments.output, specification_text(&specification).as_bytes())?;
    Ok(if summary.partial_because.is_empty() {
        Outcome::Complete
    } else {
        Outcome::Partial
    })
}

/// Reads the pages, and those that only examples name.
fn read_sample(
    arguments: &LearnArguments,
    examples: &[NamedExample],
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Vec<SamplePage>> {
    let mut names = expand(&arguments.pages)?;
    for example in examples {
        if !names.contains(&example.page) {
            names.push(example.page.clone());
        }
    }
    let mut sample = Vec::new();
    for name in names {
        match read_page(&name, site, &arguments.sources) {
            Ok(page) => sample.push(SamplePage::new(name, page)),
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if sample.is_empty() {
        bail!("none of the pages could be had");
    }
    Ok(sample)
}

/// The examples with their pages as numbers; those on pages that could not be had are lost, which was said.
fn numbered(examples: &[NamedExample], sample: &[SamplePage]) -> Result<Vec<Example>> {
    let number = |example: &NamedExample| {
        let page = sample.iter().position(|page| page.name == example.page)?;
        let (field, value) = (example.field.clone(), example.value.clone());
        Some(Example { field, page, value })
    };
    let numbered: Vec<Example> = examples.iter().filter_map(number).collect();
    if numbered.is_empty() {
        bail!("none of the pages that the examples are on could be had");
    }
    Ok(numbered)
}

/// Asks until nothing is in doubt, or nobody answers.
fn ask_all(session: &mut Session, answers: Option<&Answers>, arguments: &LearnArguments) {
    while let Some(question) = session.question() {
        let page = &session.sample()[question.page].name;
        let answer = match answers {
            Some(answers) => answers.look_up(page, &question.field).map(<[String]>::to_vec),
            None if io::stdin().is_terminal() => ask_person(&question, page),
            None => None,
        };
        match answer {
            Some(values) => session.answer(&question, &values),
            None => {
                let doubt = format!("{page}: nobody said what {} is there", question.field);
                say(&arguments.output, &doubt);
                session.skip(&question);
            }
        }
    }
}
