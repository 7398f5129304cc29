//! Dates and times: texts such as `6 April 1991`, `20-Jan-1985`, `03/04/2004` and `18:00`, read as
//! days and times.
//!
//! Names of months and weekdays are known in English, German, French, Italian and Spanish. Whether
//! `03/04/2004` is in March or in April cannot be told from one text; the column tells, so the
//! caller says which comes first.

/// Which number comes first in a date that is written in numbers, year last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `25/12/2004`.
    DayFirst,
    /// `12/25/2004`.
    MonthFirst,
}

/// The longest text that is looked at for a date.
const TEXT_MAX: usize = 64;

/// Reads a text as a day: `2004-06-25`.
pub fn read_date(text: &str, order: DateOrder) -> Option<String> {
    if text.len() > TEXT_MAX {
        return None;
    }
    date_of_words(&words(text)?, order)
}

/// Reads a text as a time of a day: `18:00` or `18:00:30`.
pub fn read_time(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > 20 {
        return None;
    }
    let lower = text.to_lowercase();
    let (clock, shift) = match lower.strip_suffix("pm").or_else(|| lower.strip_suffix("p.m.")) {
        Some(rest) => (rest, Some(12)),
        None => match lower.strip_suffix("am").or_else(|| lower.strip_suffix("a.m.")) {
            Some(rest) => (rest, Some(0)),
            None => (
                lower
                    .strip_suffix("uhr")
                    .or_else(|| lower.strip_suffix('h'))
                    .unwrap_or(&lower),
                None,
            ),
        },
    };
    let parts: Vec<&str> = clock.trim().split(':').collect();
    if !(2..=3).contains(&parts.len()) || parts[1..].iter().any(|part| part.len() != 2) || parts[0].len() > 2 {
        return None;
    }
    let number = |part: &&str| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| part.parse().ok())?
    };
    let numbers: Vec<u32> = parts.iter().map(number).collect::<Option<_>>()?;
    let hour = match shift {
        Some(shift) if (1..=12).contains(&numbers[0]) => numbers[0] % 12 + shift,
        Some(_) => return None,
        None => numbers[0],
    };
    if hour > 23 || numbers[1] > 59 || numbers.get(2).is_some_and(|&second| second > 59) {
        return None;
    }
    Some(match numbers.get(2) {
        Some(second) => format!("{hour:02}:{:02}:{second:02}", numbers[1]),
        None => format!("{hour:02}:{:02}", numbers[1]),
    })
}

/// Reads a text as a day and a time of it: `2004-06-25T18:00:00`, with an offset where the text has
/// one.
pub fn read_date_time(text: &str, order: DateOrder) -> Option<String> {
    let text = text.trim();
    if text.len() > TEXT_MAX {
        return None;
    }
    let colon = text.find(':')?;
    let start = text[..colon].rfind(|c: char| !c.is_ascii_digit())?;
    let (day, clock) = (&text[..start], &text[start..]);
    let start = clock.find(|c: char| c.is_ascii_digit())?;
    let is_sound = |joint: &str| {
        JOINTS.contains(
            &joint
                .trim_matches([',', ' ', '-', '\u{2013}', '|'])
                .to_lowercase()
                .as_str(),
        )
    };
    let joint_start = day.rfind(|c: char| c.is_ascii_digit()).map_or(0, |last| last + 1);
    let joint = format!("{}{}", &day[joint_start..], &clock[..start]);
    if !is_sound(&joint) {
        return None;
    }
    let (clock, offset) = split_offset(clock[start..].trim())?;
    let (day, time) = (read_date(&day[..joint_start], order)?, read_time(clock)?);
    let seconds = if time.len() == 5 { ":00" } else { "" };
    Some(format!("{day}T{time}{seconds}{offset}"))
}

/// What may stand between a day and a time.
const JOINTS: [&str; 9] = ["", "t", "at", "um", "à", "alle", "a las", "ore", "kl"];

