//! Items: what a record shows, piece by piece.
//!
//! In: the nodes of a record. Out: its texts, links and pictures in document order. A text runs
//! over inline mark-up, as a reader sees it, and ends where a block, a line break or a picture
//! stands; its place is the element that holds all of it. What sets a value apart inside a line
//! ends a text, too; dashes, commas and brackets between them are no texts (`line.rs`). Links and
//! pictures give their addresses.

use super::emphasis::Emphasis;
use super::line::{Segment, joined};
use super::outline::Outline;
use super::table_grid::TableGrid;
use crate::page::{Name, NodeId, Page};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    /// Text that is shown.
    Text,
    /// Where a link leads.
    Link,
    /// Where a picture lies.
    Image,
}

/// One thing that a record shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where in the record it stands: the steps from the record's root, with classes, as a number.
    pub place: u64,
    /// The same without classes.
    pub tag_place: u64,
    /// The text or the address.
    pub value: String,
    /// The element that holds it.
    pub node: NodeId,
    /// The column of the HTML table that it stands in, if the record is a row of one.
    pub grid_column: Option<usize>,
}

/// How many items of one record are told apart; the rest is left out.
const ITEMS_MAX: usize = 400;

/// What items are read from.
pub struct ItemSource<'a> {
    /// The outline of the page.
    pub outline: &'a Outline<'a>,
    /// The page.
    pub page: &'a Page,
    /// The inline elements that text runs through.
    pub emphasis: &'a Emphasis,
    /// The table that the records are rows of, if they are.
    pub grid: Option<&'a TableGrid>,
}

/// The items of a record, in document order; `left_out` are subtrees that are no part of it.
pub fn items(source: &ItemSource<'_>, nodes: &[NodeId], left_out: &[NodeId]) -> Vec<Item> {
    let outline = source.outline;
    let mut walk = Walk {
        source,
        left_out,
        items: Vec::new(),
        run: Vec::new(),
        line: Vec::new(),
        root: NodeId::DOCUMENT,
        root_place: AT_ROOT,
        grid_column: None,
        places: Vec::new(),
    };
    if let Some(cells) = source.grid.and_then(|grid| grid.rows.get(&nodes[0])) {
        walk.cells(cells);
        return walk.items;
    }
    for &node in nodes {
        // A link that is a node of the record is a text of its own, whatever stands beside it.
        let is_block = !is_flowing(outline, node);
        let is_apart = is_block || outline.dom.is_html(node, Name::A);
        if is_apart {
            walk.end(is_block);
        }
        let tag = outline.tag_step[node.index()];
        walk.subtree(node, AT_ROOT.step(tag, tag));
        if is_apart {
            walk.end(is_block);
        }
    }
    walk.end_line();
    walk.items.truncate(ITEMS_MAX);
    walk.items
}

fn is_flowing(outline: &Outline<'_>, node: NodeId) -> bool {
    outline.dom.is_text(node) || outline.is_inline[node.index()]
}

struct Walk<'a> {
    source: &'a ItemSource<'a>,
    left_out: &'a [NodeId],
    items: Vec<Item>,
    /// The text nodes of the run that is open, blank ones and line breaks too, each with its place.
    run: Vec<(NodeId, ItemPosition)>,
    /// The texts of the line so far.
    line: Vec<Segment>,
    /// The node of the record that is being walked, and the places of all nodes below it.
    root: NodeId,
    root_place: ItemPosition,
    grid_column: Option<usize>,
    places: Vec<ItemPosition>,
}

/// Where something stands below the record's root.
#[derive(Debug, Clone, Copy)]
struct ItemPosition {
    with_classes: u64,
    tags: u64,
}

/// The step of a table's first column; no tag has so large a number.
const COLUMN_STEP: u32 = 1 << 30;

const AT_ROOT: ItemPosition = ItemPosition {
    with_classes: 1,
    tags: 1,
};

impl ItemPosition {
    fn step(self, class_step: u32, tag_step: u32) -> Self {
        Self {
            with_classes: mix(self.with_classes, class_step),
            tags: mix(self.tags, tag_step),
        }
    }
}

fn mix(above: u64, step: u32) -> u64 {
    (above ^ u64::from(step))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
}

