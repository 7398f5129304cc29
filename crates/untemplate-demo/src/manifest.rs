//! The manifest: the true page classes of the site, for those who score what untemplate finds.
//!
//! A JSON array with this one site: `name`, `root_dir` (relative to the manifest), `url`, `entry`,
//! and `classes` with `name`, `url_regex` (found in a file's name), `count`, and a `sample` page
//! where the class is worth gathering.

use crate::page_class::{CLASSES, PageClass};
use crate::route::path_of;
use crate::site::DemoSite;
use serde::Serialize;
use std::collections::BTreeMap;

/// A site of the manifest.
#[derive(Debug, Serialize)]
struct ManifestSite {
    name: String,
    root_dir: &'static str,
    url: String,
    entry: &'static str,
    classes: Vec<ManifestClass>,
}

/// A class of the manifest.
#[derive(Debug, Serialize)]
struct ManifestClass {
    name: &'static str,
    url_regex: &'static str,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<String>,
}

/// Writes the manifest. A class of a single page has no sample, since there is nothing to gather.
pub fn manifest_json(site: &DemoSite) -> String {
    let mut paths: BTreeMap<PageClass, Vec<String>> = BTreeMap::new();
    for route in site.routes() {
        if let Some(class) = PageClass::of(&route) {
            paths
                .entry(class)
                .or_default()
                .push(path_of(&route, &site.source.database));
        }
    }
    let classes = CLASSES.iter().filter_map(|info| {
        let paths = paths.get(&info.class)?;
        // A page from the middle is as ordinary as they come.
        let sample = (info.worth_gathering && paths.len() > 1).then(|| paths[paths.len() / 2].clone());
        Some(ManifestClass {
            name: info.name,
            url_regex: info.url_regex,
            count: paths.len(),
            sample,
        })
    });
    let manifest = [ManifestSite {
        name: format!("demo_{}", site.skin.name()),
        root_dir: "site",
        url: site.base_url.clone(),
        entry: "/",
        classes: classes.collect(),
    }];
    serde_json::to_string_pretty(&manifest).expect("text and numbers always become JSON") + "\n"
}
