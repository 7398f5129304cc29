//! Paths: the ways from the entries to the target, one after the other.

use std::collections::HashSet;

use super::super::specification::{NavigationalPath, RequestClass};

/// Paths that are written down; a site with more ways than that was not meant.
const PATHS_MAX: usize = 32;

/// Paths that are looked at on the way: where classes lead to each other in every order there are more than anybody can wait for.
const STEPS_MAX: usize = 20_000;

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
    let mut found = paths_between(entries, steps, PATHS_MAX, |class| match is_end(class) {
        true => PathPart::End,
        false => PathPart::Between,
    });
    found
        .drain(..)
        .map(|steps| NavigationalPath {
            given_name: None,
            steps,
        })
        .collect()
}

/// What a class is to a path that reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::teach) enum PathPart {
    /// It is passed through.
    Between,
    /// The path ends there.
    End,
    /// A path ends there, and others go on.
    Both,
}

/// Paths from the entries to ends, no class twice, the first steps first; so many at the most. Classes from which no end can be reached are not entered.
pub(in crate::teach) fn paths_between(
    entries: &[&str],
    steps: &[&RequestClass],
    paths_max: usize,
    part: impl Fn(&str) -> PathPart,
) -> Vec<Vec<String>> {
    let leading = leading_to_ends(entries, steps, &part);
    let mut found = Vec::new();
    let mut open: Vec<Vec<String>> = entries.iter().rev().map(|entry| vec![(*entry).to_owned()]).collect();
    for _ in 0..STEPS_MAX {
        let Some(path) = open.pop() else { break };
        let last = path.last().map_or("", String::as_str);
        let its_part = part(last);
        let next = steps.iter().rev().filter(|step| {
            its_part != PathPart::End
                && step.from == last
                && leading.contains(step.to.as_str())
                && !path.contains(&step.to)
        });
        open.extend(next.map(|step| [path.as_slice(), &[step.id.clone(), step.to.clone()]].concat()));
        if its_part != PathPart::Between {
            found.push(path);
            if found.len() == paths_max {
                break;
            }
        }
    }
    found
}

/// The classes from which an end can be reached.
fn leading_to_ends<'a>(
    entries: &[&'a str],
    steps: &[&'a RequestClass],
    part: impl Fn(&str) -> PathPart,
) -> HashSet<&'a str> {
    let ends = steps.iter().map(|step| step.to.as_str()).chain(entries.iter().copied());
    let mut leading: HashSet<&str> = ends.filter(|class| part(class) != PathPart::Between).collect();
    loop {
        let new = steps.iter().filter(|step| leading.contains(step.to.as_str()));
        let new: Vec<&str> = new
            .map(|step| step.from.as_str())
            .filter(|class| !leading.contains(class))
            .collect();
        if new.is_empty() {
            return leading;
        }
        leading.extend(new);
    }
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
