//! Budgets: how long files and functions may be.
//!
//! A file over 400 lines is worth a look and over 600 stops the build; a function over 70 stops it.
//! What is a table rather than thought may be longer, by name and with its reason in
//! [`LONG_TABLES`].

use super::code;
use super::finding::Finding;
use super::tree::{SourceFile, Tree};

const FILE_LINES_WARN: usize = 400;
const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;

/// A file or function that may be longer than the budget.
struct LongTable {
    path: &'static str,
    /// `None` for the file as a whole.
    function: Option<&'static str>,
    /// For the reader of this list; an entry without a reason is no entry.
    #[allow(dead_code)]
    reason: &'static str,
}

/// Tables that may be longer, each with its reason.
const LONG_TABLES: &[LongTable] = &[];

/// Files and functions keep their budgets.
pub fn check(tree: &Tree) -> Vec<Finding> {
    check_against(tree, LONG_TABLES)
}

fn check_against(tree: &Tree, tables: &[LongTable]) -> Vec<Finding> {
    let mut used = vec![false; tables.len()];
    let mut excused = |path: &str, function: Option<&str>| {
        let index = tables
            .iter()
            .position(|table| table.path == path && table.function == function);
        index.is_some_and(|index| std::mem::replace(&mut used[index], true) || used[index])
    };
    let mut findings = Vec::new();
    for file in tree.rust_files() {
        findings.extend(file_finding(file).filter(|_| !excused(&file.path, None)));
        for function in code::functions(&file.code) {
            if function.n_lines > FUNCTION_LINES_MAX && !excused(&file.path, Some(&function.name)) {
                let what = format!(
                    "`{}` has {} lines, {FUNCTION_LINES_MAX} at most",
                    function.name, function.n_lines
                );
                findings.push(Finding::stop(
                    &file.path,
                    function.line,
                    what,
                    "give its parts names of their own",
                ));
            }
        }
    }
    let stale = tables.iter().zip(used).filter(|(_, used)| !used).map(|(table, _)| {
        let what = format!(
            "`{}` is excused from its budget and needs no excuse",
            table.function.unwrap_or("the file")
        );
        Finding::stop(table.path, 0, what, "take it off the list in tidy/budgets.rs")
    });
    findings.extend(stale);
    findings
}

fn file_finding(file: &SourceFile) -> Option<Finding> {
    let n_lines = file.text.lines().count();
    let what = |limit: usize| format!("the file has {n_lines} lines, {limit} at most");
    let advice = "split it by the nouns it is about";
    if n_lines > FILE_LINES_MAX {
        return Some(Finding::stop(&file.path, 0, what(FILE_LINES_MAX), advice));
    }
    (n_lines > FILE_LINES_WARN).then(|| Finding::warn(&file.path, 0, what(FILE_LINES_WARN), advice))
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::*;
    use expect_test::expect;

    fn lines(count: usize) -> String {
        "//! A line.\n".repeat(count)
    }

    fn function(count: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    call();\n".repeat(count - 2))
    }

    #[test]
    fn long_files_and_functions_are_found() {
        check_rule(
            check,
            &[("a.rs", &lines(601)), ("b.rs", &lines(401)), ("c.rs", &function(71))],
            expect![[r#"
                a.rs:1: the file has 601 lines, 600 at most: split it by the nouns it is about
                b.rs:1: warning: the file has 401 lines, 400 at most: split it by the nouns it is about
                c.rs:1: `long` has 71 lines, 70 at most: give its parts names of their own
            "#]],
        );
    }

    #[test]
    fn short_ones_pass() {
        check_rule(
            check,
            &[("a.rs", &lines(400)), ("c.rs", &function(70)), ("d.md", &lines(900))],
            expect![""],
        );
    }

    #[test]
    fn a_table_is_excused_by_name_and_only_while_it_is_long() {
        let excuse = |tree: &Tree| {
            let table = LongTable {
                path: "c.rs",
                function: Some("long"),
                reason: "a table",
            };
            check_against(tree, &[table])
        };
        check_rule(excuse, &[("c.rs", &function(90))], expect![""]);
        check_rule(
            excuse,
            &[("c.rs", &function(9))],
            expect![[r#"
                c.rs:1: `long` is excused from its budget and needs no excuse: take it off the list in tidy/budgets.rs
            "#]],
        );
    }
}
