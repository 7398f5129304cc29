//! The vocabulary of a page class: which labels, headings, names and lines recur on its pages.
//!
//! In: the content of every page of the class, counted by [`VocabularyCounts`]. Out: a
//! [`Vocabulary`], the hashes of the texts that recur. A label or heading that recurs is the
//! template's; one that does not is a value. A line that a large share of the pages has is the
//! frame of the site.
//!
//! Most texts of a site are values, which stand on one page each, and only texts on a share of the
//! pages matter. So pages are counted by lossy counting (Manku and Motwani 2002): from time to time
//! texts that are too rare to matter are forgotten, and one that is met again counts as if it had
//! been on as many pages as it may have missed. Memory is bounded by the pages between two such
//! times, not by all pages; a class of fewer pages is counted exactly.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::content::{BlockId, BlockKind, Content, MarkKind, unnumbered};
use crate::page::{stable_hash, stable_hash_more};

use super::heading_kinds::HeadingKinds;
use super::heading_labels::HeadingLabels;
use super::ways::{crumb_hash, linked_words, picture_hash, way_hash};

/// What decides whether a text recurs. The share of recurring headings is the specification's; the
/// others were set on the development sites and are still to be swept with sites left out.
#[derive(Debug, Clone)]
pub struct VocabularyTuning {
    /// The least share of a class's pages that have a heading or label of its template.
    pub recurring_share: f64,
    /// The least number of a class's pages that have it; of a smaller class, all.
    pub recurring_pages_min: u32,
    /// The least share of a class's pages that have a line of the site's frame.
    pub frame_share: f64,
    /// The least share of the pages of several classes that have a line of the site's frame,
    /// numbers aside.
    pub site_frame_share: f64,
    /// The least share of a class's pages that have a line which is the template's wherever it
    /// stands.
    pub constant_share: f64,
    /// The least share of a line's pages that have it under one heading, where it is a value of
    /// that section.
    pub bound_share: f64,
    /// The least number of pages for a share to mean something.
    pub frame_pages_min: u32,
    /// The least number of times that a page which stands alone has a label.
    pub repeated_label_min: u32,
    /// How far counts may be off, as a share of `recurring_share`, which is about the least that
    /// matters: it trades memory for certainty. With 0.01, the one value that was tried, classes of
    /// up to 3,333 pages are exact.
    pub count_error: f64,
}

impl VocabularyTuning {
    /// After how many pages rare texts are forgotten.
    fn bucket_pages(&self) -> u32 {
        (1.0 / (self.count_error * self.recurring_share)).max(1.0) as u32
    }
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
            count_error: 0.01,
        }
    }
}

/// Numbers of pages, by hash.
pub type Frequencies = HashMap<u64, u32, FixedState>;

/// Hashes of texts.
pub type Hashes = HashSet<u64, FixedState>;

/// How many pages of a class have each text.
#[derive(Debug, Clone, Default)]
pub struct VocabularyCounts {
    pub(super) tuning: VocabularyTuning,
    pub(super) n_pages: u32,
    labels: Frequencies,
    headings: Frequencies,
    names: Frequencies,
    lines: Frequencies,
    /// Lines without their numbers.
    pub(super) wordings: Frequencies,
    /// What links say that stand beside others.
    pub(super) ways: Frequencies,
    short_texts: Frequencies,
    first_cells: Frequencies,
    /// Lines with the heading they stand under.
    under_headings: Frequencies,
    /// How often labels occur, however few the pages.
    label_occurrences: Frequencies,
    heading_labels: HeadingLabels,
    heading_kinds: HeadingKinds,
}

/// Which texts recur on the pages of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// How many pages were counted.
    pub n_pages: usize,
    /// Headings of the template.
    pub headings: Hashes,
    /// Labels of the template, each with the least number of pages that have a line which begins
    /// with it and is the template's, too.
    pub labels: Frequencies,
    /// Names of mark-up that recur.
    pub names: Hashes,
    /// First cells of rows without a header that recur.
    pub row_labels: Hashes,
    /// Lines that stand on enough pages to be the template's, and on how many.
    pub lines: Frequencies,
    /// The least number of pages that have a line of the site's frame.
    pub frame_pages_min: u32,
    /// Short texts of the site's frame, wherever they lead.
    pub frame_texts: Hashes,
    /// Lines of the frame that are values under one heading, each with that heading.
    pub bound_lines: Hashes,
    /// What several classes of the site say on most of their pages, numbers aside, and what links
    /// to the pages above those of this class say.
    pub site_frame: Hashes,
    /// Where menus stand that are not the same on all pages.
    pub menus: Hashes,
    /// First words of headings that say what kind of thing each names.
    pub kinds: Hashes,
}

