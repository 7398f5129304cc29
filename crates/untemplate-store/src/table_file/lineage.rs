//! Lineage: from a cell of a database to the page, the list and the field that it was read from.
//!
//! In: `tables.sqlite`, a table, the key of a row and a column. Out: a [`CellOrigin`], by what the
//! database tells of itself. Where on the page the value stands is for whoever has the page and its
//! wrapper.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params_from_iter};
use untemplate::page::{NodeId, Page};
use untemplate::record::{RecordOptions, find_records};

use super::compare::text_at;
use super::sql_name::quoted;

/// Where a cell comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellOrigin {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// What its values are, in a word.
    pub kind: String,
    /// Their unit.
    pub unit: Option<String>,
    /// Where its values come from, in a word: `address`, `position`, `field`, `raw`, `unit` or
    /// `joined`.
    pub source: String,
    /// The key of the field, the depth of the position, or the joined column.
    pub key: Option<String>,
    /// The name of the page class.
    pub class: Option<String>,
    /// The file of the wrapper, below the folder of the database.
    pub wrapper: Option<String>,
    /// The lists that lead to the row, outermost first, each with the place in it, from 1.
    pub rounds: Vec<(String, usize)>,
    /// The page.
    pub url: String,
    /// What became of the page; none where nobody noted it.
    pub page: Option<PageOrigin>,
    /// The value.
    pub value: Option<String>,
    /// The text that it was made from, where the table has it as well.
    pub raw: Option<String>,
}

/// What became of the page of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOrigin {
    /// What became of it, in a word.
    pub state: String,
    /// When it was first seen.
    pub first_seen: Option<String>,
    /// When it was last seen.
    pub last_seen: Option<String>,
}

/// Why a cell could not be traced.
#[derive(Debug, thiserror::Error)]
pub enum LineageError {
    /// The database failed.
    #[error("cannot read {}: {source}; give a folder that run, report or rebuild wrote with --format sqlite", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// What was asked for is not there.
    #[error("{}: there is no {what}; {advice}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What is not there.
        what: String,
        /// What there is.
        advice: String,
    },
}

/// A column, as the database tells of it.
struct KnownColumn {
    name: String,
    kind: String,
    unit: Option<String>,
    source: String,
    key: Option<String>,
}

/// Traces a cell. `row_key` has the values of the table's key, separated by blanks; without a key,
/// the page's address.
pub fn trace_cell(file: &Path, table: &str, row_key: &str, column: &str) -> Result<CellOrigin, LineageError> {
    let tracer = Tracer::open(file)?;
    let (table, class, wrapper, list_path) = tracer.table(table)?;
    let columns = tracer.columns(&table)?;
    let Some(own) = columns.iter().find(|own| own.name.eq_ignore_ascii_case(column)) else {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        return Err(tracer.missing(
            format!("column {column} in {table}"),
            format!("its columns are {}", names.join(", ")),
        ));
    };
    let row = tracer.row(&table, &columns, row_key)?;
    let value_of = |wanted: &dyn Fn(&KnownColumn) -> bool| {
        let place = columns.iter().position(wanted);
        place.and_then(|place| row[place].clone())
    };
    let mut rounds = Vec::new();
    for (depth, list) in list_path.into_iter().enumerate() {
        let depth = depth.to_string();
        let place = value_of(&|column| column.source == "position" && column.key.as_deref() == Some(&depth));
        let place = place.and_then(|place| place.parse().ok());
        rounds.push((list, place.unwrap_or(1)));
    }
    let url = value_of(&|column| column.source == "address").unwrap_or_default();
    Ok(CellOrigin {
        page: tracer.page(&url)?,
        value: value_of(&|column| column.name == own.name),
        raw: value_of(&|column| column.source == "raw" && column.key == own.key),
        column: own.name.clone(),
        kind: own.kind.clone(),
        unit: own.unit.clone(),
        source: own.source.clone(),
        key: own.key.clone(),
        table,
        class,
        wrapper,
        rounds,
        url,
    })
}

/// A table's name, class, wrapper and list path.
type KnownTable = (String, Option<String>, Option<String>, Vec<String>);

