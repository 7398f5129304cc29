//! Repair: a template whose site has changed is inferred again, and its fields get their old names.
//!
//! In: a template, old pages that it reads, and new pages. Out: a [`TemplateRepair`]: the template
//! of the new pages, and what became of each old field. A new field is an old one when it reads, on
//! pages about the same things (`pairing.rs`), the values that the old one read; without such pages
//! it must have the old name, which labels gave it, and values that look as they did. A field that
//! nothing stands for is lost: no other field gets its name, and its count stays, so that
//! verification goes on to miss it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::page::Page;

use super::carrying::{Carried, carried_paths};
use super::extraction::Extraction;
use super::feature::collapsed;
use super::inference::infer_carried;
use super::markup::MarkupProfile;
use super::matcher::Matcher;
use super::pairing::{AGREED_MIN, KnownValues, is_mended, is_misread_on, is_never_other, look_alike, pairs};
use super::record::{Record, Value};
use super::template::{FieldCount, Item, PartId, Template, TextPart};
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
type Values = BTreeMap<String, Vec<String>>;

/// Infers the template again where something has drifted, and gives its fields their old names.
pub fn repair_template(template: &Template, old: &[&Page], new: &[&Page], held_min: f64) -> TemplateRepair {
    let matcher = Matcher::new(template.clone());
    let mut verification = WrapperVerification::new(template);
    for page in new {
        verification.see(page);
        verification.look_at(&matcher.extract(page), "");
    }
    let read_all = |matcher: &Matcher, pages: &[&Page]| -> Vec<Values> {
        let read = pages.iter().map(|page| matcher.extract(page));
        read.map(|Extraction { record, .. }| flat(&record)).collect()
    };
    let (before, still) = (read_all(&matcher, old), read_all(&matcher, new));
    let shown: Vec<BTreeSet<String>> = new.iter().map(|page| texts_of(page)).collect();
    let page_pairs = page_pairs(old, &before, new, &shown);
    let compared = |after: &[Values]| -> Vec<PagePair> {
        let pair = |&(old, new): &(usize, usize)| PagePair {
            before: before[old].clone(),
            after: after[new].clone(),
            shown: shown[new].clone(),
        };
        page_pairs.iter().map(pair).collect()
    };
    let has_drifted = verification
        .drifted(held_min)
        .any(|(_, drift)| drift != Drift::OtherMarkup);
    let is_unchanged = !has_drifted && !is_misread(&compared(&still), template);
    let paths: Vec<&String> = template
        .counts
        .iter()
        .map(|count| &count.field)
        .filter(|path| !path.is_empty())
        .collect();
    if is_unchanged {
        let fields = paths.into_iter().map(|path| (path.clone(), FieldFate::Kept)).collect();
        let mut template = template.clone();
        if verification.drifted(held_min).next().is_some() {
            // The pages are dressed otherwise, and read as they were.
            template.markup = MarkupProfile::of(new);
        }
        return TemplateRepair { template, fields };
    }
    let known: Vec<(&Page, usize)> = page_pairs.iter().map(|&(page, new)| (old[page], new)).collect();
    let (inferred, origins) = infer_carried(new, &Carried::find(&matcher, &known, new));
    let after = read_all(&Matcher::new(inferred.clone()), new);
    let evidence = Evidence {
        pairs: compared(&after),
        after: &after,
        held_min,
    };
    let carried = carried_paths(template, &inferred, &origins);
    let renaming = Renaming::find(template, &inferred, &carried, &evidence);
    let mut fields = Vec::new();
    for path in paths {
        fields.push((path.clone(), renaming.fate(path)));
    }
    TemplateRepair {
        template: renaming.apply(inferred, template),
        fields,
    }
}

/// The texts of a page.
fn texts_of(page: &Page) -> BTreeSet<String> {
    let nodes = page.dom.nodes().filter(|&node| page.dom.is_text(node));
    nodes.map(|node| collapsed(page.dom.text(node))).collect()
}

/// A page about the same thing as an old one.
struct PagePair {
    /// What the old one said.
    before: Values,
    /// What is read of the new one.
    after: Values,
    /// The texts of the new one.
    shown: BTreeSet<String>,
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

/// What is known of pages.
struct Evidence<'a> {
    pairs: Vec<PagePair>,
    after: &'a [Values],
    held_min: f64,
}

