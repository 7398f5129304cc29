//! The guide of a page class: every place of its content on any page, with what stood there,
//! counted over all pages.
//!
//! It is the DataGuide of Goldman and Widom (VLDB 1997) over contents instead of databases: a tree
//! of steps in which each path of steps that occurs on some page occurs once. It grows with the
//! number of different paths, not of pages.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::content::{BlockId, BlockKind, Content};

use super::step::{Seen, StepKind, Value, see, see_children};
use super::text_counts::TextCounts;
use super::vocabulary::{Vocabulary, label_of, text_hash};

/// The most places of a guide: pages of free prose with mark-up of their own have no end of paths.
const PLACES_MAX: usize = 20_000;

/// The most blocks of one holder that are counted together, and the most pairs of them in all.
const KEYED_MAX: usize = 48;
const TOGETHER_MAX: usize = 200_000;

/// The most languages of a class's pages that are counted.
const LANGUAGES_MAX: usize = 64;

/// The longest heading that is kept as the first one, in bytes.
const FIRST_MAX: usize = 80;

/// The number of a place.
pub type PlaceId = usize;

/// All places of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    /// The first one is the page; each stands after what holds it.
    pub places: Vec<Place>,
    pub(super) by_step: HashMap<(PlaceId, u64), PlaceId, FixedState>,
    /// The language of the page that is being counted.
    language: u64,
    /// The characters of menus, which are at no place.
    pub(super) n_menu_chars: usize,
    /// How often two labelled places stand in one holder.
    pub(super) together: HashMap<(PlaceId, PlaceId), u32, FixedState>,
}

/// A place in the content of a class's pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The step that leads to it.
    pub kind: StepKind,
    /// Its heading, label, header or name, as first seen.
    pub text: String,
    /// What holds it.
    pub parent: PlaceId,
    /// The places inside it, in the order they were met.
    pub children: Vec<PlaceId>,
    /// Blocks that were there.
    pub n: usize,
    /// Blocks of the parent that have it.
    pub n_parents: usize,
    /// Those that have it more than once.
    pub n_multiple: usize,
    /// Sum of its positions among its siblings, from 0 to 1.
    pub position: f64,
    /// What the texts of its lines are like.
    pub texts: TextCounts,
    /// Whether it was made one of several places that are alike.
    pub is_merged: bool,
    /// How many of its blocks are on pages that say they are in each language, by hash.
    pub(super) languages: Vec<(u64, usize)>,
}

impl Default for Guide {
    fn default() -> Self {
        Self {
            places: vec![Place::new(StepKind::Page, "", 0)],
            by_step: HashMap::default(),
            language: 0,
            n_menu_chars: 0,
            together: HashMap::default(),
        }
    }
}

impl Place {
    /// Where its blocks stand among what their holder has, on average.
    pub(super) fn mean_position(&self) -> f64 {
        self.position / self.n.max(1) as f64
    }

    /// How many holders are on pages of the language that a place inside this one has alone.
    pub(super) fn n_in_language_of(&self, own: &Place) -> usize {
        let language = own.languages.first().map(|(language, _)| *language);
        let spoken = self.languages.iter().find(|(its, _)| Some(*its) == language);
        spoken.map_or(0, |(_, n)| *n)
    }

    /// A place where nothing stood so far.
    pub fn new(kind: StepKind, text: &str, parent: PlaceId) -> Self {
        Self {
            kind,
            text: text.to_owned(),
            parent,
            children: Vec::new(),
            n: 0,
            n_parents: 0,
            n_multiple: 0,
            position: 0.0,
            texts: TextCounts::default(),
            is_merged: false,
            languages: Vec::new(),
        }
    }

    /// Counts blocks on pages in a language.
    pub(super) fn count_language(&mut self, language: u64, n: usize) {
        match self.languages.iter().position(|(own, _)| *own == language) {
            Some(known) => self.languages[known].1 += n,
            None if self.languages.len() < LANGUAGES_MAX => self.languages.push((language, n)),
            None => {}
        }
    }

    /// The share of the blocks that have it, of those of its parent that have it more than once.
    pub fn multiplicity(&self) -> f64 {
        self.n_multiple as f64 / self.n_parents.max(1) as f64
    }
}

/// The characters of a page.
fn n_chars(content: &Content) -> usize {
    content.ids().map(|id| content.text(id).chars().count()).sum()
}

impl Guide {
    /// Counts what stands on a page.
    pub fn add(&mut self, content: &Content, vocabulary: &Vocabulary) {
        if content.is_empty() {
            return;
        }
        let whole = content;
        let content = &vocabulary.without_menus(whole);
        if let Cow::Owned(rest) = content {
            self.n_menu_chars += n_chars(whole) - n_chars(rest);
        }
        self.language = text_hash(content.language());
        self.places[0].n += 1;
        self.places[0].n_parents += 1;
        self.places[0].count_language(self.language, 1);
        self.add_children(0, content, BlockId::PAGE, false, vocabulary);
    }

    /// A guide of places that are known, and of the steps that lead to them: from which place, and
    /// the hash of the step.
    pub fn of_places(places: Vec<Place>, steps: impl IntoIterator<Item = (PlaceId, u64, PlaceId)>) -> Self {
        let by_step = steps.into_iter().map(|(from, hash, to)| ((from, hash), to)).collect();
        Self {
            places,
            by_step,
            language: 0,
            n_menu_chars: 0,
            together: HashMap::default(),
        }
    }

