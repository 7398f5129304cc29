//! Blocks: the parts of a page's content, in one arena in document order.

use std::ops::Range;

use super::label::Cut;

/// What a reader sees on a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// The blocks in document order; the first one is the page.
    pub(super) blocks: Vec<Block>,
    pub(super) texts: String,
    pub(super) marks: Vec<Mark>,
}

/// The number of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The page itself.
    pub const PAGE: Self = Self(0);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockKind {
    /// The page.
    Page,
    /// An element that holds blocks.
    Group,
    /// A heading and what stands under it; its first child is the heading.
    Section,
    /// The line of a heading.
    Heading,
    /// A label and what it labels; its first child is the label.
    Pair,
    /// The line of a label.
    Label,
    /// A run of text and inline elements.
    Line,
    /// A picture that stands alone.
    Picture,
    /// A list.
    List,
    /// An item of a list.
    Item,
    /// A table of data.
    Grid,
    /// A row of a grid.
    Row,
    /// A cell of a row; its name is the header of its column, or the number of the column.
    Cell,
}

impl BlockKind {
    pub(super) const ALL: [Self; 13] = [
        Self::Page,
        Self::Group,
        Self::Section,
        Self::Heading,
        Self::Pair,
        Self::Label,
        Self::Line,
        Self::Picture,
        Self::List,
        Self::Item,
        Self::Grid,
        Self::Row,
        Self::Cell,
    ];
}

/// A part of a page's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Of sections and headings, the rank: 1 is the highest.
    pub rank: u8,
    /// The number behind its last descendant.
    pub(super) end: u32,
    pub(super) name: Range<u32>,
    pub(super) text: Range<u32>,
    pub(super) marks: Range<u32>,
    /// Where a label at its beginning ends, if its text may begin with one.
    pub cut: Option<Cut>,
    /// The node of the page's tree that it was made from.
    pub source: u32,
}

impl Block {
    /// The number behind its last descendant.
    pub fn end(&self) -> u32 {
        self.end
    }
}

/// What a mark in a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// A link: the text from start to end leads to the address.
    Link,
    /// A picture.
    Picture,
    /// An inline element with a class; the mark's address is that class.
    Part,
}

/// A link, picture or named part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Where its text stands in the text of its line.
    pub text: Range<u32>,
    pub(super) url: Range<u32>,
    /// The element of the page's tree that it was made from.
    pub source: u32,
}

impl Content {
    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is not even a page.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// All blocks in document order.
    pub fn ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The children of a block.
    pub fn children(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let end = self.block(id).end;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = BlockId(next);
                next = self.block(child).end;
                child
            })
        })
    }

    /// A block and all of its descendants.
    pub fn subtree(&self, id: BlockId) -> impl Iterator<Item = BlockId> + use<> {
        (id.0..self.block(id).end).map(BlockId)
    }

    /// What a block is called by its mark-up: tag and class, or the header of a cell.
    pub fn name(&self, id: BlockId) -> &str {
        self.slice(&self.block(id).name)
    }

    /// The language that the page says it is in; empty if it says none.
    pub fn language(&self) -> &str {
        match self.is_empty() {
            true => "",
            false => self.name(BlockId::PAGE),
        }
    }

    /// The text of a line, label, heading, or picture (what it shows, in words).
    pub fn text(&self, id: BlockId) -> &str {
        self.slice(&self.block(id).text)
    }

    /// The links and pictures of a line.
    pub fn marks(&self, id: BlockId) -> &[Mark] {
        let range = &self.block(id).marks;
        &self.marks[range.start as usize..range.end as usize]
    }

    /// The address of a mark.
    pub fn url(&self, mark: &Mark) -> &str {
        self.slice(&mark.url)
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        &self.texts[range.start as usize..range.end as usize]
    }
}
