//! Reading: one page of a class to its record, by the class's schema.

use std::sync::Arc;

use crate::content::{BlockId, BlockKind, Content, Mark, MarkKind};
use crate::wrapper::record::{Record, Value as RecordValue};

use super::guide::PlaceId;
use super::schema::{ClassSchema, Field, LINK_KEY, Role, Rows, TEXT_KEY};
use super::step::{Seen, StepKind, Value, see, see_children};
use super::vocabulary::{Vocabulary, label_of};

/// What a page of the class says.
pub fn read(schema: &ClassSchema, vocabulary: &Vocabulary, content: &Content) -> Record {
    let mut record = Record::default();
    if !content.is_empty() {
        let reader = Reader { schema, vocabulary, content };
        reader.inside(0, BlockId::PAGE, false, &mut record);
    }
    record
}

struct Reader<'a> {
    schema: &'a ClassSchema,
    vocabulary: &'a Vocabulary,
    content: &'a Content,
}

impl Reader<'_> {
    fn inside(&self, place: PlaceId, id: BlockId, but_first: bool, record: &mut Record) {
        for seen in see_children(self.content, id, but_first, self.vocabulary) {
            self.child(place, &seen, record);
        }
    }

    fn child(&self, place: PlaceId, seen: &Seen<'_>, record: &mut Record) {
        if let Some(to) = self.schema.guide.child(place, seen.step.hash()) {
            self.block(to, seen, record);
        }
    }

    /// What is inside a block that a place leads to.
    fn value(&self, place: PlaceId, seen: &Seen<'_>, record: &mut Record) {
        match seen.value {
            Value::AfterLabel => {}
            Value::Itself => self.child(place, &see(self.content, seen.block, self.vocabulary), record),
            // The heading of like sections is a value of each.
            value => {
                let but_first = value == Value::ButFirst && !self.schema.guide.places[place].is_merged;
                self.inside(place, seen.block, but_first, record);
            }
        }
    }

    fn block(&self, place: PlaceId, seen: &Seen<'_>, record: &mut Record) {
        let id = seen.block;
        match &self.schema.roles[place] {
            Role::Skip => {}
            Role::Open(whole) => {
                if let Some(key) = whole {
                    self.whole(key, seen, record);
                }
                self.value(place, seen, record);
            }
            Role::Field(field) => {
                if seen.value != Value::Itself {
                    self.field(place, field, seen, record);
                }
                self.value(place, seen, record);
            }
            Role::Prose(field) => {
                let heading = self.heading_above(place);
                self.prose(field, id, heading, record);
            }
            Role::Rows(rows) => self.row(place, rows, seen, record),
        }
    }

    /// All that a label stands for, as a reader takes it in, but for lines that only lead elsewhere.
    fn whole(&self, key: &Arc<str>, seen: &Seen<'_>, record: &mut Record) {
        let content = self.content;
        if seen.value == Value::AfterLabel {
            if let Some((_, value)) = label_of(content, seen.block).filter(|(_, value)| !value.is_empty()) {
                add_text(record, key, value);
            }
            return;
        }
        let first = content.children(seen.block).next().filter(|_| seen.value == Value::ButFirst);
        for block in content.subtree(seen.block) {
            let text = content.text(block);
            let is_label = first.is_some_and(|first| block >= first && block.0 < content.block(first).end());
            let is_way = content.marks(block).iter().any(|mark| {
                let behind = content.block(block).cut.map_or(0, |cut| cut.value_start);
                mark.kind == MarkKind::Link && mark.text.start <= behind && mark.text.end as usize >= text.len()
            });
            let is_picture = content.block(block).kind == BlockKind::Picture;
            if !text.is_empty() && !is_label && !is_way && !is_picture {
                add_text(record, key, text);
            }
        }
    }

    /// The values of a line.
    fn field(&self, place: PlaceId, field: &Field, seen: &Seen<'_>, record: &mut Record) {
        let id = seen.block;
        let text = match seen.value {
            Value::AfterLabel => label_of(self.content, id).map_or("", |(_, value)| value),
            _ => self.content.text(id),
        };
        // The heading of a section that its label names: what stands behind the label.
        let kind = self.schema.guide.places[place].kind;
        let text = match (kind, label_of(self.content, id)) {
            (StepKind::Heading, Some((label, value))) if !value.is_empty() && self.vocabulary.is_label(label) => value,
            _ => text,
        };
        if let Some(key) = field.text.as_ref().filter(|_| !text.is_empty()) {
            add_text(record, key, text);
        }
        self.addresses(field, id, record);
    }

    fn addresses(&self, field: &Field, id: BlockId, record: &mut Record) {
        let marks = self.content.marks(id);
        let first = |kind: MarkKind| marks.iter().find(|mark| mark.kind == kind && !self.content.url(mark).is_empty());
        if let (Some(key), Some(mark)) = (&field.link, first(MarkKind::Link)) {
            set_text(record, key, self.content.url(mark));
        }
        if let (Some(key), Some(mark)) = (&field.picture, first(MarkKind::Picture)) {
            set_text(record, key, self.content.url(mark));
        }
        if let Some(key) = &field.links {
            self.links(key, id, record);
        }
        let text = self.content.text(id);
        let shown = |mark: &Mark| text.get(mark.text.start as usize..mark.text.end as usize).unwrap_or_default().trim();
        if let (Some(key), Some(mark)) = (&field.link_text, first(MarkKind::Link))
            && !shown(mark).is_empty()
        {
            set_text(record, key, shown(mark));
        }
        if let (Some((before, after)), Some(words)) = (&field.around, &field.link_text) {
            match first(MarkKind::Link) {
                Some(mark) => {
                    let edges = [(before, text.get(..mark.text.start as usize)), (after, text.get(mark.text.end as usize..))];
                    for (key, piece) in edges {
                        let piece = piece.unwrap_or_default().trim();
                        if piece.contains(char::is_alphanumeric) {
                            set_text(record, key, piece);
                        }
                    }
                }
                // A line without a link is said whole.
                None if !text.is_empty() => set_text(record, words, text),
                None => {}
            }
        }
        for (class, key) in &field.parts {
            let part = marks.iter().find(|mark| mark.kind == MarkKind::Part && self.content.url(mark) == class);
            if let Some(part) = part.filter(|part| !shown(part).is_empty()) {
                set_text(record, key, shown(part));
            }
        }
    }

    /// Where a line leads, each place once.
    fn links(&self, key: &Arc<str>, id: BlockId, record: &mut Record) {
        let text = self.content.text(id);
        for mark in self.content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link) {
            let url = self.content.url(mark);
            let shown = text.get(mark.text.start as usize..mark.text.end as usize).unwrap_or_default();
            let rows = list(record, key);
            if shown.trim().is_empty() || rows.iter().any(|row| row.text(LINK_KEY) == Some(url)) {
                continue;
            }
            let mut row = Record::default();
            set_text(&mut row, &LINK_KEY.into(), url);
            set_text(&mut row, &TEXT_KEY.into(), shown.trim());
            rows.push(row);
        }
    }

    /// The heading of the section that a place is in; empty if there is none that recurs.
    fn heading_above(&self, place: PlaceId) -> &str {
        let places = &self.schema.guide.places;
        let mut at = place;
        while at != 0 {
            at = places[at].parent;
            if places[at].kind == StepKind::Section {
                return &places[at].text;
            }
        }
        ""
    }

    /// All text of a block, line by line, but for lines of the frame.
    fn prose(&self, field: &Field, id: BlockId, heading: &str, record: &mut Record) {
        for block in self.content.subtree(id) {
            let kind = self.content.block(block).kind;
            let text = self.content.text(block);
            let is_text = !text.is_empty() && kind != BlockKind::Picture;
            if !is_text || kind == BlockKind::Line && self.vocabulary.is_frame_under(self.content, block, heading) {
                continue;
            }
            if let Some(key) = &field.text {
                add_text(record, key, text);
            }
            if let Some(key) = &field.links {
                self.links(key, block, record);
            }
        }
    }

    /// Whether a row is a line that most pages have.
    fn is_frame_row(&self, seen: &Seen<'_>) -> bool {
        let content = self.content;
        let mut lines = content.subtree(seen.block).filter(|&block| !content.text(block).is_empty());
        let (Some(line), None) = (lines.next(), lines.next()) else { return false };
        let is_line = seen.value == Value::Whole && content.block(line).kind == BlockKind::Line;
        is_line && (self.vocabulary.is_frame(content, line) || self.vocabulary.is_frame_text(content, line))
    }

    fn row(&self, place: PlaceId, rows: &Rows, seen: &Seen<'_>, record: &mut Record) {
        if self.is_frame_row(seen) {
            return;
        }
        let mut row = Record::default();
        if rows.own != Field::default() && seen.value != Value::Itself {
            self.field(place, &rows.own, seen, &mut row);
        }
        self.value(place, seen, &mut row);
        if row.values.is_empty() {
            return;
        }
        if rows.is_flat {
            return flatten_into(row, record);
        }
        list(record, &rows.key).push(row);
    }
}

