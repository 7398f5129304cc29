//! Evidence: what tells a page's main list from what else repeats on it.
//!
//! In: a candidate and the outline of its page. Out: [`Evidence`], numbers that a probability is
//! computed from (`probability.rs`). A page about one thing repeats itself too: its menus are sets
//! of links, its facts are labels with values, its prose is sentences. None of these is ruled out
//! by a single number; each number counts for as much as pages with known lists say. No word of a
//! class or an identifier is asked for, and a long text counts no more than a paragraph, since what
//! is that long is often not shown.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::aside::asides;
use super::candidate::Candidate;
use super::outline::Outline;
use crate::page::{Name, NodeId};

/// How many numbers speak for or against a list.
pub const EVIDENCE: usize = 24;

/// What each number is, in a word or two.
pub const EVIDENCE_NAMES: [&str; EVIDENCE] = [
    "number",
    "few",
    "regularity",
    "variety",
    "filled",
    "linked",
    "richness",
    "sections",
    "size",
    "share",
    "plain share",
    "link text",
    "links",
    "pictures",
    "targets",
    "labels",
    "narrow",
    "flowing",
    "headed",
    "aside",
    "before",
    "after",
    "menu",
    "articles",
];

/// The numbers that speak for or against a list, in the order of [`EVIDENCE_NAMES`].
pub type Evidence = [f64; EVIDENCE];

/// The most characters of one text that count.
const TEXT_MAX: u32 = 400;

/// From this number of texts a record on, records are sections of a page.
const SECTION_TEXTS: f64 = 40.0;

/// The least share of plain text in records that are more than links.
const PLAIN_MIN: f64 = 0.08;

/// The share of a record's text that is sentences, from which on it is an article.
const ARTICLE_SHARE: f64 = 0.9;

/// What a page shows, summed up from its first node on: text with long ones cut, and that of it
/// which stands in links.
pub struct PageText {
    text: Vec<u32>,
    links: Vec<u32>,
    /// The text that is not set apart from the page's content, and that of it which stands in links.
    content: (f64, f64),
}

impl PageText {
    /// Sums up the text of a page.
    pub fn of(outline: &Outline<'_>) -> Self {
        let dom = outline.dom;
        let (mut text, mut links) = (Vec::with_capacity(dom.len() + 1), Vec::with_capacity(dom.len() + 1));
        let (mut sum, mut link_sum) = (0, 0);
        let asides = asides(dom);
        let (mut content, mut content_links) = (0, 0);
        for node in dom.nodes() {
            text.push(sum);
            links.push(link_sum);
            if dom.is_text(node) {
                let (own, own_links) = (
                    outline.text_len[node.index()].min(TEXT_MAX),
                    outline.link_len[node.index()].min(TEXT_MAX),
                );
                sum += own;
                link_sum += own_links;
                if !asides[node.index()] {
                    content += own;
                    content_links += own_links;
                }
            }
        }
        text.push(sum);
        links.push(link_sum);
        Self {
            text,
            links,
            content: (f64::from(content), f64::from(content_links)),
        }
    }

    /// The text before a place, and that of it which stands in links.
    fn before(&self, place: u32) -> (f64, f64) {
        (
            f64::from(self.text[place as usize]),
            f64::from(self.links[place as usize]),
        )
    }

    fn all(&self) -> (f64, f64) {
        self.before(self.text.len() as u32 - 1)
    }

    fn within(&self, outline: &Outline<'_>, node: NodeId) -> (f64, f64) {
        let (start, end) = (self.before(node.0), self.before(outline.dom.subtree_end(node).0));
        (end.0 - start.0, end.1 - start.1)
    }
}

