//! The growing tree: what the tree builder changes while tags come in, before it becomes a [`Dom`].
//!
//! Foster parenting and the adoption agency move nodes about, so that here nodes are linked both
//! ways; [`Tree::finish`] lays them out in document order in one walk. Mostly they are in that
//! order already, and their contents stay where they are.

use memchr::memchr_iter;

use super::super::dom::{Content, Dom, Namespace, NodeKind, Shape};
use super::super::name::{Name, Names};
use super::layout::{in_order, lay_out_attributes, lay_out_text};
use super::span::{Span, Text};
use super::stack::bears_structure;
use super::token::TagAttribute;

/// A node of the growing tree. It carries what the node is, so that a look through the open
/// elements reads one slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Handle {
    number: u32,
    name: Name,
    kind: NodeKind,
}

impl Handle {
    /// Whether modes rely on the element being open.
    pub(super) fn bears_structure(self) -> bool {
        matches!(self.kind, NodeKind::Element(space) if bears_structure(space, self.name))
    }

    fn index(self) -> usize {
        self.number as usize
    }
}

const NONE: u32 = u32::MAX;

/// How a node hangs together with others.
#[derive(Debug, Clone, Copy)]
struct Links {
    parent: u32,
    first_child: u32,
    /// The sibling before; for a first child, the last one.
    previous: u32,
    next: u32,
}

#[derive(Debug)]
pub(super) struct Tree {
    links: Vec<Links>,
    contents: Vec<Content>,
    attributes: Vec<TagAttribute>,
}

/// Where a node goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum InsertionPoint {
    LastIn(Handle),
    Before(Handle),
}

impl Tree {
    pub(super) const DOCUMENT: Handle = Handle {
        number: 0,
        name: Name::HTML,
        kind: NodeKind::Document,
    };

