//! The order of texts with numbers in them: `9 kg` before `10 kg`, `Round 2` before `Round 11`.
//!
//! Columns that are numbers are stored and compared as numbers. What a page shows around a number,
//! a unit or a word, leaves the column a text, and people still mean the number. SQLite is told
//! this order as a collation; it is total: texts that differ are never equal.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// The name of the collation in SQL.
pub const NATURAL: &str = "untemplate_natural";

/// Compares two texts, numbers in them by their amounts.
pub fn natural(left: &str, right: &str) -> Ordering {
    let start = first_difference(left, right);
    let (mut left_parts, mut right_parts) = (Parts::of(left, start), Parts::of(right, start));
    loop {
        let ordering = match (left_parts.next(), right_parts.next()) {
            (None, None) => return left.cmp(right),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(left), Some(right)) => left.compare(&right),
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

/// Where two texts begin to differ, or where the number begins in which they do: what is the same
/// before need not be looked at, and a million rows are compared soon.
fn first_difference(left: &str, right: &str) -> usize {
    let same = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right);
    let mut start = same.count();
    let is_of_number = |byte: u8| byte.is_ascii_digit() || byte == b'.' || byte == b',';
    while start > 0 && (!left.is_char_boundary(start) || is_of_number(left.as_bytes()[start - 1])) {
        start -= 1;
    }
    // Blanks and a sign may stand before a number at the very beginning.
    if start <= SIGN_BYTES_MAX { 0 } else { start }
}

/// Bytes at the beginning that may be a sign.
const SIGN_BYTES_MAX: usize = 4;

/// A piece of a text.
enum Part {
    Number(f64),
    Letter(char),
}

impl Part {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => left.total_cmp(right),
            (Self::Number(_), Self::Letter(_)) => Ordering::Less,
            (Self::Letter(_), Self::Number(_)) => Ordering::Greater,
            (Self::Letter(left), Self::Letter(right)) => left.cmp(right),
        }
    }
}

/// The pieces of a text, letters in lower case.
struct Parts<'a> {
    letters: Peekable<Chars<'a>>,
    is_first: bool,
}

impl<'a> Parts<'a> {
    /// The pieces from a place on.
    fn of(text: &'a str, start: usize) -> Self {
        let text = if start == 0 { text.trim_start() } else { &text[start..] };
        Self {
            letters: text.chars().peekable(),
            is_first: start == 0,
        }
    }

    /// The amount of the digits that come next, with commas between groups of three.
    fn whole(&mut self) -> f64 {
        let (mut amount, mut n_digits) = (0.0, 0);
        while let Some(&letter) = self.letters.peek() {
            match letter.to_digit(10) {
                Some(digit) => {
                    amount = amount * 10.0 + f64::from(digit);
                    n_digits += 1;
                }
                None if letter == ',' && n_digits > 0 && self.group_follows() => {}
                None => break,
            }
            self.letters.next();
        }
        amount
    }

    /// Whether exactly three digits stand behind the letter that comes next.
    fn group_follows(&self) -> bool {
        let behind: Vec<char> = self.letters.clone().skip(1).take(4).collect();
        behind.len() >= 3
            && behind[..3].iter().all(char::is_ascii_digit)
            && !behind.get(3).is_some_and(char::is_ascii_digit)
    }

    /// The amount of the digits behind a point, unless more such follow, as in a version or a date.
    fn fraction(&mut self) -> f64 {
        if self.letters.peek() != Some(&'.') {
            return 0.0;
        }
        let behind = self.letters.clone().skip(1);
        let digits: Vec<u32> = behind.map_while(|letter| letter.to_digit(10)).collect();
        let mut next = self.letters.clone().skip(1 + digits.len());
        let goes_on = next.next() == Some('.') && next.next().is_some_and(|letter| letter.is_ascii_digit());
        if digits.is_empty() || goes_on {
            return 0.0;
        }
        self.letters.nth(digits.len());
        digits
            .iter()
            .rev()
            .fold(0.0, |amount, &digit| (amount + f64::from(digit)) / 10.0)
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let is_first = std::mem::take(&mut self.is_first);
        let letter = *self.letters.peek()?;
        let is_minus = is_first && matches!(letter, '-' | '\u{2212}');
        let is_negative = is_minus && self.letters.clone().nth(1).is_some_and(|it| it.is_ascii_digit());
        if !letter.is_ascii_digit() && !is_negative {
            self.letters.next();
            return Some(Part::Letter(letter.to_lowercase().next().unwrap_or(letter)));
        }
        if is_negative {
            self.letters.next();
        }
        let amount = self.whole() + self.fraction();
        Some(Part::Number(if is_negative { -amount } else { amount }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts_count_as_numbers() {
        let ordered = [
            "-12 m", "-3 m", "0.5 kg", "1.75 m", "1.8 m", "9 kg", "10 kg", "1,200 kg", "12000 kg", "Round 2",
            "round 2b", "Round 11", "v1.9.2", "v1.10.0",
        ];
        for (index, left) in ordered.iter().enumerate() {
            for (other, right) in ordered.iter().enumerate() {
                assert_eq!(natural(left, right), index.cmp(&other), "{left} and {right}");
            }
        }
        assert_eq!(natural("01", "1"), Ordering::Less, "texts that differ are never equal");
        assert_eq!(natural("\u{2212}12 m", "\u{2212}3 m"), Ordering::Less);
        assert_eq!(natural("Höhe 9,5", "Höhe 10"), Ordering::Less);
    }
}
