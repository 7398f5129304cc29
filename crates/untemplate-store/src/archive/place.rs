//! Where an archive is: in a folder, for one process at a time, or on a PostgreSQL server, for any
//! number of them.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::{Archive, ArchiveError, ArchiveOptions, PostgresArchive, ServerClock, SqliteArchive, UnixMillis};
use crate::without_password;

/// Where an archive is. It is shown without the password that an address may hold.
#[derive(Clone, PartialEq, Eq)]
pub enum ArchivePlace {
    /// A folder.
    Folder(PathBuf),
    /// The address of a server, as somebody gave it: it may hold a password.
    Server(String),
}

impl From<OsString> for ArchivePlace {
    fn from(text: OsString) -> Self {
        match text.to_str() {
            Some(text) if text.starts_with("postgresql://") || text.starts_with("postgres://") => {
                Self::Server(text.to_owned())
            }
            _ => Self::Folder(text.into()),
        }
    }
}

impl From<PathBuf> for ArchivePlace {
    fn from(folder: PathBuf) -> Self {
        Self::Folder(folder)
    }
}

impl ArchivePlace {
    /// Opens the archive to write to it, and creates it where it is not there.
    pub fn open(&self, options: &ArchiveOptions, now: UnixMillis) -> Result<Box<dyn Archive>, ArchiveError> {
        Ok(match self {
            Self::Folder(folder) => Box::new(SqliteArchive::open(folder, options, now)?),
            Self::Server(address) => Box::new(PostgresArchive::open(address, options, ServerClock::Own)?),
        })
    }
}

impl fmt::Display for ArchivePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Server(address) => f.write_str(&without_password(address)),
        }
    }
}

impl fmt::Debug for ArchivePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let place = ArchivePlace::from(OsString::from(
            "postgresql://ann:secret@db.example/crawl?schema=one&password=secret2",
        ));
        let shown = "postgresql://ann@db.example/crawl?schema=one";
        assert_eq!(
            (place.to_string(), format!("{place:?}")),
            (shown.to_owned(), shown.to_owned())
        );
        let folder = ArchivePlace::from(OsString::from("postgresql"));
        assert_eq!(folder, ArchivePlace::Folder(PathBuf::from("postgresql")));
    }
}
