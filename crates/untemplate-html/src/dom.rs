//! The tree of a page, as an arena.
//!
//! Nodes lie in document order: a node's number tells where it stands, and its descendants are the
//! numbers from the one after it to its subtree's end. So first child, next sibling, "is inside"
//! and every walk are arithmetic on a flat slice, and nothing here recurses. A node is 24 bytes;
//! its text and attribute values are slices of two buffers that the page owns.

use super::name::{Name, Names};

/// The number of a node: its place in document order. The document itself is [`NodeId::DOCUMENT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The document, parent of the root element.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// As an index into tables that have an entry for each node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The document.
    Document,
    /// `<!DOCTYPE …>`.
    Doctype,
    /// `<!-- … -->`.
    Comment,
    /// `<?target …>`.
    Instruction,
    /// What a `template` element holds. It is not part of what a reader sees.
    TemplateContents,
    /// A text node.
    Text,
    /// An element of a namespace.
    Element(Namespace),
}

/// Where an element's name comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// HTML.
    Html,
    /// MathML.
    MathMl,
    /// SVG.
    Svg,
}

/// Where a node stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) parent: u32,
    pub(super) subtree_end: u32,
}

/// What a node is and holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content {
    /// The name, of an element.
    pub(super) name: Name,
    /// Of an element, its first attribute; else, where its text begins.
    pub(super) start: u32,
    /// Of an element, the number of its attributes; else, the length of its text.
    pub(super) len: u32,
    pub(super) depth: u16,
    pub(super) kind: NodeKind,
    /// While the tree grows: a text that belongs to the text node before it.
    pub(super) continues: bool,
}

/// An attribute of an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredAttribute {
    pub(super) name: Name,
    pub(super) start: u32,
    pub(super) len: u32,
}

/// The tree of a page.
#[derive(Debug, Clone)]
pub struct Dom {
    pub(super) shapes: Vec<Shape>,
    pub(super) contents: Vec<Content>,
    pub(super) attributes: Vec<StoredAttribute>,
    /// The text of text nodes, comments and doctypes, in document order.
    pub(super) text: String,
    /// The values of attributes.
    pub(super) values: String,
    pub(super) names: Names,
    /// Whether scripts ran, so that `noscript` is not shown.
    pub(super) scripting: bool,
}

