//! The index of an archive: for every request that it can answer, the record that does.
//!
//! One pass over the files collects captures; then requests recorded beside them tell which of them
//! answered a form, and captures that only say "as before" are led to the one they mean. Of several
//! captures of one address the last one in the files counts.
//!
//! Archives have millions of records, and of each only its address, its place and short hashes of
//! its other names are kept: some 200 bytes. Addresses stand in one text: single ones, kept between
//! the large buffers that each record is unpacked with, would leave ten times their memory in gaps.

use std::collections::{BTreeMap, HashMap, HashSet};

use untemplate::page::{Method, Request, normalise};
use url::Url;

use super::http::{http_status, read_http_request};
use super::options::Problems;
use super::{Location, WarcRecord};
use crate::archive::ContentHash;

/// What an entry costs beside its texts: the capture, its place in the index while both are there,
/// and what allocations add.
const ENTRY_BYTES: usize = 256;

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

/// A name of a record, or a digest, as a hash that is short and the same in every run.
type Mark = [u8; 16];

fn mark(text: &str) -> Mark {
    ContentHash::of(text.as_bytes()).short()
}

/// Texts one after the other.
#[derive(Debug, Default)]
struct Texts(String);

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
}

impl Texts {
    fn push(&mut self, text: &str) -> Span {
        let start = self.0.len();
        self.0.push_str(text);
        let end = self.0.len();
        Span { start, end }
    }

    fn get(&self, span: Span) -> &str {
        &self.0[span.start..span.end]
    }
}

/// What was captured of one address at one time.
#[derive(Debug)]
struct Capture {
    place: RecordPosition,
    url: Span,
    id: Mark,
    date: Mark,
    digest: Option<Mark>,
    /// The request records this one names as made at the same time.
    concurrent: Box<[Mark]>,
    /// Few captures have one.
    revisit: Option<Box<Revisit>>,
}

/// Which other capture holds the content.
#[derive(Debug)]
struct Revisit {
    /// When it was made, in words.
    date_text: String,
    refers_to: Option<Mark>,
    target: Option<Box<str>>,
    date: Option<Mark>,
    is_unmodified: bool,
}

/// What was sent to get a capture; `None` for what cannot be asked for again.
type Sent = Option<(Method, Vec<u8>)>;

/// Captures and requests while the files are read.
#[derive(Debug)]
pub(super) struct IndexBuilder {
    captures: Vec<Capture>,
    texts: Texts,
    /// Requests other than plain ones, by their own record and by the record they say they led to.
    sent: HashMap<Mark, Sent>,
    /// The hosts that anything was recorded of.
    hosts: HashSet<String>,
    bytes_left: usize,
    is_full: bool,
}

impl IndexBuilder {
    /// Keeps at most `bytes_max` bytes of addresses, names and forms.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            captures: Vec::new(),
            texts: Texts::default(),
            sent: HashMap::new(),
            hosts: HashSet::new(),
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
        if !self.make_room(url.as_str().len()) {
            return;
        }
        let host = url.host_str().unwrap_or_default();
        if !self.hosts.contains(host) {
            self.hosts.insert(host.to_owned());
        }
        self.captures.push(Capture {
            place: RecordPosition {
                file,
                location: record.location,
            },
            url: self.texts.push(url.as_str()),
            id: mark(record.header("WARC-Record-ID").unwrap_or_default()),
            date: mark(record.header("WARC-Date").unwrap_or_default()),
            digest: record
                .header("WARC-Payload-Digest")
                .map(|digest| mark(&digest.to_ascii_lowercase())),
            concurrent: record.headers.all("WARC-Concurrent-To").map(mark).collect(),
            revisit: revisit(record).map(Box::new),
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
            self.sent.insert(mark(id), sent.clone());
        }
    }

