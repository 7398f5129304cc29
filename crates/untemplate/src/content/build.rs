//! From a page's tree to its content: one walk, in document order.

use std::collections::HashMap;
use std::rc::Rc;

use crate::page::{Dom, Name, NodeId, Page, Visibility};

use super::block::{BlockKind, Content};
use super::data::{given_name, unseen_data};
use super::draft::Draft;
use super::grid;
use super::line::LineDraft;
use super::numbering;
use super::page_ways::PageWays;
use super::section::arrange;

/// How deep blocks are nested: what is deeper is a line of the block that holds it. Pages that
/// people read have some thirty levels.
const DEPTH_MAX: usize = 96;

/// The most text of a form that is there to be filled in, in bytes: labels, options and a word of
/// explanation.
const FORM_BYTES_MAX: usize = 4000;

/// The language that a page says it is in, without its region; empty if it says none.
fn language(dom: &Dom) -> &str {
    let told = dom.find(Name::HTML).and_then(|html| dom.attribute(html, Name::LANG));
    told.unwrap_or_default()
        .trim()
        .split(['-', '_'])
        .next()
        .unwrap_or_default()
}

impl Content {
    /// What a reader sees on a page.
    pub fn of(page: &Page) -> Self {
        let mut builder = Builder::new(page);
        let root = page.dom.find(Name::BODY).unwrap_or(NodeId(0));
        let mut children = builder.children(root, 0);
        if children.is_empty() && root != NodeId(0) {
            children = builder.children(NodeId(0), 0);
        }
        children.extend(unseen_data(page, &children));
        // What holds all else needs no name: the page is known by its language.
        Self::lay_out(Draft::new(BlockKind::Page, language(&page.dom).into(), root, children))
    }
}

/// Builds the content of one page.
pub(super) struct Builder<'p> {
    pub page: &'p Page,
    /// By node, whether an element that is no inline one is inside it.
    has_block: Vec<bool>,
    names: HashMap<(Name, &'p str), Rc<str>>,
    visibility: Visibility,
    role: Option<Name>,
    ways: PageWays,
}

impl<'p> Builder<'p> {
    fn new(page: &'p Page) -> Self {
        let dom = &page.dom;
        let mut has_block = vec![false; dom.len()];
        for node in dom.nodes().rev() {
            let breaks = dom.is_element(node) && (!dom.is_inline(node) && !is_void_inline(page, node));
            if (breaks || has_block[node.index()])
                && let Some(parent) = dom.parent(node)
            {
                has_block[parent.index()] = true;
            }
        }
        Self {
            page,
            has_block,
            names: HashMap::new(),
            visibility: Visibility::of(dom),
            role: dom.names().find("role"),
            ways: PageWays::of(page),
        }
    }

    /// Whether nobody sees a node, or it is there to be filled in or clicked.
    pub fn is_skipped(&self, node: NodeId) -> bool {
        let dom = &self.page.dom;
        if dom.is_unseen(node) {
            return true;
        }
        let Some(name) = dom.name(node) else { return false };
        let is_control = matches!(
            name,
            Name::NOSCRIPT
                | Name::SELECT
                | Name::OPTION
                | Name::TEXTAREA
                | Name::BUTTON
                | Name::INPUT
                | Name::NAV
                | Name::SVG
        );
        if is_control || dom.name_text(node) == "datalist" || self.ways.is_sign(node) {
            return true;
        }
        let is_navigation = || {
            let role = self.role.and_then(|role| dom.attribute(node, role));
            role == Some("navigation")
        };
        is_navigation() || self.visibility.hides(dom, node)
    }

    /// What an element is called by its mark-up: its tag, and the property that it is marked as,
    /// its first class or else its `id`, without digits.
    pub fn name(&mut self, node: NodeId) -> Rc<str> {
        let dom = &self.page.dom;
        let Some(tag) = dom.name(node) else { return "".into() };
        let class = given_name(dom, node);
        let mark = class.or_else(|| dom.attribute(node, Name::ID)).unwrap_or_default();
        if let Some(known) = self.names.get(&(tag, mark)) {
            return known.clone();
        }
        let mut name = dom.name_text(node).to_owned();
        let bare: String = mark.chars().filter(|c| !c.is_ascii_digit()).take(40).collect();
        if bare.contains(char::is_alphabetic) {
            name.push(if class.is_some() { '.' } else { '#' });
            name.push_str(&bare);
        }
        let name: Rc<str> = name.into();
        self.names.insert((tag, mark), name.clone());
        name
    }

