//! `untemplate learn`: examples to a specification, asking only what is in doubt.

mod ask;
mod asker;
mod examples;
mod kept_lesson;
mod lesson;

use anyhow::{Result, anyhow, bail};
use serde_json::json;
use untemplate::teach::{LearnError, LearnOptions, NavigationError, SamplePage, SessionOptions, ShownSite, learn_site};
use untemplate_store::{Figures, SourceSite, specification_text};

use crate::arguments::LearnArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{complain, write_result};
use crate::page_arguments::{expand, read_page};
use crate::summary::{Summary, summarised};
use asker::Asker;
use examples::{Examples, read_examples, refuse_no_pages, wrong_link};
use kept_lesson::{learn_lesson, lesson_in};
use lesson::Answers;

/// Learns, asks, and writes the specification.
pub fn run(arguments: &LearnArguments) -> Result<Outcome> {
    summarised("learn", &arguments.output, |summary| {
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let result = learn(arguments, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

fn learn(arguments: &LearnArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    if let Some(kept) = lesson_in(&arguments.examples)? {
        return learn_lesson(&kept, session_options(arguments), arguments, site, summary);
    }
    let examples = read_examples(&arguments.examples)?;
    refuse_no_pages(!arguments.pages.is_empty(), &examples)?;
    let class = arguments.class.clone().or_else(|| examples.class.clone());
    let class = class.unwrap_or_else(|| "PAGE".to_owned());
    let answers = arguments.answers.as_deref().map(Answers::read).transpose()?;
    let mut reader = PageReader {
        arguments,
        site,
        summary,
    };
    let sample = reader.read_sample(&examples)?;
    let mut known: Vec<(String, SamplePage)> = sample.into_iter().map(|page| (class.clone(), page)).collect();
    for (id, names) in &examples.classes {
        known.extend(reader.read_all(names).into_iter().map(|page| (id.clone(), page)));
    }
    let shown = ShownSite {
        unwanted: reader.read_all(&examples.not),
        entries: examples.entries,
        entry_class: examples.entry_class,
        navigation: examples.navigation,
        target: class,
        known,
        examples: examples.fields,
    };
    let options = LearnOptions {
        session: session_options(arguments),
        send: arguments.send.clone(),
        ..LearnOptions::default()
    };
    let mut asker = Asker {
        arguments,
        answers: answers.as_ref(),
    };
    let learnt = learn_site(&shown, &options, reader.site, &mut asker).map_err(|error| explained(arguments, error))?;
    summary.more.push(("questions", json!(learnt.n_questions)));
    learnt.lost.iter().for_each(|why| complain(why));
    summary.partial_because.extend(learnt.lost);
    if learnt.specification.classes.iter().all(|class| class.fields.is_empty()) {
        return Ok(Outcome::Nothing);
    }
    learnt
        .specification
        .check()
        .map_err(|error| WrongUsage(format!("{}: {error}", arguments.examples.display())))?;
    write_result(&arguments.output, specification_text(&learnt.specification).as_bytes())?;
    Ok(if summary.partial_because.is_empty() {
        Outcome::Complete
    } else {
        Outcome::Partial
    })
}

/// What is wrong with a link of the examples, by its key in the file.
fn explained(arguments: &LearnArguments, error: LearnError) -> anyhow::Error {
    match error {
        LearnError::Navigation(NavigationError::Navigation { index, key, what }) => {
            wrong_link(&arguments.examples, index, key, &what)
        }
        other => anyhow!(other),
    }
}

fn session_options(arguments: &LearnArguments) -> SessionOptions {
    SessionOptions {
        questions_max: arguments.max_questions,
        questions_min: arguments.max_questions.min(1),
        ..SessionOptions::default()
    }
}

/// Reads pages by their names; those that cannot be fetched are said.
struct PageReader<'a> {
    arguments: &'a LearnArguments,
    site: &'a mut SourceSite,
    summary: &'a mut Summary,
}

impl PageReader<'_> {
    /// Reads the pages, and those that only examples name.
    fn read_sample(&mut self, examples: &Examples) -> Result<Vec<SamplePage>> {
        let mut names = if self.arguments.pages.is_empty() {
            Vec::new()
        } else {
            expand(&self.arguments.pages)?
        };
        for example in &examples.fields {
            if !names.contains(&example.page) {
                names.push(example.page.clone());
            }
        }
        let sample = self.read_all(&names);
        if sample.is_empty() {
            bail!("none of the pages could be fetched");
        }
        Ok(sample)
    }

    fn read_all(&mut self, names: &[String]) -> Vec<SamplePage> {
        let mut sample = Vec::new();
        for name in names {
            match read_page(name, self.site, &self.arguments.sources) {
                Ok(page) => sample.push(SamplePage::new(name, page)),
                Err(error) => {
                    self.summary.figures.failures += 1;
                    complain(&format!("{error:#}"));
                    self.summary.partial_because.push(format!("{name}: {error:#}"));
                }
            }
        }
        sample
    }
}
