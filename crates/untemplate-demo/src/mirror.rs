//! Writes the site to disk: pages as files, the truth as a database, the classes as a manifest.
//!
//! In: a [`DemoSite`] and a folder. Out: `site/` with a file for every page, named so that a mirror
//! of that folder answers every address of the site, and the form that finds players for each
//! position; `truth.sqlite`, the database that the pages were made from; `manifest.json`, the true
//! page classes.

use crate::manifest::manifest_json;
use crate::site::DemoSite;
use crate::truth::write_truth;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorReport {
    /// Pages, one file each; robots and sitemaps are not counted.
    pub pages: usize,
    /// Bytes of all files below `site/` that answer plain requests.
    pub bytes: u64,
    /// The folder of the pages.
    pub site_dir: PathBuf,
    /// The database.
    pub truth_file: PathBuf,
    /// The manifest.
    pub manifest_file: PathBuf,
}

/// Why a mirror could not be written.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// Something is there already.
    #[error("{} exists already; delete it or choose another folder", path.display())]
    Exists {
        /// What exists.
        path: PathBuf,
    },
    /// The disk refused.
    #[error("cannot write {}: {source}; check that the folder may be written and has room", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// SQLite refused.
    #[error("cannot write {}: {source}; check that the folder may be written and has room", path.display())]
    Truth {
        /// The database file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

/// Writes the site below `dir`, which is made where it is missing. What is there already is never
/// overwritten.
pub fn write_mirror(site: &DemoSite, dir: &Path) -> Result<MirrorReport, MirrorError> {
    let mut report = MirrorReport {
        pages: 0,
        bytes: 0,
        site_dir: dir.join("site"),
        truth_file: dir.join("truth.sqlite"),
        manifest_file: dir.join("manifest.json"),
    };
    for path in [&report.site_dir, &report.truth_file, &report.manifest_file] {
        if path.exists() {
            return Err(MirrorError::Exists { path: path.clone() });
        }
    }
    let mut folders = BTreeSet::new();
    for path in site.paths() {
        report.bytes += write_page(site, &path, &report.site_dir, &mut folders)?;
        report.pages += 1;
    }
    for path in site.extra_paths() {
        report.bytes += write_page(site, &path, &report.site_dir, &mut folders)?;
    }
    for (name, answer) in site.form_answers() {
        write_file(&report.site_dir.join(name), &answer.body)?;
    }
    let failed = |source| MirrorError::Truth {
        path: report.truth_file.clone(),
        source,
    };
    write_truth(site, &report.truth_file).map_err(failed)?;
    write_file(&report.manifest_file, &manifest_json(site))?;
    Ok(report)
}

/// The name of the file that answers a path: a folder is its `index.html`, a query stays in the
/// name.
pub fn file_name(path_and_query: &str) -> String {
    let name = path_and_query.trim_start_matches('/');
    if name.is_empty() || name.ends_with('/') {
        format!("{name}index.html")
    } else {
        name.to_owned()
    }
}

fn write_page(site: &DemoSite, path: &str, dir: &Path, folders: &mut BTreeSet<PathBuf>) -> Result<u64, MirrorError> {
    let file = dir.join(file_name(path));
    let folder = file.parent().unwrap_or(dir).to_owned();
    if !folders.contains(&folder) {
        fs::create_dir_all(&folder).map_err(|source| MirrorError::Write {
            path: folder.clone(),
            source,
        })?;
        folders.insert(folder);
    }
    let response = site.answer("GET", path, "");
    write_file(&file, &response.body)?;
    Ok(response.body.len() as u64)
}

fn write_file(path: &Path, text: &str) -> Result<(), MirrorError> {
    fs::write(path, text).map_err(|source| MirrorError::Write {
        path: path.to_owned(),
        source,
    })
}
