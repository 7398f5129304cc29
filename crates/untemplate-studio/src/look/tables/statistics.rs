//! Statistics of a column: how many values, how many different ones, from where to where, which
//! ones most often.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension};
use untemplate_report::Bar;

use super::catalogue::{KnownColumn, KnownTable, ask, quoted};
use super::rows::text_at;

/// Rows that the small drawing above a column is made from, and whose values are told apart.
pub const SAMPLE_ROWS: u64 = 100_000;

/// Bars of a drawing.
const BARS_MAX: i64 = 24;

/// Values that are told as the most common.
const COMMON_MAX: usize = 12;

/// Statistics that stay in memory.
const KEPT_MAX: usize = 512;

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    /// The rows looked at.
    pub n_rows: u64,
    /// Those with a value.
    pub n_filled: u64,
    /// Different values, of the first [`SAMPLE_ROWS`].
    pub n_distinct: u64,
    /// The least value.
    pub least: Option<String>,
    /// The greatest.
    pub greatest: Option<String>,
    /// The mean, of numbers.
    pub mean: Option<f64>,
    /// The most common values of the same rows, and how often.
    pub common: Vec<(String, u64)>,
    /// How the values are spread.
    pub bars: Vec<Bar>,
}

/// File, its time, table, column, whether of all rows.
type Key = (PathBuf, Option<SystemTime>, String, String, bool);

/// Statistics that were made, until the database changes.
#[derive(Default)]
pub struct Kept {
    known: Mutex<HashMap<Key, Arc<Statistics>>>,
}

impl Kept {
    /// The statistics of a column, of all rows or of the first many.
    pub async fn of(
        &self,
        file: &Path,
        table: &KnownTable,
        column: usize,
        of_all: bool,
    ) -> Result<Arc<Statistics>, String> {
        let modified = std::fs::metadata(file).and_then(|facts| facts.modified()).ok();
        let name = table.columns[column].name.clone();
        let key = (file.to_owned(), modified, table.name.clone(), name, of_all);
        if let Some(known) = self.lock().get(&key) {
            return Ok(Arc::clone(known));
        }
        let own = table.clone();
        let made = ask(file, move |connection| statistics(connection, &own, column, of_all)).await?;
        let made = Arc::new(made);
        let mut known = self.lock();
        if known.len() >= KEPT_MAX {
            known.clear();
        }
        known.insert(key, Arc::clone(&made));
        Ok(made)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Statistics>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks at a column.
pub fn statistics(
    connection: &Connection,
    table: &KnownTable,
    column: usize,
    of_all: bool,
) -> rusqlite::Result<Statistics> {
    let column = &table.columns[column];
    let name = quoted(&column.name);
    let rows = match of_all {
        true => format!("(SELECT {name} AS v FROM {})", quoted(&table.name)),
        false => format!("(SELECT {name} AS v FROM {} LIMIT {SAMPLE_ROWS})", quoted(&table.name)),
    };
    // Telling values apart sorts them all; of very many, the first ones tell enough.
    let first = format!("(SELECT {name} AS v FROM {} LIMIT {SAMPLE_ROWS})", quoted(&table.name));
    let sql = format!(
        "SELECT count(*), count(v), (SELECT count(DISTINCT v) FROM {first}), min(v), max(v), avg(CASE WHEN typeof(v) IN ('integer', 'real') THEN v END) FROM {rows}"
    );
    let mut found = connection.query_row(&sql, [], |row| {
        let number = |at: usize| row.get::<_, i64>(at).map(|number| number as u64);
        Ok(Statistics {
            n_rows: number(0)?,
            n_filled: number(1)?,
            n_distinct: number(2)?,
            least: text_at(row, 3)?,
            greatest: text_at(row, 4)?,
            mean: row.get(5)?,
            ..Statistics::default()
        })
    })?;
    found.common = pairs(
        connection,
        &format!(
            "SELECT substr(v, 1, 200), count(*) FROM {first} WHERE v IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {COMMON_MAX}"
        ),
    )?;
    found.bars = match spread(connection, column, &rows)? {
        Some(bars) => bars,
        // Values that are all different have no spread to draw.
        None if found.common.first().is_none_or(|(_, count)| *count < 2) => Vec::new(),
        None => found
            .common
            .iter()
            .map(|(label, count)| Bar {
                label: label.clone(),
                count: *count,
            })
            .collect(),
    };
    Ok(found)
}

/// How numbers and dates are spread; `None` for what has no measure.
fn spread(connection: &Connection, column: &KnownColumn, rows: &str) -> rusqlite::Result<Option<Vec<Bar>>> {
    if matches!(column.kind.as_str(), "date" | "datetime") {
        return spread_dates(connection, rows).map(Some);
    }
    let sql = format!("SELECT min(v), max(v) FROM {rows} WHERE typeof(v) IN ('integer', 'real')");
    let ends: Option<(Option<f64>, Option<f64>)> = connection
        .query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((Some(least), Some(greatest))) = ends else {
        return Ok(None);
    };
    let is_whole = column.kind == "integer";
    let n_bars = if is_whole {
        (greatest - least + 1.0).min(BARS_MAX as f64).max(1.0)
    } else {
        BARS_MAX as f64
    };
    let width = ((greatest - least + f64::from(is_whole)) / n_bars).max(f64::MIN_POSITIVE);
    let sql = format!(
        "SELECT min(max(CAST((v - ?1) / ?2 AS INTEGER), 0), ?3), count(*) FROM {rows} WHERE typeof(v) IN ('integer', 'real') GROUP BY 1"
    );
    let mut statement = connection.prepare(&sql)?;
    let counted = statement.query_map((least, width, n_bars as i64 - 1), |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    })?;
    let counted: HashMap<i64, i64> = counted.collect::<rusqlite::Result<_>>()?;
    let bar = |place: i64| {
        let from = least + width * place as f64;
        let label = match is_whole {
            true if width < 1.5 => format!("{}", from.round()),
            true => format!("{} to {}", from.ceil(), (from + width).ceil() - 1.0),
            false => format!("{from:.2} to {:.2}", from + width),
        };
        Bar {
            label,
            count: counted.get(&place).copied().unwrap_or(0) as u64,
        }
    };
    Ok(Some((0..n_bars as i64).map(bar).collect()))
}

/// Dates by year, or by month when they are of few years.
fn spread_dates(connection: &Connection, rows: &str) -> rusqlite::Result<Vec<Bar>> {
    let sql = format!("SELECT count(DISTINCT substr(v, 1, 4)) FROM {rows} WHERE v IS NOT NULL");
    let n_years: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
    let (length, most) = if n_years > 2 { (4, 60) } else { (7, 30) };
    let sql = format!(
        "SELECT substr(v, 1, {length}), count(*) FROM {rows} WHERE v IS NOT NULL GROUP BY 1 ORDER BY 1 LIMIT {most}"
    );
    let bars = pairs(connection, &sql)?.into_iter();
    Ok(bars.map(|(label, count)| Bar { label, count }).collect())
}

fn pairs(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<(String, u64)>> {
    let mut statement = connection.prepare(sql)?;
    let pairs = statement.query_map([], |row| {
        Ok((text_at(row, 0)?.unwrap_or_default(), row.get::<_, i64>(1)? as u64))
    })?;
    pairs.collect()
}
