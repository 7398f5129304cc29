//! `Retry-After`: how long a server that is too busy (429, 503) asks us to stay away.

use std::time::Duration;

use untemplate_store::UnixMillis;

use super::http_date::read_http_date;

/// How long the header asks to wait from `now`, `longest` at the most; `None` when it says nothing
/// that can be read.
pub fn read_retry_after(value: &str, now: UnixMillis, longest: Duration) -> Option<Duration> {
    let value = value.trim();
    let wait = match read_seconds(value) {
        Some(seconds) => Duration::from_secs(seconds),
        // A date that has passed asks for no wait at all.
        None => Duration::from_millis(u64::try_from(read_http_date(value)?.since(now)).unwrap_or(0)),
    };
    Some(wait.min(longest))
}

/// Whole seconds; more than a number can hold is merely long. Some servers send `1.5`, which is
/// rounded up.
fn read_seconds(value: &str) -> Option<u64> {
    let (whole, part) = value.split_once('.').unwrap_or((value, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let round_up = u64::from(part.bytes().any(|digit| digit != b'0'));
    (is_number(whole) && is_number(part)).then(|| whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(round_up))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1994-11-06 08:49:37.
    const NOW: UnixMillis = UnixMillis(784_111_777_000);

    fn check(value: &str, seconds: Option<u64>) {
        let read = read_retry_after(value, NOW, Duration::from_secs(3600));
        assert_eq!(read, seconds.map(Duration::from_secs), "{value}");
    }

    #[test]
    fn seconds() {
        check("0", Some(0));
        check("120", Some(120));
        check("  7 ", Some(7));
        check("0.25", Some(1));
        check("2.0", Some(2));
    }

    #[test]
    fn dates() {
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sunday, 06-Nov-94 08:50:37 GMT", Some(60));
        check("Sun Nov  6 08:49:38 1994", Some(1));
        check("Sat, 05 Nov 1994 08:49:37 GMT", Some(0));
    }

    #[test]
    fn absurd_values_are_clamped() {
        check("86400", Some(3600));
        check("99999999999999999999999999", Some(3600));
        check("18446744073709551615.9", Some(3600));
        check("Fri, 31 Dec 9999 23:59:59 GMT", Some(3600));
    }

    #[test]
    fn garbage() {
        for value in [
            "",
            "-5",
            "soon",
            "1e9",
            "0x10",
            "12 minutes",
            "1.",
            ".5",
            "1.2.3",
            "\u{0}",
        ] {
            check(value, None);
        }
    }
}
