//! Clean-up: what a person wants of a value, beyond where it stands: the part that matches a
//! pattern, and what kind of value it is.
//!
//! Of a pattern with a group, the first group is the value; else all that it matches. What it does
//! not match is no value: right or silent.

use regex::Regex;

/// What is made of the values of a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CleanUp {
    /// What a value is cut down to.
    pub pattern: Option<ValuePattern>,
    /// What values are; told from them where nobody said so.
    pub kind: Option<FieldKind>,
}

/// A regular expression that values are cut down to.
#[derive(Debug, Clone)]
pub struct ValuePattern(Regex);

/// What the values of a field are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Text, whatever it looks like.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Decimal,
    /// Yes or no.
    Boolean,
    /// Days.
    Date,
    /// Days with a time.
    DateTime,
    /// Times of a day.
    Time,
    /// Addresses.
    Url,
}

impl FieldKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Integer,
        Self::Decimal,
        Self::Boolean,
        Self::Date,
        Self::DateTime,
        Self::Time,
        Self::Url,
    ];

    /// Its word, as tables have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Decimal => "decimal",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::DateTime => "datetime",
            Self::Time => "time",
            Self::Url => "url",
        }
    }

    /// The kind of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl ValuePattern {
    /// Reads a pattern; the error says what is wrong with it.
    pub fn new(pattern: &str) -> Result<Self, String> {
        // Patterns come from people and files; what they compile to is bounded.
        let built = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
        built.map(Self).map_err(|error| error.to_string())
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The value in a text; `None` where it does not match.
    pub fn apply(&self, text: &str) -> Option<String> {
        let found = self.0.captures(text)?;
        let part = found.get(1).or_else(|| found.get(0))?.as_str().trim();
        (!part.is_empty()).then(|| part.to_owned())
    }
}

impl PartialEq for ValuePattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for ValuePattern {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_or_the_whole_match_is_the_value() {
        let apply = |pattern: &str, text: &str| ValuePattern::new(pattern).expect("a good pattern").apply(text);
        assert_eq!(apply(r"\d+", "about 23 years").as_deref(), Some("23"));
        assert_eq!(apply(r"(\d+) goals", "23 games, 4 goals").as_deref(), Some("4"));
        assert_eq!(apply(r"(\d+) goals", "none"), None);
        assert!(ValuePattern::new("(").is_err());
    }
}
