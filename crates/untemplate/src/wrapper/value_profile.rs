//! Value profiles: what the values of a field look like, in a few counts, so that a field that now
//! reads something else is noticed though nothing is missing.
//!
//! In: one value of each page a wrapper or a specification was learnt from, and later one of each
//! page that is verified. Out: a [`ValueProfile`], which its file keeps, and the oddest
//! [`Deviation`] of the later values from it. Everything is compared as a share: how many values
//! are numbers, how many have digits, how many are about as long as they were. Whether a share is
//! too small for chance tells `statistics.rs`; who asks divides its error rate by [`N_TESTS`].

use std::collections::BTreeMap;

use crate::record::{ValueShape, shape_of};
use crate::statistics::chance_of_so_few;

/// What the values of a field look like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValueProfile {
    /// How many values were looked at, one of each page.
    pub values: u32,
    /// How many of them have each trait, in the order of [`ValueTrait::ALL`].
    pub traits: [u32; N_TRAITS],
    /// How many of them are the commonest value.
    pub commonest: u32,
    /// How long they are, in characters.
    pub lengths: Spread,
    /// The first numbers in them, of those that have one.
    pub numbers: Spread,
}

/// Where numbers lie.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// How many there are.
    pub count: u32,
    /// The least.
    pub least: f64,
    /// The one in the middle.
    pub middle: f64,
    /// The greatest.
    pub most: f64,
}

/// Something that a value has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueTrait {
    /// It is a number.
    Number,
    /// It is a price.
    Price,
    /// It is a date.
    Date,
    /// It is an address of the web.
    Address,
    /// It has a digit.
    Digit,
    /// It has a letter.
    Letter,
    /// It has a letter that ASCII has not.
    Foreign,
    /// It has several words.
    Words,
    /// Its first letter is a capital.
    Capital,
    /// It has a sign that is no letter, digit or blank.
    Sign,
}

const N_TRAITS: usize = ValueTrait::ALL.len();

/// How many shares a profile compares: each trait and the commonest value both ways, and the bounds
/// of two spreads.
pub const N_TESTS: usize = 2 * (N_TRAITS + 1) + 2;

/// How values differ from a profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// The chance of this much by chance alone, if nothing has changed.
    pub chance: f64,
    /// What is different, for people.
    pub what: String,
}

/// Fewer values say nothing about what values look like.
const VALUES_MIN: u32 = 3;

/// The most values of a field that are kept for a comparison: more prove nothing new.
pub(crate) const VALUES_MAX: usize = 1_000;

impl ValueTrait {
    /// All traits, in their order.
    pub const ALL: [Self; 10] = [
        Self::Number,
        Self::Price,
        Self::Date,
        Self::Address,
        Self::Digit,
        Self::Letter,
        Self::Foreign,
        Self::Words,
        Self::Capital,
        Self::Sign,
    ];

    /// What it is called in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Price => "price",
            Self::Date => "date",
            Self::Address => "address",
            Self::Digit => "digit",
            Self::Letter => "letter",
            Self::Foreign => "foreign",
            Self::Words => "words",
            Self::Capital => "capital",
            Self::Sign => "sign",
        }
    }

    /// What values with it, and those without it, are for people.
    fn told(self) -> [&'static str; 2] {
        match self {
            Self::Number => ["are numbers", "are no numbers"],
            Self::Price => ["are prices", "are no prices"],
            Self::Date => ["are dates", "are no dates"],
            Self::Address => ["are addresses", "are no addresses"],
            Self::Digit => ["have digits", "have no digit"],
            Self::Letter => ["have letters", "have no letter"],
            Self::Foreign => ["have letters beyond ASCII", "have no letter beyond ASCII"],
            Self::Words => ["have several words", "are one word"],
            Self::Capital => ["begin with a capital", "begin with no capital"],
            Self::Sign => ["have signs", "have no sign"],
        }
    }

    fn is_of(self, value: &str) -> bool {
        match self {
            Self::Number => shape_of(value) == ValueShape::Number,
            Self::Price => shape_of(value) == ValueShape::Price,
            Self::Date => shape_of(value) == ValueShape::Date,
            Self::Address => shape_of(value) == ValueShape::Address,
            Self::Digit => value.contains(|letter: char| letter.is_numeric()),
            Self::Letter => value.contains(char::is_alphabetic),
            Self::Foreign => value.contains(|letter: char| !letter.is_ascii() && letter.is_alphabetic()),
            Self::Words => value.trim().contains(char::is_whitespace),
            Self::Capital => {
                let first = value.chars().find(|letter| letter.is_alphabetic());
                first.is_some_and(char::is_uppercase)
            }
            Self::Sign => value.contains(|letter: char| !letter.is_alphanumeric() && !letter.is_whitespace()),
        }
    }
}

