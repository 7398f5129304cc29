//! Text counts: what the lines at a place are like, over all pages of a class.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::content::{BlockId, Content, Mark, MarkKind};
use crate::page::stable_hash;

/// Values that are told apart at a place.
const VALUES_MAX: usize = 256;

/// Classes of parts that are told apart at a place.
const PARTS_MAX: usize = 32;

/// The most different lines of a place that are kept: enough to see what nearly all share.
const SAMPLE_MAX: usize = 32;

/// The longest line that is kept, in bytes: longer ones are running text.
const SAMPLE_LINE_MAX: usize = 200;

/// What the texts at a place are like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextCounts {
    /// Lines with text.
    pub n: usize,
    /// The first heading, in case it is the only one.
    pub first: String,
    /// Some different lines, by hash: those with the smallest hashes are a fair sample of all that
    /// were there.
    pub sample: BTreeMap<u64, Box<str>>,
    /// Sum of lengths, in characters.
    pub n_chars: usize,
    /// Lines that end as sentences do.
    pub n_sentences: usize,
    /// Lines with one link, with several, and those that are a link and nothing else.
    pub n_one_link: usize,
    /// Lines with several links.
    pub n_links: usize,
    /// Lines that are nothing but one link.
    pub n_whole_links: usize,
    /// Lines that are a trail of links.
    pub n_trails: usize,
    /// Lines with one picture.
    pub n_one_picture: usize,
    /// Lines of the frame.
    pub n_frame: usize,
    /// Lines that begin as if with a label.
    pub n_cut: usize,
    /// How often each value occurs, while they are few.
    pub values: HashMap<u64, u32, FixedState>,
    /// Values beyond those.
    pub n_other_values: usize,
    /// How often each address occurs.
    pub addresses: HashMap<u64, u32, FixedState>,
    /// Addresses beyond those.
    pub n_other_addresses: usize,
    /// Sum of lengths, in bytes.
    pub n_bytes: usize,
    /// Bytes inside links.
    pub n_link_bytes: usize,
    /// Parts of lines, by their class.
    pub parts: BTreeMap<String, PartCounts>,
}

/// What the parts of a class are like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartCounts {
    /// Parts.
    pub n: usize,
    /// Lines with such a part, and the last one.
    pub n_lines: usize,
    last_line: usize,
    /// Parts that are all of their line.
    pub n_whole: usize,
    /// Sum of lengths, in bytes.
    pub n_bytes: usize,
}

impl TextCounts {
    pub(super) fn add(&mut self, content: &Content, id: BlockId, text: &str, is_frame: bool) {
        self.n += 1;
        self.n_frame += usize::from(is_frame);
        self.n_cut += usize::from(content.block(id).cut.is_some());
        self.n_chars += text.chars().count();
        self.n_bytes += text.len();
        self.n_sentences += usize::from(text.ends_with(['.', '!', '?', '。', '।', '؟', '…', '」']));
        let marks = content.marks(id);
        let links = marks.iter().filter(|mark| mark.kind == MarkKind::Link);
        let lengths = links.clone().map(|mark| (mark.text.end - mark.text.start) as usize);
        self.n_link_bytes += lengths.sum::<usize>();
        match links.clone().count() {
            0 => {}
            1 => self.n_one_link += 1,
            _ => self.n_links += 1,
        }
        let is_whole = links
            .clone()
            .any(|mark| (mark.text.end - mark.text.start) as usize >= text.len());
        self.n_whole_links += usize::from(is_whole && links.count() == 1);
        self.n_trails += usize::from(is_trail(content, id));
        let pictures = marks.iter().filter(|mark| mark.kind == MarkKind::Picture).count();
        self.n_one_picture += usize::from(pictures == 1);
        let hash = stable_hash(text.as_bytes());
        count(&mut self.values, &mut self.n_other_values, hash);
        self.add_to_sample(hash, text);
        for mark in marks.iter().filter(|mark| mark.kind == MarkKind::Part) {
            self.add_part(content, mark, text.len());
        }
        for mark in marks.iter().filter(|mark| mark.kind != MarkKind::Part) {
            let address = stable_hash(content.url(mark).as_bytes());
            count(&mut self.addresses, &mut self.n_other_addresses, address);
        }
    }

    /// Counts a text that stands here several times, with nothing known of its links.
    pub(super) fn add_value(&mut self, text: &str, n: usize) {
        self.n += n;
        self.n_other_values += n;
        self.add_to_sample(stable_hash(text.as_bytes()), text);
    }

    fn add_to_sample(&mut self, hash: u64, text: &str) {
        if text.is_empty() || text.len() > SAMPLE_LINE_MAX {
            return;
        }
        let is_full = self.sample.len() >= SAMPLE_MAX;
        let is_late = is_full && self.sample.last_key_value().is_some_and(|(last, _)| hash >= *last);
        if is_late || self.sample.contains_key(&hash) {
            return;
        }
        self.sample.insert(hash, text.into());
        if is_full {
            self.sample.pop_last();
        }
    }

