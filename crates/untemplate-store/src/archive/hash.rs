//! Content hashes: how the archive tells that two bodies are the same.
//!
//! SHA-256, because a page from outside may be made to collide with another under a weaker hash,
//! and would then be given out in its place. It is also what WARC files carry as the digest of a
//! payload.

use ring::digest::{Context, SHA256, digest};

/// The SHA-256 of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sized(digest(&SHA256, bytes)))
    }

    /// The hash of several pieces. Each goes in with its length, so that no two lists of pieces are
    /// alike.
    pub(super) fn of_pieces(pieces: &[&[u8]]) -> Self {
        let mut context = Context::new(&SHA256);
        for piece in pieces {
            context.update(&(piece.len() as u64).to_le_bytes());
            context.update(piece);
        }
        Self(sized(context.finish()))
    }

    /// The begin of the hash, enough to tell a few billion things apart.
    pub(crate) fn short(&self) -> [u8; 16] {
        let mut short = [0; 16];
        short.copy_from_slice(&self.0[..16]);
        short
    }
}

fn sized(digest: ring::digest::Digest) -> [u8; 32] {
    digest.as_ref().try_into().expect("SHA-256 has 32 bytes")
}

impl std::fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes() {
        let hash = format!("{:?}", ContentHash::of(b"abc"));
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_ne!(
            ContentHash::of_pieces(&[b"ab", b"c"]),
            ContentHash::of_pieces(&[b"a", b"bc"])
        );
    }
}
