//! A server that tables are being loaded into.

use std::io::Write;

use postgres::{Client, Config, NoTls};
use untemplate::table::Database;

use crate::table_file::metadata::{ClassMark, PageMark, PageState};
use crate::table_file::row::{Row, joined};
use crate::table_file::sql_name::quoted;

use super::address::without_password;
use super::copy_text::push_value;
use super::error::{TableServerError, reason_of};
use super::metadata::{TABLES, column_lines, push_page, table_lines};
use super::statement::{ServerNames, create_table, references};
use super::swap::{SwapError, carry_pages, swap};

/// The schema that rows wait in until all are there.
pub(super) const STAGING: &str = "untemplate_loading";

/// Bytes of one batch: one COPY, one transaction.
const BATCH_BYTES: usize = 4 << 20;

/// A number of our own, so that two runs never load into one database at a time.
const LOCK: i64 = 0x756e_7465_6d70_6c61;

/// Tables on their way into a PostgreSQL server.
pub struct TableServer {
    client: Client,
    /// The address without its password.
    address: String,
    schema: String,
    database: Database,
    names: ServerNames,
    classes: Vec<ClassMark>,
    carried: Option<PageState>,
    n_rows: Vec<usize>,
    /// Of each table the rows that wait; the pages' come last.
    waiting: Vec<String>,
}

impl TableServer {
    /// Whether the server can be reached: better said before a long crawl than after it.
    pub fn check(address: &str) -> Result<(), TableServerError> {
        open(address).map(|_| ())
    }

    /// Connects and makes room for the tables.
    pub fn connect(address: &str, database: &Database) -> Result<Self, TableServerError> {
        let mut server = Self {
            client: open(address)?,
            address: without_password(address),
            schema: String::new(),
            names: ServerNames::of(database),
            database: database.clone(),
            classes: Vec::new(),
            carried: None,
            n_rows: vec![0; database.tables.len()],
            waiting: vec![String::new(); database.tables.len() + 1],
        };
        server.prepare()?;
        Ok(server)
    }

    /// Takes the lock, finds the schema, and makes the tables in the one where rows wait.
    fn prepare(&mut self) -> Result<(), TableServerError> {
        let taken = self
            .client
            .query_one("SELECT pg_try_advisory_lock($1), current_schema()::text", &[&LOCK]);
        let row = taken.map_err(|error| self.refused("the lock", &error))?;
        if !row.get::<_, bool>(0) {
            return Err(TableServerError::Busy {
                address: self.address.clone(),
            });
        }
        let Some(schema) = row.get::<_, Option<String>>(1) else {
            return Err(TableServerError::NoSchema {
                address: self.address.clone(),
            });
        };
        self.schema = schema;
        let staging = quoted(STAGING);
        let mut statements = vec![
            // What a run that was killed left behind.
            format!("DROP SCHEMA IF EXISTS {staging} CASCADE"),
            format!("CREATE SCHEMA {staging}"),
        ];
        let tables = 0..self.database.tables.len();
        statements.extend(tables.filter_map(|index| create_table(&self.database, &self.names, STAGING, index)));
        statements.extend(
            TABLES
                .iter()
                .map(|(name, columns)| format!("CREATE TABLE {staging}.{name} ({columns})")),
        );
        // Several statements in one message are one transaction.
        let made = self.client.batch_execute(&statements.join(";\n"));
        made.map_err(|error| self.refused("the tables", &error))
    }

    /// Says what the page classes are, by their numbers.
    pub(crate) fn set_classes(&mut self, classes: Vec<ClassMark>) {
        self.classes = classes;
    }

    /// Adds a row; a batch of them is sent when it is large enough.
    pub(crate) fn push(&mut self, index: usize, row: Row<'_>) -> Result<(), TableServerError> {
        let table = &self.database.tables[index];
        if table.columns.is_empty() {
            return Ok(());
        }
        let text = &mut self.waiting[index];
        for (place, (column, values)) in table.columns.iter().zip(row).enumerate() {
            if place > 0 {
                text.push('\t');
            }
            push_value(joined(values).as_deref(), column.kind, text);
        }
        text.push('\n');
        self.n_rows[index] += 1;
        self.send_if_large(index)
    }

    /// Notes a page.
    pub(crate) fn push_page(&mut self, page: &PageMark) -> Result<(), TableServerError> {
        let pages = self.database.tables.len();
        push_page(page, &mut self.waiting[pages]);
        self.send_if_large(pages)
    }

    /// Takes over, at the end, the pages of an earlier run that this one does not have.
    pub(crate) fn carry_pages(&mut self, state: PageState) {
        self.carried = Some(state);
    }

    fn send_if_large(&mut self, index: usize) -> Result<(), TableServerError> {
        if self.waiting[index].len() < BATCH_BYTES {
            return Ok(());
        }
        self.send(index)
    }

