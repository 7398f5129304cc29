//! The verbs, one file each.

pub mod archive;
pub mod classify;
pub mod completions;
pub mod demo;
pub mod extract;
pub mod gather;
pub mod infer;
pub mod learn;
pub mod man;
pub mod model;
pub mod rebuild;
pub mod records;
pub mod repair;
pub mod report;
mod report_stream;
pub mod run;
pub mod run_every;
mod run_preview;
mod run_stream;
mod run_watch;
pub mod show;
mod show_cell;
pub mod studio;
mod studio_doorway;
pub mod verify;
