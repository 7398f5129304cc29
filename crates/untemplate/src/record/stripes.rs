//! Stripes: classes that take turns from neighbour to neighbour, as the colours of a table's rows
//! do.
//!
//! In: a tree. Out: the words of its classes that tell where in a list something stands, not what
//! it is. What every cell of a row has counts for the row. A word is a stripe where neighbours of
//! one tag have it and lack it in turn, one by one or in runs of one length, and neighbours with
//! and without it are as alike as those that both have it: a row of titles and the row of text
//! below it take turns, too, and differ.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;

use super::outline::class_words;
use crate::page::{Dom, Name, NodeId};

/// The fewest runs that take turns: two with a word and two without it.
const RUNS_MIN: usize = 4;

/// The longest run of rows of one colour: a record is rarely made of more.
const RUN_MAX: usize = 4;

/// The share of runs that have the common length, at least: an advertisement or a heading may stand
/// between rows. Set by hand.
const STEADY_SHARE: f64 = 0.8;

/// By how much neighbours of two colours may be less alike than those of one. Set by hand: lists of
/// four rows differ by chance.
const LIKENESS_LOSS: f64 = 0.15;

/// The words of classes by number.
struct ClassWords<'a> {
    numbers: HashMap<String, u32, FixedState>,
    of_values: HashMap<&'a str, Vec<u32>, FixedState>,
}

impl<'a> ClassWords<'a> {
    fn of(&mut self, dom: &'a Dom, node: NodeId) -> Vec<u32> {
        let Some(value) = dom.attribute(node, Name::CLASS) else {
            return Vec::new();
        };
        let numbers = &mut self.numbers;
        let words = self.of_values.entry(value).or_insert_with(|| {
            let number = |word: String| {
                let next = numbers.len() as u32;
                *numbers.entry(word).or_insert(next)
            };
            class_words(value).map(number).collect()
        });
        words.clone()
    }
}

/// The words of a page's classes that are stripes.
pub fn stripes(dom: &Dom, is_shown: &[bool]) -> HashSet<String, FixedState> {
    let mut words = ClassWords {
        numbers: HashMap::default(),
        of_values: HashMap::default(),
    };
    // By word, in how many nodes it takes turns, and in how many families of neighbours it does
    // not.
    let mut turns: HashMap<u32, (usize, usize), FixedState> = HashMap::default();
    for parent in dom.nodes().filter(|node| is_shown[node.index()]) {
        for family in families(dom, is_shown, parent) {
            let own: Vec<Vec<u32>> = family
                .iter()
                .map(|&node| lifted(&mut words, dom, node, LIFT_DEPTH))
                .collect();
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            own.iter()
                .flatten()
                .for_each(|&word| *counts.entry(word).or_default() += 1);
            // What all of them have says nothing here: it may be lifted to the parent.
            for (word, count) in counts.into_iter().filter(|(_, count)| *count < family.len()) {
                let has: Vec<bool> = own.iter().map(|own| own.contains(&word)).collect();
                let takes_turns = run_length(&has).is_some_and(|length| are_alike(dom, is_shown, &family, length));
                let (with, without) = turns.entry(word).or_default();
                match takes_turns {
                    true => *with += count,
                    false => *without += count,
                }
            }
        }
    }
    let is_stripe = |number: &u32| turns.get(number).is_some_and(|(with, without)| with > without);
    let found = words.numbers.into_iter().filter(|(_, number)| is_stripe(number));
    found.map(|(word, _)| word).collect()
}

/// The children of a node that say something, by tag, where there are enough of one tag to take
/// turns.
fn families(dom: &Dom, is_shown: &[bool], parent: NodeId) -> Vec<Vec<NodeId>> {
    let mut by_tag: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for child in dom.children(parent).filter(|child| is_shown[child.index()]) {
        if let Some(name) = dom.name(child) {
            by_tag.entry(name.index()).or_default().push(child);
        }
    }
    by_tag.into_values().filter(|family| family.len() >= RUNS_MIN).collect()
}

/// How far down the words that all elements of a node have are looked for: the cells of a table
/// that is one record.
const LIFT_DEPTH: usize = 4;

