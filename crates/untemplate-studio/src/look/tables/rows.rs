//! Rows: a screen of a table, found by the row before it.
//!
//! In the order of row numbers a screen costs the same wherever it is. In the order of a column,
//! SQLite goes over the table once and keeps as many rows as a screen has; the row that the last
//! screen ended with is named by its number, and its value is looked up, so that no value of a page
//! stands in an address. Rows without a value come last.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use untemplate::table::{ColumnKind, Marks, read_value};

use super::catalogue::{KnownColumn, KnownTable, quoted};
use super::question::{Condition, From, How, Question};

/// Rows on a screen.
pub const ROWS_SHOWN: usize = 50;

/// Characters of a cell that are read for a screen.
const CELL_CHARS: usize = 400;

/// Matching rows are counted up to here.
pub const COUNTED_MAX: u64 = 100_000;

/// A screen of rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Screen {
    /// The rows: number, and the cells of the columns that are shown, in their order.
    pub rows: Vec<(i64, Vec<Option<String>>)>,
    /// Whether there are rows before.
    pub has_before: bool,
    /// Whether there are rows after.
    pub has_after: bool,
}

/// A piece of SQL, and the values it asks for, in order.
#[derive(Debug, Clone, Default)]
pub struct Piece {
    sql: String,
    values: Vec<Value>,
}

/// A screen of the rows that a question asks for.
pub fn screen(connection: &Connection, table: &KnownTable, question: &Question) -> rusqlite::Result<Screen> {
    let is_forward = !matches!(question.from, From::Before(_));
    let mut condition = condition_of(table, &question.conditions);
    let cursor = cursor(connection, table, question)?;
    if let Some(cursor) = &cursor {
        join(&mut condition, " AND ", cursor.clone());
    }
    let places = question.columns(table);
    let columns: Vec<String> = places.iter().map(|&place| shown(&table.columns[place].name)).collect();
    let sql = format!(
        "SELECT {}, {} FROM {} WHERE {} ORDER BY {} LIMIT {}",
        table.row_id,
        columns.join(", "),
        quoted(&table.name),
        condition.sql,
        order_of(table, question, is_forward),
        ROWS_SHOWN + 1
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map(params_from_iter(condition.values), |row| {
        let cells = (1..=places.len()).map(|at| text_at(row, at));
        Ok((row.get(0)?, cells.collect::<rusqlite::Result<_>>()?))
    })?;
    let mut rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let has_more = rows.len() > ROWS_SHOWN;
    rows.truncate(ROWS_SHOWN);
    if !is_forward {
        rows.reverse();
    }
    let (has_before, has_after) = match is_forward {
        true => (cursor.is_some(), has_more),
        false => (has_more, cursor.is_some()),
    };
    Ok(Screen {
        rows,
        has_before,
        has_after,
    })
}

/// How many rows satisfy the conditions, counted up to a bound.
pub fn count(connection: &Connection, table: &KnownTable, question: &Question) -> rusqlite::Result<u64> {
    if question.conditions.is_empty() {
        return Ok(table.n_rows);
    }
    let condition = condition_of(table, &question.conditions);
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM {} WHERE {} LIMIT {})",
        quoted(&table.name),
        condition.sql,
        COUNTED_MAX + 1
    );
    let count: i64 = connection.query_row(&sql, params_from_iter(condition.values), |row| row.get(0))?;
    Ok(count as u64)
}

/// Groups of rows that are shown at most.
pub const GROUPS_MAX: usize = 200;

/// A value, if the rows have one, and how many rows have it.
pub type Group = (Option<String>, u64);

/// The values of a column among the rows that satisfy the conditions, each with its number of rows,
/// the commonest first; and how many different ones there are.
pub fn groups(
    connection: &Connection,
    table: &KnownTable,
    question: &Question,
    column: usize,
) -> rusqlite::Result<(Vec<Group>, u64)> {
    let condition = condition_of(table, &question.conditions);
    let (name, from) = (quoted(&table.columns[column].name), quoted(&table.name));
    let grouped = format!(
        "SELECT {name} AS value, count(*) AS n FROM {from} WHERE {} GROUP BY {name}",
        condition.sql
    );
    let sql = format!("SELECT value, n, count(*) OVER () FROM ({grouped}) ORDER BY n DESC, value LIMIT {GROUPS_MAX}");
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(condition.values))?;
    let (mut groups, mut n_groups) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        groups.push((text_at(row, 0)?, row.get::<_, i64>(1)? as u64));
        n_groups = row.get::<_, i64>(2)? as u64;
    }
    Ok((groups, n_groups))
}

/// All rows that a question asks for, one after the other, whole.
pub fn each_row(
    connection: &Connection,
    table: &KnownTable,
    question: &Question,
    put: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let condition = condition_of(table, &question.conditions);
    let columns: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    let sql = format!(
        "SELECT {} FROM {} WHERE {} ORDER BY {}",
        columns.join(", "),
        quoted(&table.name),
        condition.sql,
        order_of(table, question, true)
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(condition.values))?;
    while let Some(row) = rows.next()? {
        put(row)?;
    }
    Ok(())
}

