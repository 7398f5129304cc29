//! Receipts: how a host was treated in a run, for whoever answers for it.

/// How a host was treated in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Receipt {
    /// Requests made, robots.txt included.
    pub requests: u64,
    /// The shortest pause between the end of an answer and the next request; `None` before the
    /// second.
    pub gap_min_ms: Option<i64>,
    /// Answers with 429 or 503.
    pub refusals: u64,
    /// Requests that were not made because robots.txt forbids them.
    pub forbidden: u64,
}

/// A receipt with the host's own wishes, as a report has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostReceipt {
    /// The host.
    pub host: String,
    /// How it was treated.
    pub receipt: Receipt,
    /// The pause between requests as it is now: the delay that was asked for, or longer where the
    /// host wants it.
    pub delay_ms: i64,
    /// The pause that its robots.txt asks for, as far as it was honoured.
    pub crawl_delay_ms: Option<i64>,
    /// What is known of its robots.txt: `read`, `asks for nothing`, `not to be had`,
    /// `not asked for`.
    pub robots: &'static str,
}

impl Receipt {
    /// A request is made now; the last one ended this many milliseconds ago.
    pub(super) fn count_request(&mut self, gap_ms: Option<i64>) {
        self.requests += 1;
        // A host that was asked in an earlier run has a gap at its first request, too.
        self.gap_min_ms = self.gap_min_ms.into_iter().chain(gap_ms).min();
    }

    /// An answer came.
    pub(super) fn count_status(&mut self, status: u16) {
        self.refusals += u64::from(matches!(status, 429 | 503));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_gap_counts() {
        let mut receipt = Receipt::default();
        receipt.count_request(None);
        assert_eq!(receipt.gap_min_ms, None);
        for gap_ms in [1_500, 1_000, 2_000] {
            receipt.count_request(Some(gap_ms));
        }
        receipt.count_status(503);
        receipt.count_status(200);
        let expected = Receipt {
            requests: 4,
            gap_min_ms: Some(1_000),
            refusals: 1,
            forbidden: 0,
        };
        assert_eq!(receipt, expected);
    }
}
