//! What a lesson is, as plain values.

use url::Url;

use super::shape::Shape;
use crate::page::Request;
use crate::teach::{Example, Navigation, ShownValue, TaughtRows};

/// The class of the page that a lesson begins with.
const ENTRY_CLASS: &str = "HOME";

/// All that was said about a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Where it begins.
    pub entry: Url,
    /// The page classes, that of the entry first.
    pub classes: Vec<LessonClass>,
    /// The navigation between them, in the order it was taught. Each departs from a page of a
    /// sample.
    pub navigation: Vec<Navigation>,
}

/// A page class, with what was said about its pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LessonClass {
    /// Its name.
    pub id: String,
    /// The sample: how its pages are asked for.
    pub sample: Vec<Request>,
    /// Examples of its fields.
    pub examples: Vec<Example>,
    /// Answers to questions.
    pub answers: Vec<LessonAnswer>,
    /// Pages of the sample, by their numbers, that are none of the class.
    pub unwanted: Vec<usize>,
    /// Fields, each with a page, as its number in the sample, that is without it.
    pub absent: Vec<(String, usize)>,
    /// Rules that are not to be used, as text, each with its field.
    pub left_out: Vec<(String, String)>,
    /// Order, rules by hand and clean-ups of its fields.
    pub shape: Shape,
    /// Tables and lists of its pages that are read row by row.
    pub rows: Vec<TaughtRows>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonAnswer {
    /// The field.
    pub field: String,
    /// The page, as its number in the sample.
    pub page: usize,
    /// The values, none where the field is absent; `None` when the person does not know.
    pub values: Option<Vec<ShownValue>>,
}

impl Lesson {
    /// A lesson of which nothing but its entry is known.
    pub fn new(entry: Url) -> Self {
        let home = LessonClass {
            id: ENTRY_CLASS.to_owned(),
            sample: vec![Request::get(entry.clone())],
            ..LessonClass::default()
        };
        Self {
            entry,
            classes: vec![home],
            navigation: Vec::new(),
        }
    }

    /// A class by its name.
    pub fn class(&self, id: &str) -> Option<&LessonClass> {
        self.classes.iter().find(|class| class.id == id)
    }

    pub(super) fn class_mut(&mut self, id: &str) -> Option<&mut LessonClass> {
        self.classes.iter_mut().find(|class| class.id == id)
    }

    /// Whether a page class, a request class or rows have this name, upper and lower case aside.
    pub fn has_name(&self, id: &str) -> bool {
        let classes = self.classes.iter().map(|class| &class.id);
        let rows = self.classes.iter().flat_map(|class| &class.rows).map(|rows| &rows.name);
        let mut names = classes.chain(rows).chain(self.navigation.iter().map(|its| &its.id));
        names.any(|name| name.eq_ignore_ascii_case(id))
    }

    /// The navigation that departs from a class.
    pub fn navigation_from<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Navigation> {
        self.navigation.iter().filter(move |its| its.from_class() == Some(id))
    }

    pub(super) fn add_sample(&mut self, id: &str, sample: Vec<Request>) {
        if self.class(id).is_none() {
            let id = id.to_owned();
            self.classes.push(LessonClass {
                id,
                ..LessonClass::default()
            });
        }
        if let Some(class) = self.class_mut(id) {
            let new = sample
                .into_iter()
                .filter(|request| !class.sample.contains(request))
                .collect::<Vec<_>>();
            class.sample.extend(new);
        }
    }
}

impl LessonClass {
    /// The names of its fields, in order of the alphabet, each once.
    pub fn field_names(&self) -> Vec<&str> {
        let by_hand = self.shape.by_hand.iter().map(|(name, _)| name.as_str());
        let shown = self.examples.iter().map(|example| example.field.as_str());
        let mut names: Vec<&str> = shown.chain(by_hand).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Takes in rows, in the place of those of the same name.
    pub(super) fn add_rows(&mut self, rows: TaughtRows) {
        match self.rows.iter_mut().find(|its| its.name == rows.name) {
            Some(own) => *own = rows,
            None => self.rows.push(rows),
        }
    }

    pub(super) fn forget(&mut self, field: &str) {
        self.examples.retain(|its| its.field != field);
        self.answers.retain(|its| its.field != field);
        self.absent.retain(|(its, _)| its != field);
        self.left_out.retain(|(its, _)| its != field);
        self.shape.forget(field);
    }

    /// Calls a field something else, unless another is called so.
    pub(super) fn rename(&mut self, field: &str, to: &str) {
        let is_taken = |name: &&str| name.eq_ignore_ascii_case(to) && *name != field;
        if self.field_names().iter().any(is_taken) {
            return;
        }
        let shown = self.examples.iter_mut().map(|its| &mut its.field);
        let answered = self.answers.iter_mut().map(|its| &mut its.field);
        let absent = self.absent.iter_mut().map(|(name, _)| name);
        let left_out = self.left_out.iter_mut().map(|(name, _)| name);
        let names = shown.chain(answered).chain(absent).chain(left_out);
        names
            .filter(|name| *name == field)
            .for_each(|name| *name = to.to_owned());
        self.shape.rename(field, to);
    }
}