impl Walk<'_> {
    /// Walks the cells of a table's row. Their columns are their places, whatever their classes.
    fn cells(&mut self, cells: &[(NodeId, usize)]) {
        for &(cell, column) in cells {
            self.grid_column = Some(column);
            let step = COLUMN_STEP + column as u32;
            let first = self.items.len();
            self.subtree(cell, AT_ROOT.step(step, step));
            self.end_line();
            self.place_by_order(first, step);
        }
        self.items.truncate(ITEMS_MAX);
    }

    /// Places the items of one cell by their order in it: a name is in one column, whether it is a
    /// link or not.
    fn place_by_order(&mut self, first: usize, column_step: u32) {
        let mut counts = [0; 3];
        for item in &mut self.items[first..] {
            let count = &mut counts[item.kind as usize];
            *count += 1;
            let place = mix(mix(u64::from(column_step), item.kind as u32), *count);
            (item.place, item.tag_place) = (place, place);
        }
    }

    fn subtree(&mut self, root: NodeId, root_place: ItemPosition) {
        let (outline, dom) = (self.source.outline, self.source.outline.dom);
        (self.root, self.root_place) = (root, root_place);
        self.places.clear();
        self.places.resize((dom.subtree_end(root).0 - root.0) as usize, AT_ROOT);
        // Elements that texts end with, and whether lines do.
        let mut open: Vec<(NodeId, bool)> = Vec::new();
        let mut at = root;
        while at < dom.subtree_end(root) {
            while let Some((_, is_block)) = open.pop_if(|(node, _)| dom.subtree_end(*node) <= at) {
                self.end(is_block);
            }
            if self.left_out.binary_search(&at).is_ok() {
                self.end_line();
                at = dom.subtree_end(at);
                continue;
            }
            let place = self.place_at(at);
            self.places[(at.0 - root.0) as usize] = place;
            let is_blank = dom.is_text(at) && dom.text(at).trim().is_empty();
            if dom.is_text(at) && (outline.is_shown[at.index()] || is_blank && !self.run.is_empty()) {
                self.run.push((at, place));
            } else if let Some(last) = self.line.last_mut().filter(|_| is_blank) {
                last.is_blank_after = true;
            } else if outline.is_shown[at.index()] && dom.is_element(at) {
                if dom.is_html(at, Name::BR) && !self.run.is_empty() && self.source.emphasis.joins(outline, at) {
                    self.run.push((at, place));
                } else if !self.source.emphasis.joins(outline, at) {
                    let is_block = !outline.is_inline[at.index()];
                    if !self.source.emphasis.leads_to(outline, at) {
                        self.end(is_block);
                    }
                    open.push((at, is_block));
                }
                self.push_address(at, place);
            }
            at = NodeId(at.0 + 1);
        }
        while let Some((_, is_block)) = open.pop() {
            self.end(is_block);
        }
    }

    /// Ends the text that is open, and the line where a block begins or ends.
    fn end(&mut self, is_block: bool) {
        match is_block {
            true => self.end_line(),
            false => self.end_run(),
        }
    }

    /// Makes items of the texts of a line.
    fn end_line(&mut self) {
        self.end_run();
        let texts = joined(std::mem::take(&mut self.line));
        for (number, (at, item)) in texts.into_iter().enumerate() {
            self.items.insert(at + number, item);
        }
    }

    /// The place of a node. The root's own classes do not count: they often tell records of one
    /// list apart.
    fn place_at(&self, node: NodeId) -> ItemPosition {
        if node == self.root {
            return self.root_place;
        }
        let outline = self.source.outline;
        let parent = outline.dom.parent(node).unwrap_or(self.root);
        let above = self.places[(parent.0 - self.root.0) as usize];
        match outline.is_transparent[node.index()] {
            true => above,
            false => above.step(outline.class_step[node.index()], outline.tag_step[node.index()]),
        }
    }

    fn push_address(&mut self, node: NodeId, place: ItemPosition) {
        let dom = self.source.outline.dom;
        let (kind, attribute) = match dom.name(node) {
            Some(Name::A) => (ItemKind::Link, Name::HREF),
            Some(Name::IMG) => (ItemKind::Image, Name::SRC),
            _ => return,
        };
        let value = dom.attribute(node, attribute).unwrap_or("").trim();
        if value.is_empty() {
            return;
        }
        let value = self
            .source
            .page
            .resolve(value)
            .map_or_else(|| value.to_owned(), String::from);
        self.items.push(Item {
            kind,
            place: mix(place.with_classes, kind as u32 + 1),
            tag_place: mix(place.tags, kind as u32 + 1),
            value,
            node,
            grid_column: self.grid_column,
        });
    }

    /// Makes a text of the line of the run that is open.
    fn end_run(&mut self) {
        let dom = self.source.outline.dom;
        let run = std::mem::take(&mut self.run);
        let shown: Vec<&(NodeId, ItemPosition)> = run
            .iter()
            .filter(|(node, _)| self.source.outline.is_shown[node.index()] && dom.is_text(*node))
            .collect();
        let (Some((first, first_place)), Some((last, _))) = (shown.first(), shown.last()) else {
            return;
        };
        let mut value = String::new();
        let mut is_apart = false;
        for &(text, _) in &run {
            let piece = if dom.is_text(text) { dom.text(text) } else { " " };
            let trimmed = piece.trim();
            is_apart |= piece.starts_with(char::is_whitespace);
            if !trimmed.is_empty() {
                if is_apart && !value.is_empty() {
                    value.push(' ');
                }
                let mut words = trimmed.split_whitespace();
                value.push_str(words.next().unwrap_or(""));
                for word in words {
                    value.push(' ');
                    value.push_str(word);
                }
                is_apart = false;
            }
            is_apart |= piece.ends_with(char::is_whitespace);
        }
        let holder = dom
            .ancestors(*first)
            .find(|&node| dom.contains(node, *last))
            .unwrap_or(*first);
        let is_below = self.root <= holder && dom.contains(self.root, holder);
        let place = match (is_below, first == last) {
            (true, _) => self.places[(holder.0 - self.root.0) as usize],
            (false, true) => *first_place,
            (false, false) => AT_ROOT,
        };
        let item = Item {
            kind: ItemKind::Text,
            place: place.with_classes,
            tag_place: place.tags,
            value,
            node: holder,
            grid_column: self.grid_column,
        };
        let is_blank = |text: Option<&(NodeId, ItemPosition)>, is: fn(&str) -> bool| {
            text.is_some_and(|(text, _)| !dom.is_text(*text) || is(dom.text(*text)))
        };
        self.line.push(Segment {
            item,
            at: self.items.len(),
            is_blank_before: is_blank(run.first(), |text| text.starts_with(char::is_whitespace)),
            is_blank_after: is_blank(run.last(), |text| text.ends_with(char::is_whitespace)),
        });
    }
}
