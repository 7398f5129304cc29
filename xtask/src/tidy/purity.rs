//! Purity: no disk, network, clock or printing in the source of the pure crates, tests aside.
//!
//! Clippy holds this for real, by what the `clippy.toml` beside each of their manifests forbids;
//! this rule is the cheap second lock, which also sees what a `use` merely names, and that the
//! `clippy.toml` are the same.

use super::code;
use super::finding::Finding;
use super::tree::{SourceFile, Tree};

/// The crates that take values and return values.
const PURE_CRATES: [&str; 4] = [
    "crates/untemplate",
    "crates/untemplate-html",
    "crates/untemplate-papers",
    "crates/untemplate-report",
];

/// Modules of the standard library that act on the world.
const ACTING_MODULES: [&str; 4] = ["fs", "net", "env", "process"];

/// Words that act on the world, wherever they come from.
const ACTING_WORDS: [&str; 8] = [
    "Instant",
    "SystemTime",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "thread::sleep",
    "RandomState",
];

/// The source of the pure crates acts on nothing, and one list of what is forbidden holds for all
/// of them.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let ours = |file: &&SourceFile| is_pure(&file.path) && !is_test_file(&file.path);
    let mut findings: Vec<Finding> = tree.rust_files().filter(ours).flat_map(check_file).collect();
    findings.extend(differing_lists(tree));
    findings
}

/// Whether a file is source of a pure crate.
fn is_pure(path: &str) -> bool {
    let in_source = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with("/src/"));
    PURE_CRATES.iter().any(in_source)
}

fn differing_lists(tree: &Tree) -> Vec<Finding> {
    let list = |folder: &str| tree.file(&format!("{folder}/clippy.toml")).map(|file| &file.text);
    let first = list(PURE_CRATES[0]);
    let there = PURE_CRATES.iter().filter(|folder| !tree.folders_in(folder).is_empty());
    there
        .filter(|folder| list(folder) != first)
        .map(|folder| {
            let advice = "copy that one: what is forbidden in one pure crate is forbidden in all";
            Finding::stop(
                &format!("{folder}/clippy.toml"),
                0,
                format!("not the same as {}/clippy.toml", PURE_CRATES[0]),
                advice,
            )
        })
        .collect()
}

/// `tests.rs`, `suite_tests.rs` and what lies in folders of such names is compiled for tests only.
pub fn is_test_file(path: &str) -> bool {
    path.split('/')
        .map(|part| part.strip_suffix(".rs").unwrap_or(part))
        .any(|stem| stem == "tests" || stem.ends_with("_tests"))
}

fn check_file(file: &SourceFile) -> Vec<Finding> {
    let modules = code::names_below(&file.code, "std").into_iter();
    let modules = modules
        .filter(|(_, name)| ACTING_MODULES.contains(name))
        .map(|(place, name)| (place, format!("std::{name}")));
    let words = ACTING_WORDS
        .iter()
        .flat_map(|word| code::places_of(&file.code, word).map(|place| (place, (*word).to_owned())));
    let tests = code::test_parts(&file.code);
    let outside = modules
        .chain(words)
        .filter(|(place, _)| !tests.iter().any(|part| part.contains(place)));
    let finding = |(place, word): (usize, String)| {
        let advice = "it takes values and returns values; act in a crate that may";
        Finding::stop(
            &file.path,
            code::line_of(&file.code, place),
            format!("`{word}` in a pure crate"),
            advice,
        )
    };
    outside.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::check;
    use expect_test::expect;

    #[test]
    fn acting_code_is_found() {
        let text = "//! P.\nuse std::{collections::BTreeMap, fs};\nuse std::time::Instant;\nfn f() {\n    println!(\"x\");\n    std::net::lookup();\n}";
        check_rule(
            check,
            &[("crates/untemplate/src/page/dom.rs", text)],
            expect![[r#"
                crates/untemplate/src/page/dom.rs:2: `std::fs` in a pure crate: it takes values and returns values; act in a crate that may
                crates/untemplate/src/page/dom.rs:3: `Instant` in a pure crate: it takes values and returns values; act in a crate that may
                crates/untemplate/src/page/dom.rs:5: `println!` in a pure crate: it takes values and returns values; act in a crate that may
                crates/untemplate/src/page/dom.rs:6: `std::net` in a pure crate: it takes values and returns values; act in a crate that may
            "#]],
        );
        check_rule(
            check,
            &[("crates/untemplate-html/src/dom.rs", "//! D.\nuse std::fs;")],
            expect![[r#"
                crates/untemplate-html/src/dom.rs:2: `std::fs` in a pure crate: it takes values and returns values; act in a crate that may
            "#]],
        );
    }

    #[test]
    fn the_lists_of_what_is_forbidden_are_one() {
        let files = |second| {
            [
                ("crates/untemplate/src/lib.rs", "//! L."),
                ("crates/untemplate/clippy.toml", "a"),
                ("crates/untemplate-html/src/lib.rs", "//! L."),
                ("crates/untemplate-html/clippy.toml", second),
            ]
        };
        check_rule(check, &files("a"), expect![""]);
        check_rule(
            check,
            &files("b"),
            expect![[r#"
                crates/untemplate-html/clippy.toml:1: not the same as crates/untemplate/clippy.toml: copy that one: what is forbidden in one pure crate is forbidden in all
            "#]],
        );
    }

    #[test]
    fn tests_comments_and_other_crates_may() {
        let text = "//! No `std::fs` here.\nuse std::fmt;\n#[cfg(test)]\nmod tests {\n    fn f() { std::fs::read(\"a\"); println!(\"b\"); }\n}\n";
        check_rule(
            check,
            &[
                ("crates/untemplate/src/page/dom.rs", text),
                ("crates/untemplate/src/page/tests.rs", "//! T.\nuse std::fs;"),
                ("crates/untemplate/src/page/suite_tests/tree.rs", "//! T.\nuse std::fs;"),
                ("crates/untemplate/tests/suites.rs", "//! T.\nuse std::fs;"),
                ("crates/untemplate-store/src/lib.rs", "//! S.\nuse std::fs;"),
            ],
            expect![""],
        );
    }
}