    /// Sends the rows of a table that wait, as one transaction.
    fn send(&mut self, index: usize) -> Result<(), TableServerError> {
        let text = std::mem::take(&mut self.waiting[index]);
        let table = match index < self.names.tables.len() {
            true => self.names.table(STAGING, index),
            false => format!("{}._untemplate_pages", quoted(STAGING)),
        };
        let sent = if index < self.names.tables.len() {
            copy(&mut self.client, &table, &text)
        } else {
            self.send_pages(&table, &text)
        };
        sent.map_err(|reason| TableServerError::Refused {
            address: self.address.clone(),
            what: table,
            reason,
        })
    }

    /// A page may be noted twice, and the last word counts.
    fn send_pages(&mut self, table: &str, text: &str) -> Result<(), String> {
        let said = |error: postgres::Error| reason_of(&error);
        let mut transaction = self.client.transaction().map_err(said)?;
        let made = "CREATE TEMP TABLE noted (number bigserial, url text, page_class bigint, first_seen text, last_seen text, state text) ON COMMIT DROP";
        transaction.batch_execute(made).map_err(said)?;
        let mut writer = transaction
            .copy_in("COPY noted (url, page_class, first_seen, last_seen, state) FROM STDIN")
            .map_err(said)?;
        writer.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
        writer.finish().map_err(said)?;
        let last = format!(
            "INSERT INTO {table} SELECT DISTINCT ON (url) url, page_class, first_seen, last_seen, state FROM noted ORDER BY url, number DESC \
             ON CONFLICT (url) DO UPDATE SET page_class = excluded.page_class, first_seen = excluded.first_seen, last_seen = excluded.last_seen, state = excluded.state"
        );
        transaction.batch_execute(&last).map_err(said)?;
        transaction.commit().map_err(said)
    }

    /// Sends what waits, adds references and indices, and puts the tables in the place of those of
    /// an earlier run.
    pub fn finish(mut self) -> Result<(), TableServerError> {
        for index in 0..self.waiting.len() {
            if !self.waiting[index].is_empty() {
                self.send(index)?;
            }
        }
        let told = [
            (
                TABLES[0].0,
                table_lines(&self.database, &self.names, &self.classes, &self.n_rows),
            ),
            (TABLES[1].0, column_lines(&self.database, &self.names)),
        ];
        for (table, text) in told {
            let copied = copy(&mut self.client, &format!("{}.{table}", quoted(STAGING)), &text);
            let address = self.address.clone();
            copied.map_err(|reason| TableServerError::Refused {
                address,
                what: table.to_owned(),
                reason,
            })?;
        }
        for statement in references(&self.database, &self.names, STAGING) {
            let added = self.client.batch_execute(&statement);
            added.map_err(|error| self.refused("the references", &error))?;
        }
        let swapped = self.put_in_place();
        swapped.map_err(|error| match error {
            SwapError::Foreign(table) => TableServerError::Foreign {
                address: self.address.clone(),
                table,
            },
            SwapError::Refused(error) => self.refused("the tables in their place", &error),
        })
    }

    fn put_in_place(&mut self) -> Result<(), SwapError> {
        let tables = self.names.tables.iter().zip(&self.database.tables);
        let made: Vec<String> = tables
            .filter(|(_, table)| !table.columns.is_empty())
            .map(|(name, _)| name.clone())
            .collect();
        let mut transaction = self.client.transaction()?;
        if let Some(state) = self.carried {
            carry_pages(&mut transaction, &self.schema, state)?;
        }
        swap(&mut transaction, &self.schema, &made)?;
        transaction.commit()?;
        Ok(())
    }

    /// Gives up: what was loaded is removed, and the tables of an earlier run stay.
    pub fn abandon(mut self) {
        // What cannot be removed is removed by the next run.
        let _ = self
            .client
            .batch_execute(&format!("DROP SCHEMA IF EXISTS {} CASCADE", quoted(STAGING)));
    }

    fn refused(&self, what: &str, error: &postgres::Error) -> TableServerError {
        TableServerError::Refused {
            address: self.address.clone(),
            what: what.to_owned(),
            reason: reason_of(error),
        }
    }
}

fn open(address: &str) -> Result<Client, TableServerError> {
    let shown = without_password(address);
    let mut config: Config = address.parse().map_err(|error| TableServerError::Address {
        address: shown.clone(),
        reason: reason_of(&error),
    })?;
    // Other people of the machine see a command's words, and not its variables.
    if let (None, Ok(password)) = (config.get_password(), std::env::var("PGPASSWORD")) {
        config.password(password);
    }
    config.connect(NoTls).map_err(|error| TableServerError::Connect {
        address: shown,
        reason: reason_of(&error),
    })
}

/// Sends lines to a table; one statement is one transaction.
fn copy(client: &mut Client, table: &str, text: &str) -> Result<(), String> {
    let said = |error: postgres::Error| reason_of(&error);
    let mut writer = client.copy_in(&format!("COPY {table} FROM STDIN")).map_err(said)?;
    writer.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    writer.finish().map_err(said)?;
    Ok(())
}
