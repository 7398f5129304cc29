//! The doorway to a studio: a page that leads to its address.
//!
//! The address has the secret in it that lets people in, and what stands on the command line of a
//! browser can be read by every user of the machine. So the browser is given a file that only its
//! owner can read, and the file leads on.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A page that leads to a studio; it is gone when this is dropped.
pub struct Doorway {
    file: NamedTempFile,
    whole: PathBuf,
}

impl Doorway {
    /// Writes the page into the studio's folder: some browsers see no folder for temporary files
    /// but their own. Where that folder cannot be written to, it goes there all the same.
    pub fn write(folder: &Path, address: &str) -> io::Result<Self> {
        let mut names = Builder::new();
        // Files of this kind are their owner's alone.
        names.prefix("untemplate-open-").suffix(".html");
        let mut file = names.tempfile_in(folder).or_else(|_| names.tempfile())?;
        // An address of ours has nothing in it that HTML gives another meaning.
        writeln!(
            file,
            "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\"><title>untemplate</title>\
             <p><a href=\"{address}\">Open the studio</a></p>"
        )?;
        file.flush()?;
        let whole = fs::canonicalize(file.path())?;
        Ok(Self { file, whole })
    }

    /// Where the page is.
    pub fn file(&self) -> &Path {
        debug_assert!(self.file.path().exists(), "it is there until it is dropped");
        &self.whole
    }
}
