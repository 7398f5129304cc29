//! Stage order: inside the library a stage uses only the stages before it.
//!
//! A stage is a folder of the library's source. The rule looks for `crate::STAGE` in code, groups
//! such as `crate::{page, rule::X}` included, in tests too: a test that needs a later stage belongs
//! to that stage.

use super::code;
use super::finding::Finding;
use super::tree::{SourceFile, Tree};

/// The library's source.
pub const LIBRARY: &str = "crates/untemplate/src";

/// The stages, in the order of the walk.
const STAGES: [&str; 9] = [
    "page", "content", "rule", "record", "site", "wrapper", "teach", "table", "job",
];

/// Every stage is known, and uses only what stands before it.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust_files().flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<Finding> {
    let below = file.path.strip_prefix(LIBRARY).and_then(|rest| rest.strip_prefix('/'));
    let Some((folder, _)) = below.and_then(|rest| rest.split_once('/')) else {
        return Vec::new();
    };
    let Some(own) = STAGES.iter().position(|stage| *stage == folder) else {
        let what = format!("the folder `{folder}` is no stage of the library");
        let advice = "move the file into a stage, or add the stage to ARCHITECTURE.md and to tidy/stages.rs";
        return vec![Finding::stop(&file.path, 0, what, advice)];
    };
    let later = &STAGES[own + 1..];
    let mentioned = code::names_below(&file.code, "crate")
        .into_iter()
        .filter(|(_, name)| later.contains(name));
    let finding = |(place, name): (usize, &str)| {
        let what = format!("stage `{folder}` uses the later stage `{name}`");
        let advice = "move what it needs to an earlier stage, or this code to a later one";
        Finding::stop(&file.path, code::line_of(&file.code, place), what, advice)
    };
    mentioned.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::check;
    use expect_test::expect;

    #[test]
    fn a_later_stage_is_out_of_reach() {
        check_rule(
            check,
            &[(
                "crates/untemplate/src/rule/xpath.rs",
                "//! X.\nuse crate::{page::Dom, site::Model};\nfn f() { crate::job::run() }",
            )],
            expect![[r#"
                crates/untemplate/src/rule/xpath.rs:2: stage `rule` uses the later stage `site`: move what it needs to an earlier stage, or this code to a later one
                crates/untemplate/src/rule/xpath.rs:3: stage `rule` uses the later stage `job`: move what it needs to an earlier stage, or this code to a later one
            "#]],
        );
    }

    #[test]
    fn earlier_stages_comments_and_the_root_are_free() {
        let rule =
            "//! See [`crate::site`].\nuse crate::page::site::Request; // crate::job\nconst A: &str = \"crate::job\";";
        let root = "//! Root.\npub use crate::job::run;";
        check_rule(
            check,
            &[
                ("crates/untemplate/src/rule/xpath.rs", rule),
                ("crates/untemplate/src/lib.rs", root),
            ],
            expect![""],
        );
    }

    #[test]
    fn every_folder_is_a_stage() {
        check_rule(
            check,
            &[("crates/untemplate/src/parser/mod.rs", "//! P.")],
            expect![[r#"
                crates/untemplate/src/parser/mod.rs:1: the folder `parser` is no stage of the library: move the file into a stage, or add the stage to ARCHITECTURE.md and to tidy/stages.rs
            "#]],
        );
    }
}
