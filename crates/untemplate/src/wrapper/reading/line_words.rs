//! Words, signs and brackets of a line: what its template may be divided at.

/// Whether a text has as many opening brackets as closing ones.
pub(super) fn is_balanced(text: &str) -> bool {
    let count = |signs: [char; 2]| text.matches(signs).count();
    count(['(', '[']) == count([')', ']'])
}

/// Whether a text has a word of two letters or more.
pub(super) fn has_word(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() > 1)
}

/// Whether a text has more letters than digits, and a word among them, and is no amount with a
/// unit.
pub(super) fn is_wordy(text: &str) -> bool {
    if text.starts_with(char::is_numeric) {
        return false;
    }
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let n_digits = text.chars().filter(|c| c.is_numeric()).count();
    has_word(text) && n_letters > n_digits
}

/// Whether a character is part of a word. A low line joins the parts of a name (`file_size`).
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a constant stands in a text: one of letters stands apart from other letters.
pub(super) fn find_apart(text: &str, constant: &str) -> Option<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(is_of_word);
    let starts_as_word = is_letter(constant.chars().next());
    let ends_as_word = is_letter(constant.chars().next_back());
    text.match_indices(constant).map(|(at, _)| at).find(|&at| {
        let is_inside_before = starts_as_word && is_letter(text[..at].chars().next_back());
        let is_inside_behind = ends_as_word && is_letter(text[at + constant.len()..].chars().next());
        !is_inside_before && !is_inside_behind
    })
}

/// A slot without blanks and the signs that end its part of the line.
pub(super) fn trim_slot(slot: &str) -> &str {
    slot.trim().trim_end_matches([',', ';']).trim_end()
}
