//! Lines: runs of text and inline elements.

use std::rc::Rc;

use crate::page::{Dom, Name, NodeId, Page};

use super::block::{BlockKind, MarkKind};
use super::data::given_name;
use super::draft::{Draft, DraftMark};
use super::label::label_cut;

/// A line under way.
#[derive(Debug, Default)]
pub(super) struct LineDraft {
    text: String,
    marks: Vec<DraftMark>,
    source: Option<NodeId>,
    is_apart: bool,
    /// Bytes of words, and of those that are emphasised or the words for pictures.
    n_bytes: usize,
    n_emphasised: usize,
    n_pictured: usize,
    /// The end of the inline element that the line begins with, and whether it is emphasised.
    lead: Option<(usize, bool)>,
    /// Where the last link or emphasised element ended: one that begins right there is set apart by
    /// its looks.
    last_end: Option<NodeId>,
}

/// Marks of a line beyond which parts are not told apart: code with a colour for each word has
/// thousands.
const PARTS_MAX: usize = 64;

/// What is open around a piece of a line.
struct Open {
    end: NodeId,
    /// Whether it is a link or emphasised.
    stands_out: bool,
    link: Option<usize>,
    is_emphasis: bool,
    /// Whether the line begins with it.
    is_lead: bool,
}

impl LineDraft {
    /// Appends a text or inline element with all that is inside it. `link` is where an element
    /// around the line leads.
    pub fn push(&mut self, page: &Page, node: NodeId, is_skipped: &dyn Fn(NodeId) -> bool) {
        let dom = &page.dom;
        let mut open: Vec<Open> = Vec::new();
        let end = dom.subtree_end(node);
        let mut at = node;
        while at < end {
            while let Some(closed) = open.pop_if(|open| open.end <= at) {
                self.close(&closed);
            }
            if is_skipped(at) {
                at = dom.subtree_end(at);
                continue;
            }
            if dom.is_text(at) {
                let is_emphasised = open.iter().any(|open| open.is_emphasis);
                self.push_words(dom.text(at), is_emphasised, at);
            } else if dom.is_html(at, Name::IMG) {
                self.push_picture(page, at);
            } else if dom.is_element(at) {
                open.push(self.open(page, at));
            }
            at = NodeId(at.0 + 1);
        }
        while let Some(closed) = open.pop() {
            self.close(&closed);
        }
    }

    fn open(&mut self, page: &Page, at: NodeId) -> Open {
        let dom = &page.dom;
        let link = match dom.is_html(at, Name::A) {
            true => dom
                .attribute(at, Name::HREF)
                .and_then(|href| self.begin_link(page, at, href)),
            false => self.begin_part(dom, at),
        };
        let stands_out = dom.is_html(at, Name::A) || is_emphasis(dom, at);
        self.is_apart |= stands_out && self.last_end == Some(at);
        Open {
            end: dom.subtree_end(at),
            stands_out,
            link,
            is_emphasis: is_emphasis(dom, at),
            is_lead: self.text.is_empty(),
        }
    }

    /// Begins a link; none that leads to the page itself.
    pub fn begin_link(&mut self, page: &Page, at: NodeId, href: &str) -> Option<usize> {
        let url = address(page, href)?;
        self.marks.push(DraftMark {
            kind: MarkKind::Link,
            start: self.text.len(),
            end: self.text.len(),
            url,
            source: at,
        });
        Some(self.marks.len() - 1)
    }

    /// Begins a part that its class or property tells apart.
    fn begin_part(&mut self, dom: &Dom, at: NodeId) -> Option<usize> {
        let class = given_name(dom, at)?;
        let name: String = class.chars().filter(|c| !c.is_ascii_digit()).take(40).collect();
        if !name.contains(char::is_alphabetic) || self.marks.len() >= PARTS_MAX {
            return None;
        }
        let start = self.text.len();
        self.marks.push(DraftMark {
            kind: MarkKind::Part,
            start,
            end: start,
            url: name,
            source: at,
        });
        Some(self.marks.len() - 1)
    }

    /// Ends a link where the line ends now.
    pub fn end_link(&mut self, link: usize) {
        self.marks[link].end = self.text.len();
    }

    fn close(&mut self, open: &Open) {
        if open.stands_out {
            self.last_end = Some(open.end);
        }
        if let Some(link) = open.link {
            self.end_link(link);
        }
        if open.is_lead && self.lead.is_none() && !self.text.is_empty() {
            self.lead = Some((self.text.len(), open.is_emphasis));
        }
    }

