//! WARC files: pages as crawlers and browsers recorded them.
//!
//! Bytes go through these files in this order. `tape` reads with a way back; `codec` undoes
//! compressions step by step; `unpacker` turns a plain, gzip or zstd file into one stream that
//! knows where its members began; `header` reads `Name: value` lines; `record` cuts records; `http`
//! and `coding` open the HTTP response in a record; `index` finds the record for every address;
//! `archive` answers requests.
//!
//! Nothing a file says is believed: every length is checked against what is there, and every size
//! has a limit in [`WarcOptions`]. Whatever is wrong becomes a `Problem`, and reading goes on at
//! the next plausible record.

mod archive;
mod coding;
mod header;
mod http;
mod index;
mod options;
mod record;
mod tape;
mod unpacker;

pub use archive::{WarcArchive, damage_of, loses_records, page_of_record};
pub use http::{HttpMessage, read_http_response};
pub use options::WarcOptions;
pub use record::{RecordReader, WarcRecord};
pub use unpacker::Location;