impl Spread {
    fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let (Some(&least), Some(&most)) = (numbers.first(), numbers.last()) else {
            return Self::default();
        };
        let middle = numbers[numbers.len() / 2];
        Self {
            count: numbers.len() as u32,
            least,
            middle,
            most,
        }
    }

    /// Whether a number is near those that were seen: no farther outside than they lie apart.
    fn has_near(&self, number: f64) -> bool {
        let apart = (self.most - self.least).max(self.middle.abs() / 2.0);
        (self.least - apart..=self.most + apart).contains(&number)
    }
}

impl ValueProfile {
    /// The profile of values, one of each page.
    pub fn of<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let count = |its: ValueTrait| values.clone().filter(|value| its.is_of(value)).count() as u32;
        Self {
            values: values.clone().count() as u32,
            traits: ValueTrait::ALL.map(count),
            commonest: commonest(values.clone()),
            lengths: Spread::of(values.clone().map(length_of).collect()),
            numbers: Spread::of(values.filter_map(number_in).collect()),
        }
    }

    /// How values differ most from the profile: by a share that is less than `held_min` of what it
    /// was, and the least likely of those. `None` where no share does.
    pub fn deviation<'a>(&self, values: impl Iterator<Item = &'a str> + Clone, held_min: f64) -> Option<Deviation> {
        if self.values < VALUES_MIN {
            return None;
        }
        let mut oddest: Option<Deviation> = None;
        for share in self.shares(values) {
            let expected = f64::from(share.then.0) / f64::from(share.then.1.max(1));
            let is_less = f64::from(share.now.0) < held_min * expected * f64::from(share.now.1);
            if !is_less {
                continue;
            }
            let count = |(with, of): (u32, u32)| (with as usize, of as usize);
            let chance = chance_of_so_few(count(share.now), count(share.then));
            if oddest.as_ref().is_none_or(|oddest| chance < oddest.chance) {
                let what = share.told();
                oddest = Some(Deviation { chance, what });
            }
        }
        oddest
    }

    /// All shares that are compared, each way.
    fn shares<'a>(&self, values: impl Iterator<Item = &'a str> + Clone) -> Vec<Share> {
        let n_now = values.clone().count() as u32;
        let mut shares = Vec::new();
        for (its, then) in ValueTrait::ALL.into_iter().zip(self.traits) {
            let now = values.clone().filter(|value| its.is_of(value)).count() as u32;
            push_both(
                &mut shares,
                (now, n_now),
                (then, self.values),
                its.told().map(str::to_owned),
            );
        }
        let told = ["are one and the same", "differ from the commonest"].map(str::to_owned);
        let now = (commonest(values.clone()), n_now);
        push_both(&mut shares, now, (self.commonest, self.values), told);
        let lengths: Vec<f64> = values.clone().map(length_of).collect();
        push_spread(&mut shares, &self.lengths, &lengths, " characters");
        // A number in few of the values is no range.
        if 2 * self.numbers.count >= self.values {
            let numbers: Vec<f64> = values.filter_map(number_in).collect();
            push_spread(&mut shares, &self.numbers, &numbers, "");
        }
        shares
    }
}

/// How many values are so, and how many were.
struct Share {
    now: (u32, u32),
    then: (u32, u32),
    what: String,
}

impl Share {
    fn told(&self) -> String {
        let ((now, of_now), (then, of_then)) = (self.now, self.then);
        format!("{now} of {of_now} values {}, where {then} of {of_then} did", self.what)
    }
}

