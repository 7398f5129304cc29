//! The address that a folder of pages stands for, by what its pages say.
//!
//! In: a folder, or one page of it. Out: a mirror of it: its address, and where to start. Pages
//! tell their own address by `base`, `canonical` and `og:url`, and those of others by absolute
//! links to what is in the folder. Where they agree, that is the address; where they do not, or say
//! nothing, it is `http://FOLDER.example/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use untemplate::page::{Dom, Name, Page, ParseOptions, Response, links};
use url::Url;

use super::content_type::content_type;
use super::file_name::address;

/// A folder that is a mirror of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroredFolder {
    /// The address that it stands for, ending in a slash.
    pub base: Url,
    /// The folder.
    pub folder: PathBuf,
    /// Where to start: its `index.html`, or the page that was named, or else all pages.
    pub starts: Vec<Url>,
}

/// Pages that are asked for the address.
const WITNESSES_MAX: usize = 60;

/// Bytes that are read of each.
const WITNESS_BYTES_MAX: u64 = 1 << 20;

/// Files that are looked at.
const FILES_MAX: usize = 200_000;

/// Absolute links that must agree where no page tells its own address.
const LINKS_MIN: usize = 2;

/// The mirror that a folder is of itself.
pub fn mirrored_folder(folder: &Path) -> io::Result<MirroredFolder> {
    let folder = folder.canonicalize()?;
    let names = page_names(&folder)?;
    if names.is_empty() {
        let message = "it has no pages: no file in it ends in .html";
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let step = names.len().div_ceil(WITNESSES_MAX);
    let base = told_address(&folder, names.iter().step_by(step)).unwrap_or_else(|| invented_address(&folder));
    let index = ["index.html", "index.htm"]
        .into_iter()
        .find(|&index| names.contains(index));
    let starts = match index {
        Some(_) => vec![base.clone()],
        None => names
            .iter()
            .filter_map(|name| address(&base, name.as_bytes()))
            .collect(),
    };
    Ok(MirroredFolder { base, folder, starts })
}

/// Folders above a page that may be the whole of its site.
const ABOVE_MAX: usize = 6;

/// The mirror that a page's folder is, to start at that page. Where its links or its address tell
/// that the folder is a part of a site, as `players` in `http://cup.example/players/ada.html`, the
/// folders above are mirrored as well.
pub fn mirrored_page(file: &Path) -> io::Result<MirroredFolder> {
    let file = file.canonicalize()?;
    let odd_name = || io::Error::new(io::ErrorKind::InvalidInput, "its name fits in no address");
    let mut folder = linked_folder(&file)?;
    let name = file
        .strip_prefix(&folder)
        .ok()
        .and_then(Path::to_str)
        .ok_or_else(odd_name)?;
    let name = name.replace(std::path::MAIN_SEPARATOR, "/");
    let mut base = told_address(&folder, std::iter::once(&name)).unwrap_or_else(|| invented_address(&folder));
    let start = address(&base, name.as_bytes()).ok_or_else(odd_name)?;
    while let (Some(above), Some(own)) = (folder.parent(), folder.file_name().and_then(|own| own.to_str())) {
        let Some(path) = base.path().strip_suffix(&format!("/{own}/")) else {
            break;
        };
        let path = format!("{path}/");
        base.set_path(&path);
        folder = above.to_owned();
    }
    Ok(MirroredFolder {
        base,
        folder,
        starts: vec![start],
    })
}

/// The folder that most links of a page lead to files of, if it is the whole of its site: the
/// page's own, or one above it.
fn linked_folder(file: &Path) -> io::Result<PathBuf> {
    let no_folder = || io::Error::new(io::ErrorKind::InvalidInput, "it is in no folder");
    let own = file.parent().ok_or_else(no_folder)?;
    let n_linked = |folder: &Path| {
        let name = file.strip_prefix(folder).ok().and_then(Path::to_str)?;
        let name = name.replace(std::path::MAIN_SEPARATOR, "/");
        let page = read_at(file, &Url::parse("file:///").ok()?.join(&name).ok()?).ok()?;
        let paths = links(&page).into_iter().filter(|link| link.url.scheme() == "file");
        Some(paths.filter(|link| is_file_of(folder, &link.url)).count())
    };
    let (mut best, mut n_best) = (own, n_linked(own).unwrap_or(0));
    for above in own
        .ancestors()
        .skip(1)
        .take(ABOVE_MAX)
        .filter(|above| above.parent().is_some())
    {
        let n_here = n_linked(above).unwrap_or(0);
        if n_here > n_best {
            (best, n_best) = (above, n_here);
        }
    }
    Ok(best.to_owned())
}

/// The pages below a folder, by their names in it. Hidden files and symbolic links are none of
/// them.
fn page_names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let (mut names, mut waiting, mut n_files) = (BTreeSet::new(), vec![folder.to_owned()], 0);
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            n_files += 1;
            if is_hidden || n_files > FILES_MAX {
                continue;
            }
            let (kind, path) = (entry.file_type()?, entry.path());
            let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
            if kind.is_dir() {
                waiting.push(path);
            } else if let Some(name) = name.filter(|name| kind.is_file() && is_page(name)) {
                names.insert(name.replace(std::path::MAIN_SEPARATOR, "/"));
            }
        }
    }
    Ok(names)
}

