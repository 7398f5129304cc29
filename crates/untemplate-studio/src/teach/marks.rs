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
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Self::Picked => "picked",
            Self::Follow => "follow",
            Self::Field => "field",
            Self::Candidate => "candidate",
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
    marks(dom, mark, picked.iter().map(|picked| picked.place))
}

fn mark_at(dom: &Dom, mark: Mark, place: Selected) -> Value {
    match (dom.is_text(place.node), dom.parent(place.node)) {
        (true, Some(parent)) => {
            let texts = dom.children(parent).filter(|&child| dom.is_text(child));
            let text = texts.take_while(|&child| child != place.node).count();
            json!({"node": parent.0, "text": text, "as": mark.word()})
        }
        _ => json!({"node": place.node.0, "as": mark.word()}),
    }
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
