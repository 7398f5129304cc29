//! What was clicked, as the page has it: the node, the letter, and the values that it may stand
//! for.
//!
//! In: the number that the frame's script gives of an element and of one of its texts, the letter
//! in that text, and what is selected. Out: a [`Pick`], whose values know their spots: the same
//! text elsewhere on the page is another value.

use maud::{Markup, html};
use serde_json::Value;
use untemplate::content::label_cut;
use untemplate::page::{Dom, Name, NodeId, Page};
use untemplate::rule::{Selected, value_text};
use untemplate::teach::{ShownValue, Spot};
use url::Url;

use super::asked::Asked;
use super::marks::{Mark, collapsed, node_named, value_mark};

/// What was clicked, on the page in view.
pub struct Pick {
    /// The node.
    pub node: NodeId,
    /// The values it may stand for, the likeliest first: a selection, what comes after a label, the
    /// heading, the text, all text of the element.
    pub values: Vec<PickedValue>,
    /// Where it leads, if it is a link.
    pub link: Option<(NodeId, Url)>,
}

/// A value that a click may stand for.
pub struct PickedValue {
    /// Where it stands.
    pub place: Selected,
    /// The value, with its spot.
    pub shown: ShownValue,
}

impl Pick {
    /// Reads what a view's address or a form says was clicked.
    pub fn read(page: &Page, asked: &Asked) -> Option<Self> {
        let dom = &page.dom;
        let node = node_named(dom, asked.get("pick"), asked.get("said"))?;
        let own = Selected { node, attribute: None };
        let letters = letters_before(dom.text(node), asked.number("letter"));
        let holder = dom.parent(node).filter(|_| dom.is_text(node));
        let holder = holder.map(|node| Selected { node, attribute: None });
        let selected = collapsed(asked.get("selected"));
        let all = [
            selection(dom, own, &selected, letters),
            holder.and_then(|holder| selection(dom, holder, &selected, 0)),
            after_label(dom, own, letters),
            heading_around(dom, node).and_then(|heading| whole(dom, heading)),
            whole(dom, own),
            holder.and_then(|holder| whole(dom, holder)),
            attribute_place(dom, node).and_then(|place| whole(dom, place)),
        ];
        let mut values: Vec<PickedValue> = Vec::new();
        for value in all.into_iter().flatten() {
            if values.iter().all(|its| its.shown.text != value.shown.text) {
                values.push(value);
            }
        }
        let link = link_at(page, node);
        Some(Self { node, values, link })
    }

    /// The value that reads so, as it was offered.
    pub fn value(&self, text: &str) -> Option<&ShownValue> {
        self.values.iter().map(|its| &its.shown).find(|its| its.text == text)
    }

    /// The mark of its first value, or of the node.
    pub fn marks(&self, dom: &Dom) -> Vec<Value> {
        let own = Selected {
            node: self.node,
            attribute: None,
        };
        let mark = self.values.first().map_or_else(
            || value_mark(dom, Mark::Picked, own, "", None),
            |first| {
                let offset = first.shown.spot.as_ref().and_then(|spot| spot.offset);
                value_mark(dom, Mark::Picked, first.place, &first.shown.text, offset)
            },
        );
        vec![mark]
    }
}

/// What a form says so that the same click is read from it.
pub fn hidden_pick(asked: &Asked) -> Markup {
    html! {
        @for name in ["pick", "said", "selected", "letter"] {
            @if asked.has(name) { input type="hidden" name=(name) value=(asked.get(name)); }
        }
    }
}

fn picked(dom: &Dom, place: Selected, text: &str, offset: Option<usize>) -> Option<PickedValue> {
    let shown = ShownValue {
        text: text.to_owned(),
        spot: Spot::of(dom, place, offset),
    };
    (!text.is_empty()).then_some(PickedValue { place, shown })
}

fn whole(dom: &Dom, place: Selected) -> Option<PickedValue> {
    picked(dom, place, &value_text(dom, place), None)
}

/// The selected words in the text of a place: those nearest to where the selection begins.
fn selection(dom: &Dom, place: Selected, selected: &str, letters: usize) -> Option<PickedValue> {
    let text = value_text(dom, place);
    if selected.is_empty() || text == selected {
        return whole(dom, place).filter(|_| !selected.is_empty());
    }
    let found = text.match_indices(selected).map(|(at, _)| text[..at].chars().count());
    let offset = found.min_by_key(|offset| offset.abs_diff(letters))?;
    picked(dom, place, selected, Some(offset))
}

