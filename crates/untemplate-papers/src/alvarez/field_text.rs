//! Field texts: what of a column is label, prefix or suffix, and what is the value.
//!
//! In: the texts of one column. Out: nothing for a label, else the values without what all begin or
//! end with. Paper: section 5. Departure: a cut never goes through a word or a number, so that
//! `29.67€` and `20.00€` lose the sign and keep the 2.

/// The values of a column; `None` when the column is a label, the same in all records.
pub fn values(texts: &[Option<&str>]) -> Option<Vec<Option<String>>> {
    let present: Vec<&str> = texts.iter().flatten().copied().collect();
    if is_label(texts, &present) {
        return None;
    }
    // What all records that have the column say is their value: nothing would be left of it.
    let (prefix, suffix) = match is_same(&present) {
        true => (0, 0),
        false => (common_prefix(&present), common_suffix(&present)),
    };
    let value = |text: &str| match text.len() > prefix + suffix {
        true => text[prefix..text.len() - suffix].trim().to_owned(),
        false => text[prefix.min(text.len())..].trim().to_owned(),
    };
    Some(texts.iter().map(|text| text.map(value)).collect())
}

/// Whether all records have one text. Two records may agree by chance; then only what ends as
/// labels do is one.
fn is_label(texts: &[Option<&str>], present: &[&str]) -> bool {
    let is_same = present.len() == texts.len() && is_same(present);
    is_same && (present.len() > 2 || present.len() == 2 && present[0].ends_with(':'))
}

fn is_same(texts: &[&str]) -> bool {
    texts.windows(2).all(|pair| pair[0] == pair[1])
}

/// The bytes that all texts begin with, cut back to where no word or number is cut.
fn common_prefix(texts: &[&str]) -> usize {
    let first = texts[0];
    let shared = |text: &&str| {
        let pairs = first.char_indices().zip(text.chars());
        let parting = pairs
            .clone()
            .find(|((_, one), other)| one != other)
            .map(|((at, _), _)| at);
        parting.unwrap_or_else(|| pairs.map(|((at, c), _)| at + c.len_utf8()).last().unwrap_or(0))
    };
    let mut end = texts[1..].iter().map(shared).min().unwrap_or(0);
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '-');
    let cuts_word = |end: usize| {
        let before = first[..end].chars().next_back().is_some_and(is_word);
        before && texts.iter().any(|text| text[end..].chars().next().is_some_and(is_word))
    };
    while end > 0 && cuts_word(end) {
        end -= first[..end].chars().next_back().map_or(end, char::len_utf8);
    }
    end
}

/// The bytes that all texts end with, cut back in the same way.
fn common_suffix(texts: &[&str]) -> usize {
    let reversed: Vec<String> = texts.iter().map(|text| text.chars().rev().collect()).collect();
    let reversed: Vec<&str> = reversed.iter().map(String::as_str).collect();
    common_prefix(&reversed)
}