/// The words of a node's classes, and those that all elements in it have, by themselves or by all
/// that they hold.
fn lifted<'a>(words: &mut ClassWords<'a>, dom: &'a Dom, node: NodeId, depth: usize) -> Vec<u32> {
    let mut all = words.of(dom, node);
    let mut common: Option<Vec<u32>> = None;
    if depth > 0 {
        for child in dom.children(node).filter(|&child| dom.is_element(child)) {
            let own = lifted(words, dom, child, depth - 1);
            match &mut common {
                None => common = Some(own),
                Some(common) => common.retain(|word| own.contains(word)),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
    }
    all.extend(common.unwrap_or_default());
    all.sort_unstable();
    all.dedup();
    all
}

/// How long the runs are in which neighbours have a word and lack it in turn, if they do.
fn run_length(has: &[bool]) -> Option<usize> {
    let runs: Vec<usize> = has.chunk_by(|one, other| one == other).map(<[bool]>::len).collect();
    if runs.len() < RUNS_MIN {
        return None;
    }
    // The outermost runs may be cut off, or go on with other things.
    let inner = &runs[1..runs.len() - 1];
    let n_of = |length: usize| inner.iter().filter(|&&run| run == length).count();
    let length = (1..=RUN_MAX).max_by_key(|&length| (n_of(length), std::cmp::Reverse(length)))?;
    (n_of(length) as f64 >= STEADY_SHARE * inner.len() as f64).then_some(length)
}

/// Whether neighbours that are one run apart are as alike as those that are two runs apart, which
/// have the same colour.
fn are_alike(dom: &Dom, is_shown: &[bool], family: &[NodeId], length: usize) -> bool {
    let contents: Vec<Contents> = family.iter().map(|&node| Contents::of(dom, is_shown, node)).collect();
    let likeness = |apart: usize| {
        let pairs = contents.iter().zip(contents.iter().skip(apart));
        let (mut sum, mut number) = ((0.0, 0.0), 0.0);
        for (one, other) in pairs {
            let own = one.likeness(other);
            sum = (sum.0 + own.0, sum.1 + own.1);
            number += 1.0;
        }
        (sum.0 / f64::max(number, 1.0), sum.1 / f64::max(number, 1.0))
    };
    let (other_colour, same_colour) = (likeness(length), likeness(2 * length));
    other_colour.0 >= same_colour.0 - LIKENESS_LOSS && other_colour.1 >= same_colour.1 - LIKENESS_LOSS
}

/// What a node holds, classes aside.
struct Contents {
    /// The tags below it, sorted; texts are the last of them.
    tags: Vec<usize>,
    /// Characters of text.
    text: usize,
}

impl Contents {
    fn of(dom: &Dom, is_shown: &[bool], root: NodeId) -> Self {
        let (mut tags, mut text) = (Vec::new(), 0);
        for node in dom.subtree(root).filter(|node| is_shown[node.index()]) {
            if dom.is_text(node) {
                text += dom.text(node).trim().len();
            }
            tags.push(dom.name(node).map_or(usize::MAX, Name::index));
        }
        tags.sort_unstable();
        Self { tags, text }
    }

    /// How alike the tags of two nodes are, and how alike the lengths of their texts, from 0 to 1.
    fn likeness(&self, other: &Self) -> (f64, f64) {
        let (mut i, mut j, mut common) = (0, 0, 0);
        while i < self.tags.len() && j < other.tags.len() {
            match self.tags[i].cmp(&other.tags[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
            }
        }
        let tags = 2.0 * f64::from(common) / (self.tags.len() + other.tags.len()).max(1) as f64;
        let (less, more) = (self.text.min(other.text), self.text.max(other.text));
        (tags, (less + 1) as f64 / (more + 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};
    use crate::record::outline::Outline;

    /// The stripes of a table whose rows are made alike, by their number.
    fn check_stripes(row: impl Fn(usize) -> String, expected: &[&str]) {
        let rows: String = (0..8).map(row).collect();
        let url = "http://list.example/".parse().expect("a good address");
        let html = format!("<table>{rows}</table>");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let outline = Outline::of(&page.dom);
        let mut found: Vec<String> = stripes(&page.dom, &outline.is_shown).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn colours_of_rows_are_stripes() {
        let colour = |at: usize| if at.is_multiple_of(2) { "light" } else { "dark" };
        check_stripes(
            |at| format!("<tr class='{} hit'><td>Ada {at}</td></tr>", colour(at)),
            &["dark", "light"],
        );
        // Those of all cells of a row, and of the rows of records that are made of two.
        check_stripes(
            |at| format!("<tr><td class={0}>Ada</td><td class={0}>{at}</td></tr>", colour(at)),
            &["dark", "light"],
        );
        check_stripes(
            |at| format!("<tr class={}><td>Ada {at}</td></tr>", colour(at / 2)),
            &["dark", "light"],
        );
        // One colour alone.
        check_stripes(
            |at| match at % 2 {
                0 => format!("<tr><td>Ada {at}</td></tr>"),
                _ => format!("<tr class=shaded><td>Ada {at}</td></tr>"),
            },
            &["shaded"],
        );
    }

    #[test]
    fn parts_of_records_are_no_stripes() {
        check_stripes(
            |at| match at % 2 {
                0 => format!("<tr class=title><td><a href='/{at}'>Ada {at}</a></td></tr>"),
                _ => format!("<tr class=text><td>She wrote of engines, and of number {at}</td></tr>"),
            },
            &[],
        );
        // Nor kinds of records that come as they like.
        check_stripes(
            |at| {
                format!(
                    "<tr class={}><td>Ada {at}</td></tr>",
                    if at % 3 == 0 { "new" } else { "old" }
                )
            },
            &[],
        );
    }
}
