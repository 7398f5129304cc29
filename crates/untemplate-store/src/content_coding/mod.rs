//! Content encodings of bodies, undone while a body comes in, from a server or from an archive.
//!
//! In: what `Content-Encoding` names, and bytes. Out: the body, within [`BodyLimits`], and what was
//! odd about it. [`BodyUnpacker`] is the chain of encodings; `stage.rs` undoes one of them.

mod stage;
mod unpacker;

pub use unpacker::{BodyLimits, BodyUnpacker};

#[cfg(test)]
mod tests;
