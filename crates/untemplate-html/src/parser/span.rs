//! Spans: where a piece of text lies while a page is being parsed.
//!
//! Nearly all text of a page stands in its source as it is; the rest (character references,
//! replaced NULs, lowered names) is written to a scratch buffer. A span is one or the other, so
//! that tokens are plain numbers.

/// A piece of the source or of the scratch buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Where it begins; the highest bit is set for the scratch buffer.
    start: u32,
    len: u32,
}

const SCRATCH: u32 = 1 << 31;

/// The longest source that spans can address.
pub(super) const SOURCE_MAX: usize = SCRATCH as usize - 1;

impl Span {
    pub(super) const EMPTY: Span = Span { start: 0, len: 0 };

    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The text from `start` to `end` of the source.
    pub(super) fn of_source(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            len: (end - start) as u32,
        }
    }

    /// Cuts off the first `count` bytes: what was cut, and what is left.
    pub(super) fn split_at(self, count: usize) -> (Span, Span) {
        let count = count as u32;
        (
            Span {
                start: self.start,
                len: count,
            },
            Span {
                start: self.start + count,
                len: self.len - count,
            },
        )
    }

    /// Whether `next` begins where this one ends.
    pub(super) fn touches(self, next: Span) -> bool {
        self.start + self.len == next.start
    }

    /// The span as two numbers, which the growing tree keeps.
    pub(super) fn to_raw(self) -> (u32, u32) {
        (self.start, self.len)
    }

    pub(super) fn from_raw((start, len): (u32, u32)) -> Self {
        Self { start, len }
    }
}

/// The source and what was written beside it.
#[derive(Debug)]
pub(super) struct Text<'a> {
    pub(super) source: &'a str,
    pub(super) scratch: String,
}

impl Text<'_> {
    /// The text of a span.
    pub(super) fn get(&self, span: Span) -> &str {
        let (buffer, start) = match span.start & SCRATCH {
            0 => (self.source, span.start as usize),
            _ => (self.scratch.as_str(), (span.start & !SCRATCH) as usize),
        };
        &buffer[start..start + span.len as usize]
    }

    /// What was written to the scratch buffer since it was `start` bytes long.
    pub(super) fn scratch_from(&self, start: usize) -> Span {
        Span {
            start: start as u32 | SCRATCH,
            len: (self.scratch.len() - start) as u32,
        }
    }

    /// The source from `start` to `end`, with every NUL replaced as the standard asks.
    pub(super) fn source_without_null(&mut self, start: usize, end: usize) -> Span {
        let text = &self.source[start..end];
        if memchr::memchr(0, text.as_bytes()).is_none() {
            return Span::of_source(start, end);
        }
        let from = self.scratch.len();
        self.scratch
            .extend(text.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
        self.scratch_from(from)
    }
}
