//! Labels: the texts that name what stands next to them, learnt from the pages alone.
//!
//! In: the training pages. Out: the set of labels. A text that ends in a colon is one. Other texts are judged by the place they stand in (tags,
//! classes and position): where most texts are on half of the pages or more, the place holds labels, and every text
//! there that several pages have is one. So `Publisher` in the first cell of a row is a label, though few books have that row, and
//! `English` in the second cell is none, though most have it. Paper: RoadRunner's invariants (2001, section 4)
//! and EXALG's occurrence vectors, reduced to what alignment needs.

use crate::page::{Dom, Name, NodeId};

use super::feature::{
    HashMapOf, HashNumbers, LABEL_BYTES, class_words, collapsed, hash_collapsed, hash_label, hash_more, hash_text,
    is_said, is_seen, label_prefix,
};

/// What was seen of a text.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    pages: u32,
    last_page: u32,
    in_label_places: u32,
    occurrences: u32,
    /// How often another text follows than the time before.
    changes: u32,
    last_next: u64,
}

/// One text of one page.
struct Occurrence {
    /// Its hash, and that of the tags and classes above it: a genre in a menu is not the genre of a film.
    text: u64,
    place: u64,
    page: u32,
    node: NodeId,
}

/// The labels of the pages, with their texts.
pub(super) fn learn_labels(doms: &[&Dom]) -> (HashNumbers, Vec<String>) {
    let mut occurrences = Vec::new();
    for (page, dom) in doms.iter().enumerate() {
        collect(dom, page as u32, &mut occurrences);
    }
    let mut seen: HashMapOf<u64, Seen> = HashMapOf::default();
    for (index, occurrence) in occurrences.iter().enumerate() {
        let next = occurrences
            .get(index + 1)
            .filter(|next| next.page == occurrence.page)
            .map_or(0, |next| next.text);
        let entry = seen.entry(occurrence.text).or_default();
        entry.changes += u32::from(entry.occurrences > 0 && entry.last_next != next);
        entry.last_next = next;
        entry.occurrences += 1;
        if entry.pages == 0 || entry.last_page != occurrence.page {
            entry.pages += 1;
            entry.last_page = occurrence.page;
        }
    }
    count_label_places(&occurrences, &mut seen, doms.len() as u32);
    let (mut numbers, mut texts) = choose(doms, &occurrences, &seen);
    add_prefixes(doms, &mut numbers, &mut texts);
    texts.sort_unstable();
    (numbers, texts)
}

/// The texts that are labels more often than not.
fn choose(doms: &[&Dom], occurrences: &[Occurrence], seen: &HashMapOf<u64, Seen>) -> (HashNumbers, Vec<String>) {
    let mut votes: HashMapOf<u64, (u32, u32)> = HashMapOf::default();
    for occurrence in occurrences {
        let dom = doms[occurrence.page as usize];
        let text = dom.text(occurrence.node);
        if text.trim().len() > LABEL_BYTES || !has_word(text) {
            continue;
        }
        let vote = votes.entry(hash_label(text)).or_default();
        vote.0 += u32::from(is_label(dom, occurrence, &seen[&occurrence.text], doms.len()));
        vote.1 += 1;
    }
    let mut numbers = HashNumbers::default();
    let mut texts = Vec::new();
    for occurrence in occurrences {
        let text = doms[occurrence.page as usize].text(occurrence.node);
        let hash = hash_label(text);
        if votes.get(&hash).is_some_and(|(n_for, n_all)| 2 * n_for > *n_all) && numbers.insert(hash) {
            texts.push(collapsed(text));
        }
    }
    (numbers, texts)
}

/// Whether a text is a label where it stands.
fn is_label(dom: &Dom, occurrence: &Occurrence, entry: &Seen, n_pages: usize) -> bool {
    if dom.text(occurrence.node).trim_end().ends_with(':') {
        return true;
    }
    // What follows a label differs; what every page has may be the head of a column, with another head after it.
    let is_link = dom
        .ancestors(occurrence.node)
        .take(3)
        .any(|node| dom.is_html(node, Name::A));
    // A link that a page has several times is a value of a column with few values.
    if is_link && entry.occurrences > entry.pages {
        return false;
    }
    let is_everywhere = 10 * entry.pages as usize >= 9 * n_pages && !is_link;
    let names_data = 3 * entry.changes >= entry.occurrences - 1 || is_everywhere;
    entry.pages >= 2 && 2 * entry.in_label_places > entry.occurrences && names_data
}

