//! Unpacking: a plain, gzip or zstd file as one stream of bytes that knows where its members began.
//!
//! Most writers compress every record into a member of its own, so that one record can be read
//! without the others. Some compress the whole file at once, some cut it into members anywhere: all
//! of these are read alike, and a place in the stream is named by the member it is in and the bytes
//! to skip there.
//!
//! A member that cannot be unpacked ends the stream for the moment; [`Unpacker::resume`] goes on at
//! the next one.

use std::collections::VecDeque;
use std::io::{self, Read};

use super::WarcOptions;
use super::tape::Tape;
use crate::codec::{Codec, FILE_WINDOW_LOG};

/// Bytes of the stream whose place in the file can still be told; more than a tape above ever goes
/// back.
const TOLD_BYTES: u64 = 3 << 20;

/// The largest zstd dictionary that is accepted.
const DICTIONARY_BYTES_MAX: usize = 16 << 20;

/// Members that may be damaged before the rest of a file is given up: each costs memory for a
/// decoder.
const TROUBLES_MAX: u32 = 100_000;

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Begins the skippable zstd frame that holds a dictionary for all others, when it is the first of
/// a file.
const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// A place in a file that may be compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Where in the file the member begins; in a plain file, the place itself.
    pub member: u64,
    /// How many bytes to skip in the unpacked member.
    pub skip: u64,
}

/// How a file is compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    /// With the dictionary that all frames need; mostly empty.
    Zstd(Vec<u8>),
}

/// A file as one stream of unpacked bytes.
pub(super) struct Unpacker<R> {
    tape: Tape<R>,
    start: u64,
    /// Found out from the first bytes, if not told.
    packing: Option<Packing>,
    codec: Option<Codec>,
    /// The codec of the member before, which has read the dictionary already.
    finished: Option<Codec>,
    /// Where in the file the current member begins.
    member: u64,
    /// Where lately begun members begin: in the stream, in the file. Sorted, never empty.
    members: VecDeque<(u64, u64)>,
    n_unpacked: u64,
    trouble: Option<String>,
    n_troubles: u32,
    /// No more is read, whatever is there.
    exhausted: bool,
    expansion_max: u64,
    unpacked_bytes_free: u64,
}

impl<R: Read> Unpacker<R> {
    /// Unpacks `read`, which stands at byte `start` of its file.
    pub(super) fn new(read: R, start: u64, packing: Option<Packing>, options: &WarcOptions) -> Self {
        Self {
            tape: Tape::new(read, start),
            start,
            packing,
            codec: None,
            finished: None,
            member: start,
            members: VecDeque::from([(0, start)]),
            n_unpacked: 0,
            trouble: None,
            n_troubles: 0,
            exhausted: false,
            expansion_max: options.expansion_max,
            unpacked_bytes_free: options.unpacked_bytes_free,
        }
    }

    /// How the file is compressed, once something was read.
    pub(super) fn packing(&self) -> Option<&Packing> {
        self.packing.as_ref()
    }

    /// The place in the file of a byte that was read lately.
    pub(super) fn location(&self, position: u64) -> Location {
        let after = self.members.partition_point(|(begin, _)| *begin <= position);
        let (begin, member) = self.members[after.saturating_sub(1)];
        let skip = position.saturating_sub(begin);
        match self.packing {
            Some(Packing::Gzip | Packing::Zstd(_)) => Location { member, skip },
            _ => Location {
                member: member + skip,
                skip: 0,
            },
        }
    }

    /// Whether a member begins at this position of the stream.
    pub(super) fn is_member_begin(&self, position: u64) -> bool {
        self.members
            .binary_search_by_key(&position, |(begin, _)| *begin)
            .is_ok()
    }

    /// Why the stream has ended, if not because the file has, and where the member begins that is
    /// to blame.
    pub(super) fn trouble(&self) -> Option<(u64, &str)> {
        self.trouble.as_deref().map(|trouble| (self.member, trouble))
    }

    /// Goes on at the next member after trouble; `false` if there is none.
    pub(super) fn resume(&mut self) -> io::Result<bool> {
        if self.trouble.take().is_none() || self.exhausted {
            return Ok(false);
        }
        self.n_troubles += 1;
        if self.n_troubles > TROUBLES_MAX {
            self.exhausted = true;
            return Ok(false);
        }
        self.codec = None;
        // The mark is where the bad member begins. The decoder may have run into the next one
        // before it noticed.
        if self.tape.rewind() {
            self.tape.consume(1);
        }
        self.find_member()
    }

    /// Goes on to the next bytes that look like the begin of a member.
    fn find_member(&mut self) -> io::Result<bool> {
        let is_begin: fn(&[u8]) -> bool = match self.packing {
            Some(Packing::Gzip) => |bytes| bytes[..3] == [0x1f, 0x8b, 8] && bytes[3] < 0x20,
            Some(Packing::Zstd(_)) => |bytes| bytes == ZSTD_MAGIC,
            _ => return Ok(false),
        };
        loop {
            let bytes = self.tape.peek(4)?;
            if bytes.len() < 4 {
                return Ok(false);
            }
            let found = bytes.windows(4).position(is_begin);
            let length = found.unwrap_or(bytes.len() - 3);
            self.tape.consume(length);
            if found.is_some() {
                return Ok(true);
            }
        }
    }

