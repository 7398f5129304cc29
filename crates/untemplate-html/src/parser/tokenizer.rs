//! The tokenizer: page text to tags, text, comments and doctypes.
//!
//! In: text with its line ends made plain. Out: one [`Token`] a call. HTML standard, 13.2.5.
//! Departure in form, not in result: the whole text is at hand, so that the standard's eighty
//! states become one function for each construct, and runs of text are found by `memchr` instead of
//! a look at every character. Parse errors are not told apart, since nothing here would read them.
//!
//! Tags are read in `tag.rs`, comments and doctypes in `declaration.rs`, character references in
//! `reference.rs`.

use memchr::{memchr, memchr2, memchr3};

use super::super::name::{Name, Names};
use super::reference::read_reference;
use super::span::{Span, Text};
use super::token::{Tag, Token};

/// What the text up to the next tag means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Ordinary content.
    Data,
    /// `title`, `textarea`: references but no tags.
    EscapableRaw,
    /// `style`, `xmp` and the like: neither.
    Raw,
    /// `script`: like raw text, with the standard's rules for `<!--` inside.
    Script,
    /// After `plaintext`: all that is left.
    Plain,
    /// Inside `<![CDATA[`.
    CdataSection,
}

#[derive(Debug)]
pub(super) struct Tokenizer<'a> {
    pub(super) text: Text<'a>,
    pub(super) names: Names,
    /// The tag that the last [`Token::StartTag`] or [`Token::EndTag`] speaks of.
    pub(super) tag: Tag,
    pub(super) text_kind: TextKind,
    /// Whether `<![CDATA[` opens a section: only where the tree is in foreign content.
    pub(super) cdata_allowed: bool,
    /// The name that ends raw text.
    pub(super) last_start_tag: Option<Name>,
    pub(super) attributes_max: usize,
    /// How many attributes were left out because a tag had more than `attributes_max`.
    pub(super) attributes_dropped: usize,
    pub(super) position: usize,
}

impl<'a> Tokenizer<'a> {
    pub(super) fn new(source: &'a str, attributes_max: usize) -> Self {
        Self {
            text: Text {
                source,
                scratch: String::new(),
            },
            names: Names::default(),
            tag: Tag::default(),
            text_kind: TextKind::Data,
            cdata_allowed: false,
            last_start_tag: None,
            attributes_max,
            attributes_dropped: 0,
            position: 0,
        }
    }

