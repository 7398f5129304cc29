//! Numbered headings: `7.3.1. Usage` on one page and `7.3.2. Usage` on the next are one heading.
//!
//! The number tells where in a document a section stands, not what it is about. One in an element
//! of its own was put there by a program, and is left out of the heading at once; others are part of
//! it, but headings are compared without them.

use super::block::MarkKind;
use super::draft::{Draft, DraftMark};
use super::label::Cut;

/// A heading without the number of its section.
pub fn unnumbered(heading: &str) -> &str {
    let heading = heading.trim();
    let Some((number, rest)) = heading.split_once(char::is_whitespace) else {
        return heading;
    };
    let rest = rest.trim_start();
    match is_section_number(number) && rest.contains(char::is_alphabetic) {
        true => rest,
        false => heading,
    }
}

/// Whether a word is the number of a section: numbers, or single letters for appendices, with dots
/// between or behind them. A number without a dot may count something: `2 decks`.
fn is_section_number(word: &str) -> bool {
    let parts = word.strip_suffix('.').unwrap_or(word).split('.');
    let is_part = |part: &str| match part.len() {
        0 => false,
        1 => part.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()),
        _ => part.chars().all(|c| c.is_ascii_digit()),
    };
    word.contains('.') && word.contains(|c: char| c.is_ascii_digit()) && parts.into_iter().all(is_part)
}

/// Leaves out the number of a heading where it has an element of its own.
pub(super) fn leave_out_number(heading: &mut Draft) {
    let n_cut = heading.text.len() - unnumbered(&heading.text).len();
    let is_number =
        |mark: &DraftMark| mark.kind == MarkKind::Part && mark.start == 0 && (1..=n_cut).contains(&mark.end);
    if !heading.marks.iter().any(is_number) {
        return;
    }
    heading.text.drain(..n_cut);
    let cut = heading.cut.filter(|cut| cut.label_end as usize > n_cut);
    heading.cut = cut.map(|cut| Cut {
        label_end: cut.label_end - n_cut as u32,
        value_start: cut.value_start - n_cut as u32,
    });
    heading.marks.retain(|mark| mark.end > n_cut);
    for mark in &mut heading.marks {
        (mark.start, mark.end) = (mark.start.saturating_sub(n_cut), mark.end - n_cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sections_are_no_part_of_a_heading() {
        for (heading, expected) in [
            ("7.3.13.1. 概要", "概要"),
            ("1. Overview", "Overview"),
            ("A.2 Licence", "Licence"),
            ("12.1  Übersicht", "Übersicht"),
            ("2 decks", "2 decks"),
            ("1.5 2.5", "1.5 2.5"),
            ("e.g. this", "e.g. this"),
            ("v1.2 notes", "v1.2 notes"),
            ("3.", "3."),
            ("", ""),
        ] {
            assert_eq!(unnumbered(heading), expected, "{heading}");
        }
    }
}
