//! Folding: lists that only repeat what other pages say.
//!
//! In: a [`Draft`] whose links are known. A link's row and the page it leads to are held against each other on the samples of both: columns of the row that
//! the page says, too, are copies and left out. A list with nothing left is left out whole when its pages are ways to others, or when the pages
//! it leads to lead back: then it says the other half of what they say.

use super::addresses::address_hash;
use super::draft::{Draft, DraftColumn, DraftLevel};
use super::facts::ClassKind;
use super::junk::CUT;
use super::repeated::repeats_rows;
use super::sample::SampleRow;
use super::schema::ColumnKind;
use super::unrolled::{UNROLLED, UNROLLED_MIN, leave_out_unrolled};

/// Leaves out what is folded into other tables.
pub(super) fn fold(draft: &mut Draft) {
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
            leave_out_unrolled(draft, class, level);
        }
    }
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
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
        // Pages with a list that says something of its own are no mere ways.
        let has_list = draft.levels[class][1..].iter().any(|level| level.left_out.is_none());
        if has_list && draft.levels[class][0].left_out == Some(WAY) && own_columns(draft, class, 0) > 0 {
            draft.levels[class][0].left_out = None;
        }
    }
}

/// Why pages that only lead to others are left out.
const WAY: &str = "a way to other pages";

/// Rows that are compared, at least.
const ROWS_MIN: usize = 3;

/// The references of a level: column and class.
pub(super) fn links(draft: &Draft, class: usize, level: usize) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for (column, drafted) in draft.levels[class][level].columns.iter().enumerate() {
        if drafted.is_kept() {
            links.extend(drafted.targets.iter().map(|&(target, _)| (column, target)));
            links.extend(drafted.named.map(|(target, _)| (column, target)));
        }
    }
    links
}

