//! Sites with known values: those of the development corpus, and the demo site in its skins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use untemplate::page::{Page, ParseOptions, Response};
use untemplate_demo::{DatabaseOptions, DemoSite, Skin};

/// The true values of a page, by field.
pub type Truth = BTreeMap<String, Vec<String>>;

/// A page with its name and what is true on it; nothing where that is not known.
#[derive(Clone)]
pub struct KnownPage {
    pub name: String,
    pub page: Arc<Page>,
    pub truth: Truth,
}

/// Pages of one class of one site.
pub struct Site {
    pub name: String,
    pub pages: Vec<PageFile>,
}

/// A page that is not read yet.
pub struct PageFile {
    pub file: PathBuf,
    pub truth: Truth,
}

impl PageFile {
    pub fn read(&self) -> KnownPage {
        let body = std::fs::read(&self.file).unwrap_or_default();
        let name = file_name(&self.file);
        let page = page_of("http://site.example/", body);
        KnownPage {
            page: Arc::new(page),
            truth: self.truth.clone(),
            name,
        }
    }
}

/// A page from its bytes; its address is what its `base` element says.
pub fn page_of(url: &str, body: Vec<u8>) -> Page {
    let url = url.parse().expect("a good address");
    let response = Response {
        content_type: Some("text/html; charset=utf-8".to_owned()),
        ..Response::html(url, body)
    };
    let mut page = Page::read(&response, &ParseOptions::default());
    page.url = page.base.clone();
    page
}

/// The sites of a corpus of detail pages: `SUBJECT/SITE(N)/0000.htm`, with their values in
/// `groundtruth/SUBJECT/SITE-FIELD.txt`.
pub fn detail_sites(corpus: &Path) -> Vec<Site> {
    let mut sites = Vec::new();
    for subject in folders(corpus).into_iter().filter(|its| !its.ends_with("groundtruth")) {
        let truths = corpus.join("groundtruth").join(file_name(&subject));
        for folder in folders(&subject) {
            let name = file_name(&folder).split('(').next().unwrap_or_default().to_owned();
            let truth = truth_of(&truths, &name);
            let page = |file: PathBuf| PageFile {
                truth: truth.get(&file_name(&file)).cloned().unwrap_or_default(),
                file,
            };
            let pages = entries(&folder).into_iter();
            let pages = pages.filter(|file| file.extension().is_some_and(|its| its == "htm"));
            sites.push(Site {
                pages: pages.map(page).collect(),
                name,
            });
        }
    }
    sites
}

/// The sites of a corpus that has a folder of pages for each.
pub fn folder_sites(corpus: &Path) -> Vec<Site> {
    let page = |file: PathBuf| PageFile {
        file,
        truth: Truth::new(),
    };
    let is_page = |file: &PathBuf| file.extension().is_some_and(|its| its == "html" || its == "htm");
    let site = |folder: PathBuf| Site {
        pages: entries(&folder).into_iter().filter(is_page).map(page).collect(),
        name: file_name(&folder),
    };
    folders(corpus).into_iter().map(site).collect()
}

fn truth_of(folder: &Path, site: &str) -> BTreeMap<String, Truth> {
    let mut truth: BTreeMap<String, Truth> = BTreeMap::new();
    for file in entries(folder) {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let Some(field) = stem.strip_prefix(&format!("{site}-")) else {
            continue;
        };
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        for line in text.lines().skip(2) {
            let mut parts = line.split('\t');
            let page = format!("{}.htm", parts.next().unwrap_or_default());
            let values = parts.skip(1).filter(|&value| value != "<NULL>").map(plain);
            let mut values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
            values.sort();
            values.dedup();
            truth.entry(page).or_default().insert(field.to_owned(), values);
        }
    }
    truth
}

fn plain(value: &str) -> String {
    let unescaped = value
        .replace("&nbsp;", " ")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    unescaped.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|entry| entry.is_dir()).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
        .to_owned()
}

/// The players of the demo site in a skin, with the values that every skin shows as they are.
pub fn demo_players(skin: Skin, players: u32) -> Vec<KnownPage> {
    let site = DemoSite::new(DatabaseOptions { players, seed: 1 }, skin);
    let database = &site.source.database;
    let pages = site.paths().filter_map(|path| {
        let number = path
            .strip_prefix("/players/")?
            .strip_suffix(".html")?
            .rsplit('-')
            .next()?;
        let player = database.player(number.parse().ok().filter(|&number: &u32| number <= players)?);
        let person = &player.person;
        let truth = [
            ("name", person.name()),
            ("birthplace", person.birthplace.clone()),
            ("nationality", person.nationality.to_string()),
            ("shirt", player.shirt.to_string()),
        ];
        let body = site.answer("GET", &path, "").body.into_bytes();
        let page = page_of(&format!("http://cup.example{path}"), body);
        Some(KnownPage {
            name: path,
            page: Arc::new(page),
            truth: truth.map(|(field, value)| (field.to_owned(), vec![value])).into(),
        })
    });
    pages.collect()
}