/// Whether a name is that of a page; a name without an ending may be anything.
fn is_page(name: &str) -> bool {
    let own = name.rsplit('/').next().unwrap_or_default();
    let is_typed = own.contains('.');
    is_typed
        && matches!(
            content_type(name.as_bytes()),
            Some("text/html" | "application/xhtml+xml")
        )
}

/// The address that pages tell, where those that tell one agree. A host that most links to lead to
/// no file of the folder is another site, even if some of them happen to.
fn told_address(folder: &Path, names: impl Iterator<Item = impl AsRef<str>>) -> Option<Url> {
    let (mut told, mut linked): (BTreeSet<Url>, BTreeMap<Url, (usize, usize)>) = Default::default();
    for name in names {
        let name = name.as_ref();
        let Ok(page) = read(&folder.join(name)) else { continue };
        told.extend(own_addresses(&page).iter().find_map(|own| root_of(own, name)));
        for link in links(&page).iter().filter(|link| is_of_web(&link.url)) {
            if let Ok(root) = link.url.join("/") {
                let (n_in, n_out) = linked.entry(root).or_default();
                *if is_file_of(folder, &link.url) { n_in } else { n_out } += 1;
            }
        }
    }
    linked.retain(|_, &mut (n_in, n_out)| n_in > n_out);
    let is_linked = linked.len() == 1 && linked.values().all(|&(n_in, _)| n_in >= LINKS_MIN);
    match told.len() {
        1 => told.pop_first(),
        0 if is_linked => linked.pop_first().map(|(root, _)| root),
        _ => None,
    }
}

/// Reads a page whose own links are no addresses of the web.
fn read(file: &Path) -> io::Result<Page> {
    read_at(file, &Url::parse("file:///").expect("it is an address"))
}

/// Reads a page as one of this address.
fn read_at(file: &Path, url: &Url) -> io::Result<Page> {
    let mut body = Vec::new();
    fs::File::open(file)?.take(WITNESS_BYTES_MAX).read_to_end(&mut body)?;
    let url = url.clone();
    Ok(Page::read(&Response::html(url, body), &ParseOptions::default()))
}

/// What a page says is its own address, most telling first.
fn own_addresses(page: &Page) -> Vec<Url> {
    let dom = &page.dom;
    let (mut canonical, mut property) = (None, None);
    for node in dom.offered_nodes() {
        let attribute = |name: Name| dom.attribute(node, name);
        if dom.is_html(node, Name::LINK) && has_word(attribute(Name::REL), "canonical") {
            canonical = canonical.or(attribute(Name::HREF).and_then(|text| Url::parse(text.trim()).ok()));
        } else if dom.is_html(node, Name::META) && is_og_url(dom, node) {
            property = property.or(attribute(Name::CONTENT).and_then(|text| Url::parse(text.trim()).ok()));
        }
    }
    let all = [canonical, property, Some(page.base.clone())].into_iter().flatten();
    all.filter(|url| matches!(url.scheme(), "http" | "https")).collect()
}

fn has_word(text: Option<&str>, word: &str) -> bool {
    let mut words = text.unwrap_or("").split_ascii_whitespace();
    words.any(|other| other.eq_ignore_ascii_case(word))
}

fn is_og_url(dom: &Dom, node: untemplate::page::NodeId) -> bool {
    dom.attribute(node, Name::PROPERTY) == Some("og:url")
}

/// The address of the folder that a page called `name` in it has the address `own`. A `base` may be
/// that of the page's folder, or of the whole site.
fn root_of(own: &Url, name: &str) -> Option<Url> {
    let (folder, file) = name
        .rsplit_once('/')
        .map_or(("", name), |(folder, file)| (folder, file));
    let bare = file.rsplit_once('.').map_or(file, |(bare, _)| bare);
    let within = |file: &str| match folder {
        "" => format!("/{file}"),
        folder => format!("/{folder}/{file}"),
    };
    let mut endings = vec![within(file), within(bare), within("")];
    endings.push(within("").trim_end_matches('/').to_owned());
    let path = own.path();
    let above = endings.iter().find_map(|ending| path.strip_suffix(ending.as_str()))?;
    let mut root = own.join("/").ok()?;
    root.set_path(&format!("{above}/"));
    Some(root)
}

fn is_of_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Whether the path of an address is that of a file in the folder, if that is the whole of its
/// site.
fn is_file_of(folder: &Path, url: &Url) -> bool {
    let path = percent_encoding::percent_decode_str(url.path().trim_matches('/')).decode_utf8();
    let Ok(path) = path else { return false };
    let is_plain = !path.is_empty() && path.split('/').all(|part| !part.is_empty() && part != "..");
    let names = ["", ".html", "/index.html", "/index.htm"].map(|ending| format!("{path}{ending}"));
    is_plain && names.iter().any(|name| folder.join(name).is_file())
}

