//! What a person shows of a site, as plain values: navigation between page classes, and examples.
//!
//! A [`Navigation`] is the one form in which it is said that links or a form lead from one class of
//! pages to another, whoever says it: a file of examples, which names links by what a reader sees,
//! or a click in a browser, which also says which page it was made on and which rule was meant.

use url::Url;

use super::super::follow::{ClickedLink, Following, followings};
use super::super::sample::SamplePage;
use super::super::session::{Answer, Question, SessionOptions};
use super::super::specification::{FieldChoice, RequestClass};
use super::super::spot::ShownValue;
use super::by_links::link_named;
use crate::page::Page;

/// Links or a form on the pages of one class, and the class of pages that they lead to, which may
/// be the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Navigation {
    /// The name of its request class; where it is empty, one is made of the class that it leads to.
    pub id: String,
    /// Where it departs from.
    pub origin: Origin,
    /// The page class that it leads to.
    pub to: String,
    /// What makes its requests.
    pub means: Means,
}

/// Where a navigation departs from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A page, whose class is known from the navigation that leads there.
    Page(Url),
    /// The pages of a class; the first of the sample that has what is shown is meant.
    Class(String),
    /// One page of the sample of a class.
    SamplePage {
        /// The class.
        class: String,
        /// The number of the page in its sample.
        page: usize,
    },
}

/// What is followed on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Means {
    /// Links like those that were shown.
    Links {
        /// The links, each by what a reader sees of it or by its address.
        shown: Vec<ShownValue>,
        /// The rule that was chosen, as text; otherwise the likeliest is taken.
        rule: Option<String>,
    },
    /// A form.
    Form {
        /// Where it is, as an XPath; otherwise the first form that has the fields is taken.
        path: Option<String>,
        /// What its fields are given.
        fields: Vec<FieldChoice>,
    },
}

impl Navigation {
    /// The class that it departs from, where that was said.
    pub fn from_class(&self) -> Option<&str> {
        match &self.origin {
            Origin::Page(_) => None,
            Origin::Class(class) | Origin::SamplePage { class, .. } => Some(class),
        }
    }

    /// The page that it was taught on, as its number in the sample of the class that it departs
    /// from.
    pub fn page(&self) -> Option<usize> {
        match self.origin {
            Origin::SamplePage { page, .. } => Some(page),
            Origin::Page(_) | Origin::Class(_) => None,
        }
    }

    /// Whether it leads from a class to itself: to the next pages of a list.
    pub fn is_loop(&self) -> bool {
        self.from_class() == Some(&self.to)
    }

    /// The rules that its links may mean on a page, the likeliest first; none for a form.
    pub fn followings(&self, page: &Page) -> Vec<Following> {
        let Means::Links { shown, .. } = &self.means else {
            return Vec::new();
        };
        let link = |shown: &ShownValue| {
            let url = Url::parse(&shown.text)
                .ok()
                .or_else(|| link_named(page, &shown.text).ok())?;
            let node = shown.node_of_link(page, &url);
            Some(ClickedLink { url, node })
        };
        let clicked: Option<Vec<ClickedLink>> = shown.iter().map(link).collect();
        clicked.map_or_else(Vec::new, |clicked| followings(page, &clicked))
    }
}

/// All that is shown of a site: its navigation, pages whose class is known, and examples of what is
/// wanted.
#[derive(Debug, Clone, Default)]
pub struct ShownSite {
    /// The addresses where paths begin.
    pub entries: Vec<Url>,
    /// The class of those pages.
    pub entry_class: String,
    /// How pages are reached; where there is none, all pages are known.
    pub navigation: Vec<Navigation>,
    /// The class that is wanted.
    pub target: String,
    /// Pages of classes, as far as they were shown.
    pub known: Vec<(String, SamplePage)>,
    /// Pages like those of the target that are not wanted.
    pub unwanted: Vec<SamplePage>,
    /// What is wanted on pages of the target.
    pub examples: Vec<NamedExample>,
}

