//! The verdict: how many cells of a rebuilt database are right, against the database that the site
//! was made from.
//!
//! In: the `tables.sqlite` of a job on the site. Out: for each kind of record, how many of the
//! values on its pages stand in a cell of the row of that page. Names play no part: a true column
//! is given the rebuilt column that agrees with it most often, and what stands elsewhere in the row
//! is not right. Lists within pages are not looked at; `cargo xtask eval roundtrip` does that.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::facts::{Fact, plain};
use crate::route::{parse_route, path_of};
use crate::site::DemoSite;

/// How many values of a kind of record were recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Values that the pages show.
    pub n_cells: usize,
    /// Those that stand in the right cell.
    pub n_right: usize,
}

/// Judges the tables of a job, whose pages are below `base`: a verdict for each kind of record, by
/// its name.
pub fn judge(site: &DemoSite, base: &str, tables: &Path) -> rusqlite::Result<BTreeMap<&'static str, Verdict>> {
    let database = Connection::open_with_flags(tables, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut verdicts: BTreeMap<&'static str, Verdict> = BTreeMap::new();
    for route in site.routes() {
        if let Some((kind, facts)) = site.facts(&route) {
            verdicts.entry(kind).or_default().n_cells += facts.len();
        }
    }
    for (table, address) in page_tables(&database)? {
        let mut agreements = Agreements::default();
        let columns = columns_of(&database, &table)?;
        let names: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
        if names.is_empty() {
            continue;
        }
        let sql = format!(
            "SELECT {}, {} FROM {}",
            quoted(&address),
            names.join(", "),
            quoted(&table)
        );
        let mut statement = database.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let url: String = row.get(0)?;
            let path = format!("/{}", url.strip_prefix(base).unwrap_or_default());
            let Some((kind, facts)) = facts_at(site, &path) else {
                continue;
            };
            let cells: Vec<Option<String>> = (1..=columns.len())
                .map(|place| row.get_ref(place).map(|value| text_of(value, base)))
                .collect::<rusqlite::Result<_>>()?;
            agreements.add(kind, &facts, &cells);
        }
        for (kind, n_right) in agreements.finish() {
            verdicts.entry(kind).or_default().n_right += n_right;
        }
    }
    Ok(verdicts)
}

/// What is true of the record at a path.
fn facts_at(site: &DemoSite, path: &str) -> Option<(&'static str, Vec<Fact>)> {
    let source = &site.source;
    let route = parse_route(path, &source.database, &source.index)?;
    // A page has one address: a copy under another one is not the record.
    (path_of(&route, &source.database) == path).then(|| site.facts(&route))?
}

/// How often each rebuilt column agrees with each true one.
#[derive(Default)]
struct Agreements {
    counts: HashMap<(&'static str, &'static str), Vec<usize>>,
}

impl Agreements {
    fn add(&mut self, kind: &'static str, facts: &[Fact], cells: &[Option<String>]) {
        for fact in facts {
            let counts = self.counts.entry((kind, fact.name)).or_default();
            counts.resize(cells.len(), 0);
            for (count, cell) in counts.iter_mut().zip(cells) {
                let is_right = |cell: &String| fact.spellings.contains(cell);
                *count += usize::from(cell.as_ref().is_some_and(is_right));
            }
        }
    }

    /// Of each kind of record, the cells that are right in the columns that agree best.
    fn finish(self) -> Vec<(&'static str, usize)> {
        let best = |(key, counts): ((&'static str, _), Vec<usize>)| (key.0, counts.into_iter().max().unwrap_or(0));
        self.counts.into_iter().map(best).collect()
    }
}

/// The tables with a row a page, and their column with its address.
fn page_tables(database: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let sql = "SELECT table_name, column_name FROM _untemplate_columns a WHERE source = 'address' AND NOT EXISTS \
               (SELECT 1 FROM _untemplate_columns b WHERE b.table_name = a.table_name AND b.source = 'position') \
               ORDER BY table_name";
    let mut statement = database.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

fn columns_of(database: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let sql =
        "SELECT column_name FROM _untemplate_columns WHERE table_name = ? AND source <> 'address' ORDER BY position";
    let mut statement = database.prepare(sql)?;
    let rows = statement.query_map([table], |row| row.get(0))?;
    rows.collect()
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A stored value as facts are spelt; an address on the site as its path.
fn text_of(value: ValueRef<'_>, base: &str) -> Option<String> {
    match value {
        ValueRef::Null | ValueRef::Blob(_) => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            Some(match text.strip_prefix(base) {
                Some(path) => format!("/{path}"),
                None => plain(&text),
            })
        }
    }
}
