//! Columns: the children of a node on all pages, aligned with each other.
//!
//! In: the children of a node, page by page. Out: columns in document order, each the children that
//! are the same thing. The page with most children comes first; every other is aligned with the
//! columns so far, and what has no column gets a new one. Nodes that repeat are one column with all
//! their members.

use std::cmp::Reverse;

use crate::page::NodeId;

use super::alignment::{Aligner, NEVER, score};
use super::feature::{Features, HashNumbers, Origin, PHRASE};
use super::repetition::{Children, kind_of};
use super::rounds::{cut_rounds, round_of};

/// Children that are the same thing.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// What its members look like, kind by kind; a column that does not repeat has one kind.
    pub kinds: Vec<(u64, Features)>,
    /// The sequence, the kind (an index) and the node of each member.
    pub members: Vec<(usize, usize, NodeId)>,
    /// Whether it is a list.
    pub is_repeat: bool,
}

/// Some children of one page: one, or a stretch of a list.
struct Slot {
    children: Children,
    is_repeat: bool,
}

/// Aligns the sequences.
pub(super) fn columns_of(sequences: &[Children], repeating: &HashNumbers) -> Vec<Column> {
    let slots: Vec<Vec<Slot>> = sequences.iter().map(|children| slots_of(children, repeating)).collect();
    let mut order: Vec<usize> = (0..slots.len()).collect();
    order.sort_by_key(|&index| Reverse(slots[index].len()));
    let mut columns: Vec<Column> = Vec::new();
    let mut aligner = Aligner::default();
    for sequence in order {
        let own = &slots[sequence];
        let score = |item: usize, slot: usize| slot_score(&columns[item], &own[slot]);
        aligner.align_by((columns.len(), own.len()), score, |item| columns[item].is_repeat);
        merge(&mut columns, sequence, own, &aligner.places);
    }
    columns
}

/// Children one by one, but for stretches of kinds that repeat.
fn slots_of(children: &Children, repeating: &HashNumbers) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::new();
    for child in children {
        let is_repeat = repeating.contains(&kind_of(&child.1));
        match slots.last_mut() {
            Some(slot) if is_repeat && slot.is_repeat => slot.children.push(*child),
            _ => slots.push(Slot {
                children: vec![*child],
                is_repeat,
            }),
        }
    }
    slots
}

/// The best score of a child of the slot and a kind of the column.
fn slot_score(column: &Column, slot: &Slot) -> i32 {
    let best_of = |features: &Features| column.kinds.iter().map(|(_, kind)| score(kind, features)).max();
    let children = slot.children.iter().take(SLOT_SAMPLE);
    children
        .filter_map(|(_, features)| best_of(features))
        .max()
        .unwrap_or(NEVER)
}

/// This many children of a list are compared.
const SLOT_SAMPLE: usize = 4;

/// Adds a sequence to the columns that its slots were aligned with, and new columns for the others.
fn merge(columns: &mut Vec<Column>, sequence: usize, slots: &[Slot], places: &[Option<usize>]) {
    let mut merged: Vec<Column> = Vec::with_capacity(columns.len() + slots.len());
    let mut rest = std::mem::take(columns).into_iter().enumerate().peekable();
    let mut last: Option<(usize, usize)> = None;
    for (slot, place) in slots.iter().zip(places) {
        let Some(place) = place else {
            merged.push(new_column(sequence, slot));
            continue;
        };
        if let Some((_, position)) = last.filter(|(index, _)| index == place) {
            // A list goes on after something else stood in it.
            add(&mut merged[position], sequence, slot);
            continue;
        }
        while rest.peek().is_some_and(|(index, _)| index < place) {
            merged.extend(rest.next().map(|(_, column)| column));
        }
        if let Some((index, mut column)) = rest.next() {
            last = Some((index, merged.len()));
            add(&mut column, sequence, slot);
            merged.push(column);
        }
    }
    merged.extend(rest.map(|(_, column)| column));
    *columns = merged;
}

fn new_column(sequence: usize, slot: &Slot) -> Column {
    let mut column = Column {
        kinds: Vec::new(),
        members: Vec::new(),
        is_repeat: slot.is_repeat,
    };
    add(&mut column, sequence, slot);
    column
}

/// Adds a slot's children, each to the place that it has in its round.
fn add(column: &mut Column, sequence: usize, slot: &Slot) {
    column.is_repeat |= slot.is_repeat;
    let kinds: Vec<u64> = slot.children.iter().map(|(_, features)| kind_of(features)).collect();
    if column.kinds.is_empty() {
        let body = if column.is_repeat {
            round_of(&kinds)
        } else {
            kinds.clone()
        };
        let first_of = |kind: &u64| kinds.iter().position(|own| own == kind).unwrap_or(0);
        column.kinds = body
            .iter()
            .map(|kind| (*kind, slot.children[first_of(kind)].1))
            .collect();
    }
    for (kind, (_, features)) in kinds.iter().zip(&slot.children) {
        let least = if column.is_repeat { KIND_MIN } else { i32::MIN };
        if !column
            .kinds
            .iter()
            .any(|(own, pattern)| own == kind || score(pattern, features) > least)
        {
            column.kinds.push((*kind, *features));
        }
    }
    let known = &column.kinds;
    let suits = |member: usize, from: usize| {
        if let Some(place) = (from..known.len()).find(|&place| known[place].0 == kinds[member]) {
            return Some(place);
        }
        if known.iter().any(|(own, _)| *own == kinds[member]) {
            return None;
        }
        let scored =
            (from..known.len()).map(|place| (score(&known[place].1, &slot.children[member].1), Reverse(place)));
        scored.max().map(|(_, place)| place.0)
    };
    let places = cut_rounds(kinds.len(), suits);
    for ((node, features), place) in slot.children.iter().zip(places) {
        let Some((place, _)) = place else { continue };
        blend(&mut column.kinds[place].1, features);
        column.members.push((sequence, place, *node));
    }
}

/// A child of a list that scores less with every kind is of a new kind.
const KIND_MIN: i32 = 3;

/// Makes features stand for one node more.
pub(super) fn blend(features: &mut Features, more: &Features) {
    if features.name != more.name {
        features.name = PHRASE;
        features.class_bits = 0;
    }
    features.is_phrase &= more.is_phrase;
    let keep = |one: u64, other: u64| if one == other { one } else { 0 };
    features.id = keep(features.id, more.id);
    features.class_bits &= more.class_bits;
    features.label = keep(features.label, more.label);
    features.lead = keep(features.lead, more.lead);
    features.heading = keep(features.heading, more.heading);
    features.is_small &= more.is_small;
    features.holds_always &= more.holds_always;
    features.holds_ever |= more.holds_ever;
    if features.origin == Origin::NONE {
        features.origin = more.origin;
    }
}