impl VocabularyCounts {
    /// Nothing yet.
    pub fn new(tuning: VocabularyTuning) -> Self {
        Self {
            tuning,
            ..Self::default()
        }
    }

    /// Counts the texts of a page, each once.
    pub fn add(&mut self, content: &Content) {
        let missed = self.miscounted_max();
        self.n_pages += 1;
        let mut seen: HashSet<(u8, u64), FixedState> = HashSet::default();
        let mut heading = 0;
        for id in content.ids() {
            let block = content.block(id);
            let mut count = |which: u8, hash: u64, frequencies: &mut Frequencies| {
                if seen.insert((which, hash)) {
                    *frequencies.entry(hash).or_insert(missed) += 1;
                }
            };
            match block.kind {
                BlockKind::Heading => {
                    self.heading_kinds.add(content, id, self.n_pages);
                    heading = text_hash(unnumbered(content.text(id)));
                    count(0, heading, &mut self.headings);
                    if let Some((label, value)) = label_of(content, id) {
                        let label = text_hash(label);
                        count(1, label, &mut self.labels);
                        if !value.is_empty() {
                            self.heading_labels.add(label, heading);
                        }
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
                    for wording in wording_hashes(content, id) {
                        count(7, wording, &mut self.wordings);
                    }
                    count(6, under_heading(hash, heading), &mut self.under_headings);
                    if content.text(id).len() <= SHORT_MAX {
                        count(5, text_hash(content.text(id)), &mut self.short_texts);
                    }
                    for mark in content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Picture) {
                        count(5, picture_hash(content, mark), &mut self.short_texts);
                    }
                    // Links side by side may be ways around the site.
                    for words in linked_words(content, id).filter(|_| content.marks(id).len() > 1) {
                        count(8, way_hash(words), &mut self.ways);
                    }
                    count(2, text_hash(content.name(id)), &mut self.names);
                }
                BlockKind::Row => {
                    if let Some(text) = first_cell(content, id) {
                        count(4, text_hash(text), &mut self.first_cells);
                    }
                }
                BlockKind::Group | BlockKind::List | BlockKind::Grid | BlockKind::Picture | BlockKind::Section => {
                    count(2, text_hash(content.name(id)), &mut self.names);
                }
                _ => {}
            }
        }
        if self.n_pages.is_multiple_of(self.tuning.bucket_pages()) {
            self.forget_rare(missed + 1);
        }
    }

    /// By how many pages a count may be too large: a text may have been forgotten once for each
    /// bucket, and counts as if it had been.
    pub(super) fn miscounted_max(&self) -> u32 {
        self.n_pages / self.tuning.bucket_pages()
    }

    /// How many different lines are counted.
    #[cfg(test)]
    pub(super) fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// Forgets texts that were on no more pages than there were buckets.
    fn forget_rare(&mut self, n_buckets: u32) {
        // Occurrences are asked for where a page stands alone.
        self.label_occurrences = Frequencies::default();
        for frequencies in [
            &mut self.labels,
            &mut self.headings,
            &mut self.names,
            &mut self.lines,
            &mut self.wordings,
            &mut self.ways,
            &mut self.short_texts,
            &mut self.first_cells,
            &mut self.under_headings,
        ] {
            frequencies.retain(|_, n| *n > n_buckets);
            frequencies.shrink_to_fit();
        }
        self.heading_kinds.forget_rare(n_buckets);
        let is_known = |frequencies: &Frequencies, hash: u64| frequencies.contains_key(&hash);
        self.heading_labels.retain(
            |label| is_known(&self.labels, label),
            |heading| is_known(&self.headings, heading),
        );
    }

