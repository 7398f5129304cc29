//! Names of tables: what a class is called, and what its lists stand under.

use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use super::names::{Taken, as_words, is_junk, mark_words};
use crate::wrapper::reading::without_headers;

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
    for (_, (class, level)) in lists {
        let name = list_name(draft, class, level, site_names);
        let own = class_name(draft, class);
        let is_told_by_class = name == own || name.strip_prefix(&own).is_some_and(|rest| rest.starts_with('_'));
        let name = match taken.is_free(&name) || is_told_by_class {
            true => taken.unique(&name),
            false => taken.unique(&format!("{own}_{name}")),
        };
        names.insert((class, level), name);
    }
    names
}

/// The name of a class.
pub(super) fn class_name(draft: &Draft, class: usize) -> String {
    as_words(&draft.survey.classes[class].facts.name).unwrap_or_else(|| format!("class_{}", class + 1))
}

/// The name of a list: what it stands under, the heading of the only page that has it, what its
/// mark-up calls it or what holds it, what it leads to, with the class's name where two would clash. On a page that stands alone and becomes
/// no row itself, what the page is called.
fn list_name(draft: &Draft, class: usize, level: usize, site_names: &HashSet<String>) -> String {
    let own = class_name(draft, class);
    let seen = draft.level(class, level);
    let Some(key) = seen.list_path.last() else {
        return own;
    };
    let above = &seen.list_path[..seen.list_path.len() - 1];
    let facts = draft.survey.classes[class]
        .facts
        .columns
        .iter()
        .find(|field| field.is_list && field.key == *key && field.list_path == *above);
    let usable = |text: &str| as_words(text).filter(|name| !is_junk(name) && !site_names.contains(name));
    let usable_mark = |mark: &str| mark_words(mark).and_then(|mark| usable(&mark));
    if let Some(label) = facts.and_then(|facts| usable(without_chapter(&facts.label))) {
        return label;
    }
    if facts.is_some_and(|facts| facts.is_reference) {
        return "references".to_owned();
    }
    if draft.levels[class][0].left_out.is_some() {
        return own;
    }
    if let Some(heading) = only_page_heading(draft, class, level).and_then(|heading| usable(&heading)) {
        return heading;
    }
    let target = || {
        let links = draft.levels[class][level]
            .columns
            .iter()
            .filter(|column| column.is_kept());
        links
            .filter_map(|column| column.targets.first())
            .map(|(target, _)| class_name(draft, *target))
            .next()
    };
    let held_by = || {
        // A step that begins with `#` is a section; its class is that of its heading.
        let steps = key.rsplit('/').filter(|step| !step.starts_with('#'));
        let marks = steps.filter_map(|step| without_headers(step).split_once(['.', '#']));
        marks.filter_map(|(_, mark)| usable_mark(mark)).next()
    };
    let mark = facts.and_then(|facts| usable_mark(&facts.mark));
    match mark.or_else(held_by) {
        Some(list) => list,
        None => format!("{own}_{}", target().unwrap_or_else(|| "list".to_owned())),
    }
}

/// The heading of the only page that has a list, without the number of a chapter.
fn only_page_heading(draft: &Draft, class: usize, level: usize) -> Option<String> {
    let seen = draft.level(class, level);
    let page = draft.level(class, 0);
    if seen.n_lists != 1 || seen.list_path.len() != 1 || page.n_rows < 2 {
        return None;
    }
    let only = &seen.sample.rows().next()?.page;
    let row = page.sample.rows().find(|row| row.page == *only)?;
    let heading = page.columns.iter().position(|column| column.facts.is_heading)?;
    Some(without_chapter(row.get(heading)?).to_owned())
}

/// A heading without `Chapter 3.`, `Table B:` or `2.1` before it.
fn without_chapter(heading: &str) -> &str {
    let mut rest = heading.trim();
    for _ in 0..2 {
        let Some((first, others)) = rest.split_once(char::is_whitespace) else {
            break;
        };
        let bare = first.trim_end_matches(['.', ':', ')']);
        let is_count = bare.chars().count() == 1 || bare.chars().all(|c| c.is_numeric() || c == '.');
        if is_count && (bare != first || bare.contains(char::is_numeric)) {
            return others.trim_start();
        }
        rest = others.trim_start();
    }
    heading.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_loses_the_number_of_its_chapter() {
        for (heading, expected) in [
            ("Chapter 3. Roses", "Roses"),
            ("Appendix B: Herbs of the south", "Herbs of the south"),
            ("2.1 Soil", "Soil"),
            ("A garden", "A garden"),
            ("Roses", "Roses"),
            ("The ten best roses", "The ten best roses"),
        ] {
            assert_eq!(without_chapter(heading), expected);
        }
    }
}
