//! Pieces: the values inside one text, between words that are always the same.
//!
//! In: all texts of a field, such as `By Ada Berg - Printed 1954; 3rd edition`. Out: its
//! [`Piece`]s: `Ada Berg`, `1954`, `3rd`. A word or mark is template when every text has it exactly
//! once, and in the same order: the simplest of EXALG's equivalence classes. A number before a unit
//! that varies is a piece of its own, and so is a note in parentheses that some texts end with. The
//! whole text stays a value beside its pieces, since nothing tells which of the two a reader wants.

use crate::record::{ValueShape, shape_of};

use super::feature::HashMapOf;
use super::template::{Piece, PieceKind};

/// A word or mark, and where it stands in its text.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Word<'a> {
    text: &'a str,
    start: usize,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Marks that are words of their own wherever they stand.
const MARKS: [char; 14] = ['(', ')', '[', ']', '{', '}', ':', ';', '|', '"', '=', '•', '·', '»'];

/// The words and marks of a text.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut push = |from: usize, to: usize| {
        if from < to {
            // A comma after a word is a mark; one inside a number is none.
            let word = &text[from..to];
            let bare = word.strip_suffix(',').filter(|bare| !bare.is_empty()).unwrap_or(word);
            words.push(Word {
                text: bare,
                start: from,
            });
            if bare.len() < word.len() {
                words.push(Word {
                    text: ",",
                    start: from + bare.len(),
                });
            }
        }
    };
    for (index, c) in text.char_indices() {
        // A colon between digits is a time, not a mark.
        let is_digit = |c: char| c.is_ascii_digit();
        let is_time = c == ':' && text[..index].ends_with(is_digit) && text[index + 1..].starts_with(is_digit);
        if c.is_whitespace() || MARKS.contains(&c) && !is_time {
            push(start, index);
            start = index + c.len_utf8();
            if !c.is_whitespace() {
                push(index, start);
            }
        }
    }
    push(start, text.len());
    words
}

/// What the texts are cut into; empty when they have nothing in common, or are one value.
pub(super) fn find_pieces(texts: &[String]) -> Vec<Piece> {
    if texts.len() < TEXTS_MIN || texts.iter().any(|text| text.len() > TEXT_BYTES) {
        return Vec::new();
    }
    let constants = constant_words(texts);
    let mut pieces = Vec::new();
    let bounds = std::iter::once("")
        .chain(constants.iter().map(String::as_str))
        .chain(std::iter::once(""));
    let bounds: Vec<&str> = bounds.collect();
    for pair in bounds.windows(2) {
        let piece = |kind: PieceKind| Piece {
            name: String::new(),
            before: pair[0].to_owned(),
            after: pair[1].to_owned(),
            kind,
        };
        let whole = piece(PieceKind::Whole);
        let values: Vec<&str> = texts
            .iter()
            .filter_map(|text| cut(text, &whole))
            .filter(|value| !value.is_empty())
            .collect();
        if 2 * values.len() < texts.len() || values.iter().all(|value| value == &values[0]) {
            continue;
        }
        let are_dates = values.iter().all(|value| is_date(value));
        let has_numbers = !are_dates && values.iter().all(|value| split_number(value).is_some());
        if has_notes(&values) {
            pieces.extend(has_numbers.then(|| piece(PieceKind::Number)));
            pieces.extend([piece(PieceKind::Bare), piece(PieceKind::Note)]);
        } else if has_numbers {
            pieces.extend([piece(PieceKind::Number), piece(PieceKind::AfterNumber)]);
        } else if !constants.is_empty() {
            pieces.push(whole);
        }
    }
    // A unit after the value says nothing that the whole text does not say; what follows a date is
    // none.
    let is_unit_cut = match &pieces[..] {
        [piece] if piece.before.is_empty() => !texts.iter().all(|text| cut(text, piece).is_some_and(is_date)),
        _ => false,
    };
    if is_unit_cut { Vec::new() } else { pieces }
}

fn is_date(text: &str) -> bool {
    shape_of(text) == ValueShape::Date
}

/// Fewer texts say nothing about what is always the same.
const TEXTS_MIN: usize = 4;
/// Longer texts are prose.
const TEXT_BYTES: usize = 200;

