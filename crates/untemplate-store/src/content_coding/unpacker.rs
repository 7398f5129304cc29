//! The chain of encodings that `Content-Encoding` names, undone within limits.
//!
//! A small body can unpack to more than any machine holds, and a chain of encodings multiplies
//! that. So each stage of the chain works in steps of bounded size, and between any two steps the
//! caller can ask whether a limit is passed.

use untemplate::page::Problem;

use super::stage::{Coding, CodingStage};
use crate::codec::WEB_WINDOW_LOG;

/// Limits on what a body may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLimits {
    /// Bytes of a body, with its encodings and without them and at each stage between; the rest is
    /// not read.
    pub bytes_max: usize,
    /// How many times its size a body may unpack to.
    pub ratio_max: u64,
    /// The size up to which `ratio_max` does not matter: small pages of one sentence repeated are
    /// no attack.
    pub ratio_free_bytes: usize,
    /// Encodings on top of each other; bodies with more stay as they are.
    pub encodings_max: usize,
    /// The largest zstd window, as a power of two.
    pub window_log_max: u32,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self {
            bytes_max: 32 << 20,
            ratio_max: 256,
            ratio_free_bytes: 4 << 20,
            encodings_max: 5,
            window_log_max: WEB_WINDOW_LOG,
        }
    }
}

/// A body under way of being unpacked.
pub struct BodyUnpacker {
    limits: BodyLimits,
    /// In the order in which they are undone: the last encoding of the header first.
    stages: Vec<CodingStage>,
    /// What the header says that we cannot do.
    refusal: Option<String>,
    body: Vec<u8>,
    /// Bytes that were taken in.
    pub wire_bytes: u64,
}

impl BodyUnpacker {
    /// An unpacker for a body with these values of `Content-Encoding`.
    pub fn new<'a>(encodings: impl Iterator<Item = &'a str>, limits: BodyLimits) -> Self {
        let (stages, refusal) = match stages(encodings, &limits) {
            Ok(stages) => (stages, None),
            Err(refusal) => (Vec::new(), Some(refusal)),
        };
        Self {
            limits,
            stages,
            refusal,
            body: Vec::new(),
            wire_bytes: 0,
        }
    }

    /// Takes what came over the wire; [`BodyUnpacker::step`] works on it.
    pub fn push(&mut self, wire: &[u8]) {
        self.wire_bytes += wire.len() as u64;
        let first = self.stages.first_mut().map(CodingStage::input);
        first.unwrap_or(&mut self.body).extend_from_slice(wire);
    }

    /// Does a bounded piece of work; false when there is none left until more comes over the wire.
    pub fn step(&mut self) -> bool {
        // The last stage that can work goes first, so that no more than one step's output waits
        // between two stages.
        let Some(index) = self.stages.iter().rposition(CodingStage::has_work) else {
            return false;
        };
        let (before, after) = self.stages.split_at_mut(index + 1);
        let output = after.first_mut().map(CodingStage::input).unwrap_or(&mut self.body);
        before[index].step(output);
        true
    }

    /// The limit that is passed, if one is: nothing more should be read.
    pub fn excess(&self) -> Option<Problem> {
        let largest = self.stages.iter().map(|stage| stage.n_written).max().unwrap_or(0);
        let packed = self.stages.first().map_or(0, |stage| stage.n_read);
        let bytes_max = self.limits.bytes_max as u64;
        if largest > self.limits.ratio_free_bytes as u64 && largest > self.limits.ratio_max.saturating_mul(packed) {
            let message = format!("{packed} bytes unpacked to more than {largest}");
            return Some(Problem::new("bomb", message));
        }
        // What came over the wire counts once it is unpacked: until then it may still bring
        // something.
        let wire_bytes = if self.stages.iter().any(CodingStage::has_work) {
            0
        } else {
            self.wire_bytes
        };
        if largest.max(wire_bytes).max(self.body.len() as u64) > bytes_max {
            let message = format!("only the first {bytes_max} bytes were read");
            return Some(Problem::new("too large", message));
        }
        None
    }

    /// Whether nothing more can come out, whatever comes in.
    pub fn is_broken(&self) -> bool {
        self.stages.iter().any(CodingStage::is_broken)
    }

    /// The body as far as it could be unpacked, what was odd about its encodings, and whether they
    /// kept some of it back. What they lack says nothing when reading stopped early, and then is
    /// left out.
    pub fn finish(self, is_whole: bool) -> (Vec<u8>, Vec<Problem>, bool) {
        let mut body = self.body;
        body.truncate(self.limits.bytes_max);
        let troubles: Vec<(String, bool)> = self.stages.iter().filter_map(CodingStage::trouble).collect();
        let lacks_bytes = self.refusal.is_some() || troubles.iter().any(|(_, lacks_bytes)| *lacks_bytes);
        let told = troubles.into_iter().filter(|(_, lacks_bytes)| is_whole || !lacks_bytes);
        let messages = self.refusal.into_iter().chain(told.map(|(message, _)| message));
        let problems = messages.map(|message| Problem::new("bad encoding", message)).collect();
        (body, problems, lacks_bytes)
    }
}

fn stages<'a>(encodings: impl Iterator<Item = &'a str>, limits: &BodyLimits) -> Result<Vec<CodingStage>, String> {
    let names = encodings.flat_map(|value| value.split(','));
    let names: Vec<String> = names.map(|name| name.trim().to_ascii_lowercase()).collect();
    let names = names.iter().filter(|name| !matches!(name.as_str(), "" | "identity"));
    let n_names = names.clone().count();
    if n_names > limits.encodings_max {
        return Err(format!("{n_names} content encodings on top of each other are too many"));
    }
    let stage = |name: &String| {
        let coding = Coding::of_name(name);
        let unknown = || format!("the content encoding {:?} is not known", shortened(name));
        let stage = |coding| CodingStage::new(coding, limits.window_log_max);
        coding.map(stage).ok_or_else(unknown)
    };
    names.rev().map(stage).collect()
}

fn shortened(name: &str) -> String {
    name.chars().take(40).collect()
}
