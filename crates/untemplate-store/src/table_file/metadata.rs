//! What a database tells of itself: where each table, column and page comes from.
//!
//! `_untemplate_tables` leads from a table to its page class and wrapper, `_untemplate_columns`
//! from a column to the field it was read from, and `_untemplate_pages` has every page, with what
//! became of it. `_untemplate_left_out` has for each class how much of its text is in a column or
//! is the frame of the site (no place), and the places whose text is in neither. `_untemplate_job`
//! has where the job began, so that no job for another site takes its place. `show cell` reads
//! them, and so may anybody.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use untemplate::job::ClassCoverage;
use untemplate::table::{ColumnKind, ColumnSource, Database};

use super::sql_name::table_name;

/// What is known of a page class, for whoever traces a table to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassMark {
    /// Its name.
    pub name: String,
    /// The file of its wrapper, below the folder of the tables; none for classes without one.
    pub wrapper: Option<String>,
}

/// A page, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageMark {
    /// Its address.
    pub url: String,
    /// The number of its page class, where it has one.
    pub page_class: Option<usize>,
    /// When it was first seen, as `2004-06-25T18:00:00Z`; none from sources that know no time.
    pub first_seen: Option<String>,
    /// When it was last seen.
    pub last_seen: Option<String>,
    /// What became of it.
    pub state: PageState,
}

/// What became of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageState {
    /// Its data is in the tables.
    Read,
    /// It was there, and no wrapper could read it.
    Unread,
    /// It could not be had.
    Failed,
    /// It was there in an earlier run, and is no more.
    Vanished,
    /// It was there in an earlier run, and this one, which was cut short, did not come to it.
    NotReached,
}

impl PageState {
    /// The word for it in the database.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Unread => "unread",
            Self::Failed => "failed",
            Self::Vanished => "vanished",
            Self::NotReached => "not reached",
        }
    }
}

/// Makes the tables.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "CREATE TABLE _untemplate_tables (table_name TEXT PRIMARY KEY, page_class INTEGER NOT NULL, class_name TEXT, wrapper TEXT, list_path TEXT NOT NULL, n_rows INTEGER NOT NULL);
         CREATE TABLE _untemplate_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, unit TEXT, is_nullable BOOLEAN NOT NULL, source TEXT NOT NULL, source_key TEXT, PRIMARY KEY (table_name, position));
         CREATE TABLE _untemplate_left_out (page_class INTEGER NOT NULL, class_name TEXT NOT NULL, place TEXT, reason TEXT NOT NULL, n_characters INTEGER NOT NULL, share REAL NOT NULL, url TEXT);
         CREATE TABLE _untemplate_job (entry TEXT NOT NULL);
         CREATE TABLE _untemplate_pages (url TEXT PRIMARY KEY, page_class INTEGER, first_seen TEXT, last_seen TEXT, state TEXT NOT NULL);",
    )
}

/// Notes where the job began.
pub(super) fn write_entry(connection: &Connection, entry: &str) -> rusqlite::Result<()> {
    connection
        .execute("INSERT INTO _untemplate_job VALUES (?)", [entry])
        .map(|_| ())
}

/// The most places of a class whose lost text is noted.
const LOST_MAX: usize = 100;

/// Tells what became of the text of each class's pages.
pub(super) fn write_left_out(connection: &Connection, classes: &[ClassCoverage]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("INSERT INTO _untemplate_left_out VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    for class in classes.iter().filter(|class| class.coverage.n_chars() > 0) {
        let own = &class.coverage;
        let mut put = |place: Option<&str>, reason: &str, n_chars: usize| {
            let share = n_chars as f64 / own.n_chars() as f64;
            let number = class.page_class as i64;
            statement.execute(params![
                number,
                class.name,
                place,
                reason,
                n_chars as i64,
                share,
                class.example
            ])
        };
        put(None, "in a column", own.n_in_columns)?;
        put(None, "the frame of the site", own.n_frame)?;
        put(None, "in neither", own.n_lost)?;
        for lost in own.lost.iter().take(LOST_MAX) {
            put(Some(&lost.path), &lost.reason, lost.n_chars)?;
        }
    }
    Ok(())
}

