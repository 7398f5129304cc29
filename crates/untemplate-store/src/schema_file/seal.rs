//! Whether somebody changed a schema file since a job wrote it: its last line has a hash of the
//! others.

use std::path::Path;
use std::{fs, io};

use ring::digest::{SHA256, digest};

use super::SchemaFileError;

/// What the last line begins with.
const SEAL: &str = "# As it was written: ";

/// Bytes of the hash that are kept: nobody has a reason to forge it.
const SEAL_BYTES: usize = 8;

/// A file's text, marked as written by a job and by nobody else.
pub fn as_written(text: &str) -> String {
    format!("{text}\n{SEAL}{}\n", hash(text))
}

/// Whether somebody changed the file, or wrote it; one that is not there is as it was.
pub fn is_changed(file: &Path) -> Result<bool, SchemaFileError> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(!is_as_written(&text)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(cause) => Err(SchemaFileError::Unreadable {
            file: file.to_owned(),
            cause,
        }),
    }
}

fn is_as_written(text: &str) -> bool {
    let parts = text.strip_suffix('\n').and_then(|text| text.rsplit_once('\n'));
    let seal = parts.and_then(|(before, last)| Some((before, last.strip_prefix(SEAL)?)));
    seal.is_some_and(|(before, seal)| hash(before) == seal)
}

fn hash(text: &str) -> String {
    let digest = digest(&SHA256, text.as_bytes());
    let bytes = digest.as_ref().iter().take(SEAL_BYTES);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
