//! Column names: what to call a column, from what the page says.
//!
//! In: the items of a column. Out: a name. In this order: the heading of the table's column, what
//! the mark-up calls the property (`itemprop`), the label that stands before the values or that
//! they begin with, the class of the nearest element that has one, and else what the values are:
//! `text`, `link`, `image`. Names that occur twice get a number.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::FixedState;

use super::item::{Item, ItemKind};
use super::outline::Outline;
use super::table_grid::TableGrid;
use crate::page::{Name, NodeId};

/// What is known of a column before it has a name.
pub struct Unnamed<'a> {
    /// Its items, one or none for each record.
    pub items: Vec<Option<&'a Item>>,
    /// The text that stands before each of its values, the same in all records.
    pub label: Option<String>,
    /// The nodes of the records' roots; no class above them says anything of a column.
    pub roots: &'a [Vec<NodeId>],
}

/// How long a name may be.
const NAME_MAX: usize = 40;

/// The name of a column, not yet unlike the others, and whether the page says it.
pub fn name_of(outline: &Outline<'_>, grid: Option<&TableGrid>, column: &Unnamed<'_>) -> (String, bool) {
    let first = column.items.iter().flatten().next();
    let Some(first) = first else {
        return ("text".to_owned(), false);
    };
    let suffix = match first.kind {
        ItemKind::Text => "",
        ItemKind::Link => "_link",
        ItemKind::Image => "_image",
    };
    let heading = first.grid_column.zip(grid).and_then(|(at, grid)| grid.headings.get(at));
    let said = heading
        .filter(|heading| !heading.is_empty())
        .cloned()
        .or_else(|| property(outline, first.node))
        .or_else(|| column.label.as_deref().map(clean_label))
        .or_else(|| common_label(column))
        .or_else(|| class_name(outline, column, first));
    match said.filter(|said| !said.is_empty()) {
        Some(said) => (format!("{}{suffix}", cut(&said)), true),
        None => {
            let kind = match first.kind {
                ItemKind::Text if is_in_link(outline, first.node) => "title",
                ItemKind::Text => "text",
                ItemKind::Link => "link",
                ItemKind::Image => "image",
            };
            (kind.to_owned(), false)
        }
    }
}

/// How far up the place of a column is looked at.
const PLACE_DEPTH: usize = 12;

/// Where in a record the first item of a column stands, as a number that does not depend on the
/// page: its column of a table, or the tags and classes from it up to the record.
pub fn place_of(outline: &Outline<'_>, column: &Unnamed<'_>) -> u64 {
    let dom = outline.dom;
    let mut hasher = FixedState::with_seed(0x706c_6163).build_hasher();
    let Some(first) = column.items.iter().flatten().next() else {
        return 0;
    };
    (first.kind as u32, first.grid_column).hash(&mut hasher);
    if first.grid_column.is_none() {
        let is_root = |node: &NodeId| column.roots.iter().any(|roots| roots.contains(node));
        let above = std::iter::once(first.node).chain(dom.ancestors(first.node));
        for node in above.take_while(|node| !is_root(node)).take(PLACE_DEPTH) {
            (dom.name_text(node), dom.attribute(node, Name::CLASS)).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Makes names unlike each other, whatever their case: `price`, `price_2`.
pub fn told_apart(names: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String, FixedState> = HashSet::default();
    let given: HashSet<String, FixedState> = names.iter().map(|name| name.to_lowercase()).collect();
    names
        .into_iter()
        .map(|name| {
            let mut told = name.clone();
            let mut number = 1;
            while taken.contains(&told.to_lowercase()) || number > 1 && given.contains(&told.to_lowercase()) {
                number += 1;
                told = format!("{name}_{number}");
            }
            taken.insert(told.to_lowercase());
            told
        })
        .collect()
}

fn is_in_link(outline: &Outline<'_>, node: NodeId) -> bool {
    let dom = outline.dom;
    std::iter::once(node)
        .chain(dom.ancestors(node))
        .take(3)
        .any(|node| dom.is_html(node, Name::A))
}

fn cut(name: &str) -> String {
    name.chars().take(NAME_MAX).collect::<String>().trim().to_owned()
}

fn property(outline: &Outline<'_>, node: NodeId) -> Option<String> {
    let value = outline.dom.attribute(node, Name::ITEMPROP)?;
    value.split_ascii_whitespace().next().map(str::to_owned)
}

fn clean_label(label: &str) -> String {
    label.trim().trim_end_matches([':', '-', ' ']).trim().to_lowercase()
}

/// The words before a colon that all values begin with.
fn common_label(column: &Unnamed<'_>) -> Option<String> {
    let mut labels = column.items.iter().flatten().map(|item| {
        let (label, _) = item.value.split_once(':')?;
        (label.len() <= NAME_MAX && label.contains(char::is_alphabetic)).then_some(label)
    });
    let first = labels.next()??;
    let is_common = column.items.iter().flatten().count() > 1 && labels.all(|label| label == Some(first));
    (is_common && !first.starts_with("http")).then(|| clean_label(first))
}

/// The class of the nearest element below the record's root that has one.
fn class_name(outline: &Outline<'_>, column: &Unnamed<'_>, item: &Item) -> Option<String> {
    let dom = outline.dom;
    let is_root = |node: &NodeId| column.roots.iter().any(|roots| roots.contains(node));
    std::iter::once(item.node)
        .chain(dom.ancestors(item.node))
        .take_while(|node| !is_root(node))
        .take(3)
        .find_map(|node| {
            let classes = dom.attribute(node, Name::CLASS)?;
            let word = classes.split_ascii_whitespace().find(|word| is_telling(word))?;
            Some(word.to_ascii_lowercase().replace('-', "_"))
        })
}

/// Whether a class may be a name: letters, and not made by a program.
fn is_telling(class: &str) -> bool {
    let n_letters = class.chars().filter(char::is_ascii_alphabetic).count();
    n_letters >= 3 && n_letters * 10 >= class.chars().count() * 8
}
