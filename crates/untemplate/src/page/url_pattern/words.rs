//! Words and numbers in a part of an address: where they begin and end, and how a text looks
//! without them.

/// Whether a character belongs to a word. `%` does: it begins a letter that is written as bytes.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '%'
}

/// The words of a text, without what stands between.
pub(crate) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// Whether a text is a number: digits, and nothing else.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text with each number as `#`; all else stays.
pub(crate) fn without_numbers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        let is_digit = c.is_ascii_digit();
        match is_digit {
            true if in_number => {}
            true => plain.push('#'),
            false => plain.push(c),
        }
        in_number = is_digit;
    }
    plain
}

/// A text with each run of digits as `#` and each run of letters as `a`.
pub(crate) fn runs_form(text: &str) -> String {
    let mut form = String::new();
    for c in text.chars() {
        let mark = match c {
            c if c.is_ascii_digit() => '#',
            c if is_word(c) => 'a',
            c => c,
        };
        if !(matches!(mark, '#' | 'a') && form.ends_with(mark)) {
            form.push(mark);
        }
    }
    form
}

/// Appends a text, with numbers as `#` and words, with or without digits, as `*`; what stands
/// between stays.
pub(super) fn push_words_out(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let run = &rest[..end];
        match is_word(first) {
            true if is_number(run) => out.push('#'),
            true => out.push('*'),
            false => out.push_str(run),
        }
        rest = &rest[end..];
    }
}

/// How many bytes all texts begin with, and end with after that, without splitting a word or number
/// of any.
pub(super) fn common_ends(texts: &[&str]) -> (usize, usize) {
    let Some(first) = texts.first() else { return (0, 0) };
    let least = |common: fn(&str, &str) -> usize| texts.iter().map(|text| common(first, text)).min().unwrap_or(0);
    let start = word_start(first, least(common_prefix));
    let shortest = texts.iter().map(|text| text.len()).min().unwrap_or(0);
    (start, word_end(first, least(common_suffix).min(shortest - start)))
}

fn common_prefix(left: &str, right: &str) -> usize {
    let pairs = left.chars().zip(right.chars());
    pairs.take_while(|(l, r)| l == r).map(|(c, _)| c.len_utf8()).sum()
}

fn common_suffix(left: &str, right: &str) -> usize {
    let pairs = left.chars().rev().zip(right.chars().rev());
    pairs.take_while(|(l, r)| l == r).map(|(c, _)| c.len_utf8()).sum()
}

/// The longest part of a common start that does not end with a word: the word may go on.
fn word_start(text: &str, length: usize) -> usize {
    text[..length].trim_end_matches(char::is_alphanumeric).len()
}

/// The longest part of a common end that does not begin with a word.
fn word_end(text: &str, length: usize) -> usize {
    let end = &text[text.len() - length..];
    end.trim_start_matches(char::is_alphanumeric).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_its_words_and_numbers() {
        let name = "Card-81f3_%C3%A9";
        assert_eq!(words(name).collect::<Vec<_>>(), ["Card", "81f3", "%C3%A9"]);
        assert_eq!(without_numbers(name), "Card-#f#_%C#%A#");
        assert_eq!(runs_form(name), "a-#a#_a#a#");
        assert!(is_number("007") && !is_number("") && !is_number("7a"));
        let mut out = String::new();
        push_words_out("ada-lovelace_7", &mut out);
        assert_eq!(out, "*-*_#");
    }

    fn check_ends(texts: &[&str], expected: (usize, usize)) {
        assert_eq!(common_ends(texts), expected, "{texts:?}");
        let turned: Vec<&str> = texts.iter().rev().copied().collect();
        assert_eq!(common_ends(&turned), expected, "{turned:?}");
    }

    #[test]
    fn common_ends_split_no_word_whichever_comes_first() {
        check_ends(&["m-1.html", "m-12.html"], (2, 5));
        check_ends(&["m-1", "m-12"], (2, 0));
        check_ends(&["ab-c", "abx-c"], (0, 2));
        check_ends(&["a-b", "a-x-b"], (2, 0));
        check_ends(&["PIC16-feat", "PIC18-feat"], (0, 5));
        check_ends(&[], (0, 0));
    }
}
