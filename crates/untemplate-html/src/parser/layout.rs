//! The layout: the contents of a finished tree, in document order and in two buffers.

use super::super::dom::{Content, Dom, NodeKind, StoredAttribute};
use super::span::{Span, Text};
use super::token::TagAttribute;

/// Contents in document order. A text that continues another keeps its place after it until the
/// text is laid out.
pub(super) fn in_order(order: &[u32], contents: &[Content]) -> Vec<Content> {
    order.iter().map(|&node| contents[node as usize]).collect()
}

/// Copies the text of nodes to one buffer in document order, and gives each its depth. Texts that
/// continue another become part of it.
pub(super) fn lay_out_text(dom: &mut Dom, text: &Text<'_>) {
    let is_text = |content: &Content| !matches!(content.kind, NodeKind::Element(_));
    let length = dom
        .contents
        .iter()
        .filter(|content| is_text(content))
        .map(|content| content.len as usize)
        .sum();
    dom.text.reserve_exact(length);
    let mut kept = 0;
    for index in 0..dom.contents.len() {
        let mut content = dom.contents[index];
        if is_text(&content) {
            let start = dom.text.len() as u32;
            dom.text
                .push_str(text.get(Span::from_raw((content.start, content.len))));
            content.start = start;
        }
        if content.continues {
            dom.contents[kept - 1].len += content.len;
            continue;
        }
        content.depth = match kept {
            0 => 0,
            _ => dom.contents[dom.shapes[kept].parent as usize].depth.saturating_add(1),
        };
        dom.contents[kept] = content;
        kept += 1;
    }
    dom.contents.truncate(kept);
}

/// Copies the values of attributes to one buffer. Elements that were opened again share their
/// attributes, so that a page cannot multiply them.
pub(super) fn lay_out_attributes(dom: &mut Dom, attributes: Vec<TagAttribute>, text: &Text<'_>) {
    dom.values
        .reserve_exact(attributes.iter().map(|attribute| text.get(attribute.value).len()).sum());
    let values = &mut dom.values;
    let stored = attributes.into_iter().map(|TagAttribute { name, value }| {
        let value = text.get(value);
        let start = values.len() as u32;
        values.push_str(value);
        StoredAttribute {
            name,
            start,
            len: value.len() as u32,
        }
    });
    dom.attributes = stored.collect();
}