    /// Begins the next member; `false` when there is none, or none that can be read.
    fn begin_member(&mut self) -> io::Result<bool> {
        self.skip_padding()?;
        self.tape.mark();
        self.member = self.tape.position();
        let bytes = self.tape.peek(4)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let codec = match &self.packing {
            Some(Packing::Gzip) if bytes.starts_with(&[0x1f, 0x8b]) => Ok(Codec::gzip()),
            Some(Packing::Zstd(dictionary)) if bytes.starts_with(&ZSTD_MAGIC) => {
                let again = self.finished.take().and_then(Codec::begun_again);
                again
                    .map_or_else(|| Codec::zstd(dictionary, FILE_WINDOW_LOG), Ok)
                    .map_err(|error| error.to_string())
            }
            _ => Err("what follows is no compressed member".to_owned()),
        };
        match codec {
            Ok(codec) => {
                self.codec = Some(codec);
                self.remember_member();
                Ok(true)
            }
            Err(trouble) => {
                self.trouble = Some(trouble);
                Ok(false)
            }
        }
    }

    fn remember_member(&mut self) {
        if self.members.back().is_some_and(|(begin, _)| *begin == self.n_unpacked) {
            self.members.pop_back();
        }
        self.members.push_back((self.n_unpacked, self.tape.position()));
        while self.members.len() > 1 && self.members[1].0 + TOLD_BYTES < self.n_unpacked {
            self.members.pop_front();
        }
    }

    /// Skips what stands between members and means nothing: zeros of tape blocks, skippable zstd
    /// frames.
    fn skip_padding(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.tape.peek(8)?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let skippable = matches!(self.packing, Some(Packing::Zstd(_))) && is_skippable(bytes);
            let mut length = if skippable {
                8 + u64::from(little_endian(&bytes[4..8]))
            } else {
                zeros as u64
            };
            if length == 0 {
                return Ok(());
            }
            while length > 0 {
                let here = self
                    .tape
                    .peek(1)?
                    .len()
                    .min(usize::try_from(length).unwrap_or(usize::MAX));
                if here == 0 {
                    return Ok(());
                }
                self.tape.consume(here);
                length -= here as u64;
            }
        }
    }

    /// Finds out how the file is compressed.
    fn detect_packing(&mut self) -> io::Result<()> {
        let bytes = self.tape.peek(8)?;
        self.packing = Some(if bytes.starts_with(&[0x1f, 0x8b]) {
            Packing::Gzip
        } else if bytes.starts_with(&DICTIONARY_MAGIC) && bytes.len() >= 8 {
            Packing::Zstd(self.read_dictionary()?)
        } else if bytes.starts_with(&ZSTD_MAGIC) || is_skippable(bytes) {
            Packing::Zstd(Vec::new())
        } else {
            Packing::Plain
        });
        Ok(())
    }

    /// The dictionary in the first frame; empty, and the frames that need it will say so, when it
    /// is not usable.
    fn read_dictionary(&mut self) -> io::Result<Vec<u8>> {
        let length = little_endian(&self.tape.peek(8)?[4..8]) as usize;
        if length > DICTIONARY_BYTES_MAX {
            return Ok(Vec::new());
        }
        let bytes = self.tape.peek(8 + length)?;
        let dictionary = bytes[8..].iter().take(length).copied().collect::<Vec<u8>>();
        if !dictionary.starts_with(&ZSTD_MAGIC) {
            return Ok(dictionary);
        }
        let mut unpacked = Vec::new();
        let decoder = zstd::stream::read::Decoder::new(&dictionary[..])?;
        let outcome = decoder.take(DICTIONARY_BYTES_MAX as u64).read_to_end(&mut unpacked);
        Ok(outcome.map_or(Vec::new(), |_| unpacked))
    }

    /// Unpacks a bit of the current member; may write nothing and still get on.
    fn unpack(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let input = self.tape.peek(1)?;
        let Some(codec) = &mut self.codec else { return Ok(0) };
        let step = codec.step(input, output);
        let stuck = step.n_read == 0 && step.n_written == 0;
        match step.done {
            Ok(true) => self.finished = self.codec.take(),
            Ok(false) if stuck => self.trouble = Some("its compressed data is cut off".to_owned()),
            Ok(false) => {}
            Err(trouble) => self.trouble = Some(format!("its compressed data is damaged: {trouble}")),
        }
        self.tape.consume(step.n_read);
        self.n_unpacked += step.n_written as u64;
        let n_packed = self.tape.position() - self.start;
        let n_unpacked_max = n_packed
            .saturating_mul(self.expansion_max)
            .saturating_add(self.unpacked_bytes_free);
        if self.n_unpacked > n_unpacked_max {
            self.exhausted = true;
            self.trouble = Some(format!(
                "it unpacks to over {} times its size: no more is read",
                self.expansion_max
            ));
        }
        Ok(step.n_written)
    }

    fn copy(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let input = self.tape.peek(1)?;
        let length = input.len().min(output.len());
        output[..length].copy_from_slice(&input[..length]);
        self.tape.consume(length);
        self.n_unpacked += length as u64;
        Ok(length)
    }
}

impl<R: Read> Read for Unpacker<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if self.packing.is_none() {
            self.detect_packing()?;
        }
        if self.packing == Some(Packing::Plain) {
            return self.copy(output);
        }
        while self.trouble.is_none() && !self.exhausted && !output.is_empty() {
            if self.codec.is_none() && !self.begin_member()? {
                break;
            }
            let n_written = self.unpack(output)?;
            if n_written > 0 {
                return Ok(n_written);
            }
        }
        Ok(0)
    }
}

/// Whether these bytes begin a zstd frame that is to be skipped.
fn is_skippable(bytes: &[u8]) -> bool {
    bytes.len() >= 8 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == DICTIONARY_MAGIC[1..]
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u32::from(*byte))
}
