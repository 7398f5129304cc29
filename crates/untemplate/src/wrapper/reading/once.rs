//! What stands once: places that look like lists and are none.
//!
//! In: a place of the guide, with how many of its holders have it, have it more than once, and how
//! many blocks there are in all. Out: whether it belongs to the record of what holds it.

use super::decide::{CONSTANT_PAGES_MIN, Deciding, label_text};
use super::guide::PlaceId;
use super::step::StepKind;

impl Deciding<'_> {
    /// Whether no grid of a place has more than one row: a row of headers over a row of values says
    /// what labels and values say.
    pub(super) fn is_only_row(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let has_headers = own.children.iter().any(|&cell| label_text(self.place(cell)).is_some());
        has_headers
            && self.n_pages >= CONSTANT_PAGES_MIN
            && own.n_parents >= CONSTANT_PAGES_MIN
            && own.n_multiple == 0
            && self.place(own.parent).n_multiple == 0
    }

    /// Whether a line that some have twice is no list: most have it once, and none has it a third
    /// time. Lists end anywhere; what never goes on past the second is something else that stands
    /// in the same mark-up.
    pub(super) fn is_once(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        matches!(own.kind, StepKind::Line | StepKind::Pair)
            && own.children.is_empty()
            && !own.is_merged
            && self.n_pages >= CONSTANT_PAGES_MIN
            && own.n - own.n_parents == own.n_multiple
            && own.n_multiple * 2 < own.n_parents
    }
}
