//! A hash that never changes, for what model and wrapper files store: Fowler, Noll and Vo's, 64
//! bits. Tables in memory use a faster one.

/// The hash of bytes.
#[inline]
pub const fn stable_hash(bytes: &[u8]) -> u64 {
    stable_hash_more(0xcbf2_9ce4_8422_2325, bytes)
}

/// Goes on hashing.
#[inline]
pub const fn stable_hash_more(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(stable_hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(stable_hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(stable_hash_more(stable_hash(b"foo"), b"bar"), 0x8594_4171_f739_67e8);
    }
}
