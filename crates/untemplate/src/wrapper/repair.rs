//! Repair: a template whose site has changed reads the new pages, and its fields keep their names.
//!
//! In: a template, old pages that it reads, and new pages. Out: a [`TemplateRepair`]: the template
//! of the new pages, and what became of each old field. The old template is given the mark-up of
//! the new pages (`transplant.rs`), and another one is inferred from them (`inference.rs`); the one
//! that reads more of the old fields is taken. What it reads must be, on pages about the same
//! things (`pairing.rs`), what was read before (`renaming.rs`). A field that nothing stands for is
//! lost: no other field gets its name, and its count stays, so that verification goes on to miss
//! it.

use std::collections::{BTreeMap, BTreeSet};

use crate::page::{Name, Page};

use super::carrying::{Carried, carried_paths};
use super::extraction::Extraction;
use super::feature::collapsed;
use super::inference::infer_carried;
use super::markup::MarkupProfile;
use super::matcher::Matcher;
use super::pairing::{KnownValues, pairs};
use super::record::{Record, Value};
use super::renaming::{Evidence, PagePair, Renaming, is_misread};
use super::template::Template;
use super::transplant::transplanted;
use super::verification::{Drift, WrapperVerification};

/// A template that was mended as far as that was possible.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateRepair {
    /// The template as it is now.
    pub template: Template,
    /// What became of each field and list, by its path.
    pub fields: Vec<(String, FieldFate)>,
}

/// What became of a field or list.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldFate {
    /// Nothing has drifted, and the template is as it was.
    Kept,
    /// It is read at another place: on this many of the pages that were compared it reads the same.
    Mended {
        /// Where inference had put it.
        now: String,
        /// Pages with the old values.
        agreed: usize,
        /// Pages that were compared.
        compared: usize,
    },
    /// Nothing of the new template stands for it with confidence.
    Lost,
}

/// The values of a page by the path of their field.
pub(super) type Values = BTreeMap<String, Vec<String>>;

/// Reads the new pages otherwise where something has drifted, and keeps what reads as it did.
pub fn repair_template(template: &Template, old: &[&Page], new: &[&Page], held_min: f64) -> TemplateRepair {
    let matcher = Matcher::new(template.clone());
    let mut verification = WrapperVerification::new(template);
    for page in new {
        verification.see(page);
        verification.look_at(&matcher.extract(page), "");
    }
    let pages = Pages::of(&matcher, old, new, held_min);
    let has_drifted = verification
        .drifted(held_min)
        .any(|(_, drift)| drift != Drift::OtherMarkup);
    let counts = template.counts.iter().map(|count| &count.field);
    let paths = counts.filter(|path| !path.is_empty());
    if !has_drifted && !is_misread(&pages.read_by(&matcher).pairs, template) {
        let mut template = template.clone();
        if verification.drifted(held_min).next().is_some() {
            // The pages are dressed otherwise, and read as they were.
            template.markup = MarkupProfile::of(new);
        }
        let fields = paths.map(|path| (path.clone(), FieldFate::Kept)).collect();
        return TemplateRepair { template, fields };
    }
    let (renaming, now) = pages.best(&matcher);
    let fields = paths.map(|path| (path.clone(), renaming.fate(path)));
    TemplateRepair {
        fields: fields.collect(),
        template: renaming.apply(now, template),
    }
}

/// Old and new pages, and what is known of them.
struct Pages<'a> {
    old: &'a [&'a Page],
    new: &'a [&'a Page],
    /// What the old ones say.
    before: Vec<Values>,
    /// What the new ones show.
    shown: Vec<BTreeSet<String>>,
    /// Which are about the same thing.
    pairs: Vec<(usize, usize)>,
    held_min: f64,
}

