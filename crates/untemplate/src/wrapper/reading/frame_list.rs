//! Frame lists: lists that are the same on most pages.
//!
//! In: a place whose blocks are rows. Out: whether they are a menu and no data.

use super::decide::{CONSTANT_PAGES_MIN, Deciding, label_text};
use super::guide::PlaceId;
use super::step::StepKind;

/// The fewest headers that make a grid of data.
const HEADERS_MIN: usize = 2;

impl Deciding<'_> {
    /// Whether the rows of a list are the same on most pages: a menu. Of a list of single lines,
    /// all must be; of a grid with headers, each column: its cells have words that recur.
    pub(super) fn is_frame_list(&self, place: PlaceId) -> bool {
        if self.n_pages < CONSTANT_PAGES_MIN {
            return false;
        }
        let own = self.place(place);
        // The frame of a page stands on it once; what stands in the rows of a list is said of each.
        if own.n_parents > self.n_pages {
            return false;
        }
        let least = match own.kind {
            StepKind::Item | StepKind::Line => self.tuning.constant_share,
            _ => 1.0 - self.tuning.frame_row_share,
        };
        let is_frame = |(n, n_frame): (usize, usize)| n > 0 && n_frame as f64 >= least * n as f64;
        let (mut n, mut n_frame) = (0, 0);
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            let own = self.place(next);
            let headed = own
                .children
                .iter()
                .filter(|&&cell| label_text(self.place(cell)).is_some());
            let is_grid = own.kind == StepKind::Row && headed.clone().count() >= HEADERS_MIN;
            if is_grid && !headed.map(|&cell| self.frame_texts(cell)).all(is_frame) {
                return false;
            }
            n += own.texts.n;
            n_frame += own.texts.n_frame;
            waiting.extend(&own.children);
        }
        is_frame((n, n_frame))
    }

    /// The texts at a place and inside it, and those of them that most pages have.
    fn frame_texts(&self, place: PlaceId) -> (usize, usize) {
        let (mut n, mut n_frame) = (0, 0);
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            let own = self.place(next);
            n += own.texts.n;
            n_frame += own.texts.n_frame;
            waiting.extend(&own.children);
        }
        (n, n_frame)
    }
}
