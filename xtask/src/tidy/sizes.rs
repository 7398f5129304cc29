//! `cargo xtask tidy --sizes`: how many lines of Rust each crate has, tests left out.
//!
//! Counted is what lies in a crate's `src`, blank lines and comments included. Left out are
//! `tests.rs`, `*_tests.rs`, folders of such names, and modules in a file that are compiled for
//! tests alone.

use std::collections::BTreeMap;

use super::code;
use super::purity::is_test_file;
use super::tree::{SourceFile, Tree};
use crate::table;

/// The crate whose lines are told apart from the sum.
const LIBRARY: &str = "untemplate";

/// A row a crate, then the library alone and all crates of the product together; xtask is no
/// product.
pub fn show(tree: &Tree) -> String {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for file in tree.rust_files() {
        if let Some(name) = crate_of(&file.path).filter(|_| !is_test_file(&file.path)) {
            *sizes.entry(name).or_default() += n_lines(file);
        }
    }
    let all: usize = sizes.values().sum();
    let library = sizes.get(LIBRARY).copied().unwrap_or(0);
    let mut rows = vec![["crate", "lines"].map(str::to_owned).to_vec()];
    rows.extend(
        sizes
            .iter()
            .map(|(name, lines)| vec![(*name).to_owned(), lines.to_string()]),
    );
    format!(
        "{}\nlibrary crate: {library} lines\nproduct crates together: {all} lines\n",
        table::render(&rows)
    )
}

/// The crate of the product whose source a file is.
fn crate_of(path: &str) -> Option<&str> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    rest.starts_with("src/").then_some(name)
}

/// The lines of a file that are not of a test module.
fn n_lines(file: &SourceFile) -> usize {
    let in_tests: usize = code::test_parts(&file.code)
        .iter()
        .filter(|part| file.code[..=part.end.min(file.code.len() - 1)].ends_with('}'))
        .map(|part| 1 + file.code[part.clone()].matches('\n').count())
        .sum();
    file.text.lines().count() - in_tests
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tree::of_texts;
    use super::show;

    #[test]
    fn tests_benchmarks_and_xtask_are_left_out() {
        let tree = of_texts(&[
            (
                "crates/untemplate/src/lib.rs",
                "//! L.\n\npub fn f() {}\n#[cfg(test)]\nmod later_tests;\n",
            ),
            (
                "crates/untemplate/src/dom.rs",
                "//! D.\nfn f() {}\n#[cfg(test)]\n#[allow(dead_code)]\nmod tests {\n    fn g() {}\n}\n",
            ),
            ("crates/untemplate/src/later_tests.rs", "//! T.\nfn f() {}\n"),
            ("crates/untemplate/src/suite_tests/tree.rs", "//! T.\n"),
            ("crates/untemplate/benches/parse.rs", "//! B.\n"),
            ("crates/untemplate-cli/src/main.rs", "//! M.\nfn main() {}\n"),
            ("crates/untemplate-cli/tests/contract.rs", "//! T.\n"),
            ("xtask/src/main.rs", "//! X.\n"),
        ]);
        expect![[r#"
            crate           lines
            untemplate          7
            untemplate-cli      2

            library crate: 7 lines
            product crates together: 9 lines
        "#]]
        .assert_eq(&show(&tree));
    }
}