    fn push_words(&mut self, piece: &str, is_emphasised: bool, node: NodeId) {
        for (index, word) in piece.split_whitespace().enumerate() {
            let begins_apart = index > 0 || self.is_apart || piece.starts_with(char::is_whitespace);
            if begins_apart && !self.text.is_empty() {
                self.text.push(' ');
            }
            self.source.get_or_insert(node);
            self.text.push_str(word);
            self.n_bytes += word.len();
            self.n_emphasised += if is_emphasised { word.len() } else { 0 };
            self.is_apart = false;
        }
        self.is_apart |= piece.ends_with(char::is_whitespace);
    }

    fn push_picture(&mut self, page: &Page, node: NodeId) {
        let dom = &page.dom;
        let start = self.text.len();
        let words = dom.attribute(node, Name::ALT).unwrap_or_default();
        let before = self.n_bytes;
        self.push_words(words, false, node);
        self.n_pictured += self.n_bytes - before;
        self.source.get_or_insert(node);
        let url = dom.attribute(node, Name::SRC).and_then(|src| address(page, src));
        self.marks.push(DraftMark {
            kind: MarkKind::Picture,
            start,
            end: self.text.len(),
            url: url.unwrap_or_default(),
            source: node,
        });
    }

    /// Whether nothing is on the line.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.marks.iter().all(|mark| mark.kind != MarkKind::Picture)
    }

    /// The line as blocks: one, or a picture each where there are pictures alone.
    pub fn finish(self, name: &Rc<str>, parent: NodeId, blocks: &mut Vec<Draft>) {
        if self.is_empty() {
            return;
        }
        let source = self.source.unwrap_or(parent);
        let pictures = self.marks.iter().filter(|mark| mark.kind == MarkKind::Picture).count();
        if pictures > 0 && (self.n_bytes == 0 || pictures == 1 && self.n_pictured == self.n_bytes) {
            blocks.extend(self.pictures(name, source));
            return;
        }
        let mut draft = Draft::new(BlockKind::Line, name.clone(), source, Vec::new());
        draft.is_emphasised = self.n_bytes > 0 && self.n_emphasised == self.n_bytes;
        draft.cut = label_cut(&self.text, self.lead);
        draft.marks = self.marks;
        for mark in &mut draft.marks {
            // A blank before a link belongs to the line.
            if self.text[mark.start..].starts_with(' ') && mark.start < mark.end {
                mark.start += 1;
            }
        }
        draft.text = self.text;
        blocks.push(draft);
    }

    fn pictures(self, name: &Rc<str>, source: NodeId) -> Vec<Draft> {
        let links: Vec<&DraftMark> = self.marks.iter().filter(|mark| mark.kind == MarkKind::Link).collect();
        let mut drafts = Vec::new();
        for (place, mark) in self.marks.iter().enumerate() {
            if mark.kind != MarkKind::Picture || mark.url.is_empty() {
                continue;
            }
            let mut draft = Draft::new(BlockKind::Picture, name.clone(), source, Vec::new());
            draft.text = self.text[mark.start..mark.end].trim().to_owned();
            let length = draft.text.len();
            let around = links.iter().rfind(|link| {
                let before = self.marks.iter().position(|own| std::ptr::eq(own, **link));
                before.is_some_and(|before| before < place) && link.end >= mark.end
            });
            for own in around.into_iter().copied().chain([mark]) {
                draft.marks.push(DraftMark {
                    start: 0,
                    end: length,
                    ..own.clone()
                });
            }
            drafts.push(draft);
        }
        drafts
    }
}

/// Whether an element emphasises what is inside it.
fn is_emphasis(dom: &Dom, node: NodeId) -> bool {
    dom.is_html(node, Name::B) || dom.is_html(node, Name::STRONG)
}

/// Where a reference leads, unless that is the page itself or no address.
pub(super) fn address(page: &Page, reference: &str) -> Option<String> {
    let reference = reference.trim();
    if reference.is_empty() || reference.starts_with('#') {
        return None;
    }
    match page.resolve(reference) {
        Some(url) if url == page.url => None,
        Some(url) => Some(url.into()),
        // `mailto:` and the like are data as they stand; scripts are none.
        None => {
            let (scheme, _) = reference.split_once(':')?;
            let is_data = ["mailto", "tel", "ftp", "news", "irc"].contains(&scheme.to_ascii_lowercase().as_str());
            is_data.then(|| reference.to_owned())
        }
    }
}
