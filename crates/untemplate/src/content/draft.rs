//! Drafts: blocks while the content of a page is put together.

use std::rc::Rc;

use crate::page::NodeId;

use super::block::{Block, BlockKind, Content, Mark, MarkKind};
use super::label::Cut;

/// A block under way.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub kind: BlockKind,
    pub rank: u8,
    pub name: Rc<str>,
    pub text: String,
    pub marks: Vec<DraftMark>,
    pub cut: Option<Cut>,
    pub source: NodeId,
    pub children: Vec<Draft>,
    /// Whether all of its text is emphasised.
    pub is_emphasised: bool,
}

/// A link or picture under way.
#[derive(Debug, Clone)]
pub(super) struct DraftMark {
    pub kind: MarkKind,
    pub start: usize,
    pub end: usize,
    pub url: String,
    pub source: NodeId,
}

impl Draft {
    pub fn new(kind: BlockKind, name: Rc<str>, source: NodeId, children: Vec<Draft>) -> Self {
        Self {
            kind,
            rank: 0,
            name,
            text: String::new(),
            marks: Vec::new(),
            cut: None,
            source,
            children,
            is_emphasised: false,
        }
    }

    /// Whether it is a line whose text ends with its label: what it labels comes after it.
    pub fn is_bare_label(&self) -> bool {
        self.kind == BlockKind::Line && self.cut.is_some_and(|cut| cut.value_start as usize >= self.text.len())
    }

    /// The same as the line of a label, without the colon.
    pub fn into_label(mut self) -> Self {
        self.kind = BlockKind::Label;
        let bare = self.text.trim_end().trim_end_matches([':', '：']).trim_end().len();
        self.text.truncate(bare);
        self.cut = None;
        self
    }
}

impl Content {
    /// Lays out drafts in document order.
    pub(super) fn lay_out(page: Draft) -> Self {
        let mut content = Self::default();
        content.push(page);
        content
    }

    fn push(&mut self, draft: Draft) {
        let at = self.blocks.len();
        let name = self.push_text(&draft.name);
        let text = self.push_text(&draft.text);
        let first_mark = self.marks.len() as u32;
        for mark in draft.marks {
            let url = self.push_text(&mark.url);
            self.marks.push(Mark {
                kind: mark.kind,
                text: mark.start as u32..mark.end as u32,
                url,
                source: mark.source.0,
            });
        }
        self.blocks.push(Block {
            kind: draft.kind,
            rank: draft.rank,
            end: 0,
            name,
            text,
            marks: first_mark..self.marks.len() as u32,
            cut: draft.cut,
            source: draft.source.0,
        });
        // Drafts are at most `DEPTH_MAX` deep, see `build.rs`.
        for child in draft.children {
            self.push(child);
        }
        self.blocks[at].end = self.blocks.len() as u32;
    }

    fn push_text(&mut self, text: &str) -> std::ops::Range<u32> {
        let start = self.texts.len() as u32;
        self.texts.push_str(text);
        start..self.texts.len() as u32
    }
}
