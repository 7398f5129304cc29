//! Folding: lists that only repeat what other pages say.
//!
//! In: a [`Draft`] whose links are known. A link's row and the page it leads to are held against each other on the samples of both: columns of the row that
//! the page says, too, are copies and left out. A list with nothing left is left out whole when its pages are ways to others, or when the pages
//! it leads to lead back: then it says the other half of what they say.

use std::collections::BTreeMap;

use super::draft::{Draft, DraftColumn, DraftLevel};
use super::facts::ClassKind;
use super::sample::SampleRow;
use super::names::{bare_key, is_junk};
use super::schema::ColumnKind;

/// Leaves out what is folded into other tables.
pub(super) fn fold(draft: &mut Draft) {
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
            leave_out_unrolled(draft, class, level);
            leave_out_copies(draft, class, level);
        }
    }
    for class in 0..draft.levels.len() {
        leave_out_ways(draft, class);
    }
    for class in 0..draft.levels.len() {
        for level in 1..draft.levels[class].len() {
            if draft.levels[class][level].left_out.is_none() {
                leave_out_list(draft, class, level);
            }
        }
    }
}

/// Why rounds of a list that was not seen as one are left out.
const UNROLLED: &str = "a list that was not seen as one";

/// So many links of one name to one class, side by side, are a list that was not seen as one.
const UNROLLED_MIN: usize = 4;

/// Leaves out links that are rounds of a list that was not seen as one, and what stands beside them.
fn leave_out_unrolled(draft: &mut Draft, class: usize, level: usize) {
    let facts = |column: usize| &draft.seen(class, level, column).facts;
    let columns = &draft.levels[class][level].columns;
    let kept: Vec<usize> = (0..columns.len()).filter(|&column| columns[column].is_kept()).collect();
    // Links to one class that have names of their own may be fields: a film has a director and a composer.
    let is_nameless = |column: usize| {
        let own = bare_key(facts(column));
        let is_like = |&&other: &&usize| {
            other != column && facts(other).holder == facts(column).holder && columns[other].is_link() == columns[column].is_link() && bare_key(facts(other)) == own
        };
        is_junk(own) || columns[column].is_named_by_value || kept.iter().filter(is_like).count() + 1 >= UNROLLED_MIN
    };
    let mut families: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (link, target) in links(draft, class, level) {
        if is_nameless(link) {
            families.entry((facts(link).holder, target)).or_default().push(link);
        }
    }
    families.retain(|_, links| links.len() >= UNROLLED_MIN);
    let mut found: Vec<usize> = Vec::new();
    for ((holder, target), links) in &families {
        let joined: Vec<_> = links.iter().map(|&link| draft.joined(class, level, link, *target)).collect();
        let is_copy = |column: usize| joined.iter().any(|pairs| copied_column(draft, (class, level, column), *target, pairs).is_some());
        let is_beside = |&&column: &&usize| facts(column).holder == *holder && !columns[column].is_link() && (is_nameless(column) || is_copy(column));
        found.extend(kept.iter().filter(is_beside));
        found.extend(links);
    }
    for column in found {
        draft.levels[class][level].columns[column].left_out = Some(UNROLLED);
    }
}

/// Rows that are compared, at least.
const ROWS_MIN: usize = 3;

/// The links of a level: column and class.
fn links(draft: &Draft, class: usize, level: usize) -> Vec<(usize, usize)> {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    columns
        .filter(|(_, drafted)| drafted.is_kept())
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
    let is_way = draft.survey.classes[class].facts.kind != ClassKind::Detail || draft.levels[class][0].left_out.is_some();
    draft.levels[class][level].left_out = if own == 0 && links.is_empty() {
        Some("nothing of its own")
    } else if are_headings(draft, class, level) {
        Some("headings")
    } else if is_way && is_menu(draft, class, level) {
        Some("a menu")
    } else if own > 0 {
        None
    } else if is_way {
        Some("repeats pages")
    } else {
        let lead_back = links.iter().all(|&(link, target)| leads_back(draft, class, level, link, target));
        lead_back.then_some("said by the pages it leads to")
    };
}

/// Whether all that a list says stands in headings.
fn are_headings(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    let mut kept = columns.filter(|(_, drafted)| drafted.is_kept());
    let tag = |column: usize| draft.seen(class, level, column).facts.tag.as_str();
    kept.all(|(column, drafted)| !drafted.is_link() && matches!(tag(column), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" | "legend"))
}

/// Whether a list says nothing but links and their texts.
fn is_menu(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    let mut kept = columns.filter(|(_, drafted)| drafted.is_kept());
    kept.all(|(column, drafted)| drafted.typing.kind == ColumnKind::Url || draft.seen(class, level, column).facts.link.is_some())
}

/// The number of columns of a level that are no links and are kept.
pub(super) fn own_columns(draft: &Draft, class: usize, level: usize) -> usize {
    let is_own = |column: &&DraftColumn| column.is_kept() && !column.is_link();
    draft.levels[class][level].columns.iter().filter(is_own).count()
}

/// One in so many rows may be an exception.
const EXCEPTION_SHARE: usize = 20;

/// Whether the pages that a list leads to lead back to the page with the list.
fn leads_back(draft: &Draft, class: usize, level: usize, link: usize, target: usize) -> bool {
    let mut back = Vec::new();
    for (other, levels) in draft.levels[target].iter().enumerate() {
        for (column, drafted) in levels.columns.iter().enumerate() {
            let is_itself = (class, level, link) == (target, other, column);
            if levels.left_out.is_none() && drafted.is_kept() && !is_itself && drafted.targets.iter().any(|(to, _)| *to == class) {
                back.push(&draft.seen(target, other, column).pairs);
            }
        }
    }
    if back.is_empty() {
        return false;
    }
    let (n_pairs, n_back) = draft.seen(class, level, link).pairs.among(&back);
    n_pairs >= ROWS_MIN && (n_pairs - n_back) * EXCEPTION_SHARE <= n_pairs
}

/// Leaves out the pages of a class that are only ways to others.
fn leave_out_ways(draft: &mut Draft, class: usize) {
    let kind = draft.survey.classes[class].facts.kind;
    let own = own_columns(draft, class, 0);
    let is_referred_to = draft.levels.iter().enumerate().any(|(other, levels)| {
        let refers = |level: &DraftLevel| {
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
        ClassKind::Detail if own < OWN_MIN && !is_referred_to && has_lists(draft, class) => {
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

/// Whether the pages of a class have lists.
fn has_lists(draft: &Draft, class: usize) -> bool {
    let is_unrolled = |column: &DraftColumn| column.left_out == Some(UNROLLED);
    draft.levels[class].len() > 1 || draft.levels[class][0].columns.iter().any(is_unrolled)
}

/// Pages with lists and fewer columns of their own, that no other page refers to, are ways to what they list.
const OWN_MIN: usize = 3;