/// A field's value on a page, by the page's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedExample {
    /// The field.
    pub field: String,
    /// The name of the page.
    pub page: String,
    /// The value, and where it stands if somebody said so.
    pub value: ShownValue,
}

/// How a site is learnt.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnOptions {
    /// How fields are asked about.
    pub session: SessionOptions,
    /// The share of the requests of a navigation that is visited (§3.4 of the design: a tenth).
    pub sample_share: f64,
    /// The fewest requests that are visited.
    pub sample_min: usize,
    /// The most requests that are visited.
    pub sample_max: usize,
    /// The request classes whose forms are sent although they may change something.
    pub send: Vec<String>,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            session: SessionOptions::default(),
            sample_share: 0.1,
            sample_min: 6,
            sample_max: 40,
            send: Vec::new(),
        }
    }
}

/// Whoever knows the site and answers questions.
pub trait Teacher {
    /// Whether a link belongs to a navigation; `None` when nobody knows.
    fn belongs(&mut self, question: &LinkQuestion) -> Option<bool>;

    /// What a field is on a page, which is called `page`; `None` when nobody knows.
    fn value(&mut self, question: &Question, page: &str) -> Option<Answer>;

    /// Hears of something odd.
    fn tell(&mut self, what: &str);
}

/// A link that may belong to a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkQuestion {
    /// The request class.
    pub request_class: String,
    /// The page class that it leads to.
    pub to: String,
    /// The page that the link is on.
    pub page: String,
    /// Where the link leads.
    pub address: Url,
    /// What a reader sees of it.
    pub words: String,
}

/// What was learnt of the navigation of a site.
#[derive(Debug, Clone, Default)]
pub(in crate::teach) struct LearntNavigation {
    /// The page classes in the order they were reached.
    pub classes: Vec<LearntClass>,
    /// The request classes, in the order they were shown.
    pub request_classes: Vec<RequestClass>,
    /// How many questions were asked, answered or not.
    pub n_questions: usize,
    /// What could not be learnt or visited, for people.
    pub lost: Vec<String>,
}

/// A page class that was reached.
#[derive(Debug, Clone, Default)]
pub(in crate::teach) struct LearntClass {
    /// Its name.
    pub id: String,
    /// Where paths begin, where it is an entry.
    pub addresses: Vec<Url>,
    /// Pages of it, those that were shown first.
    pub sample: Vec<SamplePage>,
}

/// Why navigation cannot be learnt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NavigationError {
    /// There is no page at an entry.
    #[error("the entry {url} could not be fetched: {reason}")]
    Entry {
        /// Its address.
        url: String,
        /// Why.
        reason: String,
    },
    /// Something is wrong with a navigation.
    #[error("{what}")]
    Navigation {
        /// Its number, from 0.
        index: usize,
        /// What is wrong with it: `from`, `value`, `form`.
        key: &'static str,
        /// What is wrong, and what to try.
        what: String,
    },
    /// The visit was stopped.
    #[error("the visit was stopped")]
    Stopped,
}

impl LearntNavigation {
    /// The classes of pages that are known, without navigation between them.
    pub(in crate::teach) fn of_known(known: &[(String, SamplePage)]) -> Self {
        let mut learnt = Self::default();
        known.iter().for_each(|(class, page)| learnt.add(class, page.clone()));
        learnt
    }

    /// Adds a page to the sample of a class, unless it is there.
    pub(super) fn add(&mut self, class: &str, page: SamplePage) {
        let sample = &mut self.class_mut(class).sample;
        if !sample.iter().any(|its| its.name == page.name) {
            sample.push(page);
        }
    }

    pub(super) fn class_mut(&mut self, id: &str) -> &mut LearntClass {
        let index = self.classes.iter().position(|class| class.id == id).unwrap_or_else(|| {
            self.classes.push(LearntClass {
                id: id.to_owned(),
                ..LearntClass::default()
            });
            self.classes.len() - 1
        });
        &mut self.classes[index]
    }

    /// The class of a name, as far as it is known.
    pub(in crate::teach) fn class(&self, id: &str) -> Option<&LearntClass> {
        self.classes.iter().find(|class| class.id == id)
    }
}