    /// What recurs, by what was counted.
    pub fn finish(self, site_frame: &Hashes) -> Vocabulary {
        let is_alone = self.n_pages < 2;
        let tuning = &self.tuning;
        // On few pages, two may say the same by chance.
        let recurring_pages_min = tuning.recurring_pages_min.min(self.n_pages).max(2);
        let recurring_min = least(recurring_pages_min, tuning.recurring_share, self.n_pages);
        let frame_pages_min = least(tuning.frame_pages_min, tuning.frame_share, self.n_pages);
        // Nothing recurs on one page: each text is counted once, and two are asked for.
        let recurring = |counts: &Frequencies| {
            at_least(counts, recurring_min)
                .map(|(hash, _)| hash)
                .collect::<Hashes>()
        };
        let steady_min = |n_label: u32| least(tuning.frame_pages_min, CONSTANT_SHARE, n_label);
        let labels: Frequencies = match is_alone {
            true => at_least(&self.label_occurrences, tuning.repeated_label_min)
                .map(|(hash, _)| (hash, u32::MAX))
                .collect(),
            false => at_least(&self.labels, recurring_min)
                .map(|(hash, n)| (hash, steady_min(n)))
                .collect(),
        };
        let mut headings = recurring(&self.headings);
        let has_label = |&heading: &u64| {
            self.heading_labels
                .label_of(heading)
                .is_some_and(|label| labels.contains_key(&label))
        };
        headings.retain(|heading| !has_label(heading));
        let lines_min = labels.values().copied().min().unwrap_or(u32::MAX).min(frame_pages_min);
        Vocabulary {
            n_pages: self.n_pages as usize,
            headings,
            names: recurring(&self.names),
            row_labels: recurring(&self.first_cells),
            lines: at_least(&self.lines, lines_min).collect(),
            frame_texts: at_least(&self.short_texts, frame_pages_min)
                .map(|(hash, _)| hash)
                .collect(),
            bound_lines: self.bound_lines(frame_pages_min),
            labels,
            site_frame: self.own_frame(site_frame, frame_pages_min),
            frame_pages_min,
            menus: Hashes::default(),
            kinds: match is_alone {
                true => Hashes::default(),
                false => self.heading_kinds.kinds(self.n_pages),
            },
        }
    }

    /// What of the site's frame the class has, and what links say on the way to many of its pages.
    fn own_frame(&self, site_frame: &Hashes, frame_pages_min: u32) -> Hashes {
        let known = self.wordings.keys().chain(self.ways.keys());
        let known = known.filter(|hash| site_frame.contains(hash)).copied();
        let crumbs = at_least(&self.ways, frame_pages_min).map(|(hash, _)| crumb_hash(hash));
        known.chain(crumbs).collect()
    }

    /// Lines of the frame that nearly all of their pages have under one heading, but for those that
    /// nearly all pages have.
    fn bound_lines(&self, frame_pages_min: u32) -> Hashes {
        let constant_min = least(0, self.tuning.constant_share, self.n_pages);
        let own_min = least(0, self.tuning.bound_share, frame_pages_min);
        // A heading on fewer pages cannot have such a line under it.
        let headings: Vec<u64> = at_least(&self.headings, own_min).map(|(hash, _)| hash).collect();
        let mut bound = Hashes::default();
        for (line, n) in at_least(&self.lines, frame_pages_min).filter(|(_, n)| *n < constant_min) {
            for &heading in &headings {
                let hash = under_heading(line, heading);
                let own = self.under_headings.get(&hash).copied().unwrap_or(0);
                if own >= least(0, self.tuning.bound_share, n) {
                    bound.insert(hash);
                }
            }
        }
        bound
    }
}

/// The least whole number that is a share of `n`, and no less than `min`.
fn least(min: u32, share: f64, n: u32) -> u32 {
    ((share * f64::from(n)).ceil() as u32).max(min)
}

/// The texts that are counted often enough.
pub(super) fn at_least(counts: &Frequencies, min: u32) -> impl Iterator<Item = (u64, u32)> {
    counts
        .iter()
        .filter(move |(_, n)| **n >= min)
        .map(|(&hash, &n)| (hash, n))
}

impl Vocabulary {
    /// How many pages were counted.
    pub fn n_pages(&self) -> usize {
        self.n_pages
    }

    /// Whether the class has one page alone: nothing can be compared.
    pub fn is_alone(&self) -> bool {
        self.n_pages < 2
    }

    /// Whether a heading is the template's.
    pub fn is_heading(&self, text: &str) -> bool {
        self.headings.contains(&text_hash(unnumbered(text)))
    }

