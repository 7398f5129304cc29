//! What the program rebuilt: the tables of `tables.sqlite`, with what it tells of them in its own
//! tables.
//!
//! A row of a child table is seen together with the rows it hangs on: the page's, and those of
//! outer lists.

use super::value::{address, text_of};
use rusqlite::{Connection, OpenFlags};
use std::collections::HashMap;
use std::path::Path;

/// The rebuilt tables.
pub struct RebuiltDatabase {
    pub tables: Vec<RebuiltTable>,
    /// References whose row does not exist.
    pub n_broken: usize,
}

/// A rebuilt table.
pub struct RebuiltTable {
    pub name: String,
    pub page_class: i64,
    /// The keys of the lists that lead to it; none for a row a page.
    pub list_path: Vec<String>,
    pub columns: Vec<RebuiltColumn>,
    /// The columns of the declared key.
    pub key: Vec<usize>,
    pub references: Vec<Reference>,
    pub rows: Vec<Vec<Option<String>>>,
    /// The page of each row.
    pub pages: Vec<String>,
    /// Of each table above: its number, and for each row here the row there.
    pub above: Vec<(usize, Vec<Option<usize>>)>,
}

/// A rebuilt column.
pub struct RebuiltColumn {
    pub name: String,
    pub role: Role,
    pub kind: String,
}

/// What a column is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Address,
    Position,
    /// A value as the page shows it, beside the typed one.
    Raw,
    Data,
}

/// A declared reference.
pub struct Reference {
    pub columns: Vec<usize>,
    pub table: usize,
}

/// A column seen from a table: its own, or one of a table above.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Seen {
    /// None for the table's own columns, else the number in `above`.
    pub above: Option<usize>,
    pub column: usize,
}

impl RebuiltTable {
    /// Is it a list of its pages? One of a page that stands alone may hang on nothing: then its
    /// rows have positions all the same.
    pub fn is_child(&self) -> bool {
        let has_position = self.columns.iter().any(|column| column.role == Role::Position);
        has_position || !self.list_path.is_empty()
    }

    /// Its own data columns.
    pub fn data_columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns.len()).filter(|&column| self.columns[column].role == Role::Data)
    }

    /// The table that the column alone refers to.
    pub fn target(&self, column: usize) -> Option<usize> {
        let own = self.references.iter().find(|reference| reference.columns == [column]);
        own.map(|reference| reference.table)
    }
}

impl RebuiltDatabase {
    /// The data columns that a row of the table can be asked for, its own first.
    pub fn seen_from(&self, table: usize) -> Vec<Seen> {
        let own = &self.tables[table];
        let mut seen: Vec<Seen> = own.data_columns().map(|column| Seen { above: None, column }).collect();
        for (above, (outer, _)) in own.above.iter().enumerate() {
            let columns = self.tables[*outer].data_columns();
            seen.extend(columns.map(|column| Seen {
                above: Some(above),
                column,
            }));
        }
        seen
    }

    /// A value of a row or of those it hangs on.
    pub fn value(&self, table: usize, row: usize, seen: Seen) -> Option<&str> {
        let own = &self.tables[table];
        let (table, row) = match seen.above {
            None => (own, row),
            Some(above) => {
                let (outer, rows) = &own.above[above];
                (&self.tables[*outer], rows[row]?)
            }
        };
        table.rows[row][seen.column].as_deref()
    }
}

/// Reads the file.
pub fn read_rebuilt(file: &Path) -> rusqlite::Result<RebuiltDatabase> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut tables = Vec::new();
    let mut statement =
        connection.prepare("SELECT table_name, page_class, list_path FROM _untemplate_tables ORDER BY rowid")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let path: String = row.get(2)?;
        let list_path = serde_json::from_str(&path).unwrap_or_default();
        tables.push(read_table(&connection, (row.get(0)?, row.get(1)?, list_path))?);
    }
    let names: HashMap<String, usize> = tables.iter().map(|table| table.name.clone()).zip(0..).collect();
    for table in &mut tables {
        table.references = references(&connection, table, &names)?;
    }
    for index in 0..tables.len() {
        let above = above(&tables, index);
        tables[index].above = above;
    }
    let n_broken = connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| {
        row.get::<_, i64>(0)
    })?;
    Ok(RebuiltDatabase {
        tables,
        n_broken: n_broken as usize,
    })
}

