//! Table servers: tables as they are loaded into PostgreSQL.
//!
//! In: the address of a server, a [`Database`](untemplate::table::Database), then its rows one by
//! one. Out: the tables in the schema that the connection has in front, with keys, references and
//! indices. Rows go into a schema of their own, a transaction a batch; at the end one transaction
//! puts the tables in the place of those of an earlier run. So whoever reads the server sees the
//! old tables or the new ones, and a run that was killed is started again.
//!
//! Without the feature `postgres`, which brings 32 packages, the same functions are there and say
//! that no server can be reached.

#[cfg(not(feature = "postgres"))]
mod absent;
mod address;
#[cfg(feature = "postgres")]
mod copy_text;
mod error;
#[cfg(feature = "postgres")]
mod metadata;
#[cfg(feature = "postgres")]
mod server;
#[cfg(feature = "postgres")]
mod statement;
#[cfg(feature = "postgres")]
mod swap;

#[cfg(not(feature = "postgres"))]
pub use absent::TableServer;
pub use address::without_password;
pub use error::TableServerError;
#[cfg(feature = "postgres")]
pub use server::TableServer;

#[cfg(all(test, feature = "postgres"))]
mod tests;
