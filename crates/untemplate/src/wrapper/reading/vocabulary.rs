//! The vocabulary of a page class: which labels, headings, names and lines recur on its pages.
//!
//! In: the content of every page of the class. Out: for each text the number of pages that have it, by hash. A label or heading that recurs is the
//! template's; one that does not is a value. A line that a large share of the pages has is the frame of the site. Memory goes with the number of different short texts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::content::{BlockId, BlockKind, Content, MarkKind};
use crate::page::{stable_hash, stable_hash_more};

/// What decides whether a text recurs.
#[derive(Debug, Clone)]
pub struct VocabularyTuning {
    /// The least share of a class's pages that have a heading or label of its template.
    pub recurring_share: f64,
    /// The least number of a class's pages that have it; of a smaller class, all.
    pub recurring_pages_min: u32,
    /// The least share of a class's pages that have a line of the site's frame.
    pub frame_share: f64,
    /// The least share of the pages of several classes that have a line of the site's frame, numbers aside.
    pub site_frame_share: f64,
    /// The least share of a class's pages that have a line which is the template's wherever it stands.
    pub constant_share: f64,
    /// The least share of a line's pages that have it under one heading, where it is a value of that section.
    pub bound_share: f64,
    /// The least number of pages for a share to mean something.
    pub frame_pages_min: u32,
    /// The least number of times that a page which stands alone has a label.
    pub repeated_label_min: u32,
}

impl Default for VocabularyTuning {
    fn default() -> Self {
        Self {
            recurring_share: 0.03,
            recurring_pages_min: 3,
            frame_share: 0.3,
            site_frame_share: 0.9,
            constant_share: 0.9,
            bound_share: 0.8,
            frame_pages_min: 3,
            repeated_label_min: 3,
        }
    }
}

/// Document frequencies, by hash.
type Frequencies = HashMap<u64, u32, FixedState>;

/// Which texts recur on the pages of a class.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    tuning: VocabularyTuning,
    n_pages: u32,
    labels: Frequencies,
    headings: Frequencies,
    names: Frequencies,
    lines: Frequencies,
    /// Lines without their numbers.
    wordings: Frequencies,
    /// Wordings that several classes have on most of their pages.
    site_frame: Arc<HashSet<u64, FixedState>>,
    short_texts: Frequencies,
    first_cells: Frequencies,
    /// Lines with the heading they stand under.
    under_headings: Frequencies,
    /// How often labels occur, however few the pages.
    label_occurrences: Frequencies,
}

impl Vocabulary {
    /// Counts the texts of a page, each once.
    pub fn add(&mut self, content: &Content) {
        self.n_pages += 1;
        let mut seen: HashSet<(u8, u64), FixedState> = HashSet::default();
        let mut heading = 0;
        for id in content.ids() {
            let block = content.block(id);
            let mut count = |which: u8, hash: u64, frequencies: &mut Frequencies| {
                if seen.insert((which, hash)) {
                    *frequencies.entry(hash).or_default() += 1;
                }
            };
            match block.kind {
                BlockKind::Heading => {
                    heading = text_hash(content.text(id));
                    count(0, heading, &mut self.headings);
                    if let Some((label, _)) = label_of(content, id) {
                        count(1, text_hash(label), &mut self.labels);
                    }
                }
                BlockKind::Label => {
                    let hash = text_hash(content.text(id));
                    count(1, hash, &mut self.labels);
                    *self.label_occurrences.entry(hash).or_default() += 1;
                }
                BlockKind::Line => {
                    if let Some((label, _)) = label_of(content, id) {
                        let hash = text_hash(label);
                        count(1, hash, &mut self.labels);
                        *self.label_occurrences.entry(hash).or_default() += 1;
                    }
                    let hash = line_hash(content, id);
                    count(3, hash, &mut self.lines);
                    if let Some(wording) = wording_hash(content, id) {
                        count(7, wording, &mut self.wordings);
                    }
                    count(6, hash ^ heading.rotate_left(1), &mut self.under_headings);
                    if content.text(id).len() <= SHORT_MAX {
                        count(5, text_hash(content.text(id)), &mut self.short_texts);
                    }
                    count(2, text_hash(content.name(id)), &mut self.names);
                }
                BlockKind::Row => {
                    if let Some(text) = first_cell(content, id) {
                        count(4, text_hash(text), &mut self.first_cells);
                    }
                }
                BlockKind::Group | BlockKind::List | BlockKind::Grid | BlockKind::Picture => {
                    count(2, text_hash(content.name(id)), &mut self.names);
                }
                _ => {}
            }
        }
    }