    /// All steps: from which place, the hash of the step, and the place that it leads to; in no
    /// order.
    pub fn steps(&self) -> impl Iterator<Item = (PlaceId, u64, PlaceId)> + '_ {
        self.by_step.iter().map(|(&(from, hash), &to)| (from, hash, to))
    }

    /// Where a step leads from a place.
    pub fn child(&self, place: PlaceId, hash: u64) -> Option<PlaceId> {
        self.by_step.get(&(place, hash)).copied()
    }

    /// The characters at a place and inside it.
    pub fn characters_inside(&self, place: PlaceId) -> usize {
        let mut n = 0;
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            n += self.places[next].texts.n_chars;
            waiting.extend(&self.places[next].children);
        }
        n
    }

    fn child_or_new(&mut self, place: PlaceId, seen: &Seen<'_>, content: &Content) -> Option<PlaceId> {
        let hash = seen.step.hash();
        if let Some(child) = self.child(place, hash) {
            return Some(match seen.step.kind {
                StepKind::Grid if self.places.len() < PLACES_MAX => self.grid_place(child, seen, content),
                _ => child,
            });
        }
        if self.places.len() >= PLACES_MAX {
            return None;
        }
        let child = self.places.len();
        self.places.push(Place::new(seen.step.kind, seen.step.text, place));
        self.places[place].children.push(child);
        self.by_step.insert((place, hash), child);
        Some(child)
    }

    fn add_children(
        &mut self,
        place: PlaceId,
        content: &Content,
        id: BlockId,
        but_first: bool,
        vocabulary: &Vocabulary,
    ) {
        let children = see_children(content, id, but_first, vocabulary);
        self.add_seen(place, content, &children, vocabulary);
        if content.block(id).kind == BlockKind::Section {
            let heading = content.children(id).next().map_or("", |heading| content.text(heading));
            self.name_grids(place, heading, &children, content);
        }
    }

    /// Notes what the only grid of a place stands under.
    fn name_grids(&mut self, place: PlaceId, heading: &str, children: &[Seen<'_>], content: &Content) {
        for seen in children.iter().filter(|seen| seen.step.kind == StepKind::Grid) {
            if let Some(grid) = self.child_seen(place, seen, content) {
                let own = &mut self.places[grid];
                own.texts.first = match own.n {
                    1 if heading.len() <= FIRST_MAX => heading.to_owned(),
                    _ => String::new(),
                };
            }
        }
    }

    fn add_seen(&mut self, place: PlaceId, content: &Content, children: &[Seen<'_>], vocabulary: &Vocabulary) {
        let mut counts: Vec<(PlaceId, usize)> = Vec::new();
        for (index, seen) in children.iter().enumerate() {
            let Some(to) = self.child_or_new(place, seen, content) else {
                continue;
            };
            let own = &mut self.places[to];
            own.n += 1;
            own.count_language(self.language, 1);
            own.position += index as f64 / children.len() as f64;
            match counts.iter_mut().find(|(known, _)| *known == to) {
                Some((_, count)) => *count += 1,
                None => counts.push((to, 1)),
            }
            self.add_block(to, content, seen, vocabulary);
        }
        self.count_together(&counts);
        for (to, count) in counts {
            self.places[to].n_parents += 1;
            self.places[to].n_multiple += usize::from(count > 1);
        }
    }

    /// Counts which blocks stand beside each other; of a holder with many, those with a label or
    /// heading.
    fn count_together(&mut self, counts: &[(PlaceId, usize)]) {
        let is_keyed = |place: &PlaceId| {
            let kind = self.places[*place].kind;
            matches!(kind, StepKind::Section | StepKind::Pair)
                || counts.len() <= KEYED_MAX && matches!(kind, StepKind::Line | StepKind::Group | StepKind::Row)
        };
        let keyed: Vec<PlaceId> = counts.iter().map(|(place, _)| *place).filter(is_keyed).collect();
        if keyed.len() > KEYED_MAX || self.together.len() > TOGETHER_MAX {
            return;
        }
        for (index, &one) in keyed.iter().enumerate() {
            for &other in &keyed[index + 1..] {
                *self.together.entry((one.min(other), one.max(other))).or_default() += 1;
            }
        }
    }

    /// How many holders have both of two places.
    pub(super) fn together(&self, one: PlaceId, other: PlaceId) -> u32 {
        self.together
            .get(&(one.min(other), one.max(other)))
            .copied()
            .unwrap_or(0)
    }

    fn add_block(&mut self, place: PlaceId, content: &Content, seen: &Seen<'_>, vocabulary: &Vocabulary) {
        let id = seen.block;
        match seen.value {
            Value::AfterLabel => {
                let text = label_of(content, id).map_or("", |(_, value)| value);
                self.places[place].texts.add(content, id, text, false);
            }
            Value::Itself => {
                let own = see(content, id, vocabulary);
                self.add_seen(place, content, &[own], vocabulary);
            }
            value => {
                let text = content.text(id);
                if !text.is_empty() || !content.marks(id).is_empty() {
                    let is_frame = (vocabulary.is_frame(content, id) || vocabulary.is_frame_text(content, id))
                        && !vocabulary.is_own_heading(content, id);
                    let own = &mut self.places[place];
                    own.texts.add(content, id, text, is_frame);
                    if own.kind == StepKind::Heading && own.texts.n == 1 && text.len() <= FIRST_MAX {
                        own.texts.first = text.to_owned();
                    }
                }
                self.add_children(place, content, id, value == Value::ButFirst, vocabulary);
            }
        }
    }
}