/// Compares a share and what is left of it.
fn push_both(shares: &mut Vec<Share>, now: (u32, u32), then: (u32, u32), told: [String; 2]) {
    let rest = |(with, of): (u32, u32)| (of - with.min(of), of);
    let [with, without] = told;
    let (now_rest, then_rest) = (rest(now), rest(then));
    shares.push(Share { now, then, what: with });
    shares.push(Share {
        now: now_rest,
        then: then_rest,
        what: without,
    });
}

/// Compares where numbers lie: whether near those that were seen. Where they lie among those is not
/// compared: training pages may be the first of a list that is sorted by them.
fn push_spread(shares: &mut Vec<Share>, spread: &Spread, now: &[f64], unit: &str) {
    let Spread { least, most, .. } = spread;
    let near = now.iter().filter(|&&number| spread.has_near(number)).count() as u32;
    // The two at the ends say where the bounds are: they do not count as seen within them.
    shares.push(Share {
        now: (near, now.len() as u32),
        then: (spread.count.saturating_sub(2), spread.count),
        what: format!("have about {least} to {most}{unit}"),
    });
}

/// How many values are the commonest one.
fn commonest<'a>(values: impl Iterator<Item = &'a str>) -> u32 {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts.into_values().max().unwrap_or(0)
}

fn length_of(value: &str) -> f64 {
    value.chars().count() as f64
}

/// The first number in a value; commas inside it are taken for separators of thousands.
fn number_in(value: &str) -> Option<f64> {
    let start = value.find(|letter: char| letter.is_ascii_digit())?;
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let end = value[start..]
        .find(|letter| !is_part(letter))
        .map_or(value.len(), |end| start + end);
    let digits = value[start..end].replace(',', "");
    let digits = digits.trim_end_matches('.');
    // Of dates and versions the first part alone.
    let mut parts = digits.splitn(3, '.');
    let (whole, fraction) = (parts.next()?, parts.next().filter(|_| digits.matches('.').count() == 1));
    format!("{whole}.{}", fraction.unwrap_or("0")).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether values are told from those that a profile was made of, at one in a million.
    fn check(then: &[&str], now: &[&str], expected: Option<&str>) {
        let profile = ValueProfile::of(then.iter().copied());
        let deviation = profile.deviation(now.iter().copied(), 0.9);
        let told = deviation.filter(|its| its.chance < 1e-6).map(|its| its.what);
        assert_eq!(told.as_deref(), expected);
    }

    const NAMES: [&str; 12] = [
        "Ada Byron",
        "Bo Diddley",
        "Cy Young",
        "Dee Dee King",
        "Eve Arden",
        "Flo Hyman",
        "Guy Ritchie",
        "Hal Hartley",
        "Ida Lupino",
        "Joe Dante",
        "Kay Francis",
        "Lee Marvin",
    ];

    #[test]
    fn values_of_another_kind_are_told() {
        check(&NAMES, &NAMES, None);
        let years: Vec<String> = (0..20).map(|year| (1950 + year).to_string()).collect();
        let years: Vec<&str> = years.iter().map(String::as_str).collect();
        check(
            &NAMES,
            &years,
            Some("0 of 20 values are no numbers, where 12 of 12 did"),
        );
        check(
            &years,
            &["1949"; 20],
            Some("0 of 20 values differ from the commonest, where 19 of 20 did"),
        );
        check(&years[..4], &years[4..], None);
        let large: Vec<String> = (0..20).map(|number| (800_000 + 7 * number).to_string()).collect();
        let large: Vec<&str> = large.iter().map(String::as_str).collect();
        let profile = ValueProfile::of(years.iter().copied());
        assert!(
            profile
                .deviation(large.iter().copied(), 0.9)
                .is_some_and(|its| its.chance < 1e-6)
        );
    }

    #[test]
    fn numbers_are_read_from_values() {
        let read = |value: &str| number_in(value);
        assert_eq!(read("$1,234.50 each"), Some(1234.5));
        assert_eq!(read("12.5.1999"), Some(12.0));
        assert_eq!(read("about 7."), Some(7.0));
        assert_eq!(read("none"), None);
    }
}
