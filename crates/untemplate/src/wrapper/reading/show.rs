//! Showing a reading: its places with what becomes of each, for a person.
//!
//! A place a line, indented by what holds it: its heading, label or name, `+` for lists, `? 3 of 9`
//! where some of what could hold it lacks it, and behind an arrow the keys of its values. Places
//! that became nothing say why.

use std::fmt::Write;

use super::ClassReading;
use super::guide::{Place, PlaceId};
use super::schema::{ClassSchema, Field, Role};
use super::step::StepKind;

impl ClassReading {
    /// The reading as text.
    pub fn show(&self) -> String {
        let schema = self.schema.pruned();
        let mut shown = match self.vocabulary.n_pages() {
            1 => "a reading of 1 page\n".to_owned(),
            n => format!("a reading of {n} pages\n"),
        };
        let mut waiting: Vec<(PlaceId, usize)> = children(&schema, 0, 0);
        while let Some((place, depth)) = waiting.pop() {
            schema.show_place(place, depth, &mut shown);
            waiting.extend(children(&schema, place, depth + 1));
        }
        shown
    }
}

/// The places inside a place, the last one first.
fn children(schema: &ClassSchema, place: PlaceId, depth: usize) -> Vec<(PlaceId, usize)> {
    let children = schema.guide.places[place].children.iter().rev();
    children.map(|&child| (child, depth)).collect()
}

impl ClassSchema {
    /// A place of a pruned schema, as a line.
    fn show_place(&self, place: PlaceId, depth: usize, shown: &mut String) {
        let own = &self.guide.places[place];
        let n_holders = self.guide.places[own.parent].n;
        for _ in 0..depth {
            shown.push_str("  ");
        }
        shown.push_str(&own.describe());
        if own.is_merged {
            shown.push_str(" and others like it");
        }
        if let Role::Rows(rows) = &self.roles[place] {
            let _ = write!(shown, " + {} in {}", own.n, rows.key);
        }
        if own.n_parents < n_holders {
            let _ = write!(shown, " ? {} of {n_holders}", own.n_parents);
        }
        match &self.roles[place] {
            Role::Skip | Role::Open(None) => {}
            Role::Open(Some(key)) => self.show_key("", key, shown),
            Role::Field(field) => self.show_field(field, shown),
            Role::Prose(field) => {
                shown.push_str(" prose");
                self.show_field(field, shown);
            }
            Role::Rows(rows) => self.show_field(&rows.own, shown),
        }
        if let Some((_, why)) = self.left_out.iter().find(|(left, _)| *left == place) {
            let _ = write!(shown, " left out: {why}, {} characters", own.texts.n_chars);
        }
        shown.push('\n');
    }

    fn show_field(&self, field: &Field, shown: &mut String) {
        let named = [
            ("", &field.text),
            (" @href", &field.link),
            (" @src", &field.picture),
            (" @href +", &field.links),
            (" words of the link", &field.link_text),
        ];
        for (what, key) in named {
            if let Some(key) = key {
                self.show_key(what, key, shown);
            }
        }
        if let Some((before, after)) = &field.around {
            self.show_key(" before it", before, shown);
            self.show_key(" after it", after, shown);
        }
        for key in field.template.iter().flat_map(|(_, keys)| keys) {
            self.show_key(" slot", key, shown);
        }
        for (class, key) in &field.parts {
            self.show_key(&format!(" .{class}"), key, shown);
        }
    }

    fn show_key(&self, what: &str, key: &str, shown: &mut String) {
        let _ = write!(shown, "{what} -> {key}");
        let label = self
            .fields
            .iter()
            .find(|field| *field.key == *key)
            .map(|field| &field.label);
        if let Some(label) = label.filter(|label| !label.is_empty()) {
            let _ = write!(shown, " ({label:?})");
        }
    }
}

impl Place {
    /// What leads to the place, in words.
    pub fn describe(&self) -> String {
        let name = self.kind.name();
        match self.kind {
            StepKind::Section | StepKind::Pair | StepKind::Cell => format!("{name} {:?}", self.text),
            _ if self.text.is_empty() => name.to_owned(),
            _ => format!("{name} {}", self.text),
        }
    }
}