    /// The record for every request, and problems with captures that mean another one that is not
    /// there.
    pub(super) fn finish(mut self, problems: &mut Problems) -> Index {
        let places = self.places(problems);
        let mut plain = Vec::with_capacity(self.captures.len());
        let mut forms = BTreeMap::new();
        let captures = std::mem::take(&mut self.captures);
        for (capture, entry) in captures.into_iter().zip(places) {
            match self.sent_for(&capture) {
                None => {}
                Some((Method::Get, _)) => plain.push((capture.url, entry)),
                Some((method, body)) => {
                    let Ok(url) = Url::parse(self.texts.get(capture.url)) else {
                        continue;
                    };
                    add_form(&mut forms, Request { method, url, body }, entry);
                }
            }
        }
        Index {
            plain: last_of_each(plain, &self.texts),
            texts: self.texts,
            forms,
            hosts: self.hosts,
        }
    }

    /// For every capture the record with its content.
    fn places(&self, problems: &mut Problems) -> Vec<Entry> {
        // What revisits may mean is gathered only where there are some.
        let has_revisits = self.captures.iter().any(|capture| capture.revisit.is_some());
        let originals = Originals::new(if has_revisits { &self.captures } else { &[] }, &self.texts);
        let captures = self.captures.iter().enumerate();
        let mut find = |(number, capture): (usize, &Capture)| {
            let place = match &capture.revisit {
                None => Some(capture.place),
                Some(revisit) => originals.find(capture, revisit, number),
            };
            if let (None, Some(revisit)) = (place, &capture.revisit) {
                let date = &revisit.date_text;
                let url = self.texts.get(capture.url);
                let message = format!("{url} of {date}: what it refers to is in no file");
                problems.push("revisit without original", message);
            }
            Entry {
                place: place.unwrap_or(capture.place),
                has_content: place.is_some(),
            }
        };
        captures.map(&mut find).collect()
    }

    fn sent_for(&self, capture: &Capture) -> Sent {
        let mut ids = std::iter::once(&capture.id).chain(&capture.concurrent);
        ids.find_map(|id| self.sent.get(id))
            .cloned()
            .unwrap_or(Some((Method::Get, Vec::new())))
    }
}

/// Of several entries for one request the last one with content counts, else the first.
fn add_form(forms: &mut BTreeMap<Request, Entry>, request: Request, entry: Entry) {
    let known = forms.entry(request).or_insert(entry);
    if entry.has_content {
        *known = entry;
    }
}

/// The same for plain requests, sorted by their addresses.
fn last_of_each(mut plain: Vec<(Span, Entry)>, texts: &Texts) -> Vec<(Span, Entry)> {
    // Entries for one address stay in the order of the files.
    plain.sort_by(|(one, _), (other, _)| texts.get(*one).cmp(texts.get(*other)));
    plain.dedup_by(|(later, entry), (kept, known)| {
        let is_same = texts.get(*later) == texts.get(*kept);
        if is_same && entry.has_content {
            *known = *entry;
        }
        is_same
    });
    plain
}

/// For every request the record that answers it, or where it should be and is not.
#[derive(Debug)]
pub(super) struct Index {
    /// Plain requests by their addresses, sorted.
    plain: Vec<(Span, Entry)>,
    texts: Texts,
    forms: BTreeMap<Request, Entry>,
    /// The hosts that anything was recorded of.
    pub(super) hosts: HashSet<String>,
}

impl Index {
    pub(super) fn get(&self, request: &Request) -> Option<Entry> {
        let address = request.url.as_str();
        match request.method {
            Method::Get => {
                let found = self
                    .plain
                    .binary_search_by(|(url, _)| self.texts.get(*url).cmp(address));
                found.ok().map(|number| self.plain[number].1)
            }
            _ => self.forms.get(request).copied(),
        }
    }

    /// All requests, those without a form first.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Request, Entry)> {
        let plain = self.plain.iter();
        let plain = plain.filter_map(|(url, entry)| {
            let url = Url::parse(self.texts.get(*url)).ok()?;
            Some((Request::get(url), *entry))
        });
        plain.chain(self.forms.iter().map(|(request, entry)| (request.clone(), *entry)))
    }
}

