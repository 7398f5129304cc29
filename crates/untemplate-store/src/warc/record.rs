//! Records: the pieces of a WARC file, each with a head of header lines and a block of bytes.
//!
//! In: any reader, compressed or not. Out: one [`WarcRecord`] after the other, and problems beside
//! them. A record ends where its `Content-Length` says, if the next record or the end of the file
//! is there. If not, the length lies, and the record ends where the next one begins.

use std::io::{self, Read};

use untemplate::page::Problem;

use super::header::{Headers, head_end};
use super::options::Problems;
use super::tape::Tape;
use super::unpacker::{Packing, Unpacker};
use super::{Location, WarcOptions};

/// One record of a WARC file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcRecord {
    /// Which one it is in what was read, from 1.
    pub number: u64,
    /// Where it begins.
    pub location: Location,
    /// Its content, or the begin of it where it is larger than the limit.
    pub block: Vec<u8>,
    /// How many bytes its content has in the file.
    pub block_length: u64,
    pub(super) headers: Headers,
}

impl WarcRecord {
    /// The value of a header, such as `WARC-Date`.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)
    }

    /// What kind of record it is: `response`, `request`, `revisit` and so on; empty if it does not
    /// say.
    pub fn kind(&self) -> &str {
        self.header("WARC-Type").unwrap_or_default()
    }

    /// The address it is about. Some writers put it in angle brackets.
    pub fn target(&self) -> Option<&str> {
        let target = self.header("WARC-Target-URI")?;
        Some(
            target
                .strip_prefix('<')
                .and_then(|target| target.strip_suffix('>'))
                .unwrap_or(target),
        )
    }

    /// What is missing of it: bytes that were not read, or that the archive itself cut off.
    pub(crate) fn losses(&self) -> Vec<Problem> {
        let mut losses = Vec::new();
        if self.block.len() as u64 != self.block_length {
            let message = format!("of {} bytes only {} were read", self.block_length, self.block.len());
            losses.push(Problem::new("too long", message));
        }
        if let Some(reason) = self.header("WARC-Truncated") {
            let message = format!("the archive says why: {reason}");
            losses.push(Problem::new("cut when recorded", message));
        }
        losses
    }
}

/// Reads records one after the other.
pub struct RecordReader<R> {
    tape: Tape<Unpacker<R>>,
    head_bytes_max: usize,
    record_bytes_max: usize,
    n_records: u64,
    problems: Problems,
    is_trouble_told: bool,
}

impl<R: Read> RecordReader<R> {
    /// Reads the records of a file from its begin on.
    pub fn new(read: R, options: &WarcOptions) -> Self {
        Self::over(Unpacker::new(read, 0, None, options), options)
    }

    /// Reads on in a file that was opened before, at a place where a record begins; `read` stands
    /// at its member.
    pub(super) fn resume(
        read: R,
        location: Location,
        packing: &Packing,
        options: &WarcOptions,
    ) -> io::Result<RecordReader<R>> {
        let mut reader = Self::over(
            Unpacker::new(read, location.member, Some(packing.clone()), options),
            options,
        );
        reader.take(location.skip, &mut Vec::new(), 0)?;
        Ok(reader)
    }

    fn over(unpacker: Unpacker<R>, options: &WarcOptions) -> Self {
        Self {
            tape: Tape::new(unpacker, 0),
            head_bytes_max: options.head_bytes_max,
            record_bytes_max: options.record_bytes_max,
            n_records: 0,
            problems: Problems::new(options.problems_max),
            is_trouble_told: false,
        }
    }

    /// The next record, or `None` at the end. An error is the reader's own: bad content is never
    /// one.
    pub fn next_record(&mut self) -> io::Result<Option<WarcRecord>> {
        loop {
            let bytes = self.tape.peek(7)?;
            let n_newlines = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if n_newlines > 0 {
                self.tape.consume(n_newlines);
            } else if bytes.is_empty() {
                if !self.skip_trouble()? {
                    return Ok(None);
                }
            } else if !is_record_begin(bytes) {
                self.skip_garbage()?;
            } else if let Some(record) = self.read_record()? {
                return Ok(Some(record));
            }
        }
    }

