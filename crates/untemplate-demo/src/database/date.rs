//! Calendar dates: enough to schedule a cup and to draw a month.

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year, such as 2031.
    pub year: u32,
    /// The month, 1 to 12.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
}

/// The months by name, January first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Date {
    /// `2031-08-12`.
    pub fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `12 August 2031`.
    pub fn long(self) -> String {
        format!("{} {} {}", self.day, month_name(self.month), self.year)
    }

    /// `12-Aug-2031`.
    pub fn short(self) -> String {
        format!("{:02}-{}-{}", self.day, &month_name(self.month)[..3], self.year)
    }

    /// The date this many days later.
    pub fn plus_days(self, days: u32) -> Self {
        let mut date = Self {
            day: self.day + days,
            ..self
        };
        while date.day > days_in_month(date.year, date.month) {
            date.day -= days_in_month(date.year, date.month);
            (date.year, date.month) = next_month(date.year, date.month);
        }
        date
    }

    /// The day of the week, Monday is 0 (Zeller's congruence).
    pub fn weekday(self) -> u32 {
        let (year, month) = if self.month < 3 {
            (self.year + 399, self.month + 12)
        } else {
            (self.year + 400, self.month)
        };
        let zeller = self.day + 13 * (month + 1) / 5 + year + year / 4 + year / 400 - year / 100;
        (zeller + 5) % 7
    }
}

/// The name of a month, 1 to 12.
pub fn month_name(month: u32) -> &'static str {
    MONTHS[(month as usize + 11) % 12]
}

/// How many days the month has.
pub fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The month after this one.
pub fn next_month(year: u32, month: u32) -> (u32, u32) {
    if month == 12 { (year + 1, 1) } else { (year, month + 1) }
}

/// The month before this one.
pub fn previous_month(year: u32, month: u32) -> (u32, u32) {
    if month == 1 {
        (year.saturating_sub(1), 12)
    } else {
        (year, month - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekdays_and_leap_years_are_right() {
        assert_eq!(
            Date {
                year: 2024,
                month: 2,
                day: 29
            }
            .weekday(),
            3
        );
        assert_eq!(
            Date {
                year: 2000,
                month: 1,
                day: 1
            }
            .weekday(),
            5
        );
        assert_eq!(
            Date {
                year: 2031,
                month: 12,
                day: 30
            }
            .plus_days(62)
            .iso(),
            "2032-03-01"
        );
    }
}
