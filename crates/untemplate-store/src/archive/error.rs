//! What can go wrong with an archive, which file it is about, and what to try.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why an archive could not be opened, read or written. What was committed before is never lost by
/// it.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Another process writes to the archive.
    #[error("the archive {} is in use{}; wait until that crawl has ended, or name another folder", folder.display(), by(*.process))]
    InUse {
        /// The archive's folder.
        folder: PathBuf,
        /// The process that uses it, where it is known.
        process: Option<u32>,
    },
    /// A newer program wrote the archive.
    #[error("{} has version {found}, and this program knows versions up to {known}; use a newer untemplate", file.display())]
    NewerVersion {
        /// The database.
        file: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version that this program can read.
        known: i64,
    },
    /// The folder holds no archive, or something else in its place.
    #[error("{} is no archive: {reason}; name the folder of an archive, or an empty one", folder.display())]
    NotAnArchive {
        /// The folder.
        folder: PathBuf,
        /// What is there instead.
        reason: &'static str,
    },
    /// The disk is full.
    #[error("no space is left for {}; make room and run the same command again, what is stored stays", file.display())]
    DiskFull {
        /// The file that could not grow.
        file: PathBuf,
    },
    /// The system refused to do something with a file.
    #[error("cannot {action} {}: {cause}; check the disk and your rights, then run the same command again", file.display())]
    File {
        /// What was tried: `write`, `sync`.
        action: &'static str,
        /// The file or folder.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The database refused to do something.
    #[error("cannot use {}: {reason}; check the disk and your rights, then run the same command again", file.display())]
    Database {
        /// The database.
        file: PathBuf,
        /// What it said.
        reason: String,
    },
    /// A file is not as it was written.
    #[error("{} is damaged: {reason}; put back a copy of the folder, or crawl into another one", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A page number that the archive never gave out.
    #[error("the archive {} has no page {number}; ask for a page that it has listed", folder.display())]
    NoSuchPage {
        /// The archive's folder.
        folder: PathBuf,
        /// The number.
        number: i64,
    },
    /// The result of an export could not be written.
    #[error("cannot write the WARC records: {cause}; make room, or choose another file")]
    Export {
        /// What the system said.
        cause: io::Error,
    },
}

fn by(process: Option<u32>) -> String {
    process.map_or(String::new(), |process| format!(" by process {process}"))
}

impl ArchiveError {
    /// The error for something that the system refused.
    pub(super) fn file(action: &'static str, file: &Path, cause: io::Error) -> Self {
        let file = file.to_owned();
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { file },
            _ => Self::File { action, file, cause },
        }
    }

    /// The error for something that SQLite refused.
    pub(super) fn database(file: &Path, error: &rusqlite::Error) -> Self {
        let (file, reason) = (file.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { file },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch) => {
                Self::Damaged { file, reason }
            }
            Some(_) => Self::Database { file, reason },
            // What is no error of SQLite's own is a value in a row that cannot be there.
            None => Self::Damaged { file, reason },
        }
    }
}