/// Captures with content of their own, by all that a revisit may say of them.
struct Originals<'a> {
    texts: &'a Texts,
    by_id: HashMap<Mark, RecordPosition>,
    by_date: HashMap<(&'a str, Mark), RecordPosition>,
    by_digest: HashMap<Mark, RecordPosition>,
    by_url: HashMap<&'a str, Vec<(usize, RecordPosition)>>,
}

impl<'a> Originals<'a> {
    fn new(captures: &[Capture], texts: &'a Texts) -> Self {
        let (mut by_id, mut by_date, mut by_digest) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut by_url: HashMap<_, Vec<_>> = HashMap::new();
        let originals = captures
            .iter()
            .enumerate()
            .filter(|(_, capture)| capture.revisit.is_none());
        for (number, capture) in originals {
            by_id.insert(capture.id, capture.place);
            let url = texts.get(capture.url);
            by_date.insert((url, capture.date), capture.place);
            if let Some(digest) = capture.digest {
                by_digest.entry(digest).or_insert(capture.place);
            }
            by_url.entry(url).or_default().push((number, capture.place));
        }
        Self {
            texts,
            by_id,
            by_date,
            by_digest,
            by_url,
        }
    }

    /// The capture that a revisit means, from what names it best to what only hints at it.
    fn find(&self, capture: &Capture, revisit: &Revisit, number: usize) -> Option<RecordPosition> {
        let by_id = revisit.refers_to.and_then(|id| self.by_id.get(&id));
        let own = self.texts.get(capture.url);
        let target = revisit.target.as_deref().unwrap_or(own);
        let by_date = revisit.date.and_then(|date| self.by_date.get(&(target, date)));
        let by_digest = capture.digest.and_then(|digest| self.by_digest.get(&digest));
        // The server said that nothing has changed since the last capture, so that one holds the
        // content.
        let earlier = revisit.is_unmodified.then(|| self.by_url.get(own)).flatten();
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
        date_text: record.header("WARC-Date").unwrap_or_default().to_owned(),
        refers_to: record.header("WARC-Refers-To").map(mark),
        target: record
            .header("WARC-Refers-To-Target-URI")
            .and_then(address)
            .map(|url| String::from(url).into()),
        date: record.header("WARC-Refers-To-Date").map(mark),
        is_unmodified: is_not_modified || profile.contains("server-not-modified"),
    })
}

/// An address of the web, as links to it are spelt.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim_matches(['<', '>'])).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| normalise(url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warc::WarcOptions;

    #[test]
    fn a_million_pages_with_long_addresses_fit() {
        let each = ENTRY_BYTES + 200;
        assert!(WarcOptions::default().index_bytes_max / each > 1_000_000);
        // What is reckoned for a capture and its place in the index is no less than they take.
        let taken = size_of::<Capture>() + size_of::<(Span, Entry)>() + size_of::<Entry>();
        assert!(taken <= ENTRY_BYTES, "{taken}");
    }

    #[test]
    fn the_last_capture_with_content_counts() {
        let entry = |member, has_content| Entry {
            place: RecordPosition {
                file: 0,
                location: Location { member, skip: 0 },
            },
            has_content,
        };
        let given = [
            ("b", 1, true),
            ("a", 2, false),
            ("b", 3, true),
            ("b", 4, false),
            ("a", 5, false),
        ];
        let mut texts = Texts::default();
        let plain = given.map(|(url, member, has_content)| (texts.push(url), entry(member, has_content)));
        let kept = last_of_each(plain.to_vec(), &texts);
        let kept: Vec<(&str, Entry)> = kept.iter().map(|(url, entry)| (texts.get(*url), *entry)).collect();
        assert_eq!(kept, [("a", entry(2, false)), ("b", entry(3, true))]);
    }
}
