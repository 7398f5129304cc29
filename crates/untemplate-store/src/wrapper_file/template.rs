//! Templates as JSON: `{"labels": […], "parts": […]}`, a part a line, parts after those that hold
//! them; the first is the root element.

use serde_json::{Map, Value, json};
use untemplate::wrapper::{
    AttributeField, Field, FieldCount, Item, MarkupProfile, Part, PartId, Pattern, Piece, PieceKind, Repeat, Template,
    TextPart,
};

use super::profile::{profile_of_json, profile_to_json};
use super::{VERSION, WrapperFileError};

/// Writes a template.
pub(super) fn write(template: &Template) -> String {
    let mut text = format!("{{\"version\": {VERSION}, \"kind\": \"template\",\n\"labels\": [");
    for (index, label) in template.labels.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&json!(label).to_string());
    }
    text.push_str("],\n\"parts\": [");
    for (index, part) in template.parts.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&part_to_json(index, part).to_string());
    }
    text.push_str("],\n\"counts\": [");
    for (index, count) in template.counts.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        let mut object = json!({"field": count.field, "seen": [count.present, count.pages]});
        if count.values.values > 0 {
            object["values"] = profile_to_json(&count.values);
        }
        text.push_str(&object.to_string());
    }
    text.push_str("],\n\"markup\": ");
    text.push_str(&markup_to_json(&template.markup).to_string());
    text.push_str("}\n");
    text
}

/// What training pages are dressed with; the filter as hexadecimal numbers.
fn markup_to_json(markup: &MarkupProfile) -> Value {
    let ever: Vec<String> = markup.ever.iter().map(|bits| format!("{bits:x}")).collect();
    json!({"pages": markup.pages, "always": markup.always, "ever": ever.join(" ")})
}

/// The same from JSON; what is not there is nothing.
fn markup_of_json(value: &Value) -> MarkupProfile {
    let ever = value["ever"].as_str().unwrap_or_default().split_whitespace();
    let ever: Result<Vec<u64>, _> = ever.map(|bits| u64::from_str_radix(bits, 16)).collect();
    let pages = value["pages"].as_u64().and_then(|pages| u32::try_from(pages).ok());
    match (pages, ever) {
        (Some(pages), Ok(ever)) => MarkupProfile {
            pages,
            always: strings(&value["always"]),
            ever,
        },
        _ => MarkupProfile::default(),
    }
}

fn part_to_json(index: usize, part: &Part) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    let pattern = &part.pattern;
    put("part", json!(index));
    put("tag", json!(pattern.tag));
    for (key, text) in [
        ("id", &pattern.id),
        ("label", &pattern.label),
        ("lead", &pattern.lead),
        ("heading", &pattern.heading),
    ] {
        if !text.is_empty() {
            put(key, json!(text));
        }
    }
    if !pattern.classes.is_empty() {
        put("classes", json!(pattern.classes));
    }
    put("seen", json!([part.seen, part.places]));
    put("small", json!(pattern.is_small));
    put(
        "holds",
        json!([
            format!("{:x}", pattern.holds_always),
            format!("{:x}", pattern.holds_ever)
        ]),
    );
    match &part.text {
        TextPart::None => {}
        TextPart::LeftOut => drop(put("text", json!(false))),
        TextPart::Constant(text) => drop(put("text", json!(text))),
        TextPart::Field(field) => drop(put("field", field_to_json(field))),
    }
    if !part.attributes.is_empty() {
        let attributes = part
            .attributes
            .iter()
            .map(|field| (field.attribute.clone(), json!(field.name)));
        put("attributes", Value::Object(attributes.collect()));
    }
    if !part.items.is_empty() {
        put("items", part.items.iter().map(item_to_json).collect());
    }
    Value::Object(object)
}

fn field_to_json(field: &Field) -> Value {
    if field.pieces.is_empty() {
        return json!(field.name);
    }
    let piece = |piece: &Piece| {
        let kind = match piece.kind {
            PieceKind::Whole => "whole",
            PieceKind::Number => "number",
            PieceKind::AfterNumber => "after number",
            PieceKind::Bare => "bare",
            PieceKind::Note => "note",
        };
        json!({"name": piece.name, "before": piece.before, "after": piece.after, "is": kind})
    };
    json!({"name": field.name, "pieces": field.pieces.iter().map(piece).collect::<Vec<_>>()})
}

fn item_to_json(item: &Item) -> Value {
    match item {
        Item::One(part) => json!(part.0),
        Item::Repeat(repeat) => {
            let parts: Vec<u32> = repeat.parts.iter().map(|part| part.0).collect();
            let mut object = json!({"repeat": repeat.name, "parts": parts});
            if repeat.places > 0 {
                object["seen"] = json!([repeat.seen, repeat.places]);
            }
            object
        }
    }
}

/// Reads a template.
pub(super) fn read(file: &Value) -> Result<Template, WrapperFileError> {
    let labels = strings(&file["labels"]);
    let values = file["parts"].as_array().map_or(&[][..], Vec::as_slice);
    let parts: Result<Vec<Part>, WrapperFileError> = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            part_of_json(index, value, values.len()).map_err(|what| WrapperFileError::Part { part: index, what })
        })
        .collect();
    let parts = parts?;
    check_places(&parts)?;
    if parts.is_empty() {
        let what = "the file has no parts".to_owned();
        return Err(WrapperFileError::Part { part: 0, what });
    }
    let counts = counts_of_json(&file["counts"]);
    let markup = markup_of_json(&file["markup"]);
    Ok(Template {
        labels,
        parts,
        counts,
        markup,
    })
}

