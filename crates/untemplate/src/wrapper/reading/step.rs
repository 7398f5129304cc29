//! Steps: by what a block is known among its siblings, on all pages of a class.
//!
//! A section is known by its heading and a pair by its label where these recur; else by being one.
//! Other blocks are known by the names of their mark-up, cells by their header.

use crate::content::{BlockId, BlockKind, Content, MarkKind, unnumbered};
use crate::page::{stable_hash, stable_hash_more};

use super::heading_kinds::kind_of;
use super::vocabulary::{Vocabulary, first_cell, label_of};

/// What kind of step it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// The page.
    Page,
    /// A section by its heading, or by the label that its heading begins with.
    Section,
    /// A section whose heading is a value.
    AnySection,
    /// A pair by its label.
    Pair,
    /// A pair whose label is a value.
    AnyPair,
    /// A heading that is a value.
    Heading,
    /// A label that is a value.
    Label,
    /// A line.
    Line,
    /// A picture.
    Picture,
    /// An element that holds blocks.
    Group,
    /// A list.
    List,
    /// An item of a list.
    Item,
    /// A table of data.
    Grid,
    /// A row.
    Row,
    /// A cell.
    Cell,
}

impl StepKind {
    /// All kinds, with their names.
    const NAMES: [(Self, &'static str); 15] = [
        (Self::Page, "page"),
        (Self::Section, "section"),
        (Self::AnySection, "any section"),
        (Self::Pair, "pair"),
        (Self::AnyPair, "any pair"),
        (Self::Heading, "heading"),
        (Self::Label, "label"),
        (Self::Line, "line"),
        (Self::Picture, "picture"),
        (Self::Group, "group"),
        (Self::List, "list"),
        (Self::Item, "item"),
        (Self::Grid, "grid"),
        (Self::Row, "row"),
        (Self::Cell, "cell"),
    ];

    /// Its name, for people and files.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// The kind with a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, own)| *own == name).map(|(kind, _)| *kind)
    }
}

/// A step to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'c> {
    /// What it is.
    pub kind: StepKind,
    /// Its heading, label, header or name.
    pub text: &'c str,
}

impl Step<'_> {
    /// A hash of the step.
    pub fn hash(&self) -> u64 {
        let hash = stable_hash(&[self.kind as u8]);
        stable_hash_more(hash, self.text.trim().to_lowercase().as_bytes())
    }
}

/// What a block holds beside its children: part of its own line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Its children; of lines, the whole text.
    Whole,
    /// The text behind the label that its line begins with.
    AfterLabel,
    /// All children but the first, which is the label or heading.
    ButFirst,
    /// The block itself: its label is the line before it.
    Itself,
}

/// A block as the class sees it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'c> {
    /// The step that leads to it.
    pub step: Step<'c>,
    /// The block that holds its value: an item that is nothing but a pair is that pair.
    pub block: BlockId,
    /// What of it.
    pub value: Value,
}

/// How a class sees the children of a block, in order. A line that pages have in common is the
/// label of what follows it.
pub fn see_children<'c>(content: &'c Content, id: BlockId, but_first: bool, vocabulary: &Vocabulary) -> Vec<Seen<'c>> {
    let mut seen = Vec::new();
    let mut children = content.children(id).skip(usize::from(but_first)).peekable();
    while let Some(child) = children.next() {
        if let Some(label) = constant_label(content, child, vocabulary)
            && let Some(value) = children.next_if(|&next| is_labelled_by_line(content, next, vocabulary))
        {
            seen.push(Seen {
                step: Step {
                    kind: StepKind::Pair,
                    text: label,
                },
                block: value,
                value: Value::Itself,
            });
            continue;
        }
        seen.push(see(content, child, vocabulary));
    }
    seen
}

/// What a line that pages have in common calls what follows it: what stands before its colon, or
/// all of it.
fn constant_label<'c>(content: &'c Content, id: BlockId, vocabulary: &Vocabulary) -> Option<&'c str> {
    let links = content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link);
    let n_linked: usize = links.map(|mark| (mark.text.end - mark.text.start) as usize).sum();
    let is_plain = content.block(id).kind == BlockKind::Line && n_linked * 2 < content.text(id).len();
    if !is_plain || !vocabulary.is_constant(content, id) {
        return None;
    }
    let text = content.text(id);
    let label = label_of(content, id).map_or(text, |(label, _)| label);
    (label.len() <= LABEL_MAX && label.contains(char::is_alphabetic)).then_some(label)
}

/// The longest line that labels what follows it, in bytes.
const LABEL_MAX: usize = 80;

