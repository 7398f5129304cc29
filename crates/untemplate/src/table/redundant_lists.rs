//! Redundant lists: tables that say nothing which other tables do not say.
//!
//! A page with lists and no value of its own is no row, and a list that says what the row of its
//! page says is no table. A list on one page, or on pages that only list, whose rows are links, and
//! texts that the pages say which they lead to, is an index of these pages. Lists on pages that are
//! each about one thing stay, also where they lead to pages of the same class: which one relates to
//! which is said nowhere else, unless the pages lead back and say all of a table's row. Items and sections that neither recur on the pages of their class nor fill a page
//! are how a text is laid out. A list, or a class, with a handful of rows on a site of hundreds of
//! pages is no table that anybody looks for.

use std::collections::HashMap;

use super::draft::Draft;
use super::facts::ClassKind;
use super::sample::SampleRow;
use super::schema::ColumnKind;

/// The share of rows, out of a hundred, whose text is the target's own.
const COPIED_PERCENT: usize = 90;

/// The fewest rows of a table that comes from a list, on a small site and on a large one. On the
/// development sites none of 187 tables with 10 rows or fewer is one that a person wants, and 4 of
/// those with 11 to 20 are.
const ROWS_MIN: (usize, usize) = (3, 11);

/// The fewest rows of a table that comes from the pages of a class.
const PAGES_MIN: (usize, usize) = (2, 5);

/// The fewest rows, on each page on the average, of items or sections that do not recur.
const ROWS_OF_PAGE_MIN: (usize, usize) = (3, 20);

/// Items and sections recur if, of as many pages of the class drawn at random as have them, this
/// many have them. Of 117 lists that people want on the development sites and 374 others, 1 and 117
/// recur less and fill no page; with 1 for 2 it is 0 and 83, with 10 it is 4 and 157; with 30 for
/// 20 rows on a page 2 and 133, with 50 it is 5 and 148.
const RECURRING_MIN: usize = 2;

/// A table must have a row for each of this many pages of the site, between the limits above.
const PAGES_PER_ROW: usize = 100;

/// The same of the rows on a page of items and sections. The development sites are so large that it
/// makes no difference to them; with 10, a made-up site of 300 pages loses its glossary of 12
/// words. Set by hand.
const PAGES_PER_ITEM: usize = 25;

/// Leaves out tables that say nothing of their own.
pub(super) fn leave_out_redundant_lists(draft: &mut Draft) {
    let n_pages: usize = (0..draft.levels.len()).map(|class| draft.level(class, 0).n_rows).sum();
    let least = |(small, large): (usize, usize), share: usize| (n_pages / share).clamp(small, large);
    let (rows_min, pages_min) = (least(ROWS_MIN, PAGES_PER_ROW), least(PAGES_MIN, PAGES_PER_ROW));
    let rows_of_page_min = least(ROWS_OF_PAGE_MIN, PAGES_PER_ITEM);
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
            leave_out_rare_columns(draft, class, level);
            let n_kept = draft.levels[class][level]
                .columns
                .iter()
                .filter(|column| column.is_kept())
                .count();
            let is_single = draft.survey.classes[class].facts.kind != ClassKind::Detail;
            draft.levels[class][level].left_out = if n_kept == 0 {
                Some("nothing of its own")
            } else if level == 0 && is_single {
                Some("a page that stands alone")
            } else if level == 0 && draft.level(class, 0).n_rows < pages_min {
                Some("few pages")
            } else if level > 0 && draft.level(class, level).n_rows < rows_min {
                Some("a list of few rows")
            } else if level > 0 && is_layout(draft, class, level, rows_of_page_min) {
                Some("how a text is laid out")
            } else if level > 0 && is_said_by_page(draft, class, level) {
                Some("said by the page")
            } else if level > 0 && is_index(draft, class, level, is_single) {
                Some("an index of pages")
            } else {
                None
            };
        }
    }
}

/// Whether a list is one of items or sections that neither recur on the pages of the class nor fill
/// a page. Who sets a grid means data, also on a page that stands alone.
fn is_layout(draft: &Draft, class: usize, level: usize, rows_of_page_min: usize) -> bool {
    let list = draft.level(class, level);
    let is_grid = list.list_path.last().is_some_and(|path| path.ends_with("/tr"));
    let recurs = list.n_pages * list.n_pages >= RECURRING_MIN * draft.level(class, 0).n_rows;
    !is_grid && !recurs && list.n_rows < rows_of_page_min * list.n_pages
}