    /// The wordings that most pages of the class have.
    fn common_wordings(&self) -> impl Iterator<Item = u64> + '_ {
        let least = self.tuning.site_frame_share * f64::from(self.n_pages);
        let common = move |count: u32| f64::from(count) >= least && count >= 2;
        self.wordings.iter().filter(move |(_, count)| common(**count)).map(|(&hash, _)| hash)
    }

    /// How many pages were counted.
    pub fn n_pages(&self) -> usize {
        self.n_pages as usize
    }

    /// Whether the class has one page alone: nothing can be compared.
    pub fn is_alone(&self) -> bool {
        self.n_pages < 2
    }

    /// Whether a heading is the template's.
    pub fn is_heading(&self, text: &str) -> bool {
        !self.is_alone() && self.recurs(&self.headings, text_hash(text))
    }

    /// Whether a label is the template's.
    pub fn is_label(&self, text: &str) -> bool {
        let hash = text_hash(text);
        if self.is_alone() {
            let count = self.label_occurrences.get(&hash).copied().unwrap_or(0);
            return count >= self.tuning.repeated_label_min;
        }
        self.recurs(&self.labels, hash)
    }

    /// Whether the first cell of a row without a header is a label: several pages have it.
    pub fn is_row_label(&self, text: &str) -> bool {
        !self.is_alone() && self.recurs(&self.first_cells, text_hash(text)) && text.contains(char::is_alphabetic)
    }

    /// Whether a name of mark-up is the template's.
    pub fn is_name(&self, name: &str) -> bool {
        self.is_alone() || self.recurs(&self.names, text_hash(name))
    }

    /// Whether a line stands on a large share of the pages.
    pub fn is_frame(&self, content: &Content, id: BlockId) -> bool {
        if !self.site_frame.is_empty() && wording_hash(content, id).is_some_and(|hash| self.site_frame.contains(&hash)) {
            return true;
        }
        let count = self.lines.get(&line_hash(content, id)).copied().unwrap_or(0);
        count >= self.tuning.frame_pages_min && f64::from(count) >= self.tuning.frame_share * f64::from(self.n_pages)
    }

    /// Whether a line is of the frame though it stands under a heading: it stands on nearly all pages, or under different headings.
    pub fn is_frame_under(&self, content: &Content, id: BlockId, heading: &str) -> bool {
        if !self.is_frame(content, id) {
            return false;
        }
        let hash = line_hash(content, id);
        let count = f64::from(self.lines.get(&hash).copied().unwrap_or(0));
        let own = self.under_headings.get(&(hash ^ text_hash(heading).rotate_left(1))).copied().unwrap_or(0);
        count >= self.tuning.constant_share * f64::from(self.n_pages) || f64::from(own) < self.tuning.bound_share * count
    }

    /// Whether a short line says what a large share of the pages says, wherever it leads: `Next`, `Up`.
    pub fn is_frame_text(&self, content: &Content, id: BlockId) -> bool {
        let text = content.text(id);
        let count = self.short_texts.get(&text_hash(text)).copied().unwrap_or(0);
        text.len() <= SHORT_MAX
            && count >= self.tuning.frame_pages_min
            && f64::from(count) >= self.tuning.frame_share * f64::from(self.n_pages)
    }

    /// Whether a line is the template's: nearly all pages that have its label have all of it, or a large share of the pages has it.
    pub fn is_constant(&self, content: &Content, id: BlockId) -> bool {
        if self.is_alone() {
            return false;
        }
        let count = self.lines.get(&line_hash(content, id)).copied().unwrap_or(0);
        let Some((label, value)) = label_of(content, id).filter(|(_, value)| !value.is_empty()) else {
            return self.is_frame(content, id);
        };
        let n_label = self.labels.get(&text_hash(label)).copied().unwrap_or(0);
        let is_steady = count >= self.tuning.frame_pages_min && f64::from(count) >= CONSTANT_SHARE * f64::from(n_label);
        is_steady && self.is_label(label) && value.len() > label.len()
    }

    fn recurs(&self, frequencies: &Frequencies, hash: u64) -> bool {
        let count = frequencies.get(&hash).copied().unwrap_or(0);
        // On few pages, two may say the same by chance.
        let least = self.tuning.recurring_pages_min.min(self.n_pages);
        count >= least && f64::from(count) >= self.tuning.recurring_share * f64::from(self.n_pages)
    }
}

