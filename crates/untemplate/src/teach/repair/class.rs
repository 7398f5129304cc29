//! Classes: each that has a wrapper is verified on its new pages, and what drifted is learnt again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::page::{NodeId, Page};
use crate::rule::{Picked, Selected};

use super::field::{FieldEnd, KnownPair, is_misread, mend};
use super::outcome::{AssertionRepair, FieldRepair, Repair, RepairOutcome, shown};
use crate::teach::taught_record::TaughtRecord;
use crate::teach::telling::telling_assertion;
use crate::teach::template::assertion_of;
use crate::teach::verification::{evidence_of, misfit};
use crate::teach::{SamplePage, ShownValue, Specification, Subject, TaughtClass, TaughtField, Verification};
use crate::wrapper::{Drift, KnownValues, MarkupProfile, corresponding, pairs};

/// What an old page said: its address, and the values of each field with their places.
struct OldPage {
    known: KnownValues,
    page: Arc<Page>,
    fields: BTreeMap<String, Vec<Picked>>,
}

impl OldPage {
    /// What a field was, each value where it stands on a new page if that is certain.
    fn shown(&self, field: &str, images: &[Option<NodeId>], new: &Page) -> Vec<ShownValue> {
        let shown = |picked: &Picked| {
            let image = images.get(picked.place.node.index()).copied().flatten();
            let place = image.map(|node| Selected {
                node,
                attribute: picked.place.attribute,
            });
            match place {
                Some(place) => ShownValue::at(&new.dom, place, &picked.text),
                None => picked.text.as_str().into(),
            }
        };
        self.fields.get(field).into_iter().flatten().map(shown).collect()
    }
}

/// Mends what has drifted on the new pages, by what the specification read on the old ones.
/// `held_min` is what [`Verification::drifted`] takes.
pub fn repair_specification(
    specification: &Specification,
    old: &[SamplePage],
    new: &[SamplePage],
    held_min: f64,
) -> Repair {
    let mut repair = Repair {
        specification: specification.clone(),
        fields: Vec::new(),
        assertions: Vec::new(),
        problems: Vec::new(),
    };
    for index in 0..specification.classes.len() {
        let class = &specification.classes[index];
        if class.fields.is_empty() {
            continue;
        }
        let own_new = of_class(specification, class, old, new);
        if own_new.is_empty() {
            let problem = format!(
                "no new page is of {}, so that it is as it was; give some that are",
                class.id
            );
            repair.problems.push(problem);
            continue;
        }
        repair_class(class, &old_pages(class, old), &own_new, held_min, &mut repair, index);
    }
    repair
}

/// The new pages of a class: all where there is no other; else those whose old page was of it, and
/// those that fit it best.
fn of_class(
    specification: &Specification,
    class: &TaughtClass,
    old: &[SamplePage],
    new: &[SamplePage],
) -> Vec<SamplePage> {
    let wrapped: Vec<&TaughtClass> = specification
        .classes
        .iter()
        .filter(|its| !its.fields.is_empty())
        .collect();
    let class_of_old = |page: &SamplePage| {
        let before = old.iter().find(|its| its.page.url == page.page.url)?;
        wrapped
            .iter()
            .find(|its| its.assertion.holds(&before.page))
            .map(|its| its.id.as_str())
    };
    let is_own = |page: &&SamplePage| match class_of_old(page) {
        _ if wrapped.len() == 1 => true,
        Some(id) => id == class.id,
        None => wrapped
            .iter()
            .min_by_key(|its| misfit(its, &page.page))
            .is_some_and(|its| its.id == class.id),
    };
    new.iter().filter(is_own).cloned().collect()
}

/// What the class read on the old pages that are of it.
fn old_pages(class: &TaughtClass, old: &[SamplePage]) -> Vec<OldPage> {
    let is_own = |page: &&SamplePage| class.assertion.holds(&page.page);
    let read = |page: &SamplePage| {
        let record = TaughtRecord::read(class, &page.page);
        let fields: BTreeMap<String, Vec<Picked>> = record.fields.into_iter().collect();
        let texts = fields.values().flatten().map(|picked| picked.text.clone());
        OldPage {
            known: KnownValues {
                address: page.page.url.to_string(),
                values: texts.collect::<BTreeSet<String>>(),
            },
            page: page.page.clone(),
            fields,
        }
    };
    old.iter().filter(is_own).map(read).collect()
}

