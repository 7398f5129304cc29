//! The lock of an archive: one process writes, any number read.
//!
//! The lock is the system's own on a file, so that it ends with the process however that ends.

use std::fs::{self, File, TryLockError};
use std::io::{Seek, Write};
use std::path::Path;

use super::ArchiveError;

/// The name of the lock file in the archive's folder.
const LOCK_FILE: &str = "archive.lock";

/// Takes the lock of an archive; it is held as long as the file is open.
pub(super) fn lock(folder: &Path) -> Result<File, ArchiveError> {
    let path = folder.join(LOCK_FILE);
    let mut options = File::options();
    let opened = options.read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.map_err(|cause| ArchiveError::file("open", &path, cause))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let process = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
            let folder = folder.to_owned();
            return Err(ArchiveError::InUse { folder, process });
        }
        Err(TryLockError::Error(cause)) => return Err(ArchiveError::file("lock", &path, cause)),
    }
    // The number is for the message above only: a full disk is no reason to refuse.
    let _ = file.set_len(0).and_then(|()| file.rewind());
    let _ = writeln!(file, "{}", std::process::id());
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let held = lock(folder.path()).expect("the lock");
        let error = lock(folder.path()).expect_err("it is taken").to_string();
        let process = format!("is in use by process {}; wait", std::process::id());
        assert!(error.contains(&process), "{error}");
        drop(held);
        lock(folder.path()).expect("the lock, again");
    }
}
