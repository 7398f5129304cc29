//! Paths: request classes one after the other, from the entries to the classes that are wanted.

use std::collections::HashSet;

use super::super::specification::{NavigationalPath, RequestClass};

/// Paths that are written down: more are too many to read, and come of classes that lead to each
/// other in every order.
const PATHS_MAX: usize = 32;

/// Paths that are looked at before the search is given up: where classes lead to each other in
/// every order, their number grows with the factorial of the classes.
const STEPS_MAX: usize = 20_000;

/// All paths from the entries to wanted classes, no class twice; where none is reached, to the
/// classes that nothing leaves. Request classes from a class to itself are in no path: they are
/// followed wherever the class is met.
pub(in crate::teach) fn paths_to(
    entries: &[&str],
    request_classes: &[RequestClass],
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<NavigationalPath> {
    let steps: Vec<&RequestClass> = request_classes.iter().filter(|class| !class.is_loop()).collect();
    let mut paths = paths_between(entries, &steps, is_wanted);
    if paths.is_empty() && !steps.is_empty() {
        paths = paths_between(entries, &steps, |class| steps.iter().all(|step| step.from != class));
    }
    name(&mut paths);
    paths
}

/// Paths from the entries to ends, no class twice, the first steps first. Classes from which no end
/// can be reached are not entered.
fn paths_between(entries: &[&str], steps: &[&RequestClass], is_end: impl Fn(&str) -> bool) -> Vec<NavigationalPath> {
    let leading = leading_to_ends(entries, steps, &is_end);
    let mut found = Vec::new();
    let mut open: Vec<Vec<String>> = entries.iter().rev().map(|entry| vec![(*entry).to_owned()]).collect();
    for _ in 0..STEPS_MAX {
        let Some(path) = open.pop() else { break };
        let last = path.last().map_or("", String::as_str);
        let next = steps
            .iter()
            .rev()
            .filter(|step| step.from == last && leading.contains(step.to.as_str()) && !path.contains(&step.to));
        open.extend(next.map(|step| [path.as_slice(), &[step.id.clone(), step.to.clone()]].concat()));
        if is_end(last) {
            found.push(NavigationalPath {
                given_name: None,
                steps: path,
            });
            if found.len() == PATHS_MAX {
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
    is_end: impl Fn(&str) -> bool,
) -> HashSet<&'a str> {
    let ends = steps.iter().map(|step| step.to.as_str()).chain(entries.iter().copied());
    let mut leading: HashSet<&str> = ends.filter(|class| is_end(class)).collect();
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

/// Gives names to paths that would have the same: they are called after all their request classes.
fn name(paths: &mut [NavigationalPath]) {
    let own: Vec<String> = paths.iter().map(|path| path.name().to_lowercase()).collect();
    for (index, path) in paths.iter_mut().enumerate() {
        if own.iter().filter(|name| **name == own[index]).count() > 1 {
            let steps: Vec<&str> = path.steps.iter().skip(1).step_by(2).map(String::as_str).collect();
            path.given_name = Some(steps.join("+"));
        }
    }
}