/// Gives the texts of a row to the rows of its one list.
fn flatten_into(row: Record, record: &mut Record) {
    let (texts, lists): (Vec<_>, Vec<_>) = row
        .values
        .into_iter()
        .partition(|(_, value)| matches!(value, RecordValue::Text(_)));
    for (key, value) in lists {
        let RecordValue::List(inner) = value else { continue };
        let outer = list(record, &key);
        for mut row in inner {
            let mut values = texts.clone();
            values.append(&mut row.values);
            outer.push(Record { values });
        }
    }
}

/// The list of a key, made if it is not there.
fn list<'r>(record: &'r mut Record, key: &Arc<str>) -> &'r mut Vec<Record> {
    let known = record.values.iter().position(|(own, value)| own == key && matches!(value, RecordValue::List(_)));
    let place = known.unwrap_or_else(|| {
        record.values.push((key.clone(), RecordValue::List(Vec::new())));
        record.values.len() - 1
    });
    match &mut record.values[place].1 {
        RecordValue::List(rows) => rows,
        RecordValue::Text(_) => unreachable!("the value was just found to be a list"),
    }
}

/// Adds a text to what a key has already.
fn add_text(record: &mut Record, key: &Arc<str>, text: &str) {
    match record.values.iter_mut().find(|(own, _)| own == key) {
        Some((_, RecordValue::Text(known))) => {
            known.push('\n');
            known.push_str(text);
        }
        Some(_) => {}
        None => record.values.push((key.clone(), RecordValue::Text(text.to_owned()))),
    }
}

/// Sets a text that a key has once: the first counts.
fn set_text(record: &mut Record, key: &Arc<str>, text: &str) {
    if record.get(key).is_none() {
        record.values.push((key.clone(), RecordValue::Text(text.to_owned())));
    }
}
