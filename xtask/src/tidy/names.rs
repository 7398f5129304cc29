//! Names and words: every Rust file opens with its story, nothing is called by what it is not
//! about, and nothing unfinished or ignored stays in the tree.

use super::code;
use super::finding::Finding;
use super::tree::{SourceFile, Tree};

/// Names that say nothing about what the code is about.
const EMPTY_NAMES: [&str; 7] = ["util", "utils", "common", "helper", "helpers", "manager", "managers"];

/// Marks of work that was not finished.
const UNFINISHED: [&str; 3] = ["todo!", "unimplemented!", "dbg!"];

/// Stories, names, unfinished work, ignored tests.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let names = tree.files.iter().filter_map(empty_name);
    names.chain(tree.rust_files().flat_map(check_rust)).collect()
}

fn empty_name(file: &SourceFile) -> Option<Finding> {
    let stem = |part: &str| part.split('.').next().unwrap_or_default().to_lowercase();
    let name = file
        .path
        .split('/')
        .map(stem)
        .find(|stem| EMPTY_NAMES.contains(&stem.as_str()))?;
    Some(Finding::stop(
        &file.path,
        0,
        format!("`{name}` in the path"),
        "name the file after what the code is about",
    ))
}

fn check_rust(file: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !file.text.starts_with("//!") {
        let advice = "begin with a `//!` that says what the file is about";
        findings.push(Finding::stop(
            &file.path,
            0,
            "the file does not open with its story",
            advice,
        ));
    }
    let at = |place| code::line_of(&file.code, place);
    for word in UNFINISHED {
        let found = code::places_of(&file.code, word);
        findings.extend(
            found.map(|place| Finding::stop(&file.path, at(place), format!("`{word}`"), "finish it, or take it out")),
        );
    }
    for place in code::places_of(&file.code, "ignore").filter(|place| is_ignored_test(&file.code, *place)) {
        let advice = "run the test here, or move it to `cargo xtask eval`";
        findings.push(Finding::stop(&file.path, at(place), "an ignored test", advice));
    }
    findings
}

/// Is the word `ignore` at `place` the attribute: `#[ignore…`, or given by `cfg_attr`?
fn is_ignored_test(code: &str, place: usize) -> bool {
    let before = code[..place].trim_end();
    let conditional = || {
        before
            .rfind("#[")
            .is_some_and(|open| before[open..].starts_with("#[cfg_attr(") && !before[open..].contains(']'))
    };
    before.ends_with("#[") || (before.ends_with(',') && conditional())
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::check;
    use expect_test::expect;

    #[test]
    fn empty_names_are_found() {
        check_rule(
            check,
            &[("crates/a/src/utils.rs", "//! U."), ("tests/common/page.txt", "")],
            expect![[r#"
                crates/a/src/utils.rs:1: `utils` in the path: name the file after what the code is about
                tests/common/page.txt:1: `common` in the path: name the file after what the code is about
            "#]],
        );
    }

    #[test]
    fn stories_and_unfinished_work_are_found() {
        check_rule(
            check,
            &[(
                "a.rs",
                "fn f() {\n    todo!()\n}\n#[test]\n#[ignore = \"slow\"]\n#[cfg_attr(miri, ignore)]\nfn g() { dbg!(unimplemented!()) }",
            )],
            expect![[r#"
                a.rs:1: the file does not open with its story: begin with a `//!` that says what the file is about
                a.rs:2: `todo!`: finish it, or take it out
                a.rs:5: an ignored test: run the test here, or move it to `cargo xtask eval`
                a.rs:6: an ignored test: run the test here, or move it to `cargo xtask eval`
                a.rs:7: `dbg!`: finish it, or take it out
                a.rs:7: `unimplemented!`: finish it, or take it out
            "#]],
        );
    }

    #[test]
    fn words_in_comments_strings_and_names_are_free() {
        let text = "//! Nothing to do: `todo!()` and #[ignore].\nfn my_todo(ignore: bool) -> &str { f(1, ignore); \"dbg!(1)\" }";
        check_rule(check, &[("a.rs", text), ("common_words.rs", "//! C.")], expect![""]);
    }
}
