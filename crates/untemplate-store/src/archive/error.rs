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
    /// The address of a server is none.
    #[error(
        "{address} is no address of an archive on a PostgreSQL server ({reason}); give one such as postgresql://user@host/database?schema=NAME"
    )]
    Address {
        /// What was given, without its password.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// This build has no client.
    #[error(
        "{address}: this build of the program does not speak to servers; build it with the feature `postgres`, or name a folder"
    )]
    NotBuilt {
        /// The address, without its password.
        address: String,
    },
    /// The server cannot be reached, or does not let us in.
    #[error("cannot connect to {address}: {reason}; {hint}")]
    Connect {
        /// The address, without its password.
        address: String,
        /// What was said.
        reason: String,
        /// What to try.
        hint: &'static str,
    },
    /// The server went away, and did not come back in time.
    #[error(
        "the server of {address} went away ({reason}) and did not come back within {seconds} s; start it and run the same command again, what is stored stays"
    )]
    ServerGone {
        /// The address, without its password.
        address: String,
        /// What was said.
        reason: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The schema holds something else.
    #[error(
        "the schema {schema} of {address} is no archive: {reason}; nothing in it was touched, name another schema by ?schema=NAME"
    )]
    NotOurSchema {
        /// The address, without its password.
        address: String,
        /// The schema.
        schema: String,
        /// What is there instead.
        reason: String,
    },
    /// Others took this worker for dead.
    #[error(
        "this worker was not heard of at {address} for longer than its lease of {seconds} s, and others have taken over what it had claimed; nothing is lost, run the same command again"
    )]
    LeaseLost {
        /// The address, without its password.
        address: String,
        /// How long the lease is.
        seconds: u64,
    },
    /// The server refused something.
    #[error("{address}: the server refused: {reason}; check the rights of the user, then run the same command again")]
    Refused {
        /// The address, without its password.
        address: String,
        /// What it said.
        reason: String,
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
