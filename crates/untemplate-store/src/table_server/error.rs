//! Why tables could not be loaded.

/// Why tables could not be loaded into a server.
#[derive(Debug, thiserror::Error)]
pub enum TableServerError {
    /// The address is none.
    #[error(
        "{address} is no address of a PostgreSQL server ({reason}); give one such as postgresql://user@localhost/database"
    )]
    Address {
        /// What was given, without its password.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// This build has no client.
    #[error(
        "{address}: this build of the program does not speak to servers; build it with the feature `postgres`, or write files"
    )]
    NotBuilt {
        /// The address, without its password.
        address: String,
    },
    /// The server cannot be reached, or does not let us in.
    #[error("cannot connect to {address}: {reason}; {hint}")]
    Connect {
        /// The address, without its password.
        address: String,
        /// What was said.
        reason: String,
        /// What to try.
        hint: &'static str,
    },
    /// Somebody else is loading.
    #[error("{address}: another run is loading tables into this database; wait for it to end")]
    Busy {
        /// The address, without its password.
        address: String,
    },
    /// There is no schema to load into.
    #[error("{address}: there is no schema to load into; create one, or name one by ?schema=NAME")]
    NoSchema {
        /// The address, without its password.
        address: String,
    },
    /// A table of that name belongs to somebody else.
    #[error(
        "{address}: the schema has a table {table} that this program did not make, and it stays as it is; load into another schema by ?schema=NAME"
    )]
    Foreign {
        /// The address, without its password.
        address: String,
        /// The table.
        table: String,
    },
    /// The schema has the tables of another site.
    #[error(
        "{address}: the schema has the tables of {host}, and they stay as they are; load this site into a schema of its own by ?schema=NAME"
    )]
    OtherSite {
        /// The address, without its password.
        address: String,
        /// A host of that site.
        host: String,
    },
    /// The server refused something.
    #[error("{address}: cannot load {what}: {reason}; the tables of an earlier run, if any, stay as they are")]
    Refused {
        /// The address, without its password.
        address: String,
        /// What was being done.
        what: String,
        /// What the server said.
        reason: String,
    },
}
