//! WARC import: the pages of WARC files, as others recorded them, into an archive.
//!
//! A file is read twice: once for what was sent with forms, once for the answers. Only a batch of
//! pages is in memory at a time. Whatever is wrong with a file or a record is a [`Problem`], and
//! the next record follows. Importing the same files again changes nothing.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use untemplate::page::{Method, Problem, Request};
use url::Url;

use super::frontier::{Committed, Frontier, KeptPage, NewRequest};
use super::page_store::{NewPage, PageStore, StoredPage};
use super::warc_text::{original_name, read_date};
use super::{ArchiveError, UnixMillis};
use crate::warc::loses_records;
use crate::{RecordReader, WarcOptions, WarcRecord, read_http_response};

/// What was imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarcImport {
    /// Answers that were stored.
    pub stored: u64,
    /// Answers that the archive had already, or newer ones.
    pub known: u64,
    /// What was wrong with files and records, the first of it in full.
    pub problems: Vec<Problem>,
    /// The files of which records could not be read.
    pub damaged: Vec<PathBuf>,
}

/// Pages that are stored at once, at most.
const BATCH_PAGES: usize = 64;

/// Bytes of bodies that are stored at once, about.
const BATCH_BYTES: usize = 8 << 20;

/// Imports WARC files, compressed or not, in this order.
pub fn import_warc<Archive: Frontier + PageStore + ?Sized>(
    files: &[PathBuf],
    archive: &mut Archive,
    options: &WarcOptions,
    now: UnixMillis,
) -> Result<WarcImport, ArchiveError> {
    let mut importer = Importer {
        archive,
        options,
        now,
        forms: HashMap::new(),
        form_bytes_left: options.index_bytes_max,
        batch: Vec::new(),
        batch_bytes: 0,
        import: WarcImport::default(),
    };
    for file in files {
        importer.read_forms(file)?;
        importer.read_answers(file)?;
    }
    importer.store()?;
    Ok(importer.import)
}

/// An import under way.
struct Importer<'import, Archive: ?Sized> {
    archive: &'import mut Archive,
    options: &'import WarcOptions,
    now: UnixMillis,
    /// What was sent, by the names of the request's record and of those made at the same time;
    /// `None` for methods that cannot be asked for again.
    forms: HashMap<String, Option<Vec<u8>>>,
    form_bytes_left: usize,
    batch: Vec<KeptPage>,
    batch_bytes: usize,
    import: WarcImport,
}

