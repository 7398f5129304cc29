//! The schedule: when a host may be asked again.
//!
//! [`HostState`] is a host's side of it, a pure function of what happened: every answer, failure
//! and wish of a host gives a new state with a new moment. [`AddressCap`] keeps hosts apart that
//! are one machine. Both take the time as a value, so a test can run a year of politeness in a
//! millisecond, and the store can keep it over a restart.

mod address;
mod address_gate;
mod host;

pub use address::{AddressCap, AddressOptions};
pub(crate) use address_gate::{AddressGate, AddressSlot};
pub use host::{HostEvent, HostState, HostStep, ScheduleOptions};
