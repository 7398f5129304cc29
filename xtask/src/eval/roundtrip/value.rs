//! Values: what a true cell may look like in a rebuilt one.
//!
//! A cell is a text with single blanks, numbers without needless zeros. A true cell is a set of
//! such texts: the value as its type writes it, and the value as the pages show it, so that a text
//! column that holds `45,500` has the cell, and only its type is lost.

use rusqlite::types::ValueRef;

/// The texts that a rebuilt cell may hold to be right.
pub type Accepted = Vec<String>;

/// How a true column is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    Text,
    /// One of the words that a site in two languages translates.
    Word,
    /// A whole number, with or without commas, and what pages put behind it.
    Integer(&'static str),
    /// Metres, with this many digits after the point.
    Metres(usize),
    Amount,
    /// The code of a currency, or its sign.
    Currency,
    Date,
    Time,
    /// A group of the cup: its number, its name, or the address of its page.
    Group,
    /// The record of a page: its address, or what the pages call it.
    To(&'static str),
}

impl Shown {
    /// The kinds of rebuilt columns that have its type.
    pub fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Text | Self::Word | Self::Currency => &["text", "enum"],
            Self::Integer(_) => &["integer"],
            Self::Amount => &["integer", "decimal"],
            Self::Metres(_) => &["decimal"],
            Self::Date => &["date"],
            Self::Time => &["time"],
            Self::Group => &["integer", "url", "text", "enum"],
            Self::To(_) => &["url"],
        }
    }
}

/// The text of a stored value; none when it is null or empty.
pub fn text_of(value: ValueRef<'_>) -> Option<String> {
    let text = match value {
        ValueRef::Null | ValueRef::Blob(_) => return None,
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) => collapsed(&String::from_utf8_lossy(bytes)),
    };
    (!text.is_empty()).then_some(text)
}

/// The text with single blanks.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The address of a page as both sides write it: a folder and its index page are one.
pub fn address(text: &str) -> String {
    text.strip_suffix("index.html").unwrap_or(text).to_owned()
}

/// The forms of a true value that refers to nothing.
pub fn forms(shown: Shown, value: &str) -> Accepted {
    match shown {
        Shown::Integer(unit) => vec![value.to_owned(), grouped(value), format!("{value}{unit}")],
        Shown::Amount => {
            let grouped = grouped(value);
            let signed = ["€", "£", "$"].map(|sign| format!("{sign}{grouped}"));
            [vec![value.to_owned(), grouped], signed.to_vec()].concat()
        }
        Shown::Metres(digits) => {
            let number: f64 = value.parse().unwrap_or_default();
            vec![
                number.to_string(),
                format!("{number:.digits$}"),
                format!("{number:.digits$} m"),
            ]
        }
        Shown::Currency => vec![value.to_owned(), sign(value).to_owned()],
        Shown::Date => dates(value),
        Shown::Time => vec![value.to_owned(), format!("{value}:00")],
        Shown::Group => vec![
            value.to_owned(),
            format!("Group {value}"),
            format!("http://cup.example/groups/{value}.html"),
        ],
        Shown::Word => {
            let german = WORDS.iter().filter(|(english, _)| *english == value);
            let german = german.map(|(_, german)| (*german).to_owned());
            let words: Accepted = std::iter::once(value.to_owned()).chain(german).collect();
            // Lists set a note in parentheses, which are no part of the word and no harm to it.
            let noted: Accepted = words.iter().map(|word| format!("({word})")).collect();
            [words, noted].concat()
        }
        Shown::Text | Shown::To(_) => vec![collapsed(value)],
    }
}

/// The words of the demo site's values, in its two languages.
const WORDS: [(&str, &str); 14] = [
    ("Goalkeeper", "Torwart"),
    ("Defender", "Verteidiger"),
    ("Midfielder", "Mittelfeldspieler"),
    ("Forward", "Stürmer"),
    ("Head coach", "Cheftrainer"),
    ("Assistant coach", "Assistenztrainer"),
    ("penalty", "Elfmeter"),
    ("own goal", "Eigentor"),
    ("left", "links"),
    ("right", "rechts"),
    ("both", "beide"),
    ("grass", "Rasen"),
    ("hybrid grass", "Hybridrasen"),
    ("artificial turf", "Kunstrasen"),
];

/// What the wild skin says where a value is absent, in its two languages.
pub const ABSENT: [&str; 2] = ["none", "keine"];

fn sign(currency: &str) -> &str {
    match currency {
        "EUR" => "€",
        "GBP" => "£",
        "USD" => "$",
        other => other,
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A date as SQL writes it, and as the skins show it.
fn dates(iso: &str) -> Accepted {
    const MONTHS: [&str; 12] = [
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
    let mut parts = iso.split('-').filter_map(|part| part.parse::<usize>().ok());
    let (Some(year), Some(month @ 1..=12), Some(day)) = (parts.next(), parts.next(), parts.next()) else {
        return vec![iso.to_owned()];
    };
    let name = MONTHS[month - 1];
    vec![
        iso.to_owned(),
        format!("{day} {name} {year}"),
        format!("{day:02}-{}-{year}", &name[..3]),
        format!("{day:02}.{month:02}.{year}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_accepted_as_typed_and_as_shown() {
        assert_eq!(forms(Shown::Integer("'"), "1500"), ["1500", "1,500", "1500'"]);
        assert_eq!(forms(Shown::Metres(2), "1.8"), ["1.8", "1.80", "1.80 m"]);
        assert_eq!(forms(Shown::Metres(1), "100.0"), ["100", "100.0", "100.0 m"]);
        assert_eq!(
            forms(Shown::Date, "2004-06-05"),
            ["2004-06-05", "5 June 2004", "05-Jun-2004", "05.06.2004"]
        );
        assert_eq!(forms(Shown::Word, "left"), ["left", "links", "(left)", "(links)"]);
        assert_eq!(forms(Shown::Word, "centre"), ["centre", "(centre)"]);
        assert_eq!(forms(Shown::Currency, "GBP"), ["GBP", "£"]);
        assert_eq!(text_of(ValueRef::Real(100.0)), Some("100".to_owned()));
        assert_eq!(text_of(ValueRef::Text(b" a\n b ")), Some("a b".to_owned()));
    }
}
