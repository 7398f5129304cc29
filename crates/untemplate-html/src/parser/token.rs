//! Tokens: what the tokenizer hands to the tree builder.

use super::super::name::Name;
use super::span::Span;

/// One token. The tag of a start or end tag is in [`super::tokenizer::Tokenizer::tag`], whose
/// buffers are used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// Some characters, none of them NUL; neighbouring tokens may belong to one text.
    Characters(Span),
    /// A NUL, which the tree builder drops or replaces.
    Null,
    StartTag,
    EndTag,
    Comment(Span),
    /// `<?…>`: a processing instruction, or a comment when its target is none. The question mark is
    /// part of it.
    Instruction {
        text: Span,
        closed: bool,
    },
    Doctype(Doctype),
    End,
}

/// A start or end tag.
#[derive(Debug, Default)]
pub(super) struct Tag {
    pub(super) name: Option<Name>,
    pub(super) attributes: Vec<TagAttribute>,
    pub(super) self_closing: bool,
}

impl Tag {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: Name) -> Option<Span> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .map(|attribute| attribute.value)
    }
}

/// One attribute of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagAttribute {
    pub(super) name: Name,
    pub(super) value: Span,
}

/// `<!DOCTYPE …>`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Doctype {
    pub(super) name: Option<Span>,
    pub(super) public_id: Option<Span>,
    pub(super) system_id: Option<Span>,
    pub(super) force_quirks: bool,
}