/// A time and its offset: `Z`, `+02:00`, or nothing. Fractions of seconds are left out.
fn split_offset(clock: &str) -> Option<(&str, String)> {
    let (clock, offset) = if let Some(rest) = clock.strip_suffix(['Z', 'z']) {
        (rest, "Z".to_owned())
    } else if let Some(rest) = clock.strip_suffix("UTC").or_else(|| clock.strip_suffix("GMT")) {
        (rest, "Z".to_owned())
    } else if let Some(place) = clock.rfind(['+', '-']) {
        let digits: String = clock[place + 1..].chars().filter(|&c| c != ':').collect();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        (
            &clock[..place],
            format!("{}{}:{}", &clock[place..=place], &digits[..2], &digits[2..]),
        )
    } else {
        (clock, String::new())
    };
    let clock = clock.trim();
    let whole = match clock.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => clock,
    };
    Some((whole, offset))
}

/// A part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A number, and of how many digits it was.
    Number(u32, usize),
    Month(u32),
}

/// The parts of a date; weekdays, ordinals and small words are left out. `None` when there is
/// anything else.
fn words(text: &str) -> Option<Vec<Word>> {
    let lower = text.trim().to_lowercase();
    let mut words = Vec::new();
    let is_split =
        |c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/' | '.' | '(' | ')' | '\u{2013}' | '年' | '月' | '日');
    for piece in lower.split(is_split).filter(|piece| !piece.is_empty()) {
        let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = piece.split_at(digits);
        if digits > 4 || !matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er" | "º" | "°" | "ª") && digits > 0 {
            return None;
        }
        if digits > 0 {
            words.push(Word::Number(number.parse().ok()?, digits));
        } else if let Some(month) = month_of(piece) {
            words.push(Word::Month(month));
        } else if !is_weekday(piece)
            && !matches!(piece, "de" | "del" | "of" | "the" | "le" | "il" | "den" | "der" | "el")
        {
            return None;
        }
    }
    Some(words)
}

