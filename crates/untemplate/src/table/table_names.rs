//! Names of tables: what a class is called, and what its lists stand under.

use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use super::list_names::ListNaming;
use super::names::{Taken, as_words, without_number};

/// The names of all tables, by class and level. Classes choose first, then the lists with most
/// cells: of several that would be called the same, the largest is what a person means.
pub(super) fn table_names(draft: &Draft, site_names: &HashSet<String>) -> HashMap<(usize, usize), String> {
    let mut taken = Taken::default();
    let mut names = HashMap::new();
    let mut lists: Vec<(usize, (usize, usize))> = Vec::new();
    for (class, levels) in draft.levels.iter().enumerate() {
        for (level, own) in levels.iter().enumerate().filter(|(_, own)| own.left_out.is_none()) {
            if level == 0 {
                names.insert((class, 0), taken.unique(&class_name(draft, class)));
                continue;
            }
            let n_columns = own.columns.iter().filter(|column| column.is_kept()).count();
            lists.push((draft.level(class, level).n_rows * n_columns, (class, level)));
        }
    }
    lists.sort_by_key(|&(size, place)| (std::cmp::Reverse(size), place));
    let naming = ListNaming::new(draft, site_names);
    for (_, (class, level)) in lists {
        let name = naming.name(class, level);
        let own = class_name(draft, class);
        let is_told_by_class = name == own || name.strip_prefix(&own).is_some_and(|rest| rest.starts_with('_'));
        // A class without a name of its own tells nothing about its lists.
        let name = match taken.is_free(&name) || is_told_by_class || is_nameless(&own) {
            true => taken.unique(&name),
            false => taken.unique(&format!("{own}_{name}")),
        };
        names.insert((class, level), name);
    }
    names
}

/// The name of a list by its class and what it leads to.
pub(super) fn bare_list_name(own: &str, target: Option<String>) -> String {
    match target.filter(|target| !is_nameless(target)) {
        Some(target) if is_nameless(own) => format!("{target}_list"),
        Some(target) if target == own => format!("{own}_links"),
        Some(target) => format!("{own}_{target}"),
        None => format!("{own}_list"),
    }
}

/// Whether a class is called what any class may be called.
pub(super) fn is_nameless(class: &str) -> bool {
    matches!(without_number(class), "page" | "class")
}

/// The name of a class.
pub(super) fn class_name(draft: &Draft, class: usize) -> String {
    as_words(&draft.survey.classes[class].facts.name).unwrap_or_else(|| format!("class_{}", class + 1))
}