    /// The blocks inside an element.
    pub fn children(&mut self, node: NodeId, depth: usize) -> Vec<Draft> {
        let own = self.name(node);
        let mut blocks = Vec::new();
        let mut line = LineDraft::default();
        let page = self.page;
        for child in page.dom.children(node) {
            if self.is_skipped(child) {
                continue;
            }
            if page.dom.is_html(child, Name::BR) || page.dom.is_html(child, Name::HR) {
                std::mem::take(&mut line).finish(&own, node, &mut blocks);
            } else if self.is_inline(child) || depth >= DEPTH_MAX {
                line.push(page, child, &|node| self.is_skipped(node));
            } else {
                std::mem::take(&mut line).finish(&own, node, &mut blocks);
                self.block(child, depth + 1, &mut blocks);
            }
        }
        line.finish(&own, node, &mut blocks);
        arrange(blocks)
    }

    /// Whether a node flows with the text around it, and so does all that is inside it.
    fn is_inline(&self, node: NodeId) -> bool {
        let dom = &self.page.dom;
        dom.is_text(node) || dom.is_html(node, Name::IMG) || (dom.is_inline(node) && !self.has_block[node.index()])
    }

    /// Makes blocks of an element that is no inline one.
    fn block(&mut self, node: NodeId, depth: usize, blocks: &mut Vec<Draft>) {
        let dom = &self.page.dom;
        if self.ways.is_contents(node) {
            return;
        }
        match dom.name(node) {
            Some(Name::TABLE) => blocks.extend(grid::read_table(self, node, depth)),
            Some(Name::UL | Name::OL | Name::MENU | Name::DIR) => blocks.extend(self.list(node, depth)),
            Some(Name::DL) => blocks.extend(self.definitions(node, depth)),
            Some(Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 | Name::LEGEND) => {
                blocks.extend(self.heading(node, depth));
            }
            Some(Name::FORM) if self.is_to_be_filled_in(node) => {}
            _ => blocks.extend(self.group(node, depth)),
        }
    }

    /// Whether a form is there to be filled in: it has fields, and little text beside them. Some
    /// sites put whole pages into a form.
    fn is_to_be_filled_in(&self, node: NodeId) -> bool {
        let dom = &self.page.dom;
        let mut n_bytes = 0;
        let mut has_fields = false;
        for inner in dom.subtree(node) {
            has_fields |= matches!(dom.name(inner), Some(Name::INPUT | Name::SELECT | Name::TEXTAREA));
            n_bytes += if dom.is_text(inner) {
                dom.text(inner).trim().len()
            } else {
                0
            };
        }
        has_fields && n_bytes <= FORM_BYTES_MAX
    }

    /// A group, or what is inside it if that is one block.
    fn group(&mut self, node: NodeId, depth: usize) -> Option<Draft> {
        let mut children = self.children(node, depth);
        self.link_all(node, &mut children);
        let name = self.name(node);
        match children.len() {
            0 => None,
            1 => Some(renamed(children.pop()?, name)),
            _ => Some(Draft::new(BlockKind::Group, name, node, children)),
        }
    }

    /// Gives the link that an element is to the first line inside it that has none.
    fn link_all(&mut self, node: NodeId, children: &mut [Draft]) {
        let dom = &self.page.dom;
        let href = dom
            .is_html(node, Name::A)
            .then(|| dom.attribute(node, Name::HREF))
            .flatten();
        let Some(url) = href.and_then(|href| super::line::address(self.page, href)) else {
            return;
        };
        if let Some(line) = first_line(children) {
            let end = line.text.len();
            line.marks.insert(
                0,
                super::draft::DraftMark {
                    kind: super::block::MarkKind::Link,
                    start: 0,
                    end,
                    url,
                    source: node,
                },
            );
        }
    }

    fn list(&mut self, node: NodeId, depth: usize) -> Option<Draft> {
        let name = self.name(node);
        let mut items = Vec::new();
        let page = self.page;
        for child in page.dom.children(node).filter(|&child| page.dom.is_element(child)) {
            if self.is_skipped(child) {
                continue;
            }
            let children = match self.is_inline(child) {
                true => {
                    let mut line = LineDraft::default();
                    line.push(page, child, &|node| self.is_skipped(node));
                    let mut blocks = Vec::new();
                    line.finish(&self.name(child), child, &mut blocks);
                    blocks
                }
                false => self.children(child, depth + 1),
            };
            if !children.is_empty() {
                items.push(Draft::new(BlockKind::Item, self.name(child), child, children));
            }
        }
        (!items.is_empty()).then(|| Draft::new(BlockKind::List, name, node, items))
    }

