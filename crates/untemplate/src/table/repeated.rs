//! Repeated rows: lists without links whose rows are what pages of another class say.
//!
//! In: the sampled rows of a list, and those of the pages of each class. A list is a repetition when some of its rows are found among the pages, each of
//! its columns always in the same place there, and the page with the list is mentioned there, too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::addresses::address_hash;
use super::draft::Draft;
use super::sample::SampleRow;

/// Rows that must be found.
const ROWS_MIN: usize = 3;

/// Columns that a list must have; fewer values may be alike by chance.
const COLUMNS_MIN: usize = 3;

/// Whether the rows of a list only repeat what the pages of some class say.
pub(super) fn repeats_rows(draft: &Draft, class: usize, level: usize) -> bool {
    let columns = &draft.levels[class][level].columns;
    let kept: Vec<usize> = (0..columns.len()).filter(|&column| columns[column].is_kept()).collect();
    kept.len() >= COLUMNS_MIN
        && (0..draft.levels.len()).any(|target| target != class && repeats_class(draft, (class, level), &kept, target))
}

fn repeats_class(draft: &Draft, (class, level): (usize, usize), kept: &[usize], target: usize) -> bool {
    let columns = &draft.levels[class][level].columns;
    let pages: Vec<Vec<(usize, String)>> = draft
        .level(target, 0)
        .sample
        .rows()
        .map(|row| values_of(draft, target, row))
        .collect();
    let mut by_value: HashMap<&str, Vec<usize>> = HashMap::new();
    for (page, values) in pages.iter().enumerate() {
        for (_, value) in values {
            by_value.entry(value).or_default().push(page);
        }
    }
    let mut places: BTreeMap<usize, BTreeSet<Place>> = BTreeMap::new();
    let (mut n_rows, mut n_mentioned) = (0, 0);
    for row in draft.level(class, level).sample.rows() {
        let values: Vec<(usize, String)> = kept
            .iter()
            .filter_map(|&column| Some((column, columns[column].value(row.get(column)?))))
            .collect();
        let Some(page) = best_page(&values, &by_value, &pages) else {
            continue;
        };
        for (column, value) in &values {
            let found = places_of(value, page);
            match places.get_mut(column) {
                Some(known) => known.retain(|place| found.contains(place)),
                None => {
                    places.insert(*column, found);
                }
            }
        }
        n_rows += 1;
        n_mentioned += usize::from(is_mentioned(draft, class, row, page));
    }
    let is_placed = |column: &usize| places.get(column).is_some_and(|places| !places.is_empty());
    n_rows >= ROWS_MIN && n_mentioned == n_rows && kept.iter().all(is_placed)
}

/// Where a page says a value: in one column, or in two with something between.
type Place = (usize, Option<usize>);

fn places_of(value: &str, page: &[(usize, String)]) -> BTreeSet<Place> {
    let mut places: BTreeSet<Place> = page
        .iter()
        .filter(|(_, own)| own == value)
        .map(|(column, _)| (*column, None))
        .collect();
    for (first, start) in page {
        let Some(rest) = value.strip_prefix(start.as_str()) else {
            continue;
        };
        for (second, end) in page.iter().filter(|(second, _)| second != first) {
            let joint = rest.strip_suffix(end.as_str());
            if joint.is_some_and(|joint| !joint.is_empty() && !joint.contains(char::is_alphanumeric)) {
                places.insert((*first, Some(*second)));
            }
        }
    }
    places
}

/// The values of a page's row, as its columns have them.
fn values_of(draft: &Draft, class: usize, row: &SampleRow) -> Vec<(usize, String)> {
    let columns = &draft.levels[class][0].columns;
    let values = row
        .values
        .iter()
        .filter(|(column, _)| !draft.seen(class, 0, *column).is_length);
    values
        .map(|(column, text)| (*column, columns[*column].value(text)))
        .collect()
}

/// The page that says most of the values, all but one at least; `None` when there are two.
fn best_page<'a>(
    values: &[(usize, String)],
    by_value: &HashMap<&str, Vec<usize>>,
    pages: &'a [Vec<(usize, String)>],
) -> Option<&'a Vec<(usize, String)>> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, value) in values {
        let pages: BTreeSet<usize> = by_value.get(value.as_str()).into_iter().flatten().copied().collect();
        for page in pages {
            *counts.entry(page).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count >= 2 && *count + 1 >= values.len());
    let n_said = |page: usize| {
        values
            .iter()
            .filter(|(_, value)| !places_of(value, &pages[page]).is_empty())
            .count()
    };
    let mut said: Vec<(usize, usize)> = counts.into_keys().map(|page| (n_said(page), page)).collect();
    said.sort_unstable();
    let best = said.pop()?;
    let is_only = said.last().is_none_or(|second| second.0 < best.0);
    is_only.then(|| &pages[best.1])
}

/// Whether a page mentions the page that a row of a list stands on.
fn is_mentioned(draft: &Draft, class: usize, row: &SampleRow, page: &[(usize, String)]) -> bool {
    let Some(own) = draft.level(class, 0).sample.about(address_hash(&row.page)) else {
        return false;
    };
    let own = values_of(draft, class, own);
    own.iter().any(|(column, value)| {
        let is_telling = draft.seen(class, 0, *column).evidence.is_unique();
        is_telling && page.iter().any(|(_, said)| said == value || **said == *row.page)
    })
}
