//! The index of an archive: for every request that it can answer, the record that does.
//!
//! One pass over the files collects captures; then requests recorded beside them tell which of them
//! answered a form, and captures that only say "as before" are led to the one they mean. Of several
//! captures of one address the last one in the files counts.

use std::collections::{BTreeMap, HashMap};

use untemplate::page::{Method, Request, normalise};
use url::Url;

use super::http::{http_status, read_http_request};
use super::options::Problems;
use super::{Location, WarcRecord};

/// What an entry costs beside its texts: the capture, its allocations, and its places in the maps
/// of the index.
const ENTRY_BYTES: usize = 1024;

/// A record in one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordPosition {
    /// Which file, by its number in the order given.
    pub(super) file: usize,
    /// Where in it.
    pub(super) location: Location,
}

/// What answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The record.
    pub(super) place: RecordPosition,
    /// Whether it holds the content; else the one that does is in no file.
    pub(super) has_content: bool,
}

/// What was captured of one address at one time.
#[derive(Debug)]
struct Capture {
    place: RecordPosition,
    url: Url,
    id: String,
    date: String,
    digest: Option<String>,
    /// The request records this one names as made at the same time.
    concurrent: Vec<String>,
    revisit: Option<Revisit>,
}

/// Which other capture holds the content.
#[derive(Debug)]
struct Revisit {
    refers_to: Option<String>,
    target: Option<Url>,
    date: Option<String>,
    is_unmodified: bool,
}

/// What was sent to get a capture; `None` for what cannot be asked for again.
type Sent = Option<(Method, Vec<u8>)>;

/// Captures and requests while the files are read.
#[derive(Debug)]
pub(super) struct IndexBuilder {
    captures: Vec<Capture>,
    /// Requests other than plain ones, by their own record and by the record they say they led to.
    sent: HashMap<String, Sent>,
    bytes_left: usize,
    is_full: bool,
}

impl IndexBuilder {
    /// Keeps at most `bytes_max` bytes of addresses, names and forms.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            captures: Vec::new(),
            sent: HashMap::new(),
            bytes_left: bytes_max,
            is_full: false,
        }
    }

    /// Notes what a record is good for.
    pub(super) fn add(&mut self, file: usize, record: &WarcRecord, problems: &mut Problems) {
        if self.is_full {
            return;
        }
        match record.kind() {
            "response" | "resource" | "revisit" => self.add_capture(file, record, problems),
            "request" => self.add_request(record),
            _ => {}
        }
        if self.is_full {
            problems.push(
                "too many records",
                format!("from record {} on, no more are known", record.number),
            );
        }
    }

    /// Whether this many bytes more may be kept.
    fn make_room(&mut self, n_bytes: usize) -> bool {
        let n_bytes = n_bytes + ENTRY_BYTES;
        self.is_full = n_bytes > self.bytes_left;
        self.bytes_left = self.bytes_left.saturating_sub(n_bytes);
        !self.is_full
    }

    fn add_capture(&mut self, file: usize, record: &WarcRecord, problems: &mut Problems) {
        let place = || format!("record {} at byte {}", record.number, record.location.member);
        let Some(target) = record.target() else {
            problems.push("damaged record", format!("{}: it names no address", place()));
            return;
        };
        let Some(url) = address(target) else { return };
        if record.headers.all("WARC-Type").count() > 1 {
            problems.push(
                "damaged record",
                format!("{}: two records run into each other", place()),
            );
            return;
        }
        if record.header("WARC-Segment-Number").is_some_and(|number| number != "1") {
            return;
        }
        // All headers are an upper bound of those kept, and the address is kept once more in the index.
        if !self.make_room(record.headers.n_bytes() + url.as_str().len()) {
            return;
        }
        self.captures.push(Capture {
            place: RecordPosition {
                file,
                location: record.location,
            },
            url,
            id: text(record, "WARC-Record-ID"),
            date: text(record, "WARC-Date"),
            digest: record.header("WARC-Payload-Digest").map(str::to_ascii_lowercase),
            concurrent: record.headers.all("WARC-Concurrent-To").map(str::to_owned).collect(),
            revisit: revisit(record),
        });
    }

    fn add_request(&mut self, record: &WarcRecord) {
        let sent = match read_http_request(&record.block) {
            None | Some(("GET", _)) => return,
            Some(("POST", body)) if record.block.len() as u64 == record.block_length => {
                Some((Method::Post, body.to_vec()))
            }
            _ => None,
        };
        let own = record.header("WARC-Record-ID");
        for id in record.headers.all("WARC-Concurrent-To").chain(own) {
            if !self.make_room(id.len() + sent.as_ref().map_or(0, |(_, body)| body.len())) {
                return;
            }
            self.sent.insert(id.to_owned(), sent.clone());
        }
    }

    /// The record for every request, and problems with captures that mean another one that is not
    /// there.
    pub(super) fn finish(self, problems: &mut Problems) -> BTreeMap<Request, Entry> {
        let originals = Originals::new(&self.captures);
        let mut index: BTreeMap<Request, Entry> = BTreeMap::new();
        for (number, capture) in self.captures.iter().enumerate() {
            let Some((method, body)) = self.sent_for(capture) else {
                continue;
            };
            let url = capture.url.clone();
            let request = Request { method, url, body };
            let place = match &capture.revisit {
                None => Some(capture.place),
                Some(revisit) => originals.find(capture, revisit, number),
            };
            if let Some(place) = place {
                index.insert(
                    request,
                    Entry {
                        place,
                        has_content: true,
                    },
                );
                continue;
            }
            let message = format!("{} of {}: what it refers to is in no file", capture.url, capture.date);
            problems.push("revisit without original", message);
            let place = capture.place;
            index.entry(request).or_insert(Entry {
                place,
                has_content: false,
            });
        }
        index
    }

    fn sent_for(&self, capture: &Capture) -> Sent {
        let mut ids = std::iter::once(&capture.id).chain(&capture.concurrent);
        ids.find_map(|id| self.sent.get(id))
            .cloned()
            .unwrap_or(Some((Method::Get, Vec::new())))
    }
}

