//! What a lesson is, as plain values.

use url::Url;

use crate::page::Request;
use crate::teach::{Example, Navigation, ShownValue};

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
    /// Rules that are not to be used, as text, each with its field.
    pub left_out: Vec<(String, String)>,
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

    /// Whether a page class or request class has this name, upper and lower case aside.
    pub fn has_name(&self, id: &str) -> bool {
        let classes = self.classes.iter().map(|class| &class.id);
        let mut names = classes.chain(self.navigation.iter().map(|its| &its.id));
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
        let mut names: Vec<&str> = self.examples.iter().map(|example| example.field.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub(super) fn forget(&mut self, field: &str) {
        self.examples.retain(|its| its.field != field);
        self.answers.retain(|its| its.field != field);
        self.left_out.retain(|(its, _)| its != field);
    }
}
