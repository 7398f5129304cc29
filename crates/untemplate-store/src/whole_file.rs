//! Files that are there whole or not at all: written under another name, on the disk, then renamed.
//!
//! Every file that the program leaves behind goes through here, but for the archive, whose segments
//! grow in place and are told from torn ones when it is opened.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// A file in the making. Dropped before [`finish`](Self::finish), it leaves what was there before
/// as it was.
#[derive(Debug)]
pub struct WholeFile {
    target: PathBuf,
    part: Part,
}

#[derive(Debug)]
enum Part {
    /// A file with a name that no other process has.
    Open(NamedTempFile),
    /// A name at which somebody else writes: SQLite opens its files itself.
    Named(TempPath),
    /// A device or a pipe is written to as it is.
    Device(File),
}

impl WholeFile {
    /// A file that is written here. A symbolic link stays one, and a file that is there already
    /// keeps who may read it.
    pub fn create(target: &Path) -> io::Result<Self> {
        let metadata = target.metadata().ok();
        if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Ok(Self {
                target: target.to_owned(),
                part: Part::Device(File::options().write(true).open(target)?),
            });
        }
        let target: PathBuf = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        // The temporary name would only confuse: the target's says where it is.
        let folder = folder_of(&target);
        // A folder that is not there is told in the system's words.
        let plain = |error: io::Error| folder.metadata().err().unwrap_or_else(|| error.kind().into());
        let file = new_file(folder).map_err(plain)?;
        if let Some(metadata) = metadata {
            fs::set_permissions(file.path(), metadata.permissions())?;
        }
        Ok(Self {
            target,
            part: Part::Open(file),
        })
    }

    /// A file of a folder that somebody else writes at [`part`](Self::part): a hidden name, always
    /// the same, so that the next run overwrites what a killed one left.
    pub fn in_folder(folder: &Path, name: &str) -> io::Result<Self> {
        let part = TempPath::try_from_path(folder.join(format!(".{name}.part")))?;
        Ok(Self {
            target: folder.join(name),
            part: Part::Named(part),
        })
    }

    /// The name that the file gets.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The name that it has while it is made.
    pub fn part(&self) -> &Path {
        match &self.part {
            Part::Open(file) => file.path(),
            Part::Named(path) => path,
            Part::Device(_) => &self.target,
        }
    }

    /// Makes sure that the contents are on the disk: a name must not outlive a crash that they do
    /// not.
    pub fn sync(&self) -> io::Result<()> {
        match &self.part {
            Part::Open(file) => file.as_file().sync_all(),
            Part::Named(path) => OpenOptions::new().write(true).open(path)?.sync_all(),
            Part::Device(_) => Ok(()),
        }
    }

    /// Gives the file its name; one that was there is replaced.
    pub fn finish(self) -> io::Result<PathBuf> {
        self.sync()?;
        match self.part {
            Part::Open(file) => drop(file.persist(&self.target)?),
            Part::Named(path) => path.persist(&self.target)?,
            Part::Device(_) => {}
        }
        Ok(self.target)
    }
}

impl Write for WholeFile {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        match &mut self.part {
            Part::Open(file) => file.write(piece),
            Part::Named(_) => Err(io::ErrorKind::Unsupported.into()),
            Part::Device(file) => file.write(piece),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a file whole or not at all, and makes its folder first if need be.
pub fn write_whole(file: &Path, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder_of(file))?;
    let mut whole = WholeFile::create(file)?;
    whole.write_all(content)?;
    whole.finish().map(drop)
}

fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A temporary file that whoever may read new files may read.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".untemplate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_the_old_one_until_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.txt");
        write_whole(&file, b"old").expect("it can be written");
        let mut whole = WholeFile::create(&file).expect("it can be made");
        whole.write_all(b"ne").expect("it can be written");
        assert_eq!(fs::read(&file).expect("it is there"), b"old");
        drop(whole);
        assert_eq!(names(folder.path()), ["a.txt"], "nothing else is left");
        let mut whole = WholeFile::create(&file).expect("it can be made");
        whole.write_all(b"new").expect("it can be written");
        assert_eq!(
            whole.finish().expect("it gets its name"),
            file.canonicalize().expect("it is there")
        );
        assert_eq!(fs::read(&file).expect("it is there"), b"new");
    }

    #[test]
    fn somebody_else_can_write_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = WholeFile::in_folder(folder.path(), "b.sqlite").expect("a name");
        fs::write(whole.part(), "made elsewhere").expect("it can be written");
        assert_eq!(names(folder.path()), [".b.sqlite.part"]);
        whole.finish().expect("it gets its name");
        assert_eq!(names(folder.path()), ["b.sqlite"]);
        let given_up = WholeFile::in_folder(folder.path(), "c").expect("a name");
        fs::write(given_up.part(), "x").expect("it can be written");
        drop(given_up);
        assert_eq!(names(folder.path()), ["b.sqlite"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&file, "old").expect("it can be written");
        fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("it is ours");
        symlink(&file, &link).expect("a link");
        write_whole(&link, b"new").expect("it can be written");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).expect("it is there"), b"new");
        let mode = file.metadata().expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(write_whole(folder.path(), b"x").is_err(), "a folder is no file");
    }
}