/// The cells of one row, whole.
pub fn one_row(connection: &Connection, table: &KnownTable, row: i64) -> rusqlite::Result<Option<Vec<Option<String>>>> {
    let columns: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    let sql = format!(
        "SELECT {} FROM {} WHERE {} = ?",
        columns.join(", "),
        quoted(&table.name),
        table.row_id
    );
    let read = |row: &Row<'_>| (0..table.columns.len()).map(|at| text_at(row, at)).collect();
    connection.query_row(&sql, [row], read).optional()
}

/// A cell as text.
pub fn text_at(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    })
}

/// A column as a screen has it: long texts are cut by the database.
fn shown(name: &str) -> String {
    let name = quoted(name);
    format!(
        "CASE typeof({name}) WHEN 'text' THEN substr({name}, 1, {CELL_CHARS}) WHEN 'blob' THEN '(bytes)' ELSE {name} END"
    )
}

fn order_of(table: &KnownTable, question: &Question, is_forward: bool) -> String {
    let direction = if question.is_descending == is_forward {
        "DESC"
    } else {
        "ASC"
    };
    match question.order {
        None => format!("{} {direction}", table.row_id),
        Some(column) => {
            let nulls = if is_forward { "LAST" } else { "FIRST" };
            let name = table.columns[column].compared();
            format!("{name} {direction} NULLS {nulls}, {} {direction}", table.row_id)
        }
    }
}

/// The condition that rows are behind the one a screen is asked from; `None` at the start, or when
/// that row is gone.
fn cursor(connection: &Connection, table: &KnownTable, question: &Question) -> rusqlite::Result<Option<Piece>> {
    let (row, is_forward) = match question.from {
        From::Start => return Ok(None),
        From::After(row) => (row, true),
        From::Before(row) => (row, false),
    };
    let id = table.row_id;
    let sign = if question.is_descending == is_forward { "<" } else { ">" };
    let Some(column) = question.order else {
        let sql = format!("{id} {sign} ?");
        return Ok(Some(Piece {
            sql,
            values: vec![Value::Integer(row)],
        }));
    };
    let name = quoted(&table.columns[column].name);
    let sql = format!("SELECT {name} FROM {} WHERE {id} = ?", quoted(&table.name));
    let value: Option<Value> = connection.query_row(&sql, [row], |row| row.get(0)).optional()?;
    let row = Value::Integer(row);
    Ok(value.map(|value| match (value, is_forward) {
        (Value::Null, true) => Piece {
            sql: format!("({name} IS NULL AND {id} {sign} ?)"),
            values: vec![row],
        },
        (Value::Null, false) => Piece {
            sql: format!("({name} IS NOT NULL OR {id} {sign} ?)"),
            values: vec![row],
        },
        (value, _) => {
            let nulls = if is_forward {
                format!(" OR {name} IS NULL")
            } else {
                String::new()
            };
            let compared = table.columns[column].compared();
            Piece {
                sql: format!("({compared} {sign} ? OR ({compared} = ? AND {id} {sign} ?){nulls})"),
                values: vec![value.clone(), value, row],
            }
        }
    }))
}

/// The condition that rows satisfy what is asked.
fn condition_of(table: &KnownTable, conditions: &[Condition]) -> Piece {
    let mut all = Piece {
        sql: "1".to_owned(),
        values: Vec::new(),
    };
    for condition in conditions {
        let column = &table.columns[condition.column];
        let (name, compared) = (quoted(&column.name), column.compared());
        let value = || vec![Value::Text(as_compared(column, &condition.value))];
        let (sql, values) = match condition.how {
            How::Contains => (
                format!("{name} LIKE ? ESCAPE '\\'"),
                vec![Value::Text(like(&condition.value))],
            ),
            How::Is => (format!("{name} = ?"), value()),
            How::AtLeast => (format!("{compared} >= ?"), value()),
            How::AtMost => (format!("{compared} <= ?"), value()),
            How::Empty => (format!("({name} IS NULL OR {name} = '')"), Vec::new()),
            How::Filled => (format!("{name} <> ''"), Vec::new()),
        };
        join(&mut all, " AND ", Piece { sql, values });
    }
    all
}

/// What somebody typed, as a column has it: `1,200 kg` is 1200 among numbers.
fn as_compared(column: &KnownColumn, typed: &str) -> String {
    let number = || read_value(ColumnKind::Decimal, Marks::default(), typed);
    column
        .is_number()
        .then(number)
        .flatten()
        .unwrap_or_else(|| typed.to_owned())
}

fn join(left: &mut Piece, word: &str, right: Piece) {
    left.sql.push_str(word);
    left.sql.push_str(&right.sql);
    left.values.extend(right.values);
}

/// A text as a pattern that is found wherever the text is.
fn like(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}
