//! Symbols: the tokens of a page as matching compares them.
//!
//! Tags match when their codes and depths are equal; texts whenever their depths are. Depth is what
//! tells apart most of what looks alike.

use untemplate::page::{PageToken, PageTokenKind, TokenCode};

/// A token without its place on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// Whether it opens, closes, or is a text.
    pub kind: SymbolKind,
    /// The tag's code; 0 for texts.
    pub code: u32,
    /// How deep it stands.
    pub depth: u16,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    /// An element begins.
    Open,
    /// An element ends.
    Close,
    /// Any text.
    Text,
}

impl Symbol {
    /// The symbol of a token.
    pub fn of(token: &PageToken) -> Self {
        let TokenCode(code) = token.code;
        let (kind, code) = match token.kind {
            PageTokenKind::Open => (SymbolKind::Open, code),
            PageTokenKind::Close => (SymbolKind::Close, code),
            PageTokenKind::Text => (SymbolKind::Text, 0),
        };
        Self {
            kind,
            code,
            depth: token.depth,
        }
    }
}

/// Whether all that opens in a list of symbols closes in it, and nothing else closes.
pub(super) fn is_balanced(symbols: impl Iterator<Item = Symbol>) -> bool {
    let mut n_open = 0i32;
    for symbol in symbols {
        n_open += match symbol.kind {
            SymbolKind::Open => 1,
            SymbolKind::Close => -1,
            SymbolKind::Text => 0,
        };
        if n_open < 0 {
            return false;
        }
    }
    n_open == 0
}