/// An address that nobody has, called after the folder.
fn invented_address(folder: &Path) -> Url {
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.unwrap_or_default().chars().map(plain).collect();
    let name: String = name.trim_matches('-').chars().take(63).collect();
    let name = if name.trim_matches('-').is_empty() {
        "folder"
    } else {
        name.trim_matches('-')
    };
    Url::parse(&format!("http://{name}.example/")).expect("letters, digits and hyphens are a host")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], base: &str, starts: &[&str]) {
        let folder = tempfile::tempdir().expect("a folder");
        let site = folder.path().join("My Site");
        for (name, html) in files {
            let file = site.join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, html).expect("a file");
        }
        let mirrored = mirrored_folder(&site).expect("it has pages");
        assert_eq!(mirrored.base.as_str(), base);
        assert_eq!(mirrored.starts.iter().map(Url::as_str).collect::<Vec<_>>(), starts);
    }

    #[test]
    fn pages_tell_their_address() {
        let canonical = |url: &str| format!("<link rel=canonical href={url}>");
        check(
            &[
                ("index.html", &canonical("https://cup.example/")),
                ("a/b.html", &canonical("https://cup.example/a/b.html")),
                ("a/c.html", "<p>nothing"),
            ],
            "https://cup.example/",
            &["https://cup.example/"],
        );
        check(
            &[("a.html", "<base href=http://cup.example/docs/>"), ("b/c.htm", "<p>")],
            "http://cup.example/docs/",
            &["http://cup.example/docs/a.html", "http://cup.example/docs/b/c.htm"],
        );
        check(
            &[("x/y.html", "<meta property=og:url content=http://cup.example/x/y>")],
            "http://cup.example/",
            &["http://cup.example/x/y.html"],
        );
        let linked =
            "<a href=http://cup.example/t.html>x</a><a href=http://cup.example/s>y</a><a href=http://o.example/>z</a>";
        check(
            &[("s.html", linked), ("t.html", "<p>")],
            "http://cup.example/",
            &["http://cup.example/s.html", "http://cup.example/t.html"],
        );
    }

    #[test]
    fn pages_that_disagree_or_say_nothing_get_an_invented_address() {
        let canonical = |url: &str| format!("<link rel=canonical href={url}>");
        check(
            &[
                ("index.html", &canonical("https://cup.example/")),
                ("a.html", &canonical("https://other.example/a.html")),
            ],
            "http://my-site.example/",
            &["http://my-site.example/"],
        );
        check(
            &[("index.htm", "<p>")],
            "http://my-site.example/",
            &["http://my-site.example/"],
        );
    }

    #[test]
    fn links_to_another_site_that_happen_to_fit_tell_nothing() {
        let mail = "<a href=http://mail.example/tool>x</a><a href=http://mail.example/tool/>y</a>";
        let more = ["1", "2", "3"].map(|name| format!("<a href=http://mail.example/tool/{name}>m</a>"));
        check(
            &[
                ("index.html", &format!("{mail}{}", more.concat())),
                ("tool.html", "<p>"),
            ],
            "http://my-site.example/",
            &["http://my-site.example/"],
        );
    }

    #[test]
    fn links_tell_which_folder_is_the_site() {
        let folder = tempfile::tempdir().expect("a folder");
        let site = folder.path().join("cup");
        fs::create_dir_all(site.join("players")).expect("a folder");
        fs::write(site.join("index.html"), "<p>").expect("a file");
        let html = "<a href=/players/bo.html>Bo</a><a href=../index.html>up</a><a href=/missing.html>x</a>";
        fs::write(site.join("players/ada.html"), html).expect("a file");
        fs::write(site.join("players/bo.html"), "<p>").expect("a file");
        let mirrored = mirrored_page(&site.join("players/ada.html")).expect("a page");
        assert_eq!(mirrored.folder, site.canonicalize().expect("a folder"));
        assert_eq!(mirrored.starts[0].as_str(), "http://cup.example/players/ada.html");
        let mirrored = mirrored_page(&site.join("players/bo.html")).expect("a page");
        assert_eq!(mirrored.starts[0].as_str(), "http://players.example/bo.html");
    }

    #[test]
    fn a_page_brings_the_folders_above_it_along() {
        let folder = tempfile::tempdir().expect("a folder");
        let players = folder.path().join("players");
        fs::create_dir(&players).expect("a folder");
        let html = "<link rel=canonical href=http://cup.example/players/ada>";
        fs::write(players.join("ada.html"), html).expect("a file");
        let mirrored = mirrored_page(&players.join("ada.html")).expect("a page");
        assert_eq!(mirrored.base.as_str(), "http://cup.example/");
        assert_eq!(mirrored.folder, folder.path().canonicalize().expect("a folder"));
        assert_eq!(mirrored.starts[0].as_str(), "http://cup.example/players/ada.html");
    }
}
