//! One content encoding of a body, undone while the body comes in.
//!
//! Servers say `Content-Encoding` of bodies that have none, so a coding that fails before it gave a
//! single byte is taken for absent; one that fails later gives what it has so far.

use crate::codec::{Codec, CodecStep};

/// What one step may write; it bounds the memory and the time between two looks at the limits.
pub(super) const STEP_BYTES: usize = 16 << 10;

/// How much input is kept for the case that the coding turns out to be absent.
const DOUBT_BYTES: usize = 64 << 10;

/// Members of one gzip body; each costs an allocation, and nobody honest sends more than a few.
const MEMBERS_MAX: u32 = 1024;

/// A content encoding that we ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Zstd,
    Brotli,
}

impl Coding {
    /// The coding that a header names.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        match name {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "zstd" => Some(Self::Zstd),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Zstd => "zstd",
            Self::Brotli => "brotli",
        }
    }

    /// `None` when there is no memory for the codec.
    fn codec(self, window_log_max: u32) -> Option<Codec> {
        match self {
            Self::Gzip => Some(Codec::gzip()),
            Self::Deflate => Some(Codec::deflate(true)),
            Self::Zstd => Codec::zstd(&[], window_log_max).ok(),
            Self::Brotli => Some(Codec::brotli()),
        }
    }

    /// Whether data that begins like this is certainly of this coding, however damaged.
    fn is_proven_by(self, begin: &[u8]) -> bool {
        match self {
            Self::Gzip => begin.starts_with(b"\x1f\x8b"),
            Self::Zstd => begin.starts_with(b"\x28\xb5\x2f\xfd"),
            Self::Deflate | Self::Brotli => false,
        }
    }
}

/// A coding under way of being undone.
pub(super) struct CodingStage {
    coding: Coding,
    window_log_max: u32,
    state: State,
    input: Vec<u8>,
    n_taken: usize,
    /// Whether input was dropped, so that there is no way back to the begin.
    has_forgotten: bool,
    /// Whether the last step filled its output, so that more may be waiting without any further
    /// input.
    is_full: bool,
    n_members: u32,
    /// What the member at hand has given so far.
    member_bytes: u64,
    /// What was taken in, all in all.
    pub(super) n_read: u64,
    /// What came out, all in all.
    pub(super) n_written: u64,
}

enum State {
    /// With whether the zlib header that deflate should have is still expected.
    Decoding { codec: Codec, expects_zlib: bool },
    /// There is no such coding: what comes in goes out.
    Passing(String),
    /// The coded data has ended, and what follows means nothing.
    Ended,
    /// Nothing more comes out, and why.
    Broken(String),
}

impl CodingStage {
    pub(super) fn new(coding: Coding, window_log_max: u32) -> Self {
        let broken = || State::Broken("there is no memory for its decoder".to_owned());
        let state = coding
            .codec(window_log_max)
            .map_or_else(broken, |codec| State::Decoding {
                codec,
                expects_zlib: coding == Coding::Deflate,
            });
        Self {
            coding,
            window_log_max,
            state,
            input: Vec::new(),
            n_taken: 0,
            has_forgotten: false,
            is_full: false,
            n_members: 0,
            member_bytes: 0,
            n_read: 0,
            n_written: 0,
        }
    }

    /// Where the stage before puts what it gives.
    pub(super) fn input(&mut self) -> &mut Vec<u8> {
        &mut self.input
    }

    /// Whether a step could do something.
    pub(super) fn has_work(&self) -> bool {
        self.n_taken < self.input.len() || self.is_full
    }

    /// One step: at most [`STEP_BYTES`] go to `output`, unless there is no coding to undo.
    pub(super) fn step(&mut self, output: &mut Vec<u8>) {
        match &mut self.state {
            State::Decoding { codec, .. } => {
                let mut chunk = [0; STEP_BYTES];
                let step = codec.step(&self.input[self.n_taken..], &mut chunk);
                output.extend_from_slice(&chunk[..step.n_written]);
                self.account(step);
            }
            State::Passing(_) => {
                self.n_written += (self.input.len() - self.n_taken) as u64;
                output.extend_from_slice(&self.input[self.n_taken..]);
                self.n_taken = self.input.len();
            }
            State::Ended | State::Broken(_) => self.n_taken = self.input.len(),
        }
        self.forget_input();
    }

    fn account(&mut self, step: CodecStep) {
        let is_stuck = step.n_read == 0 && step.n_written == 0 && self.n_taken < self.input.len();
        self.n_taken += step.n_read;
        self.n_read += step.n_read as u64;
        self.n_written += step.n_written as u64;
        self.member_bytes += step.n_written as u64;
        self.is_full = step.n_written == STEP_BYTES;
        match step.done {
            Ok(true) => self.end_member(),
            Ok(false) if is_stuck => self.fail("its decoder is stuck".to_owned()),
            Ok(false) => {}
            Err(trouble) => self.fail(trouble),
        }
    }

    /// Several members of gzip or zstd may follow each other.
    fn end_member(&mut self) {
        self.n_members += 1;
        self.member_bytes = 0;
        self.is_full = false;
        let next = match self.coding {
            // The decoder of zstd is ready for the next frame.
            Coding::Zstd => return,
            Coding::Gzip if self.n_members < MEMBERS_MAX => self.coding.codec(self.window_log_max),
            _ => None,
        };
        self.state = next.map_or(State::Ended, |codec| State::Decoding {
            codec,
            expects_zlib: false,
        });
    }

    fn fail(&mut self, trouble: String) {
        self.is_full = false;
        let is_in_doubt = self.n_written == 0 && self.n_members == 0 && !self.has_forgotten;
        let expects_zlib = matches!(self.state, State::Decoding { expects_zlib: true, .. });
        self.state = if self.n_members > 0 && self.member_bytes == 0 {
            State::Ended
        } else if is_in_doubt && expects_zlib {
            // The standard wants zlib's header; some servers send none.
            self.n_taken = 0;
            State::Decoding {
                codec: Codec::deflate(false),
                expects_zlib: false,
            }
        } else if is_in_doubt && !self.coding.is_proven_by(&self.input) {
            self.n_taken = 0;
            State::Passing(trouble)
        } else {
            State::Broken(trouble)
        };
    }

    /// Drops input that was taken, unless it may be needed once more.
    fn forget_input(&mut self) {
        let is_in_doubt = self.n_written == 0 && self.input.len() <= DOUBT_BYTES;
        if self.n_taken == self.input.len() && !(is_in_doubt && matches!(self.state, State::Decoding { .. })) {
            self.input.clear();
            self.n_taken = 0;
            self.has_forgotten = true;
        }
    }

    /// Whether nothing more can come out, whatever comes in.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self.state, State::Broken(_))
    }

    /// What was wrong with the coding, and whether bytes are missing for it; asked once the body
    /// has ended.
    pub(super) fn trouble(&self) -> Option<(String, bool)> {
        let name = self.coding.name();
        let is_between = self.member_bytes == 0 && (self.n_members > 0 || self.input.is_empty() && self.n_written == 0);
        match &self.state {
            State::Passing(trouble) => Some((format!("the body is said to be {name} and is not: {trouble}"), false)),
            State::Broken(trouble) => Some((self.shortfall(name, trouble), true)),
            State::Decoding { .. } if !is_between => Some((self.shortfall(name, "it is cut off"), true)),
            State::Decoding { .. } | State::Ended => None,
        }
    }

    fn shortfall(&self, name: &str, trouble: &str) -> String {
        let n_written = self.n_written;
        format!("of the {name} body only {n_written} bytes could be read: {trouble}")
    }
}