/// Tells of tables and columns.
pub(super) fn write_schema(
    connection: &Connection,
    database: &Database,
    classes: &[ClassMark],
    n_rows: &[usize],
) -> rusqlite::Result<()> {
    let mut tables = connection.prepare("INSERT INTO _untemplate_tables VALUES (?,?,?,?,?,?)")?;
    let mut columns = connection.prepare("INSERT INTO _untemplate_columns VALUES (?,?,?,?,?,?,?,?)")?;
    for (table, n_rows) in database.tables.iter().zip(n_rows) {
        let name = table_name(&table.name);
        let class = classes.get(table.page_class);
        let list_path = serde_json::Value::from(table.list_path.clone()).to_string();
        tables.execute(params![
            name,
            table.page_class as i64,
            class.map(|class| &class.name),
            class.and_then(|class| class.wrapper.as_ref()),
            list_path,
            *n_rows as i64,
        ])?;
        for (position, column) in table.columns.iter().enumerate() {
            let (source, key) = source_words(database, &column.source);
            columns.execute(params![
                name,
                column.name,
                position as i64 + 1,
                kind_word(column.kind),
                column.unit,
                column.is_nullable,
                source,
                key,
            ])?;
        }
    }
    Ok(())
}

/// Where a column's values come from: in a word, and the key that goes with it.
pub(crate) fn source_words(database: &Database, source: &ColumnSource) -> (&'static str, Option<String>) {
    match source {
        ColumnSource::Address => ("address", None),
        ColumnSource::Position(depth) => ("position", Some(depth.to_string())),
        ColumnSource::Field(key) => ("field", Some(key.clone())),
        ColumnSource::Raw(key) => ("raw", Some(key.clone())),
        ColumnSource::Unit(key) => ("unit", Some(key.clone())),
        ColumnSource::Joined(table, column) => {
            let own = database.tables.get(*table);
            let name = own.and_then(|own| own.columns.get(*column)).map(|column| &column.name);
            let pair = own
                .zip(name)
                .map(|(own, name)| format!("{}.{name}", table_name(&own.name)));
            ("joined", pair)
        }
    }
}

/// The word for a kind.
pub(crate) fn kind_word(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "integer",
        ColumnKind::Decimal => "decimal",
        ColumnKind::Date => "date",
        ColumnKind::DateTime => "datetime",
        ColumnKind::Time => "time",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Url => "url",
        ColumnKind::Email => "email",
        ColumnKind::Phone => "phone",
        ColumnKind::Enum => "enum",
        ColumnKind::Text => "text",
    }
}

/// Notes a page; what was noted of it before is forgotten.
pub(super) fn write_page(connection: &Connection, page: &PageMark) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO _untemplate_pages VALUES (?,?,?,?,?)")?;
    let class = page.page_class.map(|class| class as i64);
    statement.execute(params![
        page.url,
        class,
        page.first_seen,
        page.last_seen,
        page.state.word()
    ])?;
    Ok(())
}

/// Takes over what an earlier database knows: when pages were first seen, and pages that this run
/// does not have, in this state.
pub(super) fn carry_pages(connection: &Connection, earlier: &Path, state: PageState) -> rusqlite::Result<()> {
    let old = Connection::open_with_flags(earlier, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let known = "SELECT 1 FROM sqlite_master WHERE name = '_untemplate_pages'";
    if old.query_row(known, [], |_| Ok(())).optional()?.is_none() {
        return Ok(());
    }
    let mut pages =
        old.prepare("SELECT url, page_class, first_seen, last_seen, state FROM _untemplate_pages ORDER BY url")?;
    let mut rows = pages.query([])?;
    let mut seen =
        connection.prepare("UPDATE _untemplate_pages SET first_seen = coalesce(?2, first_seen) WHERE url = ?1")?;
    let mut gone = connection.prepare("INSERT INTO _untemplate_pages VALUES (?,?,?,?,?)")?;
    while let Some(row) = rows.next()? {
        let (url, first_seen): (String, Option<String>) = (row.get(0)?, row.get(2)?);
        if seen.execute(params![url, first_seen])? > 0 {
            continue;
        }
        let (class, last_seen): (Option<i64>, Option<String>) = (row.get(1)?, row.get(3)?);
        // What vanished once stays so until it is seen again.
        let before: String = row.get(4)?;
        let is_gone = before == PageState::Vanished.word();
        let word = if is_gone { before.as_str() } else { state.word() };
        gone.execute(params![url, class, first_seen, last_seen, word])?;
    }
    Ok(())
}
