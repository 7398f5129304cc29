//! Problems of many pages, grouped by their kind.

use std::collections::BTreeMap;

use crate::page::Problem;

/// Examples of a kind that are kept.
const EXAMPLES_MAX: usize = 5;

/// Problems of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemGroup {
    /// The kind.
    pub kind: String,
    /// How many there are.
    pub count: usize,
    /// The first few: an address, and what was odd there.
    pub examples: Vec<(String, String)>,
}

impl ProblemGroup {
    /// Groups of one kind, which may come from several classes, made one; the largest first.
    pub fn one_a_kind(problems: &[ProblemGroup]) -> Vec<ProblemGroup> {
        let mut groups: BTreeMap<&str, ProblemGroup> = BTreeMap::new();
        for problem in problems {
            match groups.get_mut(problem.kind.as_str()) {
                Some(group) => {
                    group.count += problem.count;
                    group.examples.extend(problem.examples.iter().cloned());
                    group.examples.truncate(EXAMPLES_MAX);
                }
                None => {
                    groups.insert(&problem.kind, problem.clone());
                }
            }
        }
        largest_first(groups.into_values().collect())
    }
}

/// Groups in the making; memory by kinds, not by problems.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProblemGroups {
    groups: BTreeMap<&'static str, ProblemGroup>,
}

impl ProblemGroups {
    /// Notes a problem of a page.
    pub fn add(&mut self, url: &str, problem: &Problem) {
        let group = self.groups.entry(problem.kind).or_insert_with(|| ProblemGroup {
            kind: problem.kind.to_owned(),
            count: 0,
            examples: Vec::new(),
        });
        group.count += 1;
        if group.examples.len() < EXAMPLES_MAX {
            group.examples.push((url.to_owned(), problem.message.clone()));
        }
    }

    /// The groups, the largest first.
    pub fn finish(self) -> Vec<ProblemGroup> {
        largest_first(self.groups.into_values().collect())
    }
}

fn largest_first(mut groups: Vec<ProblemGroup>) -> Vec<ProblemGroup> {
    groups.sort_by(|one, other| other.count.cmp(&one.count).then(one.kind.cmp(&other.kind)));
    groups
}
