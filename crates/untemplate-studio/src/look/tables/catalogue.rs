//! The catalogue of a database: its tables and columns, with what the database tells of itself.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::natural::{NATURAL, natural};

/// How long one question may take.
pub const TIME_MAX: Duration = Duration::from_secs(20);

/// What a database has.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The file.
    pub file: PathBuf,
    /// The tables, in the order of their names; those without row numbers are left out, since
    /// nothing of ours writes them.
    pub tables: Vec<KnownTable>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTable {
    /// Its name.
    pub name: String,
    /// The number of its page class.
    pub page_class: Option<i64>,
    /// The name of its page class.
    pub class: Option<String>,
    /// The file of its wrapper, below the folder of the database.
    pub wrapper: Option<String>,
    /// The lists on the pages of its class whose rows it has; none for a row a page.
    pub list_path: Vec<String>,
    /// How many rows it has.
    pub n_rows: u64,
    /// Its columns, in their order.
    pub columns: Vec<KnownColumn>,
    /// The name of the row's number: one that no column has.
    pub row_id: &'static str,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownColumn {
    /// Its name.
    pub name: String,
    /// What its values are, in a word.
    pub kind: String,
    /// Their unit.
    pub unit: Option<String>,
    /// Where its values come from, in a word; empty when the database does not tell.
    pub source: String,
    /// Its place in the key of the table, from 1; 0 when it is none of it.
    pub key: i64,
}

impl KnownColumn {
    /// The column in SQL, as what it is compared and ordered as: numbers in texts by their amounts.
    pub fn compared(&self) -> String {
        match self.is_number() {
            true => quoted(&self.name),
            false => format!("{} COLLATE {NATURAL}", quoted(&self.name)),
        }
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.kind.as_str(), "integer" | "decimal" | "real" | "numeric")
    }
}

impl KnownTable {
    /// Whether its rows are those of a list on the pages of its class.
    pub fn is_list(&self) -> bool {
        !self.list_path.is_empty()
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// What people call the thing that a row is about, in the languages that pages have most; a column
/// of such a name comes first.
const NAMES: [&str; 8] = ["name", "title", "nom", "nombre", "nome", "titel", "titre", "titulo"];

impl KnownTable {
    /// The columns in the order in which they are looked at: names first, then what was read, then
    /// texts as pages show them, places in lists, and addresses last.
    pub fn in_view_order(&self) -> Vec<usize> {
        let rank = |place: &usize| {
            let column = &self.columns[*place];
            let is_name = NAMES.contains(&column.name.to_lowercase().as_str());
            match column.source.as_str() {
                "address" => 5,
                _ if column.kind == "url" => 4,
                "position" => 3,
                "raw" => 2,
                _ if is_name => 0,
                _ => 1,
            }
        };
        let mut places: Vec<usize> = (0..self.columns.len()).collect();
        places.sort_by_key(rank);
        places
    }
}

/// A name as SQL quotes it, whatever a page calls it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\"").replace('\0', ""))
}

/// Opens a database that is only read.
pub fn open(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    // What a stranger's database defines is not run, and what does not fit into memory goes to a
    // file.
    connection.create_collation(NATURAL, natural)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE")?;
    Ok(connection)
}

/// Asks a database, on a thread of its own, for as long as a question may take. The text says what
/// went wrong.
pub async fn ask<T: Send + 'static>(
    file: &Path,
    question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
) -> Result<T, String> {
    ask_within(file, TIME_MAX, question).await
}

/// The same, for as long as is given.
pub async fn ask_within<T: Send + 'static>(
    file: &Path,
    limit: Duration,
    question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
) -> Result<T, String> {
    let failed = |error: rusqlite::Error| format!("the database says: {error}");
    let connection = open(file).map_err(failed)?;
    let handle = connection.get_interrupt_handle();
    let work = spawn_blocking(move || question(&connection));
    match timeout(limit, work).await {
        Ok(Ok(answer)) => answer.map_err(failed),
        Ok(Err(_)) => Err("the question could not be put; try again".to_owned()),
        Err(_) => {
            handle.interrupt();
            Err(format!(
                "the answer took longer than {} seconds; ask for less",
                limit.as_secs()
            ))
        }
    }
}

impl Catalogue {
    /// Reads the catalogue of a database; the text says why that failed.
    pub fn open(file: &Path) -> Result<Self, String> {
        let read = || {
            let connection = open(file)?;
            let tables = tables(&connection)?;
            Ok(Self {
                file: file.to_owned(),
                tables,
            })
        };
        read().map_err(|error: rusqlite::Error| format!("{}: {error}", file.display()))
    }

