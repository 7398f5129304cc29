//! Limits on what is read from WARC files, and the list of problems met there.

use untemplate::page::Problem;

/// Limits on what is read from WARC files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcOptions {
    /// Bytes of the head of a record, and of the HTTP head inside it.
    pub head_bytes_max: usize,
    /// Bytes of a record's block that are kept in memory; the rest is skipped.
    pub record_bytes_max: usize,
    /// Bytes of a page, after its encodings are undone.
    pub body_bytes_max: usize,
    /// How many times its size a compressed file may have when unpacked, beyond
    /// [`Self::unpacked_bytes_free`].
    pub expansion_max: u64,
    /// Bytes that every file may unpack to, however small it is.
    pub unpacked_bytes_free: u64,
    /// Bytes of addresses, names and forms that are kept in memory to find records again.
    pub index_bytes_max: usize,
    /// Redirects that are followed inside the archive.
    pub redirects_max: usize,
    /// Problems that are listed for one file; more are counted.
    pub problems_max: usize,
}

impl Default for WarcOptions {
    fn default() -> Self {
        Self {
            head_bytes_max: 256 << 10,
            record_bytes_max: 64 << 20,
            body_bytes_max: 32 << 20,
            // Text compresses ten times, logs and padded tables fifty times; the most that gzip can
            // do is 1,032.
            expansion_max: 200,
            unpacked_bytes_free: 64 << 20,
            // An ordinary page takes about 300 bytes, so that this is enough for some one and a
            // half million.
            index_bytes_max: 512 << 20,
            redirects_max: 20,
            problems_max: 100,
        }
    }
}

/// Problems, the first of them in full.
#[derive(Debug, Clone)]
pub(super) struct Problems {
    kept: Vec<Problem>,
    kept_max: usize,
    n_more: usize,
}

impl Problems {
    pub(super) fn new(kept_max: usize) -> Self {
        Self {
            kept: Vec::new(),
            kept_max,
            n_more: 0,
        }
    }

    pub(super) fn push(&mut self, kind: &'static str, message: impl Into<String>) {
        if self.kept.len() < self.kept_max {
            self.kept.push(Problem::new(kind, message));
        } else {
            self.n_more += 1;
        }
    }

    pub(super) fn into_vec(self) -> Vec<Problem> {
        let Self { mut kept, n_more, .. } = self;
        if n_more > 0 {
            kept.push(Problem::new(
                "more problems",
                format!("{n_more} further problems are not listed"),
            ));
        }
        kept
    }
}