    /// A tree with nothing but the document, and room for about as many nodes as the page will
    /// have: a tag that begins and one that ends mostly make an element and a text.
    pub(super) fn new(source: &str, nodes_max: usize) -> Self {
        let n_tags = memchr_iter(b'<', source.as_bytes()).count();
        let room = (n_tags + 16).min(nodes_max);
        let mut tree = Self {
            links: Vec::with_capacity(room),
            contents: Vec::with_capacity(room),
            attributes: Vec::new(),
        };
        tree.create(NodeKind::Document, Name::HTML, (0, 0));
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    fn create(&mut self, kind: NodeKind, name: Name, (start, len): (u32, u32)) -> Handle {
        self.links.push(Links {
            parent: NONE,
            first_child: NONE,
            previous: NONE,
            next: NONE,
        });
        self.contents.push(Content {
            name,
            start,
            len,
            depth: 0,
            kind,
            continues: false,
        });
        Handle {
            number: self.links.len() as u32 - 1,
            name,
            kind,
        }
    }

    /// An element that has no parent yet. A `template` gets its contents at once.
    pub(super) fn create_element(&mut self, space: Namespace, name: Name, attributes: &[TagAttribute]) -> Handle {
        let start = self.attributes.len() as u32;
        self.attributes.extend_from_slice(attributes);
        let element = self.create(NodeKind::Element(space), name, (start, attributes.len() as u32));
        self.add_template_contents(element);
        element
    }

    /// An element with the name and attributes of another, but neither parent nor children.
    pub(super) fn create_like(&mut self, element: Handle) -> Handle {
        let Content {
            kind, name, start, len, ..
        } = self.contents[element.index()];
        let copy = self.create(kind, name, (start, len));
        self.add_template_contents(copy);
        copy
    }

    fn add_template_contents(&mut self, element: Handle) {
        if self.element(element) == (Namespace::Html, Name::TEMPLATE) {
            let contents = self.create(NodeKind::TemplateContents, Name::TEMPLATE, (0, 0));
            self.insert(contents, InsertionPoint::LastIn(element));
        }
    }

    /// A comment, instruction or doctype that has no parent yet.
    pub(super) fn create_other(&mut self, kind: NodeKind, text: Span) -> Handle {
        self.create(kind, Name::HTML, text.to_raw())
    }

    fn last_child(&self, parent: u32) -> u32 {
        match self.links[parent as usize].first_child {
            NONE => NONE,
            first => self.links[first as usize].previous,
        }
    }

    /// Puts a node that has no parent in its place.
    pub(super) fn insert(&mut self, node: Handle, place: InsertionPoint) {
        match place {
            InsertionPoint::LastIn(parent) => {
                let last = self.last_child(parent.number);
                let first = if last == NONE {
                    node.number
                } else {
                    self.links[parent.index()].first_child
                };
                self.links[node.index()].parent = parent.number;
                self.links[node.index()].previous = last;
                match last {
                    NONE => self.links[parent.index()].first_child = node.number,
                    _ => self.links[last as usize].next = node.number,
                }
                self.links[first as usize].previous = node.number;
            }
            InsertionPoint::Before(sibling) => {
                let Links { parent, previous, .. } = self.links[sibling.index()];
                self.links[node.index()].parent = parent;
                self.links[node.index()].previous = previous;
                self.links[node.index()].next = sibling.number;
                self.links[sibling.index()].previous = node.number;
                match self.links[parent as usize].first_child == sibling.number {
                    true => self.links[parent as usize].first_child = node.number,
                    false => self.links[previous as usize].next = node.number,
                }
            }
        }
    }

    /// Adds text in a place, to the text node that is there already if there is one.
    pub(super) fn insert_text(&mut self, span: Span, place: InsertionPoint) {
        let previous = match place {
            InsertionPoint::LastIn(parent) => self.last_child(parent.number),
            InsertionPoint::Before(sibling) => match self.links[sibling.index()] {
                Links { parent, .. } if self.links[parent as usize].first_child == sibling.number => NONE,
                Links { previous, .. } => previous,
            },
        };
        let continues = previous != NONE && self.contents[previous as usize].kind == NodeKind::Text;
        if continues {
            let before = &mut self.contents[previous as usize];
            if Span::from_raw((before.start, before.len)).touches(span) {
                before.len += span.to_raw().1;
                return;
            }
        }
        let text = self.create(NodeKind::Text, Name::HTML, span.to_raw());
        self.contents[text.index()].continues = continues;
        self.insert(text, place);
    }

    /// Takes a node from its parent, if it has one.
    pub(super) fn detach(&mut self, node: Handle) {
        let Links {
            parent, previous, next, ..
        } = self.links[node.index()];
        if parent == NONE {
            return;
        }
        let first = self.links[parent as usize].first_child;
        if first == node.number {
            self.links[parent as usize].first_child = next;
        } else {
            self.links[previous as usize].next = next;
        }
        if next != NONE {
            self.links[next as usize].previous = previous;
        } else if first != node.number {
            self.links[first as usize].previous = previous;
        }
        let detached = &mut self.links[node.index()];
        (detached.parent, detached.previous, detached.next) = (NONE, NONE, NONE);
    }

    /// Moves all children of one node to another, which has none.
    pub(super) fn move_children(&mut self, from: Handle, to: Handle) {
        let first = std::mem::replace(&mut self.links[from.index()].first_child, NONE);
        self.links[to.index()].first_child = first;
        let mut child = first;
        while child != NONE {
            self.links[child as usize].parent = to.number;
            child = self.links[child as usize].next;
        }
    }

    /// Adds the attributes that an element lacks, while it has less than `attributes_max`. What it
    /// had is given up, so that a page which says this again and again costs no more than what it
    /// ends with.
    pub(super) fn add_missing_attributes(
        &mut self,
        element: Handle,
        attributes: &[TagAttribute],
        attributes_max: usize,
    ) {
        let had = self.attributes_of(element).to_vec();
        let is_missing = |attribute: &&TagAttribute| !had.iter().any(|other| other.name == attribute.name);
        let room = attributes_max.saturating_sub(had.len());
        let missing: Vec<TagAttribute> = attributes.iter().filter(is_missing).take(room).copied().collect();
        if missing.is_empty() {
            return;
        }
        let content = &mut self.contents[element.index()];
        let old = content.start as usize..(content.start + content.len) as usize;
        (content.start, content.len) = (self.attributes.len() as u32, (had.len() + missing.len()) as u32);
        self.attributes[old]
            .iter_mut()
            .for_each(|attribute| attribute.value = Span::EMPTY);
        self.attributes.extend(had);
        self.attributes.extend(missing);
    }

    pub(super) fn attributes_of(&self, element: Handle) -> &[TagAttribute] {
        let Content { start, len, .. } = self.contents[element.index()];
        &self.attributes[start as usize..(start + len) as usize]
    }

    /// The namespace and name of an element.
    pub(super) fn element(&self, element: Handle) -> (Namespace, Name) {
        match element.kind {
            NodeKind::Element(space) => (space, element.name),
            _ => unreachable!("only elements are on the stack of open elements"),
        }
    }

    pub(super) fn has_parent(&self, node: Handle) -> bool {
        self.links[node.index()].parent != NONE
    }

    /// What holds the children of an element: itself, or a template's contents.
    pub(super) fn inside(&self, element: Handle) -> Handle {
        if self.element(element) == (Namespace::Html, Name::TEMPLATE) {
            let number = self.links[element.index()].first_child;
            return Handle {
                number,
                name: Name::TEMPLATE,
                kind: NodeKind::TemplateContents,
            };
        }
        element
    }

    /// The tree in document order.
    pub(super) fn finish(self, text: &Text<'_>, names: Names, scripting: bool) -> Dom {
        let (order, shapes) = self.walk();
        let Self {
            links,
            mut contents,
            attributes,
            ..
        } = self;
        drop(links);
        let is_in_order = order.len() == contents.len() && order.iter().zip(0..).all(|(&node, number)| node == number);
        if !is_in_order {
            contents = in_order(&order, &contents);
        }
        drop(order);
        let mut dom = Dom {
            shapes,
            contents,
            attributes: Vec::new(),
            text: String::new(),
            values: String::new(),
            names,
            scripting,
        };
        lay_out_text(&mut dom, text);
        lay_out_attributes(&mut dom, attributes, text);
        dom
    }

    /// The nodes in document order, and where each stands there. A text that continues another is
    /// listed, but has no place of its own.
    fn walk(&self) -> (Vec<u32>, Vec<Shape>) {
        let mut order = Vec::with_capacity(self.links.len());
        let mut shapes: Vec<Shape> = Vec::with_capacity(self.links.len());
        let (mut parent, mut at) = (0, 0);
        loop {
            order.push(at);
            if !self.contents[at as usize].continues {
                shapes.push(Shape {
                    parent,
                    subtree_end: shapes.len() as u32 + 1,
                });
            }
            let Links { first_child, .. } = self.links[at as usize];
            if first_child != NONE {
                parent = shapes.len() as u32 - 1;
                at = first_child;
                continue;
            }
            while self.links[at as usize].next == NONE {
                at = self.links[at as usize].parent;
                if at == NONE {
                    return (order, shapes);
                }
                shapes[parent as usize].subtree_end = shapes.len() as u32;
                parent = shapes[parent as usize].parent;
            }
            at = self.links[at as usize].next;
        }
    }
}
