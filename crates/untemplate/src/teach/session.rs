//! A teaching session: examples in, questions out, answers in, fields out.
//!
//! Paper 002 §5: the program shows what it is unsure of and nothing else. It is a value: whoever
//! asks the person (a terminal, a browser, a file of answers) holds it, and the same examples and
//! answers give the same fields.
//!
//! A question is about one field on one page: which of these is it, or is it absent? The page is
//! the one on which the votes of the rules that are left are most divided. Each answer removes
//! rules, and shows the value in one more place from which new ones come.

use std::collections::BTreeSet;

use super::candidate::candidates;
use super::occurrence::Occurrence;
use super::sample::{SamplePage, Support};
use super::spot::{ShownValue, read_there};
use super::taught_field::TaughtField;
use super::version_space::{KnownValue, VersionSpace};
use crate::rule::Selected;

/// How a session asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionOptions {
    /// Questions for one field, or examples after the first, even where no rule disagrees: all rules
    /// of one example can be wrong together.
    pub questions_min: usize,
    /// Questions for one field at most.
    pub questions_max: usize,
    /// The entropy of the votes, in bits, below which nobody is bothered: 0.29 is a minority of 5
    /// %.
    pub doubt_min: f64,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            questions_min: 1,
            questions_max: 3,
            doubt_min: 0.29,
        }
    }
}

/// What a field is on a page that a person showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The field.
    pub field: String,
    /// The page, as its number in the sample.
    pub page: usize,
    /// The value, and where it stands if somebody pointed at it.
    pub value: ShownValue,
}

/// What the program is unsure of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The field.
    pub field: String,
    /// The page, as its number in the sample.
    pub page: usize,
    /// What it may be there, the likeliest first; an empty list is "absent".
    pub choices: Vec<Vec<String>>,
    /// Where the values of each choice stand on the page.
    pub places: Vec<Vec<Selected>>,
}

/// What is answered to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The values of the field; none where it is absent.
    Values(Vec<ShownValue>),
    /// The page is none of those that are wanted.
    Unwanted,
}

/// Teaching under way.
#[derive(Debug, Clone)]
pub struct Session {
    sample: Vec<SamplePage>,
    support: Support,
    options: SessionOptions,
    fields: Vec<FieldState>,
    /// Pages of the sample that turned out to be none of those that are wanted.
    unwanted: BTreeSet<usize>,
}

#[derive(Debug, Clone)]
struct FieldState {
    name: String,
    space: VersionSpace,
    n_questions: usize,
    /// Whether nobody knows the answers.
    is_left: bool,
}

impl Session {
    /// Begins with a sample of pages.
    pub fn new(sample: Vec<SamplePage>, options: SessionOptions) -> Self {
        let support = Support::of(&sample);
        let fields = Vec::new();
        Self {
            sample,
            support,
            options,
            fields,
            unwanted: BTreeSet::new(),
        }
    }

    /// The pages of the sample.
    pub fn sample(&self) -> &[SamplePage] {
        &self.sample
    }

    /// The pages of the sample that are wanted, and those that are not.
    pub fn wanted(&self) -> (Vec<SamplePage>, Vec<SamplePage>) {
        let pages = self.sample.iter().cloned().enumerate();
        let (wanted, unwanted): (Vec<_>, Vec<_>) = pages.partition(|(number, _)| !self.unwanted.contains(number));
        let pages = |numbered: Vec<(usize, SamplePage)>| numbered.into_iter().map(|(_, page)| page).collect();
        (pages(wanted), pages(unwanted))
    }

    /// Takes in, instead of an answer, that the page of a question is none of those that are
    /// wanted. It is not asked about again, and nothing is learnt from what rules say there.
    pub fn reject(&mut self, question: &Question) {
        let field = self.field_index(&question.field);
        self.fields[field].n_questions += 1;
        self.exclude(question.page);
    }

    /// Takes in that a page is none of those that are wanted: nothing is learnt from it.
    pub fn exclude(&mut self, page: usize) {
        self.unwanted.insert(page);
        for field in &mut self.fields {
            field.space.known.remove(&page);
            field.space.unwanted.insert(page);
        }
    }

    /// Takes in examples. All values of a field on a page are to come in one call.
    pub fn show(&mut self, examples: &[Example]) {
        for example in examples {
            let field = self.field_index(&example.field);
            let value = self.known_value(example.page, &example.value);
            let known = self.fields[field].space.known.entry(example.page).or_default();
            if !known.contains(&value) {
                known.push(value);
            }
        }
        for example in examples {
            let field = self.field_index(&example.field);
            self.learn_from(field, example.page, std::slice::from_ref(&example.value));
        }
    }

    /// Takes in that a page is without a field that was shown.
    pub fn show_absent(&mut self, field: &str, page: usize) {
        if let Some(field) = self.fields.iter_mut().find(|its| its.name == field) {
            field.space.known.entry(page).or_default();
        }
    }

