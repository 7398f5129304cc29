//! The schema of a page class: what of each place becomes a value, and of which record.
//!
//! `decide.rs` makes it of a [`Guide`], and `read.rs` reads pages by it.

use std::sync::Arc;

use super::guide::{Guide, PlaceId};
use super::line_template::{LineTemplate, LineTuning};
use std::borrow::Cow;

/// What decides the reading of a class. The numbers were set on the development sites; what each
/// rule was worth stands in `eval/README.md`. A sweep of each number with sites left out is still
/// owed.
#[derive(Debug, Clone)]
pub struct SchemaTuning {
    /// The least share of holders with a place more than once for it to be a list.
    pub repeated_share: f64,
    /// The same of what is no item of a list, row, or value of a label: mark-up does not say that
    /// it is a list. Swept on eight sites that no rule was made on, for all places alike: F1 0.707
    /// with 0.02, 0.719 with 0.06, 0.715 with 0.12 (eval/README.md).
    pub repeated_block_share: f64,
    /// The least mean length, in characters, of lines that are prose whatever they end with.
    pub prose_chars: f64,
    /// The least share of lines that end as sentences do.
    pub sentence_share: f64,
    /// The least share of lines that are links and nothing else, in a list of links.
    pub link_share: f64,
    /// The least share of the text of lines inside links, where lines with several links are lists
    /// of them.
    pub links_share: f64,
    /// The least share of one value at a place whose text is the template's.
    pub constant_share: f64,
    /// The least mean share of pages that have a row, in a list that is the site's frame.
    pub frame_row_share: f64,
    /// The least share of a class's pages that have a list of the class.
    pub rare_share: f64,
    /// The least share of the rows, or labelled sections, of one kind that have a short list.
    pub rare_part_share: f64,
    /// The rows for each page of the class, below which a list on few pages is rare.
    pub rare_rows_share: f64,
    /// The least share of a line's text inside its parts, where it is said by them.
    pub part_share: f64,
    /// The least share of a short line's text inside its parts, where it is no running text.
    pub told_share: f64,
    /// The least share of the lines at a place that have a part.
    pub part_lines_share: f64,
    /// The least share of holders that have a label of a language.
    pub dialect_share: f64,
    /// The greatest distance between the mean positions, from 0 to 1, of labels that say the same.
    pub dialect_distance: f64,
    /// The least mean number of terms, and of items, in lists that are data and no part of a
    /// running text.
    pub terms_min: f64,
    /// See above.
    pub entries_min: f64,
    /// The greatest mean length, in bytes, of lines that are divided at their link.
    pub divided_bytes: usize,
    /// How often each text of a link occurs that is a way around the site.
    pub way_repeats: usize,
    /// The fewest sections under different headings that are made one list.
    pub merged_sections_min: usize,
    /// The greatest share of holders that have each of some like sections without labels, where
    /// these are one list.
    pub merged_unlabelled_share: f64,
    /// The least share of labels that sections have in common to be made one list.
    pub merged_labels_share: f64,
    /// The mean share of holders that have a label, below which labels may be values.
    pub value_label_share: f64,
    /// The mean share of holders that have a label, below which labels are values whether others
    /// recur or not.
    pub rare_label_share: f64,
    /// The least share of blocks with a label that does not recur, where labels are values.
    pub open_label_share: f64,
    /// The mean share of holders that have a line with a label, below which the label is part of
    /// the line.
    pub value_line_share: f64,
    /// What decides whether lines are divided.
    pub lines: LineTuning,
}

impl Default for SchemaTuning {
    fn default() -> Self {
        Self {
            repeated_share: 0.02,
            repeated_block_share: 0.06,
            prose_chars: 60.0,
            sentence_share: 0.4,
            link_share: 0.6,
            links_share: 0.5,
            constant_share: 0.95,
            frame_row_share: 0.4,
            rare_share: 0.02,
            rare_part_share: 0.1,
            rare_rows_share: 0.01,
            part_share: 0.7,
            told_share: 0.3,
            part_lines_share: 0.05,
            dialect_share: 0.05,
            dialect_distance: 0.04,
            terms_min: 3.0,
            entries_min: 8.0,
            divided_bytes: 80,
            way_repeats: 30,
            merged_sections_min: 3,
            merged_unlabelled_share: 0.5,
            merged_labels_share: 0.5,
            value_label_share: 0.2,
            rare_label_share: 0.05,
            open_label_share: 0.1,
            value_line_share: 0.01,
            lines: LineTuning::default(),
        }
    }
}