/// The words that every text has exactly once, in the same order.
fn constant_words(texts: &[String]) -> Vec<String> {
    let lists: Vec<Vec<Word<'_>>> = texts.iter().map(|text| words(text)).collect();
    let Some((first, rest)) = lists.split_first() else {
        return Vec::new();
    };
    let mut places: Vec<Vec<usize>> = Vec::new();
    let tables: Vec<HashMapOf<&str, (usize, usize)>> = rest.iter().map(|list| places_of(list)).collect();
    let own = places_of(first);
    let mut constants: Vec<&str> = Vec::new();
    for (index, word) in first.iter().enumerate() {
        // A number is a value, even one that all texts have.
        if own[word.text].1 != 1
            || word.text.bytes().all(|byte| byte.is_ascii_digit())
            || is_in_date(&texts[0], first, index)
            || constants.is_empty() && index == 0 && first.len() == 1
        {
            continue;
        }
        let there: Option<Vec<usize>> = tables
            .iter()
            .map(|table| {
                table
                    .get(word.text)
                    .filter(|(_, times)| *times == 1)
                    .map(|(place, _)| *place)
            })
            .collect();
        let Some(there) = there else { continue };
        if places
            .last()
            .is_none_or(|last| last.iter().zip(&there).all(|(before, after)| before < after))
        {
            places.push(there);
            constants.push(word.text);
        }
    }
    constants.into_iter().map(str::to_owned).collect()
}

/// Whether a word is a month beside a number: a day of a month that all texts have is a value all
/// the same.
fn is_in_date(text: &str, words: &[Word<'_>], index: usize) -> bool {
    if !words[index].text.contains(char::is_alphabetic) {
        return false;
    }
    let beside = [index.checked_sub(1), Some(index + 1)];
    let mut beside = beside.into_iter().flatten().filter_map(|at| words.get(at));
    beside.any(|number| {
        let (start, end) = (
            number.start.min(words[index].start),
            number.end().max(words[index].end()),
        );
        number.text.bytes().all(|byte| byte.is_ascii_digit()) && shape_of(&text[start..end]) == ValueShape::Date
    })
}

/// Where each word stands, and how often.
fn places_of<'a>(words: &[Word<'a>]) -> HashMapOf<&'a str, (usize, usize)> {
    let mut places: HashMapOf<&str, (usize, usize)> = HashMapOf::default();
    for (index, word) in words.iter().enumerate() {
        places.entry(word.text).or_insert((index, 0)).1 += 1;
    }
    places
}

/// The piece of a text; `None` when the words around it are not there, or come again and leave it
/// open which is meant.
fn cut<'a>(text: &'a str, piece: &Piece) -> Option<&'a str> {
    cut_between(&words(text), text, piece)
}

/// The pieces of a text, in their order.
pub(super) fn cut_all<'a>(text: &'a str, pieces: &[Piece]) -> impl Iterator<Item = Option<&'a str>> {
    let words = if pieces.is_empty() { Vec::new() } else { words(text) };
    pieces.iter().map(move |piece| cut_between(&words, text, piece))
}

fn cut_between<'a>(words: &[Word<'a>], text: &'a str, piece: &Piece) -> Option<&'a str> {
    let start = match piece.before.as_str() {
        "" => 0,
        before => only(words, before)?.end(),
    };
    let end = match piece.after.as_str() {
        "" => text.len(),
        after => only(words, after)?.start,
    };
    let value = text.get(start..end)?.trim();
    match piece.kind {
        PieceKind::Whole => Some(value),
        PieceKind::Number => split_number(value).map(|(number, _)| number),
        PieceKind::AfterNumber => split_number(value).map(|(_, unit)| unit),
        PieceKind::Bare => {
            let bare = split_note(value).map_or(value, |(bare, _)| bare);
            Some(split_number(bare).map_or(bare, |(_, rest)| rest))
        }
        PieceKind::Note => split_note(value).map(|(_, note)| note),
    }
}

/// Whether some of the texts, and not all, end with a note in parentheses, and few notes are said
/// again and again.
fn has_notes(values: &[&str]) -> bool {
    let notes: Vec<&str> = values
        .iter()
        .filter_map(|value| split_note(value))
        .map(|(_, note)| note)
        .collect();
    let mut distinct = notes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    notes.len() < values.len() && notes.len() >= NOTES_MIN.max(values.len() / 20) && 2 * distinct.len() <= notes.len()
}

