//! Codecs: the compressions of the web, undone step by step, from slice to slice.
//!
//! A codec holds a window of bounded size and no output; all other limits are its caller's.

use std::io;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder, Operation};

/// The largest zstd window of the web, as a power of two: 8 MiB (RFC 9659).
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// One compression under way of being undone.
pub(super) enum Codec {
    Deflate(Box<Decompress>),
    Zstd(Box<Decoder<'static>>),
    Brotli(Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>),
}

/// What one step did.
pub(super) struct Step {
    pub(super) n_read: usize,
    pub(super) n_written: usize,
    /// Whether the compressed data has ended, or what is wrong with it.
    pub(super) ended: Result<bool, String>,
}

impl Codec {
    pub(super) fn gzip() -> Self {
        Self::Deflate(Box::new(Decompress::new_gzip(15)))
    }

    pub(super) fn zlib() -> Self {
        Self::Deflate(Box::new(Decompress::new(true)))
    }

    pub(super) fn raw_deflate() -> Self {
        Self::Deflate(Box::new(Decompress::new(false)))
    }

    pub(super) fn zstd() -> io::Result<Self> {
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG_MAX))?;
        Ok(Self::Zstd(Box::new(decoder)))
    }

    pub(super) fn brotli() -> Self {
        let new = StandardAlloc::default;
        // Strict: without the extension that allows windows of a gigabyte.
        Self::Brotli(Box::new(BrotliState::new_strict(new(), new(), new())))
    }

    /// Takes from `input` and writes to `output` as much as is possible at once.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        match self {
            Self::Deflate(decompress) => deflate_step(decompress, input, output),
            Self::Zstd(decoder) => zstd_step(decoder, input, output),
            Self::Brotli(state) => brotli_step(state, input, output),
        }
    }
}

fn deflate_step(decompress: &mut Decompress, input: &[u8], output: &mut [u8]) -> Step {
    let (total_in, total_out) = (decompress.total_in(), decompress.total_out());
    let outcome = decompress.decompress(input, output, FlushDecompress::None);
    Step {
        n_read: (decompress.total_in() - total_in) as usize,
        n_written: (decompress.total_out() - total_out) as usize,
        ended: outcome
            .map(|status| status == Status::StreamEnd)
            .map_err(|error| error.to_string()),
    }
}

fn zstd_step(decoder: &mut Decoder<'static>, input: &[u8], output: &mut [u8]) -> Step {
    let outcome = decoder.run_on_buffers(input, output);
    Step {
        n_read: outcome.as_ref().map_or(0, |status| status.bytes_read),
        n_written: outcome.as_ref().map_or(0, |status| status.bytes_written),
        ended: outcome
            .map(|status| status.remaining == 0)
            .map_err(|error| error.to_string()),
    }
}

fn brotli_step(
    state: &mut BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    input: &[u8],
    output: &mut [u8],
) -> Step {
    let (mut input_left, mut n_read, mut output_left, mut n_written) = (input.len(), 0, output.len(), 0);
    let outcome = BrotliDecompressStream(
        &mut input_left,
        &mut n_read,
        input,
        &mut output_left,
        &mut n_written,
        output,
        &mut 0,
        state,
    );
    let ended = match outcome {
        BrotliResult::ResultSuccess => Ok(true),
        BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Ok(false),
        BrotliResult::ResultFailure => Err("corrupt brotli stream".to_owned()),
    };
    Step {
        n_read,
        n_written,
        ended,
    }
}