/// Leaves out columns that the page says, too, which a link of the row leads to.
fn leave_out_copies(draft: &mut Draft, class: usize, level: usize) {
    let mut found: Vec<(usize, (usize, usize))> = Vec::new();
    for (link, target) in links(draft, class, level) {
        let pairs = draft.joined(class, level, link, target);
        for (column, drafted) in draft.levels[class][level].columns.iter().enumerate() {
            let is_about_it = level > 0 || is_text_of(draft, class, level, column, link);
            if column == link || !drafted.is_kept() || drafted.is_link() && level == 0 || !is_about_it {
                continue;
            }
            let whole = whole_of(draft, class, level, column);
            let whole = whole.and_then(|whole| copied_column(draft, (class, level, whole), target, &pairs));
            if let Some(copied) = copied_column(draft, (class, level, column), target, &pairs).or(whole) {
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

/// The column that a column is a piece of.
fn whole_of(draft: &Draft, class: usize, level: usize, column: usize) -> Option<usize> {
    let whole = draft.seen(class, level, column).facts.piece_of.as_ref()?;
    draft
        .level(class, level)
        .columns
        .iter()
        .position(|other| other.facts.key == *whole)
}

/// The words of a text in the order of the alphabet: lists write `Lovelace, Ada` where pages write `Ada Lovelace`.
fn sorted_words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    words
}

/// The column of a class that says the same as a column of a row about it.
pub(super) fn copied_column(
    draft: &Draft,
    (class, level, column): (usize, usize, usize),
    target: usize,
    pairs: &[(&SampleRow, &SampleRow)],
) -> Option<usize> {
    let drafted = &draft.levels[class][level].columns[column];
    let columns = &draft.levels[target][0].columns;
    let says_the_same = |&other: &usize| {
        // A link may go only where another one stays.
        if draft.seen(target, 0, other).is_length || drafted.is_link() && !columns[other].is_kept() {
            return false;
        }
        let mut values = std::collections::BTreeSet::new();
        let mut n_same = 0;
        for (row, page) in pairs {
            let Some(text) = row.get(column) else { continue };
            let Some(said) = page.get(other) else { return false };
            let value = drafted.value(text);
            let said = columns[other].value(said);
            if value != said && sorted_words(&value) != sorted_words(&said) {
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
    let is_way = kind_of(draft, class) != ClassKind::Detail || draft.levels[class][0].left_out.is_some();
    let is_alone = kind_of(draft, class) == ClassKind::Singleton && draft.level(class, level).n_rows < ROUNDS_MIN;
    draft.levels[class][level].left_out = if own == 0 && links.is_empty() || is_alone {
        Some("nothing of its own")
    } else if is_accident(draft, class, level) {
        Some("an accident of few pages")
    } else if is_cut(draft, class, level) {
        Some("cut at values")
    } else if are_headings(draft, class, level) {
        Some("headings")
    } else if is_way && is_menu(draft, class, level) {
        Some("a menu")
    } else if is_way && is_grid(draft, class, level) {
        Some("a grid of links")
    } else if kind_of(draft, class) != ClassKind::Detail && leads_to_known(draft, class, level) {
        Some("repeats pages")
    } else if own > 0 {
        repeats_rows(draft, class, level).then_some("repeats pages")
    } else if is_way {
        Some("repeats pages")
    } else {
        let lead_back = links
            .iter()
            .all(|&(link, target)| leads_back(draft, class, level, link, target));
        lead_back.then_some("said by the pages it leads to")
    };
}

/// A list of a page that is the only one of its class has so many rounds, or is one of its parts.
const ROUNDS_MIN: usize = 5;

/// Whether so few pages have a list that it is no part of their template.
fn is_accident(draft: &Draft, class: usize, level: usize) -> bool {
    let n_pages = draft.level(class, 0).n_rows;
    let n_lists = draft.level(class, level).n_lists;
    let is_rare = n_lists * LISTS_SHARE < n_pages;
    n_pages >= PAGES_MANY && (n_lists <= LISTS_FEW || is_rare && !has_sound_rounds(draft, class, level))
}

/// Whether lists have several rounds each, and all of them something to say.
fn has_sound_rounds(draft: &Draft, class: usize, level: usize) -> bool {
    let seen = draft.level(class, level);
    let columns = draft.levels[class][level].columns.iter().zip(&seen.columns);
    let mut kept = columns.filter(|(drafted, _)| drafted.is_kept());
    seen.n_rows > seen.n_lists && kept.any(|(_, column)| column.evidence.n_filled * 10 >= seen.n_rows * 9)
}

/// Of a class with so many pages, lists on one or two of them are an accident.
const PAGES_MANY: usize = 12;
const LISTS_FEW: usize = 2;

/// So are those on fewer than one in so many, unless their rounds are sound.
const LISTS_SHARE: usize = 33;

/// Whether the rounds of a list were cut at values, so that what is left of them is not to be trusted.
fn is_cut(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = &draft.levels[class][level].columns;
    columns.iter().filter(|column| column.left_out == Some(CUT)).count() >= UNROLLED_MIN
}

/// Whether all that a list says stands in headings.
fn are_headings(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    let mut kept = columns.filter(|(_, drafted)| drafted.is_kept());
    let tag = |column: usize| draft.seen(class, level, column).facts.tag.as_str();
    kept.all(|(column, drafted)| {
        !drafted.is_link()
            && matches!(
                tag(column),
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" | "legend"
            )
    })
}

/// Whether a list says nothing but links and their texts.
fn is_menu(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    let mut kept = columns.filter(|(_, drafted)| drafted.is_kept());
    kept.all(|(column, drafted)| {
        drafted.typing.kind == ColumnKind::Url || draft.seen(class, level, column).facts.link.is_some()
    })
}

/// Whether a list has links to pages, and none that its rounds always have: a calendar, not a list of things.
fn is_grid(draft: &Draft, class: usize, level: usize) -> bool {
    let n_rows = draft.level(class, level).n_rows;
    let links = links(draft, class, level);
    let is_rare = |&(link, _): &(usize, usize)| draft.seen(class, level, link).evidence.n_filled * 10 < n_rows * 9;
    !links.is_empty() && links.iter().all(is_rare)
}

/// Whether half of the addresses of a list are those of pages that were read.
fn leads_to_known(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = draft.levels[class][level].columns.iter().enumerate();
    let mut links = columns.filter(|(_, drafted)| drafted.is_kept() && drafted.typing.kind == ColumnKind::Url);
    links.any(|(column, _)| {
        let distinct = &draft.seen(class, level, column).evidence.distinct;
        let is_known = |hash: &&u64| draft.survey.addresses.class_of_hash(**hash).is_some();
        distinct.iter().filter(is_known).count() * 2 >= distinct.len()
    })
}

/// The number of columns of a level that are no links and are kept.
pub(super) fn own_columns(draft: &Draft, class: usize, level: usize) -> usize {
    let is_own = |column: &&DraftColumn| column.is_kept() && !column.is_reference();
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
            if levels.left_out.is_none()
                && drafted.is_kept()
                && !is_itself
                && drafted.targets.iter().any(|(to, _)| *to == class)
            {
                back.push(&draft.seen(target, other, column).pairs);
            }
        }
    }
    if back.is_empty() {
        return is_named_back(draft, class, level, link, target);
    }
    let (n_pairs, n_back) = draft.seen(class, level, link).pairs.among(&back);
    n_pairs >= ROWS_MIN && (n_pairs - n_back) * EXCEPTION_SHARE <= n_pairs
}

/// Whether the pages that a list leads to or names say the name of the page with the list.
fn is_named_back(draft: &Draft, class: usize, level: usize, link: usize, target: usize) -> bool {
    let pages = &draft.level(class, 0).sample;
    let (mut n_pairs, mut n_back) = (0, 0);
    for (row, page) in draft.joined(class, level, link, target) {
        let Some(own) = pages.about(address_hash(&row.page)) else {
            continue;
        };
        let names_own = |(column, text): &&(usize, String)| {
            let named = draft.levels[target][0].columns[*column].named;
            named.is_some_and(|(to, name)| to == class && own.get(name) == Some(text))
        };
        n_pairs += 1;
        n_back += usize::from(page.values.iter().any(|value| names_own(&value)));
    }
    n_pairs >= ROWS_MIN && (n_pairs - n_back) * EXCEPTION_SHARE <= n_pairs
}

/// What the pages of a class are for. Of a class with several pages the values tell that better than how it was found.
fn kind_of(draft: &Draft, class: usize) -> ClassKind {
    match draft.survey.classes[class].facts.kind {
        ClassKind::Singleton | ClassKind::Menu if draft.level(class, 0).n_rows > 1 => ClassKind::Detail,
        kind => kind,
    }
}

/// Leaves out the pages of a class that are only ways to others.
fn leave_out_ways(draft: &mut Draft, class: usize) {
    let kind = kind_of(draft, class);
    let own = own_columns(draft, class, 0);
    let n_pages = draft.level(class, 0).n_rows;
    let is_referred_to = draft.levels.iter().enumerate().any(|(other, levels)| {
        let refers = |level: &DraftLevel| {
            level.left_out.is_none()
                && level.columns.iter().any(|column| {
                    column.is_kept()
                        && (column.named.is_some_and(|(target, _)| target == class)
                            || column.targets.iter().any(|(target, _)| *target == class))
                })
        };
        other != class && kind_of(draft, other) == ClassKind::Detail && levels.iter().any(refers)
    });
    let why = match kind {
        ClassKind::Menu | ClassKind::Singleton | ClassKind::List => Some("a list of other pages"),
        ClassKind::Detail if own == 0 => Some("nothing of its own"),
        ClassKind::Detail if (own < OWN_MIN || n_pages < PAGES_MIN) && !is_referred_to && has_lists(draft, class) => {
            Some(WAY)
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

/// So are fewer pages with lists, whatever they say.
const PAGES_MIN: usize = 4;
