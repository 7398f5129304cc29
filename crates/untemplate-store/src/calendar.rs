//! The Gregorian calendar: days since 1970 began, and dates.
//!
//! Headers, WARC records and columns share it. The crate `jiff` would bring nine packages to the
//! lock file and eight seconds of compiling, mostly for time zones; nothing here has one.

/// Days in the 400 years after which the calendar repeats.
const ERA_DAYS: i64 = 146_097;

/// Days from 0000-03-01 to 1970-01-01. Years begin in March here, so that the leap day is their
/// last.
const EPOCH_DAYS: i64 = 719_468;

/// The days from 1970-01-01 to a date; `None` when there is no such date.
pub fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_date = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    if !is_date {
        return None;
    }
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * ERA_DAYS + day_of_era - EPOCH_DAYS)
}

/// The date that many days after 1970-01-01: year, month and day.
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH_DAYS;
    let (era, day_of_era) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates() {
        for (date, days) in [
            ((1970, 1, 1), 0),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11_016),
            ((1, 1, 1), -719_162),
            ((9999, 12, 31), 2_932_896),
        ] {
            assert_eq!(days_since_1970(date.0, date.1, date.2), Some(days));
            assert_eq!(date_of(days), date);
        }
        for days in (-800_000..3_000_000).step_by(37) {
            let (year, month, day) = date_of(days);
            assert_eq!(days_since_1970(year, month, day), Some(days));
        }
        for (year, month, day) in [(1900, 2, 29), (2004, 13, 1), (2004, 0, 1), (2004, 4, 31), (2004, 4, 0)] {
            assert_eq!(days_since_1970(year, month, day), None);
        }
    }
}