fn repair_class(
    class: &TaughtClass,
    old: &[OldPage],
    new: &[SamplePage],
    held_min: f64,
    repair: &mut Repair,
    index: usize,
) {
    let alone = Specification {
        classes: vec![class.clone()],
        ..Specification::default()
    };
    let mut verification = Verification::new(&alone);
    new.iter()
        .for_each(|page| verification.look_at(&alone, &page.page, &page.name));
    let is_redesigned = verification
        .drifted(held_min)
        .any(|(_, drift)| drift == Drift::OtherMarkup);
    let drifted: Vec<&Subject> = verification
        .drifted(held_min)
        .filter(|(_, drift)| *drift != Drift::OtherMarkup)
        .map(|(item, _)| &item.subject)
        .collect();
    let pairs = paired(old, new);
    let mut mended = class.clone();
    for (place, field) in class.fields.iter().enumerate() {
        let known = |(old_page, new_page, images): &(usize, usize, Images)| KnownPair {
            page: *new_page,
            values: old[*old_page].shown(&field.name, images, &new[*new_page].page),
        };
        let pairs: Vec<KnownPair> = pairs.iter().map(known).collect();
        let has_drifted = drifted.contains(&&Subject::Field(field.name.clone())) || field.slots.is_empty();
        let outcome = if has_drifted || is_misread(field, &pairs, new) {
            let evidence = class.evidence.iter().find(|its| its.field == field.name);
            let FieldEnd { outcome, field } = mend(field, evidence, &pairs, new);
            mended.fields[place] = field;
            outcome
        } else {
            RepairOutcome::Kept
        };
        repair.fields.push(FieldRepair {
            class: class.id.clone(),
            field: field.name.clone(),
            outcome,
            before: shown(field),
            after: shown(&mended.fields[place]),
        });
    }
    let asserts_less = drifted.iter().any(|subject| matches!(subject, Subject::Assertion(_)));
    if asserts_less {
        mended.assertion = new_assertion(class, new, &mended.fields);
        repair.assertions.push(AssertionRepair {
            class: class.id.clone(),
            before: class.assertion.told(),
            after: mended.assertion.told(),
        });
    }
    if mended != *class || is_redesigned {
        mended.evidence = new_evidence(&mended, class, new);
        mended.markup = MarkupProfile::of(&new.iter().map(|page| &*page.page).collect::<Vec<_>>());
        repair.specification.classes[index] = mended;
    }
}

/// The node of a new page for each node of an old one.
type Images = Vec<Option<NodeId>>;

/// The old and the new pages about the same things, by their numbers, with what corresponds on
/// them.
fn paired(old: &[OldPage], new: &[SamplePage]) -> Vec<(usize, usize, Images)> {
    let addresses: Vec<String> = new.iter().map(|page| page.page.url.to_string()).collect();
    let known: Vec<KnownValues> = old.iter().map(|page| page.known.clone()).collect();
    let found = pairs(&known, &addresses, |page, value| {
        !new[page].texts.places(value).is_empty()
    });
    let with_images = |(old_page, new_page): (usize, usize)| {
        let images = corresponding(&old[old_page].page.dom, &new[new_page].page.dom);
        (old_page, new_page, images)
    };
    found.into_iter().map(with_images).collect()
}

/// What the new pages have in common; what they must not have, and their addresses, where that
/// still holds on all of them.
fn new_assertion(class: &TaughtClass, new: &[SamplePage], fields: &[TaughtField]) -> crate::rule::Assertion {
    let readable: Vec<TaughtField> = fields.iter().filter(|field| !field.slots.is_empty()).cloned().collect();
    let mut assertion =
        telling_assertion(new, &[], &[], &readable).unwrap_or_else(|| assertion_of(new, &[], &readable));
    let old = &class.assertion;
    let address = old
        .address
        .clone()
        .filter(|address| new.iter().all(|page| address.matches(&page.page.url)));
    assertion.address = assertion.address.or(address);
    let is_absent = |path: &&crate::rule::LocationPath| {
        let alone = crate::rule::Assertion {
            never: vec![(*path).clone()],
            ..crate::rule::Assertion::default()
        };
        new.iter().all(|page| alone.holds(&page.page))
    };
    assertion.never.extend(old.never.iter().filter(is_absent).cloned());
    assertion
}

/// What the fields are on the new pages; of a field that is lost, what it was.
fn new_evidence(mended: &TaughtClass, before: &TaughtClass, new: &[SamplePage]) -> Vec<crate::teach::FieldEvidence> {
    let is_lost = |name: &str| {
        let mut fields = mended.fields.iter();
        fields.any(|field| field.name == name && field.slots.is_empty())
    };
    let mut evidence = evidence_of(mended, new.iter().map(|page| &*page.page));
    evidence.retain(|its| !is_lost(&its.field));
    evidence.extend(before.evidence.iter().filter(|its| is_lost(&its.field)).cloned());
    evidence
}