struct Tracer {
    path: PathBuf,
    connection: Connection,
}

impl CellOrigin {
    /// Where the list of a page that stands alone has a field, and its value; `None` where the cell
    /// is of no such list.
    pub fn list_field(&self, key: &str, page: &Page) -> Option<(NodeId, String)> {
        let [(list, place)] = self.rounds.as_slice() else {
            return None;
        };
        let number = list
            .strip_prefix("list_")
            .map_or(Some(1), |number| number.parse::<usize>().ok())?;
        let mut found = find_records(page, &RecordOptions::default());
        let region = found.regions.get_mut(number.checked_sub(1)?)?;
        let column = region.columns.iter().position(|column| column.name == key)?;
        let record = region.records.get_mut(place.checked_sub(1)?)?;
        let field = record.fields.get_mut(column)?.take()?;
        Some((field.node, field.value))
    }
}

impl Tracer {
    fn open(path: &Path) -> Result<Self, LineageError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let failed = |source| LineageError::Database {
            path: path.to_owned(),
            source,
        };
        Ok(Self {
            path: path.to_owned(),
            connection: connection.map_err(failed)?,
        })
    }

    fn failed(&self, source: rusqlite::Error) -> LineageError {
        LineageError::Database {
            path: self.path.clone(),
            source,
        }
    }

    fn missing(&self, what: String, advice: String) -> LineageError {
        LineageError::Missing {
            path: self.path.clone(),
            what,
            advice,
        }
    }

    fn table(&self, name: &str) -> Result<KnownTable, LineageError> {
        let sql = "SELECT table_name, class_name, wrapper, list_path FROM _untemplate_tables WHERE table_name = ? COLLATE NOCASE";
        let found = self.connection.query_row(sql, [name], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?))
        });
        let Some((table, class, wrapper, list_path)) = found.optional().map_err(|error| self.failed(error))? else {
            let sql = "SELECT group_concat(table_name, ', ') FROM _untemplate_tables";
            let names: Option<String> = self
                .connection
                .query_row(sql, [], |row| row.get(0))
                .map_err(|error| self.failed(error))?;
            return Err(self.missing(
                format!("table {name}"),
                format!("its tables are {}", names.unwrap_or_default()),
            ));
        };
        let list_path = serde_json::from_str(&list_path).unwrap_or_default();
        Ok((table, class, wrapper, list_path))
    }

    fn columns(&self, table: &str) -> Result<Vec<KnownColumn>, LineageError> {
        let read = || {
            let sql = "SELECT column_name, kind, unit, source, source_key FROM _untemplate_columns WHERE table_name = ? ORDER BY position";
            let mut statement = self.connection.prepare(sql)?;
            let columns = statement.query_map([table], |row| {
                Ok(KnownColumn {
                    name: row.get(0)?,
                    kind: row.get(1)?,
                    unit: row.get(2)?,
                    source: row.get(3)?,
                    key: row.get(4)?,
                })
            })?;
            columns.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.failed(error))
    }

    /// The columns that tell the rows of a table apart.
    fn key(&self, table: &str, columns: &[KnownColumn]) -> rusqlite::Result<Vec<String>> {
        let mut statement = self
            .connection
            .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")?;
        let names = statement.query_map([table], |row| row.get(0))?;
        let key = names.collect::<rusqlite::Result<Vec<String>>>()?;
        if !key.is_empty() {
            return Ok(key);
        }
        let telling = columns
            .iter()
            .filter(|column| column.source == "address" || column.source == "position");
        Ok(telling.map(|column| column.name.clone()).collect())
    }

    /// The first row with a key, as texts.
    fn row(&self, table: &str, columns: &[KnownColumn], row_key: &str) -> Result<Vec<Option<String>>, LineageError> {
        let key = self.key(table, columns).map_err(|error| self.failed(error))?;
        let mut values: Vec<&str> = row_key.rsplitn(key.len().max(1), ' ').map(str::trim).collect();
        values.reverse();
        let find = || {
            let condition: Vec<String> = key
                .iter()
                .map(|name| format!("CAST({} AS TEXT) = ?", quoted(name)))
                .collect();
            let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
            let sql = format!(
                "SELECT {} FROM {} WHERE {} LIMIT 1",
                names.join(", "),
                quoted(table),
                condition.join(" AND ")
            );
            let mut statement = self.connection.prepare(&sql)?;
            let row = |row: &rusqlite::Row<'_>| {
                (0..columns.len())
                    .map(|at| text_at(row, at))
                    .collect::<rusqlite::Result<Vec<_>>>()
            };
            statement.query_row(params_from_iter(&values), row).optional()
        };
        let advice = || format!("name its row by {}, separated by blanks", key.join(" and "));
        let found = if key.is_empty() || values.len() != key.len() {
            None
        } else {
            find().map_err(|error| self.failed(error))?
        };
        found.ok_or_else(|| self.missing(format!("row {row_key} in {table}"), advice()))
    }

    fn page(&self, url: &str) -> Result<Option<PageOrigin>, LineageError> {
        let sql = "SELECT state, first_seen, last_seen FROM _untemplate_pages WHERE url = ?";
        let found = self.connection.query_row(sql, [url], |row| {
            Ok(PageOrigin {
                state: row.get(0)?,
                first_seen: row.get(1)?,
                last_seen: row.get(2)?,
            })
        });
        found.optional().map_err(|error| self.failed(error))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{players, row};
    use super::super::{ClassMark, PageMark, PageState, TableFolder, TableFormat};
    use super::*;

    fn database() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = TableFolder::create(folder.path(), &players(), &[TableFormat::Sqlite]).expect("a folder");
        files
            .set_classes(vec![ClassMark {
                name: "players".to_owned(),
                wrapper: Some("wrappers/players.json".to_owned()),
            }])
            .expect("nothing to open");
        files
            .push(0, &row([Some("http://a/1"), Some("1984-02-29"), Some("180")]))
            .expect("a row");
        files
            .push(1, &row([Some("http://a/1"), Some("2"), Some("2004")]))
            .expect("a row");
        let page = PageMark {
            url: "http://a/1".to_owned(),
            page_class: Some(0),
            first_seen: None,
            last_seen: None,
            state: PageState::Read,
        };
        files.push_page(&page).expect("a page");
        files.finish().expect("a database");
        folder
    }

    #[test]
    fn a_cell_leads_to_its_page_and_field() {
        let folder = database();
        let file = folder.path().join("tables.sqlite");
        let origin = trace_cell(&file, "Season", "http://a/1 2", "year").expect("the cell is there");
        assert_eq!(origin.rounds, [("seasons".to_owned(), 2)]);
        assert_eq!(
            (origin.url.as_str(), origin.value.as_deref()),
            ("http://a/1", Some("2004"))
        );
        assert_eq!((origin.source.as_str(), origin.key.as_deref()), ("field", Some("year")));
        assert_eq!(origin.wrapper.as_deref(), Some("wrappers/players.json"));
        let origin = trace_cell(&file, "player", "http://a/1", "height").expect("the cell is there");
        assert_eq!((origin.kind.as_str(), origin.unit.as_deref()), ("integer", Some("cm")));
        assert_eq!(origin.page.map(|page| page.state).as_deref(), Some("read"));
    }

    #[test]
    fn what_is_not_there_is_said() {
        let folder = database();
        let file = folder.path().join("tables.sqlite");
        let error = |table, key, column| {
            trace_cell(&file, table, key, column)
                .expect_err("it is not there")
                .to_string()
        };
        assert!(error("teams", "x", "y").contains("its tables are player, season"));
        assert!(error("player", "http://a/1", "y").contains("its columns are url, born, height"));
        assert!(error("season", "http://a/1", "year").contains("by url and position"));
        assert!(error("player", "http://a/9", "born").contains("no row http://a/9"));
        let none = trace_cell(&folder.path().join("none"), "a", "b", "c").expect_err("it is not there");
        assert!(none.to_string().contains("--format sqlite"), "{none}");
    }
}
