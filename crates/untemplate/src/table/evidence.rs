//! Evidence: what the values of a column could be, counted as they pass.
//!
//! In: texts, one at a time. Out: how many of them are numbers, dates and so on, under each meaning
//! that marks may have. Memory is bounded, however many texts there are.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::date::{DateOrder, read_date, read_date_time, read_time};
use super::number::{DecimalMark, read_number};
use super::reading::{is_placeholder, read_boolean, read_email, read_phone, read_url, value_hash};

/// Counts of what texts could be.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// Texts that say something.
    pub n_filled: usize,
    /// Texts that say that there is nothing: `-`, `n/a`.
    pub n_placeholders: usize,
    /// These texts, while there are few.
    pub placeholders: BTreeSet<String>,
    pub point: NumberCounts,
    pub comma: NumberCounts,
    /// Numbers whose amount depends on the mark, and are more than a thousand when the point
    /// separates the decimals.
    pub n_grouped_by_comma: usize,
    /// The same, when the comma does.
    pub n_grouped_by_point: usize,
    /// Whole numbers without a mark, of three, four, and five or more digits. Those of four go
    /// without a mark in some languages that group longer ones.
    pub n_hundreds: usize,
    pub n_thousands: usize,
    pub n_ungrouped: usize,
    pub units: BTreeMap<String, usize>,
    pub day_first: usize,
    pub month_first: usize,
    /// Dates whose day depends on the order.
    pub n_date_doubts: usize,
    pub day_first_time: usize,
    pub month_first_time: usize,
    pub n_date_time_doubts: usize,
    pub times: usize,
    /// Times that may as well be durations, such as `4:48`.
    pub n_time_doubts: usize,
    pub booleans: usize,
    pub urls: usize,
    pub emails: usize,
    pub phones: usize,
    /// Texts that are in canonical form already.
    pub n_verbatim: usize,
    /// Sum of lengths in characters.
    pub n_characters: usize,
    /// Values by hash, up to [`DISTINCT_MAX`]; addresses without the place in the page.
    pub distinct: HashSet<u64>,
    /// Short values and their counts, while there are few.
    pub words: BTreeMap<String, usize>,
    pub has_many_words: bool,
}

/// Counts of numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NumberCounts {
    pub n_numbers: usize,
    pub n_integers: usize,
}

/// This many values are told apart; a column with more has many.
pub(super) const DISTINCT_MAX: usize = 1 << 16;

/// This many different short values are counted one by one.
const WORDS_MAX: usize = 48;

/// The longest text that is counted so.
const WORD_MAX: usize = 60;

/// This many different units are counted.
pub(super) const UNITS_MAX: usize = 12;

/// This many texts that stand for nothing are kept.
pub(super) const PLACEHOLDERS_MAX: usize = 16;

impl Evidence {
    /// Counts a text.
    pub fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if is_placeholder(text) {
            self.n_placeholders += 1;
            if self.placeholders.len() < PLACEHOLDERS_MAX {
                self.placeholders.insert(text.to_owned());
            }
            self.add_word(text);
            return;
        }
        self.n_filled += 1;
        self.n_characters += text.chars().count();
        self.add_word(text);
        let url = read_url(text);
        self.urls += usize::from(url.is_some());
        if self.distinct.len() < DISTINCT_MAX {
            self.distinct.insert(value_hash(url.as_deref().unwrap_or(text)));
        }
        if text.len() > 64 || url.is_some() {
            return;
        }
        if text.contains(|c: char| c.is_ascii_digit()) {
            self.add_number(text);
            self.add_date(text);
            self.phones += usize::from(read_phone(text).is_some());
        } else {
            self.booleans += usize::from(read_boolean(text).is_some());
            self.n_verbatim += usize::from(matches!(text, "true" | "false"));
        }
        self.emails += usize::from(text.contains('@') && read_email(text).is_some());
    }

    fn add_word(&mut self, text: &str) {
        if self.has_many_words {
            return;
        }
        if text.chars().count() > WORD_MAX || self.words.len() >= WORDS_MAX && !self.words.contains_key(text) {
            self.has_many_words = true;
            self.words.clear();
            return;
        }
        *self.words.entry(text.to_owned()).or_default() += 1;
    }

    fn add_number(&mut self, text: &str) {
        let point = read_number(text, DecimalMark::Point);
        let comma = read_number(text, DecimalMark::Comma);
        for (number, counts) in [(&point, &mut self.point), (&comma, &mut self.comma)] {
            if let Some(number) = number {
                counts.n_numbers += 1;
                counts.n_integers += usize::from(number.is_integer());
            }
        }
        if let (Some(point), Some(comma)) = (&point, &comma) {
            if point.amount != comma.amount {
                self.n_grouped_by_comma += usize::from(point.is_integer());
                self.n_grouped_by_point += usize::from(comma.is_integer());
            } else if point.is_integer() && text.contains(&point.amount) {
                match point.amount.trim_start_matches('-').len() {
                    0..=2 => {}
                    3 => self.n_hundreds += 1,
                    4 => self.n_thousands += 1,
                    _ => self.n_ungrouped += 1,
                }
            }
        }
        self.n_verbatim += usize::from(point.as_ref().is_some_and(|number| number.amount == text));
        if let Some(number) = point.or(comma)
            && (self.units.len() < UNITS_MAX || self.units.contains_key(&number.unit))
        {
            *self.units.entry(number.unit).or_default() += 1;
        }
    }

    fn add_date(&mut self, text: &str) {
        let (day, month) = (
            read_date(text, DateOrder::DayFirst),
            read_date(text, DateOrder::MonthFirst),
        );
        self.n_verbatim += usize::from(day.as_deref() == Some(text));
        self.day_first += usize::from(day.is_some());
        self.month_first += usize::from(month.is_some());
        self.n_date_doubts += usize::from(day.is_some() && month.is_some() && day != month);
        if text.contains(':') {
            let (day, month) = (
                read_date_time(text, DateOrder::DayFirst),
                read_date_time(text, DateOrder::MonthFirst),
            );
            self.day_first_time += usize::from(day.is_some());
            self.month_first_time += usize::from(month.is_some());
            self.n_date_time_doubts += usize::from(day.is_some() && month.is_some() && day != month);
            let time = read_time(text);
            self.times += usize::from(time.is_some());
            self.n_time_doubts += usize::from(time.is_some() && is_maybe_duration(text));
            self.n_verbatim += usize::from(time.as_deref() == Some(text) || month.as_deref() == Some(text));
        }
    }

    /// Whether all values were told apart.
    pub fn is_counted(&self) -> bool {
        self.distinct.len() < DISTINCT_MAX
    }

    /// Whether no value occurs twice.
    pub fn is_unique(&self) -> bool {
        self.is_counted() && self.distinct.len() == self.n_filled
    }
}

/// Whether a time has an hour of one digit and an odd minute, as durations have; times of a day
/// mostly say `9:30`, `09:48` or `9:48 am`.
fn is_maybe_duration(time: &str) -> bool {
    let mut parts = time.split(':');
    let is_short = parts.next().is_some_and(|hour| hour.len() == 1);
    let ends = |part: &str| part.ends_with(['0', '5']);
    let is_round = parts.next().is_some_and(ends) && parts.next().is_none();
    is_short && !is_round && time.ends_with(|c: char| c.is_ascii_digit())
}
