//! How alike two pages are: what sorted lists of theirs have in common.
//!
//! In: sorted lists of paths or labels, and the likeness of forms where labels join it. Out: a
//! [`Likeness`], two figures from 0 to 1, or one of them.

/// From this many labels on they count as much as an outline.
const LABELS_ENOUGH: f64 = 6.0;

/// How alike two pages are, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// What both have, of what either has.
    pub jaccard: f64,
    /// What both have, of what the smaller has: 1 for a page that lacks some sections of the other,
    /// and adds none.
    pub overlap: f64,
}

impl Likeness {
    pub(super) fn mixed(&self, other: &Self, weight: f64) -> Self {
        let mix = |own: f64, other: f64| own * (1.0 - weight) + other * weight;
        Self {
            jaccard: mix(self.jaccard, other.jaccard),
            overlap: mix(self.overlap, other.overlap),
        }
    }
}

/// How alike two pages are, by the likeness of their forms and their labels.
pub fn joint_likeness(forms: Likeness, left: &[u64], right: &[u64]) -> Likeness {
    let labels = Shared::of(left, right);
    let weight = (labels.either as f64 / LABELS_ENOUGH).min(1.0);
    forms.mixed(&labels.likeness(), weight / (2.0 + weight))
}

/// How many elements two sorted lists have.
pub(super) struct Shared {
    both: usize,
    either: usize,
    smaller: usize,
}

impl Shared {
    pub fn of<T: Ord>(left: &[T], right: &[T]) -> Self {
        let (mut at_left, mut at_right, mut both) = (0, 0, 0);
        while at_left < left.len() && at_right < right.len() {
            let order = left[at_left].cmp(&right[at_right]);
            both += usize::from(order.is_eq());
            at_left += usize::from(order.is_le());
            at_right += usize::from(order.is_ge());
        }
        Self {
            both,
            either: left.len() + right.len() - both,
            smaller: left.len().min(right.len()),
        }
    }

    pub fn likeness(&self) -> Likeness {
        let share = |all: usize| if all == 0 { 1.0 } else { self.both as f64 / all as f64 };
        Likeness {
            jaccard: share(self.either),
            overlap: share(self.smaller),
        }
    }
}
