//! Like blocks under different headings: one list, with the heading as a column.
//!
//! A page may have the same block thirty times under thirty headings that all pages have. Sections beside each other are made one list when at least three of them
//! hold the same labels or headers; those that hold running text alone stay columns of their own, since each heading names another thing.

use std::collections::BTreeSet;

use super::guide::{Guide, PlaceId};
use super::schema::SchemaTuning;
use super::step::StepKind;

/// Makes one list of sections under different headings that hold the same labels.
pub(super) fn merge_alike_sections(guide: &mut Guide, tuning: &SchemaTuning) {
    // Merging moves places around inside the guide, never up: one pass over what is there now.
    for place in 0..guide.places.len() {
        loop {
            let sections: Vec<PlaceId> = guide.places[place]
                .children
                .iter()
                .copied()
                .filter(|&child| guide.places[child].kind == StepKind::Section && guide.places[child].n > 0)
                .filter(|&child| !guide.places[child].is_merged)
                .collect();
            let alike = alike_group(guide, &sections, tuning);
            if alike.is_empty() {
                break;
            }
            merge(guide, place, &alike);
        }
    }
}

/// Sections that hold the same labels as the one of them that holds most.
fn alike_group(guide: &Guide, sections: &[PlaceId], tuning: &SchemaTuning) -> Vec<PlaceId> {
    let labels: Vec<BTreeSet<String>> = sections.iter().map(|&section| labels_inside(guide, section)).collect();
    for (index, own) in labels.iter().enumerate() {
        if own.is_empty() {
            continue;
        }
        let is_alike = |other: &BTreeSet<String>| {
            let shared = own.intersection(other).count();
            shared > 0 && shared as f64 >= tuning.merged_labels_share * own.union(other).count() as f64
        };
        let group: Vec<PlaceId> = sections
            .iter()
            .zip(&labels)
            .filter(|(_, other)| is_alike(other))
            .map(|(&section, _)| section)
            .collect();
        if group.len() >= tuning.merged_sections_min && group.contains(&sections[index]) {
            return group;
        }
    }
    Vec::new()
}

/// The labels and headers inside a place, but for those inside sections of its own.
fn labels_inside(guide: &Guide, place: PlaceId) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    let mut waiting = guide.places[place].children.clone();
    while let Some(next) = waiting.pop() {
        let own = &guide.places[next];
        // A cell without a header is known by the number of its column.
        if matches!(own.kind, StepKind::Pair | StepKind::Cell) {
            labels.insert(own.text.to_lowercase());
        }
        waiting.extend(&own.children);
    }
    labels
}

/// Makes one place of several.
fn merge(guide: &mut Guide, parent: PlaceId, group: &[PlaceId]) {
    let first = group[0];
    guide.places[first].is_merged = true;
    let heading = guide.add_place(StepKind::Heading, "", first);
    for &other in group {
        let n = guide.places[other].n;
        guide.places[heading].n += n;
        guide.places[heading].n_parents += n;
        guide.places[heading].texts.n += n;
        guide.places[heading].texts.n_other_values += n;
        if other != first {
            merge_places(guide, first, other);
            let text = guide.places[other].text.clone();
            guide.redirect(parent, (StepKind::Section, &text), first);
            guide.places[parent].children.retain(|&child| child != other);
        }
    }
    // Where each holder has one of them, they are one section under different headings, and no list.
    let holders = guide.places[parent].n;
    let own = &mut guide.places[first];
    let is_list = own.n * 10 > holders * 11;
    own.n_multiple = if is_list { own.n_parents } else { 0 };
}

/// Adds what one place has to another.
fn merge_places(guide: &mut Guide, to: PlaceId, from: PlaceId) {
    let other = guide.places[from].clone();
    let own = &mut guide.places[to];
    own.n += other.n;
    own.n_parents += other.n_parents;
    own.n_multiple += other.n_multiple;
    own.position += other.position;
    own.texts.merge(&other.texts);
    for child in other.children {
        let (kind, text) = (guide.places[child].kind, guide.places[child].text.clone());
        match guide.child_by(to, kind, &text) {
            Some(known) => merge_places(guide, known, child),
            None => guide.adopt(to, child),
        }
    }
}
