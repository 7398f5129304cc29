//! A specification of what was learnt: the one place where it is put together.
//!
//! In: for each page class its fields and the pages that it was learnt from, and the request
//! classes between them. Out: a [`Specification`]. Each class gets what tells its pages from those
//! of the others, and there is a path from the entry to every class that is read, by every sequence
//! of request classes that leads there without meeting a class twice.

use url::Url;

use super::navigation::paths_to;
use super::rows::TaughtRows;
use super::sample::SamplePage;
use super::session::Session;
use super::specification::{RequestClass, Specification, TaughtClass};
use super::taught_field::TaughtField;
use super::telling::telling_assertion;
use super::template::assertion_of;
use super::tuning::AssertionTuning;
use super::verification::evidence_of;
use crate::page::Page;
use crate::wrapper::MarkupProfile;

const TUNING: AssertionTuning = AssertionTuning::DEFAULT;

/// What is known of a page class.
pub(super) struct ClassEvidence {
    pub id: String,
    /// Where paths begin, where it is an entry.
    pub addresses: Vec<Url>,
    pub fields: Vec<TaughtField>,
    pub rows: Vec<TaughtRows>,
    /// Pages of the class.
    pub wanted: Vec<SamplePage>,
    /// Pages that somebody said are none of the class.
    pub unwanted: Vec<SamplePage>,
}

impl ClassEvidence {
    /// What a session learnt of a class.
    pub fn of(id: &str, addresses: Vec<Url>, session: &Session) -> Self {
        let (wanted, unwanted) = session.wanted();
        Self {
            id: id.to_owned(),
            addresses,
            fields: session.fields(),
            rows: Vec::new(),
            wanted,
            unwanted,
        }
    }
}

impl ClassEvidence {
    /// The rows of the class; those that some page of it is without are optional.
    fn rows(&self) -> Vec<TaughtRows> {
        let has_some = |rows: &TaughtRows, page: &SamplePage| !rows.read(&page.page).rows.is_empty();
        let rows = self.rows.iter().map(|rows| TaughtRows {
            is_optional: !self.wanted.iter().all(|page| has_some(rows, page)),
            ..rows.clone()
        });
        rows.collect()
    }

    fn is_read(&self) -> bool {
        !self.fields.is_empty() || !self.rows.is_empty()
    }
}

/// Puts a specification together; beside it, what could not be told apart, for people.
pub(super) fn assemble(
    site: Option<Url>,
    evidence: Vec<ClassEvidence>,
    request_classes: Vec<RequestClass>,
) -> (Specification, Vec<String>) {
    let mut lost = Vec::new();
    let mut classes = Vec::new();
    for (index, class) in evidence.iter().enumerate() {
        let others = evidence.iter().enumerate().filter(|(other, _)| *other != index);
        let others: Vec<SamplePage> = others
            .flat_map(|(_, other)| other.wanted.iter().take(TUNING.others_max).cloned())
            .collect();
        let mut taught = TaughtClass {
            fields: class.fields.clone(),
            rows: class.rows(),
            addresses: class.addresses.clone(),
            ..TaughtClass::named(&class.id)
        };
        if class.wanted.len() >= TUNING.pages_min || !class.unwanted.is_empty() {
            let telling = telling_assertion(&class.wanted, &class.unwanted, &others, &class.fields);
            taught.assertion = telling.unwrap_or_else(|| {
                lost.push(untold(&class.unwanted));
                assertion_of(&class.wanted, &[], &class.fields)
            });
        }
        if !taught.fields.is_empty() {
            let pages: Vec<&Page> = class.wanted.iter().map(|page| &*page.page).collect();
            taught.evidence = evidence_of(&taught, pages.iter().copied());
            taught.markup = MarkupProfile::of(&pages);
        }
        classes.push(taught);
    }
    let entries: Vec<&str> = evidence
        .iter()
        .filter(|class| !class.addresses.is_empty())
        .map(|class| class.id.as_str())
        .collect();
    let is_read = |id: &str| evidence.iter().any(|class| class.id == id && class.is_read());
    let paths = paths_to(&entries, &request_classes, is_read);
    let specification = Specification {
        site,
        classes,
        request_classes,
        paths,
    };
    (specification, lost)
}

fn untold(unwanted: &[SamplePage]) -> String {
    let names: Vec<&str> = unwanted.iter().map(|page| page.name.as_str()).collect();
    format!(
        "nothing tells {} from the pages that are wanted: no label, no breadcrumb, no address; they will be read, too",
        names.join(" and ")
    )
}