/// How many training pages had each field; what is no count is left out.
fn counts_of_json(value: &Value) -> Vec<FieldCount> {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let count = |value: &Value| {
        Some(FieldCount {
            field: value["field"].as_str()?.to_owned(),
            present: number(&value["seen"][0])?,
            pages: number(&value["seen"][1])?,
            values: profile_of_json(&value["values"]),
        })
    };
    all.iter().filter_map(count).collect()
}

/// A part stands at one place.
fn check_places(parts: &[Part]) -> Result<(), WrapperFileError> {
    let mut is_placed = vec![false; parts.len()];
    for id in parts.iter().flat_map(|part| &part.items).flat_map(Item::parts) {
        if std::mem::replace(&mut is_placed[id.index()], true) {
            let what = "it is an item of two parts, or twice of one".to_owned();
            return Err(WrapperFileError::Part { part: id.index(), what });
        }
    }
    Ok(())
}

fn strings(value: &Value) -> Vec<String> {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    all.iter()
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

fn part_of_json(index: usize, value: &Value, n_parts: usize) -> Result<Part, String> {
    if value["part"].as_u64() != Some(index as u64) {
        return Err("parts are not numbered from 0 in order".to_owned());
    }
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let bits = |at: usize| match value["holds"][at].as_str() {
        Some(bits) => u128::from_str_radix(bits, 16).map_err(|error| format!("holds: {error}")),
        None => Ok(0),
    };
    let number = |at: usize| value["seen"][at].as_u64().and_then(|number| u32::try_from(number).ok());
    let pattern = Pattern {
        tag: value["tag"].as_str().ok_or("it has no tag")?.to_owned(),
        id: text("id"),
        classes: strings(&value["classes"]),
        label: text("label"),
        lead: text("lead"),
        heading: text("heading"),
        is_small: value["small"].as_bool().unwrap_or(false),
        holds_always: bits(0)?,
        holds_ever: bits(1)?,
    };
    let items = value["items"].as_array().map_or(&[][..], Vec::as_slice);
    let items: Result<Vec<Item>, String> = items.iter().map(|item| item_of_json(index, item, n_parts)).collect();
    let text = match (&value["field"], value["text"].as_str()) {
        (Value::Null, None) if value["text"] == false => TextPart::LeftOut,
        (Value::Null, None) => TextPart::None,
        (Value::Null, Some(text)) => TextPart::Constant(text.to_owned()),
        (field, _) => TextPart::Field(field_of_json(field)?),
    };
    let attributes = value["attributes"].as_object().into_iter().flatten();
    let attributes = attributes.map(|(attribute, name)| AttributeField {
        attribute: attribute.clone(),
        name: name.as_str().unwrap_or(attribute).to_owned(),
    });
    Ok(Part {
        pattern,
        seen: number(0).unwrap_or(1),
        places: number(1).unwrap_or(1),
        items: items?,
        text,
        attributes: attributes.collect(),
    })
}

fn field_of_json(value: &Value) -> Result<Field, String> {
    if let Some(name) = value.as_str() {
        return Ok(Field {
            name: name.to_owned(),
            pieces: Vec::new(),
        });
    }
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let pieces = value["pieces"]
        .as_array()
        .ok_or("the field has neither a name nor pieces")?;
    let pieces = pieces.iter().map(|piece| Piece {
        name: text(piece, "name"),
        before: text(piece, "before"),
        after: text(piece, "after"),
        kind: match piece["is"].as_str() {
            Some("number") => PieceKind::Number,
            Some("after number") => PieceKind::AfterNumber,
            Some("bare") => PieceKind::Bare,
            Some("note") => PieceKind::Note,
            _ => PieceKind::Whole,
        },
    });
    Ok(Field {
        name: text(value, "name"),
        pieces: pieces.collect(),
    })
}

/// An item names parts that come later, so that no part is inside itself.
fn item_of_json(index: usize, value: &Value, n_parts: usize) -> Result<Item, String> {
    let part = |value: &Value| match value.as_u64() {
        Some(part) if part > index as u64 && part < n_parts as u64 => Ok(PartId(part as u32)),
        _ => Err(format!("the item {value} is no part that comes after it")),
    };
    match value.get("repeat") {
        None => Ok(Item::One(part(value)?)),
        Some(name) => {
            let parts: Result<Vec<PartId>, String> =
                value["parts"].as_array().into_iter().flatten().map(part).collect();
            let parts = parts?;
            if parts.is_empty() {
                return Err("a repeat has no parts".to_owned());
            }
            let number = |at: usize| value["seen"][at].as_u64().and_then(|number| u32::try_from(number).ok());
            Ok(Item::Repeat(Repeat {
                name: name.as_str().unwrap_or("list").to_owned(),
                parts,
                seen: number(0).unwrap_or(0),
                places: number(1).unwrap_or(0),
            }))
        }
    }
}