/// Which new path stands for which old one.
#[derive(Default)]
struct Renaming {
    /// Of each new path that stands for an old one: the old one, and how often they agree.
    old_of: BTreeMap<String, (String, usize, usize)>,
}

impl Renaming {
    fn find(old: &Template, new: &Template, carried: &[(String, String)], evidence: &Evidence<'_>) -> Self {
        let mut renaming = Self::default();
        // Of parts that stand where their old part stood, a page suffices that reads the same.
        for (was, is) in carried.iter().filter(|(was, is)| depth(was) == depth(is)) {
            let its = agreement(&evidence.pairs, was, is);
            if is_never_other(its.agreed, its.compared) && 2 * its.agreed >= its.known {
                renaming.take(was, is, (its.agreed, its.compared));
            }
        }
        let mut candidates: Vec<(usize, bool, &str, &str, usize)> = Vec::new();
        for was in fields_of(old) {
            for is in fields_of(new).filter(|is| depth(&is.field) == depth(&was.field)) {
                let Agreement {
                    agreed,
                    compared,
                    known,
                } = agreement(&evidence.pairs, &was.field, &is.field);
                let has_name = was.field == is.field;
                let is_sure = is_mended(agreed, compared);
                let is_silent = known < AGREED_MIN && agreed == compared;
                let is_named = is_silent && has_name && looks_alike(was, &is.field, evidence);
                if (is_sure && 2 * agreed >= known) || is_named {
                    candidates.push((agreed, has_name, &was.field, &is.field, compared));
                }
            }
        }
        // The one that agrees most often is meant; of two, the one of the same name.
        candidates.sort_by_key(|&(agreed, has_name, ..)| Reverse((agreed, has_name)));
        for (agreed, _, was, is, compared) in candidates {
            renaming.take(was, is, (agreed, compared));
        }
        renaming
    }

    /// Takes a pair of paths, unless one of them, or a list around them, stands for another.
    fn take(&mut self, was: &str, is: &str, (agreed, compared): (usize, usize)) {
        let lists = list_paths(was).into_iter().zip(list_paths(is));
        let mut wanted: Vec<(String, String)> = lists.collect();
        wanted.push((was.to_owned(), is.to_owned()));
        let is_free = |(was, is): &(String, String)| match self.old_of.get(is) {
            Some((own, ..)) => own == was,
            None => !self.old_of.values().any(|(own, ..)| own == was),
        };
        let is_new = !self.old_of.contains_key(is);
        if is_new && wanted.iter().all(is_free) {
            for (was, is) in wanted {
                self.old_of.entry(is).or_insert((was, agreed, compared));
            }
        }
    }

    fn fate(&self, path: &str) -> FieldFate {
        let found = self.old_of.iter().find(|(_, (was, ..))| was == path);
        match found {
            Some((now, &(_, agreed, compared))) => FieldFate::Mended {
                now: now.clone(),
                agreed,
                compared,
            },
            None => FieldFate::Lost,
        }
    }

    /// The new template under the old names; what is new does not take a name that is lost.
    fn apply(&self, mut template: Template, old: &Template) -> Template {
        let is_old: BTreeSet<&str> = old.counts.iter().map(|count| count.field.as_str()).collect();
        let renamed = |path: &str| -> String {
            let leaf = path.rsplit('.').next().unwrap_or_default();
            match self.old_of.get(path) {
                Some((was, ..)) => was.rsplit('.').next().unwrap_or_default().to_owned(),
                None if is_old.contains(path) => format!("{leaf}_new"),
                None => leaf.to_owned(),
            }
        };
        rename(&mut template, &renamed);
        let new_path = |path: &str| -> String {
            let mut parts: Vec<String> = list_paths(path).iter().map(|list| renamed(list)).collect();
            parts.push(renamed(path));
            parts.join(".")
        };
        for count in &mut template.counts {
            if !count.field.is_empty() {
                count.field = new_path(&count.field);
            }
        }
        let known: BTreeSet<String> = template.counts.iter().map(|count| count.field.clone()).collect();
        let is_lost = |count: &&FieldCount| !known.contains(&count.field);
        template.counts.extend(old.counts.iter().filter(is_lost).cloned());
        template
    }
}

