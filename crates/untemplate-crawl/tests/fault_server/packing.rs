//! Packing: bodies in every encoding, bombs among them.

use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

/// What a bomb unpacks to: more than a body may have.
const BOMB_BYTES: usize = 64 << 20;

/// The body in this encoding; `raw` is deflate without zlib's header.
pub fn pack(encoding: &str, body: &[u8]) -> Vec<u8> {
    pack_parts(encoding, std::iter::once(body))
}

fn pack_parts<'a>(encoding: &str, parts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let level = Compression::new(6);
    match encoding {
        "gzip" => fill(GzEncoder::new(Vec::new(), level), parts).finish().expect("gzip"),
        "deflate" => fill(ZlibEncoder::new(Vec::new(), level), parts).finish().expect("zlib"),
        "raw" => fill(DeflateEncoder::new(Vec::new(), level), parts)
            .finish()
            .expect("deflate"),
        "zstd" => {
            let encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).expect("zstd");
            fill(encoder, parts).finish().expect("zstd")
        }
        "br" => fill(brotli::CompressorWriter::new(Vec::new(), 64 << 10, 5, 22), parts).into_inner(),
        _ => parts.collect::<Vec<_>>().concat(),
    }
}

fn fill<'a, W: Write>(mut writer: W, parts: impl Iterator<Item = &'a [u8]>) -> W {
    parts.for_each(|part| writer.write_all(part).expect("a vector takes all"));
    writer
}

/// The encodings of a chain of this length, in the order in which they are applied.
pub fn chain(length: usize) -> Vec<&'static str> {
    ["gzip", "br", "zstd", "deflate", "gzip", "br", "zstd", "deflate"]
        .into_iter()
        .take(length)
        .collect()
}

/// A small body that unpacks to a large one; built once for each encoding.
pub fn bomb(encoding: &str) -> &'static [u8] {
    static BOMBS: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| ["gzip", "deflate", "zstd", "br"].map(zeros));
    match encoding {
        "deflate" => &BOMBS[1],
        "zstd" => &BOMBS[2],
        "br" => &BOMBS[3],
        _ => &BOMBS[0],
    }
}

fn zeros(encoding: &str) -> Vec<u8> {
    static PART: [u8; 1 << 20] = [0; 1 << 20];
    pack_parts(encoding, std::iter::repeat_n(&PART[..], BOMB_BYTES / PART.len()))
}

/// A bomb packed again and again, with the encodings it has then, in the order in which they were
/// applied.
pub fn nested_bomb(length: usize) -> (Vec<u8>, Vec<&'static str>) {
    let encodings: Vec<&str> = std::iter::repeat_n("gzip", length).collect();
    let body = encodings[1..]
        .iter()
        .fold(bomb("gzip").to_vec(), |body, encoding| pack(encoding, &body));
    (body, encodings)
}
