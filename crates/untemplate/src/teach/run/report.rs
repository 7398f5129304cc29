//! The report of a run: counts by class, and what speaks for a partial result or for a site that
//! has changed.

use super::super::specification::Specification;
use super::super::taught_record::TaughtRecord;
use super::event::{Arrival, Fate};
use crate::page::Visit;

/// The share of pages that must have a field that is not optional; where fewer do, the site is said
/// to have changed, as for `extract`.
const PRESENT_MIN: f64 = 0.5;

/// Reasons of one kind that are kept in full: a site that is down gives one for each of its pages.
const REASONS_MAX: usize = 10;

/// What a run came to. Classes and request classes are in the specification's order; those of no
/// followed path have counts of 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunReport {
    /// What came of each page class.
    pub classes: Vec<ClassReport>,
    /// What came of each request class.
    pub request_classes: Vec<RequestReport>,
    /// Entry addresses that gave no page, and why.
    pub lost_entries: Vec<String>,
    /// What cut the run short: of each kind the first few, and then how many more there were.
    pub partial_because: Vec<String>,
    /// How many reasons of each kind were noted.
    cuts: Vec<(&'static str, usize)>,
    /// Whether a limit or an interrupt ended it.
    pub is_stopped: bool,
    /// How many odd things were told.
    pub problems: usize,
}

/// What came of a page class.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassReport {
    /// Its name.
    pub id: String,
    /// Pages that support it.
    pub supports: usize,
    /// Pages that its assertion rejected.
    pub rejected: usize,
    /// Records that were read.
    pub records: usize,
    /// How its fields fared.
    pub fields: Vec<FieldReport>,
}

/// How a field fared over all records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldReport {
    /// Its name.
    pub name: String,
    /// Whether pages may be without it.
    pub is_optional: bool,
    /// Records that have it.
    pub present: usize,
}

/// What came of a request class.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestReport {
    /// Its name.
    pub id: String,
    /// Pages that it was looked for on.
    pub pages: usize,
    /// Pages that had a request of it.
    pub pages_with: usize,
    /// Requests that it found on them.
    pub found: usize,
    /// In a dry run, those on pages after the first that no page before had.
    pub fresh: usize,
    /// Requests that led to pages for the first time.
    pub followed: usize,
    /// Requests for pages that were reached before.
    pub again: usize,
    /// Dead links.
    pub dead: usize,
    /// Requests that were forbidden.
    pub refused: usize,
    /// Pages that could not be fetched.
    pub failed: usize,
    /// Whether it leads from a class to itself, so that a page may be without one.
    pub is_loop: bool,
}

impl RunReport {
    /// Counts of nothing.
    pub(super) fn new(specification: &Specification) -> Self {
        let classes = specification.classes.iter().map(|class| ClassReport {
            id: class.id.clone(),
            fields: class
                .fields
                .iter()
                .map(|field| FieldReport {
                    name: field.name.clone(),
                    is_optional: field.is_optional,
                    present: 0,
                })
                .collect(),
            ..ClassReport::default()
        });
        let request_classes = specification.request_classes.iter().map(|class| RequestReport {
            id: class.id.clone(),
            is_loop: class.is_loop(),
            ..RequestReport::default()
        });
        Self {
            classes: classes.collect(),
            request_classes: request_classes.collect(),
            ..Self::default()
        }
    }

    /// Counts an arrival at a class by a request class.
    pub(super) fn count(&mut self, arrival: &Arrival, class: usize, request_class: Option<usize>) {
        match &arrival.fate {
            Fate::Supports => self.classes[class].supports += 1,
            Fate::Rejected { .. } => self.classes[class].rejected += 1,
            _ => {}
        }
        let Some(index) = request_class else {
            if let Fate::Dead { reason } | Fate::Refused { reason } | Fate::Failed { reason } = &arrival.fate {
                self.lost_entries.push(reason.clone());
            }
            return;
        };
        let counts = &mut self.request_classes[index];
        *match &arrival.fate {
            Fate::Supports | Fate::Rejected { .. } => &mut counts.followed,
            Fate::Again => &mut counts.again,
            Fate::Dead { .. } => &mut counts.dead,
            Fate::Refused { .. } => &mut counts.refused,
            Fate::Failed { .. } => &mut counts.failed,
        } += 1;
    }

    /// Counts a record of a class.
    pub(super) fn count_record(&mut self, record: &TaughtRecord, class: usize) {
        let counts = &mut self.classes[class];
        counts.records += 1;
        for (field, (_, values)) in counts.fields.iter_mut().zip(&record.fields) {
            field.present += usize::from(!values.is_empty());
        }
        self.problems += record.problems.len();
    }

    /// Notes what cut the run short, once; of a kind only the first few in full.
    pub(super) fn cut(&mut self, kind: &'static str, reason: String) {
        if self.partial_because.contains(&reason) {
            return;
        }
        let known = self.cuts.iter().position(|&(its, _)| its == kind);
        let index = known.unwrap_or_else(|| {
            self.cuts.push((kind, 0));
            self.cuts.len() - 1
        });
        self.cuts[index].1 += 1;
        if self.cuts[index].1 <= REASONS_MAX {
            self.partial_because.push(reason);
        }
    }

    /// Notes a page that was not had, where that cuts the run short.
    pub(super) fn lose(&mut self, visit: &Visit) {
        match visit {
            Visit::Page(_) | Visit::Dead { .. } => {}
            Visit::Refused { reason } | Visit::NotFollowed { reason } => {
                self.cut("refused", format!("refused: {reason}"))
            }
            Visit::Failed { reason } => self.cut("failed", reason.clone()),
            Visit::Stopped => self.cut("stopped", "the run was stopped".to_owned()),
        }
    }

    /// Says of each kind how many reasons were not kept.
    pub(super) fn conclude(&mut self) {
        for (kind, count) in std::mem::take(&mut self.cuts) {
            if count > REASONS_MAX {
                let n_more = count - REASONS_MAX;
                self.partial_because.push(format!("{kind}: {n_more} more"));
            }
        }
    }

    /// Records over all classes.
    pub fn records(&self) -> usize {
        self.classes.iter().map(|class| class.records).sum()
    }

    /// What speaks for a site that has changed since it was taught, for a person.
    pub fn drift(&self) -> Vec<String> {
        let mut told = Vec::new();
        for class in &self.classes {
            if class.supports == 0 && class.rejected > 0 {
                let n_pages = class.rejected;
                told.push(format!(
                    "{}: its assertion rejects all {n_pages} pages that were reached",
                    class.id
                ));
            }
            let needed = class.fields.iter().filter(|field| !field.is_optional);
            for field in needed.filter(|field| is_short(field.present, class.records)) {
                let (present, records) = (field.present, class.records);
                told.push(format!(
                    "{}: {} was found on {present} of {records} pages",
                    class.id, field.name
                ));
            }
        }
        // One page with a request is enough: lists may be empty, and most of them are on some
        // sites.
        let steps = self.request_classes.iter().filter(|it| !it.is_loop);
        for request_class in steps.filter(|it| it.pages > 0 && it.pages_with == 0) {
            let RequestReport { id, pages, .. } = request_class;
            told.push(format!("{id}: it finds no request on any of {pages} pages"));
        }
        told
    }
}

fn is_short(found: usize, all: usize) -> bool {
    (found as f64) < PRESENT_MIN * all as f64
}
