//! Lines: which texts beside each other in a line are values.
//!
//! In: the texts of a line, in order, as inline elements set them apart. Out: its items. A text
//! with no letter or digit in it is no value: between two values a comma, a dash or a bar only
//! tells them apart, and is left out; other signs (`*`, `&`) go with the value before them.
//! Brackets go with what they hold; and where a line has one value, that is the whole line, as a
//! reader sees it. A value keeps the place that it has without its marks, so that records with and
//! without them are aligned.

use super::item::Item;

/// A text of a line.
pub(super) struct Segment {
    /// The text as an item of its own.
    pub item: Item,
    /// How many items, those of the line apart, come before it.
    pub at: usize,
    /// Whether it begins with a blank.
    pub is_blank_before: bool,
    /// Whether a blank follows it.
    pub is_blank_after: bool,
}

/// The items of a line, each with how many other items come before it.
pub(super) fn joined(line: Vec<Segment>) -> Vec<(usize, Item)> {
    let n_said = line.iter().filter(|segment| !is_mark(&segment.item.value)).count();
    let mut whole: Vec<Segment> = Vec::with_capacity(line.len());
    for segment in line {
        match whole.last_mut() {
            Some(last) if goes_on(last, &segment, n_said) => append(last, segment),
            _ => whole.push(segment),
        }
    }
    if n_said > 0 {
        whole.retain(|segment| !is_mark(&segment.item.value));
    }
    whole.into_iter().map(|segment| (segment.at, segment.item)).collect()
}

/// Whether a text belongs to the one before it.
fn goes_on(before: &Segment, after: &Segment, n_said: usize) -> bool {
    let (before, after) = (before.item.value.as_str(), after.item.value.as_str());
    match n_said {
        0 | 1 => true,
        _ if is_mark(after) => match after.starts_with(CLOSING) {
            true => before.contains(OPENING),
            false => !is_mark(before) && !is_separator(after) && !after.ends_with(OPENING),
        },
        _ => before.ends_with(OPENING),
    }
}

const OPENING: [char; 3] = ['(', '[', '{'];
const CLOSING: [char; 3] = [')', ']', '}'];

/// Whether a mark does no more than tell values apart.
fn is_separator(mark: &str) -> bool {
    mark.chars()
        .all(|sign| sign.is_whitespace() || ",;:|/\\-–—·•.>»<«›‹".contains(sign))
}

/// Signs of currencies say something: they are no marks.
fn is_mark(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_alphanumeric() || "$€£¥₹".contains(letter))
}

/// Puts a text behind another one; the place is that of the one that says something.
fn append(segment: &mut Segment, more: Segment) {
    let is_said = !is_mark(&segment.item.value);
    let blank = if segment.is_blank_after || more.is_blank_before {
        " "
    } else {
        ""
    };
    let value = format!("{}{blank}{}", segment.item.value, more.item.value);
    segment.is_blank_after = more.is_blank_after;
    if !is_said {
        segment.item = more.item;
        segment.at = more.at;
    }
    segment.item.value = value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::NodeId;
    use crate::record::ItemKind;

    fn check(texts: &[&str], expected: &[&str]) {
        let segment = |(number, text): (usize, &&str)| Segment {
            item: Item {
                kind: ItemKind::Text,
                place: number as u64,
                tag_place: 0,
                value: text.trim().to_owned(),
                node: NodeId(0),
                grid_column: None,
            },
            at: number,
            is_blank_before: text.starts_with(' '),
            is_blank_after: text.ends_with(' '),
        };
        let items = joined(texts.iter().enumerate().map(segment).collect());
        let values: Vec<&str> = items.iter().map(|(_, item)| item.value.as_str()).collect();
        assert_eq!(values, expected);
    }

    #[test]
    fn marks_are_no_values() {
        check(&["Ada Berg", ", ", "Bo Dahl"], &["Ada Berg", "Bo Dahl"]);
        check(&["> ", "Videos"], &["> Videos"]);
        check(&["Berg ", "(", "editor", ")"], &["Berg", "(editor)"]);
        check(&["$", "12"], &["$", "12"]);
        check(&["Berlioz", "* • ", "Ravel", "*"], &["Berlioz* •", "Ravel*"]);
        check(&["|", "-"], &["|-"]);
        check(&["Science", " — "], &["Science —"]);
        check(&["12", " goals"], &["12", "goals"]);
    }
}
