//! Below the folder: what an address may name. A name from outside never leads out of the studio's
//! folder, by dots, by a root or by a link on the disk.

use std::path::{Component, Path, PathBuf};

/// What a name means below a folder: something that is there, and inside. The empty name is the
/// folder itself.
pub fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = Path::new(name);
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        return None;
    }
    let (root, whole) = (folder.canonicalize().ok()?, folder.join(name).canonicalize().ok()?);
    whole.starts_with(&root).then_some(whole)
}

/// The name of a path below a folder, with slashes; the path itself when it is elsewhere.
pub fn name_below(folder: &Path, path: &Path) -> String {
    let inside = folder.canonicalize().ok();
    let inside = inside.as_deref().and_then(|root| path.strip_prefix(root).ok());
    let inside = inside.or_else(|| path.strip_prefix(folder).ok()).unwrap_or(path);
    let parts: Vec<String> = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn no_name_leads_out() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("inside");
        fs::create_dir_all(folder.join("crawls/one")).expect("folders");
        fs::write(outer.path().join("secret"), "x").expect("a file");
        let is_there = |name: &str| below(&folder, name).is_some();
        assert!(is_there("") && is_there("crawls/one") && !is_there("crawls/two"));
        assert!(!is_there("../secret") && !is_there("crawls/../../secret") && !is_there("/etc/passwd"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret"), folder.join("link")).expect("a link");
            assert!(!is_there("link"), "a link out of the folder");
        }
        let one = below(&folder, "crawls/one").expect("it is there");
        assert_eq!(name_below(&folder, &one), "crawls/one");
    }
}
