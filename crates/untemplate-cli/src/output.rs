//! Output: the result goes to standard output or a file, and nothing else does; messages go to
//! standard error.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use untemplate_store::WholeFile;

use crate::arguments::OutputArguments;
use crate::progress::{clear_progress, suspended, write_message};

/// Where a result goes, piece by piece: standard output, or a file that is there only when it is
/// whole.
pub enum ResultWriter {
    /// Standard output; nobody reads it any more when `is_closed`.
    Standard { is_closed: bool },
    /// A file in the making.
    File(BufWriter<WholeFile>),
}

impl ResultWriter {
    /// Opens what the arguments name.
    pub fn open(arguments: &OutputArguments) -> Result<Self> {
        match &arguments.output {
            Some(file) if file != Path::new("-") => Ok(Self::File(BufWriter::new(create_whole(file)?))),
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
            Self::Standard { is_closed } => match suspended(|| io::stdout().lock().write_all(piece)) {
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
                finish_whole(file)
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
    let mut whole = create_whole(file)?;
    whole.write_all(content).with_context(|| unwritable(file))?;
    finish_whole(whole)
}

/// Opens a file that is there only when it is whole.
pub fn create_whole(file: &Path) -> Result<WholeFile> {
    if file.is_dir() {
        bail!("{} is a folder; name a file in it", file.display());
    }
    WholeFile::create(file).with_context(|| unwritable(file))
}

/// Gives a file that is whole its name.
pub fn finish_whole(file: WholeFile) -> Result<()> {
    let target = file.target().to_owned();
    file.finish().with_context(|| unwritable(&target))?;
    Ok(())
}

/// What to check when a file cannot be written.
pub fn unwritable(file: &Path) -> String {
    format!(
        "cannot write {}; check that its folder is there and may be written to",
        file.display()
    )
}

/// Says something on standard error, unless it is to be quiet.
pub fn say(arguments: &OutputArguments, message: &str) {
    if !arguments.quiet {
        write_message("message", message);
    }
}

/// A number of things: "1 page", "2 pages".
pub fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// What went wrong, from the outside in; what one message has of its cause is not said twice.
pub fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text.push_str(&format!(": {cause}"));
        }
    }
    text.replace(NO_TEXT, "it is no text in UTF-8")
}

/// What the standard library says of a file that is no text.
const NO_TEXT: &str = "stream did not contain valid UTF-8";

/// An error when a file that is to be written at the end cannot be: better said before the work
/// than after it.
pub fn try_file(file: &Path) -> Result<()> {
    // What was made for the try is gone as it is dropped.
    create_whole(file).map(drop)
}

/// Says what went wrong on standard error. Nobody listening is no reason to stop.
pub fn complain(message: &str) {
    write_message("error", message);
}
