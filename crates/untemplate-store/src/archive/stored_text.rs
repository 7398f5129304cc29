//! Headers and problems as text in a row of the database.
//!
//! Both are JSON arrays of pairs, which a person who opens the database can read.

use untemplate::page::Problem;

/// The kinds that problems of an answer have. A kind is a word of the program's own, so that one
/// that was stored by another version is told in the message instead.
const KINDS: [&str; 12] = [
    "bad encoding",
    "bad length",
    "bomb",
    "cut short",
    "cut when recorded",
    "damaged record",
    "form not answered",
    "redirect out of the archive",
    crate::SOFT_404,
    "too large",
    "too long",
    "too slow",
];

/// The kind of a problem that no word here fits.
const OTHER_KIND: &str = "as stored";

/// Pairs as text.
pub(super) fn pairs_to_text(pairs: &[(String, String)]) -> String {
    serde_json::to_string(pairs).expect("strings are always JSON")
}

/// Pairs from text.
pub(super) fn pairs_from_text(text: &str) -> serde_json::Result<Vec<(String, String)>> {
    serde_json::from_str(text)
}

/// Problems as text; `None` if there are none, which is the rule.
pub(super) fn problems_to_text(problems: &[Problem]) -> Option<String> {
    let pairs: Vec<(&str, &str)> = problems
        .iter()
        .map(|problem| (problem.kind, problem.message.as_str()))
        .collect();
    (!pairs.is_empty()).then(|| serde_json::to_string(&pairs).expect("strings are always JSON"))
}

/// Problems from text.
pub(super) fn problems_from_text(text: Option<&str>) -> serde_json::Result<Vec<Problem>> {
    let pairs = text.map_or(Ok(Vec::new()), pairs_from_text)?;
    Ok(pairs
        .into_iter()
        .map(|(kind, message)| problem(&kind, message))
        .collect())
}

fn problem(kind: &str, message: String) -> Problem {
    match KINDS.iter().find(|known| **known == kind) {
        Some(known) => Problem::new(known, message),
        None => Problem::new(OTHER_KIND, format!("{kind}: {message}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_come_back() {
        let problems = [Problem::new("too large", "only 9 bytes"), Problem::new("odd", "\"x\"")];
        let text = problems_to_text(&problems).expect("two problems");
        assert_eq!(text, r#"[["too large","only 9 bytes"],["odd","\"x\""]]"#);
        let back = problems_from_text(Some(&text)).expect("JSON");
        assert_eq!(back, [problems[0].clone(), Problem::new("as stored", "odd: \"x\"")]);
        assert_eq!(problems_to_text(&[]), None);
        assert_eq!(problems_from_text(None).expect("nothing"), []);
    }
}
