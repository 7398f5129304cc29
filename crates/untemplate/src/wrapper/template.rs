//! Templates: the tree that pages of a class have in common, with the places where they differ.
//!
//! A [`Template`] is an arena of [`Part`]s. A part stands for a node of every page, or of some
//! pages; what is inside it is a list of [`Item`]s in document order, each one part or a repeat of
//! parts. Texts that pages have in common are part of the template, texts that differ are
//! [`Field`]s. It is plain data: inference writes it, a person may edit it, and
//! [`Matcher`](super::Matcher) reads pages with it.

use super::markup::MarkupProfile;
use super::value_profile::ValueProfile;

/// The number of a part in its template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartId(pub u32);

impl PartId {
    /// As an index into the template's parts.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tree that pages of a class have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// Texts that name what stands next to them, such as `Director:`; pages are aligned by them.
    pub labels: Vec<String>,
    /// The parts; the first one is the root element, and parts come after those that hold them.
    pub parts: Vec<Part>,
    /// On how many of its training pages it reads each field and list; the first is the template as
    /// a whole, whose name is empty. None in older files.
    pub counts: Vec<FieldCount>,
    /// What its training pages are dressed with; nothing in older files.
    pub markup: MarkupProfile,
}

/// How many pages have a field, and what its values look like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldCount {
    /// The key in a record, with those of the lists that it is in before it.
    pub field: String,
    /// Pages that have it.
    pub present: u32,
    /// Pages that were read; of what is in a list, those that have the list.
    pub pages: u32,
    /// What the first value of each page looks like; empty for lists, and in older files.
    pub values: ValueProfile,
}

/// A node that pages of the class have, or may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it looks like.
    pub pattern: Pattern,
    /// In how many of the places where training pages could have it they do.
    pub seen: u32,
    /// In how many places they could.
    pub places: u32,
    /// What is inside it; left out where nothing of it is data.
    pub items: Vec<Item>,
    /// Of a text, what it is.
    pub text: TextPart,
    /// Attributes that are data.
    pub attributes: Vec<AttributeField>,
}

impl Part {
    /// Whether some pages lack it.
    #[inline]
    pub fn is_optional(&self) -> bool {
        self.seen < self.places
    }
}

impl Part {
    /// Whether it is a field itself, or has attributes that are.
    #[inline]
    pub fn has_own_data(&self) -> bool {
        matches!(self.text, TextPart::Field(_)) || !self.attributes.is_empty()
    }
}

impl Item {
    /// The parts it is made of.
    #[inline]
    pub fn parts(&self) -> &[PartId] {
        match self {
            Self::One(part) => std::slice::from_ref(part),
            Self::Repeat(repeat) => &repeat.parts,
        }
    }
}

impl Pattern {
    /// What it looks like, for a person: `li.row "Director:"`.
    pub fn describe(&self) -> String {
        let mut text = self.tag.clone();
        if !self.id.is_empty() {
            text.push('#');
            text.push_str(&self.id);
        }
        for class in &self.classes {
            text.push('.');
            text.push_str(class);
        }
        let label = if self.label.is_empty() {
            &self.heading
        } else {
            &self.label
        };
        if !label.is_empty() {
            text.push_str(&format!(" {label:?}"));
        }
        text
    }
}

/// What alignment compares.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pattern {
    /// The tag; `#text` for a text.
    pub tag: String,
    /// The `id`, with digits as `#`; empty when pages have none or differ.
    pub id: String,
    /// The classes that all pages have here.
    pub classes: Vec<String>,
    /// The label it begins with; empty when there is none.
    pub label: String,
    /// The label it begins with when it holds others, too; empty when there is none.
    pub lead: String,
    /// The label that stands before it, beside it; empty when there is none.
    pub heading: String,
    /// Whether it is so small that its label must name it.
    pub is_small: bool,
    /// What all pages have inside it, as a set of hashes.
    pub holds_always: u128,
    /// What some page has inside it.
    pub holds_ever: u128,
}

/// A place inside a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// One node.
    One(PartId),
    /// Any number of nodes: a list.
    Repeat(Repeat),
}

/// A list: rounds of its parts, in order, each of which may be missing in a round.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// The key of the list in a record.
    pub name: String,
    /// What a round is made of.
    pub parts: Vec<PartId>,
    /// In how many of the places where training pages could have a round or more they do.
    pub seen: u32,
    /// In how many places they could; 0 where that was not counted.
    pub places: u32,
}

/// What a text is.
#[derive(Debug, Clone, PartialEq)]
pub enum TextPart {
    /// The part is an element.
    None,
    /// Template: the same on all training pages.
    Constant(String),
    /// It differs, and is no data: boilerplate, or what another field says already.
    LeftOut,
    /// Data.
    Field(Field),
}

/// A text that differs from page to page.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The key in a record.
    pub name: String,
    /// What values are cut into; empty when a value is the whole text.
    pub pieces: Vec<Piece>,
}

/// A piece of a text: a value, up to what always follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The key in a record.
    pub name: String,
    /// The word or mark before it; empty when it begins the text.
    pub before: String,
    /// The word or mark after it; empty when it goes to the end.
    pub after: String,
    /// What of the text between them it is.
    pub kind: PieceKind,
}

/// What of a text a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// All of it.
    Whole,
    /// The number it begins with.
    Number,
    /// What follows that number.
    AfterNumber,
    /// What is left without the number it begins with and the note it ends with.
    Bare,
    /// The note in parentheses that it ends with, on some pages.
    Note,
}

/// An attribute that differs from page to page.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeField {
    /// The attribute: `href`, `src`, `content`, `datetime`, `alt`.
    pub attribute: String,
    /// The key in a record.
    pub name: String,
}
