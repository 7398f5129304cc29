//! Seeded random numbers: splitmix64, written out here so that it stays as it is.
//!
//! A crate's generator may change its stream with a version; the bytes of the demo site may not.

/// A stream of random numbers; the same seed gives the same stream for ever.
#[derive(Debug, Clone)]
pub struct Random {
    /// Where the stream stands.
    pub state: u64,
}

impl Random {
    /// A stream for one kind of thing, so that drawing more of one kind leaves the others alone.
    pub fn new(seed: u64, stream: &str) -> Self {
        let state = seed ^ hash_text(stream);
        Self { state }
    }

    /// The next number of the stream.
    pub fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0 where `end` is 0. The tiny bias of the remainder is of no matter
    /// here.
    pub fn below(&mut self, end: u32) -> u32 {
        if end == 0 {
            return 0;
        }
        u32::try_from(self.next_number() % u64::from(end)).expect("a remainder is smaller than its divisor")
    }

    /// A number from `first` to `last`, both included.
    pub fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(last - first + 1)
    }

    /// True in `percent` of a hundred draws.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the choices, which are never none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let count = u32::try_from(choices.len()).expect("choices are few");
        &choices[self.below(count) as usize]
    }
}

/// FNV-1a, 64 bits: a fixed number for a text.
pub fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_stream_never_changes() {
        let mut random = Random::new(7, "players");
        let drawn: Vec<u64> = (0..3).map(|_| random.next_number()).collect();
        expect!["[6417310497129067105, 1990515422139291566, 6198065757144492040]"].assert_eq(&format!("{drawn:?}"));
    }
}
