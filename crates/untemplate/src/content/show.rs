//! What a reader sees, as indented text.

use std::fmt::Write;

use super::block::{BlockId, BlockKind, Content, MarkKind};

/// The content of a page as indented text: a line for each block.
pub fn show_content(content: &Content) -> String {
    let mut shown = String::new();
    let mut open: Vec<u32> = Vec::new();
    for id in content.ids() {
        while open.pop_if(|end| *end <= id.0).is_some() {}
        let indent = "  ".repeat(open.len());
        writeln!(shown, "{indent}{}", show_block(content, id)).expect("a string can be written to");
        open.push(content.block(id).end);
    }
    shown
}

fn show_block(content: &Content, id: BlockId) -> String {
    let block = content.block(id);
    let name = content.name(id);
    let mut shown = match block.kind {
        BlockKind::Line => String::new(),
        BlockKind::Page => "page".to_owned(),
        BlockKind::Group => format!("group {name}"),
        BlockKind::Section => format!("section {}", block.rank),
        BlockKind::Heading => "heading:".to_owned(),
        BlockKind::Pair => "pair".to_owned(),
        BlockKind::Label => "label:".to_owned(),
        BlockKind::Picture => "picture:".to_owned(),
        BlockKind::List => "list".to_owned(),
        BlockKind::Item => "item".to_owned(),
        BlockKind::Grid => "grid".to_owned(),
        BlockKind::Row => "row".to_owned(),
        BlockKind::Cell => format!("cell {name}"),
    };
    let text = content.text(id);
    if !text.is_empty() {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(text);
    }
    for mark in content.marks(id) {
        let arrow = match mark.kind {
            MarkKind::Link => "->",
            MarkKind::Picture => "picture",
            MarkKind::Part => "part",
        };
        write!(shown, " [{arrow} {}]", content.url(mark)).expect("a string can be written to");
    }
    shown
}