    /// The next token; [`Token::End`] again and again after the last one.
    pub(super) fn next(&mut self) -> Token {
        loop {
            if self.position >= self.text.source.len() {
                return Token::End;
            }
            let token = match self.text_kind {
                TextKind::Data => self.data(),
                TextKind::EscapableRaw => self.escapable_raw(),
                TextKind::Raw => self.raw(),
                TextKind::Script => self.script(),
                TextKind::Plain => Some(self.replaced_characters(self.text.source.len())),
                TextKind::CdataSection => self.cdata_section(),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.source.as_bytes()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes()[self.position..]
    }

    pub(super) fn byte_at(&self, position: usize) -> Option<u8> {
        self.bytes().get(position).copied()
    }

    /// The source from here to `end`, as characters; moves there.
    pub(super) fn characters(&mut self, end: usize) -> Token {
        let span = Span::of_source(self.position, end);
        self.position = end;
        Token::Characters(span)
    }

    /// The same, with NULs replaced.
    fn replaced_characters(&mut self, end: usize) -> Token {
        let span = self.text.source_without_null(self.position, end);
        self.position = end;
        Token::Characters(span)
    }

    fn data(&mut self) -> Option<Token> {
        let rest = self.rest();
        match memchr3(b'<', b'&', 0, rest) {
            Some(0) => match rest[0] {
                b'<' => self.markup(),
                b'&' => Some(self.reference()),
                _ => Some(self.null()),
            },
            Some(run) => Some(self.characters(self.position + run)),
            None => Some(self.characters(self.text.source.len())),
        }
    }

    fn null(&mut self) -> Token {
        self.position += 1;
        Token::Null
    }

    /// What stands at an ampersand in text.
    fn reference(&mut self) -> Token {
        let from = self.text.scratch.len();
        let after = &self.text.source[self.position + 1..];
        let length = read_reference(after, false, &mut self.text.scratch);
        if length == 0 {
            return self.characters(self.position + 1);
        }
        self.position += 1 + length;
        Token::Characters(self.text.scratch_from(from))
    }

    fn escapable_raw(&mut self) -> Option<Token> {
        let rest = self.rest();
        match memchr3(b'<', b'&', 0, rest) {
            Some(0) if rest[0] == b'<' => Some(self.end_of_raw_or_text()),
            Some(0) if rest[0] == b'&' => Some(self.reference()),
            Some(0) => Some(self.replaced_characters(self.position + 1)),
            Some(run) => Some(self.characters(self.position + run)),
            None => Some(self.characters(self.text.source.len())),
        }
    }

    fn raw(&mut self) -> Option<Token> {
        let rest = self.rest();
        match memchr2(b'<', 0, rest) {
            Some(0) if rest[0] == b'<' => Some(self.end_of_raw_or_text()),
            Some(0) => Some(self.replaced_characters(self.position + 1)),
            Some(run) => Some(self.characters(self.position + run)),
            None => Some(self.characters(self.text.source.len())),
        }
    }

    /// At a `<` in raw text: its end tag, or one more character.
    fn end_of_raw_or_text(&mut self) -> Token {
        if self.ends_raw_text(self.position) {
            self.text_kind = TextKind::Data;
            self.position += 2;
            return self.tag(Token::EndTag).unwrap_or(Token::End);
        }
        self.characters(self.position + 1)
    }

    /// Whether the end tag that belongs to the open raw text stands here.
    fn ends_raw_text(&self, position: usize) -> bool {
        let Some(name) = self.last_start_tag else { return false };
        let name = self.names.text(name).as_bytes();
        let bytes = &self.bytes()[position..];
        bytes.len() > name.len() + 2
            && bytes[1] == b'/'
            && bytes[2..2 + name.len()].eq_ignore_ascii_case(name)
            && matches!(bytes[2 + name.len()], b'\t' | b'\n' | b'\x0C' | b' ' | b'/' | b'>')
    }

    fn script(&mut self) -> Option<Token> {
        let end = self.script_end();
        if end > self.position {
            return Some(self.replaced_characters(end));
        }
        Some(self.end_of_raw_or_text())
    }

    /// Where the script ends: at its end tag, but not at one inside `<!-- <script> … -->`.
    fn script_end(&self) -> usize {
        let bytes = self.bytes();
        let mut escape = Escape::None;
        let mut at = self.position;
        while at < bytes.len() {
            let Some(run) = memchr2(b'<', b'-', &bytes[at..]) else {
                return bytes.len();
            };
            at += run;
            if bytes[at] == b'-' {
                let dashes = bytes[at..].iter().take_while(|&&byte| byte == b'-').count();
                at += dashes;
                if dashes >= 2 && bytes.get(at) == Some(&b'>') {
                    escape = Escape::None;
                }
            } else if escape != Escape::Double && self.ends_raw_text(at) {
                return at;
            } else {
                at += 1;
                match escape {
                    Escape::None if bytes[at..].starts_with(b"!--") => {
                        escape = Escape::Single;
                        at += 1;
                    }
                    Escape::Single if names_script(&bytes[at..]) => escape = Escape::Double,
                    Escape::Double if bytes.get(at) == Some(&b'/') && names_script(&bytes[at + 1..]) => {
                        escape = Escape::Single;
                    }
                    _ => {}
                }
            }
        }
        bytes.len()
    }

    fn cdata_section(&mut self) -> Option<Token> {
        let rest = self.rest();
        if rest.starts_with(b"]]>") {
            self.position += 3;
            self.text_kind = TextKind::Data;
            return None;
        }
        if rest[0] == 0 {
            return Some(self.null());
        }
        let run = 1 + memchr2(b']', 0, &rest[1..]).unwrap_or(rest.len() - 1);
        Some(self.characters(self.position + run))
    }

    /// At a `<` in ordinary content: a tag, a declaration, or just a `<`. `None` when it comes to
    /// nothing.
    fn markup(&mut self) -> Option<Token> {
        match self.byte_at(self.position + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                self.position += 1;
                self.tag(Token::StartTag)
            }
            Some(b'/') => match self.byte_at(self.position + 2) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    self.position += 2;
                    self.tag(Token::EndTag)
                }
                Some(b'>') => {
                    self.position += 3;
                    None
                }
                Some(_) => Some(Token::Comment(self.bogus_comment(2))),
                None => Some(self.characters(self.text.source.len())),
            },
            Some(b'!') => Some(self.declaration()),
            Some(b'?') => {
                let text = self.bogus_comment(1);
                Some(Token::Instruction {
                    text,
                    closed: self.byte_at(self.position - 1) == Some(b'>'),
                })
            }
            _ => Some(self.characters(self.position + 1)),
        }
    }

    /// Everything from `skip` bytes after here to the next `>`.
    pub(super) fn bogus_comment(&mut self, skip: usize) -> Span {
        let start = self.position + skip;
        let end = memchr(b'>', &self.bytes()[start..]).map_or(self.text.source.len(), |run| start + run);
        self.position = (end + 1).min(self.text.source.len());
        self.text.source_without_null(start, end)
    }
}

/// How deep a script is inside `<!--` and `<script`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    Single,
    Double,
}

/// Whether the tag name `script` stands here.
fn names_script(bytes: &[u8]) -> bool {
    bytes.len() > 6
        && bytes[..6].eq_ignore_ascii_case(b"script")
        && matches!(bytes[6], b'\t' | b'\n' | b'\x0C' | b' ' | b'/' | b'>')
}
