//! Emphasis: which inline elements are part of a sentence, and which set a value apart.
//!
//! In: the nodes of all records of a list. Out: the kinds of inline elements that text runs
//! through. A reader cannot tell `by <a>Ada</a>` from `the <span>cup</span> final` by the mark-up;
//! the list can. A word that is marked because it was searched for stands in running text, and
//! occurs once here, thrice there and elsewhere not at all, or between other words each time. A
//! value of a field occurs as often in each record, and its neighbours are the template's words. A
//! line break, too, may stand anywhere in a text: where most of a kind come in the middle of
//! sentences, lines are only wrapped.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use super::outline::Outline;
use crate::page::{Name, NodeId};

/// The kinds of inline elements, by their step with classes, that text runs through in one list.
pub struct Emphasis {
    steps: HashSet<u32, FixedState>,
    /// The kinds of elements in which line breaks only wrap text.
    wrapped: HashSet<u32, FixedState>,
    /// What elements of half of the records say, as buttons do, as hashes.
    constant: HashSet<u64, FixedState>,
}

/// How often a kind of element occurs in the records of a list.
#[derive(Debug, Clone, Default)]
struct Occurrences {
    sets_apart: bool,
    /// For each record that has it in running text, how often.
    in_text: BTreeMap<usize, usize>,
    n_in_text: usize,
    n_all: usize,
    /// Of those with words on both sides, the last word before and the first after.
    between: Vec<(String, String)>,
}

impl Emphasis {
    /// Compares the records of a list.
    pub fn of(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Self {
        let mut kinds: BTreeMap<u32, Occurrences> = BTreeMap::new();
        // By what is said, how many records say it, and the last of them, counted from 1.
        let mut said: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
        for (number, nodes) in records.iter().enumerate() {
            for node in nodes.iter().flat_map(|&node| outline.dom.subtree(node)) {
                if !outline.is_shown[node.index()] || !outline.is_inline[node.index()] {
                    continue;
                }
                let kind = kinds.entry(outline.class_step[node.index()]).or_default();
                kind.sets_apart = sets_apart(outline, node);
                kind.n_all += 1;
                let (n_records, last) = said.entry(text_hash(outline, node)).or_default();
                *n_records += usize::from(*last != number + 1);
                *last = number + 1;
                kind.between.extend(words_around(outline, node));
                if is_in_text(outline, node) {
                    kind.n_in_text += 1;
                    *kind.in_text.entry(number).or_default() += 1;
                }
            }
        }
        let steps = kinds
            .into_iter()
            .filter(|(_, kind)| kind.is_emphasis(records.len()))
            .map(|(step, _)| step);
        let constant = said.into_iter().filter(|(_, (n, _))| *n > 2 && 2 * n >= records.len());
        Self {
            steps: steps.collect(),
            constant: constant.map(|(text, _)| text).collect(),
            wrapped: wrapped_kinds(outline, records),
        }
    }

    /// Whether text runs on into an element and out of it again.
    pub fn joins(&self, outline: &Outline<'_>, node: NodeId) -> bool {
        let dom = outline.dom;
        if dom.is_html(node, Name::BR) {
            let parent = dom.parent(node).unwrap_or(node);
            return self.wrapped.contains(&outline.class_step[parent.index()]) || is_in_name(outline, node);
        }
        let follows_connector = || text_before(outline, node).is_some_and(is_connector);
        outline.is_inline[node.index()]
            && !begins_apart(outline, node)
            && (self.steps.contains(&outline.class_step[node.index()]) || follows_connector())
    }
}

impl Emphasis {
    /// Whether what is said before an element in its line leads to it: `asked <time>`,
    /// `Sold by <a>`. Text that follows the element is something else.
    pub fn leads_to(&self, outline: &Outline<'_>, node: NodeId) -> bool {
        let dom = outline.dom;
        if begins_apart(outline, node) {
            return false;
        }
        let mut at = node;
        while outline.is_inline[at.index()] && !self.constant.contains(&text_hash(outline, at)) {
            if let Some(before) = text_before(outline, at) {
                return before.contains(char::is_alphanumeric);
            }
            match dom.parent(at) {
                Some(parent) if parent.0 + 1 == at.0 => at = parent,
                _ => return false,
            }
        }
        false
    }
}

/// A number for the text of an element.
fn text_hash(outline: &Outline<'_>, root: NodeId) -> u64 {
    let mut hasher = FixedState::with_seed(1).build_hasher();
    let texts = outline.dom.subtree(root).filter(|&node| outline.dom.is_text(node));
    texts.for_each(|node| hasher.write(outline.dom.text(node).trim().as_bytes()));
    hasher.finish()
}

impl Occurrences {
    fn is_emphasis(&self, n_records: usize) -> bool {
        let is_mostly_in_text = self.n_in_text * 2 > self.n_all;
        let mut by_count: BTreeMap<usize, usize> = BTreeMap::new();
        for &count in self.in_text.values() {
            *by_count.entry(count).or_default() += 1;
        }
        by_count.insert(0, n_records - self.in_text.len());
        let most = by_count.keys().max().copied().unwrap_or(0);
        let n_mode = by_count.values().max().copied().unwrap_or(0);
        // A field that some records lack is there once or not at all.
        let is_steady = most < 2 || n_mode * 10 >= n_records * STEADY_TENTHS;
        match self.sets_apart {
            true => is_mostly_in_text && !is_steady || self.is_between_words(),
            false => true,
        }
    }

