//! `untemplate learn`: examples to a specification, asking only what is in doubt.

mod ask;
mod examples;
mod kept_lesson;
mod lesson;
mod site_tour;

use std::io::{self, IsTerminal};

use anyhow::{Result, bail};
use serde_json::json;
use untemplate::teach::{
    Example, LearntClass, LearntWays, SamplePage, Session, SessionOptions, Specification, TaughtClass, TaughtField,
    assertion_of, telling_assertion,
};
use untemplate_store::{Figures, SourceSite, specification_text};

use crate::arguments::LearnArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{complain, say, write_result};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};
use ask::ask_person;
use examples::{Examples, NamedExample, read_examples, refuse_no_pages};
use kept_lesson::{learn_lesson, lesson_in};
use lesson::{Answer, Answers};
use site_tour::tour;

/// Pages of another class that its texts are held against.
const OTHERS_MAX: usize = 3;

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
    let unwanted = reader.read_all(&examples.not);
    let (ways, sample) = if examples.ways.is_empty() {
        (LearntWays::default(), sample)
    } else {
        let mut known: Vec<(String, SamplePage)> = sample.into_iter().map(|page| (class.clone(), page)).collect();
        for (id, names) in &examples.classes {
            known.extend(reader.read_all(names).into_iter().map(|page| (id.clone(), page)));
        }
        let ways = tour(arguments, &examples, answers.as_ref(), (&class, known), reader.site)?;
        let of_class = ways.class(&class).map(|its| its.sample.clone());
        (ways, of_class.unwrap_or_default())
    };
    let sample: Vec<SamplePage> = without(sample, &unwanted);
    let mut session = taught(arguments, &examples, sample)?;
    ask_all(&mut session, answers.as_ref(), arguments);
    summary
        .more
        .push(("questions", json!(session.n_questions() + ways.n_questions)));
    summary.partial_because.extend(ways.lost.iter().cloned());
    let fields = session.fields();
    tell_unlearnt(&session, summary);
    if fields.is_empty() {
        return Ok(Outcome::Nothing);
    }
    let (wanted, rejected) = session.wanted();
    let unwanted = [unwanted, rejected].concat();
    let target = target_class(&class, fields, &wanted, &unwanted, &ways, summary);
    let specification = specification(target, &examples, ways);
    specification
        .check()
        .map_err(|error| WrongUsage(format!("{}: {error}", arguments.examples.display())))?;
    write_result(&arguments.output, specification_text(&specification).as_bytes())?;
    Ok(if summary.partial_because.is_empty() {
        Outcome::Complete
    } else {
        Outcome::Partial
    })
}

fn session_options(arguments: &LearnArguments) -> SessionOptions {
    SessionOptions {
        questions_max: arguments.max_questions,
        questions_min: arguments.max_questions.min(1),
        ..SessionOptions::default()
    }
}

/// A session that has seen the examples.
fn taught(arguments: &LearnArguments, examples: &Examples, sample: Vec<SamplePage>) -> Result<Session> {
    let mut session = Session::new(sample, session_options(arguments));
    session.show(&numbered(&examples.fields, session.sample())?);
    Ok(session)
}

/// Pages but for those of certain names.
fn without(sample: Vec<SamplePage>, left_out: &[SamplePage]) -> Vec<SamplePage> {
    let is_kept = |page: &SamplePage| left_out.iter().all(|its| its.name != page.name);
    sample.into_iter().filter(is_kept).collect()
}

/// Says which fields were not learnt, or are in doubt.
fn tell_unlearnt(session: &Session, summary: &mut Summary) {
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
}

/// The class that fields are of, with what tells its pages from others.
fn target_class(
    id: &str,
    fields: Vec<TaughtField>,
    wanted: &[SamplePage],
    unwanted: &[SamplePage],
    ways: &LearntWays,
    summary: &mut Summary,
) -> TaughtClass {
    let others = others(id, ways);
    let telling = telling_assertion(wanted, unwanted, &others, &fields);
    let assertion = telling.unwrap_or_else(|| {
        let names: Vec<&str> = unwanted.iter().map(|page| page.name.as_str()).collect();
        let why = format!(
            "nothing tells {} from the pages that are wanted: no label, no breadcrumb, no address; they will be read, too",
            names.join(" and ")
        );
        complain(&why);
        summary.partial_because.push(why);
        assertion_of(wanted, &[], &fields)
    });
    let addresses = ways.class(id).map(|class| class.addresses.clone());
    TaughtClass {
        assertion,
        fields,
        addresses: addresses.unwrap_or_default(),
        ..TaughtClass::named(id)
    }
}

/// Some pages of each other class.
fn others(id: &str, ways: &LearntWays) -> Vec<SamplePage> {
    let classes = ways.classes.iter().filter(|class| class.id != id);
    classes
        .flat_map(|class| class.sample.iter().take(OTHERS_MAX).cloned())
        .collect()
}

/// All that was learnt: the class that fields are of, and how to get there.
fn specification(target: TaughtClass, examples: &Examples, ways: LearntWays) -> Specification {
    let mut target = Some(target);
    let mut classes: Vec<TaughtClass> = Vec::new();
    for class in &ways.classes {
        if target.as_ref().is_some_and(|target| target.id == class.id) {
            classes.extend(target.take());
        } else {
            classes.push(way_class(class, &ways));
        }
    }
    classes.extend(target);
    Specification {
        site: examples.entries.first().cloned(),
        classes,
        request_classes: ways.request_classes,
        paths: ways.paths,
    }
}

/// A class on the way. One page cannot tell its template from its data, so that such a class asserts nothing.
fn way_class(class: &LearntClass, ways: &LearntWays) -> TaughtClass {
    let assertion = if class.sample.len() < 2 {
        None
    } else {
        telling_assertion(&class.sample, &[], &others(&class.id, ways), &[])
    };
    TaughtClass {
        addresses: class.addresses.clone(),
        assertion: assertion.unwrap_or_default(),
        ..TaughtClass::named(&class.id)
    }
}

/// Reads pages by their names; those that cannot be had are said.
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
            bail!("none of the pages could be had");
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
            Some(answers) => answers.look_up(page, &question.field),
            None if io::stdin().is_terminal() => ask_person(&question, page),
            None => None,
        };
        match answer {
            Some(Answer::Values(values)) => session.answer(&question, &values),
            Some(Answer::Unwanted) => session.reject(&question),
            None => {
                let doubt = format!("{page}: nobody said what {} is there", question.field);
                say(&arguments.output, &doubt);
                session.skip(&question);
            }
        }
    }
}
