//! The archive on a PostgreSQL server, which any number of workers share.
//!
//! `address` says where it is; `session` is a connection, and `server` keeps one, comes back when
//! it breaks, and runs transactions; `schema` says which tables there are; `worker` is this process
//! as the others see it: a number, which is the token that fences it off, and a lease that a thread
//! renews. `moment` is the time of a call. The SQL of each concern is in `requests`, `hosts`,
//! `claims`, `lapses`, `lead`, `outcomes`, `pages` and `page_store`; `bodies` packs what is large,
//! and `body_store` keeps it outside where the address says so; `archive` puts it together.
//!
//! Claims are short transactions that take hosts by `FOR UPDATE SKIP LOCKED` and never wait for
//! each other. Everything else that writes holds the lock of the archive, one after the other:
//! numbers of pages then become visible in their order, and nothing can wait in a circle. Bodies
//! go to the server before that. When a host may be asked is decided by the server's clock.
//!
//! Without the feature `postgres` the same names are there and say that no server can be reached.

#[cfg(not(feature = "postgres"))]
mod absent;
#[cfg(feature = "postgres")]
mod address;
#[cfg(feature = "postgres")]
mod archive;
#[cfg(feature = "postgres")]
mod bodies;
#[cfg(feature = "postgres")]
mod body_store;
#[cfg(feature = "postgres")]
mod claims;
#[cfg(feature = "postgres")]
mod hosts;
#[cfg(feature = "postgres")]
mod lapses;
#[cfg(feature = "postgres")]
mod lead;
mod lease;
#[cfg(feature = "postgres")]
mod moment;
#[cfg(feature = "postgres")]
mod outcomes;
#[cfg(feature = "postgres")]
mod page_store;
#[cfg(feature = "postgres")]
mod pages;
#[cfg(feature = "postgres")]
mod requests;
#[cfg(feature = "postgres")]
mod schema;
#[cfg(feature = "postgres")]
mod server;
#[cfg(feature = "postgres")]
mod session;
#[cfg(feature = "postgres")]
mod worker;

#[cfg(not(feature = "postgres"))]
pub use absent::PostgresArchive;
#[cfg(feature = "postgres")]
pub use archive::PostgresArchive;
pub use lease::{ServerClock, WorkerLease};