    /// The tables as they are looked at: those of pages first, the largest before others, each with
    /// the lists of its pages behind it.
    pub fn in_view_order(&self) -> Vec<&KnownTable> {
        let of_pages = |class: Option<i64>| {
            let own = self.tables.iter().find(|own| !own.is_list() && own.page_class == class);
            own.map_or(0, |own| own.n_rows)
        };
        let mut tables: Vec<&KnownTable> = self.tables.iter().collect();
        tables.sort_by_key(|table| {
            let class = (Reverse(of_pages(table.page_class)), table.page_class);
            (class, table.is_list(), Reverse(table.n_rows))
        });
        tables
    }

    /// An address that its pages were read from, if it tells.
    pub fn page_of_it(&self) -> Option<String> {
        let connection = open(&self.file).ok()?;
        let sql = "SELECT url FROM _untemplate_pages WHERE state = 'read' LIMIT 1";
        connection.query_row(sql, [], |row| row.get(0)).ok()
    }

    /// The class that a page was read as.
    pub fn class_of_page(&self, url: &str) -> Option<i64> {
        let connection = open(&self.file).ok()?;
        let sql = "SELECT page_class FROM _untemplate_pages WHERE url = ?";
        connection.query_row(sql, [url], |row| row.get(0)).ok()?
    }
}

fn tables(connection: &Connection) -> rusqlite::Result<Vec<KnownTable>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_untemplate\\_%' ESCAPE '\\' ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let names = statement.query_map([], |row| row.get(0))?;
    let names = names.collect::<rusqlite::Result<Vec<String>>>()?;
    let mut tables = Vec::new();
    for name in names {
        tables.extend(table(connection, name)?);
    }
    Ok(tables)
}

fn table(connection: &Connection, name: String) -> rusqlite::Result<Option<KnownTable>> {
    let mut columns = plain_columns(connection, &name)?;
    let is_free = |id: &&str| !columns.iter().any(|column| column.name.eq_ignore_ascii_case(id));
    let Some(row_id) = ["rowid", "_rowid_", "oid"].into_iter().find(is_free) else {
        return Ok(None);
    };
    // A table may be made without row numbers.
    let probe = format!("SELECT {row_id} FROM {} LIMIT 0", quoted(&name));
    if columns.is_empty() || connection.prepare(&probe).is_err() {
        return Ok(None);
    }
    let told = told_table(connection, &name);
    for column in &mut columns {
        tell_column(connection, &name, column);
    }
    let (page_class, class, wrapper, n_rows, list_path) = told.unwrap_or_default();
    let n_rows = match n_rows {
        Some(n_rows) => n_rows,
        None => connection.query_row(&format!("SELECT count(*) FROM {}", quoted(&name)), [], |row| row.get(0))?,
    };
    Ok(Some(KnownTable {
        name,
        page_class,
        class,
        wrapper,
        list_path: serde_json::from_str(&list_path).unwrap_or_default(),
        n_rows: n_rows.max(0) as u64,
        columns,
        row_id,
    }))
}

/// The columns as SQL declares them.
fn plain_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<KnownColumn>> {
    let mut statement = connection.prepare("SELECT name, lower(type), pk FROM pragma_table_info(?) ORDER BY cid")?;
    let columns = statement.query_map([table], |row| {
        let declared: String = row.get(1)?;
        Ok(KnownColumn {
            name: row.get(0)?,
            kind: if declared.is_empty() {
                "text".to_owned()
            } else {
                declared
            },
            key: row.get(2)?,
            ..KnownColumn::default()
        })
    })?;
    columns.collect()
}

/// The class's number and name, the wrapper, the number of rows, and the lists that they are of.
type ToldTable = (Option<i64>, Option<String>, Option<String>, Option<i64>, String);

/// What the database tells of a table; `None` when it tells nothing.
fn told_table(connection: &Connection, name: &str) -> Option<ToldTable> {
    let sql = "SELECT page_class, class_name, wrapper, n_rows, list_path FROM _untemplate_tables WHERE table_name = ?";
    let told = connection.query_row(sql, [name], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    });
    told.optional().ok().flatten()
}

fn tell_column(connection: &Connection, table: &str, column: &mut KnownColumn) {
    let sql = "SELECT kind, unit, source FROM _untemplate_columns WHERE table_name = ? AND column_name = ?";
    let told = connection.query_row(sql, [table, &column.name], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    });
    if let Ok((kind, unit, source)) = told {
        (column.kind, column.unit, column.source) = (kind, unit, source);
    }
}
