//! The token stream: a page as wrapper inference reads it.
//!
//! In: a [`Dom`]. Out: open tags, close tags and texts in document order, each with its depth and a
//! number that is equal where two tokens may match. Paper: RoadRunner (2001), section 3, with the
//! later system's tag codes: name, attribute names, and the values of `id` and `class`. Empty
//! elements are an open and a close tag; blank text, scripts, styles and comments are left out.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::attribute_filter::push_step_text;
use untemplate_html::{Dom, Name, NodeId};

/// One token of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageToken {
    /// What it is.
    pub kind: PageTokenKind,
    /// Equal for tags that may match, and for equal texts.
    pub code: TokenCode,
    /// How deep its node stands.
    pub depth: u16,
    /// The element or text node.
    pub node: NodeId,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageTokenKind {
    /// An element begins.
    Open,
    /// An element ends.
    Close,
    /// A text.
    Text,
}

/// A tag or a text, as a number of the interner it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenCode(pub u32);

/// Gives tags that may match, and equal texts, equal numbers over the pages of a class.
#[derive(Debug, Clone, Default)]
pub struct TokenInterner {
    texts: Vec<Box<str>>,
    by_text: HashTable<u32>,
}

impl TokenInterner {
    /// The tokens of a page.
    pub fn tokens(&mut self, dom: &Dom) -> Vec<PageToken> {
        let mut tokens = Vec::with_capacity(dom.len() * 2);
        let mut open: Vec<PageToken> = Vec::new();
        let mut text = String::new();
        let mut node = NodeId::DOCUMENT;
        while node.index() < dom.len() {
            close_until(dom, node, &mut open, &mut tokens);
            if dom.is_unseen(node) {
                node = dom.subtree_end(node);
                continue;
            }
            text.clear();
            let kind = if dom.is_text(node) {
                push_collapsed(dom.text(node), &mut text);
                PageTokenKind::Text
            } else {
                write_tag(dom, node, &mut text);
                PageTokenKind::Open
            };
            if !text.is_empty() {
                let token = PageToken {
                    kind,
                    code: self.intern(kind, &text),
                    depth: dom.depth(node) as u16,
                    node,
                };
                tokens.push(token);
                if kind == PageTokenKind::Open {
                    open.push(token);
                }
            }
            node = NodeId(node.0 + 1);
        }
        close_until(dom, node, &mut open, &mut tokens);
        tokens
    }

    /// What a code stands for: a tag such as `td[class=odd]`, or a text.
    pub fn text(&self, code: TokenCode) -> &str {
        // The first character tells tags from texts, which may look alike.
        &self.texts[code.0 as usize][1..]
    }

    fn intern(&mut self, kind: PageTokenKind, text: &str) -> TokenCode {
        let mark = if kind == PageTokenKind::Text { '"' } else { '<' };
        let hash = HASHER.hash_one((mark, text));
        let texts = &self.texts;
        let is_it = |&index: &u32| texts[index as usize].starts_with(mark) && texts[index as usize][1..] == *text;
        if let Some(&index) = self.by_text.find(hash, is_it) {
            return TokenCode(index);
        }
        let index = self.texts.len() as u32;
        self.texts.push(format!("{mark}{text}").into());
        let texts = &self.texts;
        self.by_text.insert_unique(hash, index, |&index| {
            let text = &texts[index as usize];
            HASHER.hash_one((if text.starts_with('"') { '"' } else { '<' }, &text[1..]))
        });
        TokenCode(index)
    }
}

const HASHER: FixedState = FixedState::with_seed(0x746f_6b65);

/// Adds the close tags of elements that end before a node.
fn close_until(dom: &Dom, node: NodeId, open: &mut Vec<PageToken>, tokens: &mut Vec<PageToken>) {
    while let Some(token) = open.pop_if(|token| dom.subtree_end(token.node) <= node) {
        tokens.push(PageToken {
            kind: PageTokenKind::Close,
            ..token
        });
    }
}

/// Writes a tag's code; nothing for the document.
fn write_tag(dom: &Dom, element: NodeId, code: &mut String) {
    push_step_text(dom.name_text(element), code);
    let mut attributes: Vec<(&str, &str)> = dom
        .attributes(element)
        .filter(|(name, _)| !matches!(*name, Name::BGCOLOR | Name::SELECTED))
        .map(|(name, value)| {
            (
                dom.names().text(name),
                if matches!(name, Name::ID | Name::CLASS) {
                    value
                } else {
                    ""
                },
            )
        })
        .collect();
    attributes.sort_unstable();
    for (name, value) in attributes {
        code.push('[');
        push_step_text(name, code);
        if !value.is_empty() {
            code.push('=');
            push_step_text(value, code);
        }
        code.push(']');
    }
}

/// Appends text with its white space collapsed; no-break spaces count as such.
pub fn push_collapsed(text: &str, collapsed: &mut String) {
    let mut push = |word: &str| {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    };
    if !text.is_ascii() {
        return text.split_whitespace().for_each(push);
    }
    let is_blank = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if is_blank(&byte) {
            if start < at {
                push(&text[start..at]);
            }
            start = at + 1;
        }
    }
    if start < text.len() {
        push(&text[start..]);
    }
}
