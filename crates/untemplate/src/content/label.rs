//! Labels: where a text may be divided into a label and what it labels.
//!
//! Whether it is divided is not decided here: that takes other pages, or other rows, with the same
//! label.

/// A place where a text may be divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Where the label ends, in bytes.
    pub label_end: u32,
    /// Where the value begins.
    pub value_start: u32,
}

/// The longest label, in characters. Labels of the development sites have up to 62; a longer text
/// before a colon is a sentence.
const LABEL_MAX: usize = 80;

/// Where a text may be divided. `lead` is the end of an inline element that it begins with, and
/// whether that is emphasised.
pub fn label_cut(text: &str, lead: Option<(usize, bool)>) -> Option<Cut> {
    if let Some((end, is_emphasised)) = lead.filter(|(end, _)| *end > 0 && *end <= text.len()) {
        let label = text[..end].trim_end();
        let bare = label.trim_end_matches([':', '：']).trim_end();
        let rest = text[end..].trim_start();
        let has_colon = bare.len() < label.len() || rest.starts_with([':', '：']);
        // Two colons are part of a name: what a thing is defined in.
        let is_name = text[bare.len()..].trim_start().starts_with("::");
        if is_name {
            return None;
        }
        if (has_colon || is_emphasised && !rest.is_empty()) && is_label(bare) {
            let value = rest.trim_start_matches([':', '：']).trim_start();
            return Some(cut(bare.len(), text.len() - value.len()));
        }
    }
    for (at, colon) in text.match_indices([':', '：']) {
        let after = &text[at + colon.len()..];
        if colon == ":" && !after.is_empty() && !after.starts_with(char::is_whitespace) {
            continue;
        }
        let label = text[..at].trim_end();
        // `Europe :: Belgium` is no label and value, but a way.
        if label.ends_with(':') {
            return None;
        }
        return is_label(label).then(|| cut(label.len(), text.len() - after.trim_start().len()));
    }
    tight_cut(text)
}

/// Where a text may be divided by a colon with no blank behind it: after a word, and not inside a
/// bracket, an address or a time.
fn tight_cut(text: &str) -> Option<Cut> {
    let at = text.find(':')?;
    let (label, after) = (text[..at].trim_end(), &text[at + 1..]);
    let is_word = label.ends_with(char::is_alphabetic) && !label.contains(['(', '[', '{', '"', '/']);
    let is_value =
        after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '<' | '>' | '=' | '~' | '(' | '"'));
    // `R:G:B` is one word.
    let is_one_word = after.split_whitespace().next().is_some_and(|word| word.contains(':'));
    (is_word && is_value && !is_one_word && is_label(label)).then(|| cut(label.len(), at + 1))
}

fn cut(label_end: usize, value_start: usize) -> Cut {
    Cut {
        label_end: label_end as u32,
        value_start: value_start as u32,
    }
}

/// Whether a text may be a label: short, with a letter, and no end of a sentence inside.
fn is_label(text: &str) -> bool {
    text.chars().nth(LABEL_MAX).is_none()
        && text.contains(char::is_alphabetic)
        && !text.contains(". ")
        && !text.contains(['。', '।'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_cut(text: &str, lead: Option<(usize, bool)>, parts: Option<(&str, &str)>) {
        let found = label_cut(text, lead);
        let found = found.map(|cut| (&text[..cut.label_end as usize], &text[cut.value_start as usize..]));
        assert_eq!(found, parts, "{text}");
    }

    #[test]
    fn labels_end_at_colons_and_at_emphasis() {
        check_cut("Formula: C3H6O", None, Some(("Formula", "C3H6O")));
        check_cut("Formule : C3H6O", None, Some(("Formule", "C3H6O")));
        check_cut("分子式：C3H6O", None, Some(("分子式", "C3H6O")));
        check_cut("Author Ada", Some((6, true)), Some(("Author", "Ada")));
        check_cut("Author Ada", Some((6, false)), None);
        check_cut("see http://a.example/ for more", None, None);
        check_cut("It ends. Then this: that", None, None);
        check_cut("Synonyms:", None, Some(("Synonyms", "")));
        check_cut("12:30", None, None);
        check_cut("Formule:C3H6O", None, Some(("Formule", "C3H6O")));
        check_cut("at 12:30", None, None);
        check_cut("Room (floor:2)", None, None);
        check_cut("Map::entry", None, None);
        check_cut("Map::entry", Some((5, true)), None);
        check_cut("Map ::entry", Some((3, true)), None);
        check_cut("a colour or an R:G:B triplet", None, None);
    }
}
