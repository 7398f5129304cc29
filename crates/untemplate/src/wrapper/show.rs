//! Showing a template: an annotated skeleton, for a person.
//!
//! A part a line, indented by its depth: what it looks like, `?` when some pages lack it, `+` when
//! it repeats, what text it is or which field. Parts without data are left out, but for the labels
//! among them.

use super::feature::HashMapOf;
use super::template::{Item, Part, PartId, Template, TextPart};

/// A template as a skeleton.
pub fn show_template(template: &Template) -> String {
    let wanted = wanted_parts(template);
    let mut shown = String::new();
    let mut waiting: Vec<(PartId, usize, Option<String>)> = vec![(PartId(0), 0, None)];
    while let Some((id, depth, list)) = waiting.pop() {
        let Some(part) = template.parts.get(id.index()) else {
            continue;
        };
        write_part(part, depth, list.as_deref(), &mut shown);
        for item in part.items.iter().rev() {
            let list = match item {
                Item::One(_) => None,
                Item::Repeat(repeat) => Some(repeat.name.clone()),
            };
            for inner in item.parts().iter().rev() {
                let is_label = template.parts[inner.index()].items.is_empty()
                    && !template.parts[inner.index()].pattern.label.is_empty();
                if wanted.contains_key(inner) || is_label {
                    waiting.push((*inner, depth + 1, list.clone()));
                }
            }
        }
    }
    shown
}

/// The parts with data at them or inside them.
fn wanted_parts(template: &Template) -> HashMapOf<PartId, ()> {
    let mut wanted = HashMapOf::default();
    for (index, part) in template.parts.iter().enumerate().rev() {
        let is_wanted = part.has_own_data()
            || part
                .items
                .iter()
                .flat_map(Item::parts)
                .any(|inner| wanted.contains_key(inner));
        if is_wanted {
            wanted.insert(PartId(index as u32), ());
        }
    }
    wanted
}

fn write_part(part: &Part, depth: usize, list: Option<&str>, shown: &mut String) {
    for _ in 0..depth {
        shown.push_str("  ");
    }
    shown.push_str(&part.pattern.describe());
    if let Some(name) = list {
        shown.push_str(&format!(" + in {name}"));
    }
    if part.is_optional() {
        shown.push_str(&format!(" ? {} of {}", part.seen, part.places));
    }
    match &part.text {
        TextPart::None | TextPart::LeftOut => {}
        TextPart::Constant(text) => shown.push_str(&format!(" = {text:?}")),
        TextPart::Field(field) => {
            shown.push_str(&format!(" -> {}", field.name));
            for piece in &field.pieces {
                shown.push_str(&format!(", {}", piece.name));
            }
        }
    }
    for field in &part.attributes {
        shown.push_str(&format!(" @{} -> {}", field.attribute, field.name));
    }
    shown.push('\n');
}
