//! The inventory: which crawls, models, wrappers, specifications and tables are below a folder.
//!
//! Files are known by their names or by how they begin. The walk has bounds, follows no links, and
//! does not enter what a crawl or a version control keeps for itself; where it stops short, it says
//! so.

use std::collections::VecDeque;
use std::fs::{self, DirEntry, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::below::name_below;

/// How deep the walk goes.
const DEPTH_MAX: usize = 6;

/// How many names it looks at.
const NAMES_MAX: usize = 20_000;

/// How many files it looks into.
const OPENED_MAX: usize = 2_000;

/// How much of a file tells what it is.
const HEAD_BYTES: u64 = 4_096;

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A folder of tables.
    Tables,
    /// The archive of a crawl.
    Crawl,
    /// A site model.
    Model,
    /// A specification.
    Specification,
    /// A wrapper.
    Wrapper,
}

/// Something that can be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// Its name below the folder.
    pub at: String,
    /// When it was last changed, as far as the disk tells.
    pub modified: Option<SystemTime>,
    /// How large its file is; of a crawl, with its pages.
    pub bytes: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inventory {
    /// The things, by kind and name.
    pub found: Vec<Found>,
    /// Whether a bound was met, so that there may be more.
    pub is_cut: bool,
}

impl Inventory {
    /// Those of one kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(move |found| found.kind == kind)
    }
}

struct Walk<'a> {
    folder: &'a Path,
    inventory: Inventory,
    queue: VecDeque<(PathBuf, usize)>,
    n_names: usize,
    n_opened: usize,
}

/// Looks through a folder.
pub fn take_inventory(folder: &Path) -> Inventory {
    let mut walk = Walk {
        folder,
        inventory: Inventory::default(),
        queue: VecDeque::from([(folder.to_owned(), 0)]),
        n_names: 0,
        n_opened: 0,
    };
    while let Some((folder, depth)) = walk.queue.pop_front() {
        walk.enter(&folder, depth);
    }
    let mut inventory = walk.inventory;
    inventory
        .found
        .sort_by(|left, right| (left.kind, &left.at).cmp(&(right.kind, &right.at)));
    inventory
}

impl Walk<'_> {
    fn enter(&mut self, folder: &Path, depth: usize) {
        if folder.join("archive.sqlite").is_file() {
            return self.add(Kind::Crawl, folder, &folder.join("archive.sqlite"));
        }
        if folder.join("tables.sqlite").is_file() {
            self.add(Kind::Tables, folder, &folder.join("tables.sqlite"));
        }
        // A folder that may not be read has nothing to show.
        let mut entries: Vec<DirEntry> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .take(NAMES_MAX)
            .collect();
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            self.n_names += 1;
            if self.n_names > NAMES_MAX {
                self.inventory.is_cut = true;
                return;
            }
            self.see(&entry, depth);
        }
    }

    fn see(&mut self, entry: &DirEntry, depth: usize) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { return };
        if name.starts_with('.') {
            return;
        }
        if kind.is_dir() {
            match depth + 1 > DEPTH_MAX {
                true => self.inventory.is_cut = true,
                false => self.queue.push_back((entry.path(), depth + 1)),
            }
        } else if kind.is_file() && may_be_ours(&name) {
            self.n_opened += 1;
            if self.n_opened > OPENED_MAX {
                self.inventory.is_cut = true;
            } else if let Some(kind) = kind_of_file(&entry.path()) {
                self.add(kind, &entry.path(), &entry.path());
            }
        }
    }

    fn add(&mut self, kind: Kind, path: &Path, file: &Path) {
        let facts = fs::metadata(file).ok();
        let bodies = if kind == Kind::Crawl {
            folder_bytes(&path.join("bodies"))
        } else {
            0
        };
        self.inventory.found.push(Found {
            kind,
            at: name_below(self.folder, path),
            modified: facts.as_ref().and_then(|facts| facts.modified().ok()),
            bytes: bodies + facts.map_or(0, |facts| facts.len()),
        });
    }
}

/// How large the files of a folder are.
fn folder_bytes(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().take(NAMES_MAX);
    files
        .filter_map(|file| file.metadata().ok())
        .map(|facts| facts.len())
        .sum()
}

fn may_be_ours(name: &str) -> bool {
    [".json", ".xml", ".wrapper", ".model"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// What a file is, by its beginning; `None` for what is none of ours.
pub fn kind_of_file(file: &Path) -> Option<Kind> {
    let mut head = Vec::new();
    File::open(file).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let has = |key: &str| head.contains(&format!("\"{key}\""));
    if head.starts_with('<') {
        head.contains("<codec").then_some(Kind::Specification)
    } else if !head.starts_with('{') || !has("version") {
        None
    } else if has("entry") && has("algorithm") {
        Some(Kind::Model)
    } else if has("kind") && (has("template") || has("expressions")) {
        Some(Kind::Wrapper)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn things_are_known_by_name_or_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
            fs::write(file, text).expect("a file");
        };
        write("a/archive.sqlite", "");
        write("a/deeper/tables.sqlite", "");
        write("b/tables.sqlite", "");
        write("b/wrappers/w.json", "{\n \"version\": 1, \"kind\": \"template\"}");
        write(
            "m.json",
            "{\"version\": 1, \"entry\": \"http://a/\", \"algorithm\": \"witnesses\"}",
        );
        write("s.xml", "<codec version=\"1\">");
        write("other.json", "{\"version\": 1}");
        write("other.xml", "<rss>");
        write(
            ".git/m.json",
            "{\"version\": 1, \"entry\": \"http://a/\", \"algorithm\": \"witnesses\"}",
        );
        write("1/2/3/4/5/6/7/s.xml", "<codec version=\"1\">");
        let inventory = take_inventory(folder.path());
        let lines: Vec<String> = inventory
            .found
            .iter()
            .map(|it| format!("{:?} {}", it.kind, it.at))
            .collect();
        expect![[r#"
            Tables b
            Crawl a
            Model m.json
            Specification s.xml
            Wrapper b/wrappers/w.json"#]]
        .assert_eq(&lines.join("\n"));
        assert!(inventory.is_cut, "one folder is too deep");
    }
}
