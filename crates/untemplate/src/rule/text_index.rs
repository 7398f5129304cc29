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