    /// A definition list: a pair for each term.
    fn definitions(&mut self, node: NodeId, depth: usize) -> Option<Draft> {
        let mut pairs = Vec::new();
        self.terms(node, depth, &mut pairs);
        let name = self.name(node);
        (!pairs.is_empty()).then(|| Draft::new(BlockKind::Group, name, node, pairs))
    }

    fn terms(&mut self, node: NodeId, depth: usize, pairs: &mut Vec<Draft>) {
        let page = self.page;
        for child in page.dom.children(node).filter(|&child| page.dom.is_element(child)) {
            if self.is_skipped(child) {
                continue;
            }
            match page.dom.name(child) {
                Some(Name::DT) => pairs.extend(self.term(child)),
                Some(Name::DD) => {
                    let blocks = self.children(child, depth + 1);
                    let name = self.name(child);
                    let value = match blocks.len() {
                        0 => continue,
                        1 => blocks,
                        _ => vec![Draft::new(BlockKind::Group, name, child, blocks)],
                    };
                    match pairs.last_mut() {
                        Some(pair) if pair.kind == BlockKind::Pair => pair.children.extend(value),
                        _ => pairs.extend(value),
                    }
                }
                // Terms may stand in groups.
                Some(Name::DIV) if depth < DEPTH_MAX => self.terms(child, depth + 1, pairs),
                _ => pairs.extend(self.group(child, depth + 1)),
            }
        }
    }

    /// A pair that has its label so far.
    fn term(&mut self, node: NodeId) -> Option<Draft> {
        let line = self.one_line(node)?;
        let name = self.name(node);
        Some(Draft::new(BlockKind::Pair, name, node, vec![line.into_label()]))
    }

    /// All that is inside an element as one line.
    pub fn one_line(&mut self, node: NodeId) -> Option<Draft> {
        let mut line = LineDraft::default();
        line.push(self.page, node, &|node| self.is_skipped(node));
        let mut blocks = Vec::new();
        line.finish(&self.name(node), node, &mut blocks);
        blocks.into_iter().next().filter(|draft| !draft.text.is_empty())
    }

    fn heading(&mut self, node: NodeId, depth: usize) -> Vec<Draft> {
        // A heading that holds more than a line is a group with a heading in it, such as a title
        // beside a form.
        let rank = match self.page.dom.name(node) {
            Some(Name::H1) => 1,
            Some(Name::H2) => 2,
            Some(Name::H3) => 3,
            Some(Name::H4) => 4,
            Some(Name::H5) => 5,
            _ => 6,
        };
        if self.has_block[node.index()] {
            let mut blocks = self.children(node, depth);
            if let Some(line) = blocks.iter_mut().find(|block| block.kind == BlockKind::Line) {
                (line.kind, line.rank) = (BlockKind::Heading, rank);
            }
            return blocks;
        }
        let Some(mut line) = self.one_line(node) else {
            return self.children(node, depth);
        };
        numbering::leave_out_number(&mut line);
        (line.kind, line.rank) = (BlockKind::Heading, rank);
        let tag = self.page.dom.name_text(node);
        let class = given_name(&self.page.dom, node);
        line.name = match class {
            Some(class) => format!("{tag}.{}", class.replace(|c: char| c.is_ascii_digit(), "")).into(),
            None => tag.into(),
        };
        vec![line]
    }
}

/// A block that is alone in a group, with the name of the group if that says more.
fn renamed(mut block: Draft, outer: Rc<str>) -> Draft {
    let is_told = |name: &str| name.contains(['.', '#']);
    let takes = matches!(
        block.kind,
        BlockKind::Line | BlockKind::Group | BlockKind::List | BlockKind::Grid | BlockKind::Picture
    );
    if takes && (!is_told(&block.name) || block.kind == BlockKind::Line && is_told(&outer)) && is_told(&outer) {
        block.name = outer;
    }
    block
}

/// The first line or picture among blocks and inside them.
fn first_line(blocks: &mut [Draft]) -> Option<&mut Draft> {
    blocks.iter_mut().find_map(|block| match block.kind {
        BlockKind::Line | BlockKind::Heading | BlockKind::Picture => Some(block),
        _ => first_line(&mut block.children),
    })
}

/// Whether an element is part of a line though it is not among the inline ones: a picture, or
/// something that shows nothing.
fn is_void_inline(page: &Page, node: NodeId) -> bool {
    page.dom.is_html(node, Name::IMG) || page.dom.is_unseen(node) || page.dom.is_html(node, Name::INPUT)
}