/// What becomes of a place.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// Nothing: the template, or the site's frame.
    Skip,
    /// What is inside it belongs to the same record; with a key, all of its text is a value, too.
    Open(Option<Arc<str>>),
    /// Its text, links and pictures are values.
    Field(Field),
    /// All text inside it joins the prose of its record under a key.
    Prose(Field),
    /// Each block is a record of a list.
    Rows(Rows),
}

/// The keys of what a line gives.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Field {
    /// The key of its text.
    pub text: Option<Arc<str>>,
    /// The key of where it leads, if it leads to one place.
    pub link: Option<Arc<str>>,
    /// The key of its picture.
    pub picture: Option<Arc<str>>,
    /// The key of a list of where it leads, if it leads to several.
    pub links: Option<Arc<str>>,
    /// The key of the words of its one link, where there are others beside them.
    pub link_text: Option<Arc<str>>,
    /// The keys of what stands before and after its one link.
    pub around: Option<(Arc<str>, Arc<str>)>,
    /// The classes of its parts, and the key of each.
    pub parts: Vec<(String, Arc<str>)>,
    /// What its lines have in common, and the key of each slot between.
    pub template: Option<(LineTemplate, Vec<Arc<str>>)>,
    /// The key of a second line, where few have one: it says something else.
    pub later: Option<Arc<str>>,
}

impl Field {
    /// The keys of what its first line gives, but for lists.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Arc<str>> {
        let own = [&self.text, &self.link, &self.picture, &self.link_text];
        let around = self.around.iter().flat_map(|(before, after)| [before, after]);
        let slots = self.template.iter().flat_map(|(_, slots)| slots);
        let parts = self.parts.iter().map(|(_, key)| key);
        own.into_iter().flatten().chain(around).chain(slots).chain(parts)
    }
}

impl Field {
    /// All of its keys.
    pub(super) fn keys_mut(&mut self) -> impl Iterator<Item = &mut Arc<str>> {
        let own = [
            &mut self.text,
            &mut self.link,
            &mut self.picture,
            &mut self.links,
            &mut self.link_text,
            &mut self.later,
        ];
        let around = self.around.iter_mut().flat_map(|(before, after)| [before, after]);
        let slots = self.template.iter_mut().flat_map(|(_, slots)| slots);
        let parts = self.parts.iter_mut().map(|(_, key)| key);
        own.into_iter().flatten().chain(around).chain(slots).chain(parts)
    }
}

/// A list.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// Its key.
    pub key: Arc<str>,
    /// What the line of a row gives, where rows are lines.
    pub own: Field,
    /// Whether its rows have nothing but a heading or label, and one list inside: rows of that list
    /// repeat it.
    pub is_flat: bool,
    /// The key of what a row is called, where rows of lists inside it say it, too.
    pub carried: Option<Arc<str>>,
    /// The key of the running text of the page that its rows are part of, too.
    pub of_text: Option<Arc<str>>,
}

/// What a class's pages are read by.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassSchema {
    /// The places.
    pub guide: Guide,
    /// What becomes of each.
    pub roles: Vec<Role>,
    /// Of each key, what is known of it; in the order of the page.
    pub fields: Vec<FieldInfo>,
    /// Why places became nothing.
    pub left_out: Vec<(PlaceId, Cow<'static, str>)>,
}

impl ClassSchema {
    /// The characters at a place and inside it that become values.
    pub fn characters_read(&self, place: PlaceId) -> usize {
        let mut n = 0;
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            match self.roles[next] {
                Role::Skip => {}
                Role::Prose(_) => n += self.guide.characters_inside(next),
                Role::Open(_) | Role::Field(_) | Role::Rows(_) => {
                    n += self.guide.places[next].texts.n_chars;
                    waiting.extend(&self.guide.places[next].children);
                }
            }
        }
        n
    }
}

/// What is known of a key before its values are looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldInfo {
    /// The keys of the lists that it is in.
    pub list_path: Vec<Arc<str>>,
    /// Its key.
    pub key: Arc<str>,
    /// The label, header or heading it stands under; empty if there is none.
    pub label: String,
    /// The headings and labels around it, outermost first.
    pub context: Vec<String>,
    /// The class or `id` of its mark-up.
    pub mark: String,
    /// The tag.
    pub tag: String,
    /// `href` or `src` for addresses.
    pub attribute: Option<&'static str>,
    /// Whether it is prose.
    pub is_prose: bool,
    /// Whether it is a heading.
    pub is_heading: bool,
    /// Whether it is of a list of where a running text leads.
    pub is_reference: bool,
    /// Whether it is a list, and no value.
    pub is_list: bool,
    /// The key of the text that an address belongs to, or of the address that a text belongs to.
    pub beside: Option<Arc<str>>,
}

/// The keys of lists of references.
pub(super) const LINK_KEY: &str = "link@href";
pub(super) const TEXT_KEY: &str = "link";
