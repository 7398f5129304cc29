//! Query hints: what the person who got a list had searched for.
//!
//! In: a query such as `title contains java`, or plain words. Out: the values in it. Paper: Álvarez
//! 2007, section 3: a text that has a value which a record was asked to equal or contain most
//! likely belongs to a record.

/// The values that a query asks for, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryHint {
    /// The values.
    pub values: Vec<String>,
}

impl QueryHint {
    /// Reads a query: conditions `FIELD contains VALUE`, `FIELD equals VALUE` or `FIELD = VALUE`,
    /// apart by `and`; what is no condition is words, each a value. Quotes keep words together.
    pub fn parse(query: &str) -> Self {
        let mut values = Vec::new();
        for condition in conditions(&words(query)) {
            match condition.iter().position(|word| is_operator(word)) {
                Some(at) => values.push(condition[at + 1..].join(" ")),
                None => values.extend(condition.iter().cloned()),
            }
        }
        values.retain(|value| !value.is_empty());
        Self { values }
    }

    /// Whether a text has one of the values, whatever its case and its white space.
    pub fn is_in(&self, text: &str) -> bool {
        let lower = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        self.values.iter().any(|value| lower.contains(value.as_str()))
    }
}

fn is_operator(word: &str) -> bool {
    matches!(word, "contains" | "equals" | "=" | "==")
}

fn conditions(words: &[String]) -> Vec<&[String]> {
    words
        .split(|word| word == "and")
        .filter(|condition| !condition.is_empty())
        .collect()
}

/// The words of a query in lower case; what stands in quotes is one word.
fn words(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in query.to_lowercase().split('"').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_hint(query: &str, values: &[&str]) {
        assert_eq!(QueryHint::parse(query).values, values, "{query}");
    }

    #[test]
    fn values_are_what_conditions_ask_for() {
        check_hint("title contains Java", &["java"]);
        check_hint(
            "title contains \"Java  Beans\" and year = 2004",
            &["java beans", "2004"],
        );
        check_hint("java beans", &["java", "beans"]);
        check_hint("", &[]);
        assert!(QueryHint::parse("java").is_in("Learning\n JAVA"));
        assert!(!QueryHint::parse("java").is_in("Learning C"));
    }
}
