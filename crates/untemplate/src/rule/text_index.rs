//! Where texts stand on a page: what pivots and examples are looked up in.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::page::{Dom, NodeId, push_collapsed};

/// The shown text nodes of a page by their text, white space collapsed. Blank ones are left out.
#[derive(Debug, Clone, Default)]
pub struct TextIndex {
    nodes: HashMap<Box<str>, Vec<NodeId>, FixedState>,
}

impl TextIndex {
    /// Reads a page's texts.
    pub fn of(dom: &Dom) -> Self {
        let mut nodes: HashMap<Box<str>, Vec<NodeId>, FixedState> = HashMap::default();
        let mut text = String::new();
        for node in shown_texts(dom) {
            text.clear();
            push_collapsed(dom.text(node), &mut text);
            match nodes.get_mut(text.as_str()) {
                Some(places) => places.push(node),
                None if text.is_empty() => {}
                None => {
                    nodes.insert(text.as_str().into(), vec![node]);
                }
            }
        }
        Self { nodes }
    }

    /// Reads where these texts stand, and no others: for rules with a few pivots, which costs much
    /// less than the whole page.
    pub fn of_texts(dom: &Dom, wanted: &[&str]) -> Self {
        let mut nodes: HashMap<Box<str>, Vec<NodeId>, FixedState> = HashMap::default();
        if wanted.is_empty() {
            return Self { nodes };
        }
        let mut begins = [false; 256];
        for byte in wanted.iter().filter_map(|text| text.bytes().next()) {
            begins[usize::from(byte)] = true;
        }
        for node in shown_texts(dom) {
            // Most texts are told apart by their first letter.
            let text = dom.text(node).trim_start();
            if !text.bytes().next().is_some_and(|byte| begins[usize::from(byte)]) {
                continue;
            }
            if let Some(known) = wanted.iter().find(|known| text.split_whitespace().eq(known.split(' '))) {
                let places = nodes.entry((*known).into()).or_default();
                places.push(node);
            }
        }
        Self { nodes }
    }

    /// The text nodes with this text, in document order.
    pub fn places(&self, text: &str) -> &[NodeId] {
        self.nodes.get(text).map_or(&[], Vec::as_slice)
    }

    /// All texts with the nodes that have them, in no order.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &[NodeId])> {
        self.nodes.iter().map(|(text, places)| (&**text, places.as_slice()))
    }
}

/// The text nodes that a reader may see, and the title.
pub(super) fn shown_texts(dom: &Dom) -> impl Iterator<Item = NodeId> + '_ {
    let mut hidden_until = NodeId::DOCUMENT;
    dom.nodes().filter(move |&node| {
        if node >= hidden_until && dom.is_unseen(node) {
            hidden_until = dom.subtree_end(node);
        }
        node >= hidden_until && dom.is_text(node)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, parse_html};

    #[test]
    fn texts_looked_for_alone_stand_where_they_stand_among_all() {
        let html = "<p> Price\n in <b>Euro</b><p>Price in<p>&nbsp;Price in<p>Price<script>Price in</script>";
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let (all, some) = (
            TextIndex::of(&dom),
            TextIndex::of_texts(&dom, &["Price in", "Euro", "none"]),
        );
        for text in ["Price in", "Euro", "none"] {
            assert_eq!(some.places(text), all.places(text), "{text}");
        }
        assert_eq!((all.places("Price in").len(), some.places("Price").len()), (3, 0));
    }
}
