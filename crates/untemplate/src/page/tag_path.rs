//! Tag paths: the steps from the root of a page to a node, as one number.
//!
//! In: nodes of a page. Out: a [`PathId`] each, equal for equal paths on all pages of a site. There
//! are three alphabets of steps, and an interner is of one of them; it belongs to a site, a page
//! keeps its raw tree. The paper's name is "tag-list" (Crescenzi 2004, section 2). Paths to links
//! include the link element itself, which the papers leave out where they print them.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::attribute_filter::{AttributeFilter, push_step_text};
use super::xpath::sibling_positions;
use untemplate_html::{Dom, NodeId, NodeKind};

/// What a step of a path is made of.
#[derive(Debug, Clone)]
pub enum Alphabet {
    /// The tag alone.
    Tag,
    /// The tag and the attributes that a filter keeps.
    TagAttributes(AttributeFilter),
    /// The tag and its position among siblings of the same tag: an absolute XPath.
    TagPosition,
}

/// A tag path, as a number of the interner it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "tag-list")]
pub struct PathId(pub u32);

impl PathId {
    /// The empty path: the document's.
    pub const ROOT: PathId = PathId(0);
    /// What all further paths share once an interner is full.
    pub const OTHER: PathId = PathId(1);
}

/// How many paths an interner tells apart. A site has thousands; a hostile one could make up any
/// number.
const PATHS_MAX: usize = 4_000_000;

/// Gives equal paths equal numbers, over all pages of a site.
#[derive(Debug, Clone)]
pub struct PathInterner {
    alphabet: Alphabet,
    /// The text of each step, one after the other, and where each ends.
    step_text: String,
    step_ends: Vec<u32>,
    steps: HashTable<u32>,
    /// The parent and last step of each path.
    entries: Vec<(PathId, u32)>,
    paths: HashTable<u32>,
}

impl PathInterner {
    /// An interner that knows the empty path only.
    pub fn new(alphabet: Alphabet) -> Self {
        let mut interner = Self {
            alphabet,
            step_text: String::new(),
            step_ends: Vec::new(),
            steps: HashTable::new(),
            entries: Vec::new(),
            paths: HashTable::new(),
        };
        let (empty, other) = (interner.intern_step(""), interner.intern_step("…"));
        interner.entries.extend([(PathId::ROOT, empty), (PathId::ROOT, other)]);
        interner
    }

    /// The paths of nodes, which must be in document order.
    pub fn paths(&mut self, dom: &Dom, nodes: &[NodeId]) -> Vec<PathId> {
        let positions = match self.alphabet {
            Alphabet::TagPosition => sibling_positions(dom),
            _ => Vec::new(),
        };
        let mut open: Vec<(NodeId, PathId)> = vec![(NodeId::DOCUMENT, PathId::ROOT)];
        let mut step = String::new();
        let mut chain = Vec::new();
        let mut paths = Vec::with_capacity(nodes.len());
        for &node in nodes {
            while open.last().is_some_and(|&(last, _)| !dom.contains(last, node)) {
                open.pop();
            }
            let (nearest, mut path) = open.last().copied().unwrap_or((NodeId::DOCUMENT, PathId::ROOT));
            chain.clear();
            let mut at = node;
            while at != nearest {
                chain.push(at);
                at = dom.parent(at).unwrap_or(nearest);
            }
            for &inner in chain.iter().rev() {
                step.clear();
                self.write_step(dom, inner, &positions, &mut step);
                path = self.child(path, &step);
                open.push((inner, path));
            }
            paths.push(path);
        }
        paths
    }

    /// The path that a step leads to from another.
    pub fn child(&mut self, parent: PathId, step: &str) -> PathId {
        let step = self.intern_step(step);
        let hash = HASHER.hash_one((parent, step));
        let entries = &self.entries;
        if let Some(&index) = self
            .paths
            .find(hash, |&index| entries[index as usize] == (parent, step))
        {
            return PathId(index);
        }
        if self.entries.len() >= PATHS_MAX {
            return PathId::OTHER;
        }
        let index = self.entries.len() as u32;
        self.entries.push((parent, step));
        let entries = &self.entries;
        self.paths
            .insert_unique(hash, index, |&index| HASHER.hash_one(entries[index as usize]));
        PathId(index)
    }

    /// The path without its last step.
    pub fn parent(&self, path: PathId) -> PathId {
        self.entries[path.0 as usize].0
    }

    /// The last step of a path.
    pub fn last_step(&self, path: PathId) -> &str {
        self.step(self.entries[path.0 as usize].1)
    }

    /// The whole path, its steps apart by slashes: `html/body/table/tbody/tr/td[class=odd]/a`.
    pub fn text(&self, path: PathId) -> String {
        let mut steps = Vec::new();
        let mut at = path;
        while at != PathId::ROOT {
            steps.push(self.last_step(at));
            at = self.parent(at);
        }
        steps.reverse();
        steps.join("/")
    }

    fn write_step(&self, dom: &Dom, node: NodeId, positions: &[u32], step: &mut String) {
        match dom.kind(node) {
            NodeKind::Text => step.push_str("#text"),
            NodeKind::Element(_) => match &self.alphabet {
                Alphabet::Tag => push_step_text(dom.name_text(node), step),
                Alphabet::TagAttributes(filter) => filter.write_step(dom, node, step),
                Alphabet::TagPosition => {
                    push_step_text(dom.name_text(node), step);
                    step.push_str(&format!("[{}]", positions[node.index()]));
                }
            },
            NodeKind::TemplateContents => step.push_str("#contents"),
            _ => step.push_str("#other"),
        }
    }

    fn step(&self, step: u32) -> &str {
        let start = if step == 0 {
            0
        } else {
            self.step_ends[step as usize - 1]
        };
        &self.step_text[start as usize..self.step_ends[step as usize] as usize]
    }

    fn intern_step(&mut self, step: &str) -> u32 {
        let hash = HASHER.hash_one(step);
        if let Some(&index) = self.steps.find(hash, |&index| self.step(index) == step) {
            return index;
        }
        let index = self.step_ends.len() as u32;
        if self.step_text.len() + step.len() > STEP_TEXT_MAX {
            return OTHER_STEP;
        }
        self.step_text.push_str(step);
        self.step_ends.push(self.step_text.len() as u32);
        let mut steps = std::mem::take(&mut self.steps);
        steps.insert_unique(hash, index, |&index| HASHER.hash_one(self.step(index)));
        self.steps = steps;
        index
    }
}

const HASHER: FixedState = FixedState::with_seed(0x7061_7468);

/// How much text of steps an interner keeps; further steps share one number.
const STEP_TEXT_MAX: usize = 256 << 20;

/// The step that further ones share: the second that an interner knows.
const OTHER_STEP: u32 = 1;
