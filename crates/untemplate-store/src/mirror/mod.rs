//! Mirrors: a folder of files that stands for a site.
//!
//! [`Mirror`] answers every request below its address from files, and never lets one out of its
//! folder. `file_name` says which files may answer an address and which address a file has;
//! `content_type` tells pages from images; `argument` reads `URL=DIR` as people write it.

mod argument;
mod content_type;
mod file_name;
mod folder;

pub use argument::MirrorError;
pub use folder::Mirror;
