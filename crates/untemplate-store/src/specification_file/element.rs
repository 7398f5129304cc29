//! Elements: an XML document as a small tree, with the line of each element for messages.

use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// The deepest that elements nest; the schema needs 5.
const DEPTH_MAX: usize = 16;

/// The most elements of a document.
const ELEMENTS_MAX: usize = 200_000;

/// Why a text is no specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct SpecificationTextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to try.
    pub what: String,
}

/// An element with all that is in it.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// Its own text, as it stands.
    pub(super) text: String,
}

impl Element {
    /// Reads the one element that a document is.
    pub(super) fn parse(text: &str) -> Result<Self, SpecificationTextError> {
        let mut reading = ElementReader {
            reader: Reader::from_str(text),
            text,
            place: 0,
            line: 1,
        };
        // What is open, the document itself first.
        let mut open: Vec<Element> = vec![Element::default()];
        let mut n_elements = 0;
        loop {
            let event = reading.next()?;
            let line = reading.line;
            let innermost = open.last_mut().expect("the document is open");
            match event {
                Event::Start(tag) => open.push(reading.element(&tag)?),
                Event::Empty(tag) => innermost.children.push(reading.element(&tag)?),
                Event::End(_) => {
                    let ended = open.pop().expect("the reader checks that ends match");
                    open.last_mut().expect("the document is open").children.push(ended);
                }
                Event::Text(text) => innermost.text.push_str(&text),
                Event::CData(text) => innermost.text.push_str(&text),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref().ok().flatten();
                    match (character, resolve_xml_entity(&reference)) {
                        (Some(character), _) => innermost.text.push(character),
                        (None, Some(text)) => innermost.text.push_str(text),
                        (None, None) => return Err(wrong(line, format!("the entity &{}; is not known", &*reference))),
                    }
                }
                Event::DocType(_) => return Err(wrong(line, "a document type is not read; take it out".to_owned())),
                Event::Eof => break,
                _ => {}
            }
            n_elements += 1;
            if open.len() > DEPTH_MAX || n_elements > 4 * ELEMENTS_MAX {
                return Err(wrong(line, "it is too deep or too long for a specification".to_owned()));
            }
        }
        let [document] = <[Element; 1]>::try_from(open).map_err(|open| {
            wrong(
                reading.line,
                format!("<{}> has no end", open.last().map_or("", |it| &it.name)),
            )
        })?;
        let mut children = document.children.into_iter();
        match (children.next(), children.next()) {
            (Some(root), None) => Ok(root),
            _ => Err(wrong(1, "it is no XML document with one element".to_owned())),
        }
    }

    /// An error at this element.
    pub(super) fn wrong(&self, what: impl Into<String>) -> SpecificationTextError {
        wrong(self.line, what.into())
    }

    /// Whether nothing is in it but what the schema knows.
    pub(super) fn expect(&self, attributes: &[&str], children: &[&str]) -> Result<(), SpecificationTextError> {
        let known = |names: &[&str]| {
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        };
        for (name, _) in &self.attributes {
            if !attributes.contains(&name.as_str()) {
                let what = format!("<{}> has no attribute {name}; it has {}", self.name, known(attributes));
                return Err(self.wrong(what));
            }
        }
        for child in &self.children {
            if !children.contains(&child.name.as_str()) {
                let what = format!(
                    "<{}> cannot hold <{}>; it may hold {}",
                    self.name,
                    child.name,
                    known(children)
                );
                return Err(child.wrong(what));
            }
        }
        if !children.is_empty() && !self.text.trim().is_empty() {
            let text: String = self.text.trim().chars().take(40).collect();
            return Err(self.wrong(format!(
                "<{}> holds the text {text:?}; it may hold elements alone",
                self.name
            )));
        }
        Ok(())
    }

    /// An attribute that may be missing.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(its, _)| its == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An attribute that may not.
    pub(super) fn needed(&self, name: &str) -> Result<&str, SpecificationTextError> {
        let missing = || self.wrong(format!("<{}> needs the attribute {name}", self.name));
        self.attribute(name).ok_or_else(missing)
    }

    /// The children of a name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The only child of a name, if there is one.
    pub(super) fn one<'a>(&'a self, name: &'a str) -> Result<Option<&'a Element>, SpecificationTextError> {
        let mut all = self.all(name);
        let first = all.next();
        match all.next() {
            Some(second) => Err(second.wrong(format!("<{}> holds <{name}> twice", self.name))),
            None => Ok(first),
        }
    }
}

pub(super) fn wrong(line: usize, what: String) -> SpecificationTextError {
    SpecificationTextError { line, what }
}

/// A reader, and the line it has come to.
struct ElementReader<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    place: usize,
    line: usize,
}

impl<'a> ElementReader<'a> {
    /// The next event; the line is that of its start.
    fn next(&mut self) -> Result<Event<'a>, SpecificationTextError> {
        let place = usize::try_from(self.reader.buffer_position())
            .unwrap_or(usize::MAX)
            .min(self.text.len());
        let passed = &self.text.as_bytes()[self.place..place];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.place = place;
        self.reader
            .read_event()
            .map_err(|error| wrong(self.line, format!("the XML is broken: {error}")))
    }

    fn element(&self, tag: &BytesStart<'_>) -> Result<Element, SpecificationTextError> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| wrong(self.line, format!("the XML is broken: {error}")))?;
            let value = unescape(&attribute.value);
            let value = value.map_err(|error| wrong(self.line, format!("the XML is broken: {error}")))?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(Element {
            name: tag.name().as_ref().to_owned(),
            line: self.line,
            attributes,
            ..Element::default()
        })
    }
}