    /// What was odd so far.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems.into_vec()
    }

    /// How the file is compressed, once something was read.
    pub(super) fn packing(&self) -> Option<&Packing> {
        self.tape.inner().packing()
    }

    /// Goes on after a member that could not be unpacked; `false` when nothing follows.
    fn skip_trouble(&mut self) -> io::Result<bool> {
        self.tell_trouble();
        self.is_trouble_told = false;
        self.tape.reopen().resume()
    }

    /// Says what stopped the unpacking, once.
    fn tell_trouble(&mut self) {
        if let Some((member, trouble)) = self.tape.inner().trouble().filter(|_| !self.is_trouble_told) {
            let message = format!(
                "after the begin of record {}, at byte {member}: {trouble}",
                self.n_records
            );
            self.problems.push("damaged archive", message);
            self.is_trouble_told = true;
        }
    }

    fn skip_garbage(&mut self) -> io::Result<()> {
        let member = self.location().member;
        let length = self.take_to_record(&mut Vec::new(), 0)?;
        let message = format!(
            "after record {}, at byte {member}: {length} bytes are no record",
            self.n_records
        );
        self.problems.push("not a record", message);
        Ok(())
    }

    fn read_record(&mut self) -> io::Result<Option<WarcRecord>> {
        let location = self.location();
        let Some(head) = self.read_head()? else {
            let message = format!(
                "after record {}, at byte {}: a head without end",
                self.n_records, location.member
            );
            self.problems.push("damaged record", message);
            // The first letters are passed over, so that this place is not taken for a record
            // again.
            self.tape.consume(5);
            self.take_to_record(&mut Vec::new(), 0)?;
            return Ok(None);
        };
        self.n_records += 1;
        let headers = Headers::read(&head);
        let (block, block_length) = self.read_block(&headers, location)?;
        // A member that fails behind its last byte, such as at its checksum, makes this record
        // doubtful.
        let last_member = self.location().member;
        if self
            .tape
            .inner()
            .trouble()
            .is_some_and(|(member, _)| member <= last_member)
        {
            self.tell_trouble();
        }
        Ok(Some(WarcRecord {
            number: self.n_records,
            location,
            block,
            block_length,
            headers,
        }))
    }

    /// The head that begins here; `None` when it has no end before the next record, or within the
    /// limit.
    fn read_head(&mut self) -> io::Result<Option<Vec<u8>>> {
        // A little at a time: a file of nothing but begins of records would be searched to the
        // limit at each of them.
        let mut searched_max = 1024.min(self.head_bytes_max);
        loop {
            let bytes = self.tape.peek(searched_max)?;
            let searched = &bytes[..bytes.len().min(searched_max)];
            let end = head_end(searched);
            let head = &searched[..end.unwrap_or(searched.len())];
            let runs_on = (1..head.len()).any(|at| head[at - 1] == b'\n' && is_record_begin(&head[at..]));
            if end.is_some() && !runs_on {
                let head = head.to_vec();
                self.tape.consume(head.len());
                return Ok(Some(head));
            }
            if runs_on || searched.len() < searched_max || searched_max == self.head_bytes_max {
                return Ok(None);
            }
            searched_max = (2 * searched_max).min(self.head_bytes_max);
        }
    }

    /// The block after a head, and how long it is in the file.
    fn read_block(&mut self, headers: &Headers, location: Location) -> io::Result<(Vec<u8>, u64)> {
        let stated = headers
            .get("Content-Length")
            .and_then(|length| length.parse::<u64>().ok());
        let (mut block, kept_max) = (Vec::new(), self.record_bytes_max);
        self.tape.mark();
        let length = self.take(stated.unwrap_or(0), &mut block, kept_max)?;
        if stated == Some(length) && self.is_at_boundary()? {
            return Ok((block, length));
        }
        let place = format!("record {} at byte {}", self.n_records, location.member);
        let is_short = |length: u64| stated.is_some_and(|stated| length < stated);
        let told = stated.map_or("no length".to_owned(), |stated| format!("{stated} bytes"));
        if !self.tape.rewind() {
            self.problems.push(
                "bad length",
                format!("{place}: states {told}, and no record follows there"),
            );
            return Ok((block, length));
        }
        block.clear();
        let mut length = self.take_to_record(&mut block, kept_max)?;
        if length == block.len() as u64 && !self.tape.peek(1)?.is_empty() {
            trim_newlines(&mut block);
            length = block.len() as u64;
        }
        // What ends before its stated length where the file ends was cut off, with all behind it.
        let is_cut = is_short(length) && self.tape.peek(1)?.is_empty() && self.tape.inner().trouble().is_none();
        let kind = if is_cut { "damaged archive" } else { "bad length" };
        self.problems
            .push(kind, format!("{place}: states {told}, has {length}"));
        Ok((block, length))
    }

    /// Whether a record may end here: the newlines that end every record, or others and then a
    /// record or nothing.
    fn is_at_boundary(&mut self) -> io::Result<bool> {
        let bytes = self.tape.peek(16)?;
        if bytes.starts_with(b"\r\n\r\n") {
            return Ok(true);
        }
        let rest = &bytes[bytes
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n' | 0))
            .count()..];
        Ok(rest.is_empty() || is_record_begin(rest) || (rest.len() < 7 && b"WARC/1.".starts_with(rest)))
    }

    /// Goes on by `length` bytes, or to the end; appends the first of them to `kept`. Returns how
    /// many there were.
    fn take(&mut self, length: u64, kept: &mut Vec<u8>, kept_max: usize) -> io::Result<u64> {
        let mut left = length;
        while left > 0 {
            let bytes = self.tape.peek(1)?;
            let here = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if here == 0 {
                break;
            }
            keep(&bytes[..here], kept, kept_max);
            self.tape.consume(here);
            left -= here as u64;
        }
        Ok(length - left)
    }

    /// Goes on to where the next record seems to begin, or to the end, as [`Self::take`] does.
    fn take_to_record(&mut self, kept: &mut Vec<u8>, kept_max: usize) -> io::Result<u64> {
        let begin = self.tape.position();
        loop {
            let length = self.tape.peek(7)?.len();
            let found = self.find_record();
            // What may be the first half of a record's begin stays for the next look.
            let here = found.unwrap_or(if length < 7 { length } else { length - 6 });
            keep(&self.tape.ahead()[..here], kept, kept_max);
            self.tape.consume(here);
            if found.is_some() || here == 0 {
                return Ok(self.tape.position() - begin);
            }
        }
    }

    /// Where in the bytes ahead a record begins: at the begin of a line or of a member.
    fn find_record(&self) -> Option<usize> {
        let (bytes, position) = (self.tape.ahead(), self.tape.position());
        (0..bytes.len()).find(|&index| {
            let before = || {
                index
                    .checked_sub(1)
                    .map_or(self.tape.before(), |index| Some(bytes[index]))
            };
            let is_begin = bytes[index] == b'W' && is_record_begin(&bytes[index..]);
            is_begin && (before() == Some(b'\n') || self.tape.inner().is_member_begin(position + index as u64))
        })
    }

    fn location(&self) -> Location {
        self.tape.inner().location(self.tape.position())
    }
}

/// Appends what fits.
fn keep(bytes: &[u8], kept: &mut Vec<u8>, kept_max: usize) {
    let room = kept_max.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// Whether these bytes begin a record: `WARC/`, a digit and a dot.
fn is_record_begin(bytes: &[u8]) -> bool {
    bytes.starts_with(b"WARC/") && bytes.get(5).is_some_and(u8::is_ascii_digit) && bytes.get(6) == Some(&b'.')
}

/// Takes away the two newlines that end every record.
fn trim_newlines(block: &mut Vec<u8>) {
    for _ in 0..2 {
        if block.last() == Some(&b'\n') {
            block.pop();
            if block.last() == Some(&b'\r') {
                block.pop();
            }
        }
    }
}