    /// Whether most stand between words, and other words each time.
    fn is_between_words(&self) -> bool {
        let varies = |words: HashSet<&String, FixedState>| 2 * words.len() > self.between.len();
        let is_mostly = 2 * self.between.len() > self.n_all && self.between.len() >= BETWEEN_MIN;
        let (before, after) = self.between.iter().map(|(before, after)| (before, after)).unzip();
        is_mostly && varies(before) && varies(after)
    }
}

/// The fewest elements between words that tell whether the words are the template's.
const BETWEEN_MIN: usize = 3;

/// The kinds of elements in which most line breaks stand in the middle of a sentence: after a long
/// line that no sign ends, and before a small letter.
fn wrapped_kinds(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> HashSet<u32, FixedState> {
    let dom = outline.dom;
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for nodes in records {
        let (mut before, mut line_bytes, mut open) = ("", 0, Vec::new());
        for node in nodes.iter().flat_map(|&node| dom.subtree(node)) {
            if !outline.is_shown[node.index()] {
                continue;
            }
            if dom.is_html(node, Name::BR) {
                let parent = dom.parent(node).unwrap_or(node);
                open.push(outline.class_step[parent.index()]);
            } else if dom.is_element(node) && !outline.is_inline[node.index()] {
                (before, line_bytes) = ("", 0);
                open.clear();
            } else if dom.is_text(node) {
                let text = dom.text(node).trim();
                let is_wrapped = open.len() == 1
                    && line_bytes >= WRAPPED_BYTES
                    && before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
                    && text.starts_with(char::is_lowercase);
                line_bytes = if open.is_empty() {
                    line_bytes + text.len()
                } else {
                    text.len()
                };
                for kind in open.drain(..) {
                    let count = counts.entry(kind).or_default();
                    *count = (count.0 + usize::from(is_wrapped), count.1 + 1);
                }
                before = text;
            }
        }
    }
    let wrapped = counts
        .into_iter()
        .filter(|(_, (n_wrapped, n_all))| 2 * n_wrapped > *n_all);
    wrapped.map(|(kind, _)| kind).collect()
}

/// Lines of running text that are wrapped are this long at least.
const WRAPPED_BYTES: usize = 30;

/// The last word before an element and the first after it, where it stands between words of one
/// text.
fn words_around(outline: &Outline<'_>, node: NodeId) -> Option<(String, String)> {
    let dom = outline.dom;
    let before = text_before(outline, node)?;
    let after = dom
        .next_sibling(node)
        .filter(|&next| dom.is_text(next))
        .map(|next| dom.text(next))?;
    // The number of a result is no word.
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let last = before.split_whitespace().rev().find(is_word)?;
    let first = after.split_whitespace().find(is_word)?;
    Some((last.to_owned(), first.to_owned()))
}

/// Where at least this many tenths of the records have as many elements of a kind, it is no matter
/// of chance.
const STEADY_TENTHS: usize = 8;

/// Whether an inline element is one that pages set values apart with, as far as its name tells.
fn sets_apart(outline: &Outline<'_>, node: NodeId) -> bool {
    match outline.dom.name(node) {
        Some(Name::A | Name::TIME) => true,
        Some(Name::SPAN) => outline.dom.attribute(node, Name::CLASS).is_some(),
        _ => false,
    }
}

/// Whether text stands right before or after an element.
fn is_in_text(outline: &Outline<'_>, node: NodeId) -> bool {
    let dom = outline.dom;
    let is_words = |node: NodeId| dom.is_text(node) && dom.text(node).contains(char::is_alphanumeric);
    if dom.next_sibling(node).is_some_and(is_words) {
        return true;
    }
    text_before(outline, node).is_some_and(|text| text.contains(char::is_alphanumeric))
}

/// Whether a line break stands in what is emphasised as a whole: the name of a thing, in two lines.
fn is_in_name(outline: &Outline<'_>, line_break: NodeId) -> bool {
    let dom = outline.dom;
    let mut around = dom
        .ancestors(line_break)
        .take_while(|&node| outline.is_inline[node.index()]);
    around.any(|node| matches!(dom.name(node), Some(Name::STRONG | Name::B | Name::EM)))
}

/// Whether what an inline element says begins with a sign that tells it from what is before it.
fn begins_apart(outline: &Outline<'_>, node: NodeId) -> bool {
    let dom = outline.dom;
    let mut inside = dom.subtree(node).take(WRAPPERS_MAX);
    let first = inside.find(|&inner| dom.is_text(inner) && !dom.text(inner).trim().is_empty());
    first.is_some_and(|text| dom.text(text).trim_start().starts_with(['•', '·', '|']))
}

/// The first text of an inline element is among its first few nodes.
const WRAPPERS_MAX: usize = 4;

/// The text right before an element, inside the same parent.
fn text_before<'a>(outline: &Outline<'a>, node: NodeId) -> Option<&'a str> {
    let dom = outline.dom;
    let before = NodeId(node.0.checked_sub(1)?);
    (dom.parent(node) == dom.parent(before) && dom.is_text(before)).then(|| dom.text(before))
}