/// The evidence of a candidate.
pub fn evidence_of(outline: &Outline<'_>, page_text: &PageText, candidate: &Candidate) -> Evidence {
    let signals = &candidate.signals;
    let n = candidate.records.len() as f64;
    let nodes = || candidate.records.iter().flatten().copied();
    let (mut text, mut link_text) = (0.0, 0.0);
    for node in nodes() {
        let own = page_text.within(outline, node);
        (text, link_text) = (text + own.0, link_text + own.1);
    }
    let sum = |table: &[u32]| nodes().map(|node| f64::from(table[node.index()])).sum::<f64>();
    let (all, _) = page_text.all();
    let (content, content_links) = page_text.content;
    let first = nodes().min().unwrap_or(candidate.region);
    let last = nodes().map(|node| outline.dom.subtree_end(node)).max().unwrap_or(first);
    let share = |part: f64, whole: f64| (part + 1.0) / (whole + 2.0);
    let of_records =
        |is: &dyn Fn(&[NodeId]) -> bool| candidate.records.iter().filter(|record| is(record)).count() as f64 / n;
    [
        n.ln(),
        1.0 / n,
        signals.regularity,
        signals.variety,
        signals.filled,
        signals.linked,
        signals.richness.max(1.0).ln(),
        (signals.richness / SECTION_TEXTS).max(1.0).ln(),
        (1.0 + signals.size).ln(),
        share(text, content).min(1.0).ln(),
        share(text - link_text, content - content_links).min(1.0).ln(),
        share(link_text, text),
        (1.0 + sum(&outline.n_links) / n).ln(),
        of_records(&|record| record.iter().any(|node| outline.n_images[node.index()] > 0)),
        distinct_targets(outline, candidate),
        // The facts of one thing are labels with values; a label before a link is a heading.
        labelled(outline, candidate) * (1.0 - signals.linked),
        // A page that is nothing but these records is a list, however little each says.
        of_records(&|record| is_narrow(outline, record)) * (1.0 - share(text, all)),
        of_records(&|record| is_flowing(outline, record)),
        f64::from(u8::from(has_header(outline, candidate))),
        f64::from(u8::from(signals.is_aside)),
        share(page_text.before(first.0).0, all),
        share(all - page_text.before(last.0).0, all),
        // Records of several links and nothing else.
        match text - link_text < PLAIN_MIN * text {
            true => (sum(&outline.n_links) / n).max(1.0).ln(),
            false => 0.0,
        },
        of_records(&|record| is_article(outline, record)),
    ]
}

/// The share of records whose first link leads where no other record's does.
fn distinct_targets(outline: &Outline<'_>, candidate: &Candidate) -> f64 {
    let dom = outline.dom;
    let target = |record: &Vec<NodeId>| {
        let mut inside = record.iter().flat_map(|&node| dom.subtree(node));
        let link = inside.find(|&node| outline.is_shown[node.index()] && dom.is_html(node, Name::A))?;
        dom.attribute(link, Name::HREF)
    };
    let targets: HashSet<&str, FixedState> = candidate.records.iter().filter_map(target).collect();
    targets.len() as f64 / candidate.records.len() as f64
}

/// Whether a record is at most two texts, without a link or a picture: a fact, or a sentence.
fn is_narrow(outline: &Outline<'_>, record: &[NodeId]) -> bool {
    let sum = |table: &[u32]| record.iter().map(|node| table[node.index()]).sum::<u32>();
    sum(&outline.n_texts) <= 2 && sum(&outline.n_links) + sum(&outline.n_images) == 0
}

/// Whether a record is bare text.
fn is_flowing(outline: &Outline<'_>, record: &[NodeId]) -> bool {
    let dom = outline.dom;
    let is_bare = |&node: &NodeId| {
        let is_text = flows(outline, node) || dom.is_html(node, Name::BR) || dom.is_html(node, Name::P);
        is_text && outline.n_links[node.index()] + outline.n_images[node.index()] == 0
    };
    record.iter().all(is_bare)
}

/// Whether a record is running text, to the end of a sentence, with or without links in the midst of
/// it.
fn is_sentence(outline: &Outline<'_>, record: &[NodeId]) -> bool {
    let dom = outline.dom;
    let mut texts = record.iter().flat_map(|&node| dom.subtree(node));
    let is_said = |node: &NodeId| {
        let node = *node;
        outline.is_shown[node.index()] && dom.is_text(node) && !dom.text(node).trim().is_empty()
    };
    let last = texts.rfind(is_said);
    let ends = last.is_some_and(|last| {
        dom.text(last)
            .trim_end()
            .ends_with(['.', '!', '?', '。', '！', '？', '।', '؟'])
    });
    ends && record.iter().all(|&node| is_running(outline, node))
}

/// Whether nearly all of a record is running text, whatever holds it and however it is cut.
fn is_article(outline: &Outline<'_>, record: &[NodeId]) -> bool {
    let running: u32 = record.iter().map(|&node| running_text(outline, node)).sum();
    let all: u32 = record.iter().map(|node| outline.text_len[node.index()]).sum();
    f64::from(running) > ARTICLE_SHARE * f64::from(all)
}

/// How much of the text below a node is sentences.
fn running_text(outline: &Outline<'_>, node: NodeId) -> u32 {
    if is_sentence(outline, &[node]) {
        return outline.text_len[node.index()];
    }
    let children = outline.shown_children(node);
    children.into_iter().map(|child| running_text(outline, child)).sum()
}

