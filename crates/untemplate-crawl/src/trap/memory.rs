//! Memory with a bound: a map that forgets its older half when it is full.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::page_facts::HASHER;

/// A map from hashes, of which at least the last `room` stay, and at most twice as many.
#[derive(Debug, Clone)]
pub(super) struct Memory<V> {
    room: usize,
    young: HashMap<u64, V, FixedState>,
    old: HashMap<u64, V, FixedState>,
}

impl<V: Copy> Memory<V> {
    pub(super) fn new(room: usize) -> Self {
        Self {
            room: room.max(1),
            young: HashMap::with_hasher(HASHER),
            old: HashMap::with_hasher(HASHER),
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<V> {
        self.young.get(&key).or_else(|| self.old.get(&key)).copied()
    }

    /// Keeps a value; true if the key was not known.
    pub(super) fn insert(&mut self, key: u64, value: V) -> bool {
        let is_new = self.get(key).is_none();
        if self.young.len() >= self.room {
            self.old = std::mem::replace(&mut self.young, HashMap::with_hasher(HASHER));
        }
        self.young.insert(key, value);
        is_new
    }

    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stay_and_the_first_go() {
        let mut memory = Memory::new(10);
        for key in 0..1_000 {
            assert!(memory.insert(key, key));
            assert!(memory.len() <= 20);
            assert_eq!(memory.get(key.saturating_sub(9)), Some(key.saturating_sub(9)));
        }
        assert_eq!(memory.get(0), None);
        assert!(!memory.insert(999, 1));
    }
}
