//! Output: the result goes to standard output or a file, and nothing else does.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};

use crate::arguments::OutputArguments;

/// Writes a result where the arguments want it.
pub fn write_result(arguments: &OutputArguments, result: &[u8]) -> Result<()> {
    match &arguments.output {
        Some(file) => write_whole(file, result),
        None => match io::stdout().lock().write_all(result) {
            // Whoever reads has read enough: `untemplate … | head`.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.context("cannot write to standard output"),
        },
    }
}

/// Writes a file whole or not at all.
pub fn write_whole(file: &Path, content: &[u8]) -> Result<()> {
    let hint = || {
        format!(
            "cannot write {}; check that its folder is there and may be written to",
            file.display()
        )
    };
    // What is no plain file, a device or a pipe, cannot be replaced.
    if file
        .metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    {
        return File::options()
            .write(true)
            .open(file)
            .and_then(|mut file| file.write_all(content))
            .with_context(hint);
    }
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut fresh = tempfile::NamedTempFile::new_in(folder).with_context(hint)?;
    fresh.write_all(content).with_context(hint)?;
    allow_reading(fresh.as_file()).with_context(hint)?;
    fresh.as_file().sync_all().with_context(hint)?;
    fresh.persist(file).with_context(hint)?;
    Ok(())
}

/// A fresh file is for its owner alone; a result is for whoever may read new files in general.
#[cfg(unix)]
fn allow_reading(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn allow_reading(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Says something on standard error, unless it is to be quiet.
pub fn say(arguments: &OutputArguments, message: &str) {
    if !arguments.quiet {
        eprintln!("{message}");
    }
}
