//! Keys of requests that are known to be in the database, as many as fit.
//!
//! Most links of a page lead where others led before. A table of fixed size, in which a key pushes
//! out the one that was in its place, answers for most of them without asking the database, and
//! never takes more memory.

/// Places in the table: 16 bytes each, so four megabytes.
const PLACES: usize = 1 << 18;

/// The key of a request.
pub(super) type Key = [u8; 16];

/// Keys that are certainly known.
pub(super) struct KnownKeys {
    places: Box<[Key]>,
}

impl KnownKeys {
    /// Nothing is known yet.
    pub(super) fn new() -> Self {
        Self {
            places: vec![[0; 16]; PLACES].into_boxed_slice(),
        }
    }

    /// Whether this key is certainly known; `false` says nothing.
    pub(super) fn contains(&self, key: &Key) -> bool {
        self.places[place(key)] == *key
    }

    /// Remembers keys, which must be committed.
    pub(super) fn add(&mut self, keys: &[Key]) {
        for key in keys {
            self.places[place(key)] = *key;
        }
    }
}

/// Keys are hashes, so that any of their bits will do.
fn place(key: &Key) -> usize {
    u32::from_le_bytes([key[0], key[1], key[2], key[3]]) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_pushes_out_another() {
        let mut known = KnownKeys::new();
        let (first, second) = ([1; 16], [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
        known.add(&[first]);
        assert!(known.contains(&first) && !known.contains(&second));
        known.add(&[second]);
        assert!(!known.contains(&first) && known.contains(&second));
    }
}