/// Whether a text only leads to what comes after it: `by`, `posted in`, `Genre:`, a dash.
fn is_connector(text: &str) -> bool {
    let text = text.trim();
    let n_words = text.split_whitespace().count();
    let is_label = text.ends_with(':') && n_words <= 3;
    let is_dash = matches!(text, "-" | "–" | "—");
    let is_preposition = n_words == 1 && text.len() <= 4 && text.chars().all(char::is_alphabetic);
    is_label || is_dash || is_preposition
}

#[cfg(test)]
mod tests {
    use crate::page::{Page, ParseOptions, Response};
    use crate::record::{ItemKind, RecordOptions, find_records};

    const WORDS: [&str; 4] = ["lamp", "chair", "table", "shelf"];

    /// The texts of the first record of four that are made alike.
    fn check_texts(record: impl Fn(&str) -> String, expected: &[&str]) {
        let items: String = WORDS.iter().map(|word| format!("<li>{}</li>", record(word))).collect();
        let url = "http://list.example/".parse().expect("a good address");
        let page = Page::read(
            &Response::html(url, format!("<ul>{items}</ul>")),
            &ParseOptions::default(),
        );
        let regions = find_records(&page, &RecordOptions::default()).regions;
        let region = regions.first().expect("the page has a list");
        let fields = region.columns.iter().zip(&region.records[0].fields);
        let texts: Vec<&str> = fields
            .filter(|(column, _)| column.kind == ItemKind::Text)
            .filter_map(|(_, field)| Some(field.as_ref()?.value.as_str()))
            .collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn what_leads_to_a_value_is_part_of_it_and_what_follows_is_not() {
        check_texts(
            |word| {
                format!(
                    "<h3><a href='/{word}'>A {word}</a></h3><p>asked <span class=when>2 May, {word}</span> by <a href='/u/{word}'>Ada {word}</a></p>"
                )
            },
            &["A lamp", "asked 2 May, lamp", "by Ada lamp"],
        );
    }

    #[test]
    fn a_bullet_before_a_value_sets_it_apart() {
        check_texts(
            |word| {
                format!("<h3><a href='/{word}'>A {word}</a></h3><p>Ada {word} <span>• Maker of every {word}</span></p>")
            },
            &["A lamp", "Ada lamp", "• Maker of every lamp"],
        );
    }

    #[test]
    fn an_emphasised_name_in_two_lines_is_one_text() {
        check_texts(
            |word| {
                format!(
                    "<a href='/{word}'><img src='{word}.png'><strong><span>Berg<br>{word} 7</span></strong></a> <i>Made<br>by Ada</i>"
                )
            },
            &["Berg lamp 7", "Made", "by Ada"],
        );
    }

    #[test]
    fn a_button_after_a_text_is_no_part_of_it() {
        check_texts(
            |word| {
                format!(
                    "<h3><a href='/{word}'>A {word}</a></h3><p>It is a good {word} to have <a href='/{word}/more'>Learn more</a></p>"
                )
            },
            &["A lamp", "It is a good lamp to have", "Learn more"],
        );
    }

    #[test]
    fn elements_that_html_does_not_know_flow_with_the_text() {
        check_texts(
            |word| {
                format!("<h3><a href='/{word}'>A <kw>{word}</kw> of ours</a></h3><p>Made of wood</p><i>{word} 5</i>")
            },
            &["A lamp of ours", "Made of wood", "lamp 5"],
        );
    }

    #[test]
    fn lines_that_are_wrapped_in_a_sentence_are_one_text() {
        check_texts(
            |word| {
                format!(
                    "<h3><a href='/{word}'>A {word}</a></h3><p>This {word} stands in every house of the old town<br>where people like to read</p>"
                )
            },
            &[
                "A lamp",
                "This lamp stands in every house of the old town where people like to read",
            ],
        );
        check_texts(
            |word| {
                format!(
                    "<h3><a href='/{word}'>A {word}</a></h3><p>This {word} stands in every house of the old town<br>Sold by Ada</p>"
                )
            },
            &[
                "A lamp",
                "This lamp stands in every house of the old town",
                "Sold by Ada",
            ],
        );
    }
}