/// The day that three parts are.
fn date_of_words(words: &[Word], order: DateOrder) -> Option<String> {
    let (year, month, day) = match *words {
        [
            Word::Number(year, 4),
            Word::Number(month, 1..=2),
            Word::Number(day, 1..=2),
        ] => (year, month, day),
        [
            Word::Number(first, 1..=2),
            Word::Number(second, 1..=2),
            Word::Number(year, 4),
        ] => match order {
            DateOrder::DayFirst => (year, second, first),
            DateOrder::MonthFirst => (year, first, second),
        },
        [Word::Number(day, 1..=2), Word::Month(month), Word::Number(year, 4)]
        | [Word::Month(month), Word::Number(day, 1..=2), Word::Number(year, 4)]
        | [Word::Number(year, 4), Word::Month(month), Word::Number(day, 1..=2)] => (year, month, day),
        _ => return None,
    };
    let is_sound =
        (1000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    is_sound.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The number of a month, by its name in full or its first letters, three or more.
fn month_of(word: &str) -> Option<u32> {
    let fits = |name: &str| *name == *word || word.chars().count() >= 3 && name.starts_with(word);
    let found = |names: &str| names.split(' ').any(fits);
    // `mar` and `jui` are of several months; the exact short forms below decide.
    let exact = SHORT_MONTHS
        .iter()
        .find(|(short, _)| *short == word)
        .map(|(_, month)| *month);
    exact.or_else(|| {
        let mut found = (1..=12).filter(|&month| found(MONTHS[month as usize - 1]));
        let first = found.next();
        first.filter(|_| found.next().is_none())
    })
}

/// The names of the months in English, German, French, Italian, Spanish.
const MONTHS: [&str; 12] = [
    "january januar jänner janvier gennaio enero",
    "february februar février fevrier febbraio febrero",
    "march märz maerz mars marzo",
    "april avril aprile abril",
    "may mai maggio mayo",
    "june juni juin giugno junio",
    "july juli juillet luglio julio",
    "august août aout agosto",
    "september septembre settembre septiembre setiembre",
    "october oktober octobre ottobre octubre",
    "november novembre noviembre",
    "december dezember décembre decembre dicembre diciembre",
];

const SHORT_MONTHS: [(&str, u32); 4] = [("mar", 3), ("jun", 6), ("jul", 7), ("sept", 9)];

fn is_weekday(word: &str) -> bool {
    let fits =
        |name: &str| *name == *word || word.chars().count() >= 2 && word.chars().count() <= 4 && name.starts_with(word);
    WEEKDAYS.split(' ').any(fits)
}

const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend \
    sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunedì martedì mercoledì giovedì venerdì sabato domenica lunes martes \
    miércoles jueves viernes sábado domingo";

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_dates(texts: &[&str], expected: Expect) {
        let show = |text: &str| {
            let day = read_date(text, DateOrder::DayFirst);
            let both = read_date_time(text, DateOrder::DayFirst);
            let time = read_time(text);
            day.or(both).or(time).unwrap_or_else(|| "none".to_owned())
        };
        let shown: Vec<String> = texts.iter().map(|text| format!("{text} => {}\n", show(text))).collect();
        expected.assert_eq(&shown.concat());
    }

    #[test]
    fn days_of_five_languages() {
        check_dates(
            &[
                "6 April 1991",
                "20-Jan-1985",
                "2004-06-25",
                "June 25, 2004",
                "Friday, 25th June 2004",
                "25. Juni 2004",
                "1er août 2010",
                "3 de mayo de 1999",
                "12 dicembre 2001",
                "25.12.2004",
                "mar 5 mars 2002",
                "2004年6月25日",
            ],
            expect![[r#"
                6 April 1991 => 1991-04-06
                20-Jan-1985 => 1985-01-20
                2004-06-25 => 2004-06-25
                June 25, 2004 => 2004-06-25
                Friday, 25th June 2004 => 2004-06-25
                25. Juni 2004 => 2004-06-25
                1er août 2010 => 2010-08-01
                3 de mayo de 1999 => 1999-05-03
                12 dicembre 2001 => 2001-12-12
                25.12.2004 => 2004-12-25
                mar 5 mars 2002 => none
                2004年6月25日 => 2004-06-25
            "#]],
        );
    }

    #[test]
    fn times_and_both() {
        check_dates(
            &[
                "18:00",
                "6:05 pm",
                "18:00:30",
                "25:00",
                "0:3",
                "2004-06-25T18:00:00+02:00",
                "25 June 2004, 18:00",
                "25.06.2004 um 18:00 Uhr",
                "2004-06-25 18:00:00.123Z",
            ],
            expect![[r#"
                18:00 => 18:00
                6:05 pm => 18:05
                18:00:30 => 18:00:30
                25:00 => none
                0:3 => none
                2004-06-25T18:00:00+02:00 => 2004-06-25T18:00:00+02:00
                25 June 2004, 18:00 => 2004-06-25T18:00:00
                25.06.2004 um 18:00 Uhr => 2004-06-25T18:00:00
                2004-06-25 18:00:00.123Z => 2004-06-25T18:00:00Z
            "#]],
        );
    }

    #[test]
    fn no_days() {
        check_dates(
            &[
                "April 1991",
                "1991",
                "31 April 1991",
                "Mario 64 1991",
                "May",
                "1.2.3",
                "12/2004",
                "Sunny 12 May 1999",
            ],
            expect![[r#"
                April 1991 => none
                1991 => none
                31 April 1991 => none
                Mario 64 1991 => none
                May => none
                1.2.3 => none
                12/2004 => none
                Sunny 12 May 1999 => none
            "#]],
        );
    }

    #[test]
    fn the_order_decides() {
        assert_eq!(
            read_date("03/04/2004", DateOrder::MonthFirst).as_deref(),
            Some("2004-03-04")
        );
        assert_eq!(
            read_date("03/04/2004", DateOrder::DayFirst).as_deref(),
            Some("2004-04-03")
        );
        assert_eq!(read_date("12/25/2004", DateOrder::DayFirst), None);
    }
}
