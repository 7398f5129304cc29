//! Ways around the site: lines of links that say where a page stands among others.
//!
//! `Previous | Up | Next` and `Home » Roses » Damask` differ from page to page, so that no such
//! line recurs; but what their links say does, on pages of several classes, and so do the pictures
//! of buttons. No word of a language is known.

use crate::content::{BlockId, BlockKind, Content, Mark, MarkKind};

use super::vocabulary::{Vocabulary, text_hash};
use crate::page::{stable_hash, stable_hash_more};

/// The longest line that can be ways around the site, in bytes, and the blocks of a page among
/// which its first heading is looked for.
const WAY_MAX: usize = 400;
const HEADING_BLOCKS_MAX: usize = 200;

/// The words inside the links of a line.
pub(super) fn linked_words(content: &Content, id: BlockId) -> impl Iterator<Item = &str> {
    let text = content.text(id);
    let links = content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link);
    let words = links.map(move |mark| {
        text.get(mark.text.start as usize..mark.text.end as usize)
            .unwrap_or_default()
    });
    words.filter(|words| !words.trim().is_empty())
}

/// A hash of the words of a link, whatever their case.
pub(super) fn way_hash(words: &str) -> u64 {
    stable_hash_more(text_hash(words), b"way")
}

/// A hash of the words of a link on the way from the home page.
pub(super) fn crumb_hash(way: u64) -> u64 {
    stable_hash_more(way, b"crumb")
}

/// A hash of where a picture is.
pub(super) fn picture_hash(content: &Content, mark: &Mark) -> u64 {
    stable_hash_more(stable_hash(content.url(mark).as_bytes()), b"picture")
}

impl Vocabulary {
    /// Whether a line is nothing but several links with a picture each that a large share of the
    /// pages has: buttons, wherever they lead.
    pub(super) fn is_buttons(&self, content: &Content, id: BlockId) -> bool {
        let marks = content.marks(id);
        let is_kind = |kind: MarkKind| marks.iter().filter(move |mark| mark.kind == kind);
        if is_kind(MarkKind::Link).nth(1).is_none() {
            return false;
        }
        let is_known = |mark: &&Mark| self.frame_texts.contains(&picture_hash(content, mark));
        let n_pictured: u32 = is_kind(MarkKind::Picture)
            .map(|mark| mark.text.end - mark.text.start)
            .sum();
        let n_blanks = content.text(id).matches(' ').count();
        is_kind(MarkKind::Picture).all(|mark| is_known(&mark))
            && n_pictured as usize + n_blanks >= content.text(id).len()
    }

    /// Whether a line is nothing but ways around the site: links that say what several classes of
    /// the site say, and beside them nothing or, as the last of the way from the home page, what
    /// the page is called.
    pub fn is_way(&self, content: &Content, id: BlockId) -> bool {
        let text = content.text(id);
        let mut links = linked_words(content, id).peekable();
        let is_known = |words: &str, is_crumb: bool| {
            let hash = way_hash(words);
            self.site_frame.contains(&hash) || is_crumb && self.site_frame.contains(&crumb_hash(hash))
        };
        if self.site_frame.is_empty()
            || links.peek().is_none()
            || text.len() > WAY_MAX
            || !links.all(|words| is_known(words, true))
        {
            return false;
        }
        let start = content.block(id).cut.map_or(0, |cut| cut.value_start);
        let mut rest = String::new();
        let mut end = start as usize;
        for mark in content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link) {
            rest.push_str(text.get(end..mark.text.start as usize).unwrap_or_default());
            end = end.max(mark.text.end as usize);
        }
        rest.push_str(text.get(end..).unwrap_or_default());
        let is_sign = |c: char| !c.is_alphanumeric();
        let rest = rest.trim_matches(is_sign);
        match rest.contains(char::is_alphabetic) {
            // What stands behind a label is its value, whatever it says elsewhere.
            false => start == 0 && linked_words(content, id).all(|words| is_known(words, false)),
            true => {
                let mut headings = content.ids().take(HEADING_BLOCKS_MAX);
                let heading = headings.find(|&block| content.block(block).kind == BlockKind::Heading);
                heading.is_some_and(|heading| content.text(heading).trim_matches(is_sign) == rest)
            }
        }
    }
}
