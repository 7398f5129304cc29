//! A server that tables are being loaded into.

use std::io::Write;

use postgres::Client;
use untemplate::table::Database;

use crate::server_login::{ServerLogin, part_address, reason_of, schema_name};
use crate::server_tls::hint_of;
use crate::table_file::metadata::{ClassMark, PageMark, PageState};
use crate::table_file::row::{Row, joined};
use crate::table_file::sql_name::quoted;

use super::address::without_password;
use super::copy_text::push_value;
use super::error::TableServerError;
use super::metadata::{TABLES, column_lines, push_page, table_lines};
use super::statement::{NAME_BYTES, ServerNames, create_table, cut, references};
use super::swap::{Places, SwapError, carry_pages, check_site, swap};

/// What the schema is called that rows wait in until all are there; the schema that they are for
/// follows, so that sites in schemas of their own are loaded at the same time.
const STAGING: &str = "untemplate_loading_";

/// Bytes of one batch: one COPY, one transaction.
const BATCH_BYTES: usize = 4 << 20;

/// A lock of our own, so that two runs never load into one schema at a time.
const LOCK: &str = "SELECT pg_try_advisory_lock(1970168180, hashtext(current_schema())), current_schema()::text";

/// Tables on their way into a PostgreSQL server.
pub struct TableServer {
    client: Client,
    /// The address without its password.
    address: String,
    schema: String,
    /// Where rows wait.
    staging: String,
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
        open(address).map(drop)
    }

    /// Connects and makes room for the tables.
    pub fn connect(address: &str, database: &Database) -> Result<Self, TableServerError> {
        let (client, schema) = open(address)?;
        let mut server = Self {
            client,
            address: without_password(address),
            schema: String::new(),
            staging: String::new(),
            names: ServerNames::of(database),
            database: database.clone(),
            classes: Vec::new(),
            carried: None,
            n_rows: vec![0; database.tables.len()],
            waiting: vec![String::new(); database.tables.len() + 1],
        };
        if let Some(schema) = schema {
            let made = server
                .client
                .batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS {}", quoted(&schema)));
            made.map_err(|error| server.refused("the schema", &error))?;
        }
        server.prepare()?;
        Ok(server)
    }

    /// Takes the lock, finds the schema, and makes the tables in the one where rows wait.
    fn prepare(&mut self) -> Result<(), TableServerError> {
        let row = self.client.query_one(LOCK, &[]);
        let row = row.map_err(|error| self.refused("the lock", &error))?;
        let Some(schema) = row.get::<_, Option<String>>(1) else {
            return Err(TableServerError::NoSchema {
                address: self.address.clone(),
            });
        };
        if row.get::<_, Option<bool>>(0) != Some(true) {
            return Err(TableServerError::Busy {
                address: self.address.clone(),
            });
        }
        self.staging = cut(&format!("{STAGING}{schema}"), NAME_BYTES);
        self.schema = schema;
        let staging = quoted(&self.staging);
        let mut statements = vec![
            // What a run that was killed left behind.
            format!("DROP SCHEMA IF EXISTS {staging} CASCADE"),
            format!("CREATE SCHEMA {staging}"),
        ];
        let tables = 0..self.database.tables.len();
        statements.extend(tables.filter_map(|index| create_table(&self.database, &self.names, &self.staging, index)));
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
            true => self.names.table(&self.staging, index),
            false => format!("{}._untemplate_pages", quoted(&self.staging)),
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
            let copied = copy(&mut self.client, &format!("{}.{table}", quoted(&self.staging)), &text);
            let address = self.address.clone();
            copied.map_err(|reason| TableServerError::Refused {
                address,
                what: table.to_owned(),
                reason,
            })?;
        }
        for statement in references(&self.database, &self.names, &self.staging) {
            let added = self.client.batch_execute(&statement);
            added.map_err(|error| self.refused("the references", &error))?;
        }
        let swapped = self.put_in_place();
        self.let_go();
        swapped.map_err(|error| match error {
            SwapError::Foreign(table) => TableServerError::Foreign {
                address: self.address.clone(),
                table,
            },
            SwapError::OtherSite(host) => TableServerError::OtherSite {
                address: self.address.clone(),
                host,
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
        let places = Places {
            from: &self.staging,
            to: &self.schema,
        };
        check_site(&mut transaction, places)?;
        if let Some(state) = self.carried {
            carry_pages(&mut transaction, places, state)?;
        }
        swap(&mut transaction, places, &made)?;
        transaction.commit()?;
        Ok(())
    }

    /// Gives up: what was loaded is removed, and the tables of an earlier run stay.
    pub fn abandon(mut self) {
        // What cannot be removed is removed by the next run.
        let drop = format!("DROP SCHEMA IF EXISTS {} CASCADE", quoted(&self.staging));
        let _ = self.client.batch_execute(&drop);
        self.let_go();
    }

    /// Lets the next run load into the schema: it need not wait for the server to see that we are
    /// gone.
    fn let_go(&mut self) {
        let _ = self.client.batch_execute("SELECT pg_advisory_unlock_all()");
    }

    fn refused(&self, what: &str, error: &postgres::Error) -> TableServerError {
        TableServerError::Refused {
            address: self.address.clone(),
            what: what.to_owned(),
            reason: reason_of(error),
        }
    }
}

/// Connects; returns the schema that the address names, too, which may not be there yet.
fn open(address: &str) -> Result<(Client, Option<String>), TableServerError> {
    let shown = without_password(address);
    let wrong = |reason: String| TableServerError::Address {
        address: shown.clone(),
        reason,
    };
    let (theirs, ours) = part_address(address, &["schema"]);
    let schema = ours.get("schema").map(|name| schema_name(name)).transpose();
    let schema = schema.map_err(wrong)?.map(str::to_owned);
    let login = ServerLogin::of(&theirs).map_err(wrong)?;
    let failed = |error: postgres::Error| TableServerError::Connect {
        address: shown.clone(),
        reason: reason_of(&error),
        hint: hint_of(&error).unwrap_or("check that the server runs, and the user, password and database"),
    };
    let mut client = login.connect().map_err(failed)?;
    if let Some(schema) = &schema {
        let path = format!("SET search_path TO {}", quoted(schema));
        client.batch_execute(&path).map_err(failed)?;
    }
    Ok((client, schema))
}

/// Sends lines to a table; one statement is one transaction.
fn copy(client: &mut Client, table: &str, text: &str) -> Result<(), String> {
    let said = |error: postgres::Error| reason_of(&error);
    let mut writer = client.copy_in(&format!("COPY {table} FROM STDIN")).map_err(said)?;
    writer.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    writer.finish().map_err(said)?;
    Ok(())
}
