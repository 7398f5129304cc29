//! The client: one asynchronous HTTP exchange, within every limit.
//!
//! [`Client::exchange`] sends one request and gives back what came, and has no opinion on it:
//! errors of HTTP and redirects are answers, a body that broke off is kept with a problem beside
//! it. What it does insist on is time, size and, with [`ClientOptions::public_only`], the address
//! that is dialled.
//!
//! An exchange takes four steps: the headers (`request_headers`, with the cookies of `cookie_jar`),
//! the connection (`connect`, judged by `address`), the body (`body`, unpacked by
//! [`BodyUnpacker`](untemplate_store::BodyUnpacker)), and the [`Answer`].

mod address;
mod answer;
mod body;
mod connect;
mod cookie;
mod cookie_jar;
mod error;
mod exchange;
mod http_date;
mod netscape;
mod options;
mod request_headers;
mod retry_after;
mod sniff;

pub use address::is_public;
pub use answer::Answer;
pub use error::{Awaited, ClientError, ExchangeError};
pub use exchange::Client;
pub use http_date::read_http_date;
pub use netscape::{NetscapeCookies, NotACookie, read_netscape_cookies};
pub use options::{ClientOptions, Deadlines, ExchangeOptions, Lookup, Resolver};
pub use retry_after::read_retry_after;
pub use sniff::{ContentKind, sniff};