/// What comes after the label in a text that has one, where the label itself was not clicked.
fn after_label(dom: &Dom, place: Selected, letters: usize) -> Option<PickedValue> {
    let text = value_text(dom, place);
    let cut = label_cut(&text, None).filter(|_| dom.is_text(place.node))?;
    let (label, value) = text.split_at(cut.value_start as usize);
    let offset = label.chars().count();
    picked(dom, place, value, Some(offset)).filter(|_| letters >= offset)
}

/// The heading that a node is in. Who clicks a name means all of it, whatever part of it is in
/// bold.
fn heading_around(dom: &Dom, node: NodeId) -> Option<Selected> {
    let is_heading = |node: &NodeId| matches!(dom.name_text(*node), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    let node = dom.ancestors(node).find(is_heading)?;
    Some(Selected { node, attribute: None })
}

/// What a picture or a machine-readable element says.
fn attribute_place(dom: &Dom, node: NodeId) -> Option<Selected> {
    let names = [Name::ALT, Name::CONTENT, Name::DATETIME, Name::TITLE, Name::VALUE];
    let name = names.into_iter().find(|&name| dom.attribute(node, name).is_some())?;
    let attribute = Some(name);
    Some(Selected { node, attribute })
}

/// The link that a node is in, and where it leads.
fn link_at(page: &Page, node: NodeId) -> Option<(NodeId, Url)> {
    let dom = &page.dom;
    let is_link = |&node: &NodeId| matches!(dom.name(node), Some(Name::A | Name::AREA));
    let link = std::iter::once(node).chain(dom.ancestors(node)).find(is_link)?;
    let url = dom.attribute(link, Name::HREF).and_then(|href| page.resolve(href))?;
    Some((link, url))
}

/// How many letters of a text, white space collapsed, stand before one that a browser counts in
/// UTF-16 units.
fn letters_before(raw: &str, units: usize) -> usize {
    let mut counted = 0;
    let before: String = raw
        .chars()
        .take_while(|letter| {
            let is_before = counted < units;
            counted += letter.len_utf16();
            is_before
        })
        .collect();
    let n_letters = collapsed(&before).chars().count();
    // A blank at the end stands before the letter, unless the text begins with it.
    n_letters + usize::from(n_letters > 0 && before.ends_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, Response};

    fn read(html: &str, tag: &str, asked: &[(&str, &str)]) -> Vec<(String, Option<usize>)> {
        let url = "http://cup.example/".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let is_it = |&node: &NodeId| page.dom.name_text(node) == tag;
        let element = page.dom.nodes().find(is_it).expect("it is there");
        let text = page.dom.children(element).next().expect("it has a text");
        let said = page.dom.text(text).to_owned();
        let mut pairs = vec![
            ("pick".to_owned(), format!("{}.0", element.0)),
            ("said".to_owned(), said),
        ];
        pairs.extend(asked.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
        let pick = Pick::read(&page, &Asked(pairs)).expect("something was clicked");
        let values = pick.values.into_iter().map(|its| its.shown);
        let offset = |spot: Option<Spot>| spot.and_then(|spot| spot.offset);
        values.map(|shown| (shown.text, offset(shown.spot))).collect()
    }

    #[test]
    fn a_click_behind_a_label_means_what_it_labels() {
        let html = "<p> Age:  23 </p>";
        assert_eq!(
            read(html, "p", &[("letter", "8")]),
            [("23".to_owned(), Some(5)), ("Age: 23".to_owned(), None)]
        );
        assert_eq!(read(html, "p", &[("letter", "2")]), [("Age: 23".to_owned(), None)]);
    }

    #[test]
    fn a_click_on_a_part_of_a_heading_means_the_heading() {
        let html = "<h1>Ada <b>Lovelace</b></h1>";
        let texts = |tag: &str| -> Vec<String> { read(html, tag, &[]).into_iter().map(|(text, _)| text).collect() };
        assert_eq!(texts("h1"), ["Ada Lovelace", "Ada"]);
        assert_eq!(texts("b"), ["Ada Lovelace", "Lovelace"]);
    }

    #[test]
    fn a_selection_is_the_one_that_was_made() {
        let html = "<p>3 : 3</p>";
        let first = |letter: &str| read(html, "p", &[("letter", letter), ("selected", "3")])[0].clone();
        assert_eq!(first("0"), ("3".to_owned(), Some(0)));
        assert_eq!(first("4"), ("3".to_owned(), Some(4)));
    }
}
