//! The disk as the archive sees it: everything that is written beside the database goes through
//! [`Disk`].
//!
//! One implementation acts, [`SystemDisk`]. Tests wrap it to let the Nth write, sync or commit step
//! fail, which is how the promise "nothing that was committed is lost" is held.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Writes files of bodies, and is told how far a commit has come.
pub trait Disk: Send {
    /// Makes sure that a folder is there.
    fn create_folder(&mut self, folder: &Path) -> io::Result<()>;

    /// Creates an empty file, in place of one that may be there.
    fn create(&mut self, path: &Path) -> io::Result<File>;

    /// Opens a file to write on after its first `length` bytes; whatever is behind them is cut off.
    fn open_at(&mut self, path: &Path, length: u64) -> io::Result<File>;

    /// Writes all of the bytes.
    fn write(&mut self, path: &Path, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Returns once the file's bytes are on the disk.
    fn sync(&mut self, path: &Path, file: &File) -> io::Result<()>;

    /// Returns once the names of new files in the folder are on the disk.
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;

    /// A commit has come this far. An error here stops it.
    fn reach(&mut self, step: CommitStep) -> io::Result<()> {
        let _ = step;
        Ok(())
    }
}

/// How far a commit has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CommitStep {
    /// Nothing is done yet.
    Begin,
    /// All new bodies are on the disk, and no row names them.
    BodiesStored,
    /// The transaction is open.
    TransactionBegun,
    /// The transaction holds the pages.
    PagesNamed,
    /// The transaction holds the links and the hosts' schedules too, and is about to be committed.
    BeforeCommit,
    /// The transaction is committed, and nobody was told.
    Committed,
}

/// The real disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn create(&mut self, path: &Path) -> io::Result<File> {
        // A new file rather than an emptied one: after a failed sync the old one's state is
        // anyone's guess.
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        File::create_new(path)
    }

    fn open_at(&mut self, path: &Path, length: u64) -> io::Result<File> {
        let mut file = File::options().write(true).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(file)
    }

    fn write(&mut self, _path: &Path, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&mut self, _path: &Path, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        // Only Unix can, and needs to, sync a folder.
        if cfg!(unix) {
            File::open(folder)?.sync_all()
        } else {
            Ok(())
        }
    }
}
