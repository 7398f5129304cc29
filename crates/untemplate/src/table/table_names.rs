//! Names of tables: what a class is called, and what its lists stand under.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::draft::Draft;
use super::facts::ClassKind;
use super::names::{Taken, as_words, common_marks, is_junk, mark_words, without_number};
use super::schema::ColumnKind;
use super::survey::Level;
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
    let shared = shared_headers(draft);
    for (_, (class, level)) in lists {
        let name = list_name(draft, (class, level), site_names, &shared);
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
fn bare_list_name(own: &str, target: Option<String>) -> String {
    match target.filter(|target| !is_nameless(target)) {
        Some(target) if is_nameless(own) => format!("{target}_list"),
        Some(target) => format!("{own}_{target}"),
        None => format!("{own}_list"),
    }
}

/// Whether a class is called what any class may be called.
fn is_nameless(class: &str) -> bool {
    matches!(without_number(class), "page" | "class")
}

/// The name of a class.
pub(super) fn class_name(draft: &Draft, class: usize) -> String {
    as_words(&draft.survey.classes[class].facts.name).unwrap_or_else(|| format!("class_{}", class + 1))
}

/// The name of a list: what it stands under, the heading of the only page that has it, the header of
/// the column that tells its rows apart, what its mark-up calls it or what holds it, what it leads
/// to, with the class's name where two would clash. On a page that stands alone, what the page is
/// called.
fn list_name(
    draft: &Draft,
    (class, level): (usize, usize),
    site_names: &HashSet<String>,
    shared: &HashSet<&str>,
) -> String {
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
    let common = common_marks(&draft.survey.classes[class].facts.columns);
    let usable_mark = |mark: &str| {
        let own = Some(mark).filter(|mark| !common.contains(mark));
        own.and_then(mark_words).and_then(|mark| usable(&mark))
    };
    if let Some(label) = facts.and_then(|facts| usable(without_chapter(&facts.label))) {
        return label;
    }
    if facts.is_some_and(|facts| facts.is_reference) {
        return "references".to_owned();
    }
    if draft.survey.classes[class].facts.kind != ClassKind::Detail {
        return own;
    }
    if let Some(target) = index_of(draft, class, level) {
        return format!("{}_index", class_name(draft, target));
    }
    let heading = only_page_heading(draft, class, level).and_then(|heading| usable(&heading));
    let header = key_header(draft, class, level, shared).and_then(|header| usable(&header));
    // What a page is called is what its list is called, but hardly each list inside its sections.
    let is_inner = seen.list_path.len() > 1;
    if let Some(name) = if is_inner {
        header.or(heading)
    } else {
        heading.or(header)
    } {
        return name;
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
        None => bare_list_name(&own, target()),
    }
}

/// The class whose pages a list lists: it is on one page, and leads to half of them at least.
fn index_of(draft: &Draft, class: usize, level: usize) -> Option<usize> {
    let seen = draft.level(class, level);
    let columns = draft.levels[class][level].columns.iter().zip(&seen.columns);
    // A list may lead to other pages, too, and so be no reference.
    let mut targets: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, column) in columns.filter(|(own, _)| own.is_kept() && own.typing.kind == ColumnKind::Url) {
        let classes = column.evidence.distinct.iter();
        for target in classes.filter_map(|&hash| draft.survey.addresses.class_of_hash(hash)) {
            *targets.entry(target).or_default() += 1;
        }
    }
    let (target, n) = targets.into_iter().max_by_key(|&(_, n)| n)?;
    let n_pages = draft.level(target, 0).n_rows;
    (target != class && is_on_one_page(seen) && n * 2 >= n_pages && n * 2 >= seen.n_rows).then_some(target)
}

/// Whether all rows of a list are on one page.
fn is_on_one_page(seen: &Level) -> bool {
    let mut pages = seen.sample.rows().map(|row| &row.page);
    let first = pages.next();
    pages.all(|page| Some(page) == first)
}

/// The header of the first column whose texts tell the rows of a list apart, unless columns of
/// several lists have it.
fn key_header(draft: &Draft, class: usize, level: usize, shared: &HashSet<&str>) -> Option<String> {
    let columns = draft.levels[class][level].columns.iter();
    let mut columns = columns
        .zip(&draft.level(class, level).columns)
        .filter(|(column, seen)| {
            let evidence = &seen.evidence;
            let is_text = matches!(column.typing.kind, ColumnKind::Text | ColumnKind::Enum);
            let is_short = evidence.n_characters <= KEY_CHARACTERS_MAX * evidence.n_filled;
            let is_distinct = evidence.distinct.len() * 10 >= evidence.n_filled * 8;
            column.is_kept() && is_text && is_short && is_distinct && !seen.facts.is_heading
        });
    let label = &columns.next()?.1.facts.label;
    (!label.is_empty() && !shared.contains(label.as_str())).then(|| label.clone())
}

/// The longest mean text that tells rows apart, in characters.
const KEY_CHARACTERS_MAX: usize = 60;

/// The fewest lists with a header that names none of them: `Name`, `Description`.
const SHARED_MIN: usize = 3;

/// The headers and labels that columns of several lists have.
fn shared_headers(draft: &Draft) -> HashSet<&str> {
    let mut n_lists: HashMap<&str, usize> = HashMap::new();
    for (class, levels) in draft.levels.iter().enumerate() {
        for level in (1..levels.len()).filter(|&level| levels[level].left_out.is_none()) {
            let columns = draft.level(class, level).columns.iter();
            let labels: HashSet<&str> = columns.map(|column| column.facts.label.as_str()).collect();
            for label in labels {
                *n_lists.entry(label).or_default() += 1;
            }
        }
    }
    n_lists.retain(|_, n| *n >= SHARED_MIN);
    n_lists.into_keys().collect()
}

/// The heading of the only page that has a list, without the number of a chapter.
fn only_page_heading(draft: &Draft, class: usize, level: usize) -> Option<String> {
    let seen = draft.level(class, level);
    let page = draft.level(class, 0);
    let only = &seen.sample.rows().next()?.page;
    if page.n_rows < 2 || !is_on_one_page(seen) {
        return None;
    }
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