/// Whether a node is text alone, or a paragraph of text in which links stand between words.
fn is_running(outline: &Outline<'_>, node: NodeId) -> bool {
    let dom = outline.dom;
    if is_flowing(outline, &[node]) {
        return true;
    }
    let is_line =
        |inner: NodeId| !outline.is_shown[inner.index()] || dom.is_text(inner) || outline.is_inline[inner.index()];
    let children = outline.shown_children(node);
    let bounds = [children.first(), children.last()];
    let begins_and_ends_with_text = bounds.into_iter().flatten().all(|&end| dom.is_text(end));
    let is_text = 2 * outline.link_len[node.index()] < outline.text_len[node.index()];
    dom.is_html(node, Name::P) && is_text && begins_and_ends_with_text && dom.subtree(node).skip(1).all(is_line)
}

/// Whether a node is part of a line. An inline element that holds several texts, such as a link
/// around a whole card, is none.
fn flows(outline: &Outline<'_>, node: NodeId) -> bool {
    outline.dom.is_text(node) || outline.is_inline[node.index()] && outline.n_texts[node.index()] < 2
}

/// Whether records are running text: most begin in the middle of a line, as links in a sentence do,
/// or end as sentences do.
pub fn are_prose(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> bool {
    let n_sentences = records.iter().filter(|record| is_sentence(outline, record)).count();
    n_sentences * 2 > records.len() || are_in_lines(outline, records)
}

fn are_in_lines(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> bool {
    let dom = outline.dom;
    let begins_inside = |record: &&Vec<NodeId>| {
        let Some(&first) = record.first() else {
            return false;
        };
        let before = (dom.parent(first).map_or(0, |parent| parent.0 + 1)..first.0)
            .rev()
            .map(NodeId)
            .find(|&node| outline.is_shown[node.index()] && dom.parent(node) == dom.parent(first));
        flows(outline, first) && before.is_some_and(|before| flows(outline, before))
    };
    records.iter().skip(1).filter(begins_inside).count() * 2 > records.len()
}

/// The share of records that begin with a label which no other record begins with.
fn labelled(outline: &Outline<'_>, candidate: &Candidate) -> f64 {
    let dom = outline.dom;
    let mut labels: HashSet<String, FixedState> = HashSet::default();
    for record in &candidate.records {
        let texts = record
            .iter()
            .flat_map(|&node| dom.subtree(node))
            .filter(|&node| outline.is_shown[node.index()] && dom.is_text(node));
        let beginning: Vec<&str> = texts.take(2).map(|node| dom.text(node).trim()).collect();
        if let Some(label) = label_of(&beginning.join(" ")) {
            labels.insert(label.to_owned());
        }
    }
    labels.len() as f64 / candidate.records.len() as f64
}

/// The label that a text begins with: a few words and a colon.
fn label_of(text: &str) -> Option<&str> {
    let (label, _) = text.split_once(':')?;
    let is_short = label.len() <= 40 && !label.is_empty() && !label.ends_with(|c: char| c.is_ascii_digit());
    (is_short && !label.ends_with("http") && !label.ends_with("https")).then_some(label)
}

/// Whether the region is a table with headings.
fn has_header(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let dom = outline.dom;
    let mut around = std::iter::once(candidate.region)
        .chain(dom.ancestors(candidate.region))
        .take(3);
    let table = around.find(|&node| dom.is_html(node, Name::TABLE));
    let is_heading = |&node: &NodeId| dom.is_html(node, Name::TH);
    table.is_some_and(|table| dom.subtree(table).filter(is_heading).take(2).count() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    fn content_of(html: &str) -> (f64, f64) {
        let url = "http://list.example/".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        PageText::of(&Outline::of(&page.dom)).content
    }

    #[test]
    fn what_a_page_sets_apart_is_no_content() {
        let list = "<ul><li><a href='/1'>One lamp</a> of wood</li></ul>";
        let menu = "<ul><li><a href='/m'>All lamps of the house</a></li></ul>";
        let bare = content_of(list);
        assert!(bare.0 > bare.1 && bare.1 > 0.0, "{bare:?}");
        for tag in ["nav", "header", "footer", "aside"] {
            let html = format!("<{tag}>{menu}</{tag}>{list}");
            assert_eq!(content_of(&html), bare, "{tag}");
        }
        for html in [
            format!("<div>{menu}</div>{list}"),
            format!("<article><header>{menu}</header></article>{list}"),
        ] {
            assert_ne!(content_of(&html), bare, "{html}");
        }
    }
}
