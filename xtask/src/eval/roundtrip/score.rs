//! The score of one round trip: shares, and the story behind them for whoever wants to make them
//! better.

use super::count::{self, HeldScore, RECOVERED, TableScore};
use super::extra::{self, Standing};
use super::pairing::{self, Pairing};
use super::rebuilt::{RebuiltDatabase, Role};
use super::shown::ShownDatabase;
use std::fmt::{self, Write};

/// A count, and of how many.
#[derive(Clone, Copy, Default, Debug)]
pub struct Share {
    pub part: usize,
    pub whole: usize,
}

impl Share {
    /// As a number from 0 to 1; nothing of nothing is all.
    pub fn share(self) -> f64 {
        if self.whole == 0 {
            1.0
        } else {
            self.part as f64 / self.whole as f64
        }
    }

    fn add(&mut self, is_part: bool) {
        self.part += usize::from(is_part);
        self.whole += 1;
    }
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.part, self.whole)
    }
}

/// What came of a trip.
#[derive(Default)]
pub struct Score {
    pub tables: Share,
    pub tables_invented: usize,
    pub columns: Share,
    pub cells: Share,
    pub correct: Share,
    pub types: Share,
    pub keys: Share,
    pub references: Share,
    pub references_invented: usize,
    /// Of all data columns, those that hold nothing true, and those that hold it again.
    pub invented: Share,
    pub repeated: Share,
    /// Everything, for a person to read.
    pub story: String,
}

impl Score {
    /// The main figures in a line.
    pub fn line(&self) -> String {
        format!(
            "cells {:.4} correct {:.4} foreign keys {} invented {}",
            self.cells.share(),
            self.correct.share(),
            self.references,
            self.invented
        )
    }
}

/// Compares a rebuilt database with the truth.
pub fn score(shown: &ShownDatabase, rebuilt: &RebuiltDatabase) -> Score {
    let pairings = pairing::pairings(shown, rebuilt);
    let mut score = Score::default();
    let tables = count::table_scores(shown, rebuilt, &pairings);
    for (table, truth) in tables.iter().zip(&shown.tables) {
        if !truth.is_derived {
            add_table(&mut score, table);
        }
        tell_table(&mut score.story, table);
    }
    score
        .story
        .push_str("\n== wrong values in columns that hold true ones\n");
    for held in count::held_scores(shown, rebuilt, &pairings) {
        score.correct.part += held.n_right;
        score.correct.whole += held.n_values;
        tell_held(&mut score.story, &held);
    }
    add_extras(&mut score, shown, rebuilt, &pairings);
    score.references_invented += rebuilt.n_broken;
    score
}

fn add_table(score: &mut Score, table: &TableScore) {
    // A table without rows in this truth cannot be recovered, nor lost.
    if table.n_rows == 0 {
        return;
    }
    let n_main = table.main.as_ref().map_or(0, |(_, n_rows)| *n_rows);
    score
        .tables
        .add(n_main as f64 >= RECOVERED * table.n_rows as f64 && n_main > 0);
    score.keys.add(table.has_key);
    if let Some(has_owner) = table.has_owner {
        score.references.add(has_owner);
    }
    for column in &table.columns {
        // A column without values in this truth cannot be recovered, nor lost.
        if column.n_cells == 0 {
            continue;
        }
        score.cells.part += column.n_right;
        score.cells.whole += column.n_cells;
        score
            .columns
            .add(column.n_right as f64 >= RECOVERED * column.n_cells as f64);
        score.types.add(column.has_type);
        if let Some(has_reference) = column.has_reference {
            score.references.add(has_reference);
        }
    }
}

fn add_extras(score: &mut Score, shown: &ShownDatabase, rebuilt: &RebuiltDatabase, pairings: &[Pairing]) {
    let standings = extra::standings(shown, rebuilt, pairings);
    score.story.push_str("\n== rebuilt tables\n");
    for (index, (table, standings)) in rebuilt.tables.iter().zip(&standings).enumerate() {
        let is_paired = pairings.iter().any(|pairing| pairing.rebuilt == index);
        let is_repeated =
            !standings.is_empty() && standings.iter().all(|(_, standing, _)| *standing == Standing::Repeated);
        score.tables_invented += usize::from(!is_paired && !is_repeated);
        let word = match (is_paired, is_repeated) {
            (true, _) => "held",
            (false, true) => "repeated",
            (false, false) => "INVENTED",
        };
        let _ = writeln!(score.story, "{} [{word}] {} rows", table.name, table.rows.len());
        for (column, standing, examples) in standings {
            score.invented.add(*standing == Standing::Invented);
            score.repeated.add(*standing == Standing::Repeated);
            let about = &table.columns[*column];
            let target = table
                .target(*column)
                .map_or(String::new(), |target| format!(" -> {}", rebuilt.tables[target].name));
            score.references_invented += usize::from(*standing == Standing::Invented && !target.is_empty());
            let _ = writeln!(
                score.story,
                "    {standing:?} {} {}{target}: {examples}",
                about.name, about.kind
            );
        }
        let others = table.columns.iter().filter(|column| column.role != Role::Data);
        let others: Vec<String> = others
            .map(|column| format!("{} ({:?})", column.name, column.role))
            .collect();
        let _ = writeln!(score.story, "    beside: {}", others.join(", "));
    }
}

fn tell_table(story: &mut String, table: &TableScore) {
    let _ = writeln!(
        story,
        "== {}: {} of {} rows found, most in {:?}, key {}, owner {:?}",
        table.name, table.n_found, table.n_rows, table.main, table.has_key, table.has_owner
    );
    for column in &table.columns {
        let _ = writeln!(
            story,
            "  {} {}/{} type {} reference {:?} in {}",
            column.name,
            column.n_right,
            column.n_cells,
            column.has_type,
            column.has_reference,
            column.held_by.join(", ")
        );
        for (why, (count, example)) in &column.losses {
            let _ = writeln!(
                story,
                "      {count} {why}, such as {}",
                extra::shortened_to(example, 300)
            );
        }
    }
}

fn tell_held(story: &mut String, held: &HeldScore) {
    if held.n_right == held.n_values {
        return;
    }
    let _ = writeln!(story, "  {} {}/{}", held.name, held.n_right, held.n_values);
    for example in &held.examples {
        let _ = writeln!(story, "      {}", extra::shortened_to(example, 300));
    }
}
