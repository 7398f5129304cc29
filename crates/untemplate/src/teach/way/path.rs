//! Paths: the ways from the entries to the target, one after the other.

use super::super::specification::{NavigationalPath, RequestClass};

/// Paths that are written down; a site with more ways than that was not meant.
const PATHS_MAX: usize = 32;

/// All paths from the entries to the target, no class twice; where none leads there, to the classes that nothing leaves.
pub(super) fn paths_to(entries: &[&str], target: &str, request_classes: &[RequestClass]) -> Vec<NavigationalPath> {
    let steps: Vec<&RequestClass> = request_classes.iter().filter(|class| !class.is_loop()).collect();
    let mut paths = walk(entries, &steps, |class| class == target);
    if paths.is_empty() {
        paths = walk(entries, &steps, |class| steps.iter().all(|step| step.from != class));
    }
    name(&mut paths);
    paths
}

fn walk(entries: &[&str], steps: &[&RequestClass], is_end: impl Fn(&str) -> bool) -> Vec<NavigationalPath> {
    let mut found = Vec::new();
    let mut open: Vec<Vec<String>> = entries.iter().rev().map(|entry| vec![(*entry).to_owned()]).collect();
    while let Some(path) = open.pop() {
        let last = path.last().expect("a path has a class");
        if is_end(last) {
            found.push(NavigationalPath {
                given_name: None,
                steps: path,
            });
            if found.len() == PATHS_MAX {
                break;
            }
            continue;
        }
        let next = steps
            .iter()
            .rev()
            .filter(|step| step.from == *last && !path.contains(&step.to));
        let next: Vec<Vec<String>> = next
            .map(|step| [path.as_slice(), &[step.id.clone(), step.to.clone()]].concat())
            .collect();
        open.extend(next);
    }
    found
}

/// Gives names to paths that begin alike: they are called after all their request classes.
fn name(paths: &mut [NavigationalPath]) {
    let own: Vec<String> = paths.iter().map(|path| path.name().to_lowercase()).collect();
    for (index, path) in paths.iter_mut().enumerate() {
        if own.iter().filter(|name| **name == own[index]).count() > 1 {
            let steps: Vec<&str> = path.steps.iter().skip(1).step_by(2).map(String::as_str).collect();
            path.given_name = Some(steps.join("+"));
        }
    }
}
