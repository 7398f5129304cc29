//! Data of a page as text for a person: an item a block, a property a line.

use super::{DataItem, DataSyntax, DataValue, PageData};

/// The items of a page, and what could not be read.
pub fn show_data(data: &PageData) -> String {
    let mut shown = String::new();
    for item in &data.items {
        let syntax = match item.syntax {
            DataSyntax::JsonLd => "JSON-LD",
            DataSyntax::Microdata => "microdata",
            DataSyntax::Rdfa => "RDFa",
            DataSyntax::OpenGraph => "OpenGraph",
        };
        shown.push_str(&format!("{syntax} {}\n", head(item)));
        show_properties(item, 1, &mut shown);
    }
    for problem in &data.problems {
        shown.push_str(&format!("problem {problem}\n"));
    }
    shown
}

/// What an item is, and the address that stands for it.
fn head(item: &DataItem) -> String {
    let types = if item.types.is_empty() {
        "item".to_owned()
    } else {
        item.types.join(" ")
    };
    match &item.id {
        Some(id) => format!("{types} <{id}>"),
        None => types,
    }
}

fn show_properties(item: &DataItem, depth: usize, shown: &mut String) {
    for (name, value) in &item.properties {
        shown.push_str(&"  ".repeat(depth));
        match value {
            DataValue::Text(text) => {
                let line: Vec<&str> = text.split_whitespace().collect();
                shown.push_str(&format!("{name}: {}\n", line.join(" ")));
            }
            DataValue::Item(inner) => {
                shown.push_str(&format!("{name}: {}\n", head(inner)));
                show_properties(inner, depth + 1, shown);
            }
        }
    }
}
