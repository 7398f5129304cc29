//! [`AddressGate`]: where requests wait until the address they go to has a slot for them.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::address::{AddressCap, AddressOptions};
use crate::clock::now;

/// How long to wait before looking again whether somebody has given a slot back.
const LOOK_AGAIN_MS: i64 = 20;

/// An [`AddressCap`] that requests wait at.
pub(crate) struct AddressGate {
    cap: Mutex<AddressCap>,
}

/// A slot of an address; it is given back when dropped.
pub(crate) struct AddressSlot {
    gate: Arc<AddressGate>,
    address: IpAddr,
}

impl AddressGate {
    /// A gate at which names that share an address wait for a part of the pause that each host has;
    /// none where there are no pauses.
    pub(crate) fn between_pauses(delay_ms: i64) -> Option<Arc<Self>> {
        let options = AddressOptions {
            gap_ms: delay_ms / 4,
            ..AddressOptions::default()
        };
        (delay_ms > 0).then(|| Arc::new(Self::new(options)))
    }

    /// A gate that nobody went through yet.
    pub(crate) fn new(options: AddressOptions) -> Self {
        Self {
            cap: Mutex::new(AddressCap::new(options)),
        }
    }

    /// Waits for a slot of an address.
    pub(crate) async fn enter(self: Arc<Self>, address: IpAddr) -> AddressSlot {
        loop {
            let wait_ms = {
                let mut cap = self.cap();
                let at = now();
                if cap.begin(address, at) {
                    break;
                }
                cap.due_at(address, at).map_or(LOOK_AGAIN_MS, |due_at| due_at.since(at))
            };
            tokio::time::sleep(Duration::from_millis(wait_ms.max(1).unsigned_abs())).await;
        }
        AddressSlot { gate: self, address }
    }

    /// The book is sound after every single entry, so one that a panic left behind is of use.
    fn cap(&self) -> MutexGuard<'_, AddressCap> {
        self.cap.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AddressSlot {
    fn drop(&mut self) {
        self.gate.cap().end(self.address, now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_after_the_other() {
        let gate = Arc::new(AddressGate::new(AddressOptions {
            gap_ms: 30,
            ..AddressOptions::default()
        }));
        let address = IpAddr::from([192, 0, 2, 1]);
        let first = Arc::clone(&gate).enter(address).await;
        let waiting = tokio::spawn(Arc::clone(&gate).enter(address));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!waiting.is_finished(), "the slot is taken");
        let given_back = now();
        drop(first);
        drop(waiting.await.expect("it gets its turn"));
        assert!(now().since(given_back) >= 30, "and the address rests in between");
    }
}
