//! Folding: lists that only repeat what other pages say.
//!
//! In: a [`Draft`] whose links are known. A link's row and the page it leads to are held against each other on the samples of both: columns of the row that
//! the page says, too, are copies and left out. A list with nothing left is left out whole when its pages are ways to others, or when the pages
//! it leads to lead back: then it says the other half of what they say.

use super::draft::Draft;
use super::facts::ClassKind;
use super::sample::SampleRow;
use super::schema::ColumnKind;

/// Leaves out what is folded into other tables.
pub(super) fn fold(draft: &mut Draft) {
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
            leave_out_copies(draft, class, level);
        }
    }
    for class in 0..draft.levels.len() {
        for level in 1..draft.levels[class].len() {
            leave_out_list(draft, class, level);
        }
    }
    for class in 0..draft.levels.len() {
        leave_out_ways(draft, class);
    }
}

/// Rows that are compared, at least.
const ROWS_MIN: usize = 3;

/// The links of a level: column and class.
fn links(draft: &Draft, class: usize, level: usize) -> Vec<(usize, usize)> {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    columns
        .flat_map(|(column, drafted)| drafted.targets.iter().map(move |&(target, _)| (column, target)))
        .collect()
}

/// Leaves out columns that the page says, too, which a link of the row leads to.
fn leave_out_copies(draft: &mut Draft, class: usize, level: usize) {
    let mut found: Vec<(usize, (usize, usize))> = Vec::new();
    for (link, target) in links(draft, class, level) {
        let pairs = draft.joined(class, level, link, target);
        for (column, drafted) in draft.levels[class][level].columns.iter().enumerate() {
            let is_about_it = level > 0 || is_text_of(draft, class, level, column, link);
            if column == link || !drafted.is_kept() || drafted.is_link() || !is_about_it {
                continue;
            }
            if let Some(copied) = copied_column(draft, (class, level, column), target, &pairs) {
                found.push((column, (target, copied)));
            }
        }
    }
    for (column, copied) in found {
        let drafted = &mut draft.levels[class][level].columns[column];
        drafted.left_out = Some("said by the page that a link leads to");
        drafted.copy_of = Some(copied);
    }
}

/// Whether a column is the text of a link.
pub(super) fn is_text_of(draft: &Draft, class: usize, level: usize, column: usize, link: usize) -> bool {
    let (column, link) = (draft.seen(class, level, column), draft.seen(class, level, link));
    column.facts.link.as_ref() == Some(&link.facts.key)
}

/// The column of a class that says the same as a column of a row about it.
fn copied_column(
    draft: &Draft,
    (class, level, column): (usize, usize, usize),
    target: usize,
    pairs: &[(&SampleRow, &SampleRow)],
) -> Option<usize> {
    let drafted = &draft.levels[class][level].columns[column];
    let columns = &draft.levels[target][0].columns;
    let says_the_same = |&other: &usize| {
        if draft.seen(target, 0, other).is_length {
            return false;
        }
        let mut values = std::collections::BTreeSet::new();
        let mut n_same = 0;
        for (row, page) in pairs {
            let Some(text) = row.get(column) else { continue };
            let Some(said) = page.get(other) else { return false };
            let value = drafted.value(text);
            if value != columns[other].value(said) {
                return false;
            }
            values.insert(value);
            n_same += 1;
        }
        n_same >= ROWS_MIN && values.len() > 1
    };
    let pair = || composed(column, columns.len(), pairs);
    (0..columns.len()).find(says_the_same).or_else(pair)
}