impl<'a> Pages<'a> {
    fn of(matcher: &Matcher, old: &'a [&'a Page], new: &'a [&'a Page], held_min: f64) -> Self {
        let before = read_all(matcher, old);
        let shown: Vec<BTreeSet<String>> = new.iter().map(|page| texts_of(page)).collect();
        Self {
            pairs: page_pairs(old, &before, new, &shown),
            old,
            new,
            before,
            shown,
            held_min,
        }
    }

    /// What a template reads of the new pages, beside what was read of the old ones.
    fn read_by(&self, matcher: &Matcher) -> Evidence {
        let after = read_all(matcher, self.new);
        let pair = |&(old, new): &(usize, usize)| PagePair {
            before: self.before[old].clone(),
            after: after[new].clone(),
            shown: self.shown[new].clone(),
        };
        Evidence {
            pairs: self.pairs.iter().map(pair).collect(),
            after,
            held_min: self.held_min,
        }
    }

    /// The template that reads most of the old fields on the new pages: the old one in their
    /// mark-up, or, where that reads less, one that is inferred from them.
    fn best(&self, matcher: &Matcher) -> (Renaming, Template) {
        let template = matcher.template();
        let known: Vec<(&Page, usize)> = self.pairs.iter().map(|&(page, new)| (self.old[page], new)).collect();
        let moved = transplanted(matcher, &known, self.new);
        let kept = Renaming::keep(template, &moved, &self.read_by(&Matcher::new(moved.clone())));
        let (inferred, origins) = infer_carried(self.new, &Carried::find(matcher, &known, self.new));
        let carried = carried_paths(template, &inferred, &origins);
        let evidence = self.read_by(&Matcher::new(inferred.clone()));
        let renaming = Renaming::find(template, &inferred, &carried, &evidence);
        match kept.n_fields(template) >= renaming.n_fields(template) {
            true => {
                let moved = kept.without_others(moved);
                (kept, moved)
            }
            false => (renaming, inferred),
        }
    }
}

fn read_all(matcher: &Matcher, pages: &[&Page]) -> Vec<Values> {
    let read = pages.iter().map(|page| matcher.extract(page));
    read.map(|Extraction { record, .. }| flat(&record)).collect()
}

/// The texts of a page, and what its attributes say: whatever a field may read.
fn texts_of(page: &Page) -> BTreeSet<String> {
    let dom = &page.dom;
    let nodes = dom.nodes().filter(|&node| dom.is_text(node));
    let mut texts: BTreeSet<String> = nodes.map(|node| collapsed(dom.text(node))).collect();
    let read = [Name::HREF, Name::SRC, Name::CONTENT, Name::DATETIME];
    let attributes = dom.nodes().flat_map(|node| dom.attributes(node));
    let values = attributes.filter(|(name, _)| read.contains(name));
    texts.extend(values.map(|(_, value)| collapsed(value)));
    texts
}

/// The pages about the same things, by their numbers.
fn page_pairs(old: &[&Page], before: &[Values], new: &[&Page], shown: &[BTreeSet<String>]) -> Vec<(usize, usize)> {
    let known = old.iter().zip(before).map(|(page, values)| KnownValues {
        address: page.url.to_string(),
        values: values.values().flatten().cloned().collect::<BTreeSet<String>>(),
    });
    let addresses: Vec<String> = new.iter().map(|page| page.url.to_string()).collect();
    pairs(&known.collect::<Vec<_>>(), &addresses, |page, value| {
        shown[page].contains(value)
    })
}

/// The values of a record by their paths.
fn flat(record: &Record) -> Values {
    let mut values = Values::new();
    let mut waiting: Vec<(String, &Record)> = vec![(String::new(), record)];
    while let Some((prefix, record)) = waiting.pop() {
        for (key, value) in &record.values {
            let path = format!("{prefix}{key}");
            match value {
                Value::Text(text) => values.entry(path).or_default().push(text.clone()),
                Value::List(rounds) => waiting.extend(rounds.iter().rev().map(|round| (format!("{path}."), round))),
            }
        }
    }
    values
}
