//! Parsing: the one way from text to a tree, with its limits.

use std::borrow::Cow;

use memchr::memchr;

use super::super::dom::Dom;
use super::super::problem::Problem;
use super::builder::TreeBuilder;
use super::span::SOURCE_MAX;

/// How a page is parsed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Whether scripts ran on the page: then `noscript` is text. False for fetched pages, true for
    /// rendered ones.
    pub scripting: bool,
    /// What a page may use.
    pub limits: Limits,
}

/// What one page may use. A page that wants more is cut there, with a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text that are read.
    pub bytes_max: usize,
    /// Nodes of the tree. Well-formed pages have one for some ten bytes; unclosed formatting tags
    /// can make thousands of one.
    pub nodes_max: usize,
    /// Elements inside each other, as in browsers.
    pub depth_max: usize,
    /// Attributes of one element.
    pub attributes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_max: 128 << 20,
            nodes_max: 16_000_000,
            depth_max: 512,
            attributes_max: 512,
        }
    }
}

/// Parses the text of a page.
pub fn parse_html(text: &str, options: &ParseOptions) -> (Dom, Vec<Problem>) {
    let mut problems = Vec::new();
    let text = cut(text, options.limits.bytes_max.min(SOURCE_MAX), &mut problems);
    let text = plain_line_ends(text);
    let mut limits = options.limits;
    limits.nodes_max = limits.nodes_max.min(NODES_PER_BYTE * text.len() + NODES_MIN);
    let mut builder = TreeBuilder::new(&text, options.scripting, limits);
    if !builder.run() {
        problems.push(Problem::new(
            "too many nodes",
            format!(
                "the tree was cut at {} nodes, {} bytes into the page",
                limits.nodes_max, builder.tokenizer.position
            ),
        ));
    }
    if builder.too_deep > 0 {
        let (count, depth) = (builder.too_deep, limits.depth_max);
        problems.push(Problem::new(
            "too deep",
            format!("{count} elements were closed early, {depth} being open"),
        ));
    }
    if builder.tokenizer.attributes_dropped > 0 {
        let (count, most) = (builder.tokenizer.attributes_dropped, limits.attributes_max);
        problems.push(Problem::new(
            "too many attributes",
            format!("{count} left out, {most} being read of an element"),
        ));
    }
    (builder.finish(), problems)
}

/// A tree has at most this many nodes for each byte of its page. The densest page measured, rows of
/// a table, has 0.07; unclosed formatting elements, which are opened again in each block, can make
/// any number.
const NODES_PER_BYTE: usize = 2;

/// A tree may always have this many, so that small pages never meet that rule.
const NODES_MIN: usize = 50_000;

fn cut<'a>(text: &'a str, bytes_max: usize, problems: &mut Vec<Problem>) -> &'a str {
    if text.len() <= bytes_max {
        return text;
    }
    let end = text.floor_char_boundary(bytes_max);
    problems.push(Problem::new(
        "too long",
        format!("{} of {} bytes were read", end, text.len()),
    ));
    &text[..end]
}

/// A line end is one character, however the page writes it.
pub(super) fn plain_line_ends(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(first) = memchr(b'\r', bytes) else {
        return Cow::Borrowed(text);
    };
    let mut plain = String::with_capacity(text.len());
    plain.push_str(&text[..first]);
    let mut at = first;
    while at < bytes.len() {
        plain.push('\n');
        at += 1 + usize::from(bytes.get(at + 1) == Some(&b'\n'));
        let run = memchr(b'\r', &bytes[at..]).unwrap_or(bytes.len() - at);
        plain.push_str(&text[at..at + run]);
        at += run;
    }
    Cow::Owned(plain)
}
