//! The development corpora: kept beside the repository, unpacked into a cache folder by their own
//! script.
//!
//! They are real pages of others, so nothing of them lies in the repository, and everything here
//! works without them: what needs them is skipped, and says so.

use crate::shell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the corpora are unpacked, or why they are not.
pub fn unpacked() -> Result<PathBuf, String> {
    let script = shell::shared_folder().map(|shared| shared.join("corpora/unpack"));
    let script = script
        .filter(|script| script.is_file())
        .ok_or("no ../shared/corpora beside the repository")?;
    let said = shell::output_of(Command::new(script).stderr(Stdio::inherit()));
    let said = said.map_err(|why| format!("the corpora could not be unpacked ({why}); is zstd installed?"))?;
    let folder = said.lines().last().map(PathBuf::from).filter(|folder| folder.is_dir());
    folder.ok_or_else(|| "unpack named no folder".to_owned())
}

/// The pages (`.htm`, `.html`) below `folder`, sorted by path.
pub fn pages(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error| format!("cannot list {}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ending == "htm" || ending == "html")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `count` items taken evenly over the whole list, the same ones every time.
pub fn spread<T: Clone>(items: &[T], count: usize) -> Vec<T> {
    if count >= items.len() {
        return items.to_vec();
    }
    (0..count)
        .map(|index| items[(2 * index + 1) * items.len() / (2 * count)].clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_even_and_never_longer() {
        assert_eq!(spread(&[0, 1, 2, 3, 4, 5], 3), [1, 3, 5]);
        assert_eq!(spread(&[0, 1, 2], 8), [0, 1, 2]);
        assert_eq!(spread(&[0, 1, 2], 0), [0; 0]);
    }
}
