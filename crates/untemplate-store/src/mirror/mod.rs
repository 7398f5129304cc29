//! Mirrors: a folder of files that stands for a site.
//!
//! [`Mirror`] answers every request below its address from files, and never lets one out of its
//! folder. `file_name` says which files may answer an address and which address a file has;
//! `content_type` tells pages from images; `argument` reads `URL=DIR` as people write it;
//! `own_address` finds the address of a folder that comes without one.

mod argument;
mod content_type;
mod file_name;
mod folder;
mod own_address;

pub use argument::MirrorError;
pub use folder::Mirror;
pub use own_address::{MirroredFolder, mirrored_folder, mirrored_page};
