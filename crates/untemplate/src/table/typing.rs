//! Typing: the kind of a column, from all of its values.
//!
//! In: the [`Evidence`] of a column, and which way the other columns of the site write numbers and
//! dates ([`Habits`]). Out: a [`Typing`]. A kind is given only when all values are of it, or all
//! but a tiny share; a column in doubt stays text.

use std::cmp::Ordering;

use super::evidence::{Evidence, UNITS_MAX};
use super::number::currency;
use super::reading::Marks;
use super::schema::ColumnKind;

/// What a column is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Typing {
    pub kind: ColumnKind,
    pub marks: Marks,
    /// The one unit of all values.
    pub unit: Option<String>,
    /// Whether values have different units.
    pub has_units: bool,
}

impl Typing {
    fn of(kind: ColumnKind, marks: Marks) -> Self {
        Self {
            kind,
            marks,
            unit: None,
            has_units: false,
        }
    }
}

/// Which way the columns of a site write numbers and dates, where that is certain: how many columns
/// do.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Habits {
    pub decimal_point: usize,
    pub decimal_comma: usize,
    pub day_first: usize,
    pub month_first: usize,
}

impl Habits {
    /// Counts a column.
    pub fn add(&mut self, evidence: &Evidence) {
        let Some(typing) = type_of(evidence, &Self::default()) else {
            return;
        };
        let is_point_only = evidence.point.n_numbers > evidence.comma.n_numbers || evidence.n_grouped_by_comma > 0;
        let is_comma_only = evidence.comma.n_numbers > evidence.point.n_numbers || evidence.n_grouped_by_point > 0;
        match typing.marks {
            Marks::DecimalPoint if is_point_only => self.decimal_point += 1,
            Marks::DecimalComma if is_comma_only => self.decimal_comma += 1,
            Marks::DayFirst if evidence.day_first > evidence.month_first => self.day_first += 1,
            Marks::MonthFirst if evidence.month_first > evidence.day_first => self.month_first += 1,
            _ => {}
        }
    }
}

/// One value in this many may be of no kind; it becomes missing, and its text is kept.
const ODD_SHARE: usize = 200;

/// One date in ten may be said otherwise: `about 1801`, `before 1802-03-04`.
const ODD_DATE_SHARE: usize = 10;

/// One number in ten may be said otherwise: `none`, `about 20`, `see below`.
const ODD_NUMBER_SHARE: usize = 10;

/// Decides what a column is; text when nothing fits.
pub(super) fn typing_of(evidence: &Evidence, habits: &Habits) -> Typing {
    type_of(evidence, habits).unwrap_or_else(|| {
        let kind = if is_enum(evidence) {
            ColumnKind::Enum
        } else {
            ColumnKind::Text
        };
        Typing::of(kind, Marks::Plain)
    })
}

fn type_of(evidence: &Evidence, habits: &Habits) -> Option<Typing> {
    let n = evidence.n_filled;
    if n == 0 {
        return None;
    }
    let are_all = |count: usize| count > 0 && count + n / ODD_SHARE >= n;
    if are_all(evidence.urls) {
        return Some(Typing::of(ColumnKind::Url, Marks::Plain));
    }
    if are_all(evidence.emails) {
        return Some(Typing::of(ColumnKind::Email, Marks::Plain));
    }
    if are_all(evidence.booleans) {
        return Some(Typing::of(ColumnKind::Boolean, Marks::Plain));
    }
    if are_all(evidence.times) && evidence.times >= evidence.day_first_time {
        if evidence.n_time_doubts > 0 {
            return None;
        }
        return Some(Typing::of(ColumnKind::Time, Marks::Plain));
    }
    let dates = (evidence.day_first, evidence.month_first, evidence.n_date_doubts);
    let are_dates = |count: usize| count > 0 && count + n / ODD_DATE_SHARE >= n;
    if are_dates(dates.0) || are_dates(dates.1) {
        return Some(Typing::of(ColumnKind::Date, date_marks(dates, n, habits)?));
    }
    let times = (
        evidence.day_first_time,
        evidence.month_first_time,
        evidence.n_date_time_doubts,
    );
    if are_dates(times.0) || are_dates(times.1) {
        return Some(Typing::of(ColumnKind::DateTime, date_marks(times, n, habits)?));
    }
    let are_numbers = |count: usize| count > 0 && count + n / ODD_NUMBER_SHARE >= n;
    if are_numbers(evidence.point.n_numbers) || are_numbers(evidence.comma.n_numbers) {
        return number_typing(evidence, habits);
    }
    are_all(evidence.phones).then(|| Typing::of(ColumnKind::Phone, Marks::Plain))
}

