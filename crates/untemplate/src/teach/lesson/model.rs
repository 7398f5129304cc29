//! What a lesson is, as plain values.

use url::Url;

use crate::page::Request;
use crate::teach::FieldChoice;

/// The class of the page that a lesson begins with.
const ENTRY_CLASS: &str = "HOME";

/// All that was said about a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Where it begins.
    pub entry: Url,
    /// The page classes, that of the entry first.
    pub classes: Vec<LessonClass>,
    /// The ways between them, in the order they were taught.
    pub ways: Vec<Way>,
}

/// A page class, with what was said about its pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LessonClass {
    /// Its name.
    pub id: String,
    /// The sample: how its pages are asked for.
    pub sample: Vec<Request>,
    /// Examples of its fields.
    pub examples: Vec<LessonExample>,
    /// Answers to questions.
    pub answers: Vec<LessonAnswer>,
    /// Rules that are not to be used, as text, each with its field.
    pub left_out: Vec<(String, String)>,
}

/// A field's value on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonExample {
    /// The field.
    pub field: String,
    /// The page, as its number in the sample.
    pub page: usize,
    /// The value, white space collapsed.
    pub value: String,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonAnswer {
    /// The field.
    pub field: String,
    /// The page, as its number in the sample.
    pub page: usize,
    /// The values, none where the field is absent; `None` when the person does not know.
    pub values: Option<Vec<String>>,
}

/// A way from one page class to another, or from one to itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The name of its request class.
    pub id: String,
    /// Where it departs from.
    pub from: String,
    /// The page that it was taught on, as its number in the sample of that class.
    pub page: usize,
    /// What makes its requests.
    pub means: Means,
    /// Where it leads to.
    pub to: String,
}

/// What makes the requests of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Means {
    /// Links like those that were clicked.
    Links {
        /// The links.
        clicked: Vec<Url>,
        /// The rule that was chosen, as text.
        rule: String,
    },
    /// A form.
    Form {
        /// Where it is, as an XPath.
        form: String,
        /// What its fields are given.
        fields: Vec<FieldChoice>,
    },
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
            ways: Vec::new(),
        }
    }

    /// A class by its name.
    pub fn class(&self, id: &str) -> Option<&LessonClass> {
        self.classes.iter().find(|class| class.id == id)
    }

    pub(super) fn class_mut(&mut self, id: &str) -> Option<&mut LessonClass> {
        self.classes.iter_mut().find(|class| class.id == id)
    }

    /// Whether a page class or way has this name, upper and lower case aside.
    pub fn has_name(&self, id: &str) -> bool {
        let classes = self.classes.iter().map(|class| &class.id);
        let mut names = classes.chain(self.ways.iter().map(|way| &way.id));
        names.any(|name| name.eq_ignore_ascii_case(id))
    }

    /// The ways that leave a class.
    pub fn ways_from<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Way> {
        self.ways.iter().filter(move |way| way.from == id)
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
