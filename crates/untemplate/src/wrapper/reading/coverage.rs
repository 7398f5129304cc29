//! Coverage: how much of what the pages of a class say is in a column, is the frame of the site, or
//! is lost.
//!
//! In: a [`ClassSchema`] with its counts, and the keys that became columns. Out: characters, over
//! all pages of the class, and the places whose text is in no column.

use std::collections::{HashMap, HashSet};

use super::guide::PlaceId;
use super::prune::LeftOut;
use super::schema::{ClassSchema, Field, Role};

/// What became of the text of a class's pages, in characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// In a column.
    pub n_in_columns: usize,
    /// The frame of the site, and what all pages say.
    pub n_frame: usize,
    /// In neither.
    pub n_lost: usize,
    /// The places with text that is lost, most first.
    pub lost: Vec<LeftOut>,
}

impl Coverage {
    /// All characters.
    pub fn n_chars(&self) -> usize {
        self.n_in_columns + self.n_frame + self.n_lost
    }
}

/// Reasons that say that a place is the template's.
pub(super) const FRAME: &str = "the frame of the site";
pub(super) const MENU: &str = "a list that most pages have";
pub(super) const CONSTANT: &str = "the same on all pages";

/// Why the text of a place that gives values is in no column.
const NO_COLUMN: &str = "its values are told elsewhere, or tell nothing";

/// Why a place without a reason of its own gives nothing.
const NOT_READ: &str = "not read";

impl ClassSchema {
    /// What became of the text of the class's pages, by the keys that became columns. The schema
    /// has its counts still.
    pub fn coverage(&self, columns: &HashSet<&str>) -> Coverage {
        let mut coverage = Coverage {
            n_frame: self.guide.n_menu_chars,
            ..Coverage::default()
        };
        let reasons: HashMap<PlaceId, &str> = self.left_out.iter().map(|(place, why)| (*place, &**why)).collect();
        let mut waiting = vec![0];
        while let Some(place) = waiting.pop() {
            let n_own = self.guide.places[place].texts.n_chars;
            let mut count = |keys: &Field, n: usize| match keys_of(keys).any(|key| columns.contains(key)) {
                true => coverage.n_in_columns += n,
                false => self.add_lost(&mut coverage, place, NO_COLUMN, n),
            };
            match &self.roles[place] {
                Role::Skip => {
                    let reason = reasons.get(&place).copied().unwrap_or(NOT_READ);
                    let n = self.guide.characters_inside(place);
                    match reason {
                        FRAME | MENU | CONSTANT => coverage.n_frame += n,
                        reason => self.add_lost(&mut coverage, place, reason, n),
                    }
                    continue;
                }
                Role::Open(Some(whole)) if columns.contains(&**whole) => {
                    coverage.n_in_columns += self.guide.characters_inside(place);
                    continue;
                }
                Role::Open(_) => {}
                Role::Field(field) => count(field, n_own),
                Role::Prose(field) => {
                    count(field, self.guide.characters_inside(place));
                    continue;
                }
                Role::Rows(rows) => count(&rows.own, n_own),
            }
            waiting.extend(&self.guide.places[place].children);
        }
        let order = |lost: &LeftOut| (std::cmp::Reverse(lost.n_chars), lost.path.clone());
        coverage.lost.sort_by_cached_key(order);
        coverage
    }

    fn add_lost(&self, coverage: &mut Coverage, place: PlaceId, reason: &str, n_chars: usize) {
        if n_chars > 0 {
            coverage.n_lost += n_chars;
            coverage.lost.push(LeftOut {
                path: self.path_of(place),
                reason: reason.to_owned(),
                n_chars,
            });
        }
    }
}

/// The keys of the texts that a line gives.
fn keys_of(field: &Field) -> impl Iterator<Item = &str> {
    let slots = field.template.iter().flat_map(|(_, keys)| keys);
    let around = field.around.iter().flat_map(|(before, after)| [before, after]);
    let parts = field.parts.iter().map(|(_, key)| key);
    let single = [&field.text, &field.link_text, &field.link, &field.picture, &field.links];
    let single = single.into_iter().flatten();
    single.chain(around).chain(parts).chain(slots).map(|key| &**key)
}
