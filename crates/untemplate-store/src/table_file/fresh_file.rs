//! Files under names of their own until they are whole.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use super::format::{TableFileError, failed};

/// Where a file is while it is made, and when it is whole.
#[derive(Debug, Clone)]
pub(super) struct FreshFile {
    /// The name while it is made: hidden, and taken by the next run if this one is killed.
    pub(super) part: PathBuf,
    /// The name it gets.
    pub(super) whole: PathBuf,
}

impl FreshFile {
    /// The names of a file in a folder.
    pub(super) fn in_folder(folder: &Path, name: &str) -> Self {
        Self {
            part: folder.join(format!(".{name}.part")),
            whole: folder.join(name),
        }
    }

    /// Makes sure that the contents are on the disk: a name must not outlive a crash that they do not.
    pub(super) fn sync(&self) -> Result<(), TableFileError> {
        let file = OpenOptions::new().write(true).open(&self.part);
        file.and_then(|file| file.sync_all()).map_err(failed(&self.part))
    }

    /// Gives the file its name; one that was there is replaced.
    pub(super) fn keep(self) -> Result<PathBuf, TableFileError> {
        fs::rename(&self.part, &self.whole).map_err(failed(&self.whole))?;
        Ok(self.whole)
    }

    /// Removes what was written. What cannot be removed is overwritten by the next run.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.part);
    }
}
