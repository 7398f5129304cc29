//! Labels: the texts that name what stands next to them, learnt from the pages alone.
//!
//! In: the training pages. Out: the set of labels. A text that ends in a colon is one. Other texts
//! are judged by the place they stand in (tags, classes and position): where most texts are on half
//! of the pages or more, the place holds labels, and every text there that several pages have is
//! one. So `Publisher` in the first cell of a row is a label, though few books have that row, and
//! `English` in the second cell is none, though most have it. Paper: RoadRunner's invariants (2001,
//! section 4) and EXALG's occurrence vectors, reduced to what alignment needs.

use crate::page::{Dom, Name, NodeId};

use super::feature::{
    HashMapOf, HashNumbers, LABEL_BYTES, class_words, collapsed, hash_collapsed, hash_label, hash_more, hash_text,
    is_said, is_seen, label_prefix, number_prefix,
};

/// What was seen of a text.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    pages: u32,
    last_page: u32,
    in_label_places: u32,
    /// How often it is a heading, where few different ones stand.
    in_headings: u32,
    occurrences: u32,
    /// How often another text follows than the time before.
    changes: u32,
    last_next: u64,
}

/// One text of one page.
struct Occurrence {
    /// Its hash, and that of the tags and classes above it: a genre in a menu is not the genre of a
    /// film.
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
    count_label_places(doms, &occurrences, &mut seen);
    let (mut numbers, mut texts) = choose(doms, &occurrences, &seen);
    add_prefixes(doms, &mut numbers, &mut texts);
    texts.sort_unstable();
    (numbers, texts)
}

