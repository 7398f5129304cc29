//! Declarations: comments, doctypes and CDATA sections, all that begins with `<!`.
//!
//! HTML standard, 13.2.5.42 to 13.2.5.68.

use memchr::memchr;

use super::span::Span;
use super::token::{Doctype, Token};
use super::tokenizer::{TextKind, Tokenizer};

impl Tokenizer<'_> {
    /// What the `<!` that stands here opens.
    pub(super) fn declaration(&mut self) -> Token {
        let after = &self.rest()[2..];
        if after.starts_with(b"--") {
            return self.comment();
        }
        if after.len() >= 7 && after[..7].eq_ignore_ascii_case(b"doctype") {
            self.position += 9;
            return Token::Doctype(self.doctype());
        }
        if self.cdata_allowed && after.starts_with(b"[CDATA[") {
            self.position += 9;
            self.text_kind = TextKind::CdataSection;
            return Token::Characters(Span::EMPTY);
        }
        Token::Comment(self.bogus_comment(2))
    }

    fn comment(&mut self) -> Token {
        let start = self.position + 4;
        let bytes = self.bytes();
        let (end, next) = comment_end(bytes, start);
        self.position = next;
        Token::Comment(self.text.source_without_null(start, end))
    }

    /// The doctype whose keyword ends here.
    fn doctype(&mut self) -> Doctype {
        let mut doctype = Doctype::default();
        self.skip_white_space();
        if matches!(self.byte_at(self.position), None | Some(b'>')) {
            doctype.force_quirks = true;
            self.skip_doctype();
            return doctype;
        }
        doctype.name = Some(self.doctype_name());
        doctype.force_quirks = !self.identifiers(&mut doctype);
        self.skip_doctype();
        doctype
    }

    fn doctype_name(&mut self) -> Span {
        let start = self.position;
        let length = self
            .rest()
            .iter()
            .take_while(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ' | b'>'))
            .count();
        self.position += length;
        let name = self.text.source[start..self.position]
            .to_ascii_lowercase()
            .replace('\0', "\u{FFFD}");
        let from = self.text.scratch.len();
        self.text.scratch.push_str(&name);
        self.text.scratch_from(from)
    }

    /// Reads what follows the name; `false` when it is so broken that the page is in quirks mode.
    fn identifiers(&mut self, doctype: &mut Doctype) -> bool {
        self.skip_white_space();
        match self.rest() {
            [] => return false,
            [b'>', ..] => return true,
            rest if rest.len() >= 6 && rest[..6].eq_ignore_ascii_case(b"public") => {
                self.position += 6;
                self.skip_white_space();
                let (public_id, closed) = self.quoted();
                doctype.public_id = public_id;
                if !closed {
                    return false;
                }
                self.skip_white_space();
                if self.byte_at(self.position) == Some(b'>') {
                    return true;
                }
            }
            rest if rest.len() >= 6 && rest[..6].eq_ignore_ascii_case(b"system") => {
                self.position += 6;
                self.skip_white_space();
            }
            _ => return false,
        }
        let (system_id, closed) = self.quoted();
        doctype.system_id = system_id;
        if !closed {
            return false;
        }
        self.skip_white_space();
        self.byte_at(self.position).is_some()
    }

    /// The quoted text that begins here, if any, and whether its quote closes before the
    /// declaration does.
    fn quoted(&mut self) -> (Option<Span>, bool) {
        let Some(quote @ (b'"' | b'\'')) = self.byte_at(self.position) else {
            return (None, false);
        };
        let start = self.position + 1;
        let length = self.bytes()[start..]
            .iter()
            .take_while(|&&byte| byte != quote && byte != b'>')
            .count();
        self.position = start + length;
        let span = self.text.source_without_null(start, self.position);
        let closed = self.byte_at(self.position) == Some(quote);
        self.position += usize::from(closed);
        (Some(span), closed)
    }

    fn skip_doctype(&mut self) {
        let rest = self.rest();
        self.position += memchr(b'>', rest).map_or(rest.len(), |run| run + 1);
    }
}

/// Where the comment that begins at `start` ends, and where the page goes on.
fn comment_end(bytes: &[u8], start: usize) -> (usize, usize) {
    if bytes[start..].starts_with(b">") {
        return (start, start + 1);
    }
    if bytes[start..].starts_with(b"->") {
        return (start, start + 2);
    }
    let mut at = start;
    while let Some(run) = memchr(b'-', &bytes[at..]) {
        let dash = at + run;
        let dashes = bytes[dash..].iter().take_while(|&&byte| byte == b'-').count();
        let after = dash + dashes;
        match (dashes, bytes.get(after), bytes.get(after + 1)) {
            (1, None, _) => return (dash, after),
            (1, Some(_), _) => at = after,
            (_, None, _) => return (after - 2, after),
            (_, Some(b'>'), _) => return (after - 2, after + 1),
            (_, Some(b'!'), None) => return (after - 2, after + 1),
            (_, Some(b'!'), Some(b'>')) => return (after - 2, after + 2),
            (_, Some(b'!'), _) => at = after + 1,
            _ => at = after,
        }
    }
    (bytes.len(), bytes.len())
}