/// This many texts with a note are no accident.
const NOTES_MIN: usize = 4;

/// A text and the note in parentheses that it ends with.
fn split_note(value: &str) -> Option<(&str, &str)> {
    let (bare, note) = value.strip_suffix(')')?.split_once(" (")?;
    let is_one = !bare.is_empty() && !note.contains(['(', ')']) && note.contains(char::is_alphabetic);
    is_one.then(|| (bare.trim_end(), note.trim()))
}

/// The word of a text, if it stands there once.
fn only<'a, 'b>(words: &'b [Word<'a>], wanted: &str) -> Option<&'b Word<'a>> {
    let mut found = words.iter().filter(|word| word.text == wanted);
    found.next().filter(|_| found.next().is_none())
}

/// A number and what follows it.
fn split_number(value: &str) -> Option<(&str, &str)> {
    let (number, unit) = value.split_once(' ')?;
    // A minute, a rank: the mark after the number is none of it.
    let number = number.strip_suffix(['\'', '.', ')']).unwrap_or(number);
    let is_number = number.ends_with(|c: char| c.is_ascii_digit())
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+'));
    (is_number && unit.starts_with(char::is_alphabetic)).then_some((number, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_cut(text: &str, before: &str, after: &str, expected: Option<&str>) {
        let piece = Piece {
            name: String::new(),
            before: before.to_owned(),
            after: after.to_owned(),
            kind: PieceKind::Whole,
        };
        assert_eq!(cut(text, &piece), expected, "{text}");
    }

    #[test]
    fn words_that_come_again_leave_a_piece_open() {
        check_cut("By Ada Berg ; 3rd", "By", ";", Some("Ada Berg"));
        check_cut("By Ada By Berg ; 3rd", "By", ";", None);
        check_cut("By Ada ; Berg ; 3rd", "By", ";", None);
        check_cut("; 3rd By Ada", "By", ";", None);
        check_cut("Ada", "By", "", None);
    }

    fn check_pieces(texts: &[&str], expected: &[&[&str]]) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let pieces = find_pieces(&texts);
        for (text, expected) in texts.iter().zip(expected) {
            let found: Vec<&str> = pieces.iter().map(|piece| cut(text, piece).unwrap_or("-")).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn notes_at_the_end_are_pieces_when_few_are_said_often() {
        check_pieces(
            &[
                "8' Ada Ro (penalty)",
                "12' Bo Li",
                "90+2' Cy (own goal)",
                "31' Ada Ro (penalty)",
                "44' Di (own goal)",
            ],
            &[
                &["8", "Ada Ro", "penalty"],
                &["12", "Bo Li", "-"],
                &["90+2", "Cy", "own goal"],
                &["31", "Ada Ro", "penalty"],
                &["44", "Di", "own goal"],
            ],
        );
        check_pieces(&["Ada (red)", "Bo (blue)", "Cy (green)", "Di (grey)", "Ed"], &[&[]]);
    }

    #[test]
    fn a_month_that_all_texts_have_is_part_of_their_dates() {
        check_pieces(
            &[
                "Valid: 30 Jul 97",
                "Valid: 31 Jul 97",
                "Valid: 2 Jul 97",
                "Valid: 5 Jul 97",
            ],
            &[&["30 Jul 97"], &["31 Jul 97"], &["2 Jul 97"], &["5 Jul 97"]],
        );
    }

    #[test]
    fn what_follows_a_date_is_cut_off_and_a_unit_is_not() {
        let days = [2, 4, 11, 21].map(|day| format!("{day} May 2002 {day}:30 PST"));
        let days: Vec<&str> = days.iter().map(String::as_str).collect();
        check_pieces(&days, &[&["2 May 2002 2:30"], &["4 May 2002 4:30"]]);
        check_pieces(&["Ada Ro km", "Bo Li km", "Cy Vi km", "Di Mo km"], &[&[]]);
    }

    #[test]
    fn a_colon_is_a_mark_unless_digits_are_on_both_sides() {
        check_cut("Page:12", ":", "", Some("12"));
        check_cut("At: 12:30", ":", "", Some("12:30"));
    }
}
