//! What nobody asked for: rebuilt columns that hold no true one.
//!
//! A column is *repeated* when its values are true of the row all the same, but stand elsewhere in
//! the database: of the record of the page, of one that the row links to, or of one that either of
//! them is related to. What is neither held nor repeated is *invented*.

use super::pairing::Pairing;
use super::rebuilt::{RebuiltDatabase, Seen};
use super::shown::{ShownDatabase, ShownTable};
use super::value::{ABSENT, Shown};
use std::collections::{HashMap, HashSet};

/// What a rebuilt column is to the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Held,
    Repeated,
    Invented,
}

/// The values of a column that must be known for it to be a repetition.
const REPEATED_MIN: f64 = 0.95;
/// Rows of a table that are looked at.
const ROWS_JUDGED: usize = 200;

/// The standing of each data column, by table: column number, standing, first values.
pub fn standings(
    shown: &ShownDatabase,
    rebuilt: &RebuiltDatabase,
    pairings: &[Pairing],
) -> Vec<Vec<(usize, Standing, String)>> {
    let relations = relations(shown);
    let of_table = |index: usize| {
        let table = &rebuilt.tables[index];
        let all: Vec<usize> = (0..table.rows.len()).collect();
        let judged = crate::corpora::spread(&all, ROWS_JUDGED);
        let known: Vec<HashSet<&str>> = judged
            .iter()
            .map(|&row| known(shown, rebuilt, &relations, (index, row)))
            .collect();
        let standing = |column: usize| {
            let seen = Some(Seen { above: None, column });
            let is_held = |pairing: &Pairing| pairing.rebuilt == index && pairing.columns.contains(&seen);
            let values: Vec<(usize, &str)> = (judged.iter().enumerate())
                .filter_map(|(place, &row)| Some((place, table.rows[row][column].as_deref()?)))
                // That a value is absent tells neither what a column holds nor that it was made up.
                .filter(|(_, value)| !ABSENT.contains(value))
                .collect();
            let n_known = values
                .iter()
                .filter(|(place, value)| known[*place].contains(value))
                .count();
            let standing = match () {
                () if pairings.iter().any(is_held) => Standing::Held,
                () if !values.is_empty() && n_known as f64 >= REPEATED_MIN * values.len() as f64 => Standing::Repeated,
                () => Standing::Invented,
            };
            let examples: Vec<String> = values.iter().take(3).map(|(_, value)| shortened(value)).collect();
            (column, standing, examples.join(" | "))
        };
        table.data_columns().map(standing).collect()
    };
    (0..rebuilt.tables.len()).map(of_table).collect()
}

fn shortened(text: &str) -> String {
    shortened_to(text, 60)
}

/// The text, with this many letters at the most.
pub fn shortened_to(text: &str, letters_max: usize) -> String {
    match text.char_indices().nth(letters_max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Table and row of a record.
type Record = (usize, usize);

/// Records that one refers to, or that refer to it, and the rows of lists on its page.
#[derive(Default)]
struct Relations {
    near: HashMap<Record, Vec<Record>>,
    lists: HashMap<Record, Vec<Record>>,
}

fn relations(shown: &ShownDatabase) -> Relations {
    let mut relations = Relations::default();
    for (index, table) in shown.tables.iter().enumerate() {
        for (number, row) in table.rows.iter().enumerate() {
            let Some(&own) = shown.records.get(&row.page) else {
                continue;
            };
            if table.is_child {
                relations.lists.entry(own).or_default().push((index, number));
            }
            for &other in targets(table, number).filter_map(|target| shown.records.get(target)) {
                relations.near.entry(own).or_default().push(other);
                relations.near.entry(other).or_default().push(own);
            }
        }
    }
    relations
}

/// The addresses that a true row refers to.
fn targets(table: &ShownTable, row: usize) -> impl Iterator<Item = &str> {
    let columns = table.columns.iter().zip(&table.rows[row].cells);
    columns.filter_map(|(column, cell)| match column.shown {
        Shown::To(_) => cell.as_ref()?.first().map(String::as_str),
        Shown::Group => cell.as_ref()?.last().map(String::as_str),
        _ => None,
    })
}

/// All that is true of a rebuilt row, as texts.
fn known<'a>(
    shown: &'a ShownDatabase,
    rebuilt: &RebuiltDatabase,
    relations: &Relations,
    (index, row): (usize, usize),
) -> HashSet<&'a str> {
    let table = &rebuilt.tables[index];
    let links = table.rows[row].iter().flatten().chain([&table.pages[row]]);
    let mut records: HashSet<Record> = links.filter_map(|link| shown.records.get(link).copied()).collect();
    let near = records
        .iter()
        .filter_map(|record| relations.near.get(record))
        .flatten()
        .copied();
    let near: Vec<Record> = near.collect();
    records.extend(near);
    let lists = records
        .iter()
        .filter_map(|record| relations.lists.get(record))
        .flatten();
    let mut known = HashSet::new();
    for &(table, row) in records.iter().chain(lists) {
        let true_row = &shown.tables[table].rows[row];
        known.extend(true_row.cells.iter().flatten().flatten().map(String::as_str));
        let titles = shown.titles.get(&true_row.page).into_iter().flatten();
        known.extend(titles.map(String::as_str));
    }
    known
}