/// The texts that are labels more often than not.
fn choose(doms: &[&Dom], occurrences: &[Occurrence], seen: &HashMapOf<u64, Seen>) -> (HashNumbers, Vec<String>) {
    // For and in all, apart for texts and for links: what a menu calls a list says little of the
    // label that is called alike.
    let mut votes: HashMapOf<u64, [(u32, u32); 2]> = HashMapOf::default();
    for occurrence in occurrences {
        let dom = doms[occurrence.page as usize];
        let text = dom.text(occurrence.node);
        if text.trim().len() > LABEL_BYTES || !has_word(text) {
            continue;
        }
        let is_link = is_link(dom, occurrence.node);
        let vote = &mut votes.entry(hash_label(text)).or_default()[usize::from(is_link)];
        vote.0 += u32::from(is_label(dom, occurrence, &seen[&occurrence.text], doms.len()));
        vote.1 += 1;
    }
    let is_chosen = |[texts, links]: &[(u32, u32); 2]| {
        let (n_for, n_all) = if texts.1 > 0 { *texts } else { *links };
        2 * n_for > n_all
    };
    let mut numbers = HashNumbers::default();
    let mut texts = Vec::new();
    for occurrence in occurrences {
        let text = doms[occurrence.page as usize].text(occurrence.node);
        let hash = hash_label(text);
        if votes.get(&hash).is_some_and(is_chosen) && numbers.insert(hash) {
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
    // What follows a label differs; what every page has may be the head of a column, with another
    // head after it.
    let is_link = is_link(dom, occurrence.node);
    // A link that a page has several times is a value of a column with few values.
    if is_link && entry.occurrences > entry.pages {
        return false;
    }
    // A link that few pages have may be a value that stands where a menu stands on all of them.
    if is_link && 2 * entry.pages as usize <= n_pages {
        return false;
    }
    let is_everywhere = 10 * entry.pages as usize >= 9 * n_pages && !is_link;
    let is_heading = 2 * entry.in_headings > entry.occurrences;
    let names_data = 3 * entry.changes >= entry.occurrences - 1 || is_everywhere || is_heading;
    entry.pages >= 2 && 2 * entry.in_label_places > entry.occurrences && names_data
}

/// Whether a text is what a link says.
fn is_link(dom: &Dom, text: NodeId) -> bool {
    dom.ancestors(text).take(3).any(|node| dom.is_html(node, Name::A))
}

/// Whether there are two letters next to each other and hardly a digit: numbers and dates name
/// nothing.
fn has_word(text: &str) -> bool {
    let mut last = false;
    if text.bytes().filter(u8::is_ascii_digit).count() > DIGITS_MAX && !text.trim_end().ends_with(':') {
        return false;
    }
    text.chars()
        .any(|c| std::mem::replace(&mut last, c.is_alphabetic()) && c.is_alphabetic())
}

/// Labels hardly have more digits; dates do.
const DIGITS_MAX: usize = 3;

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
    /// How many different texts.
    n_texts: u32,
    has_several: bool,
    differs: bool,
    /// Texts with another one before them on the page, and how many of them say the same again.
    n_after: u32,
    n_again: u32,
    /// How often a text that stood here before is followed by another one here, and how often by
    /// the same as the last time.
    n_followed: u32,
    n_followed_alike: u32,
    /// Whether a page has a text here twice.
    is_repeated: bool,
    last_page: u32,
    last_text: u64,
}

impl LabelPlace {
    /// Whether its texts are values of a column with few values: they come again on a page, in no
    /// order. Labels of rows are not said twice running, and where records repeat them, one follows
    /// the other.
    fn is_enum(&self) -> bool {
        let is_said_again = self.n_again < self.n_after && AGAIN_SHARE * self.n_again >= self.n_after;
        let is_unordered = self.n_followed >= FOLLOWED_MIN && 2 * self.n_followed_alike < self.n_followed;
        is_said_again || self.is_repeated && is_unordered
    }
}

/// This many texts of a place with one after them tell whether they have an order.
const FOLLOWED_MIN: u32 = 8;

/// Counts, for each text, how often it stands where labels stand.
fn count_label_places(doms: &[&Dom], occurrences: &[Occurrence], seen: &mut HashMapOf<u64, Seen>) {
    let often = (doms.len() as u32).div_ceil(2).max(2);
    let mut places: HashMapOf<u64, LabelPlace> = HashMapOf::default();
    let mut known = HashNumbers::default();
    let mut followers: HashMapOf<u64, u64> = HashMapOf::default();
    let mut last_pages: HashMapOf<u64, u32> = HashMapOf::default();
    for occurrence in occurrences {
        let place = places.entry(occurrence.place).or_default();
        place.n_common += u32::from(seen[&occurrence.text].pages >= often);
        place.n_all += 1;
        place.n_texts += u32::from(known.insert(hash_more(occurrence.place, &occurrence.text.to_le_bytes())));
        place.has_several |= place.n_all > 1 && place.last_page == occurrence.page;
        place.differs |= place.n_all > 1 && place.last_text != occurrence.text;
        if place.n_all > 1 && place.last_page == occurrence.page {
            place.n_after += 1;
            place.n_again += u32::from(place.last_text == occurrence.text);
            let before = hash_more(occurrence.place, &place.last_text.to_le_bytes());
            if let Some(known) = followers.insert(before, occurrence.text) {
                place.n_followed += 1;
                place.n_followed_alike += u32::from(known == occurrence.text);
            }
        }
        let own = hash_more(occurrence.place, &occurrence.text.to_le_bytes());
        place.is_repeated |= last_pages.insert(own, occurrence.page) == Some(occurrence.page);
        place.last_page = occurrence.page;
        place.last_text = occurrence.text;
    }
    for occurrence in occurrences {
        let place = &places[&occurrence.place];
        // A place that every page has once, and that is not always the same, is a value.
        let is_value = place.differs && !place.has_several;
        // Headings name what stands below them, though some pages lack the section and others
        // always begin it alike.
        let is_heading = HEADING_TIMES * place.n_texts <= place.n_all && is_heading(doms, occurrence);
        if !is_value
            && !place.is_enum()
            && (is_heading || 5 * place.n_common >= 3 * place.n_all)
            && let Some(entry) = seen.get_mut(&occurrence.text)
        {
            entry.in_label_places += 1;
            entry.in_headings += u32::from(is_heading);
        }
    }
}

/// Headings of sections come this many times each, on the average; those of things hardly come
/// twice.
const HEADING_TIMES: u32 = 4;

/// Whether a text is the heading of a section.
fn is_heading(doms: &[&Dom], occurrence: &Occurrence) -> bool {
    let dom = doms[occurrence.page as usize];
    let is_one = |node: NodeId| matches!(dom.name_text(node), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    dom.ancestors(occurrence.node).take(3).any(is_one) && !is_link(dom, occurrence.node)
}

/// One in this many texts of a column of few values, or more, says what the one above it says.
const AGAIN_SHARE: u32 = 10;

/// What was seen of a text's beginning.
#[derive(Debug, Default)]
struct Prefix {
    pages: u32,
    last_page: u32,
    /// Whether a page has it twice.
    is_repeated: bool,
    /// Whether a number follows it, and no colon.
    is_before_number: bool,
    /// Whether only links begin with it.
    is_linked: bool,
    /// The elements around the texts that begin with it.
    place: u64,
    text: String,
}

/// Adds the labels that texts begin with: what stands before a colon on two pages or more, or
/// before the number at its end, once on most pages.
fn add_prefixes(doms: &[&Dom], numbers: &mut HashNumbers, texts: &mut Vec<String>) {
    let mut seen: HashMapOf<u64, Prefix> = HashMapOf::default();
    let mut order = Vec::new();
    // By place, how many texts there are, and how many of them have something before a colon.
    let mut places: HashMapOf<u64, (u32, u32)> = HashMapOf::default();
    for (page, dom) in doms.iter().enumerate() {
        let page = page as u32 + 1;
        for node in dom.nodes().filter(|&node| dom.is_text(node)) {
            let text = dom.text(node).trim();
            let colon = label_prefix(text).filter(|prefix| prefix.len() < text.len());
            let place = dom
                .ancestors(node)
                .take(3)
                .fold(0, |hash, above| step(dom, above, hash));
            if is_said(text) {
                let counts = places.entry(place).or_default();
                *counts = (counts.0 + 1, counts.1 + u32::from(colon.is_some()));
            }
            let Some(prefix) = colon.or_else(|| number_prefix(text)).filter(|_| is_said(text)) else {
                continue;
            };
            let hash = hash_label(prefix);
            let entry = seen.entry(hash).or_insert_with(|| {
                order.push(hash);
                Prefix {
                    is_before_number: colon.is_none(),
                    is_linked: true,
                    place,
                    text: collapsed(prefix),
                    ..Prefix::default()
                }
            });
            entry.is_linked &= is_link(dom, node);
            entry.is_repeated |= entry.last_page == page;
            entry.pages += u32::from(entry.last_page != page);
            entry.last_page = page;
        }
    }
    for hash in order {
        let prefix = &seen[&hash];
        let (n_texts, n_with_prefix) = places.get(&prefix.place).copied().unwrap_or_default();
        // What comes again on a page, where many texts have nothing of the kind, is part of a
        // value: a source before a title.
        let is_part = prefix.is_repeated && 10 * n_with_prefix < 7 * n_texts;
        // What few pages have, where links stand or hardly any text has a colon, is a title that
        // begins as another one does.
        let is_title = prefix.is_linked || TITLES_MIN * n_with_prefix <= n_texts;
        let is_chance = is_title && 2 * prefix.pages as usize <= doms.len();
        if !is_part && !is_chance && is_prefix_label(prefix, doms.len() as u32) && numbers.insert(hash) {
            texts.push(prefix.text.clone());
        }
    }
}

/// Where one text in this many has a colon, or fewer, the others are no labelled rows.
const TITLES_MIN: u32 = 8;

/// Whether a text's beginning names what follows it. A sentence may begin as another one does; so
/// what is long, or has a number in it, needs more pages.
fn is_prefix_label(prefix: &Prefix, n_pages: u32) -> bool {
    if prefix.is_before_number {
        return !prefix.is_repeated && prefix.pages >= 3 && 2 * prefix.pages > n_pages;
    }
    let is_plain = prefix.text.split(' ').count() <= PLAIN_WORDS && !prefix.text.contains(|c: char| c.is_ascii_digit());
    prefix.pages >= 2 && prefix.pages * if is_plain { 8 } else { 4 } >= n_pages
}

/// Labels before a colon hardly have more words.
const PLAIN_WORDS: usize = 4;
