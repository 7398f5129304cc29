//! File names: which files may answer an address, and which address a file has.
//!
//! Names are bytes, relative to the mirror's folder, with `/` between their parts. Every name made
//! here is safe to join to the folder: it has no `..`, no root, no NUL. Only a symbolic link can
//! still lead out; `folder` looks for that.

use std::path::PathBuf;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use url::Url;

/// What is written as it is in the address of a file: what has no other meaning there, and the `?`
/// of a query.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'?');

/// The names of the files that may answer `url`, best first; `None` when it is not below `base`.
pub(super) fn candidates(base: &Url, url: &Url) -> Option<Vec<Vec<u8>>> {
    // The URL standard has already lowered the host and dropped default ports.
    let same_host = (base.scheme(), base.host(), base.port()) == (url.scheme(), url.host(), url.port());
    let path = same_host.then(|| url.path().strip_prefix(base.path())).flatten()?;
    let path: Vec<u8> = percent_decode_str(path).collect();
    let mut names = Vec::new();
    if let Some(query) = url.query().filter(|query| !query.is_empty()) {
        let decoded: Vec<u8> = percent_decode_str(query).collect();
        // Dots between slashes mean folders in a path, and nothing in a query.
        for query in [query.as_bytes(), &decoded].into_iter().filter(|query| !climbs(query)) {
            names.push([&path, &b"?"[..], query].concat());
        }
    }
    let bare = &path[..path.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1)];
    names.push(path.clone());
    names.extend([b"/index.html", &b"/index.htm"[..], b".html"].map(|ending| [bare, ending].concat()));
    Some(names.into_iter().filter_map(|name| normalised(&name)).collect())
}

/// The names of the files that may answer a form sent to `url` with this body: as if its fields
/// were the query. There is no other file to fall back on: a page that another form got is the
/// wrong one.
pub(super) fn form_candidates(base: &Url, url: &Url, body: &[u8]) -> Option<Vec<Vec<u8>>> {
    let fields = String::from_utf8_lossy(body);
    let query: Vec<&str> = url
        .query()
        .into_iter()
        .chain([&*fields])
        .filter(|part| !part.is_empty())
        .collect();
    let mut sent = url.clone();
    sent.set_query(Some(&query.join("&")));
    let mut names = candidates(base, &sent)?;
    names.retain(|name| name.contains(&b'?'));
    Some(names)
}

/// Whether a query would be resolved like a path.
fn climbs(query: &[u8]) -> bool {
    query
        .split(|byte| *byte == b'/')
        .any(|part| part == b"." || part == b"..")
}

/// The name with `.`, `..` and doubled slashes resolved, or `None` when it would leave the folder.
fn normalised(name: &[u8]) -> Option<Vec<u8>> {
    // On Windows these separate paths or name drives and streams; elsewhere they are letters like
    // any other.
    let foreign: &[u8] = if cfg!(windows) { b"\\:" } else { b"" };
    if name.iter().any(|byte| *byte == 0 || foreign.contains(byte)) {
        return None;
    }
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in name.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join(&b'/'))
}

/// The address of the file called `name`.
pub(super) fn address(base: &Url, name: &[u8]) -> Option<Url> {
    Url::parse(&format!("{base}{}", percent_encode(name, KEPT))).ok()
}

/// The name as the system spells it.
#[cfg(unix)]
pub(super) fn relative_path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

/// The name as the system spells it.
#[cfg(not(unix))]
pub(super) fn relative_path(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check_candidates(base: &str, url: &str, expected: Expect) {
        let base = base.parse().expect("an address");
        let names = candidates(&base, &url.parse().expect("an address"));
        let names = names.map(|names| {
            names
                .iter()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect()
        });
        expected.assert_eq(&names.map_or("none".to_owned(), |names: Vec<String>| names.join(" ")));
    }

    #[test]
    fn a_path_a_folder_a_page() {
        let site = "http://site.example/";
        check_candidates(site, "http://site.example/", expect!["index.html index.htm .html"]);
        check_candidates(
            site,
            "http://site.example/a",
            expect!["a a/index.html a/index.htm a.html"],
        );
        check_candidates(
            site,
            "http://site.example/a//b/",
            expect!["a/b a/b/index.html a/b/index.htm a/b.html"],
        );
    }

    #[test]
    fn a_query_is_tried_as_written_and_decoded() {
        check_candidates(
            "http://site.example/",
            "http://site.example/a?x=%31",
            expect!["a?x=%31 a?x=1 a a/index.html a/index.htm a.html"],
        );
    }

    #[test]
    fn only_addresses_below_the_base() {
        check_candidates(
            "http://site.example/a/",
            "http://SITE.example:80/a/b.html",
            expect!["b.html b.html/index.html b.html/index.htm b.html.html"],
        );
        check_candidates("http://site.example/a/", "http://site.example/a", expect!["none"]);
        check_candidates("http://site.example/", "https://site.example/", expect!["none"]);
        check_candidates("http://site.example/", "http://site.example:81/", expect!["none"]);
    }

    #[test]
    fn nothing_above_the_folder() {
        let site = "http://site.example/";
        check_candidates(site, "http://site.example/..%2f..%2fetc/passwd", expect![""]);
        check_candidates(
            site,
            "http://site.example/a%2f..%2fb",
            expect!["b b/index.html b/index.htm b.html"],
        );
        check_candidates(site, "http://site.example/%00", expect![""]);
        check_candidates(
            site,
            "http://site.example/%2Fetc",
            expect!["etc etc/index.html etc/index.htm etc.html"],
        );
        // Here the ending is part of a name that is no longer `..`.
        check_candidates(site, "http://site.example/a%2f..%2f..", expect!["...html"]);
    }

    #[test]
    fn addresses_keep_their_spelling() {
        let base: Url = "http://site.example/d/".parse().expect("an address");
        let url = |name: &str| address(&base, name.as_bytes()).expect("an address").to_string();
        assert_eq!(
            url("a b/%ü.html?x=1&y"),
            "http://site.example/d/a%20b/%25%C3%BC.html?x=1&y"
        );
        assert_eq!(url("~a!$(b)*+,;=:@-._"), "http://site.example/d/~a!$(b)*+,;=:@-._");
    }
}
