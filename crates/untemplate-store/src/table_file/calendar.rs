//! Dates and times as numbers, the way columns store them.

use crate::calendar::days_since_1970;

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;

/// Days since 1970 of `2004-06-25`; `None` when it is none.
pub fn days(text: &str) -> Option<i32> {
    let mut parts = text.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if (year.len(), month.len(), day.len()) != (4, 2, 2) {
        return None;
    }
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    i32::try_from(days_since_1970(year.into(), month.into(), day.into())?).ok()
}

/// Microseconds since midnight of `18:00`, `18:00:30` or `18:00:30.5`.
pub fn time_micros(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let (second, part) = parts
        .next()
        .map_or(("00", ""), |text| text.split_once('.').unwrap_or((text, "")));
    if (hour.len(), minute.len(), second.len()) != (2, 2, 2) || part.len() > 6 {
        return None;
    }
    let (hour, minute, second) = (number(hour)?, number(minute)?, number(second)?);
    let micros = if part.is_empty() {
        0
    } else {
        number(&format!("{part:0<6}"))?
    };
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then(|| i64::from((hour * 60 + minute) * 60 + second) * SECOND + i64::from(micros))
}

/// Microseconds since 1970 on the clock that the text shows, whatever its offset from others:
/// `2004-06-25T18:00:00+02:00` is at six.
pub fn clock_micros(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', ' '])?;
    let offset = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let micros = time_micros(&time[..offset])?;
    Some(i64::from(days(date)?) * 24 * 3600 * SECOND + micros)
}

fn number(text: &str) -> Option<u32> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_and_times_microseconds() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-02-29"), Some(11_016));
        assert_eq!(days("1969-12-31"), Some(-1));
        assert_eq!(days("0001-01-01"), Some(-719_162));
        for wrong in [
            "1900-02-29",
            "2004-13-01",
            "2004-6-25",
            "2004-00-10",
            "2004-06",
            "+004-06-25",
            "",
        ] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
        assert_eq!(time_micros("18:00"), Some(18 * 3600 * SECOND));
        assert_eq!(time_micros("00:00:01.25"), Some(1_250_000));
        assert_eq!(time_micros("24:00"), None);
        assert_eq!(clock_micros("1970-01-02T00:00:00+02:00"), Some(24 * 3600 * SECOND));
        assert_eq!(clock_micros("1970-01-02T00:00"), Some(24 * 3600 * SECOND));
        assert_eq!(clock_micros("1970-01-02"), None);
    }
}
