//! Like blocks under different headings: one list, with the heading as a column.
//!
//! A page may have the same block thirty times under thirty headings that all pages have. Sections
//! beside each other are made one list when at least three of them hold the same labels or headers;
//! those that hold running text alone stay columns of their own, since each heading names another
//! thing.

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
            let alike = alike_group(guide, place, &sections, tuning);
            if alike.is_empty() {
                break;
            }
            merge(guide, place, &alike);
        }
    }
}

/// Sections that hold the same as one of them: labels or headers, or lists alone. Sections with
/// lists alone are one list where each page has few of their headings: then these are values, where
/// the headings of a template are on most pages.
fn alike_group(guide: &Guide, parent: PlaceId, sections: &[PlaceId], tuning: &SchemaTuning) -> Vec<PlaceId> {
    let shapes: Vec<Shape> = sections
        .iter()
        .map(|&section| shape_of(guide, section, tuning))
        .collect();
    for (index, own) in shapes.iter().enumerate() {
        if own.labels.is_empty() && !own.has_rows {
            continue;
        }
        let is_alike = |other: &Shape| {
            let shared = own.labels.intersection(&other.labels).count();
            let least = tuning.merged_labels_share * own.labels.union(&other.labels).count() as f64;
            match own.labels.is_empty() {
                true => other.labels.is_empty() && other.has_rows,
                false => shared > 0 && shared as f64 >= least,
            }
        };
        let group: Vec<PlaceId> = sections
            .iter()
            .zip(&shapes)
            .filter(|(_, other)| is_alike(other))
            .map(|(&section, _)| section)
            .collect();
        // What all pages have is a value only among several that some have: of the years of a career
        // one may be on all pages.
        let is_fixed = |&&section: &&PlaceId| {
            let place = &guide.places[section];
            place.n_parents as f64 >= tuning.constant_share * guide.places[parent].n as f64
        };
        let n_fixed = group.iter().filter(is_fixed).count();
        let n_telling = match n_fixed < tuning.merged_sections_min {
            true => group.len() - n_fixed,
            false => group.len(),
        };
        let n: usize = group.iter().map(|&section| guide.places[section].n).sum();
        let share = n as f64 / (group.len() * guide.places[parent].n).max(1) as f64;
        let is_told = own
            .labels
            .iter()
            .any(|label| !label.bytes().all(|byte| byte.is_ascii_digit()));
        let is_group = n_telling >= tuning.merged_sections_min && (is_told || share < tuning.merged_unlabelled_share);
        if is_group && group.contains(&sections[index]) {
            return group;
        }
    }
    Vec::new()
}

/// What a section holds.
struct Shape {
    /// Its labels and headers; a cell without a header is known by the number of its column.
    labels: BTreeSet<String>,
    /// Whether it holds rows or items.
    has_rows: bool,
}

fn shape_of(guide: &Guide, place: PlaceId, tuning: &SchemaTuning) -> Shape {
    let mut shape = Shape {
        labels: BTreeSet::new(),
        has_rows: false,
    };
    let own = &guide.places[place];
    let is_prose = |child: &PlaceId| {
        let texts = &guide.places[*child].texts;
        guide.places[*child].kind == StepKind::Line && texts.n_chars as f64 >= tuning.prose_chars * texts.n as f64
    };
    // Running text, with a list here and there.
    let is_text = own
        .children
        .iter()
        .any(|child| is_prose(child) && share_of(guide, *child) > PART_SHARE);
    let mut waiting: Vec<(PlaceId, f64)> = own.children.iter().map(|&child| (child, 1.0)).collect();
    while let Some((next, share)) = waiting.pop() {
        // What few of the sections hold is no part of what they have in common.
        let share = share * share_of(guide, next);
        if share <= PART_SHARE {
            continue;
        }
        let own = &guide.places[next];
        if matches!(own.kind, StepKind::Pair | StepKind::Cell) {
            shape.labels.insert(own.text.to_lowercase());
        }
        shape.has_rows |= !is_text && matches!(own.kind, StepKind::Row | StepKind::Item | StepKind::AnyPair);
        waiting.extend(own.children.iter().map(|&child| (child, share)));
    }
    shape
}

/// The share of the sections under a heading that have a part of them, at least.
const PART_SHARE: f64 = 0.2;

/// The share of the blocks of a place's parent that have it.
fn share_of(guide: &Guide, place: PlaceId) -> f64 {
    let own = &guide.places[place];
    own.n_parents as f64 / guide.places[own.parent].n.max(1) as f64
}

/// Makes one place of several.
fn merge(guide: &mut Guide, parent: PlaceId, group: &[PlaceId]) {
    // Where each holder has one of them, what they hold is called by the commonest.
    let commonest = group.iter().rev().max_by_key(|&&section| guide.places[section].n);
    let first = commonest.copied().unwrap_or(group[0]);
    guide.places[first].is_merged = true;
    let heading = guide.add_place(StepKind::Heading, "", first);
    for &other in group {
        guide.count_label(heading, other);
    }
    guide.merge_into(parent, first, group);
    guide.settle_multiplicity(parent, first);
}
