//! Excerpts: lists on the pages of a class that are part of another list, such as the matches of
//! each team where all matches are listed with their teams.
//!
//! In: the lists of a draft whose rows lead to pages. Out: fewer. A list is an excerpt of another
//! one if that leads to at least as many pages, stands on fewer, and says of each page all that this
//! one says; and if its rows name the page they are on, so that nothing is lost with it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::draft::Draft;
use super::sample::SampleRow;
use super::schema::ColumnKind;

/// The fewest pages that a list leads to, and rows that are compared: fewer may be the same by
/// chance.
const ROWS_MIN: usize = 10;

/// Of a hundred rows, those that the other list has, too.
const SAID_PERCENT: usize = 95;

/// The fewest texts of a row: a name alone says which pages belong together.
const TEXTS_MIN: usize = 2;

/// A list whose rows lead to the pages of a class.
struct Leading {
    class: usize,
    level: usize,
    /// The column of its links.
    link: usize,
    /// Its columns that are no links.
    texts: Vec<usize>,
    /// To how many pages it leads.
    n_led_to: usize,
    /// On how many pages it is.
    n_pages: usize,
}

/// Leaves out lists that are part of others.
pub(super) fn leave_out_excerpts(draft: &mut Draft) {
    let mut by_target: BTreeMap<usize, Vec<Leading>> = BTreeMap::new();
    for class in 0..draft.levels.len() {
        for level in (1..draft.levels[class].len()).filter(|&level| draft.levels[class][level].left_out.is_none()) {
            if let Some((target, list)) = Leading::of(draft, class, level) {
                by_target.entry(target).or_default().push(list);
            }
        }
    }
    for lists in by_target.values_mut() {
        lists.sort_by_key(|list| (Reverse(list.n_led_to), list.n_pages));
        for (index, own) in lists.iter().enumerate() {
            let is_excerpt_of = |other: &Leading| {
                let is_there = draft.levels[other.class][other.level].left_out.is_none();
                is_there && own.n_pages > other.n_pages && own.is_said_by(other, draft)
            };
            if lists[..index].iter().any(is_excerpt_of) && own.says_its_page(draft) {
                draft.levels[own.class][own.level].left_out = Some("said by another table");
            }
        }
    }
}

impl Leading {
    /// A list, with the class that its first links lead to; `None` if it leads to few pages, or says
    /// little of them.
    fn of(draft: &Draft, class: usize, level: usize) -> Option<(usize, Self)> {
        let columns = || {
            draft.levels[class][level]
                .columns
                .iter()
                .enumerate()
                .filter(|(_, own)| own.is_kept())
        };
        let (link, target) = columns().find_map(|(column, own)| Some((column, own.targets.first()?.0)))?;
        let texts = columns().filter(|(_, own)| own.typing.kind != ColumnKind::Url);
        let own = Self {
            class,
            level,
            link,
            texts: texts.map(|(column, _)| column).collect(),
            n_led_to: draft.seen(class, level, link).evidence.distinct.len(),
            n_pages: draft.level(class, level).n_pages,
        };
        (own.n_led_to >= ROWS_MIN && own.texts.len() >= TEXTS_MIN).then_some((target, own))
    }

    /// The texts of a row.
    fn texts_of<'r>(&self, row: &'r SampleRow) -> impl Iterator<Item = &'r str> {
        self.texts.iter().filter_map(|&column| row.get(column))
    }

    /// Whether another list says of the pages that this one leads to all that this one says.
    fn is_said_by(&self, other: &Self, draft: &Draft) -> bool {
        let rows_of = |list: &Self| draft.level(list.class, list.level).by_link.get(&list.link);
        let (Some(own), Some(others)) = (rows_of(self), rows_of(other)) else {
            return false;
        };
        let (mut n, mut n_said) = (0, 0);
        for (page, rows) in own.things() {
            let other = others.of(page);
            n += rows.len();
            let is_said = |row: &&SampleRow| {
                self.texts_of(row)
                    .all(|text| other.is_some_and(|other| says(other, text)))
            };
            n_said += rows.iter().filter(is_said).count();
        }
        n >= ROWS_MIN && n_said * 100 >= n * SAID_PERCENT
    }

    /// Whether its rows say what their page is called.
    fn says_its_page(&self, draft: &Draft) -> bool {
        let pages = draft.level(self.class, 0).sample.rows();
        let pages: HashMap<&str, &SampleRow> = pages.map(|row| (&*row.page, row)).collect();
        let (mut n, mut n_said) = (0, 0);
        for row in draft.level(self.class, self.level).sample.rows() {
            if let Some(page) = pages.get(&*row.page) {
                n += 1;
                n_said += usize::from(self.texts_of(row).any(|text| says(page, text)));
            }
        }
        n > 0 && n_said * 100 >= n * SAID_PERCENT
    }
}

/// Whether a row has a value.
fn says(row: &SampleRow, text: &str) -> bool {
    row.values.iter().any(|(_, own)| own == text)
}