impl<Archive: Frontier + PageStore + ?Sized> Importer<'_, Archive> {
    fn read_forms(&mut self, path: &Path) -> Result<(), ArchiveError> {
        self.forms.clear();
        self.form_bytes_left = self.options.index_bytes_max;
        let mut reader = RecordReader::new(open(path)?, self.options);
        while let Some(record) = reader.next_record().map_err(|cause| unreadable(path, cause))? {
            if record.kind() == "request" {
                self.read_form(path, &record);
            }
        }
        Ok(())
    }

    fn read_form(&mut self, path: &Path, record: &WarcRecord) {
        let head = String::from_utf8_lossy(&record.block[..record.block.len().min(8)]).into_owned();
        let form = match head.split_once(' ') {
            None | Some(("GET", _)) => return,
            Some(("POST", _)) if record.block.len() as u64 == record.block_length => {
                Some(record.block[head_length(&record.block)..].to_vec())
            }
            Some(_) => None,
        };
        let names = [record.header("WARC-Record-ID"), record.header("WARC-Concurrent-To")];
        for name in names.into_iter().flatten() {
            let n_bytes = name.len() + form.as_ref().map_or(0, Vec::len);
            let Some(left) = self.form_bytes_left.checked_sub(n_bytes) else {
                self.problem(
                    path,
                    "too many records",
                    format!("the form of record {} is not known", record.number),
                );
                return;
            };
            self.form_bytes_left = left;
            self.forms.insert(name.to_owned(), form.clone());
        }
    }

    fn read_answers(&mut self, path: &Path) -> Result<(), ArchiveError> {
        let mut reader = RecordReader::new(open(path)?, self.options);
        let mut n_records = 0;
        while let Some(record) = reader.next_record().map_err(|cause| unreadable(path, cause))? {
            n_records += 1;
            match self.kept_page(&record) {
                Ok(Some(page)) => self.push(page)?,
                Ok(None) => {}
                Err(Oddity::Problem(kind, message)) => {
                    let place = format!("record {} at byte {}", record.number, record.location.member);
                    self.problem(path, kind, format!("{place}: {message}"));
                }
                Err(Oddity::Archive(error)) => return Err(error),
            }
        }
        if n_records == 0 {
            self.problem(path, "empty archive", "no WARC record is in it".to_owned());
        }
        for problem in reader.into_problems() {
            self.problem(path, problem.kind, problem.message);
        }
        Ok(())
    }

    /// What a record says about a page; `None` for records that are about something else.
    fn kept_page(&mut self, record: &WarcRecord) -> Result<Option<KeptPage>, Oddity> {
        if !matches!(record.kind(), "response" | "resource" | "revisit") {
            return Ok(None);
        }
        let Some(target) = record.target() else {
            return Err(Oddity::Problem("damaged record", "it names no address".to_owned()));
        };
        let url = Url::parse(target)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        let (Some(url), Some(form)) = (url, self.form_of(record)) else {
            return Ok(None);
        };
        let date = record.header("WARC-Date").and_then(read_date);
        let Some(fetched_at) = date else {
            return Err(Oddity::Problem(
                "damaged record",
                "it does not say when it was made".to_owned(),
            ));
        };
        let request = request(url, form);
        let page = match record.kind() {
            "revisit" => self.revisit(record, &request)?,
            _ => Some(new_page(record, &request.url, self.options)?),
        };
        Ok(Some(kept(request, page, fetched_at)))
    }

    /// What was sent for an answer: `None` if it cannot be asked for again, `Some(None)` if no form
    /// was sent.
    fn form_of(&self, record: &WarcRecord) -> Option<Option<Vec<u8>>> {
        let names = [record.header("WARC-Record-ID"), record.header("WARC-Concurrent-To")];
        match names.into_iter().flatten().find_map(|name| self.forms.get(name)) {
            Some(form) => form.clone().map(Some),
            None => Some(None),
        }
    }

    /// The page that a revisit stands for: its own head, and the body of the one it refers to.
    /// `None` when it only says that the page is still right.
    fn revisit(&mut self, record: &WarcRecord, own: &Request) -> Result<Option<NewPage>, Oddity> {
        let is_unmodified = record
            .header("WARC-Profile")
            .is_some_and(|profile| profile.ends_with("not-modified"));
        let target = record
            .header("WARC-Refers-To-Target-URI")
            .and_then(|target| Url::parse(target).ok());
        let referred = target.filter(|target| *target != own.url || !is_unmodified);
        let referred = referred.map_or(own.clone(), |url| request(url, None));
        let date = record.header("WARC-Refers-To-Date").and_then(read_date);
        let mut original = self.find(&referred, date)?;
        if original.is_none() {
            // It may be in the batch.
            self.store()?;
            original = self.find(&referred, date)?;
        }
        let Some(original) = original else {
            let message = format!("what {} refers to is not stored", own.url);
            return Err(Oddity::Problem("revisit without original", message));
        };
        if is_unmodified && referred == *own {
            return Ok(None);
        }
        let body = self.archive.body(original.id)?;
        let head = read_http_response(&record.block, self.options).filter(|_| !is_unmodified);
        Ok(Some(match head {
            Some(head) => page_of(head.status, http_headers(&record.block), body, &own.url),
            None => page_of(original.status, original.headers, body, &own.url),
        }))
    }

    /// The stored answer to a request at this time, to the second as older files have it; the last
    /// one if no time is given.
    fn find(&mut self, request: &Request, date: Option<UnixMillis>) -> Result<Option<StoredPage>, ArchiveError> {
        let captures = self.archive.captures_of(request)?;
        let is_then = |capture: &StoredPage| {
            date.is_none_or(|date| date.0.div_euclid(1_000) == capture.fetched_at.0.div_euclid(1_000))
        };
        Ok(captures.into_iter().rfind(is_then))
    }

    fn push(&mut self, page: KeptPage) -> Result<(), ArchiveError> {
        self.batch_bytes += page.page.as_ref().map_or(0, |page| page.body.len());
        self.batch.push(page);
        if self.batch.len() >= BATCH_PAGES || self.batch_bytes >= BATCH_BYTES {
            self.store()?;
        }
        Ok(())
    }

    fn store(&mut self) -> Result<(), ArchiveError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let committed = self.archive.keep(&self.batch, self.now)?;
        let n_known = committed
            .iter()
            .filter(|committed| **committed == Committed::Refused)
            .count() as u64;
        self.import.known += n_known;
        self.import.stored += committed.len() as u64 - n_known;
        self.batch.clear();
        self.batch_bytes = 0;
        Ok(())
    }

    fn problem(&mut self, path: &Path, kind: &'static str, message: String) {
        let problem = Problem::new(kind, format!("{}: {message}", path.display()));
        if loses_records(&problem) && self.import.damaged.last().is_none_or(|last| last != path) {
            self.import.damaged.push(path.to_owned());
        }
        if self.import.problems.len() < self.options.problems_max {
            self.import.problems.push(problem);
        }
    }
}

