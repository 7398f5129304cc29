//! Reading: one page of a class to its record, by the class's schema.

use std::sync::Arc;

use crate::content::{BlockId, BlockKind, Content, Mark, MarkKind};
use crate::page::{Name, NodeId};
use crate::wrapper::source::SourcePart;

use super::guide::PlaceId;
use super::heading_kinds::kind_of;
use super::noted::{Noted, Origin};
use super::schema::{ClassSchema, Field, LINK_KEY, Role, Rows, TEXT_KEY};
use super::step::{Seen, StepKind, Value, see, see_children};
use super::vocabulary::{Vocabulary, label_of};

/// What a page of the class says.
pub(super) fn read(schema: &ClassSchema, vocabulary: &Vocabulary, content: &Content) -> Noted {
    let mut record = Noted::default();
    if !content.is_empty() {
        let content = &*vocabulary.without_menus(content);
        let reader = Reader {
            schema,
            vocabulary,
            content,
        };
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
    fn inside(&self, place: PlaceId, id: BlockId, but_first: bool, record: &mut Noted) {
        for seen in see_children(self.content, id, but_first, self.vocabulary) {
            self.child(place, &seen, record);
        }
    }

    fn child(&self, place: PlaceId, seen: &Seen<'_>, record: &mut Noted) {
        if let Some(to) = self.schema.guide.child_seen(place, seen, self.content) {
            self.block(to, seen, record);
        }
    }

    /// What is inside a block that a place leads to.
    fn value(&self, place: PlaceId, seen: &Seen<'_>, record: &mut Noted) {
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

    fn block(&self, place: PlaceId, seen: &Seen<'_>, record: &mut Noted) {
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

    /// All that a label stands for, as a reader takes it in, but for lines that only lead
    /// elsewhere.
    fn whole(&self, key: &Arc<str>, seen: &Seen<'_>, record: &mut Noted) {
        let content = self.content;
        if seen.value == Value::AfterLabel {
            if let Some((_, value)) = label_of(content, seen.block).filter(|(_, value)| !value.is_empty()) {
                record.add_text(key, value, self.piece(seen.block));
            }
            return;
        }
        let first = content
            .children(seen.block)
            .next()
            .filter(|_| seen.value == Value::ButFirst);
        for block in content.subtree(seen.block) {
            let text = content.text(block);
            let is_label = first.is_some_and(|first| block >= first && block.0 < content.block(first).end());
            let is_way = content.marks(block).iter().any(|mark| {
                let behind = content.block(block).cut.map_or(0, |cut| cut.value_start);
                mark.kind == MarkKind::Link && mark.text.start <= behind && mark.text.end as usize >= text.len()
            });
            let is_picture = content.block(block).kind == BlockKind::Picture;
            if !text.is_empty() && !is_label && !is_way && !is_picture {
                record.add_text(key, text, self.line(block));
            }
        }
    }

    /// Where the text of a block is.
    fn line(&self, id: BlockId) -> Origin {
        Origin {
            node: NodeId(self.content.block(id).source),
            part: SourcePart::Text,
        }
    }

    /// Where what stands behind the label of a block is.
    fn piece(&self, id: BlockId) -> Origin {
        Origin {
            part: SourcePart::Piece,
            ..self.line(id)
        }
    }

    /// Where the address of a mark is, or the words inside it.
    fn mark(&self, mark: &Mark, attribute: Option<Name>) -> Origin {
        Origin {
            node: NodeId(mark.source),
            part: attribute.map_or(SourcePart::Text, SourcePart::Attribute),
        }
    }

    /// The values of a line.
    fn field(&self, place: PlaceId, field: &Field, seen: &Seen<'_>, record: &mut Noted) {
        let id = seen.block;
        let kind = self.schema.guide.places[place].kind;
        let text = match seen.value {
            // A place of lines has lines whole, also those that begin with what labels others.
            Value::AfterLabel if kind != StepKind::Line => label_of(self.content, id).map_or("", |(_, value)| value),
            _ => self.content.text(id),
        };
        // The heading of a section that its label names: what stands behind the label.
        let text = match (kind, label_of(self.content, id)) {
            (StepKind::Heading, Some((label, value))) if !value.is_empty() && self.vocabulary.is_label(label) => value,
            (StepKind::Heading, _) => {
                kind_of(self.content, id, &self.vocabulary.kinds).map_or(text, |(_, value)| value)
            }
            _ => text,
        };
        if let Some(later) = &field.later
            && field.keys().any(|key| record.has(key))
        {
            return record.add_text(later, text, self.line(id));
        }
        let is_divided = self.slots(field, id, text, record) && kind != StepKind::Heading;
        if let Some(key) = field.text.as_ref().filter(|_| !text.is_empty() && !is_divided) {
            let is_whole = text.len() == self.content.text(id).len();
            record.add_text(key, text, if is_whole { self.line(id) } else { self.piece(id) });
        }
        self.addresses(field, id, record);
    }

    /// What stands in the slots of a line; `false` if it is not divided. Headings are said whole as
    /// well, since they name their record.
    fn slots(&self, field: &Field, id: BlockId, text: &str, record: &mut Noted) -> bool {
        let Some((template, keys)) = &field.template else {
            return false;
        };
        let Some(slots) = template.split(text) else {
            return false;
        };
        for (key, slot) in keys.iter().zip(slots).filter(|(_, slot)| !slot.is_empty()) {
            record.set_text(key, slot, self.piece(id));
        }
        true
    }

    fn addresses(&self, field: &Field, id: BlockId, record: &mut Noted) {
        let marks = self.content.marks(id);
        let first = |kind: MarkKind| {
            marks
                .iter()
                .find(|mark| mark.kind == kind && !self.content.url(mark).is_empty())
        };
        if let (Some(key), Some(mark)) = (&field.link, first(MarkKind::Link)) {
            record.set_text(key, self.content.url(mark), self.mark(mark, Some(Name::HREF)));
        }
        if let (Some(key), Some(mark)) = (&field.picture, first(MarkKind::Picture)) {
            record.set_text(key, self.content.url(mark), self.mark(mark, Some(Name::SRC)));
        }
        if let Some(key) = &field.links {
            self.links(key, id, record);
        }
        let text = self.content.text(id);
        let shown = |mark: &Mark| {
            text.get(mark.text.start as usize..mark.text.end as usize)
                .unwrap_or_default()
                .trim()
        };
        if let (Some(key), Some(mark)) = (&field.link_text, first(MarkKind::Link))
            && !shown(mark).is_empty()
        {
            record.set_text(key, shown(mark), self.mark(mark, None));
        }
        if let (Some((before, after)), Some(words)) = (&field.around, &field.link_text) {
            match first(MarkKind::Link) {
                Some(mark) => {
                    let edges = [
                        (before, text.get(..mark.text.start as usize)),
                        (after, text.get(mark.text.end as usize..)),
                    ];
                    for (key, piece) in edges {
                        let piece = piece.unwrap_or_default().trim();
                        if piece.contains(char::is_alphanumeric) {
                            record.set_text(key, piece, self.piece(id));
                        }
                    }
                }
                // A line without a link is said whole.
                None if !text.is_empty() => record.set_text(words, text, self.line(id)),
                None => {}
            }
        }
        for (class, key) in &field.parts {
            let part = marks
                .iter()
                .find(|mark| mark.kind == MarkKind::Part && self.content.url(mark) == class);
            if let Some(part) = part.filter(|part| !shown(part).is_empty()) {
                record.set_text(key, shown(part), self.mark(part, None));
            }
        }
    }

    /// Where a line leads, each place once.
    fn links(&self, key: &Arc<str>, id: BlockId, record: &mut Noted) {
        let text = self.content.text(id);
        for mark in self.content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link) {
            let url = self.content.url(mark);
            let shown = text
                .get(mark.text.start as usize..mark.text.end as usize)
                .unwrap_or_default();
            if shown.trim().is_empty() || !record.leads_to(key, url) {
                continue;
            }
            let mut row = Noted::default();
            row.set_text(&LINK_KEY.into(), url, self.mark(mark, Some(Name::HREF)));
            row.set_text(&TEXT_KEY.into(), shown.trim(), self.mark(mark, None));
            record.list(key).push(row);
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
    fn prose(&self, field: &Field, id: BlockId, heading: &str, record: &mut Noted) {
        for block in self.content.subtree(id) {
            let kind = self.content.block(block).kind;
            let text = self.content.text(block);
            let is_text = !text.is_empty() && kind != BlockKind::Picture;
            if !is_text || kind == BlockKind::Line && self.vocabulary.is_frame_under(self.content, block, heading) {
                continue;
            }
            if let Some(key) = &field.text {
                record.add_text(key, text, self.line(block));
            }
            if let Some(key) = &field.links {
                self.links(key, block, record);
            }
        }
    }

    /// Whether a row is a line that most pages have, or several of them that are links, but for one
    /// to the page itself: the letters of an index.
    fn is_frame_row(&self, seen: &Seen<'_>) -> bool {
        let content = self.content;
        let (mut n_lines, mut n_links) = (0, 0);
        for line in content
            .subtree(seen.block)
            .filter(|&block| !content.text(block).is_empty())
        {
            let is_line = content.block(line).kind == BlockKind::Line;
            if !is_line || !(self.vocabulary.is_frame(content, line) || self.vocabulary.is_frame_text(content, line)) {
                return false;
            }
            n_lines += 1;
            n_links += usize::from(is_whole_link(content, line));
        }
        seen.value == Value::Whole && (n_lines == 1 || n_links > 1 && n_links + 1 >= n_lines)
    }

    fn row(&self, place: PlaceId, rows: &Rows, seen: &Seen<'_>, record: &mut Noted) {
        if self.is_frame_row(seen) {
            return;
        }
        let mut row = Noted::default();
        if rows.own != Field::default() && seen.value != Value::Itself {
            self.field(place, &rows.own, seen, &mut row);
        }
        self.value(place, seen, &mut row);
        if row.is_empty() {
            return;
        }
        if let Some(key) = &rows.of_text {
            let field = Field {
                text: Some(key.clone()),
                ..Field::default()
            };
            self.prose(&field, seen.block, "", record);
        }
        if rows.is_flat {
            return record.take_flat(row);
        }
        if let Some(name) = &rows.carried {
            row.carry(name);
        }
        record.list(&rows.key).push(row);
    }
}

/// Whether a line is one link and nothing else.
fn is_whole_link(content: &Content, line: BlockId) -> bool {
    let mut links = content.marks(line).iter().filter(|mark| mark.kind == MarkKind::Link);
    let link = links.next().filter(|_| links.next().is_none());
    link.is_some_and(|link| (link.text.end - link.text.start) as usize >= content.text(line).len())
}
