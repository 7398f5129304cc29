//! Renaming: which field of a template of new pages stands for which old field.
//!
//! In: an old and a new template, and what both read of pages about the same things ([`Evidence`]).
//! Out: a [`Renaming`], and the new template under the old names. A field is an old one when it
//! reads what that one read; without pages that tell, it must have the old name and values that
//! look as they did. What nothing stands for is lost, and no other field gets its name.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::pairing::{AGREED_MIN, is_mended, is_misread_on, is_never_other, look_alike};
use super::repair::{FieldFate, Values};
use super::template::{FieldCount, Item, Part, PartId, Template, TextPart};

/// A page about the same thing as an old one.
pub(super) struct PagePair {
    /// What the old one said.
    pub before: Values,
    /// What is read of the new one.
    pub after: Values,
    /// The texts of the new one.
    pub shown: BTreeSet<String>,
}

/// What is known of pages.
pub(super) struct Evidence {
    /// Pages about the same things.
    pub pairs: Vec<PagePair>,
    /// What is read of all new pages.
    pub after: Vec<Values>,
    /// The share of pages that must hold.
    pub held_min: f64,
}

/// Which new path stands for which old one.
#[derive(Default)]
pub(super) struct Renaming {
    /// Of each new path that stands for an old one: the old one, and how often they agree.
    old_of: BTreeMap<String, (String, usize, usize)>,
}

impl Renaming {
    pub fn find(old: &Template, new: &Template, carried: &[(String, String)], evidence: &Evidence) -> Self {
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
                let its = agreement(&evidence.pairs, &was.field, &is.field);
                let has_name = was.field == is.field;
                let is_sure = is_mended(its.agreed, its.compared) && 2 * its.agreed >= its.known;
                let is_named = its.is_silent() && has_name && looks_alike(was, &is.field, evidence);
                if is_sure || is_named {
                    candidates.push((its.agreed, has_name, &was.field, &is.field, its.compared));
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

    /// The fields of a transplanted template that read what they read before.
    pub fn keep(old: &Template, new: &Template, evidence: &Evidence) -> Self {
        let mut renaming = Self::default();
        let is_there: BTreeSet<&str> = fields_of(new).map(|count| count.field.as_str()).collect();
        for was in fields_of(old).filter(|was| is_there.contains(was.field.as_str())) {
            let its = agreement(&evidence.pairs, &was.field, &was.field);
            let is_proven = is_never_other(its.agreed, its.compared) && 2 * its.agreed >= its.known;
            if is_proven || its.is_silent() && looks_alike(was, &was.field, evidence) {
                renaming.take(&was.field, &was.field, (its.agreed, its.compared));
            }
        }
        renaming
    }

    /// How many fields of the old template there are still.
    pub fn n_fields(&self, old: &Template) -> usize {
        let known: BTreeSet<&str> = self.old_of.values().map(|(was, ..)| was.as_str()).collect();
        fields_of(old)
            .filter(|count| known.contains(count.field.as_str()))
            .count()
    }

    /// A template with the fields that it keeps, and no others.
    pub fn without_others(&self, mut template: Template) -> Template {
        leave_out(&mut template, &|path| self.old_of.contains_key(path));
        template
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

    pub fn fate(&self, path: &str) -> FieldFate {
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
    pub fn apply(&self, mut template: Template, old: &Template) -> Template {
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
    /// Pages on which the old one has values.
    there: usize,
}

impl Agreement {
    /// Whether so few of the pages had the old field that they tell nothing. Values of many pages
    /// that are all gone tell that the pages say something else now.
    fn is_silent(&self) -> bool {
        self.there < AGREED_MIN && self.agreed == self.compared
    }
}

/// On how many pages two fields have the same values, and on how many they could: where the old
/// values are gone from the page, it has changed and says nothing.
fn agreement(pages: &[PagePair], was: &str, is: &str) -> Agreement {
    let mut all = Agreement {
        agreed: 0,
        compared: 0,
        known: 0,
        there: 0,
    };
    for PagePair { before, after, shown } in pages {
        let (old, new) = (before.get(was), after.get(is));
        let is_same = old.zip(new).is_some_and(|(old, new)| are_same(old, new));
        let is_there = |value: &String| shown.contains(value) || after.values().any(|values| values.contains(value));
        let is_known = old.is_some_and(|old| is_same || old.iter().all(is_there));
        all.there += usize::from(old.is_some());
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
pub(super) fn is_misread(pages: &[PagePair], template: &Template) -> bool {
    let is_other = |count: &FieldCount| {
        let Agreement { agreed, known, .. } = agreement(pages, &count.field, &count.field);
        is_misread_on(known - agreed, known)
    };
    fields_of(template).any(is_other)
}

/// Whether the values of a new field look as those of the old one did.
fn looks_alike(was: &FieldCount, is: &str, evidence: &Evidence) -> bool {
    let values = evidence.after.iter().filter_map(|page| page.get(is)?.first());
    look_alike(&was.values, values.map(String::as_str), evidence.held_min)
}

/// Gives every field and list the name that its path is to have.
fn rename(template: &mut Template, renamed: &impl Fn(&str) -> String) {
    each_part(template, |prefix, part| {
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
            if let Item::Repeat(repeat) = item {
                name(&mut repeat.name);
            }
        }
    });
}

/// Leaves out the fields that are not to stay. A text of which a piece stays, stays.
fn leave_out(template: &mut Template, stays: &impl Fn(&str) -> bool) {
    each_part(template, |prefix, part| {
        let stays = |own: &str| stays(&format!("{prefix}{own}"));
        if let TextPart::Field(field) = &mut part.text {
            field.pieces.retain(|piece| stays(&piece.name));
            if field.pieces.is_empty() && !stays(&field.name) {
                part.text = TextPart::LeftOut;
            }
        }
        part.attributes.retain(|attribute| stays(&attribute.name));
    });
    let is_kept = |count: &FieldCount| count.field.is_empty() || stays(&count.field);
    template.counts.retain(is_kept);
}

/// Looks at every part, with the lists around it as they were called before.
fn each_part(template: &mut Template, mut look: impl FnMut(&str, &mut Part)) {
    let mut waiting: Vec<(PartId, String)> = vec![(PartId(0), String::new())];
    while let Some((id, prefix)) = waiting.pop() {
        let Some(part) = template.parts.get_mut(id.index()) else {
            continue;
        };
        for item in &part.items {
            let inside = match item {
                Item::Repeat(repeat) if !repeat.name.is_empty() => format!("{prefix}{}.", repeat.name),
                _ => prefix.clone(),
            };
            waiting.extend(item.parts().iter().map(|&inner| (inner, inside.clone())));
        }
        look(&prefix, part);
    }
}
