//! Pairings: which rebuilt rows stand for which true rows, and which rebuilt column holds which
//! true one.
//!
//! Records with a page of their own are found by its address. Rows of lists are found on their
//! page, by the values they share. Names play no part: a true column is given the rebuilt column
//! that agrees with it most often, as an oracle would. The value of a row in a list may also stand
//! on the row that it hangs on: the team that a goal counts for is known from the match.

use super::count::RECOVERED;
use super::rebuilt::{RebuiltDatabase, Seen};
use super::shown::{ShownDatabase, ShownTable};
use std::collections::HashMap;

/// A true table and a rebuilt one that holds some of its rows.
pub struct Pairing {
    pub truth: usize,
    pub rebuilt: usize,
    /// For each true column the rebuilt one, where there is one.
    pub columns: Vec<Option<Seen>>,
    /// Rebuilt row and true row.
    pub rows: Vec<(usize, usize)>,
}

/// A rebuilt table that holds fewer of a true table's rows, or a true table with fewer of a rebuilt
/// one's, is not paired with it: a few pages in the wrong class should not be given columns by
/// chance.
const SHARE_MIN: f64 = 0.05;

/// Pages of lists that columns are judged by.
const PAGES_JUDGED: usize = 400;

/// All pairings.
pub fn pairings(shown: &ShownDatabase, rebuilt: &RebuiltDatabase) -> Vec<Pairing> {
    let mut found = Vec::new();
    for index in 0..rebuilt.tables.len() {
        if rebuilt.tables[index].is_child() {
            found.extend(pair_list(shown, rebuilt, index));
        } else {
            found.extend(pair_pages(shown, rebuilt, index));
        }
    }
    found
}

/// Is the value one of those that the true cell may have?
pub fn is_right(truth: &ShownTable, row: usize, column: usize, value: Option<&str>) -> bool {
    let cell = truth.rows[row].cells[column].as_ref();
    cell.zip(value)
        .is_some_and(|(accepted, value)| accepted.iter().any(|form| form == value))
}

fn pair_pages(shown: &ShownDatabase, rebuilt: &RebuiltDatabase, index: usize) -> Vec<Pairing> {
    let table = &rebuilt.tables[index];
    let mut rows: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for (row, page) in table.pages.iter().enumerate() {
        if let Some(&(truth, true_row)) = shown.records.get(page) {
            rows.entry(truth).or_default().push((row, true_row));
        }
    }
    let mut found: Vec<Pairing> = Vec::new();
    for (truth, rows) in rows {
        if (rows.len() as f64) < SHARE_MIN * shown.tables[truth].rows.len() as f64 {
            continue;
        }
        let columns = page_columns(&shown.tables[truth], rebuilt, index, &rows);
        found.push(Pairing {
            truth,
            rebuilt: index,
            columns,
            rows,
        });
    }
    found.sort_by_key(|pairing| pairing.truth);
    found
}

/// The columns of a rebuilt table in the order they are preferred when equally good: references
/// first, its own before those above.
fn candidates(rebuilt: &RebuiltDatabase, index: usize) -> Vec<Seen> {
    let mut seen = rebuilt.seen_from(index);
    let is_reference = |seen: &Seen| {
        let table = seen.above.map_or(index, |above| rebuilt.tables[index].above[above].0);
        rebuilt.tables[table].target(seen.column).is_some()
    };
    seen.sort_by_key(|seen| (seen.above.is_some(), !is_reference(seen), *seen));
    seen
}

fn page_columns(
    truth: &ShownTable,
    rebuilt: &RebuiltDatabase,
    index: usize,
    rows: &[(usize, usize)],
) -> Vec<Option<Seen>> {
    let candidates = candidates(rebuilt, index);
    let best = |column: usize| {
        let mut best: Option<(usize, Seen)> = None;
        for &seen in &candidates {
            let (mut n_right, mut n_both) = (0, 0);
            for &(row, true_row) in rows {
                let value = rebuilt.value(index, row, seen);
                let is_there = value.is_some() && truth.rows[true_row].cells[column].is_some();
                n_both += usize::from(is_there);
                n_right += usize::from(is_there && is_right(truth, true_row, column, value));
            }
            if is_enough(n_right, n_both, seen) && best.is_none_or(|(most, _)| n_right > most) {
                best = Some((n_right, seen));
            }
        }
        best.map(|(_, seen)| seen)
    };
    (0..truth.columns.len()).map(best).collect()
}

/// Is a column right often enough to hold a true one? One of an outer row may be right by chance
/// now and then.
fn is_enough(n_right: usize, n_values: usize, seen: Seen) -> bool {
    let least = if seen.above.is_some() { RECOVERED } else { 0.5 };
    n_right > 0 && n_right as f64 >= least * n_values as f64
}

/// Rows by the page they stand on.
type ByPage<'a> = HashMap<&'a str, Vec<usize>>;

fn by_page<'a>(pages: impl Iterator<Item = &'a str>) -> ByPage<'a> {
    let mut by_page = ByPage::new();
    for (row, page) in pages.enumerate() {
        by_page.entry(page).or_default().push(row);
    }
    by_page
}

