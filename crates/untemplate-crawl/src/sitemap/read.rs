//! [`read_sitemap`]: bytes to entries, whatever the bytes are.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use untemplate::page::{Problem, decode, resolve};
use url::Url;

use super::document::read_document;

/// What a sitemap holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitemap {
    /// What it is.
    pub kind: SitemapKind,
    /// Its addresses, in order: pages, or for an index sitemaps.
    pub entries: Vec<SitemapEntry>,
    /// What was odd about it.
    pub problems: Vec<Problem>,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapKind {
    /// Pages.
    UrlSet,
    /// Sitemaps.
    Index,
    /// Pages, one on each line.
    Text,
    /// Pages of an RSS or Atom feed.
    Feed,
    /// No sitemap.
    Unknown,
}

/// An address of a sitemap.
#[derive(Debug, Clone, PartialEq)]
pub struct SitemapEntry {
    /// The address, of the web and without a fragment.
    pub url: Url,
    /// When it last changed, as the file writes it.
    pub last_modified: Option<String>,
    /// Its weight among the site's pages, from 0 to 1.
    pub priority: Option<f64>,
}

/// What one sitemap may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SitemapLimits {
    /// Bytes, after unpacking.
    pub bytes_max: usize,
    /// Entries.
    pub entries_max: usize,
    /// Elements inside each other.
    pub depth_max: usize,
    /// For whoever follows indices: how many may lead to each other. The protocol allows one; some
    /// sites have two.
    pub index_depth_max: usize,
}

impl Default for SitemapLimits {
    /// Sizes of the protocol: 50 MiB and 50,000 entries. Real sitemaps with images and videos are
    /// five elements deep.
    fn default() -> Self {
        Self {
            bytes_max: 50 << 20,
            entries_max: 50_000,
            depth_max: 32,
            index_depth_max: 3,
        }
    }
}

/// Reads a sitemap that was found at an address. It is total: any bytes give one.
pub fn read_sitemap(url: &Url, body: &[u8], limits: &SitemapLimits) -> Sitemap {
    let mut problems = Vec::new();
    let unpacked = unpack(body, limits.bytes_max, &mut problems);
    let decoded = decode(&unpacked, None);
    problems.extend(decoded.problem);
    let text = decoded.text.trim_start();
    let mut listing = Listing {
        base: url,
        entries_max: limits.entries_max,
        entries: Vec::new(),
        n_bad: 0,
        is_full: false,
    };
    let kind = match text.starts_with('<') {
        true => read_document(text, limits.depth_max, &mut listing, &mut problems),
        false => read_lines(text, &mut listing),
    };
    problems.extend(listing.problems());
    if kind == SitemapKind::Unknown {
        let message = format!("{url} is no sitemap: neither XML of a known kind nor a list of addresses");
        problems.push(Problem::new("not a sitemap", message));
    }
    Sitemap {
        kind,
        entries: listing.entries,
        problems,
    }
}

/// Undoes gzip, and cuts what is too long.
fn unpack(body: &[u8], bytes_max: usize, problems: &mut Vec<Problem>) -> Vec<u8> {
    let mut unpacked = Vec::new();
    let is_packed = body.starts_with(b"\x1F\x8B");
    if is_packed {
        let reader = MultiGzDecoder::new(body);
        // What came before an error is kept: a cut file still names pages.
        if let Err(error) = reader.take(bytes_max as u64 + 1).read_to_end(&mut unpacked) {
            problems.push(Problem::new(
                "bad gzip",
                format!("the sitemap's gzip is damaged: {error}"),
            ));
        }
    } else {
        unpacked.extend_from_slice(&body[..body.len().min(bytes_max + 1)]);
    }
    if unpacked.len() > bytes_max {
        unpacked.truncate(bytes_max);
        let message = format!("the sitemap is longer than {bytes_max} bytes; the rest is ignored");
        problems.push(Problem::new("long sitemap", message));
    }
    unpacked
}

/// The addresses found so far.
pub(super) struct Listing<'a> {
    base: &'a Url,
    entries_max: usize,
    entries: Vec<SitemapEntry>,
    n_bad: usize,
    is_full: bool,
}

impl Listing<'_> {
    /// Keeps an address if it is one of the web; false when there is no room for more.
    pub(super) fn push(&mut self, location: &str, last_modified: Option<String>, priority: Option<f64>) -> bool {
        if self.entries.len() >= self.entries_max {
            self.is_full = true;
            return false;
        }
        let location = location.trim();
        let url = resolve(self.base, location).filter(|url| matches!(url.scheme(), "http" | "https"));
        match url.filter(|_| !location.is_empty()) {
            Some(url) => self.entries.push(SitemapEntry {
                url,
                last_modified,
                priority,
            }),
            None => self.n_bad += 1,
        }
        true
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.n_bad > 0 {
            let message = format!("{} entries of the sitemap have no address of the web", self.n_bad);
            problems.push(Problem::new("bad sitemap entry", message));
        }
        if self.is_full {
            let message = format!(
                "the sitemap has more than {} entries; the rest is ignored",
                self.entries_max
            );
            problems.push(Problem::new("long sitemap", message));
        }
        problems
    }
}

/// Reads one address per line. Prose has lines too, so an address must have its scheme.
fn read_lines(text: &str, listing: &mut Listing<'_>) -> SitemapKind {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let has_scheme = |scheme: &str| {
            line.get(..scheme.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        if !has_scheme("http://") && !has_scheme("https://") {
            listing.n_bad += 1;
        } else if !listing.push(line, None, None) {
            break;
        }
    }
    match listing.entries.is_empty() {
        true => SitemapKind::Unknown,
        false => SitemapKind::Text,
    }
}
