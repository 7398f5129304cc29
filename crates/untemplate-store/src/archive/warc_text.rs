//! The words of WARC records: dates, digests, names of records, and which headers are set aside.
//!
//! Everything is a function of what is stored, so that exporting twice gives the same bytes.

use super::{ContentHash, UnixMillis};
use crate::calendar::{date_of, days_since_1970};

/// HTTP headers that speak of the body as it was sent. Bodies are stored and exported unpacked, so
/// that these may lie.
const BODY_HEADERS: [&str; 3] = ["Content-Encoding", "Transfer-Encoding", "Content-Length"];

/// Under this prefix they are kept all the same, as other archives do.
const ORIGINAL_PREFIX: &str = "X-Archive-Orig-";

fn is_body_header(name: &str) -> bool {
    BODY_HEADERS.iter().any(|header| header.eq_ignore_ascii_case(name))
}

/// The name under which a header of a page with so long a body is exported.
pub(super) fn exported_name(name: &str, value: &str, body_length: u64) -> String {
    let is_true = name.eq_ignore_ascii_case("Content-Length") && value.parse() == Ok(body_length);
    let prefix = if is_body_header(name) && !is_true {
        ORIGINAL_PREFIX
    } else {
        ""
    };
    format!("{prefix}{name}")
}

/// The name that a header had before it was exported.
pub(super) fn original_name(name: &str) -> &str {
    match name.split_at_checked(ORIGINAL_PREFIX.len()) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(ORIGINAL_PREFIX) && is_body_header(rest) => rest,
        _ => name,
    }
}

/// A digest as WARC files have it.
pub(super) fn digest_text(hash: &ContentHash) -> String {
    format!("sha256:{}", base32(&hash.0))
}

/// Bytes in the alphabet of RFC 4648, without padding.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::new();
    for chunk in bytes.chunks(5) {
        let mut group = [0; 8];
        group[3..3 + chunk.len()].copy_from_slice(chunk);
        let number = u64::from_be_bytes(group);
        let n_letters = (chunk.len() * 8).div_ceil(5);
        text.extend((0..n_letters).map(|letter| char::from(ALPHABET[(number >> (35 - 5 * letter)) as usize & 31])));
    }
    text.extend(std::iter::repeat_n('=', (8 - text.len() % 8) % 8));
    text
}

/// The name of a record: a UUID made from what the record is about.
pub(super) fn record_name(pieces: &[&[u8]]) -> String {
    let mut bytes = ContentHash::of_pieces(pieces).short();
    // Version 8: made by a rule of one's own.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "<urn:uuid:{}-{}-{}-{}-{}>",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

const DAY_MS: i64 = 86_400_000;

/// A moment as WARC 1.1 writes it, to the millisecond.
pub(super) fn date_text(moment: UnixMillis) -> String {
    // WARC dates have years of four digits.
    let moment = moment.0.clamp(-62_135_596_800_000, 253_402_300_799_999);
    let (days, rest) = (moment.div_euclid(DAY_MS), moment.rem_euclid(DAY_MS));
    let (year, month, day) = date_of(days);
    let (seconds, milliseconds) = (rest / 1_000, rest % 1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z")
}

/// Reads a date in any form that WARC allows: from `2024` to `2024-05-06T07:08:09.123456789Z`, and
/// 14 digits.
pub(super) fn read_date(text: &str) -> Option<UnixMillis> {
    let text = text.trim().trim_end_matches(['Z', 'z']);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: Vec<i64> = whole
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|digit| i64::from(digit - b'0'))
        .collect();
    let is_date = whole
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"-:Tt ".contains(&byte));
    if !is_date || !matches!(digits.len(), 4 | 6 | 8 | 10 | 12 | 14) {
        return None;
    }
    let number = |from: usize, to: usize| {
        digits
            .get(from..to)?
            .iter()
            .copied()
            .reduce(|number, digit| number * 10 + digit)
    };
    let (month, day) = (number(4, 6).unwrap_or(1), number(6, 8).unwrap_or(1));
    let days = days_since_1970(number(0, 4)?, month, day)?;
    let seconds = number(8, 10).unwrap_or(0) * 3_600 + number(10, 12).unwrap_or(0) * 60 + number(12, 14).unwrap_or(0);
    let milliseconds: String = fraction.chars().chain("000".chars()).take(3).collect();
    let milliseconds: i64 = milliseconds.parse().ok().filter(|number| *number >= 0)?;
    Some(UnixMillis(days * DAY_MS + seconds * 1_000 + milliseconds))
}

/// What HTTP says beside a status.
pub(super) fn reason_phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_there_and_back() {
        for (moment, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (1_800_000_000_123, "2027-01-15T08:00:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(date_text(UnixMillis(moment)), text);
            assert_eq!(read_date(text), Some(UnixMillis(moment)));
        }
        assert_eq!(date_text(UnixMillis::NEVER), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn dates_in_other_forms() {
        let moment = |text| read_date(text).map(date_text);
        assert_eq!(moment("2024").as_deref(), Some("2024-01-01T00:00:00.000Z"));
        assert_eq!(moment("20240506070809").as_deref(), Some("2024-05-06T07:08:09.000Z"));
        assert_eq!(
            moment("2024-05-06T07:08:09.1234567Z").as_deref(),
            Some("2024-05-06T07:08:09.123Z")
        );
        for text in [
            "",
            "yesterday",
            "2024-13-01",
            "2024-05-06T07:08:09.-1Z",
            "2024-05-06T07:08:09.éé",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn digests() {
        assert_eq!(base32(b"foobar"), "MZXW6YTBOI======");
        assert_eq!(base32(b"fooba"), "MZXW6YTB");
        assert_eq!(
            digest_text(&ContentHash::of(b"")),
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===="
        );
    }

    #[test]
    fn headers_that_would_lie_are_set_aside() {
        let check = |name: &str, value: &str, exported: &str| {
            assert_eq!(exported_name(name, value, 9), exported);
            assert_eq!(original_name(exported), name);
        };
        check("content-encoding", "gzip", "X-Archive-Orig-content-encoding");
        check("Content-Length", "7", "X-Archive-Orig-Content-Length");
        check("Content-Length", "9", "Content-Length");
        check("X-Archive-Orig-Server", "x", "X-Archive-Orig-Server");
        check("é", "x", "é");
    }
}
