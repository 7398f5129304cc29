//! Sites on disk: what a folder of pages, a page or a WARC file is a site of.
//!
//! In: a path. Out: the page source that it is, and where to start in it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use untemplate::page::{Method, Request};
use url::Url;

use crate::mirror::{MirroredFolder, mirrored_folder, mirrored_page};
use crate::source::{PageSource, SourceError};
use crate::warc::{WarcArchive, WarcOptions, loses_records};

/// A site that needs no network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteOnDisk {
    /// What answers for its pages.
    pub source: DiskSource,
    /// Its first page.
    pub entry: Url,
    /// Its first pages, where there is no one page that leads to them.
    pub starts: Vec<Url>,
}

/// What answers for the pages of a site on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiskSource {
    /// A folder of files.
    Mirror {
        /// The address that the folder stands for.
        base: Url,
        /// The folder.
        folder: PathBuf,
    },
    /// A WARC file.
    Warc(PathBuf),
}

/// Why a path is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteOnDiskError {
    /// A folder or page that cannot be read, or has no pages.
    #[error("cannot use {path} as a {what}: {source}")]
    Unreadable {
        /// The path.
        path: String,
        /// What it was taken for.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A WARC file that cannot be read.
    #[error(transparent)]
    Warc(#[from] SourceError),
    /// A WARC file without pages.
    #[error("{path} has no pages{more}")]
    Empty {
        /// The path.
        path: String,
        /// What is missing, or what is odd about the file.
        more: String,
    },
}

/// The site that a folder, a page or a WARC file is.
pub fn site_on_disk(path: &Path) -> Result<SiteOnDisk, SiteOnDiskError> {
    if is_warc(path) && path.is_file() {
        return site_of_warc(path);
    }
    let (mirrored, what) = match path.is_dir() {
        true => (mirrored_folder(path), "site"),
        false => (mirrored_page(path), "page"),
    };
    let MirroredFolder { base, folder, starts } = mirrored.map_err(|source| SiteOnDiskError::Unreadable {
        path: path.display().to_string(),
        what,
        source,
    })?;
    Ok(SiteOnDisk {
        entry: starts.first().unwrap_or(&base).clone(),
        source: DiskSource::Mirror { base, folder },
        starts,
    })
}

/// Whether a file is a WARC file, by its name.
pub fn is_warc(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let endings = [".warc", ".warc.gz", ".warc.zst"];
    name.is_some_and(|name| endings.iter().any(|ending| name.ends_with(ending)))
}

/// Names of pages by their endings, and those without one.
const PAGE_ENDINGS: [&str; 9] = ["html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cgi"];

/// A WARC file starts at the page with the shortest address of the host that it has most of, and
/// where that is not the host's own, at all pages.
fn site_of_warc(path: &Path) -> Result<SiteOnDisk, SiteOnDiskError> {
    let empty = |more: &str| SiteOnDiskError::Empty {
        path: path.display().to_string(),
        more: more.to_owned(),
    };
    let mut archive = WarcArchive::open(&[path.to_owned()], &WarcOptions::default())?;
    let is_page = |request: &Request| {
        let name = request.url.path().rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        request.method == Method::Get && ending.is_none_or(|ending| PAGE_ENDINGS.contains(&ending.as_str()))
    };
    let pages = archive.requests().filter(is_page);
    let mut pages: Vec<Url> = pages.map(|request| request.url).collect();
    let mut hosts: BTreeMap<String, usize> = BTreeMap::new();
    for url in &pages {
        *hosts.entry(root_of(url)).or_default() += 1;
    }
    let most = hosts
        .into_iter()
        .max_by_key(|(host, n_pages)| (*n_pages, std::cmp::Reverse(host.clone())));
    let oddity = archive.problems().iter().find(|problem| loses_records(problem));
    let oddity = oddity.or(archive.problems().first());
    let oddity = oddity.map_or_else(String::new, |problem| {
        format!("; {}: {}", problem.kind, problem.message)
    });
    let (host, _) = most.ok_or_else(|| empty(&oddity))?;
    pages.retain(|url| root_of(url) == host);
    pages.sort_by_key(|url| (url.as_str().len(), url.clone()));
    let mut is_html = |url: &Url| {
        let answer = archive.answer(&Request::get(url.clone()));
        answer.is_some_and(|answer| answer.is_ok_and(|response| response.is_html()))
    };
    let first = pages.iter().find(|url| is_html(url)).cloned();
    let entry = first.ok_or_else(|| empty(" that are HTML"))?;
    let is_root = entry.path() == "/" && entry.query().is_none();
    Ok(SiteOnDisk {
        source: DiskSource::Warc(path.to_owned()),
        starts: if is_root { Vec::new() } else { pages },
        entry,
    })
}

/// The address of a host's first page.
fn root_of(url: &Url) -> String {
    url.join("/").map_or_else(|_| url.to_string(), String::from)
}
