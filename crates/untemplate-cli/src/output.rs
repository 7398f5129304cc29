//! Output: the result goes to standard output or a file, and nothing else does; messages go to standard error.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::arguments::OutputArguments;
use crate::progress::clear_progress;

/// Where a result goes, piece by piece: standard output, or a file that is there only when it is whole.
pub enum ResultWriter {
    /// Standard output; nobody reads it any more when `is_closed`.
    Standard { is_closed: bool },
    /// A file in the making.
    File(BufWriter<FreshFile>),
}

impl ResultWriter {
    /// Opens what the arguments name.
    pub fn open(arguments: &OutputArguments) -> Result<Self> {
        match &arguments.output {
            Some(file) if file != Path::new("-") => Ok(Self::File(BufWriter::new(FreshFile::create(file)?))),
            _ => {
                clear_progress();
                Ok(Self::Standard { is_closed: false })
            }
        }
    }

    /// Writes a piece of the result.
    pub fn write(&mut self, piece: &[u8]) -> Result<()> {
        match self {
            Self::Standard { is_closed: true } => Ok(()),
            Self::Standard { is_closed } => match io::stdout().lock().write_all(piece) {
                // Whoever reads has read enough: `untemplate … | head`.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    *is_closed = true;
                    Ok(())
                }
                written => written.context("cannot write to standard output"),
            },
            Self::File(file) => file.write_all(piece).context("cannot write the result"),
        }
    }

    /// Ends the result: a file comes into being now.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Standard { is_closed: true } => Ok(()),
            Self::Standard { .. } => match io::stdout().lock().flush() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    Err(error).context("cannot write to standard output")
                }
                _ => Ok(()),
            },
            Self::File(mut file) => {
                file.flush().context("cannot write the result")?;
                let (file, _) = file.into_parts();
                file.persist()
            }
        }
    }
}

/// Writes a whole result where the arguments want it.
pub fn write_result(arguments: &OutputArguments, result: &[u8]) -> Result<()> {
    let mut writer = ResultWriter::open(arguments)?;
    writer.write(result)?;
    writer.finish()
}

/// Writes a file whole or not at all.
pub fn write_whole(file: &Path, content: &[u8]) -> Result<()> {
    let mut fresh = FreshFile::create(file)?;
    fresh.write_all(content).with_context(|| unwritable(file))?;
    fresh.persist()
}

/// A file under a name of its own until it is whole. A symbolic link stays one; a file that is there already keeps who
/// may read it; a device or a pipe is written to as it is.
pub struct FreshFile {
    target: PathBuf,
    file: Fresh,
}

enum Fresh {
    Temporary(tempfile::NamedTempFile),
    Device(File),
}

impl FreshFile {
    fn create(target: &Path) -> Result<Self> {
        let metadata = target.metadata().ok();
        if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
            bail!("{} is a folder; name a file in it", target.display());
        }
        let hint = || unwritable(target);
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let file = Fresh::Device(File::options().write(true).open(target).with_context(hint)?);
            let target = target.to_owned();
            return Ok(Self { target, file });
        }
        let target: PathBuf = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        // The temporary name would only confuse: the target's says where it is.
        let kind = |error: io::Error| io::Error::from(error.kind());
        let file = new_file(folder.unwrap_or(Path::new(".")))
            .map_err(kind)
            .with_context(hint)?;
        if let Some(metadata) = metadata {
            fs::set_permissions(file.path(), metadata.permissions()).with_context(hint)?;
        }
        let file = Fresh::Temporary(file);
        Ok(Self { target, file })
    }

    fn persist(self) -> Result<()> {
        let hint = || unwritable(&self.target);
        match self.file {
            Fresh::Temporary(file) => {
                file.as_file().sync_all().with_context(hint)?;
                file.persist(&self.target)
                    .map_err(|error| error.error)
                    .with_context(hint)?;
                Ok(())
            }
            Fresh::Device(_) => Ok(()),
        }
    }
}

impl Write for FreshFile {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Fresh::Temporary(file) => file.write(piece),
            Fresh::Device(file) => file.write(piece),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn unwritable(file: &Path) -> String {
    format!(
        "cannot write {}; check that its folder is there and may be written to",
        file.display()
    )
}

/// A temporary file that whoever may read new files may read.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".untemplate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Says something on standard error, unless it is to be quiet.
pub fn say(arguments: &OutputArguments, message: &str) {
    if !arguments.quiet {
        complain(message);
    }
}

/// Says what went wrong on standard error. Nobody listening is no reason to stop.
pub fn complain(message: &str) {
    clear_progress();
    let _ = writeln!(io::stderr(), "untemplate: {message}");
}
