//! Counts: of the pairings, what was recovered and what of it is right, column by column, with an
//! example of each kind of loss.

use super::pairing::{Pairing, is_right};
use super::rebuilt::{RebuiltDatabase, Role, Seen};
use super::shown::{ShownDatabase, ShownTable};
use super::value::{ABSENT, Shown};
use std::collections::BTreeMap;

/// A true table beside what was found of it.
pub struct TableScore {
    pub name: &'static str,
    pub n_rows: usize,
    /// Rows found in any rebuilt table.
    pub n_found: usize,
    /// The rebuilt table that holds most rows, and how many.
    pub main: Option<(String, usize)>,
    pub has_key: bool,
    /// For lists: does the rebuilt table refer to that of the pages?
    pub has_owner: Option<bool>,
    pub columns: Vec<ColumnScore>,
}

/// A true column beside what was found of it.
pub struct ColumnScore {
    pub name: &'static str,
    pub n_cells: usize,
    pub n_right: usize,
    pub has_type: bool,
    /// For references that pages show as links: is there a declared one?
    pub has_reference: Option<bool>,
    /// The rebuilt columns that hold it.
    pub held_by: Vec<String>,
    /// Why cells were lost: how many, and an example.
    pub losses: BTreeMap<&'static str, (usize, String)>,
}

/// A share of rows or cells from which a table, column or reference counts as recovered.
pub const RECOVERED: f64 = 0.9;

/// Scores every true table.
pub fn table_scores(shown: &ShownDatabase, rebuilt: &RebuiltDatabase, pairings: &[Pairing]) -> Vec<TableScore> {
    (0..shown.tables.len())
        .map(|truth| table_score(shown, rebuilt, pairings, truth))
        .collect()
}

fn table_score(shown: &ShownDatabase, rebuilt: &RebuiltDatabase, pairings: &[Pairing], truth: usize) -> TableScore {
    let table = &shown.tables[truth];
    let own: Vec<&Pairing> = pairings.iter().filter(|pairing| pairing.truth == truth).collect();
    let main = own.iter().max_by_key(|pairing| pairing.rows.len()).copied();
    // For each true row the pairing and rebuilt row it is in.
    let mut places: Vec<Vec<(&Pairing, usize)>> = vec![Vec::new(); table.rows.len()];
    for pairing in &own {
        for &(row, true_row) in &pairing.rows {
            places[true_row].push((pairing, row));
        }
    }
    let columns = (0..table.columns.len()).map(|column| column_score(shown, rebuilt, (truth, column), &places, &own));
    TableScore {
        name: table.name,
        n_rows: table.rows.len(),
        n_found: places.iter().filter(|places| !places.is_empty()).count(),
        main: main.map(|pairing| (rebuilt.tables[pairing.rebuilt].name.clone(), pairing.rows.len())),
        has_key: main.is_some_and(|pairing| has_key(rebuilt, pairing.rebuilt)),
        has_owner: (table.is_child && !table.is_alone)
            .then(|| main.is_some_and(|pairing| has_owner(rebuilt, pairing.rebuilt))),
        columns: columns.collect(),
    }
}

/// The address of the page is the key of a table of pages; a list's key begins with it.
fn has_key(rebuilt: &RebuiltDatabase, index: usize) -> bool {
    let table = &rebuilt.tables[index];
    let roles: Vec<Role> = table.key.iter().map(|&column| table.columns[column].role).collect();
    match table.is_child() {
        false => roles == [Role::Address],
        true => roles.contains(&Role::Address) && roles.contains(&Role::Position),
    }
}

fn has_owner(rebuilt: &RebuiltDatabase, index: usize) -> bool {
    let table = &rebuilt.tables[index];
    table.references.iter().any(|reference| {
        let first = reference.columns.first().map(|&column| table.columns[column].role);
        first == Some(Role::Address) && rebuilt.tables[reference.table].page_class == table.page_class
    })
}

fn column_score(
    shown: &ShownDatabase,
    rebuilt: &RebuiltDatabase,
    (truth, column): (usize, usize),
    places: &[Vec<(&Pairing, usize)>],
    own: &[&Pairing],
) -> ColumnScore {
    let table = &shown.tables[truth];
    let about = &table.columns[column];
    let mut score = ColumnScore {
        name: about.name,
        n_cells: 0,
        n_right: 0,
        has_type: false,
        has_reference: None,
        held_by: own
            .iter()
            .filter_map(|pairing| held_by(rebuilt, pairing, column))
            .collect(),
        losses: BTreeMap::new(),
    };
    let mut n_referring = 0;
    for (true_row, places) in places.iter().enumerate() {
        let Some(accepted) = &table.rows[true_row].cells[column] else {
            continue;
        };
        score.n_cells += 1;
        n_referring += usize::from(refers(rebuilt, table, (true_row, column), places));
        match loss(rebuilt, table, (true_row, column), places) {
            None => score.n_right += 1,
            Some((why, value)) => {
                let example = || format!("{}: {:?} but {value:?}", table.rows[true_row].page, accepted.last());
                score.losses.entry(why).or_insert_with(|| (0, example())).0 += 1;
            }
        }
    }
    let main = own.iter().max_by_key(|pairing| pairing.rows.len());
    let seen = main.and_then(|pairing| Some((pairing.rebuilt, pairing.columns[column]?)));
    score.has_type = seen.is_some_and(|(index, seen)| has_type(rebuilt, index, seen, about.shown));
    let is_enough = n_referring as f64 >= RECOVERED * score.n_cells as f64 && n_referring > 0;
    score.has_reference = about.is_linked.then_some(is_enough);
    score
}

