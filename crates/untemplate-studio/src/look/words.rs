//! Figures as people read them: sizes, moments.

use std::time::{SystemTime, UNIX_EPOCH};

use untemplate_store::date_of;

/// A size.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A moment, in UTC: `2004-06-25 18:00`.
pub fn moment(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date_of((seconds / 86_400) as i64);
    let (hour, minute) = (seconds / 3_600 % 24, seconds / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn figures_are_legible() {
        assert_eq!([size(12), size(4_100), size(5_300_000)], ["12 B", "4 kB", "5.3 MB"]);
        let at = |seconds| moment(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01 00:00");
        assert_eq!(at(951_827_696), "2000-02-29 12:34");
        assert_eq!(at(1_088_186_400), "2004-06-25 18:00");
    }
}
