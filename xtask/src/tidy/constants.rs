//! Numbers that decide: in the library a numeric constant says what it means.
//!
//! A comment above the first of several constants in a row speaks for all of them. Fields of a
//! `Tuning` struct are held by the compiler, which asks for documentation of public ones.

use super::finding::Finding;
use super::purity::is_test_file;
use super::stages::LIBRARY;
use super::tree::{SourceFile, Tree};

/// Types of numbers.
const NUMBERS: [&str; 10] = ["f32", "f64", "u8", "u16", "u32", "u64", "usize", "i32", "i64", "u128"];

/// Every numeric constant of the library has a comment.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.rust_files().filter(|file| file.path.starts_with(LIBRARY));
    files
        .filter(|file| !is_test_file(&file.path))
        .flat_map(check_file)
        .collect()
}

fn check_file(file: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut is_explained = false;
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if line == "#[cfg(test)]" {
            break;
        }
        match numeric_constant(line) {
            Some(name) if !is_explained => {
                let advice = "say above it what it means and where the number comes from";
                findings.push(Finding::stop(
                    &file.path,
                    index + 1,
                    format!("`{name}` is not explained"),
                    advice,
                ));
            }
            // The comment holds for the next constant, too.
            Some(_) => {}
            None => is_explained = line.starts_with("//") || is_explained && line.starts_with("#["),
        }
    }
    findings
}

/// The name of the constant that a line declares, if it is a number.
fn numeric_constant(line: &str) -> Option<&str> {
    let declared = match line.strip_prefix("pub") {
        Some(rest) => &rest[rest.find("const ")?..],
        None => line,
    };
    let (name, rest) = declared.strip_prefix("const ")?.split_once(": ")?;
    let (kind, value) = rest.split_once(" = ")?;
    let is_number = value.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-');
    (NUMBERS.contains(&kind) && is_number).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::check;
    use expect_test::expect;

    #[test]
    fn numbers_have_a_comment() {
        let text = "//! X.\n\n/// Explained.\nconst A: f64 = 0.5;\nconst B: usize = 3;\n\nconst C: f64 = 0.1;\npub(super) const D: u32 = 7;\nconst TEXT: &str = \"9\";\n";
        check_rule(
            check,
            &[
                ("crates/untemplate/src/rule/a.rs", text),
                ("crates/untemplate-demo/src/a.rs", text),
            ],
            expect![[r#"
                crates/untemplate/src/rule/a.rs:7: `C` is not explained: say above it what it means and where the number comes from
                crates/untemplate/src/rule/a.rs:8: `D` is not explained: say above it what it means and where the number comes from
            "#]],
        );
    }
}
