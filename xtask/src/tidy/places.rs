//! Places: nothing in the repository names a folder of someone's machine or a package registry, and
//! no page of a corpus lies in it.
//!
//! What is looked for is put together from pieces, so that this file does not find itself.

use super::finding::Finding;
use super::tree::{SourceFile, Tree};

/// Where people's folders lie on their machines.
const HOMES: [&str; 3] = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];

/// Hosts of package registries.
const REGISTRIES: [&str; 5] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("python", "hosted.org"),
    concat!("npm", "js.org"),
    concat!("proxy", ".golang.org"),
];

/// A page we wrote for a test is small; a page over this many bytes came from somewhere.
const PAGE_BYTES_MAX: usize = 200 * 1024;

/// Home folders, this checkout, registries, pages.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let pages = tree.files.iter().filter_map(large_page);
    pages
        .chain(tree.files.iter().flat_map(|file| named_places(file, &tree.own_places)))
        .collect()
}

fn large_page(file: &SourceFile) -> Option<Finding> {
    let is_page = [".htm", ".html"].iter().any(|ending| file.path.ends_with(ending));
    let what = || {
        format!(
            "a page of {} KB, {} at most",
            file.n_bytes / 1024,
            PAGE_BYTES_MAX / 1024
        )
    };
    let advice = "real pages stay in ../shared; write a small one that shows the same";
    (is_page && file.n_bytes > PAGE_BYTES_MAX).then(|| Finding::stop(&file.path, 0, what(), advice))
}

fn named_places(file: &SourceFile, own_places: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let homes = HOMES.iter().filter(|home| has_path(line, home, true));
        let own = own_places.iter().filter(|place| has_path(line, place, false));
        for place in homes.map(|home| (*home).to_owned()).chain(own.cloned()) {
            let advice = "name things relative to the repository";
            findings.push(Finding::stop(
                &file.path,
                index + 1,
                format!("a path below {place}"),
                advice,
            ));
        }
        // Cargo writes its index into every lock file; tidy/manifests.rs looks at those lines.
        for host in REGISTRIES
            .iter()
            .filter(|host| file.path != "Cargo.lock" && line.contains(**host))
        {
            let advice = "say what to install, not where from";
            findings.push(Finding::stop(
                &file.path,
                index + 1,
                format!("the registry host {host}"),
                advice,
            ));
        }
    }
    findings
}

/// Does the line name the absolute path `place`, not just a longer path or address with it in the
/// middle? With `more` a name must follow.
fn has_path(line: &str, place: &str, more: bool) -> bool {
    let is_name = |letter: char| letter.is_alphanumeric() || "._-~".contains(letter);
    line.match_indices(place).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + place.len()..].chars().next();
        !before.is_some_and(|letter| is_name(letter) || "/})".contains(letter)) && after.is_some_and(is_name) == more
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::*;
    use expect_test::expect;

    #[test]
    fn paths_of_a_machine_are_found() {
        let text = format!("one\nsee {}ada/notes\nand /where/it/lies/now", HOMES[0]);
        check_rule(
            |tree| {
                check(tree)
                    .into_iter()
                    .map(|finding| Finding {
                        what: finding.what.replace(HOMES[0], "HOME/"),
                        ..finding
                    })
                    .collect()
            },
            &[("README.md", &text)],
            expect![[r#"
                README.md:2: a path below HOME/: name things relative to the repository
                README.md:3: a path below /where/it/lies: name things relative to the repository
            "#]],
        );
    }

    #[test]
    fn addresses_and_longer_paths_are_free() {
        let text = format!(
            "http://a.example{}x, ~{0}x, `{0}`, not/where/it/lies, /where/it/lies2",
            HOMES[0]
        );
        check_rule(check, &[("README.md", &text)], expect![""]);
    }

    #[test]
    fn registries_are_found_outside_the_lock_file() {
        let host = REGISTRIES[0];
        let found = |path: &str| {
            check(&super::super::tree::of_texts(&[(
                path,
                &format!("a\nsee https://{host}/x"),
            )]))
        };
        assert_eq!(
            found("docs/a.md")
                .iter()
                .map(|finding| finding.line)
                .collect::<Vec<_>>(),
            [2]
        );
        assert!(found("Cargo.lock").is_empty());
    }

    #[test]
    fn large_pages_are_found() {
        let page = "x".repeat(PAGE_BYTES_MAX);
        check_rule(
            check,
            &[("corpus/a/page.html", &page), ("a.svg", &page.repeat(2))],
            expect![""],
        );
        check_rule(
            check,
            &[("corpus/a/page.html", &page.repeat(2))],
            expect![[r#"
                corpus/a/page.html:1: a page of 400 KB, 200 at most: real pages stay in ../shared; write a small one that shows the same
            "#]],
        );
    }
}
