//! Frame lists: lists that are the same on most pages.
//!
//! In: a place whose blocks are rows. Out: whether they are a menu and no data.

use super::decide::{CONSTANT_PAGES_MIN, Deciding, label_text};
use super::guide::PlaceId;
use super::step::StepKind;

/// The most rows of a bar of ways to other pages with what these are called below.
const BAR_ROWS_MAX: usize = 2;

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
        let is_long = own.n > BAR_ROWS_MAX * own.n_parents;
        if own.kind == StepKind::Row && is_long && self.says_more_than_links(place) {
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

    /// Whether rows say most of what they say outside links, and something in words that is not the
    /// same on each page: a menu consists of links, a calendar of numbers, and a legend says the same
    /// everywhere. Words of a table of data may recur however often.
    fn says_more_than_links(&self, place: PlaceId) -> bool {
        let n_parents = self.place(place).n_parents;
        let (mut n_bytes, mut n_link_bytes, mut has_words) = (0, 0, false);
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            let own = self.place(next);
            n_bytes += own.texts.n_bytes;
            n_link_bytes += own.texts.n_link_bytes;
            let n_lines = own.texts.sample.len();
            let lines = own.texts.sample.values();
            let n_words = lines.filter(|line| line.contains(char::is_alphabetic)).count();
            let is_apart = own.texts.n_link_bytes * 2 < own.texts.n_bytes;
            has_words |= is_apart && n_words * 2 > n_lines && own.texts.n_values() * n_parents > own.texts.n;
            waiting.extend(&own.children);
        }
        has_words && n_link_bytes * 2 < n_bytes
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
