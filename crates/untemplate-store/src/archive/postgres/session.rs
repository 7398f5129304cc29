//! A connection to the server: statements stay prepared, and every name means the archive's schema.

use std::collections::HashMap;

use postgres::types::ToSql;
use postgres::{Client, Row, Statement};

use super::address::ArchiveAddress;
use crate::table_file::sql_name::quoted;

/// Values of a statement, in its order.
pub(super) type Values<'a> = [&'a (dyn ToSql + Sync)];

/// A connection.
pub(super) struct Session {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Session {
    /// Connects. What moves between states is counted for this worker.
    pub(super) fn open(address: &ArchiveAddress, slot: i64) -> Result<Self, postgres::Error> {
        let mut client = address.login.connect()?;
        // A worker that stops in the middle of a transaction must not hold up the others for longer
        // than its lease.
        client.batch_execute(&format!(
            "SET search_path TO {}; SET untemplate.slot = '{slot}'; SET client_min_messages = warning; \
             SET idle_in_transaction_session_timeout = {}",
            quoted(&address.schema),
            address.lease.as_millis()
        ))?;
        Ok(Self {
            client,
            statements: HashMap::new(),
        })
    }

    pub(super) fn query(&mut self, sql: &'static str, values: &Values<'_>) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.client.query(&statement, values)
    }

    pub(super) fn query_opt(&mut self, sql: &'static str, values: &Values<'_>) -> Result<Option<Row>, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.client.query_opt(&statement, values)
    }

    pub(super) fn query_one(&mut self, sql: &'static str, values: &Values<'_>) -> Result<Row, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.client.query_one(&statement, values)
    }

    pub(super) fn execute(&mut self, sql: &'static str, values: &Values<'_>) -> Result<u64, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.client.execute(&statement, values)
    }

    /// Several statements without values, one transaction unless they say otherwise.
    pub(super) fn run(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}
