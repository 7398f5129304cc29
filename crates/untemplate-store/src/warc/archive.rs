//! The archive: answers requests from WARC files.
//!
//! Opening reads every file once and keeps an index; an answer reads its one record again.
//! Redirects are followed inside the archive. A file that does not compress its records one by one
//! is read from its begin for every answer.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use untemplate::page::{Problem, Request, Response, normalise};
use url::Url;

use super::index::{Entry, Index, IndexBuilder, RecordPosition};
use super::options::Problems;
use super::unpacker::Packing;
use super::{RecordReader, WarcOptions, WarcRecord, read_http_response};
use crate::{PageSource, RedirectTrail, SourceError};

/// Whether what is odd about a file means that records of it cannot be read.
pub fn loses_records(problem: &Problem) -> bool {
    ["damaged archive", "damaged record", "not a record"].contains(&problem.kind)
}

/// What it means for a run that records of a file cannot be read.
pub fn damage_of(file: &Path) -> String {
    format!("{} is damaged, so that pages may be missing", file.display())
}

/// WARC files as a page source.
#[derive(Debug)]
pub struct WarcArchive {
    files: Vec<(PathBuf, Packing)>,
    index: Index,
    problems: Vec<Problem>,
    damaged: Vec<PathBuf>,
    options: WarcOptions,
}

impl WarcArchive {
    /// Reads the files once, to know what they can answer.
    pub fn open(paths: &[PathBuf], options: &WarcOptions) -> Result<Self, SourceError> {
        let mut builder = IndexBuilder::new(options.index_bytes_max);
        let (mut files, mut problems, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for (number, path) in paths.iter().enumerate() {
            let scanned = scan(number, path, &mut builder, options);
            let (packing, found) = scanned.map_err(|cause| SourceError::Unreadable {
                file: path.clone(),
                cause,
            })?;
            damaged.extend(found.iter().any(loses_records).then(|| path.clone()));
            let named =
                |problem: Problem| Problem::new(problem.kind, format!("{}: {}", path.display(), problem.message));
            problems.extend(found.into_iter().map(named));
            files.push((path.clone(), packing));
        }
        let mut unresolved = Problems::new(options.problems_max);
        let index = builder.finish(&mut unresolved);
        problems.extend(unresolved.into_vec());
        Ok(Self {
            files,
            index,
            problems,
            damaged,
            options: options.clone(),
        })
    }

    /// What was odd about the files.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// All requests that the archive can answer, sorted by their addresses, those with a form last.
    pub fn requests(&self) -> impl Iterator<Item = Request> {
        let answered = self.index.entries().filter(|(_, entry)| entry.has_content);
        answered.map(|(request, _)| request)
    }

    fn follow(&self, request: &Request, entry: Entry) -> Result<Response, SourceError> {
        let mut trail = RedirectTrail::begin(request, self.options.redirects_max);
        let mut entry = entry;
        loop {
            let (mut response, location) = self.read(entry, &trail.current().url)?;
            response.redirects = trail.redirects();
            if !trail.follow(response.status, location.as_deref())? {
                return Ok(response);
            }
            let Some(next) = self.index.get(trail.current()) else {
                let message = format!(
                    "{} redirects to {}, which is in no file",
                    response.url,
                    trail.current().url
                );
                response
                    .problems
                    .push(Problem::new("redirect out of the archive", message));
                return Ok(response);
            };
            entry = next;
        }
    }

    /// The response at a place, and where it redirects to.
    fn read(&self, entry: Entry, url: &Url) -> Result<(Response, Option<String>), SourceError> {
        let place = entry.place;
        let (path, packing) = &self.files[place.file];
        if !entry.has_content {
            return Err(SourceError::Damaged {
                file: path.clone(),
                what: format!("the record of {url} refers to content that is in no file"),
            });
        }
        let read = read_record(path, place, packing, &self.options);
        let unreadable = |cause| SourceError::Unreadable {
            file: path.clone(),
            cause,
        };
        let (record, problems) = read.map_err(unreadable)?;
        let mut problems = problems;
        problems.extend(record.losses());
        response(record, url.clone(), problems, &self.options).map_err(|what| SourceError::Damaged {
            file: path.clone(),
            what,
        })
    }
}

impl PageSource for WarcArchive {
    fn losses(&self) -> Vec<String> {
        self.damaged.iter().map(|file| damage_of(file)).collect()
    }

    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        let request = Request {
            url: normalise(request.url.clone()),
            ..request.clone()
        };
        match self.index.get(&request) {
            Some(entry) => Some(self.follow(&request, entry)),
            // Of a host that was recorded, what was not is not there.
            None if self.index.hosts.contains(request.url.host_str().unwrap_or_default()) => {
                Some(Ok(missing(request.url)))
            }
            None => None,
        }
    }
}