/// Captures with content of their own, by all that a revisit may say of them.
struct Originals<'a> {
    by_id: HashMap<&'a str, RecordPosition>,
    by_date: HashMap<(&'a Url, &'a str), RecordPosition>,
    by_digest: HashMap<&'a str, RecordPosition>,
    by_url: HashMap<&'a Url, Vec<(usize, RecordPosition)>>,
}

impl<'a> Originals<'a> {
    fn new(captures: &'a [Capture]) -> Self {
        let (mut by_id, mut by_date, mut by_digest) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut by_url: HashMap<_, Vec<_>> = HashMap::new();
        let originals = captures
            .iter()
            .enumerate()
            .filter(|(_, capture)| capture.revisit.is_none());
        for (number, capture) in originals {
            by_id.insert(capture.id.as_str(), capture.place);
            by_date.insert((&capture.url, capture.date.as_str()), capture.place);
            if let Some(digest) = &capture.digest {
                by_digest.entry(digest.as_str()).or_insert(capture.place);
            }
            by_url.entry(&capture.url).or_default().push((number, capture.place));
        }
        Self {
            by_id,
            by_date,
            by_digest,
            by_url,
        }
    }

    /// The capture that a revisit means, from what names it best to what only hints at it.
    fn find(&self, capture: &Capture, revisit: &Revisit, number: usize) -> Option<RecordPosition> {
        let by_id = revisit.refers_to.as_deref().and_then(|id| self.by_id.get(id));
        let target = revisit.target.as_ref().unwrap_or(&capture.url);
        let by_date = revisit
            .date
            .as_deref()
            .and_then(|date| self.by_date.get(&(target, date)));
        let by_digest = capture.digest.as_deref().and_then(|digest| self.by_digest.get(digest));
        // The server said that nothing has changed since the last capture, so that one holds the content.
        let earlier = revisit.is_unmodified.then(|| self.by_url.get(&capture.url)).flatten();
        let earlier = earlier.and_then(|places| {
            let n_before = places.partition_point(|(other, _)| *other < number);
            places[..n_before].last()
        });
        by_id
            .or(by_date)
            .or(by_digest)
            .or(earlier.map(|(_, place)| place))
            .copied()
    }
}

/// What a record says of the one that holds its content, if that is another one.
fn revisit(record: &WarcRecord) -> Option<Revisit> {
    let profile = record.header("WARC-Profile").unwrap_or_default();
    // Some writers keep the server's "not modified" as an ordinary response.
    let is_not_modified = record.kind() == "response" && http_status(&record.block) == Some(304);
    (is_not_modified || record.kind() == "revisit").then(|| Revisit {
        refers_to: record.header("WARC-Refers-To").map(str::to_owned),
        target: record.header("WARC-Refers-To-Target-URI").and_then(address),
        date: record.header("WARC-Refers-To-Date").map(str::to_owned),
        is_unmodified: is_not_modified || profile.contains("server-not-modified"),
    })
}

/// An address of the web, as links to it are spelt.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim_matches(['<', '>'])).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| normalise(url))
}

fn text(record: &WarcRecord, name: &str) -> String {
    record.header(name).unwrap_or_default().to_owned()
}
