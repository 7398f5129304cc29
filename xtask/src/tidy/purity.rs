//! The library's purity: no disk, network, clock or printing in its source, tests aside.
//!
//! Clippy holds this for real, by what `clippy.toml` beside the library's manifest forbids; this rule is the cheap
//! second lock, which also sees what a `use` merely names.

use super::code;
use super::finding::Finding;
use super::stages::LIBRARY;
use super::tree::{SourceFile, Tree};

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

/// The library's source acts on nothing.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let ours = |file: &&SourceFile| file.path.starts_with(LIBRARY) && !is_test_file(&file.path);
    tree.rust_files().filter(ours).flat_map(check_file).collect()
}

/// `tests.rs`, `suite_tests.rs` and what lies in folders of such names is compiled for tests only.
fn is_test_file(path: &str) -> bool {
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
        let advice = "the library takes values and returns values; act in the crate that may";
        Finding::stop(
            &file.path,
            code::line_of(&file.code, place),
            format!("`{word}` in the library"),
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
                crates/untemplate/src/page/dom.rs:2: `std::fs` in the library: the library takes values and returns values; act in the crate that may
                crates/untemplate/src/page/dom.rs:3: `Instant` in the library: the library takes values and returns values; act in the crate that may
                crates/untemplate/src/page/dom.rs:5: `println!` in the library: the library takes values and returns values; act in the crate that may
                crates/untemplate/src/page/dom.rs:6: `std::net` in the library: the library takes values and returns values; act in the crate that may
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