/// The fields of a template, without its lists and itself.
fn fields_of(template: &Template) -> impl Iterator<Item = &FieldCount> {
    let is_list = |path: &str| {
        let inside = format!("{path}.");
        template.counts.iter().any(|count| count.field.starts_with(&inside))
    };
    let fields = template.counts.iter().filter(|count| !count.field.is_empty());
    fields.filter(move |count| !is_list(&count.field))
}

fn depth(path: &str) -> usize {
    path.matches('.').count()
}

/// The lists around a field, the outermost first.
fn list_paths(path: &str) -> Vec<String> {
    path.match_indices('.').map(|(at, _)| path[..at].to_owned()).collect()
}

/// How an old and a new field go together.
struct Agreement {
    /// Pages on which they have the same values.
    agreed: usize,
    /// Pages on which one of them has values and they could be the same.
    compared: usize,
    /// Pages on which the old one has values that are still on the page.
    known: usize,
}

/// On how many pages two fields have the same values, and on how many they could: where the old
/// values are gone from the page, it has changed and says nothing.
fn agreement(pages: &[PagePair], was: &str, is: &str) -> Agreement {
    let mut all = Agreement {
        agreed: 0,
        compared: 0,
        known: 0,
    };
    for PagePair { before, after, shown } in pages {
        let (old, new) = (before.get(was), after.get(is));
        let is_same = old.zip(new).is_some_and(|(old, new)| are_same(old, new));
        let is_there = |value: &String| shown.contains(value) || after.values().any(|values| values.contains(value));
        let is_known = old.is_some_and(|old| is_same || old.iter().all(is_there));
        all.known += usize::from(is_known);
        // A field that speaks where the old one was silent is another.
        all.compared += usize::from(new.is_some() && (is_known || old.is_none()));
        all.agreed += usize::from(is_same);
    }
    all
}

/// Whether values are the same, in whatever order: a list may be sorted otherwise.
fn are_same(old: &[String], new: &[String]) -> bool {
    let sorted = |values: &[String]| {
        let mut values = values.to_vec();
        values.sort_unstable();
        values
    };
    old.len() == new.len() && (old == new || sorted(old) == sorted(new))
}

/// Whether a field reads something else on pages that still show what it was.
fn is_misread(pages: &[PagePair], template: &Template) -> bool {
    let is_other = |count: &FieldCount| {
        let Agreement { agreed, known, .. } = agreement(pages, &count.field, &count.field);
        is_misread_on(known - agreed, known)
    };
    fields_of(template).any(is_other)
}

/// Whether the values of a new field look as those of the old one did.
fn looks_alike(was: &FieldCount, is: &str, evidence: &Evidence<'_>) -> bool {
    let values = evidence.after.iter().filter_map(|page| page.get(is)?.first());
    look_alike(&was.values, values.map(String::as_str), evidence.held_min)
}

/// Gives every field and list the name that its path is to have.
fn rename(template: &mut Template, renamed: &impl Fn(&str) -> String) {
    let mut waiting: Vec<(PartId, String)> = vec![(PartId(0), String::new())];
    while let Some((id, prefix)) = waiting.pop() {
        let Some(part) = template.parts.get_mut(id.index()) else {
            continue;
        };
        let name = |own: &mut String| {
            if !own.is_empty() {
                *own = renamed(&format!("{prefix}{own}"));
            }
        };
        if let TextPart::Field(field) = &mut part.text {
            name(&mut field.name);
            field.pieces.iter_mut().for_each(|piece| name(&mut piece.name));
        }
        part.attributes
            .iter_mut()
            .for_each(|attribute| name(&mut attribute.name));
        for item in &mut part.items {
            match item {
                Item::One(inner) => waiting.push((*inner, prefix.clone())),
                Item::Repeat(repeat) => {
                    let inside = if repeat.name.is_empty() {
                        prefix.clone()
                    } else {
                        format!("{prefix}{}.", repeat.name)
                    };
                    waiting.extend(repeat.parts.iter().map(|&inner| (inner, inside.clone())));
                    name(&mut repeat.name);
                }
            }
        }
    }
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
