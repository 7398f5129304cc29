//! Room on a disk: what a job that ended for want of it could not write down itself.

use std::path::Path;

/// Free bytes below which a disk counts as full: an archive takes them some megabytes at a time.
const ROOM_BYTES: u64 = 16 << 20;

/// What is said of a folder whose disk has hardly any room left.
pub fn want_of_room(folder: &Path) -> Option<String> {
    let free = bytes_free(folder).filter(|free| *free < ROOM_BYTES)?;
    let left = match free >> 20 {
        0 => "less than a megabyte".to_owned(),
        megabytes => format!("{megabytes} MB"),
    };
    Some(format!(
        "The disk is full: {left} is left for {}. Make room, then resume: what is stored stays.",
        folder.display()
    ))
}

/// The bytes that are free where a folder is; `None` where the system does not say.
#[cfg(unix)]
fn bytes_free(folder: &Path) -> Option<u64> {
    let facts = nix::sys::statvfs::statvfs(folder).ok()?;
    Some((facts.blocks_available() as u64).saturating_mul(facts.fragment_size() as u64))
}

#[cfg(not(unix))]
fn bytes_free(_: &Path) -> Option<u64> {
    None
}
