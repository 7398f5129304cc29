//! WARC export: every stored answer as a record that other programs read.
//!
//! A page is a `response`; one whose body an earlier page has, and one that was "not modified", is
//! a `revisit` that names the earlier one. What was sent with a form is a `request` beside it.
//! Bodies are written unpacked, since they are stored so: headers that spoke of their packing are
//! renamed.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use untemplate::page::{Method, Problem};

use super::page_store::{PageStore, StoredPage, visit_captures};
use super::warc_text::{date_text, digest_text, exported_name, reason_phrase, record_name};
use super::{ArchiveError, ContentHash, UnixMillis};

/// How an archive is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WarcExportOptions {
    /// Compress each record into a gzip member of its own, as `.warc.gz` files are.
    pub gzip: bool,
    /// The time of the export.
    pub now: UnixMillis,
}

/// What was exported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarcExport {
    /// Pages with their bodies.
    pub responses: u64,
    /// Pages that refer to another one for their body.
    pub revisits: u64,
    /// Pages that could not be read, the first of them in full.
    pub problems: Vec<Problem>,
}

/// Problems that are listed; more are not.
const PROBLEMS_MAX: usize = 100;

const PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/";

/// Writes every answer of a store as WARC records, in the order in which they were stored.
pub fn export_warc(
    store: &mut dyn PageStore,
    writer: &mut dyn Write,
    options: &WarcExportOptions,
) -> Result<WarcExport, ArchiveError> {
    let mut export = WarcExport::default();
    let mut write = |record: &ExportedRecord| write_record(writer, record, options.gzip);
    write(&info_record(options.now)).map_err(failed)?;
    visit_captures(store, &mut |store, page| {
        match content_of(store, &page) {
            Ok(content) => {
                match content {
                    Content::Body(_) => export.responses += 1,
                    Content::Earlier { .. } => export.revisits += 1,
                }
                write(&page_record(&page, &content)).map_err(failed)?;
                form_record(&page)
                    .map_or(Ok(()), |record| write(&record))
                    .map_err(failed)
            }
            // A damaged page costs itself; the others are wanted all the more.
            Err(error @ ArchiveError::Damaged { .. }) => {
                if export.problems.len() < PROBLEMS_MAX {
                    export.problems.push(Problem::new(
                        "damaged archive",
                        format!("{}: {error}", page.request.url),
                    ));
                }
                Ok(())
            }
            Err(error) => Err(error),
        }
    })?;
    writer.flush().map_err(failed)?;
    Ok(export)
}

fn failed(cause: io::Error) -> ArchiveError {
    ArchiveError::Export { cause }
}

/// What stands behind the head of a page's record.
enum Content {
    Body(Vec<u8>),
    /// The body is that of an earlier answer.
    Earlier {
        page: Box<StoredPage>,
        profile: &'static str,
    },
}

fn content_of(store: &mut dyn PageStore, page: &StoredPage) -> Result<Content, ArchiveError> {
    let (id, profile) = match (page.unmodified, page.alias_of) {
        (Some(original), _) => (original, "server-not-modified"),
        (None, Some(original)) => (original, "identical-payload-digest"),
        (None, None) => return store.body(page.id).map(Content::Body),
    };
    let original = Box::new(store.capture(id)?);
    // Records are referred to by address and time, which do not tell one form from another.
    if original.request.method == Method::Post && page.unmodified.is_none() {
        return store.body(page.id).map(Content::Body);
    }
    Ok(Content::Earlier {
        page: original,
        profile,
    })
}