/// Whether days come first; `None` when the column leaves that open, and no other column of the
/// site tells.
fn date_marks((day, month, n_doubts): (usize, usize, usize), n: usize, habits: &Habits) -> Option<Marks> {
    let least = n - n / ODD_DATE_SHARE;
    match (day >= least, month >= least) {
        (true, false) => Some(Marks::DayFirst),
        (false, true) => Some(Marks::MonthFirst),
        (true, true) if n_doubts == 0 || day > month => Some(Marks::DayFirst),
        (true, true) if month > day => Some(Marks::MonthFirst),
        (true, true) if habits.day_first > 0 && habits.month_first == 0 => Some(Marks::DayFirst),
        (true, true) if habits.month_first > 0 && habits.day_first == 0 => Some(Marks::MonthFirst),
        _ => None,
    }
}

/// What a column of numbers is.
fn number_typing(evidence: &Evidence, habits: &Habits) -> Option<Typing> {
    let marks = number_marks(evidence, habits)?;
    let counts = if marks == Marks::DecimalComma {
        evidence.comma
    } else {
        evidence.point
    };
    let kind = if counts.n_integers == counts.n_numbers {
        ColumnKind::Integer
    } else {
        ColumnKind::Decimal
    };
    let mut typing = Typing::of(kind, marks);
    let units: Vec<&String> = evidence.units.keys().collect();
    match units.as_slice() {
        [unit] if unit.is_empty() => {}
        [unit] => typing.unit = Some((*unit).clone()),
        units => {
            // Words after numbers are units when they are known to be, or when they are few, each
            // many times over.
            let is_closed = units
                .iter()
                .all(|unit| is_word(unit) || unit.is_empty() || is_known_unit(unit))
                && counts.n_numbers >= units.len() * UNIT_REPEATS_MIN
                && units.len() < UNITS_MAX;
            if !is_closed && !units.iter().all(|unit| is_known_unit(unit)) {
                return None;
            }
            typing.has_units = true;
        }
    }
    Some(typing)
}

/// Which mark separates the decimals; `None` when the column leaves that open, and no other column
/// of the site tells.
fn number_marks(evidence: &Evidence, habits: &Habits) -> Option<Marks> {
    let least = evidence.n_filled - evidence.n_filled / ODD_NUMBER_SHARE;
    let (point, comma) = (evidence.point.n_numbers, evidence.comma.n_numbers);
    match (point >= least, comma >= least) {
        (true, false) => return Some(Marks::DecimalPoint),
        (false, true) => return Some(Marks::DecimalComma),
        (false, false) => return None,
        (true, true) => {}
    }
    let grouped = (evidence.n_grouped_by_comma > 0, evidence.n_grouped_by_point > 0);
    if grouped == (false, false) && point == comma {
        return Some(Marks::DecimalPoint);
    }
    // `1,234,567` among others tells what its mark is for, and so does `12,5`.
    match point.cmp(&comma) {
        Ordering::Greater => return Some(Marks::DecimalPoint),
        Ordering::Less => return Some(Marks::DecimalComma),
        Ordering::Equal => {}
    }
    let is_point_site = habits.decimal_point > 0 && habits.decimal_comma == 0;
    let is_comma_site = habits.decimal_comma > 0 && habits.decimal_point == 0;
    // `870` beside `1,295` tells of thousands, and so do prices in some currencies; `12034` and
    // `1034` speak against it, the latter not on every site.
    let is_group = evidence.n_hundreds > 0 && evidence.n_thousands == 0;
    let is_price = evidence.units.keys().all(|unit| COMMA_GROUPS.contains(&unit.as_str()));
    match grouped {
        _ if evidence.n_ungrouped > 0 => match grouped {
            (false, true) if !is_comma_site => Some(Marks::DecimalPoint),
            (true, false) if is_comma_site => Some(Marks::DecimalComma),
            _ => None,
        },
        (true, false) if is_point_site || (is_group || is_price) && !is_comma_site => Some(Marks::DecimalPoint),
        (false, true) if is_comma_site || is_group && !is_point_site => Some(Marks::DecimalComma),
        (false, true) if is_point_site && !is_group => Some(Marks::DecimalPoint),
        _ => None,
    }
}

