//! Tags: the name and attributes between `<` and `>`.
//!
//! HTML standard, 13.2.5.8 and 13.2.5.32 to 13.2.5.40.

use memchr::{memchr2, memchr3};

use super::super::name::Name;
use super::reference::read_reference;
use super::span::Span;
use super::token::{TagAttribute, Token};
use super::tokenizer::Tokenizer;

impl Tokenizer<'_> {
    /// The tag whose name begins here, or `None` when the page ends inside it.
    pub(super) fn tag(&mut self, kind: Token) -> Option<Token> {
        let start = self.position;
        let length = self
            .rest()
            .iter()
            .take_while(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ' | b'/' | b'>'));
        self.position += length.count();
        let name = self.lowered_name(start, self.position);
        self.tag.name = Some(name);
        self.tag.self_closing = false;
        self.tag.attributes.clear();
        if !self.attributes() {
            self.position = self.text.source.len();
            return None;
        }
        if kind == Token::StartTag {
            self.last_start_tag = Some(name);
        }
        Some(kind)
    }

    /// Reads attributes up to the tag's end; `false` when the page ends first.
    fn attributes(&mut self) -> bool {
        loop {
            self.skip_white_space();
            match self.byte_at(self.position) {
                None => return false,
                Some(b'>') => {
                    self.position += 1;
                    return true;
                }
                Some(b'/') => {
                    self.position += 1;
                    if self.byte_at(self.position) == Some(b'>') {
                        self.position += 1;
                        self.tag.self_closing = true;
                        return true;
                    }
                }
                Some(_) => {
                    if !self.attribute() {
                        return false;
                    }
                }
            }
        }
    }

    /// Reads one attribute; `false` when the page ends inside it.
    fn attribute(&mut self) -> bool {
        let start = self.position;
        let length = self.rest()[1..]
            .iter()
            .take_while(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ' | b'/' | b'>' | b'='))
            .count();
        self.position += 1 + length;
        let name_end = self.position;
        self.skip_white_space();
        let mut value = Some(Span::EMPTY);
        if self.byte_at(self.position) == Some(b'=') {
            self.position += 1;
            self.skip_white_space();
            value = self.attribute_value();
        }
        let Some(value) = value else { return false };
        if self.tag.attributes.len() == self.attributes_max {
            self.attributes_dropped += 1;
            return true;
        }
        let name = self.lowered_name(start, name_end);
        if self.tag.attribute(name).is_none() {
            self.tag.attributes.push(TagAttribute { name, value });
        }
        true
    }

    /// The value that begins here, or `None` when the page ends inside it.
    fn attribute_value(&mut self) -> Option<Span> {
        match self.byte_at(self.position)? {
            quote @ (b'"' | b'\'') => {
                let start = self.position + 1;
                let mut end = start;
                let mut plain = true;
                loop {
                    end += memchr3(quote, b'&', 0, &self.bytes()[end..])?;
                    if self.bytes()[end] == quote {
                        break;
                    }
                    plain = false;
                    end += 1;
                }
                self.position = end + 1;
                Some(self.value_span(start, end, plain))
            }
            b'>' => Some(Span::EMPTY),
            _ => {
                let start = self.position;
                let rest = self.rest();
                let length = rest
                    .iter()
                    .take_while(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ' | b'>'))
                    .count();
                self.position += length;
                let plain = memchr2(b'&', 0, &rest[..length]).is_none();
                Some(self.value_span(start, self.position, plain))
            }
        }
    }

    /// A value with its references and NULs resolved; it is `plain` when it has none.
    fn value_span(&mut self, start: usize, end: usize, plain: bool) -> Span {
        if plain {
            return Span::of_source(start, end);
        }
        let from = self.text.scratch.len();
        let value = &self.text.source[start..end];
        let mut at = 0;
        while let Some(run) = memchr2(b'&', 0, &value.as_bytes()[at..]) {
            self.text.scratch.push_str(&value[at..at + run]);
            at += run + 1;
            if value.as_bytes()[at - 1] == 0 {
                self.text.scratch.push('\u{FFFD}');
                continue;
            }
            let length = read_reference(&value[at..], true, &mut self.text.scratch);
            if length == 0 {
                self.text.scratch.push('&');
            }
            at += length;
        }
        self.text.scratch.push_str(&value[at..]);
        self.text.scratch_from(from)
    }

    /// The name that stands from `start` to `end`, in lower case and with NULs replaced.
    fn lowered_name(&mut self, start: usize, end: usize) -> Name {
        let name = &self.text.source[start..end];
        if name.bytes().all(|byte| !byte.is_ascii_uppercase() && byte != 0) {
            return self.names.intern(name);
        }
        let mut short = [0; 32];
        if name.len() <= short.len() && !name.as_bytes().contains(&0) {
            let short = &mut short[..name.len()];
            short.copy_from_slice(name.as_bytes());
            short.make_ascii_lowercase();
            if let Ok(name) = str::from_utf8(short) {
                return self.names.intern(name);
            }
        }
        self.names.intern(&name.to_ascii_lowercase().replace('\0', "\u{FFFD}"))
    }

    pub(super) fn skip_white_space(&mut self) {
        let run = self
            .rest()
            .iter()
            .take_while(|byte| matches!(byte, b'\t' | b'\n' | b'\x0C' | b' '))
            .count();
        self.position += run;
    }
}