    /// Whether a block is a heading that no other page of the class has: the name of its page,
    /// though the menu of the site may say it, too.
    pub fn is_own_heading(&self, content: &Content, id: BlockId) -> bool {
        content.block(id).kind == BlockKind::Heading && !self.is_alone() && !self.is_heading(content.text(id))
    }

    /// Whether a label is the template's; of a page alone, whether it is repeated there.
    pub fn is_label(&self, text: &str) -> bool {
        self.labels.contains_key(&text_hash(text))
    }

    /// Whether the first cell of a row without a header is a label: several pages have it.
    pub fn is_row_label(&self, text: &str) -> bool {
        self.row_labels.contains(&text_hash(text)) && text.contains(char::is_alphabetic)
    }

    /// Whether a name of mark-up is the template's. An `id` stands once on a page, so that of a
    /// page alone nothing tells whether it is.
    pub fn is_name(&self, name: &str) -> bool {
        self.is_alone() && !name.contains('#') || self.names.contains(&text_hash(name))
    }

    /// Whether a line stands on a large share of the pages, or is ways around the site.
    pub fn is_frame(&self, content: &Content, id: BlockId) -> bool {
        if !self.site_frame.is_empty() && wording_hashes(content, id).any(|hash| self.site_frame.contains(&hash)) {
            return true;
        }
        self.line_pages(line_hash(content, id)) >= self.frame_pages_min
            || self.is_way(content, id)
            || self.is_buttons(content, id)
    }

    /// Whether a line is of the frame though it stands under a heading: it stands on nearly all
    /// pages, or under different headings.
    pub fn is_frame_under(&self, content: &Content, id: BlockId, heading: &str) -> bool {
        self.is_frame(content, id)
            && !self
                .bound_lines
                .contains(&under_heading(line_hash(content, id), text_hash(unnumbered(heading))))
    }

    /// Whether a short line says what a large share of the pages says, wherever it leads: `Next`,
    /// `Up`.
    pub fn is_frame_text(&self, content: &Content, id: BlockId) -> bool {
        let text = content.text(id);
        text.len() <= SHORT_MAX && self.frame_texts.contains(&text_hash(text))
    }

    /// Whether a line is the template's: nearly all pages that have its label have all of it, or a
    /// large share of the pages has it.
    pub fn is_constant(&self, content: &Content, id: BlockId) -> bool {
        if self.is_alone() {
            return false;
        }
        let Some((label, value)) = label_of(content, id).filter(|(_, value)| !value.is_empty()) else {
            return self.is_frame(content, id);
        };
        let n_line = self.line_pages(line_hash(content, id));
        let is_steady = self.labels.get(&text_hash(label)).is_some_and(|&min| n_line >= min);
        is_steady && value.len() > label.len()
    }

    /// On how many pages a line stands; 0 if too few for it to be the template's.
    fn line_pages(&self, hash: u64) -> u32 {
        self.lines.get(&hash).copied().unwrap_or(0)
    }
}

/// The least share of the pages with a label that have the same text behind it, where that text is
/// the template's.
const CONSTANT_SHARE: f64 = 0.8;

/// The longest line whose text is counted whatever it leads to, in bytes.
const SHORT_MAX: usize = 80;

/// The hashes by which a line may be known as the site's frame: of its wording, and of where it
/// leads, if it is nothing but a link.
fn wording_hashes(content: &Content, id: BlockId) -> impl Iterator<Item = u64> {
    let links = content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link);
    let n_linked: usize = links.map(|mark| (mark.text.end - mark.text.start) as usize).sum();
    let is_link = n_linked > 0 && n_linked >= content.text(id).len();
    let link = is_link.then(|| stable_hash_more(line_hash(content, id), b"link"));
    wording_hash(content, id).into_iter().chain(link)
}

/// A hash of what a line says without its digits; `None` for one with a label or few letters, which
/// is a number with its unit.
fn wording_hash(content: &Content, id: BlockId) -> Option<u64> {
    let text = content.text(id);
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if n_letters < WORDING_MIN || content.block(id).cut.is_some() {
        return None;
    }
    let words = text
        .split(|c: char| c.is_ascii_digit())
        .filter(|piece| !piece.is_empty());
    Some(words.fold(stable_hash(b"wording"), |hash, piece| {
        stable_hash_more(hash, piece.as_bytes())
    }))
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

/// A hash of a line and the heading it stands under.
fn under_heading(line: u64, heading: u64) -> u64 {
    line ^ heading.rotate_left(1)
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