/// Whether the row of its page says all that a list says, such as the title at the end of a trail.
fn is_said_by_page(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = &draft.levels[class][level].columns;
    let kept: Vec<usize> = (0..columns.len()).filter(|&column| columns[column].is_kept()).collect();
    let page_level = &draft.levels[class][0];
    if page_level.left_out.is_some()
        || kept
            .iter()
            .any(|&column| columns[column].typing.kind == ColumnKind::Url)
    {
        return false;
    }
    let pages: HashMap<&str, &SampleRow> = (draft.level(class, 0).sample.rows())
        .map(|row| (&*row.page, row))
        .collect();
    let (mut n, mut n_said) = (0, 0);
    for row in draft.level(class, level).sample.rows() {
        let Some(page) = pages.get(&*row.page) else { continue };
        let own = page
            .values
            .iter()
            .filter(|(column, _)| page_level.columns[*column].is_kept());
        for text in kept.iter().filter_map(|&column| row.get(column)) {
            n += 1;
            n_said += usize::from(own.clone().any(|(_, value)| value == text));
        }
    }
    n >= ROWS_MIN.0 && n_said * 100 >= n * COPIED_PERCENT
}

/// The most columns of a table: databases take two thousand, and a value may have two more beside
/// it.
const COLUMNS_MAX: usize = 600;

/// Of a table with more columns than databases take, keeps those with most values.
fn leave_out_rare_columns(draft: &mut Draft, class: usize, level: usize) {
    let mut kept: Vec<usize> = (0..draft.levels[class][level].columns.len())
        .filter(|&column| draft.levels[class][level].columns[column].is_kept())
        .collect();
    if kept.len() <= COLUMNS_MAX {
        return;
    }
    kept.sort_by_key(|&column| {
        (
            std::cmp::Reverse(draft.seen(class, level, column).evidence.n_filled),
            column,
        )
    });
    for &column in &kept[COLUMNS_MAX..] {
        draft.levels[class][level].columns[column].left_out = Some("more columns than a table can have");
    }
}

/// Whether a list has a link into one class and texts that its pages say. On several pages that are
/// each about one thing it must be a table of such texts, and the pages that it leads to must lead
/// back: then it is what they say, sorted by where they lead.
fn is_index(draft: &Draft, class: usize, level: usize, is_single: bool) -> bool {
    let columns = &draft.levels[class][level].columns;
    let kept: Vec<usize> = (0..columns.len()).filter(|&column| columns[column].is_kept()).collect();
    let Some(&link) = kept
        .iter()
        .find(|&&column| columns[column].targets.first().is_some_and(|(to, _)| *to != class))
    else {
        return false;
    };
    let Some(&(target, _)) = columns[link].targets.first() else {
        return false;
    };
    let pairs = draft.joined(class, level, link, target);
    let is_copied = |column: usize| {
        let mut n = 0;
        let mut n_copied = 0;
        for (row, page) in &pairs {
            let Some(text) = row.get(column) else { continue };
            n += 1;
            n_copied += usize::from(page.values.iter().any(|(_, own)| own == text));
        }
        n > 0 && n_copied * 100 >= n * COPIED_PERCENT
    };
    let is_reference = |column: usize| columns[column].typing.kind == ColumnKind::Url && columns[column].is_link();
    let n_texts = kept.iter().filter(|&&column| !is_reference(column)).count();
    let leads_back = || {
        let n = pairs
            .iter()
            .filter(|(row, page)| page.values.iter().any(|(_, own)| **own == *row.page));
        n.count() * 100 >= pairs.len() * COPIED_PERCENT
    };
    !pairs.is_empty()
        && (is_single || draft.level(class, level).n_pages < 2 || n_texts >= TABLE_COLUMNS_MIN && leads_back())
        && kept
            .iter()
            .all(|&column| column == link || is_reference(column) || is_copied(column))
}

/// The fewest texts of a row that make a list a table: beside what a page is called, a word or two
/// may say why it is listed.
const TABLE_COLUMNS_MIN: usize = 3;
