//! Changes of a guide: places that turned out to be one are made one.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::guide::{Guide, Place, PlaceId};
use super::step::{Step, StepKind};

impl Guide {
    /// Makes a step lead to another place.
    fn redirect(&mut self, place: PlaceId, step: (StepKind, &str), to: PlaceId) {
        let hash = Step {
            kind: step.0,
            text: step.1,
        }
        .hash();
        self.by_step.insert((place, hash), to);
    }

    /// Makes places inside one holder part of another place there.
    pub(super) fn merge_into(&mut self, parent: PlaceId, to: PlaceId, group: &[PlaceId]) {
        let mut moved: HashMap<PlaceId, PlaceId, FixedState> = HashMap::default();
        for &from in group.iter().filter(|&&from| from != to) {
            let (kind, text) = (self.places[from].kind, self.places[from].text.clone());
            self.merge_places(to, from, &mut moved);
            self.redirect(parent, (kind, &text), to);
        }
        // Once for all of them: a holder may have thousands.
        self.places[parent].children.retain(|child| !moved.contains_key(child));
        let own = |place: PlaceId| moved.get(&place).copied().unwrap_or(place);
        let is_moved = |pair: &(PlaceId, PlaceId)| moved.contains_key(&pair.0) || moved.contains_key(&pair.1);
        let counts: Vec<((PlaceId, PlaceId), u32)> = self.together.extract_if(|pair, _| is_moved(pair)).collect();
        for ((left, right), count) in counts {
            let (left, right) = (own(left), own(right));
            *self.together.entry((left.min(right), left.max(right))).or_default() += count;
        }
    }

    /// Adds what one place has to another, and notes which places became which.
    fn merge_places(&mut self, to: PlaceId, from: PlaceId, moved: &mut HashMap<PlaceId, PlaceId, FixedState>) {
        moved.insert(from, to);
        // What is inside it moves: nothing may find it here any more.
        let other = std::mem::replace(&mut self.places[from], Place::new(StepKind::Page, "", 0));
        let own = &mut self.places[to];
        // What stands in several places is not called what one of them is called.
        if own.n > 0 && other.n > 0 && own.texts.first != other.texts.first {
            own.texts.first.clear();
        }
        own.n += other.n;
        own.n_parents += other.n_parents;
        own.n_multiple += other.n_multiple;
        own.position += other.position;
        for &(language, n) in &other.languages {
            own.count_language(language, n);
        }
        own.texts.merge(&other.texts);
        for child in other.children {
            let (kind, text) = (self.places[child].kind, self.places[child].text.clone());
            match self.child_by(to, kind, &text) {
                Some(known) => self.merge_places(known, child, moved),
                None => self.adopt(to, child),
            }
        }
    }

    /// Where a step leads from a place, by what it is.
    pub(super) fn child_by(&self, place: PlaceId, kind: StepKind, text: &str) -> Option<PlaceId> {
        self.child(place, Step { kind, text }.hash())
    }

    /// A new place inside another one.
    pub(super) fn add_place(&mut self, kind: StepKind, text: &str, parent: PlaceId) -> PlaceId {
        let place = self.places.len();
        self.places.push(Place::new(kind, text, parent));
        self.places[parent].children.insert(0, place);
        let hash = Step { kind, text }.hash();
        self.by_step.insert((parent, hash), place);
        place
    }

    /// Moves a place into another one.
    pub(super) fn adopt(&mut self, parent: PlaceId, child: PlaceId) {
        let hash = Step {
            kind: self.places[child].kind,
            text: &self.places[child].text,
        }
        .hash();
        self.places[child].parent = parent;
        self.places[parent].children.push(child);
        self.by_step.insert((parent, hash), child);
    }

    /// The place of a kind and text inside another, made if there is none.
    pub(super) fn child_or_add(&mut self, parent: PlaceId, kind: StepKind, text: &str) -> PlaceId {
        match self.child_by(parent, kind, text) {
            Some(known) => known,
            None => self.add_place(kind, text, parent),
        }
    }

    /// Counts the label of a place as a value at another place.
    pub(super) fn count_label(&mut self, to: PlaceId, labelled: PlaceId) {
        let (n, text) = (self.places[labelled].n, std::mem::take(&mut self.places[labelled].text));
        let own = &mut self.places[to];
        own.n += n;
        own.n_parents += n;
        own.texts.add_value(&text, n);
        self.places[labelled].text = text;
    }

    /// Tells whether a place that was made of several is a list: where each holder has one of them,
    /// they are one block under different labels. The rows of a grid are a list wherever one has two.
    pub(super) fn settle_multiplicity(&mut self, parent: PlaceId, place: PlaceId) {
        let holders = self.places[parent].n;
        // Counted pair by pair of those that were made one.
        let n_together = self.together(place, place) as usize;
        let own = &mut self.places[place];
        let is_list = own.n * 10 > holders * 11;
        own.n_parents = own.n_parents.min(holders);
        own.n_multiple = match own.kind {
            _ if is_list => own.n_parents,
            StepKind::Row => (own.n_multiple + n_together).min(own.n_parents),
            _ => 0,
        };
    }
}