/// Whether there are two letters next to each other: numbers and dates name nothing.
fn has_word(text: &str) -> bool {
    let mut last = false;
    text.chars()
        .any(|c| std::mem::replace(&mut last, c.is_alphabetic()) && c.is_alphabetic())
}

/// Adds the short texts of a page, each with its place.
fn collect(dom: &Dom, page: u32, into: &mut Vec<Occurrence>) {
    let mut places = vec![0u64; dom.len()];
    let mut positions = vec![0u8; dom.len()];
    let mut n_children = vec![0u8; dom.len()];
    let mut node = NodeId(1);
    while node.index() < dom.len() {
        if !is_seen(dom, node) {
            node = dom.subtree_end(node);
            continue;
        }
        let parent = dom.parent(node).unwrap_or(NodeId::DOCUMENT).index();
        let own = (n_children[parent] + 1).min(POSITION_MAX);
        n_children[parent] = own;
        positions[node.index()] = own;
        if dom.is_text(node) {
            let text = dom.text(node).trim();
            let position = if is_flow(dom, node) { 0 } else { positions[parent] };
            let place = hash_more(places[parent], &[own, position]);
            let text = hash_more(hash_collapsed(text), &places[parent].to_le_bytes());
            into.push(Occurrence {
                text,
                place,
                page,
                node,
            });
        } else {
            places[node.index()] = step(dom, node, places[parent]);
        }
        node = NodeId(node.0 + 1);
    }
}

/// Whether a text's element may stand anywhere among its siblings without meaning anything else.
fn is_flow(dom: &Dom, text: NodeId) -> bool {
    let parent = dom.parent(text).and_then(|parent| dom.name(parent));
    !matches!(parent, Some(Name::TD | Name::TH | Name::DIV | Name::SPAN | Name::LI))
}

/// Positions from here on count as one.
const POSITION_MAX: u8 = 7;

/// The hash of a path, a step further.
fn step(dom: &Dom, node: NodeId, before: u64) -> u64 {
    let mut hash = hash_more(before, dom.name_text(node).as_bytes());
    if let Some(value) = dom.attribute(node, Name::CLASS) {
        for word in class_words(value) {
            hash = hash_more(hash, &hash_text(&word).to_le_bytes());
        }
    }
    hash
}

/// What was seen of a place.
#[derive(Debug, Default)]
struct LabelPlace {
    n_common: u32,
    n_all: u32,
    has_several: bool,
    differs: bool,
    last_page: u32,
    last_text: u64,
}

/// Counts, for each text, how often it stands where labels stand.
fn count_label_places(occurrences: &[Occurrence], seen: &mut HashMapOf<u64, Seen>, n_pages: u32) {
    let often = n_pages.div_ceil(2).max(2);
    let mut places: HashMapOf<u64, LabelPlace> = HashMapOf::default();
    for occurrence in occurrences {
        let place = places.entry(occurrence.place).or_default();
        place.n_common += u32::from(seen[&occurrence.text].pages >= often);
        place.n_all += 1;
        place.has_several |= place.n_all > 1 && place.last_page == occurrence.page;
        place.differs |= place.n_all > 1 && place.last_text != occurrence.text;
        place.last_page = occurrence.page;
        place.last_text = occurrence.text;
    }
    for occurrence in occurrences {
        let place = &places[&occurrence.place];
        // A place that every page has once, and that is not always the same, is a value.
        let is_value = place.differs && !place.has_several;
        if !is_value
            && 5 * place.n_common >= 3 * place.n_all
            && let Some(entry) = seen.get_mut(&occurrence.text)
        {
            entry.in_label_places += 1;
        }
    }
}

/// Adds the labels that texts begin with: what stands before a colon on two pages or more, with different words after it.
fn add_prefixes(doms: &[&Dom], numbers: &mut HashNumbers, texts: &mut Vec<String>) {
    let mut pages: HashMapOf<u64, (u32, u32)> = HashMapOf::default();
    let mut found = Vec::new();
    for (page, dom) in doms.iter().enumerate() {
        for node in dom.nodes().filter(|&node| dom.is_text(node)) {
            let text = dom.text(node).trim();
            let Some(prefix) = label_prefix(text).filter(|prefix| prefix.len() < text.len() && is_said(text)) else {
                continue;
            };
            let hash = hash_label(prefix);
            let entry = pages.entry(hash).or_insert((0, u32::MAX));
            if entry.1 != page as u32 {
                *entry = (entry.0 + 1, page as u32);
                if entry.0 == 2 {
                    found.push((hash, collapsed(prefix)));
                }
            }
        }
    }
    for (hash, text) in found {
        if numbers.insert(hash) {
            texts.push(text);
        }
    }
}