/// The least share of the pages with a label that have the same text behind it, where that text is the template's.
const CONSTANT_SHARE: f64 = 0.8;

/// The longest line whose text is counted whatever it leads to, in bytes.
const SHORT_MAX: usize = 80;

/// Tells the classes of a site which lines several of them have on most of their pages: the frame of the site.
pub fn find_site_frame(vocabularies: &mut [Vocabulary]) {
    let mut n_classes: Frequencies = Frequencies::default();
    for vocabulary in vocabularies.iter() {
        for wording in vocabulary.common_wordings() {
            *n_classes.entry(wording).or_default() += 1;
        }
    }
    let frame: HashSet<u64, FixedState> = n_classes.into_iter().filter(|(_, n)| *n >= 2).map(|(hash, _)| hash).collect();
    let frame = Arc::new(frame);
    for vocabulary in vocabularies {
        vocabulary.site_frame = Arc::clone(&frame);
    }
}

/// A hash of what a line says without its digits; `None` for one with a label or few letters, which is a number with its unit.
fn wording_hash(content: &Content, id: BlockId) -> Option<u64> {
    let text = content.text(id);
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if n_letters < WORDING_MIN || content.block(id).cut.is_some() {
        return None;
    }
    let words = text.split(|c: char| c.is_ascii_digit()).filter(|piece| !piece.is_empty());
    Some(words.fold(stable_hash(b"wording"), |hash, piece| stable_hash_more(hash, piece.as_bytes())))
}

/// The fewest letters of a line that is known by its wording.
const WORDING_MIN: usize = 16;

/// The label that a line or heading may begin with, and what follows it.
pub(super) fn label_of(content: &Content, id: BlockId) -> Option<(&str, &str)> {
    let cut = content.block(id).cut?;
    let text = content.text(id);
    Some((&text[..cut.label_end as usize], &text[cut.value_start as usize..]))
}

/// The text of the first of two cells of a row without headers.
pub(super) fn first_cell(content: &Content, row: BlockId) -> Option<&str> {
    let mut cells = content.children(row);
    let (first, second) = (cells.next()?, cells.next()?);
    let is_bare = content.name(first) == "0" && content.name(second) == "1" && cells.next().is_none();
    let mut lines = content.children(first);
    let line = lines.next().filter(|_| is_bare && lines.next().is_none())?;
    (content.block(line).kind == BlockKind::Line).then(|| content.text(line).trim_end_matches([':', '：', ' ']))
}

/// A hash of a short text, whatever its case.
pub(super) fn text_hash(text: &str) -> u64 {
    stable_hash(text.trim().to_lowercase().as_bytes())
}

/// A hash of what a line says and where it leads.
fn line_hash(content: &Content, id: BlockId) -> u64 {
    let hash = stable_hash(content.text(id).as_bytes());
    content
        .marks(id)
        .iter()
        .filter(|mark| mark.kind != MarkKind::Part)
        .fold(hash, |hash, mark| stable_hash_more(hash, content.url(mark).as_bytes()))
}
