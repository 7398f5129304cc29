//! Dates in headers: three formats by the standard, and what servers make of them.
//!
//! The reading is the one of cookies (RFC 6265, section 5.1.1), which takes the words in any order
//! and so understands all three formats of HTTP (RFC 9110, section 5.6.7) and most mistakes. Every
//! date is taken as UTC. The crate `httpdate` reads those three alone, and cookies have others.

use untemplate_store::{UnixMillis, days_since_1970};

/// The moment that a date in a header names, if it names one.
pub fn read_http_date(text: &str) -> Option<UnixMillis> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    // No honest date has more words; the rest is not read.
    for word in text.split(is_delimiter).filter(|word| !word.is_empty()).take(16) {
        if time.is_none() && word.contains(':') {
            time = read_time(word);
        } else if day.is_none() && matches!(n_digits(word), 1..=2) {
            day = Some(leading_number(word));
        } else if month.is_none() && read_month(word).is_some() {
            month = read_month(word);
        } else if year.is_none() && matches!(n_digits(word), 2..=4) {
            year = Some(full_year(leading_number(word)));
        }
    }
    let (seconds, day, month, year) = (time?, day?, month?, year?);
    let days = days_since_1970(year, month, day).filter(|_| year >= 1601)?;
    Some(UnixMillis((days * 86_400 + seconds) * 1000))
}

fn is_delimiter(letter: char) -> bool {
    matches!(letter, '\t' | ' '..='/' | ';'..='@' | '['..='`' | '{'..='~')
}

fn n_digits(word: &str) -> usize {
    word.bytes().take_while(u8::is_ascii_digit).count()
}

/// The number a word begins with; callers have counted its digits.
fn leading_number(word: &str) -> i64 {
    let digits = word.bytes().take(4).take_while(u8::is_ascii_digit);
    digits.fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
}

/// `08:49:37` in seconds.
fn read_time(word: &str) -> Option<i64> {
    let mut parts = word.splitn(3, ':');
    let mut part = |end: i64| {
        let part = parts.next()?;
        let number = leading_number(part);
        (matches!(n_digits(part), 1..=2) && number < end).then_some(number)
    };
    // A leap second is a second.
    Some(part(24)? * 3600 + part(60)? * 60 + part(61)?)
}

fn read_month(word: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let begin = word.get(..3)?.to_ascii_lowercase();
    let index = MONTHS.iter().position(|month| *month == begin)?;
    Some(index as i64 + 1)
}

fn full_year(year: i64) -> i64 {
    match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        _ => year,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, seconds: Option<i64>) {
        let read = read_http_date(text);
        assert_eq!(
            read.map(|moment| moment.0),
            seconds.map(|seconds| seconds * 1000),
            "{text}"
        );
    }

    #[test]
    fn formats_of_the_standard() {
        check("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777));
        check("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777));
        check("Sun Nov  6 08:49:37 1994", Some(784_111_777));
        check("Thu, 01 Jan 1970 00:00:00 GMT", Some(0));
        check("Thu, 01-Jan-1970 00:00:01 GMT", Some(1));
        check("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199));
        check("Fri, 31 Dec 9999 23:59:59 GMT", Some(253_402_300_799));
        check("Wed, 31 Dec 1969 23:59:59 GMT", Some(-1));
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "soon",
            "0",
            "120",
            "Sun, 06 Nov 1994",
            "30 Feb 2024 00:00:00",
            "29 Feb 2023 00:00:00",
            "06 Nov 1994 24:00:00",
            "06 Nov 1994 08:60:00",
            "06 Nov 1500 08:00:00",
            "06 Nov 99999999999999999999 08:00:00",
            "é: é Ünd é",
            "::: 1 1 1 1",
        ] {
            check(text, None);
        }
        assert_eq!(read_http_date(&"9".repeat(1 << 20)), None);
    }
}
