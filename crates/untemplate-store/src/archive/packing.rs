//! How bodies are packed: each a zstd frame of its own with a checksum, wherever it is kept.

use std::io;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::get_frame_content_size;

use super::ContentHash;

/// How hard bodies are compressed. By `zstd -b` on real pages in blocks of 16 KB, level 1 makes
/// them 4.2 times smaller at 280 MB/s, level 3 4.3 times at 160 MB/s.
const COMPRESSION_LEVEL: i32 = 1;

/// Packs bodies.
pub(super) fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(COMPRESSION_LEVEL)?;
    compressor.include_checksum(true)?;
    Ok(compressor)
}

/// The body of a frame, which must have this length and hash; what is wrong with it, if it has not.
pub(super) fn unpacked(
    decompressor: &mut Decompressor<'static>,
    packed: &[u8],
    length: u64,
    hash: ContentHash,
) -> Result<Vec<u8>, String> {
    // Row and frame must agree on the length before memory is taken for it.
    if !matches!(get_frame_content_size(packed), Ok(Some(own)) if own == length) {
        return Err("a body has another length than it should".to_owned());
    }
    let length = usize::try_from(length).map_err(|error| error.to_string())?;
    let body = decompressor.decompress(packed, length);
    let body = body.map_err(|error| format!("a body cannot be unpacked: {error}"))?;
    if ContentHash::of(&body) != hash {
        return Err("a body is not what was stored".to_owned());
    }
    Ok(body)
}
