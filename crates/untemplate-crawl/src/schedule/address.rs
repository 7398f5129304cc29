//! [`AddressCap`]: hosts that share an address share a slot.
//!
//! Hundreds of small sites can be one machine, and each host's own pause says nothing about the
//! sum. Here an address has its own pause and its own count of open connections, whatever names
//! lead to it. Pure bookkeeping: whoever resolves names and connects asks before and tells after.

use std::collections::BTreeMap;
use std::net::IpAddr;

use untemplate_store::UnixMillis;

/// How an address is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressOptions {
    /// Requests that may be on their way to one address at a time. One, as for a host: an address
    /// with many names is one machine with many sites or the gate of a large one, and nothing tells
    /// which.
    pub connections_max: usize,
    /// The pause between requests to one address: a quarter of a host's own, so that an address
    /// with four hosts or more is asked four times as often as one with a single host, and never
    /// more.
    pub gap_ms: i64,
    /// Addresses that are remembered. Those that may be asked at once are forgotten first: nothing
    /// is lost with them.
    pub addresses_max: usize,
}

impl Default for AddressOptions {
    fn default() -> Self {
        Self {
            connections_max: 1,
            gap_ms: 250,
            addresses_max: 10_000,
        }
    }
}

/// Which address may be asked when.
#[derive(Debug, Clone, Default)]
pub struct AddressCap {
    /// How addresses are treated.
    pub options: AddressOptions,
    slots: BTreeMap<IpAddr, Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    n_open: usize,
    due_at: UnixMillis,
}

impl AddressCap {
    /// Nothing was asked yet.
    pub fn new(options: AddressOptions) -> Self {
        Self {
            options,
            slots: BTreeMap::new(),
        }
    }

    /// When an address may be asked, as far as is known now; `None` while it has all the
    /// connections that it may have.
    pub fn due_at(&self, address: IpAddr, now: UnixMillis) -> Option<UnixMillis> {
        match self.slots.get(&address.to_canonical()) {
            Some(slot) if slot.n_open >= self.options.connections_max => None,
            Some(slot) => Some(slot.due_at.max(now)),
            None => Some(now),
        }
    }

    /// Takes a slot if one is free now; false if not. Whoever takes one gives it back with
    /// [`AddressCap::end`].
    pub fn begin(&mut self, address: IpAddr, now: UnixMillis) -> bool {
        if self.due_at(address, now) != Some(now) {
            return false;
        }
        if self.slots.len() >= self.options.addresses_max {
            self.slots.retain(|_, slot| slot.n_open > 0 || slot.due_at > now);
        }
        let due_at = now + self.options.gap_ms;
        let slot = self
            .slots
            .entry(address.to_canonical())
            .or_insert(Slot { n_open: 0, due_at });
        slot.n_open += 1;
        slot.due_at = due_at;
        true
    }

    /// Gives a slot back.
    pub fn end(&mut self, address: IpAddr, now: UnixMillis) {
        if let Some(slot) = self.slots.get_mut(&address.to_canonical()) {
            slot.n_open = slot.n_open.saturating_sub(1);
            slot.due_at = slot.due_at.max(now + self.options.gap_ms);
        }
    }

    /// How many addresses are remembered.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn names_of_one_address_wait_for_each_other() {
        let mut cap = AddressCap::new(AddressOptions::default());
        let (one, same, other) = (address("192.0.2.1"), address("::ffff:192.0.2.1"), address("192.0.2.2"));
        assert!(cap.begin(one, UnixMillis(0)));
        assert_eq!(cap.due_at(same, UnixMillis(900)), None);
        assert!(!cap.begin(same, UnixMillis(900)));
        assert!(cap.begin(other, UnixMillis(900)));
        cap.end(one, UnixMillis(1_000));
        assert_eq!(cap.due_at(same, UnixMillis(1_000)), Some(UnixMillis(1_250)));
        assert!(!cap.begin(same, UnixMillis(1_249)));
        assert!(cap.begin(same, UnixMillis(1_250)));
    }

    #[test]
    fn memory_is_bounded_and_open_slots_are_kept() {
        let mut cap = AddressCap::new(AddressOptions {
            addresses_max: 10,
            ..AddressOptions::default()
        });
        let open = address("192.0.2.1");
        assert!(cap.begin(open, UnixMillis(0)));
        for number in 0..10_000_u32 {
            let now = UnixMillis(i64::from(number) * 300);
            let address = IpAddr::from(number.to_be_bytes());
            assert!(cap.begin(address, now));
            cap.end(address, now);
            assert!(cap.len() <= 11, "{}", cap.len());
        }
        assert_eq!(cap.due_at(open, UnixMillis(1 << 40)), None);
    }
}