/// Pairs a rebuilt list with the true tables whose rows it holds, the best first; each takes its
/// rows away from the next.
fn pair_list(shown: &ShownDatabase, rebuilt: &RebuiltDatabase, index: usize) -> Vec<Pairing> {
    let table = &rebuilt.tables[index];
    let mut left: Vec<bool> = vec![true; table.rows.len()];
    let mut found: Vec<Pairing> = Vec::new();
    loop {
        let is_new = |truth: usize| found.iter().all(|pairing| pairing.truth != truth);
        let children = (0..shown.tables.len()).filter(|&truth| shown.tables[truth].is_child && is_new(truth));
        let pairings = children.map(|truth| pair_list_with(shown, rebuilt, (truth, index), &left));
        let Some((n_equal, best)) = pairings.max_by_key(|(n_equal, pairing)| (*n_equal, usize::MAX - pairing.truth))
        else {
            return found;
        };
        let is_enough = |rows: usize| best.rows.len() as f64 >= SHARE_MIN * rows as f64;
        if n_equal == 0 || !is_enough(table.rows.len()) && !is_enough(shown.tables[best.truth].rows.len()) {
            return found;
        }
        for &(row, _) in &best.rows {
            left[row] = false;
        }
        found.push(best);
    }
}

/// The pairing of a list with one true table, and how many of its own cells are equal.
fn pair_list_with(
    shown: &ShownDatabase,
    rebuilt: &RebuiltDatabase,
    (truth_index, index): (usize, usize),
    left: &[bool],
) -> (usize, Pairing) {
    let truth = &shown.tables[truth_index];
    let true_rows = by_page(truth.rows.iter().map(|row| row.page.as_str()));
    let mut rows = by_page(rebuilt.tables[index].pages.iter().map(String::as_str));
    rows.retain(|page, rows| {
        rows.retain(|&row| left[row]);
        !rows.is_empty() && true_rows.contains_key(page)
    });
    let mut pages: Vec<&str> = rows.keys().copied().collect();
    pages.sort_unstable();
    let judged: Vec<(&[usize], &[usize])> = crate::corpora::spread(&pages, PAGES_JUDGED)
        .iter()
        .map(|page| (rows[page].as_slice(), true_rows[page].as_slice()))
        .collect();
    let columns = list_columns(truth, rebuilt, index, &judged);
    let mut n_equal = 0;
    let mut paired = Vec::new();
    for page in pages {
        let aligned = align(truth, rebuilt, index, &columns, (&rows[page], &true_rows[page]));
        n_equal += aligned.iter().map(|(own, _, _)| own).sum::<usize>();
        paired.extend(aligned.into_iter().map(|(_, row, true_row)| (row, true_row)));
    }
    // Which of two columns with the same values on a page is meant shows only when rows are paired.
    let columns = page_columns(truth, rebuilt, index, &paired);
    let pairing = Pairing {
        truth: truth_index,
        rebuilt: index,
        columns,
        rows: paired,
    };
    (n_equal, pairing)
}

/// Its own columns by how many values of a page's rows occur among the true ones of that page.
fn list_columns(
    truth: &ShownTable,
    rebuilt: &RebuiltDatabase,
    index: usize,
    pages: &[(&[usize], &[usize])],
) -> Vec<Option<Seen>> {
    let mut candidates = candidates(rebuilt, index);
    candidates.retain(|seen| seen.above.is_none());
    let best = |column: usize| {
        let mut best: Option<(usize, Seen)> = None;
        for &seen in &candidates {
            let (mut n_right, mut n_values, mut n_true) = (0, 0, 0);
            for (rows, true_rows) in pages {
                let mut open: Vec<usize> = (true_rows.iter().copied())
                    .filter(|&row| truth.rows[row].cells[column].is_some())
                    .collect();
                n_true += open.len();
                for value in rows.iter().filter_map(|&row| rebuilt.value(index, row, seen)) {
                    n_values += 1;
                    if let Some(place) = open.iter().position(|&row| is_right(truth, row, column, Some(value))) {
                        open.remove(place);
                        n_right += 1;
                    }
                }
            }
            if is_enough(n_right, n_values.min(n_true), seen) && best.is_none_or(|(most, _)| n_right > most) {
                best = Some((n_right, seen));
            }
        }
        best.map(|(_, seen)| seen)
    };
    (0..truth.columns.len()).map(best).collect()
}

/// Pairs the rows of one page: own cells that are equal, rebuilt row, true row. Pairs with most
/// equal cells first.
fn align(
    truth: &ShownTable,
    rebuilt: &RebuiltDatabase,
    index: usize,
    columns: &[Option<Seen>],
    (rows, true_rows): (&[usize], &[usize]),
) -> Vec<(usize, usize, usize)> {
    let mut pairs = Vec::new();
    for &row in rows {
        for &true_row in true_rows {
            let (mut own, mut equal, mut wanted) = (0, 0, 0);
            for (column, seen) in columns.iter().enumerate() {
                let Some(seen) = *seen else { continue };
                wanted += usize::from(truth.rows[true_row].cells[column].is_some());
                let is_equal = is_right(truth, true_row, column, rebuilt.value(index, row, seen));
                equal += usize::from(is_equal);
                own += usize::from(is_equal && seen.above.is_none());
            }
            if own > 0 && 2 * equal >= wanted {
                pairs.push((std::cmp::Reverse(equal), row, true_row, own));
            }
        }
    }
    pairs.sort_unstable();
    let (mut taken, mut true_taken) = (Vec::new(), Vec::new());
    let mut aligned = Vec::new();
    for (_, row, true_row, own) in pairs {
        if !taken.contains(&row) && !true_taken.contains(&true_row) {
            taken.push(row);
            true_taken.push(true_row);
            aligned.push((own, row, true_row));
        }
    }
    aligned
}