    /// The next question; `None` when there is nothing to ask.
    pub fn question(&self) -> Option<Question> {
        let n_pages = self.sample.len();
        self.fields.iter().find_map(|field| {
            if field.is_left || field.n_questions >= self.options.questions_max {
                return None;
            }
            let (page, doubt) = field.space.most_uncertain(n_pages)?;
            // A second page that was shown is as good as one that was asked about.
            let n_verified = field.n_questions.max(field.space.n_shown().saturating_sub(1));
            let is_verified = n_verified >= self.options.questions_min;
            (doubt >= self.options.doubt_min || !is_verified).then(|| {
                let (choices, places) = field.space.choices(page).into_iter().unzip();
                Question {
                    field: field.name.clone(),
                    page,
                    choices,
                    places,
                }
            })
        })
    }

    /// Takes in the answer to a question: the true values, none where the field is absent.
    pub fn answer(&mut self, question: &Question, values: &[ShownValue]) {
        let field = self.field_index(&question.field);
        self.fields[field].n_questions += 1;
        let known = values.iter().map(|value| self.known_value(question.page, value));
        let known = known.collect();
        self.fields[field].space.known.insert(question.page, known);
        self.learn_from(field, question.page, values);
    }

    /// Goes on without an answer: the field is not asked about again.
    pub fn skip(&mut self, question: &Question) {
        let field = self.field_index(&question.field);
        self.fields[field].n_questions += 1;
        self.fields[field].is_left = true;
    }

    /// Asks until nothing is in doubt: `answer` gets each question with the name of its page, and
    /// gives `None` where nobody knows.
    pub fn ask_all(&mut self, mut answer: impl FnMut(&Question, &str) -> Option<Answer>) {
        while let Some(question) = self.question() {
            match answer(&question, &self.sample[question.page].name) {
                Some(Answer::Values(values)) => self.answer(&question, &values),
                Some(Answer::Unwanted) => self.reject(&question),
                None => self.skip(&question),
            }
        }
    }

    /// How many questions were asked, answered or not.
    pub fn n_questions(&self) -> usize {
        self.fields.iter().map(|field| field.n_questions).sum()
    }

    /// The fields as far as they are learnt, in the order they were first shown; those that no rule
    /// reads are left out.
    pub fn fields(&self) -> Vec<TaughtField> {
        self.fields
            .iter()
            .filter_map(|field| field.space.field(&field.name))
            .collect()
    }

    /// The names of fields that no rule reads.
    pub fn unlearnt(&self) -> Vec<&str> {
        let is_unlearnt = |field: &&FieldState| field.space.field(&field.name).is_none();
        self.fields
            .iter()
            .filter(is_unlearnt)
            .map(|field| field.name.as_str())
            .collect()
    }

    /// The names of fields whose every rule contradicts an answer, each with a page, as its number
    /// in the sample, on which it does.
    pub fn doubtful(&self) -> Vec<(&str, usize)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field.name.as_str(), field.space.contradicted()?)))
            .collect()
    }

    /// Does without a rule of a field that was shown, given as [`show_rule`](super::show_rule)
    /// prints it.
    pub fn leave_out(&mut self, field: &str, rule: &str) {
        if let Some(field) = self.fields.iter_mut().find(|its| its.name == field) {
            field.space.left_out.push(rule.to_owned());
        }
    }

    fn learn_from(&mut self, field: usize, page: usize, values: &[ShownValue]) {
        let Some(shown) = self.sample.get(page) else {
            return;
        };
        for value in values {
            for occurrence in self.occurrences(field, page, value) {
                let new = candidates(&shown.page, &shown.texts, &occurrence, &self.support);
                self.fields[field].space.add(new, &self.sample);
            }
        }
    }

    /// Where a value stands that rules are to lead to. Of a field that was pointed at, a value in
    /// words stands where its rules read it.
    fn occurrences(&self, field: usize, page: usize, value: &ShownValue) -> Vec<Occurrence> {
        let (shown, space) = (&self.sample[page], &self.fields[field].space);
        if value.spot.is_none() && space.is_pointed() {
            return read_there(shown, &value.text, &space.places_of(page, &value.text));
        }
        value.occurrences(shown)
    }

    fn known_value(&self, page: usize, value: &ShownValue) -> KnownValue {
        let page = self.sample.get(page);
        KnownValue {
            text: value.text.clone(),
            is_said: page.is_some_and(|page| !value.occurrences(page).is_empty()),
            place: page.and_then(|page| value.innermost(&page.page.dom)),
        }
    }

    fn field_index(&mut self, name: &str) -> usize {
        if let Some(index) = self.fields.iter().position(|field| field.name == name) {
            return index;
        }
        self.fields.push(FieldState {
            name: name.to_owned(),
            space: VersionSpace::without(&self.unwanted),
            n_questions: 0,
            is_left: false,
        });
        self.fields.len() - 1
    }
}
