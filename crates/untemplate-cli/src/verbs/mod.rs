//! The verbs, one file each.

pub mod completions;
pub mod demo;
pub mod man;
pub mod show;
