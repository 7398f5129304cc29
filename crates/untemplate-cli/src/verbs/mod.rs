//! The verbs, one file each.

pub mod archive;
pub mod completions;
pub mod demo;
pub mod man;
pub mod run;
pub mod show;
pub mod verify;