/// Why a record gives no page.
enum Oddity {
    /// Something is wrong with the record.
    Problem(&'static str, String),
    /// Something is wrong with the archive, and the import stops.
    Archive(ArchiveError),
}

impl From<ArchiveError> for Oddity {
    fn from(error: ArchiveError) -> Self {
        Self::Archive(error)
    }
}

fn open(path: &Path) -> Result<File, ArchiveError> {
    File::open(path).map_err(|cause| unreadable(path, cause))
}

fn unreadable(path: &Path, cause: std::io::Error) -> ArchiveError {
    ArchiveError::file("read", path, cause)
}

fn request(url: Url, form: Option<Vec<u8>>) -> Request {
    let method = if form.is_some() { Method::Post } else { Method::Get };
    let body = form.unwrap_or_default();
    Request { method, url, body }
}

fn kept(request: Request, page: Option<NewPage>, fetched_at: UnixMillis) -> KeptPage {
    KeptPage {
        request: NewRequest {
            request,
            priority: 0.0,
            depth: 0,
            found_on: None,
        },
        page: page.map(|page| NewPage { fetched_at, ..page }),
        checked_at: fetched_at,
    }
}

/// The page in a `response` or `resource`.
fn new_page(record: &WarcRecord, url: &Url, options: &WarcOptions) -> Result<NewPage, Oddity> {
    let record_type = record.header("Content-Type").unwrap_or("application/http");
    let is_http = record.block.starts_with(b"HTTP/") || record_type.starts_with("application/http");
    let mut problems = record.losses();
    if record.kind() == "resource" && !is_http {
        let headers = vec![("Content-Type".to_owned(), record_type.to_owned())];
        let body = record.block[..record.block.len().min(options.body_bytes_max)].to_vec();
        return Ok(NewPage {
            problems,
            ..page_of(200, headers, body, url)
        });
    }
    let Some(message) = read_http_response(&record.block, options) else {
        return Err(Oddity::Problem(
            "damaged record",
            "it holds no HTTP response".to_owned(),
        ));
    };
    problems.extend(message.problems);
    Ok(NewPage {
        problems,
        ..page_of(message.status, http_headers(&record.block), message.body, url)
    })
}

/// A page without its time.
fn page_of(status: u16, headers: Vec<(String, String)>, body: Vec<u8>, url: &Url) -> NewPage {
    let location = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("Location"));
    let redirect = location.filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308));
    NewPage {
        status,
        redirect: redirect.and_then(|(_, location)| url.join(location).ok()),
        headers,
        body,
        fetched_at: UnixMillis(0),
        problems: Vec::new(),
    }
}

/// Where an HTTP head ends: behind its empty line, or with the block.
fn head_length(block: &[u8]) -> usize {
    let line_ends = block.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let mut line_begin = 0;
    for (index, _) in line_ends {
        if matches!(&block[line_begin..index], b"" | b"\r") {
            return index + 1;
        }
        line_begin = index + 1;
    }
    block.len()
}

/// The HTTP headers at the begin of a block, under the names that they had when they were sent.
fn http_headers(block: &[u8]) -> Vec<(String, String)> {
    let head = String::from_utf8_lossy(&block[..head_length(block)]);
    let lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, value)| (original_name(name.trim()).to_owned(), value.trim().to_owned()))
        .collect()
}
