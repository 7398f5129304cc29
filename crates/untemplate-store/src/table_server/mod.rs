//! Table servers: tables as they are loaded into PostgreSQL.
//!
//! In: the address of a server, a [`Database`](untemplate::table::Database), then its rows one by one. Out: the tables in the schema that the connection has in front, with keys,
//! references and indices. Rows go into a schema of their own, a transaction a batch; at the end one transaction puts the tables in the place of those of an
//! earlier run. So whoever reads the server sees the old tables or the new ones, and a run that was killed is started again.

mod copy_text;
mod error;
mod metadata;
mod server;
mod statement;
mod swap;

pub use error::TableServerError;
pub use server::{TableServer, without_password};

#[cfg(test)]
mod tests;