/// Currencies whose amounts have no comma but between thousands.
const COMMA_GROUPS: [&str; 8] = ["$", "USD", "GBP", "INR", "JPY", "CNY", "KRW", "AUD"];

/// Units that are told apart from words.
const UNITS: &str = "% ‰ ° °C °F ' \" ′ ″ mm cm dm m km in ft yd mi mm² cm² m² km² ha ac sqm sqft g kg t mg lb lbs oz ml cl l hl s sec min h hr hrs \
    hours days kb mb gb tb kB KB MB GB TB Hz kHz MHz GHz W kW MW kWh V A mAh PS hp px pt dpi mph km/h m/s rpm bar psi kcal kJ cal";

/// Whether a unit has two letters or more: `12a` is no amount.
fn is_word(unit: &str) -> bool {
    unit.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// How often each unit of a column occurs on average, where nothing else tells that it is one.
const UNIT_REPEATS_MIN: usize = 20;

fn is_known_unit(unit: &str) -> bool {
    currency(unit).is_some() || UNITS.split_whitespace().any(|known| known == unit)
}

/// Whether a column of texts has few words, each many times over.
fn is_enum(evidence: &Evidence) -> bool {
    let n_words = evidence.words.len();
    !evidence.has_many_words && (2..=WORDS_MAX).contains(&n_words) && evidence.n_filled >= n_words * REPEATS_MIN
}

/// An enumeration has at most this many words.
const WORDS_MAX: usize = 24;

/// Each of which occurs this many times on average.
const REPEATS_MIN: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence_of(texts: &[&str]) -> Evidence {
        let mut evidence = Evidence::default();
        texts.iter().for_each(|text| evidence.add(text));
        evidence
    }

    /// The kind and marks of a column beside another one of the same site.
    fn check(texts: &[&str], beside: &[&str], expected: (ColumnKind, Marks)) {
        let mut habits = Habits::default();
        habits.add(&evidence_of(texts));
        habits.add(&evidence_of(beside));
        let typing = typing_of(&evidence_of(texts), &habits);
        assert_eq!((typing.kind, typing.marks), expected, "{texts:?} beside {beside:?}");
    }

    #[test]
    fn durations_are_no_times_of_a_day() {
        check(&["4:48", "3:07", "5:00"], &[], (ColumnKind::Text, Marks::Plain));
        check(&["9:30", "18:00", "7:15"], &[], (ColumnKind::Time, Marks::Plain));
        check(&["09:48", "18:01"], &[], (ColumnKind::Time, Marks::Plain));
        check(&["9:48 am", "6:01 pm"], &[], (ColumnKind::Time, Marks::Plain));
    }

    #[test]
    fn a_mark_before_three_digits_needs_evidence() {
        let text = (ColumnKind::Text, Marks::Plain);
        let by_comma = (ColumnKind::Integer, Marks::DecimalPoint);
        let by_point = (ColumnKind::Integer, Marks::DecimalComma);
        check(&["1,295 kg", "1,310 kg"], &[], text);
        check(&["1.295", "1.310"], &[], text);
        check(&["1034", "147.582"], &[], text);
        check(&["1034", "147.582"], &["9,5", "7,25"], by_point);
        check(&["1,295", "1,310"], &["9.5"], by_comma);
        check(&["1,295", "870"], &[], by_comma);
        check(&["1.295", "870"], &[], by_point);
        check(&["1,295", "1,310,500"], &[], by_comma);
        check(&["$1,295", "$2,310"], &[], by_comma);
        check(&["12034", "1.582"], &[], (ColumnKind::Decimal, Marks::DecimalPoint));
        check(
            &["1.295", "1.310"],
            &["9.5"],
            (ColumnKind::Decimal, Marks::DecimalPoint),
        );
        check(&["1.295", "1,310"], &["9.5"], text);
    }
}