/// A record: its header lines and its block.
struct ExportedRecord {
    headers: Vec<(&'static str, String)>,
    block: Vec<u8>,
}

fn write_record(writer: &mut dyn Write, record: &ExportedRecord, gzip: bool) -> io::Result<()> {
    if gzip {
        let mut encoder = GzEncoder::new(writer, Compression::default());
        write_plain(&mut encoder, record)?;
        encoder.finish().map(|_| ())
    } else {
        write_plain(writer, record)
    }
}

fn write_plain(writer: &mut dyn Write, record: &ExportedRecord) -> io::Result<()> {
    let mut head = "WARC/1.1\r\n".to_owned();
    for (name, value) in &record.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!(
        "WARC-Block-Digest: {}\r\n",
        digest_text(&ContentHash::of(&record.block))
    );
    head += &format!("Content-Length: {}\r\n\r\n", record.block.len());
    writer.write_all(head.as_bytes())?;
    writer.write_all(&record.block)?;
    writer.write_all(b"\r\n\r\n")
}

fn info_record(now: UnixMillis) -> ExportedRecord {
    let software = concat!("untemplate/", env!("CARGO_PKG_VERSION"));
    let block = format!("software: {software}\r\nformat: WARC File Format 1.1\r\n").into_bytes();
    ExportedRecord {
        headers: vec![
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", record_name(&[b"warcinfo", &now.0.to_le_bytes()])),
            ("WARC-Date", date_text(now)),
            ("Content-Type", "application/warc-fields".to_owned()),
        ],
        block,
    }
}

/// The name of the record of a page.
fn page_name(page: &StoredPage) -> String {
    let (id, time) = (page.id.0.to_le_bytes(), page.fetched_at.0.to_le_bytes());
    record_name(&[
        b"page",
        &id,
        &time,
        page.request.url.as_str().as_bytes(),
        &page.request.body,
    ])
}

fn page_record(page: &StoredPage, content: &Content) -> ExportedRecord {
    let kind = match content {
        Content::Body(_) => "response",
        Content::Earlier { .. } => "revisit",
    };
    let mut headers = vec![
        ("WARC-Type", kind.to_owned()),
        ("WARC-Record-ID", page_name(page)),
        ("WARC-Date", date_text(page.fetched_at)),
        ("WARC-Target-URI", page.request.url.to_string()),
        ("Content-Type", "application/http; msgtype=response".to_owned()),
    ];
    // The digest of nothing is left out in the rows, and said here.
    let hash = page.content_hash.unwrap_or_else(|| ContentHash::of(b""));
    headers.push(("WARC-Payload-Digest", digest_text(&hash)));
    if let Content::Earlier { page, profile } = content {
        headers.push(("WARC-Profile", format!("{PROFILE}{profile}")));
        headers.push(("WARC-Refers-To", page_name(page)));
        headers.push(("WARC-Refers-To-Target-URI", page.request.url.to_string()));
        headers.push(("WARC-Refers-To-Date", date_text(page.fetched_at)));
    }
    if page.problems.iter().any(Problem::is_loss) {
        headers.push(("WARC-Truncated", "length".to_owned()));
    }
    let mut block = http_head(page);
    if let Content::Body(body) = content {
        block.extend_from_slice(body);
    }
    ExportedRecord { headers, block }
}

fn http_head(page: &StoredPage) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} {}\r\n", page.status, reason_phrase(page.status));
    for (name, value) in &page.headers {
        let name = exported_name(name, value, page.body_length);
        // A line break in a value would begin another header.
        head += &format!("{}: {}\r\n", one_line(&name), one_line(value));
    }
    (head + "\r\n").into_bytes()
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// What was sent to get a page, where that was a form.
fn form_record(page: &StoredPage) -> Option<ExportedRecord> {
    let request = &page.request;
    if request.method != Method::Post {
        return None;
    }
    let url = &request.url;
    let query = url.query().map_or(String::new(), |query| format!("?{query}"));
    let head = format!(
        "POST {}{query} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        url.path(),
        super::host_name(url),
        request.body.len()
    );
    let name = page_name(page);
    Some(ExportedRecord {
        headers: vec![
            ("WARC-Type", "request".to_owned()),
            ("WARC-Record-ID", record_name(&[b"request", name.as_bytes()])),
            ("WARC-Date", date_text(page.fetched_at)),
            ("WARC-Target-URI", url.to_string()),
            ("WARC-Concurrent-To", name),
            ("Content-Type", "application/http; msgtype=request".to_owned()),
        ],
        block: [head.as_bytes(), &request.body].concat(),
    })
}
