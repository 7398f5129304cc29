//! The XPath subset that rules are written in.
//!
//! Location paths with the axes child, descendant, parent, self, following-sibling,
//! preceding-sibling and attribute; tests for a name, `*` and `text()`; predicates for a position,
//! `last()`, an attribute, a word of an attribute, the node's text and its beginning. It is what
//! rules need and nothing else. A step takes time linear in the nodes of the page, times the depth
//! of the page where positions among descendants are counted from nested nodes, or where texts of
//! nested elements are compared; steps to siblings need a binary search for each node.

mod parse;
mod select;
mod siblings;

use std::fmt::{self, Display, Formatter, Write};

pub use parse::PathError;
pub(crate) use select::node_text;
pub use select::{Selected, select};

/// A path from a node, or from the document, to the nodes that it selects.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationPath {
    /// Whether it starts at the document, whatever the context.
    pub is_absolute: bool,
    /// The steps in order; none selects the start itself.
    pub steps: Vec<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// In which direction it goes.
    pub axis: Axis,
    /// What it looks for there.
    pub test: NodeTest,
    /// What must hold besides, in order: each counts positions among those that the ones before it
    /// left.
    pub predicates: Vec<Predicate>,
}

/// The direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// `a` or `child::a`.
    Child,
    /// `descendant::a`; `//a` is read as it, so that its positions count on the page and not in
    /// each parent.
    Descendant,
    /// `..`.
    Parent,
    /// `.`.
    SelfNode,
    /// `following-sibling::a`, nearest first.
    FollowingSibling,
    /// `preceding-sibling::a`, nearest first.
    PrecedingSibling,
    /// `@a`; always the last step.
    Attribute,
}

/// What a step looks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeTest {
    /// An element, or on the attribute axis an attribute, of this name.
    Name(Box<str>),
    /// Any element.
    Any,
    /// A text node.
    Text,
    /// Any node: for `.` and `..`.
    Node,
}

/// What must hold of a node besides its test.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Predicate {
    /// `[3]`: it is the third.
    Position(u32),
    /// `[last()]`: it is the last.
    Last,
    /// `[@id='x']`: the attribute is there and has this value, white space collapsed.
    Attribute(Box<str>, Box<str>),
    /// `[@id]`: the attribute is there.
    HasAttribute(Box<str>),
    /// `[contains-token(@class, 'x')]`: one of the words of the attribute is this one.
    Word(Box<str>, Box<str>),
    /// `[.='x']`: its visible text, white space collapsed, is this one.
    Text(Box<str>),
    /// `[starts-with(.,'x')]`: its visible text, white space collapsed, begins so.
    TextStart(Box<str>),
}

impl LocationPath {
    /// A path from the document.
    pub fn absolute(steps: Vec<Step>) -> Self {
        let is_absolute = true;
        Self { is_absolute, steps }
    }

    /// A path from a context node.
    pub fn relative(steps: Vec<Step>) -> Self {
        let is_absolute = false;
        Self { is_absolute, steps }
    }
}

impl Step {
    /// The children of a name at a position, or at any.
    pub fn child(name: &str, position: Option<u32>) -> Self {
        Self {
            axis: Axis::Child,
            test: NodeTest::Name(name.into()),
            predicates: position.map(Predicate::Position).into_iter().collect(),
        }
    }

    /// The text nodes among the children, at a position or at any.
    pub fn text(position: Option<u32>) -> Self {
        Self {
            axis: Axis::Child,
            test: NodeTest::Text,
            predicates: position.map(Predicate::Position).into_iter().collect(),
        }
    }

    /// The parent.
    pub fn parent() -> Self {
        Self {
            axis: Axis::Parent,
            test: NodeTest::Node,
            predicates: Vec::new(),
        }
    }

    /// An attribute of the node before.
    pub fn attribute(name: &str) -> Self {
        Self {
            axis: Axis::Attribute,
            test: NodeTest::Name(name.into()),
            predicates: Vec::new(),
        }
    }
}

impl Display for LocationPath {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.is_absolute && self.steps.is_empty() {
            return out.write_char('/');
        }
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 || self.is_absolute {
                out.write_char('/')?;
            }
            write!(out, "{step}")?;
        }
        if self.steps.is_empty() {
            out.write_char('.')?;
        }
        Ok(())
    }
}

impl Display for Step {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self.axis {
            Axis::Child => "",
            Axis::Descendant => "descendant::",
            Axis::Parent => "..",
            Axis::SelfNode => ".",
            Axis::FollowingSibling => "following-sibling::",
            Axis::PrecedingSibling => "preceding-sibling::",
            Axis::Attribute => "@",
        })?;
        match &self.test {
            NodeTest::Name(name) => out.write_str(name)?,
            NodeTest::Any => out.write_char('*')?,
            NodeTest::Text => out.write_str("text()")?,
            NodeTest::Node => {}
        }
        self.predicates
            .iter()
            .try_for_each(|predicate| write!(out, "{predicate}"))
    }
}

impl Display for Predicate {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(position) => write!(out, "[{position}]"),
            Self::Last => out.write_str("[last()]"),
            Self::Attribute(name, value) => write!(out, "[@{name}={}]", Literal(value)),
            Self::HasAttribute(name) => write!(out, "[@{name}]"),
            Self::Word(name, word) => write!(out, "[contains-token(@{name},{})]", Literal(word)),
            Self::Text(text) => write!(out, "[.={}]", Literal(text)),
            Self::TextStart(text) => write!(out, "[starts-with(.,{})]", Literal(text)),
        }
    }
}

/// A string in quotes. A quote that both kinds of quotes would end is doubled, as XPath 2 does.
struct Literal<'a>(&'a str);

impl Display for Literal<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.0.contains('\'') && !self.0.contains('"') {
            write!(out, "\"{}\"", self.0)
        } else {
            write!(out, "'{}'", self.0.replace('\'', "''"))
        }
    }
}