/// Whether a block can be what a line before it labels: text that is not the template's.
fn is_labelled_by_line(content: &Content, id: BlockId, vocabulary: &Vocabulary) -> bool {
    match content.block(id).kind {
        BlockKind::Line => !vocabulary.is_frame(content, id) && constant_label(content, id, vocabulary).is_none(),
        // What has headings of its own is called by them.
        BlockKind::Group => {
            let is_own =
                |inner: BlockId| content.block(inner).kind == BlockKind::Line && !vocabulary.is_frame(content, inner);
            content
                .subtree(id)
                .all(|inner| content.block(inner).kind != BlockKind::Section)
                && content.subtree(id).any(is_own)
        }
        _ => false,
    }
}

/// How a class sees a block.
pub fn see<'c>(content: &'c Content, id: BlockId, vocabulary: &Vocabulary) -> Seen<'c> {
    let name = |kind: StepKind| whole(kind, recurring_name(content, id, vocabulary), id);
    match content.block(id).kind {
        BlockKind::Page => whole(StepKind::Page, "", id),
        BlockKind::Section => see_section(content, id, vocabulary),
        BlockKind::Pair => see_pair(content, id, vocabulary),
        BlockKind::Heading => whole(StepKind::Heading, "", id),
        BlockKind::Label => whole(StepKind::Label, "", id),
        BlockKind::Line => match label_of(content, id) {
            Some((label, value))
                if vocabulary.is_label(label) && !value.is_empty() && !vocabulary.is_way(content, id) =>
            {
                Seen {
                    step: Step {
                        kind: StepKind::Pair,
                        text: label,
                    },
                    block: id,
                    value: Value::AfterLabel,
                }
            }
            _ => name(StepKind::Line),
        },
        BlockKind::Picture => name(StepKind::Picture),
        BlockKind::Group => name(StepKind::Group),
        BlockKind::List => name(StepKind::List),
        BlockKind::Grid => name(StepKind::Grid),
        BlockKind::Cell => whole(StepKind::Cell, content.name(id), id),
        BlockKind::Item => {
            let mut children = content.children(id);
            if let (Some(only), None) = (children.next(), children.next()) {
                let seen = see(content, only, vocabulary);
                if seen.step.kind == StepKind::Pair {
                    return seen;
                }
            }
            whole(StepKind::Item, "", id)
        }
        BlockKind::Row => match first_cell(content, id) {
            Some(label) if vocabulary.is_row_label(label) => Seen {
                step: Step {
                    kind: StepKind::Pair,
                    text: label,
                },
                block: id,
                value: Value::ButFirst,
            },
            _ => whole(StepKind::Row, "", id),
        },
    }
}

/// The name of a block's mark-up, without a class or `id` that no other page has.
pub(super) fn recurring_name<'c>(content: &'c Content, id: BlockId, vocabulary: &Vocabulary) -> &'c str {
    let own = content.name(id);
    match vocabulary.is_name(own) {
        true => own,
        false => own.split(['.', '#']).next().unwrap_or_default(),
    }
}

fn whole(kind: StepKind, text: &str, block: BlockId) -> Seen<'_> {
    Seen {
        step: Step { kind, text },
        block,
        value: Value::Whole,
    }
}

fn see_section<'c>(content: &'c Content, id: BlockId, vocabulary: &Vocabulary) -> Seen<'c> {
    let heading = content.children(id).next();
    let text = heading.map_or("", |heading| content.text(heading));
    if vocabulary.is_heading(text) {
        return Seen {
            step: Step {
                kind: StepKind::Section,
                text: unnumbered(text),
            },
            block: id,
            value: Value::ButFirst,
        };
    }
    let label = heading.and_then(|heading| label_of(content, heading));
    let label = label.filter(|(label, value)| !value.is_empty() && vocabulary.is_label(label));
    match label.or_else(|| kind_of(content, heading?, &vocabulary.kinds)) {
        Some((label, _)) => whole(StepKind::Section, label, id),
        None => whole(StepKind::AnySection, recurring_name(content, id, vocabulary), id),
    }
}

fn see_pair<'c>(content: &'c Content, id: BlockId, vocabulary: &Vocabulary) -> Seen<'c> {
    let label = content.children(id).next().map_or("", |label| content.text(label));
    match vocabulary.is_label(label) {
        true => Seen {
            step: Step {
                kind: StepKind::Pair,
                text: label,
            },
            block: id,
            value: Value::ButFirst,
        },
        false => whole(StepKind::AnyPair, "", id),
    }
}
