//! The files of the repository as the rules see them: what git tracks, or would on the next
//! `git add`.

use super::code;
use std::path::Path;
use std::process::Command;

/// All files that are, or are about to be, in the repository.
pub struct Tree {
    pub files: Vec<SourceFile>,
    /// Absolute places of this checkout, which no file may name.
    pub own_places: Vec<String>,
}

/// One file.
pub struct SourceFile {
    /// Relative to the workspace, with forward slashes.
    pub path: String,
    pub n_bytes: usize,
    /// Empty for a file that is not text.
    pub text: String,
    /// The text with comments and the insides of strings blanked; for Rust only, else empty.
    pub code: String,
}

impl Tree {
    /// The file at exactly this path.
    pub fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The Rust files.
    pub fn rust_files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().filter(|file| file.path.ends_with(".rs"))
    }

    /// Names of the folders directly below `folder`, sorted.
    pub fn folders_in(&self, folder: &str) -> Vec<&str> {
        let below = self
            .files
            .iter()
            .filter_map(|file| file.path.strip_prefix(folder)?.strip_prefix('/'));
        let mut names: Vec<&str> = below.filter_map(|rest| Some(rest.split_once('/')?.0)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Reads the tree at `root`.
pub fn read(root: &Path) -> Result<Tree, String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root);
    let listed = crate::shell::output_of(&mut git).map_err(|why| format!("tidy asks git for the files: {why}"))?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    // A file that git knows and that is gone from the disk is on its way out: left to git.
    let read = |path: &str| Some(source_file(path, std::fs::read(root.join(path)).ok()?));
    let shared = root.parent().map(|parent| parent.join("shared"));
    let places = [Some(root.to_path_buf()), shared];
    Ok(Tree {
        files: paths.into_iter().filter_map(read).collect(),
        own_places: places
            .into_iter()
            .flatten()
            .map(|place| place.display().to_string())
            .collect(),
    })
}

fn source_file(path: &str, bytes: Vec<u8>) -> SourceFile {
    let n_bytes = bytes.len();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let code = if path.ends_with(".rs") {
        code::mask(&text)
    } else {
        String::new()
    };
    SourceFile {
        path: path.to_owned(),
        n_bytes,
        text,
        code,
    }
}

/// A tree made up by a test.
#[cfg(test)]
pub fn of_texts(files: &[(&str, &str)]) -> Tree {
    let files = files
        .iter()
        .map(|(path, text)| source_file(path, text.as_bytes().to_vec()))
        .collect();
    Tree {
        files,
        own_places: vec!["/where/it/lies".to_owned()],
    }
}