fn held_by(rebuilt: &RebuiltDatabase, pairing: &Pairing, column: usize) -> Option<String> {
    let (table, seen) = (&rebuilt.tables[pairing.rebuilt], pairing.columns[column]?);
    let table = seen.above.map_or(table, |above| &rebuilt.tables[table.above[above].0]);
    Some(format!("{}.{}", table.name, table.columns[seen.column].name))
}

fn has_type(rebuilt: &RebuiltDatabase, index: usize, seen: Seen, shown: Shown) -> bool {
    let table = seen.above.map_or(index, |above| rebuilt.tables[index].above[above].0);
    let table = &rebuilt.tables[table];
    let refers = matches!(shown, Shown::To(_) | Shown::Group) && table.target(seen.column).is_some();
    refers || shown.kinds().contains(&table.columns[seen.column].kind.as_str())
}

/// Does some column of the row that is declared to refer hold the right record?
fn refers(
    rebuilt: &RebuiltDatabase,
    table: &ShownTable,
    (true_row, column): (usize, usize),
    places: &[(&Pairing, usize)],
) -> bool {
    places.iter().any(|&(pairing, row)| {
        let found = &rebuilt.tables[pairing.rebuilt];
        let mut referring = found.data_columns().filter(|&column| found.target(column).is_some());
        referring.any(|own| is_right(table, true_row, column, found.rows[row][own].as_deref()))
    })
}

/// Why a cell is lost, with what stands in its place; none when it is right.
fn loss<'a>(
    rebuilt: &'a RebuiltDatabase,
    table: &ShownTable,
    (true_row, column): (usize, usize),
    places: &[(&Pairing, usize)],
) -> Option<(&'static str, Option<&'a str>)> {
    let mut why = ("no row", None);
    for &(pairing, row) in places {
        let Some(seen) = pairing.columns[column] else {
            why = ("no column", None);
            continue;
        };
        let value = rebuilt.value(pairing.rebuilt, row, seen);
        if is_right(table, true_row, column, value) {
            return None;
        }
        why = if value.is_some() {
            ("wrong", value)
        } else {
            ("empty", None)
        };
    }
    Some(why)
}

/// Does the rebuilt cell hold what the page says of a value that is absent?
fn is_said_absent(table: &ShownTable, true_row: usize, column: usize, value: &str) -> bool {
    table.rows[true_row].cells[column].is_none() && ABSENT.contains(&value)
}

/// How right a rebuilt column is that holds true ones.
pub struct HeldScore {
    pub name: String,
    pub n_values: usize,
    pub n_right: usize,
    /// The first values that are wrong, with their pages.
    pub examples: Vec<String>,
}

/// Scores the rebuilt columns that hold true ones: every value of theirs, on whatever row.
pub fn held_scores(shown: &ShownDatabase, rebuilt: &RebuiltDatabase, pairings: &[Pairing]) -> Vec<HeldScore> {
    let mut scores = Vec::new();
    for (index, table) in rebuilt.tables.iter().enumerate() {
        let own: Vec<&Pairing> = pairings.iter().filter(|pairing| pairing.rebuilt == index).collect();
        let mut places = vec![None; table.rows.len()];
        for pairing in &own {
            for &(row, true_row) in &pairing.rows {
                places[row] = Some((*pairing, true_row));
            }
        }
        for column in table.data_columns() {
            let seen = Some(Seen { above: None, column });
            if !own.iter().any(|pairing| pairing.columns.contains(&seen)) {
                continue;
            }
            scores.push(held_score(shown, rebuilt, (index, column), &places));
        }
    }
    scores
}

fn held_score(
    shown: &ShownDatabase,
    rebuilt: &RebuiltDatabase,
    (index, column): (usize, usize),
    places: &[Option<(&Pairing, usize)>],
) -> HeldScore {
    let table = &rebuilt.tables[index];
    let seen = Some(Seen { above: None, column });
    let mut score = HeldScore {
        name: format!("{}.{}", table.name, table.columns[column].name),
        n_values: 0,
        n_right: 0,
        examples: Vec::new(),
    };
    for (row, place) in places.iter().enumerate() {
        let Some(value) = table.rows[row][column].as_deref() else {
            continue;
        };
        score.n_values += 1;
        let is_good = place.is_some_and(|(pairing, true_row)| {
            let truth = &shown.tables[pairing.truth];
            let mut held = (0..truth.columns.len()).filter(|&column| pairing.columns[column] == seen);
            held.any(|column| {
                is_right(truth, true_row, column, Some(value)) || is_said_absent(truth, true_row, column, value)
            })
        });
        score.n_right += usize::from(is_good);
        if !is_good && score.examples.len() < 3 {
            score.examples.push(format!("{}: {value:?}", table.pages[row]));
        }
    }
    score
}
