//! What a person shows of the ways through a site, and what is learnt from it, as plain values.

use url::Url;

use super::super::sample::SamplePage;
use super::super::specification::{FieldChoice, NavigationalPath, RequestClass};

/// A way that a person showed: links or a form, on a page or on the pages of a class, and what they lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownWay {
    /// What the request class is to be called; made up where nobody says.
    pub id: Option<String>,
    /// Where it departs from.
    pub origin: Origin,
    /// The page class that it leads to.
    pub to: String,
    /// What is followed.
    pub means: ShownMeans,
}

/// Where a way departs from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A page, whose class is known from the ways that lead there.
    Page(Url),
    /// The pages of a class; the first of the sample that has what is shown is meant.
    Class(String),
}

/// What is followed on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownMeans {
    /// Links, each by what a reader sees of it or by its address.
    Links(Vec<String>),
    /// The form that has these fields.
    Form(Vec<FieldChoice>),
}

/// How ways are learnt.
#[derive(Debug, Clone, PartialEq)]
pub struct WayOptions {
    /// The share of the requests of a way that is visited (§3.4 of the design: a tenth).
    pub sample_share: f64,
    /// But so many at least.
    pub sample_min: usize,
    /// And so many at most.
    pub sample_max: usize,
    /// Questions about one way at most.
    pub questions_max: usize,
    /// The entropy, in bits, below which nobody is bothered.
    pub doubt_min: f64,
    /// The request classes whose forms are sent although they may change something.
    pub send: Vec<String>,
}

impl Default for WayOptions {
    fn default() -> Self {
        Self {
            sample_share: 0.1,
            sample_min: 6,
            sample_max: 40,
            questions_max: 3,
            doubt_min: 0.29,
            send: Vec::new(),
        }
    }
}

/// Whoever knows the site.
pub trait Guide {
    /// Whether a link belongs to a way; `None` when nobody knows.
    fn belongs(&mut self, question: &LinkQuestion) -> Option<bool>;

    /// Hears of something odd.
    fn tell(&mut self, what: &str);
}

/// A link that may belong to a way.
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

/// What was learnt of the ways through a site.
#[derive(Debug, Clone, Default)]
pub struct LearntWays {
    /// The page classes in the order they were reached.
    pub classes: Vec<LearntClass>,
    /// The request classes, in the order they were shown.
    pub request_classes: Vec<RequestClass>,
    /// The paths from the entry to the target.
    pub paths: Vec<NavigationalPath>,
    /// How many questions were asked, answered or not.
    pub n_questions: usize,
    /// What could not be learnt or had, for people.
    pub lost: Vec<String>,
}

/// A page class that ways lead to.
#[derive(Debug, Clone, Default)]
pub struct LearntClass {
    /// Its name.
    pub id: String,
    /// Where paths begin, where it is an entry.
    pub addresses: Vec<Url>,
    /// Pages of it, those that were shown first.
    pub sample: Vec<SamplePage>,
    /// Pages that a way to it led to and that are unlike the shown ones.
    pub strangers: Vec<SamplePage>,
}

/// Why ways cannot be learnt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WayError {
    /// An entry could not be had.
    #[error("the entry {url} could not be had: {reason}")]
    Entry {
        /// Its address.
        url: String,
        /// Why.
        reason: String,
    },
    /// Something is wrong with a way.
    #[error("{what}")]
    Way {
        /// The number of the way, from 0.
        way: usize,
        /// What is wrong with it: `from`, `value`, `form`.
        key: &'static str,
        /// What is wrong, and what to try.
        what: String,
    },
    /// The visit was stopped.
    #[error("the visit was stopped")]
    Stopped,
}

impl LearntWays {
    /// The class of a name, as far as it is known.
    pub fn class(&self, id: &str) -> Option<&LearntClass> {
        self.classes.iter().find(|class| class.id == id)
    }
}