fn read_table(
    connection: &Connection,
    (name, page_class, list_path): (String, i64, Vec<String>),
) -> rusqlite::Result<RebuiltTable> {
    let columns = columns(connection, &name)?;
    let mut key = connection.prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?;
    let key: Vec<String> = key.query_map([&name], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let place = |wanted: &String| columns.iter().position(|column: &RebuiltColumn| column.name == *wanted);
    let key = key.iter().filter_map(place).collect();
    let mut rows = Vec::new();
    let mut pages = Vec::new();
    if !columns.is_empty() {
        let mut statement = connection.prepare(&format!("SELECT * FROM {}", quoted(&name)))?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let mut cells = Vec::with_capacity(columns.len());
            for (index, column) in columns.iter().enumerate() {
                let text = text_of(row.get_ref(index)?);
                let is_address = column.role == Role::Address || column.kind == "url";
                cells.push(text.map(|text| if is_address { address(&text) } else { text }));
            }
            let page = columns.iter().position(|column| column.role == Role::Address);
            pages.push(page.and_then(|page| cells[page].clone()).unwrap_or_default());
            rows.push(cells);
        }
    }
    Ok(RebuiltTable {
        name,
        page_class,
        list_path,
        columns,
        key,
        references: Vec::new(),
        rows,
        pages,
        above: Vec::new(),
    })
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<RebuiltColumn>> {
    let sql = "SELECT column_name, source, kind FROM _untemplate_columns WHERE table_name = ?1 ORDER BY position";
    let mut statement = connection.prepare(sql)?;
    let columns = statement.query_map([table], |row| {
        let role = match row.get::<_, String>(1)?.as_str() {
            "address" => Role::Address,
            "position" => Role::Position,
            "raw" => Role::Raw,
            _ => Role::Data,
        };
        Ok(RebuiltColumn {
            name: row.get(0)?,
            role,
            kind: row.get(2)?,
        })
    })?;
    columns.collect()
}

fn references(
    connection: &Connection,
    table: &RebuiltTable,
    names: &HashMap<String, usize>,
) -> rusqlite::Result<Vec<Reference>> {
    let mut statement =
        connection.prepare("SELECT id, \"table\", \"from\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq")?;
    let mut found = statement.query([&table.name])?;
    let mut references: Vec<(i64, Reference)> = Vec::new();
    while let Some(row) = found.next()? {
        let (id, target, from): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let column = table.columns.iter().position(|column| column.name == from);
        let (Some(&target), Some(column)) = (names.get(&target), column) else {
            continue;
        };
        match references.last_mut() {
            Some((last, reference)) if *last == id => reference.columns.push(column),
            _ => references.push((
                id,
                Reference {
                    columns: vec![column],
                    table: target,
                },
            )),
        }
    }
    Ok(references.into_iter().map(|(_, reference)| reference).collect())
}

/// The tables that the rows of a table hang on, outermost first, and the row there of each row
/// here.
fn above(tables: &[RebuiltTable], index: usize) -> Vec<(usize, Vec<Option<usize>>)> {
    let own = &tables[index];
    let is_above = |other: &RebuiltTable| {
        other.page_class == own.page_class
            && other.list_path.len() < own.list_path.len()
            && own.list_path.starts_with(&other.list_path)
    };
    let place = |table: &RebuiltTable, row: usize, depth: usize| -> Vec<String> {
        let positions = (0..table.columns.len()).filter(|&column| table.columns[column].role == Role::Position);
        let positions = positions
            .take(depth)
            .map(|column| table.rows[row][column].clone().unwrap_or_default());
        std::iter::once(table.pages[row].clone()).chain(positions).collect()
    };
    let mut above = Vec::new();
    for (outer_index, outer) in tables.iter().enumerate().filter(|(_, other)| is_above(other)) {
        let depth = outer.list_path.len();
        let places: HashMap<Vec<String>, usize> = (0..outer.rows.len())
            .map(|row| (place(outer, row, depth), row))
            .collect();
        let rows = (0..own.rows.len()).map(|row| places.get(&place(own, row, depth)).copied());
        above.push((outer_index, rows.collect()));
    }
    above
}

/// A name as SQL quotes it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