/// The page that a record holds: what was answered with HTML and a status of 2xx; `None` for all
/// other records, and an error where it is damaged.
pub fn page_of_record(record: WarcRecord, options: &WarcOptions) -> Result<Option<Response>, String> {
    let url = record.target().and_then(|target| Url::parse(target).ok());
    let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https")) else {
        return Ok(None);
    };
    if !matches!(record.kind(), "response" | "resource") {
        return Ok(None);
    }
    let (response, _) = response(record, normalise(url), Vec::new(), options)?;
    let is_page = (200..300).contains(&response.status) && response.is_html();
    Ok(Some(response).filter(|_| is_page))
}

/// Reads all records of a file into the index.
fn scan(
    file: usize,
    path: &Path,
    builder: &mut IndexBuilder,
    options: &WarcOptions,
) -> io::Result<(Packing, Vec<Problem>)> {
    // Only the forms that were sent matter now, not the pages.
    let record_bytes_max = options.record_bytes_max.min(options.head_bytes_max);
    let mut reader = RecordReader::new(
        File::open(path)?,
        &WarcOptions {
            record_bytes_max,
            ..options.clone()
        },
    );
    let mut problems = Problems::new(options.problems_max);
    let (mut n_records, mut n_inside) = (0, 0);
    while let Some(record) = reader.next_record()? {
        builder.add(file, &record, &mut problems);
        n_records += 1;
        n_inside += u64::from(record.location.skip > 0);
    }
    if n_records == 0 {
        problems.push("empty archive", "no WARC record is in it");
    }
    if n_inside > 1 {
        let message = "it is not compressed record by record, so that every answer reads it from its begin";
        problems.push("slow archive", message);
    }
    let packing = reader.packing().cloned().unwrap_or(Packing::Plain);
    Ok((packing, [reader.into_problems(), problems.into_vec()].concat()))
}

fn read_record(
    path: &Path,
    place: RecordPosition,
    packing: &Packing,
    options: &WarcOptions,
) -> io::Result<(WarcRecord, Vec<Problem>)> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(place.location.member))?;
    let mut reader = RecordReader::resume(file, place.location, packing, options)?;
    // A record that begins elsewhere is another one, and no answer at all is better than a wrong
    // one.
    let record = reader.next_record()?.filter(|record| record.location == place.location);
    let gone = || io::Error::new(io::ErrorKind::InvalidData, "it has changed since it was opened");
    Ok((record.ok_or_else(gone)?, reader.into_problems()))
}

/// The response that a record holds, and where it redirects to.
fn response(
    record: WarcRecord,
    url: Url,
    problems: Vec<Problem>,
    options: &WarcOptions,
) -> Result<(Response, Option<String>), String> {
    let record_type = record.header("Content-Type").unwrap_or("application/http");
    let is_http = record.kind() != "resource" && record_type.starts_with("application/http");
    let mut problems = problems;
    if let Some(message) = (is_http || record.block.starts_with(b"HTTP/"))
        .then(|| read_http_response(&record.block, options))
        .flatten()
    {
        problems.extend(message.problems);
        let (status, content_type, body) = (message.status, message.content_type, message.body);
        let response = Response {
            url,
            status,
            content_type,
            body,
            redirects: 0,
            problems,
        };
        return Ok((response, message.location));
    }
    if is_http {
        let place = record.location.member;
        return Err(format!("record at byte {place}: it holds no HTTP response"));
    }
    let content_type = record.header("Content-Type").map(str::to_owned);
    let mut body = record.block;
    if body.len() > options.body_bytes_max {
        let message = format!("only the first {} bytes were read", options.body_bytes_max);
        problems.push(Problem::new("too long", message));
        body.truncate(options.body_bytes_max);
    }
    let response = Response {
        url,
        status: 200,
        content_type,
        body,
        redirects: 0,
        problems,
    };
    Ok((response, None))
}

fn missing(url: Url) -> Response {
    Response {
        status: 404,
        ..Response::html(url, Vec::new())
    }
}