impl Dom {
    /// How many nodes there are, the document included.
    #[inline]
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there is nothing but the document. Parsing always adds `html`, `head` and `body`.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.shapes.len() <= 1
    }

    /// All nodes in document order.
    #[inline]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.shapes.len() as u32).map(NodeId)
    }

    /// The nodes in document order, but for what templates hold, which no page shows.
    #[inline]
    pub fn offered_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut resume_at = 0;
        self.contents.iter().zip(0..).filter_map(move |(content, number)| {
            if content.kind == NodeKind::TemplateContents && number >= resume_at {
                resume_at = self.shapes[number as usize].subtree_end;
            }
            (number >= resume_at).then_some(NodeId(number))
        })
    }

    /// What a node is.
    #[inline]
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.contents[node.index()].kind
    }

    /// Whether a node is an element.
    #[inline]
    pub fn is_element(&self, node: NodeId) -> bool {
        matches!(self.kind(node), NodeKind::Element(_))
    }

    /// Whether a node is text.
    #[inline]
    pub fn is_text(&self, node: NodeId) -> bool {
        self.kind(node) == NodeKind::Text
    }

    /// The name of an element; `None` for other nodes.
    #[inline]
    pub fn name(&self, node: NodeId) -> Option<Name> {
        self.is_element(node).then(|| self.contents[node.index()].name)
    }

    /// Whether a node is the HTML element of this name.
    #[inline]
    pub fn is_html(&self, node: NodeId, name: Name) -> bool {
        let node = &self.contents[node.index()];
        node.kind == NodeKind::Element(Namespace::Html) && node.name == name
    }

    /// The name of an element as text; empty for other nodes.
    #[inline]
    pub fn name_text(&self, node: NodeId) -> &str {
        self.name(node).map_or("", |name| self.names.text(name))
    }

    /// The names that the page's elements and attributes have.
    #[inline]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The node that holds this one; `None` for the document.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::DOCUMENT).then(|| NodeId(self.shapes[node.index()].parent))
    }

    /// The first node inside this one.
    #[inline]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        (self.subtree_end(node).0 > node.0 + 1).then_some(NodeId(node.0 + 1))
    }

    /// The next node with the same parent.
    #[inline]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let end = self.subtree_end(node);
        let parent = self.parent(node)?;
        (end < self.subtree_end(parent)).then_some(end)
    }

    /// The number after the last one inside this node.
    #[inline]
    pub fn subtree_end(&self, node: NodeId) -> NodeId {
        NodeId(self.shapes[node.index()].subtree_end)
    }

    /// How many nodes hold this one: 0 for the document, 1 for the root element.
    #[inline]
    pub fn depth(&self, node: NodeId) -> usize {
        usize::from(self.contents[node.index()].depth)
    }

    /// The children in order.
    #[inline]
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The nodes that hold this one, nearest first, up to the document.
    #[inline]
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&ancestor| self.parent(ancestor))
    }

    /// The node and all inside it, in document order.
    #[inline]
    pub fn subtree(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (node.0..self.subtree_end(node).0).map(NodeId)
    }

    /// Whether `inner` is `outer` or inside it.
    #[inline]
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.subtree_end(outer)
    }

    /// The text of a text node, comment, instruction or doctype; empty for others.
    #[inline]
    pub fn text(&self, node: NodeId) -> &str {
        let node = &self.contents[node.index()];
        match node.kind {
            NodeKind::Element(_) | NodeKind::Document | NodeKind::TemplateContents => "",
            _ => &self.text[node.start as usize..(node.start + node.len) as usize],
        }
    }

    /// The attributes of an element, as the page has them.
    #[inline]
    pub fn attributes(&self, node: NodeId) -> impl ExactSizeIterator<Item = (Name, &str)> + '_ {
        let node = &self.contents[node.index()];
        let range = match node.kind {
            NodeKind::Element(_) => node.start as usize..(node.start + node.len) as usize,
            _ => 0..0,
        };
        self.attributes[range]
            .iter()
            .map(|attribute| (attribute.name, self.value(attribute)))
    }

    /// The value of an attribute.
    #[inline]
    pub fn attribute(&self, node: NodeId, name: Name) -> Option<&str> {
        self.attributes(node)
            .find(|&(its_name, _)| its_name == name)
            .map(|(_, value)| value)
    }

    #[inline]
    fn value(&self, attribute: &StoredAttribute) -> &str {
        &self.values[attribute.start as usize..(attribute.start + attribute.len) as usize]
    }

    /// The first HTML element of this name.
    pub fn find(&self, name: Name) -> Option<NodeId> {
        self.nodes().find(|&node| self.is_html(node, name))
    }

    /// The text that a reader sees below a node: white space collapsed, words apart where the page
    /// sets them apart by white space or by anything but inline mark-up.
    pub fn visible_text(&self, node: NodeId) -> String {
        let mut text = String::new();
        let mut blocks: Vec<NodeId> = Vec::new();
        let mut is_apart = false;
        let mut at = node;
        let end = self.subtree_end(node);
        while at < end {
            while blocks.pop_if(|block| self.subtree_end(*block) <= at).is_some() {
                is_apart = true;
            }
            if self.is_unseen(at) {
                at = self.subtree_end(at);
                continue;
            }
            if self.is_text(at) {
                push_text(self.text(at), &mut is_apart, &mut text);
            } else if at != node && !self.is_inline(at) {
                blocks.push(at);
                is_apart = true;
            }
            at = NodeId(at.0 + 1);
        }
        text
    }

    /// Whether an element flows with the text around it.
    #[inline]
    pub fn is_inline(&self, node: NodeId) -> bool {
        self.name(node).is_some_and(|name| INLINE.contains(&name))
    }

    /// Whether what is inside a node is never shown as text: scripts, styles, comments, templates,
    /// what old browsers show instead of frames.
    #[inline]
    pub fn is_unseen(&self, node: NodeId) -> bool {
        match self.kind(node) {
            NodeKind::Element(_) => {
                let name = self.contents[node.index()].name;
                let is_raw = matches!(
                    name,
                    Name::SCRIPT | Name::STYLE | Name::TEMPLATE | Name::NOFRAMES | Name::NOEMBED | Name::IFRAME
                );
                is_raw || name == Name::NOSCRIPT && self.scripting
            }
            NodeKind::Text | NodeKind::Document => false,
            _ => true,
        }
    }
}

/// Appends a text node's text with its white space collapsed. `is_apart` says whether what came
/// before is set apart from it, and afterwards whether what comes next is.
fn push_text(piece: &str, is_apart: &mut bool, text: &mut String) {
    for (index, word) in piece.split_whitespace().enumerate() {
        let begins_apart = index > 0 || *is_apart || piece.starts_with(char::is_whitespace);
        if begins_apart && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
        *is_apart = false;
    }
    *is_apart |= piece.ends_with(char::is_whitespace);
}

/// Elements that flow with the text around them. Controls, pictures and line breaks set words
/// apart.
#[rustfmt::skip]
const INLINE: [Name; 33] = [
    Name::A, Name::ABBR, Name::B, Name::BDI, Name::BDO, Name::BIG, Name::CITE, Name::CODE, Name::DATA, Name::DEL, Name::DFN,
    Name::EM, Name::FONT, Name::I, Name::INS, Name::KBD, Name::LABEL, Name::MARK, Name::NOBR, Name::Q, Name::S, Name::SAMP,
    Name::SMALL, Name::SPAN, Name::STRIKE, Name::STRONG, Name::SUB, Name::SUP, Name::TIME, Name::TT, Name::U, Name::VAR,
    Name::WBR,
];
