//! Codecs: compressions undone step by step, from slice to slice.
//!
//! Steps leave all limits to whoever takes them: a codec itself holds a window of bounded size and
//! no output.

use std::io;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder, Operation};

/// The largest zstd window in files, as a power of two: 128 MiB, which is also what `zstd` itself
/// accepts.
pub const FILE_WINDOW_LOG: u32 = 27;

/// The largest zstd window of the web, as a power of two: 8 MiB (RFC 9659).
pub const WEB_WINDOW_LOG: u32 = 23;

/// One compression under way of being undone.
pub enum Codec {
    /// gzip, zlib or raw deflate.
    Deflate(Box<Decompress>),
    /// zstd.
    Zstd(Decoder<'static>),
    /// Brotli.
    Brotli(Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>),
}

/// What one step did.
pub struct CodecStep {
    /// Bytes taken from the input.
    pub n_read: usize,
    /// Bytes written to the output.
    pub n_written: usize,
    /// Whether the compressed data has ended, or what is wrong with it.
    pub done: Result<bool, String>,
}

impl Codec {
    /// One gzip member.
    pub fn gzip() -> Self {
        Self::Deflate(Box::new(Decompress::new_gzip(15)))
    }

    /// Deflate, with zlib's header or raw.
    pub fn deflate(zlib_header: bool) -> Self {
        Self::Deflate(Box::new(Decompress::new(zlib_header)))
    }

    /// zstd with a dictionary, mostly empty, and a window of at most this power of two.
    pub fn zstd(dictionary: &[u8], window_log_max: u32) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(window_log_max))?;
        Ok(Self::Zstd(decoder))
    }

    /// A codec for the next member, where making a new one costs more: zstd reads its dictionary
    /// anew.
    pub fn begun_again(self) -> Option<Self> {
        match self {
            Self::Zstd(mut decoder) => decoder.reinit().is_ok().then_some(Self::Zstd(decoder)),
            Self::Deflate(_) | Self::Brotli(_) => None,
        }
    }

    /// Brotli.
    pub fn brotli() -> Self {
        let new = StandardAlloc::default;
        // Strict: without the extension that allows windows of a gigabyte.
        Self::Brotli(Box::new(BrotliState::new_strict(new(), new(), new())))
    }

    /// Takes from `input` and writes to `output` as much as is possible at once. Neither may be
    /// empty, unless the input has ended. No byte read and none written means that it is stuck: the
    /// data was cut off.
    pub fn step(&mut self, input: &[u8], output: &mut [u8]) -> CodecStep {
        match self {
            Self::Deflate(decompress) => {
                let (n_read, n_written) = (decompress.total_in(), decompress.total_out());
                let outcome = decompress.decompress(input, output, FlushDecompress::None);
                CodecStep {
                    n_read: (decompress.total_in() - n_read) as usize,
                    n_written: (decompress.total_out() - n_written) as usize,
                    done: outcome
                        .map(|status| status == Status::StreamEnd)
                        .map_err(|error| error.to_string()),
                }
            }
            Self::Zstd(decoder) => match decoder.run_on_buffers(input, output) {
                Ok(status) => CodecStep {
                    n_read: status.bytes_read,
                    n_written: status.bytes_written,
                    done: Ok(status.remaining == 0),
                },
                Err(error) => CodecStep {
                    n_read: 0,
                    n_written: 0,
                    done: Err(error.to_string()),
                },
            },
            Self::Brotli(state) => brotli_step(state, input, output),
        }
    }
}

fn brotli_step(
    state: &mut BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    input: &[u8],
    output: &mut [u8],
) -> CodecStep {
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
    let done = match outcome {
        BrotliResult::ResultSuccess => Ok(true),
        BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Ok(false),
        BrotliResult::ResultFailure => Err("corrupt brotli stream".to_owned()),
    };
    CodecStep {
        n_read,
        n_written,
        done,
    }
}
