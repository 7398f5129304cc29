//! Repeated tables: lists that the site has at one place of all of its pages, and tables that say
//! row by row what another one says.
//!
//! A bar of links (to the page before, to the chapter, to the index) is a list of a few links on
//! nearly every page. On the pages of one class it may be data; where pages of several classes have
//! such a list at the same place, it is the frame of the site. The same list under two addresses,
//! such as a page and its printed form, is one table. Both are read off the values; no words are
//! known.

use std::collections::HashMap;

use super::draft::Draft;
use super::schema::ColumnKind;

/// The fewest classes with a bar at one place.
const BAR_CLASSES_MIN: usize = 3;

/// The most rows of a bar, on the average.
const BAR_ROWS_MAX: usize = 4;

/// The longest mean text of a bar's links, in characters: a title.
const BAR_TEXT_MAX: usize = 60;

/// The fewest rows of tables that are compared: fewer may be the same by chance.
const DOUBLE_ROWS_MIN: usize = 10;

/// Of a hundred values of a column, those that the other table has, too.
const DOUBLE_PERCENT: usize = 95;

/// Leaves out lists that are the frame of the site.
pub(super) fn leave_out_bars(draft: &mut Draft) {
    let mut places: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for class in 0..draft.levels.len() {
        for level in (1..draft.levels[class].len()).filter(|&level| is_bar(draft, class, level)) {
            let place = draft.level(class, level).list_path[0].clone();
            places.entry(place).or_default().push((class, level));
        }
    }
    for (class, bar) in places
        .into_values()
        .filter(|bars| bars.len() >= BAR_CLASSES_MIN)
        .flatten()
    {
        let path = draft.level(class, bar).list_path.clone();
        for level in 1..draft.levels[class].len() {
            if draft.level(class, level).list_path.starts_with(&path) {
                draft.levels[class][level].left_out.get_or_insert("a bar of the site");
            }
        }
    }
}

/// Whether a list has a few links, and short texts alone, on nearly all pages of its class.
fn is_bar(draft: &Draft, class: usize, level: usize) -> bool {
    let seen = draft.level(class, level);
    let columns = &draft.levels[class][level].columns;
    let kept = || columns.iter().zip(&seen.columns).filter(|(column, _)| column.is_kept());
    let is_link = |kind: ColumnKind| kind == ColumnKind::Url;
    // A place without a class or `id` on the way to it may be the same by chance.
    let has_mark = |step: &str| step.find(['.', '#']).is_some_and(|at| at > 0);
    let is_marked = |path: &[String]| path.len() == 1 && path[0].split('/').any(has_mark);
    is_marked(&seen.list_path)
        && seen.n_lists * 10 >= draft.level(class, 0).n_rows * 9
        && seen.n_rows <= BAR_ROWS_MAX * seen.n_lists
        && kept().any(|(column, _)| is_link(column.typing.kind))
        && kept().all(|(column, seen)| {
            let evidence = &seen.evidence;
            is_link(column.typing.kind) || evidence.n_characters <= BAR_TEXT_MAX * evidence.n_filled
        })
}

/// Leaves out lists that say row by row what another list says.
pub(super) fn leave_out_doubles(draft: &mut Draft) {
    let mut lists: Vec<(usize, usize, usize)> = Vec::new();
    for class in 0..draft.levels.len() {
        for level in (1..draft.levels[class].len()).filter(|&level| draft.levels[class][level].left_out.is_none()) {
            let n_rows = draft.level(class, level).n_rows;
            lists.extend((n_rows >= DOUBLE_ROWS_MIN).then_some((n_rows, class, level)));
        }
    }
    // Of two with as many rows, the one of the larger class stays.
    lists.sort_by_key(|&(n_rows, class, level)| (n_rows, std::cmp::Reverse(class), level));
    for (index, &(n_rows, class, level)) in lists.iter().enumerate() {
        let alike = lists[index + 1..]
            .iter()
            .take_while(|(n_other, _, _)| n_rows * 100 >= n_other * DOUBLE_PERCENT);
        let mut alike = alike.filter(|(_, other, _)| *other != class);
        if alike.any(|&(_, other, other_level)| says_all(draft, (class, level), (other, other_level))) {
            draft.levels[class][level].left_out = Some("said by another table");
        }
    }
}

/// Whether each text of a list is said by a column of another one.
fn says_all(draft: &Draft, own: (usize, usize), other: (usize, usize)) -> bool {
    let texts = |(class, level): (usize, usize)| {
        let columns = draft.levels[class][level]
            .columns
            .iter()
            .zip(&draft.level(class, level).columns);
        let texts = columns.filter(|(column, _)| column.is_kept() && column.typing.kind != ColumnKind::Url);
        texts.map(|(_, seen)| &seen.evidence.distinct).collect::<Vec<_>>()
    };
    let (own, other) = (texts(own), texts(other));
    let is_said = |values: &&std::collections::HashSet<u64>| {
        other.iter().any(|others| {
            values.len() * 100 <= others.len() * 105
                && values.iter().filter(|value| others.contains(value)).count() * 100 >= values.len() * DOUBLE_PERCENT
        })
    };
    own.iter().any(|values| values.len() >= DOUBLE_ROWS_MIN) && own.iter().all(is_said)
}
