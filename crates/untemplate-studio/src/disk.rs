//! Sites on disk that the studio knows: folders, pages and WARC files below its folder that
//! somebody began with.
//!
//! `untemplate-sites.json` has their names by origin, so that lessons and jobs about such a site
//! have its pages from there again, also after the studio was started anew, until somebody begins
//! with the same site on the web.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use untemplate_store::{DiskSource, SiteOnDisk, site_on_disk, write_whole};
use url::Url;

use crate::look::below::{below, name_below};

/// The file of the names.
const SITES: &str = "untemplate-sites.json";

fn names(studio: &Path) -> BTreeMap<String, String> {
    let text = fs::read(studio.join(SITES)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn origin(entry: &Url) -> String {
    entry.origin().ascii_serialization()
}

/// The site that a name below the studio's folder is, and notes it for later; the text says why it
/// is none.
pub fn begin_with(studio: &Path, path: &Path) -> Result<SiteOnDisk, String> {
    let site = site_on_disk(path).map_err(|error| error.to_string())?;
    let mut names = names(studio);
    names.insert(origin(&site.entry), name_below(studio, path));
    let text = serde_json::to_vec_pretty(&names).unwrap_or_default();
    write_whole(&studio.join(SITES), &text).map_err(|error| format!("cannot write {SITES}: {error}"))?;
    Ok(site)
}

/// Where the pages of an entry's site are on the disk, if somebody began with them.
pub fn path_of(studio: &Path, entry: &Url) -> Option<PathBuf> {
    below(studio, names(studio).get(&origin(entry))?)
}

/// Has the site of an entry from the web from now on: somebody typed its address.
pub fn begin_on_web(studio: &Path, entry: &Url) {
    let mut names = names(studio);
    if names.remove(&origin(entry)).is_some() {
        let text = serde_json::to_vec_pretty(&names).unwrap_or_default();
        // Where it cannot be written, the site stays on the disk, and its pages say where they are
        // from.
        let _ = write_whole(&studio.join(SITES), &text);
    }
}

/// A page source as an argument of the program.
pub fn argument(source: &DiskSource) -> std::ffi::OsString {
    match source {
        DiskSource::Mirror { base, folder } => format!("--mirror={base}={}", folder.display()).into(),
        DiskSource::Warc(file) => {
            let mut argument = std::ffi::OsString::from("--warc=");
            argument.push(file);
            argument
        }
    }
}
