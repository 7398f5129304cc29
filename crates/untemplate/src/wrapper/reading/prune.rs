//! Pruning: what of a schema is needed to read pages, without the counts that decided it.

use std::collections::HashMap;
use std::sync::Arc;

use super::guide::{Guide, Place, PlaceId};
use super::schema::{ClassSchema, Role};
use super::text_counts::TextCounts;

/// A place that became nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The steps that lead to it, one after the other.
    pub path: String,
    /// Why it became nothing.
    pub reason: String,
    /// The characters inside it, on all pages.
    pub n_chars: usize,
}

impl ClassSchema {
    /// The same schema with the places alone that are read, or of which it is known why they are
    /// not; in the order of the page.
    pub fn pruned(&self) -> Self {
        let order = self.read_places();
        let numbers: HashMap<PlaceId, PlaceId> = order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let mut places: Vec<Place> = Vec::with_capacity(order.len());
        for (number, &old) in order.iter().enumerate() {
            let own = &self.guide.places[old];
            let parent = numbers.get(&own.parent).copied().unwrap_or(0);
            places.push(Place {
                n: own.n,
                n_parents: own.n_parents,
                is_merged: own.is_merged,
                texts: TextCounts {
                    n_chars: self.characters(old),
                    ..TextCounts::default()
                },
                ..Place::new(own.kind, &own.text, parent)
            });
            if number > 0 {
                places[parent].children.push(number);
            }
        }
        let steps = self.guide.steps();
        let steps = steps.filter_map(|(from, hash, to)| Some((*numbers.get(&from)?, hash, *numbers.get(&to)?)));
        let left_out = self.left_out.iter();
        let left_out = left_out.filter_map(|(old, why)| Some((*numbers.get(old)?, why.clone())));
        let mut left_out: Vec<_> = left_out.collect();
        left_out.sort_by_key(|(place, _)| *place);
        Self {
            roles: order.iter().map(|&old| self.roles[old].clone()).collect(),
            fields: self.fields.clone(),
            left_out,
            guide: Guide::of_places(places, steps),
        }
    }

    /// The places that are read or have a reason why not, each after what holds it.
    fn read_places(&self) -> Vec<PlaceId> {
        let mut order = Vec::new();
        let mut waiting: Vec<PlaceId> = vec![0];
        while let Some(place) = waiting.pop() {
            order.push(place);
            // A prose is read by its blocks, whatever they are.
            if !matches!(self.roles[place], Role::Skip | Role::Prose(_)) {
                waiting.extend(self.guide.children_in_order(place).into_iter().rev());
            }
        }
        let mut is_wanted = vec![false; self.guide.places.len()];
        is_wanted[0] = true;
        for (place, _) in &self.left_out {
            is_wanted[*place] = true;
        }
        for &place in order.iter().rev() {
            is_wanted[place] |= !matches!(self.roles[place], Role::Skip | Role::Open(None));
            if is_wanted[place] {
                is_wanted[self.guide.places[place].parent] = true;
            }
        }
        order.retain(|&place| is_wanted[place]);
        order
    }

    /// The characters at a place, with those inside it where it is not read.
    fn characters(&self, place: PlaceId) -> usize {
        let mut n = 0;
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            n += self.guide.places[next].texts.n_chars;
            if matches!(self.roles[next], Role::Skip | Role::Prose(_)) {
                waiting.extend(&self.guide.places[next].children);
            }
        }
        n
    }

    /// The places that became nothing, and why.
    pub fn places_left_out(&self) -> Vec<LeftOut> {
        let left_out = self.left_out.iter().map(|(place, why)| LeftOut {
            path: self.path_of(*place),
            reason: why.to_string(),
            n_chars: self.characters(*place),
        });
        left_out.collect()
    }

    pub(super) fn path_of(&self, place: PlaceId) -> String {
        let mut steps = Vec::new();
        let mut at = place;
        while at != 0 {
            steps.push(self.guide.places[at].describe());
            at = self.guide.places[at].parent;
        }
        steps.reverse();
        steps.join(" > ")
    }

    /// The keys that nearly all pages have a value of, outside of lists.
    pub(super) fn expected_keys(&self) -> Vec<Arc<str>> {
        let mut keys = Vec::new();
        let mut waiting: Vec<(PlaceId, f64)> = vec![(0, 1.0)];
        while let Some((place, share)) = waiting.pop() {
            let own = &self.guide.places[place];
            let is_open = match &self.roles[place] {
                Role::Skip => false,
                Role::Open(whole) => {
                    keys.extend(whole.clone());
                    true
                }
                Role::Field(field) => {
                    keys.extend(
                        field
                            .text
                            .clone()
                            .or_else(|| field.link.clone())
                            .or_else(|| field.picture.clone()),
                    );
                    true
                }
                Role::Prose(field) => {
                    keys.extend(field.text.clone());
                    false
                }
                Role::Rows(rows) => {
                    keys.extend((!rows.is_flat).then(|| rows.key.clone()));
                    rows.is_flat
                }
            };
            let inner = own.children.iter().filter(|_| is_open).map(|&child| {
                let n_had = self.guide.places[child].n_parents as f64;
                (child, share * n_had / own.n.max(1) as f64)
            });
            waiting.extend(inner.filter(|(_, share)| *share >= EXPECTED_SHARE));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// The least share of a class's pages that have a value which is missed on a page without it.
const EXPECTED_SHARE: f64 = 0.9;

impl Guide {
    /// The places inside a place that had a block on some page, in the order of the page.
    pub(super) fn children_in_order(&self, place: PlaceId) -> Vec<PlaceId> {
        let mean = |place: PlaceId| self.places[place].mean_position();
        let mut children = self.places[place].children.clone();
        children.retain(|&child| self.places[child].n > 0);
        children.sort_by(|&left, &right| mean(left).total_cmp(&mean(right)).then(left.cmp(&right)));
        children
    }
}
