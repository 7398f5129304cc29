//! `ARCHITECTURE.md` names exactly the crates and stages that exist.
//!
//! The rule reads the first fenced block of the file (between two lines that begin with three
//! backticks). In it, a line whose first word ends in `/` names a folder, and all other lines are
//! prose. The line `crates/` opens the list; folder lines indented deeper belong to it, until one
//! that is not. Those with the smallest indent are crates, those indented deeper are folders of the
//! crate above them, below its `src`:
//!
//! ```text
//! crates/
//!   untemplate/        touches nothing: values in, values out
//!     page/            bytes -> Page
//!   untemplate-store/  touches the disk
//! xtask/               check, tidy, eval, bench
//! ```
//!
//! Every crate of `crates/` must be named, and every folder in the source of the library; what is
//! named must be there.

use super::finding::Finding;
use super::stages::LIBRARY;
use super::tree::Tree;

const FILE: &str = "ARCHITECTURE.md";

/// A folder that the block names: `crates/NAME` or `crates/NAME/src/STAGE`.
struct NamedFolder {
    line: usize,
    path: String,
}

/// The drawing and the tree agree, both ways.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let Some(file) = tree.file(FILE) else {
        return vec![Finding::stop(
            FILE,
            0,
            "the file is missing",
            "draw the crates and stages in its first fenced block",
        )];
    };
    let named = named_folders(&file.text);
    if named.is_empty() {
        let advice = "begin it with a line `crates/` and name each crate below, indented";
        return vec![Finding::stop(FILE, 0, "the first fenced block names no crates", advice)];
    }
    let there = existing_folders(tree);
    let mut findings = Vec::new();
    for folder in &named {
        let prefix = format!("{}/", folder.path);
        if !tree.files.iter().any(|file| file.path.starts_with(&prefix)) {
            let what = format!("`{}` is named and does not exist", folder.path);
            findings.push(Finding::stop(FILE, folder.line, what, "take it out, or write it"));
        }
    }
    for path in there
        .iter()
        .filter(|path| named.iter().all(|folder| folder.path != **path))
    {
        let what = format!("`{path}` exists and is not named");
        findings.push(Finding::stop(
            FILE,
            0,
            what,
            "add it to the first fenced block, with what it is for",
        ));
    }
    findings
}

fn existing_folders(tree: &Tree) -> Vec<String> {
    let crates = tree
        .folders_in("crates")
        .into_iter()
        .map(|name| format!("crates/{name}"));
    let stages = tree
        .folders_in(LIBRARY)
        .into_iter()
        .map(|name| format!("{LIBRARY}/{name}"));
    crates.chain(stages).collect()
}

fn named_folders(text: &str) -> Vec<NamedFolder> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let block = numbered
        .skip_while(|(_, line)| !line.starts_with("```"))
        .skip(1)
        .take_while(|(_, line)| !line.starts_with("```"));
    let folders = block
        .filter_map(|(number, line)| Some((number, indent(line), line.split_whitespace().next()?.strip_suffix('/')?)));
    let mut list = folders.skip_while(|(_, _, name)| *name != "crates");
    let Some((_, outer, _)) = list.next() else {
        return Vec::new();
    };
    let mut crate_indent = None;
    let mut crate_path = String::new();
    let mut found = Vec::new();
    for (line, depth, name) in list.take_while(|(_, depth, _)| *depth > outer) {
        let path = if depth <= *crate_indent.get_or_insert(depth) {
            crate_path = format!("crates/{name}");
            crate_path.clone()
        } else {
            format!("{crate_path}/src/{name}")
        };
        found.push(NamedFolder { line, path });
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::check;
    use expect_test::expect;

    const DRAWING: &str = "# A\n\n```text\ncrates/\n  untemplate/     pure\n    page/         bytes\n                  (also words that end in one/ slash)\n  untemplate-cli/ terminal\nxtask/            check\n```\n\n```\ncrates/\n  other/\n```\n";

    #[test]
    fn a_true_drawing_passes() {
        check_rule(
            check,
            &[
                ("ARCHITECTURE.md", DRAWING),
                ("crates/untemplate/src/page/mod.rs", "//! P."),
                ("crates/untemplate/src/lib.rs", "//! L."),
                ("crates/untemplate-cli/src/main.rs", "//! M."),
            ],
            expect![""],
        );
    }

    #[test]
    fn differences_are_found_both_ways() {
        check_rule(
            check,
            &[
                ("ARCHITECTURE.md", DRAWING),
                ("crates/untemplate/src/rule/mod.rs", "//! R."),
                ("crates/untemplate-store/src/lib.rs", "//! S."),
            ],
            expect![[r#"
                ARCHITECTURE.md:1: `crates/untemplate-store` exists and is not named: add it to the first fenced block, with what it is for
                ARCHITECTURE.md:1: `crates/untemplate/src/rule` exists and is not named: add it to the first fenced block, with what it is for
                ARCHITECTURE.md:6: `crates/untemplate/src/page` is named and does not exist: take it out, or write it
                ARCHITECTURE.md:8: `crates/untemplate-cli` is named and does not exist: take it out, or write it
            "#]],
        );
    }

    #[test]
    fn no_drawing_is_found() {
        check_rule(
            check,
            &[("ARCHITECTURE.md", "# A\n```\nfn f();\n```\n")],
            expect![[r#"
                ARCHITECTURE.md:1: the first fenced block names no crates: begin it with a line `crates/` and name each crate below, indented
            "#]],
        );
        check_rule(
            check,
            &[],
            expect![[r#"
                ARCHITECTURE.md:1: the file is missing: draw the crates and stages in its first fenced block
            "#]],
        );
    }
}
