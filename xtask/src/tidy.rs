//! `cargo xtask tidy`: the rules of the house that a program can hold.
//!
//! Each rule is a file below: it takes the [`Tree`] and returns [`Finding`]s, and its tests show an
//! input that fails and one that passes. Rules look at source with a light lexer, not a compiler:
//! cheap, and good enough as a second lock behind rustc and clippy.

mod architecture;
mod budgets;
mod code;
mod constants;
mod finding;
mod manifests;
mod names;
mod places;
mod purity;
mod sizes;
mod stages;
mod tree;

use crate::shell;
use finding::{Finding, Level};
use tree::Tree;

/// A rule: the whole tree in, what is wrong with it out.
type Rule = fn(&Tree) -> Vec<Finding>;

const RULES: [Rule; 8] = [
    stages::check,
    budgets::check,
    names::check,
    constants::check,
    architecture::check,
    manifests::check,
    places::check,
    purity::check,
];

/// Prints the findings, or with `--sizes` the lines of each crate; true when no finding stops the
/// build.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    let tree = tree::read(&shell::workspace_root())?;
    match arguments {
        [] => {}
        [option] if option == "--sizes" => {
            print!("{}", sizes::show(&tree));
            return Ok(true);
        }
        _ => {
            return Err(format!(
                "tidy takes --sizes or nothing, but was given `{}`",
                arguments.join(" ")
            ));
        }
    }
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    let n_stops = findings.iter().filter(|finding| finding.level == Level::Stop).count();
    println!(
        "tidy: {} files, {n_stops} findings, {} warnings",
        tree.files.len(),
        findings.len() - n_stops
    );
    Ok(n_stops == 0)
}
