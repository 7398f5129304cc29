//! A reader with a way back: bytes that were read lately can be read again.
//!
//! Damage shows late: a length that lies is noticed when its record has swallowed the next ones, a
//! broken gzip member when the decoder is already in the next. So a place is marked, and the tape
//! goes back to it while it still has it. The distance is bounded, and so is the sum of all ways
//! back, so that no file makes reading quadratic.

use std::io::{self, Read};

/// Bytes behind the current position that are kept for a way back.
const KEPT_BYTES: usize = 1 << 20;

/// Bytes that are asked for at once.
const CHUNK_BYTES: usize = 32 << 10;

/// All ways back together are at most this, and twice what was read.
const REWOUND_BYTES_FREE: u64 = 8 << 20;

/// A reader that keeps what it read lately.
pub(super) struct Tape<R> {
    inner: R,
    buffer: Vec<u8>,
    /// Where in the stream the buffer begins.
    start: u64,
    /// Index in the buffer of the next byte; never beyond its end.
    next: usize,
    mark: u64,
    rewound: u64,
    ended: bool,
}

impl<R: Read> Tape<R> {
    /// A tape whose positions begin at `start`.
    pub(super) fn new(inner: R, start: u64) -> Self {
        Self {
            inner,
            buffer: Vec::new(),
            start,
            next: 0,
            mark: start,
            rewound: 0,
            ended: false,
        }
    }

    /// Where in the stream the next byte is.
    pub(super) fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    /// What lies ahead: at least `wanted` bytes, fewer only at the end, often more.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.next < wanted && !self.ended {
            self.read_more()?;
        }
        Ok(self.ahead())
    }

    /// What lies ahead and is already here.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.buffer[self.next..]
    }

    /// Goes on by `length` bytes of what was last peeked at.
    pub(super) fn consume(&mut self, length: usize) {
        self.next = (self.next + length).min(self.buffer.len());
    }

    /// The byte before the current position, if it is still here.
    pub(super) fn before(&self) -> Option<u8> {
        self.buffer.get(self.next.checked_sub(1)?).copied()
    }

    /// Makes the current position the one that [`Self::rewind`] goes back to.
    pub(super) fn mark(&mut self) {
        self.mark = self.position();
    }

    /// Goes back to the mark; `false`, and nothing moves, when that is too far or was done too
    /// often.
    pub(super) fn rewind(&mut self) -> bool {
        let distance = self.position() - self.mark;
        let n_read = self.start + self.buffer.len() as u64;
        if self.mark < self.start || self.rewound + distance > REWOUND_BYTES_FREE + 2 * n_read {
            return false;
        }
        self.rewound += distance;
        self.next = (self.mark - self.start) as usize;
        true
    }

    /// Reads on after the inner reader has ended once and has more now.
    pub(super) fn reopen(&mut self) -> &mut R {
        self.ended = false;
        &mut self.inner
    }

    /// The reader below.
    pub(super) fn inner(&self) -> &R {
        &self.inner
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.forget();
        let filled = self.buffer.len();
        self.buffer.resize(filled + CHUNK_BYTES, 0);
        let outcome = loop {
            match self.inner.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        let n_read = outcome.as_ref().map_or(0, |n_read| *n_read);
        self.buffer.truncate(filled + n_read);
        self.ended = n_read == 0;
        outcome.map(|_| ())
    }

    /// Drops what no way back needs, once it is worth moving the rest.
    fn forget(&mut self) {
        let marked = usize::try_from(self.mark.saturating_sub(self.start))
            .unwrap_or(usize::MAX)
            .min(self.next);
        // One byte stays for `before`.
        let droppable = marked.max(self.next.saturating_sub(KEPT_BYTES)).saturating_sub(1);
        if droppable > KEPT_BYTES {
            self.buffer.drain(..droppable);
            self.start += droppable as u64;
            self.next -= droppable;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_back_to_the_mark() {
        let mut tape = Tape::new(&b"abcdef"[..], 10);
        tape.peek(6).expect("bytes");
        tape.consume(2);
        tape.mark();
        tape.consume(3);
        assert_eq!((tape.position(), tape.before()), (15, Some(b'e')));
        assert!(tape.rewind());
        assert_eq!((tape.position(), tape.peek(1).expect("bytes")), (12, &b"cdef"[..]));
    }

    #[test]
    fn forgets_what_is_far_behind() {
        let mut tape = Tape::new(io::repeat(7), 0);
        tape.mark();
        for _ in 0..100 {
            let length = tape.peek(CHUNK_BYTES).expect("bytes").len();
            tape.consume(length);
        }
        assert!(!tape.rewind());
        assert!(tape.buffer.len() <= 2 * KEPT_BYTES + 2 * CHUNK_BYTES);
        assert_eq!(tape.position(), 100 * CHUNK_BYTES as u64);
    }

    #[test]
    fn ways_back_are_bounded_in_sum() {
        let mut tape = Tape::new(&[0; 1000][..], 0);
        let mut n_rewinds = 0;
        loop {
            tape.peek(1000).expect("bytes");
            tape.consume(1000);
            if !tape.rewind() {
                break;
            }
            n_rewinds += 1;
        }
        assert_eq!(n_rewinds, (REWOUND_BYTES_FREE + 2000) / 1000);
    }
}