/// The first of two columns of a page that make up a column of a row about it, such as the two halves of `0:3`.
fn composed(column: usize, n_columns: usize, pairs: &[(&SampleRow, &SampleRow)]) -> Option<usize> {
    let filled: Vec<(&str, &SampleRow)> = pairs
        .iter()
        .filter_map(|(row, page)| Some((row.get(column)?, *page)))
        .collect();
    let (first, page) = filled.first()?;
    if filled.len() < ROWS_MIN || filled.iter().all(|(text, _)| text == first) {
        return None;
    }
    let is_end = |&other: &usize| {
        page.get(other)
            .is_some_and(|part| part.len() < first.len() && first.ends_with(part))
    };
    for one in 0..n_columns {
        let Some(rest) = page.get(one).and_then(|part| first.strip_prefix(part)) else {
            continue;
        };
        for other in (0..n_columns).filter(is_end) {
            let Some(joint) = page.get(other).and_then(|part| rest.strip_suffix(part)) else {
                continue;
            };
            let is_made = |(text, page): &(&str, &SampleRow)| {
                let parts = page.get(one).zip(page.get(other));
                parts.is_some_and(|(one, other)| *text == format!("{one}{joint}{other}"))
            };
            if !joint.contains(char::is_alphanumeric) && filled.iter().all(is_made) {
                return Some(one);
            }
        }
    }
    None
}

/// Leaves a list out when it says nothing of its own.
fn leave_out_list(draft: &mut Draft, class: usize, level: usize) {
    let own = own_columns(draft, class, level);
    let links = links(draft, class, level);
    let kind = draft.survey.classes[class].facts.kind;
    let has_lists = draft.survey.classes[class]
        .levels
        .iter()
        .any(|other| other.parent == Some(level));
    let why = if own > 0 {
        None
    } else if links.is_empty() {
        (!has_lists).then_some("nothing of its own")
    } else if kind != ClassKind::Detail {
        Some("repeats pages")
    } else {
        let lead_back = links
            .iter()
            .all(|&(link, target)| leads_back(draft, class, level, link, target));
        lead_back.then_some("said by the pages it leads to")
    };
    draft.levels[class][level].left_out = why;
}

/// The number of columns of a level that are no links and are kept.
pub(super) fn own_columns(draft: &Draft, class: usize, level: usize) -> usize {
    let is_own = |column: &&super::draft::DraftColumn| column.is_kept() && !column.is_link();
    draft.levels[class][level].columns.iter().filter(is_own).count()
}

/// One in so many rows may be an exception.
const EXCEPTION_SHARE: usize = 20;

/// Whether the pages that a list leads to lead back to the page with the list.
fn leads_back(draft: &Draft, class: usize, level: usize, link: usize, target: usize) -> bool {
    let pairs = draft.joined(class, level, link, target);
    let columns = &draft.levels[target][0].columns;
    let is_back = |(row, page): &&(&SampleRow, &SampleRow)| {
        let mut links = page
            .values
            .iter()
            .filter(|(column, _)| columns[*column].typing.kind == ColumnKind::Url);
        links.any(|(column, text)| columns[*column].value(text) == row.page)
    };
    let n_back = pairs.iter().filter(is_back).count();
    pairs.len() >= ROWS_MIN && (pairs.len() - n_back) * EXCEPTION_SHARE <= pairs.len()
}

/// Leaves out the pages of a class that are only ways to others.
fn leave_out_ways(draft: &mut Draft, class: usize) {
    let kind = draft.survey.classes[class].facts.kind;
    let own = own_columns(draft, class, 0);
    let is_referred_to = draft.levels.iter().enumerate().any(|(other, levels)| {
        let refers = |level: &super::draft::DraftLevel| {
            level.left_out.is_none()
                && level
                    .columns
                    .iter()
                    .any(|column| column.is_kept() && column.targets.iter().any(|(target, _)| *target == class))
        };
        other != class && draft.survey.classes[other].facts.kind == ClassKind::Detail && levels.iter().any(refers)
    });
    let why = match kind {
        ClassKind::Menu | ClassKind::Singleton | ClassKind::List => Some("a way to other pages"),
        ClassKind::Detail if own == 0 => Some("nothing of its own"),
        ClassKind::Detail if own < OWN_MIN && !is_referred_to && draft.levels[class].len() > 1 => {
            Some("a way to other pages")
        }
        ClassKind::Detail => None,
    };
    draft.levels[class][0].left_out = why;
    if kind == ClassKind::Menu {
        for level in &mut draft.levels[class] {
            level.left_out = Some("a menu");
        }
    }
}

/// Pages with lists and fewer columns of their own, that no other page refers to, are ways to what they list.
const OWN_MIN: usize = 2;
