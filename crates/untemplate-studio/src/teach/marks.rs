//! Marks: what is shown on the page in its frame, as the panel beside it tells.

use serde_json::{Value, json};
use untemplate::page::{Dom, NodeId};
use untemplate::rule::{Picked, Selected};

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// What was clicked.
    Picked,
    /// Links that would be followed.
    Follow,
    /// A value of a field that is known.
    Field,
    /// What may be the answer.
    Candidate,
    /// A row of a table or list.
    Row,
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Self::Picked => "picked",
            Self::Follow => "follow",
            Self::Field => "field",
            Self::Candidate => "candidate",
            Self::Row => "row",
        }
    }
}

/// The marks of places, as the frame's script reads them: the element, which of its texts, and what
/// it says.
pub fn marks(dom: &Dom, mark: Mark, places: impl Iterator<Item = Selected>) -> Vec<Value> {
    places.map(|place| mark_at(dom, mark, place)).collect()
}

/// The marks of what a rule picked.
pub fn picked_marks(dom: &Dom, mark: Mark, picked: &[Picked]) -> Vec<Value> {
    let mark = |picked: &Picked| value_mark(dom, mark, picked.place, &picked.text, None);
    picked.iter().map(mark).collect()
}

/// The mark of a value at a place: only its own letters, where it is a part of a text. `offset` is
/// the number of letters before it, where that is known.
pub fn value_mark(dom: &Dom, mark: Mark, place: Selected, value: &str, offset: Option<usize>) -> Value {
    let mut marked = mark_at(dom, mark, place);
    if place.attribute.is_none()
        && dom.is_text(place.node)
        && let Some((from, to)) = units_of(dom.text(place.node), value, offset)
    {
        marked["from"] = json!(from);
        marked["to"] = json!(to);
    }
    marked
}

/// Where a value stands in a text, in UTF-16 units of the text as it is; `None` where it is the
/// whole text, or no part of it.
fn units_of(raw: &str, value: &str, offset: Option<usize>) -> Option<(usize, usize)> {
    let text = collapsed(raw);
    if value.is_empty() || text == value {
        return None;
    }
    let first = text.find(value).map(|at| text[..at].chars().count())?;
    let begin = offset.unwrap_or(first);
    let end = begin + value.chars().count();
    let (mut n_letters, mut units, mut was_blank) = (0, 0, true);
    let (mut from, mut to) = (None, None);
    for letter in raw.chars() {
        // A run of white space is one letter, and none at the beginning.
        let is_counted = !letter.is_whitespace() || !was_blank;
        was_blank = letter.is_whitespace();
        if is_counted {
            from = from.or((n_letters == begin).then_some(units));
            n_letters += 1;
        }
        units += letter.len_utf16();
        if is_counted && n_letters == end {
            to = Some(units);
            break;
        }
    }
    Some((from?, to?))
}

fn mark_at(dom: &Dom, mark: Mark, place: Selected) -> Value {
    match (dom.is_text(place.node), dom.parent(place.node)) {
        (true, Some(parent)) => {
            let texts = dom.children(parent).filter(|&child| dom.is_text(child));
            let text = texts.take_while(|&child| child != place.node).count();
            json!({"node": parent.0, "text": text, "as": mark.word()})
        }
        _ => element_mark(mark, place.node),
    }
}

/// The mark of an element.
pub fn element_mark(mark: Mark, element: NodeId) -> Value {
    json!({"node": element.0, "as": mark.word()})
}

/// A node that a browser named: an element, or one of its texts. The text it read there is held
/// against ours, since browsers may build an odd page's tree in another way.
pub fn node_named(dom: &Dom, name: &str, said: &str) -> Option<NodeId> {
    let (element, text) = name
        .split_once('.')
        .map_or((name, None), |(element, text)| (element, Some(text)));
    let element = NodeId(element.parse().ok()?);
    if element.index() >= dom.len() || !dom.is_element(element) {
        return None;
    }
    let Some(index) = text.and_then(|text| text.parse::<usize>().ok()) else {
        return Some(element);
    };
    let reads = |&child: &NodeId| collapsed(dom.text(child)) == collapsed(said);
    let texts: Vec<NodeId> = dom.children(element).filter(|&child| dom.is_text(child)).collect();
    let named = texts.get(index).copied().filter(reads);
    Some(named.or_else(|| texts.iter().copied().find(reads)).unwrap_or(element))
}

/// A text with its white space collapsed.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{Name, ParseOptions, parse_html};

    #[test]
    fn a_part_of_a_text_is_marked_alone() {
        assert_eq!(units_of(" Age:\n  23 𝄞 ", "23", None), Some((8, 10)));
        assert_eq!(units_of("𝄞 : 3 : 3", "3", Some(8)), Some((9, 10)));
        assert_eq!(units_of(" 23 ", "23", None), None);
        assert_eq!(units_of("24", "23", None), None);
    }

    #[test]
    fn a_text_is_found_by_its_number_or_its_words() {
        let (dom, _) = parse_html("<p>one<b>two</b>three<!-- -->four", &ParseOptions::default());
        let p = dom.find(Name::P).expect("the page has one");
        let read = |name: &str, said: &str| {
            let node = node_named(&dom, &format!("{}{name}", p.0), said);
            node.map(|node| dom.text(node).to_owned())
        };
        assert_eq!(read(".1", "three").as_deref(), Some("three"));
        assert_eq!(read(".0", " four ").as_deref(), Some("four"));
        assert_eq!(read(".7", "nothing").as_deref(), Some(""), "the element itself");
        assert_eq!(node_named(&dom, "999", ""), None);
        assert_eq!(node_named(&dom, "x", ""), None);
    }
}