    fn add_part(&mut self, content: &Content, mark: &Mark, length: usize) {
        let line = self.n;
        if self.parts.len() >= PARTS_MAX && !self.parts.contains_key(content.url(mark)) {
            return;
        }
        let part = self.parts.entry(content.url(mark).to_owned()).or_default();
        let own = (mark.text.end - mark.text.start) as usize;
        part.n += 1;
        part.n_bytes += own;
        part.n_whole += usize::from(own >= length);
        if part.last_line != line {
            part.n_lines += 1;
            part.last_line = line;
        }
    }

    /// Adds the counts of another place.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        for (&hash, text) in &other.sample {
            self.add_to_sample(hash, text);
        }
        self.n_chars += other.n_chars;
        self.n_sentences += other.n_sentences;
        self.n_one_link += other.n_one_link;
        self.n_links += other.n_links;
        self.n_whole_links += other.n_whole_links;
        self.n_trails += other.n_trails;
        self.n_one_picture += other.n_one_picture;
        self.n_frame += other.n_frame;
        self.n_cut += other.n_cut;
        for (&hash, &n) in &other.values {
            *self.values.entry(hash).or_default() += n;
        }
        self.n_other_values += other.n_other_values;
        for (&hash, &n) in &other.addresses {
            *self.addresses.entry(hash).or_default() += n;
        }
        self.n_other_addresses += other.n_other_addresses;
        self.n_bytes += other.n_bytes;
        self.n_link_bytes += other.n_link_bytes;
        for (class, counts) in &other.parts {
            let part = self.parts.entry(class.clone()).or_default();
            part.n += counts.n;
            part.n_lines += counts.n_lines;
            part.n_whole += counts.n_whole;
            part.n_bytes += counts.n_bytes;
        }
    }

    /// The share of the most frequent value.
    pub fn most_frequent_share(&self) -> f64 {
        let most = self.values.values().copied().max().unwrap_or(0);
        f64::from(most) / self.n.max(1) as f64
    }

    /// The share of the most frequent address.
    pub fn most_frequent_address_share(&self) -> f64 {
        let most = self.addresses.values().copied().max().unwrap_or(0);
        let n = self.addresses.values().sum::<u32>() as usize + self.n_other_addresses;
        f64::from(most) / n.max(1) as f64
    }

    /// Different addresses, up to a limit.
    pub fn n_addresses(&self) -> usize {
        self.addresses.len() + self.n_other_addresses
    }

    /// Different values, up to a limit.
    pub fn n_values(&self) -> usize {
        self.values.len() + self.n_other_values
    }
}

/// Whether a line is the way to its page: links one after another, with the same sign behind each,
/// and what the page is called.
fn is_trail(content: &Content, id: BlockId) -> bool {
    let text = content.text(id);
    let mut links = content
        .marks(id)
        .iter()
        .filter(|mark| mark.kind == MarkKind::Link)
        .peekable();
    let mut sign = None;
    while let Some(link) = links.next() {
        let end = links.peek().map_or(text.len(), |next| next.text.start as usize);
        let Some(gap) = text.get(link.text.end as usize..end) else {
            return false;
        };
        let own = gap
            .trim_start()
            .split(char::is_alphanumeric)
            .next()
            .unwrap_or_default()
            .trim_end();
        let is_last = links.peek().is_none();
        let is_gap = is_last || own.len() == gap.trim().len();
        // Behind the last link there may be nothing.
        let is_sign = own.contains(TRAIL_SIGNS) && own.chars().count() <= TRAIL_SIGN_MAX;
        if !is_gap
            || !(is_sign || is_last && gap.trim().is_empty())
            || *sign.get_or_insert(own) != own && !own.is_empty()
        {
            return false;
        }
    }
    sign.is_some_and(|sign| !sign.is_empty())
}

/// The signs between the steps of a trail.
const TRAIL_SIGNS: [char; 8] = ['>', '»', '›', '→', '/', '|', '▸', '«'];

/// The most signs between two steps.
const TRAIL_SIGN_MAX: usize = 2;

fn count(values: &mut HashMap<u64, u32, FixedState>, n_other: &mut usize, hash: u64) {
    if values.len() < VALUES_MAX || values.contains_key(&hash) {
        *values.entry(hash).or_default() += 1;
    } else {
        *n_other += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    fn check_trail(html: &str, expected: bool) {
        let url = "http://shop.example/a.html".parse().expect("a good address");
        let content = Content::of(&Page::read(&Response::html(url, html), &ParseOptions::default()));
        let line = content.ids().find(|&id| !content.text(id).is_empty()).expect("a line");
        assert_eq!(is_trail(&content, line), expected, "{html}");
    }

    #[test]
    fn links_with_one_sign_between_them_are_a_trail() {
        let link = |name: &str| format!("<a href={name}.html>{name}</a>");
        let (home, shop) = (link("home"), link("shop"));
        for (html, expected) in [
            (format!("<p>{home} > {shop} > Lamp"), true),
            (format!("<p>{home} » Lamp"), true),
            (format!("<p>You are here: {home} / {shop}"), true),
            (format!("<p>{home} > {shop} / Lamp"), false),
            (format!("<p>{home}, {shop}, Lamp"), false),
            (format!("<p>{home} and {shop}"), false),
            (format!("<p>{home}"), false),
            ("<p>Home > Lamp".to_owned(), false),
        ] {
            check_trail(&html, expected);
        }
    }
}
