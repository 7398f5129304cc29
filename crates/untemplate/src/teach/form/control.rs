//! What a form is made of.

use url::Url;

use crate::page::{Method, NodeId};

/// A form of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Its element.
    pub node: NodeId,
    /// How it is sent.
    pub method: Method,
    /// Where it is sent.
    pub action: Url,
    /// Whether it is sent as names and values; else it needs an encoding that is not spoken here.
    pub is_urlencoded: bool,
    /// The character encoding its values are sent in.
    pub encoding: &'static str,
    /// Its controls in document order, those included that are not sent.
    pub controls: Vec<Control>,
    /// The words of the form itself, not of its fields: its address and names, in lower case.
    pub words: Vec<String>,
    /// The words of its buttons, and of hidden fields that say what it does.
    pub button_words: Vec<String>,
}

/// Something that somebody fills in, or that is sent along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// Its name; empty ones are not sent.
    pub name: String,
    /// What it is.
    pub kind: ControlKind,
    /// The values it is sent with as the page has it: none, one, or of a multiple choice several.
    pub defaults: Vec<String>,
    /// The values that the page offers.
    pub options: Vec<String>,
}

/// What a control is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlKind {
    /// A line of text, a number, a date and the like.
    Line,
    /// An address to write to.
    Email,
    /// A text of several lines.
    Area,
    /// What the page sends along.
    Hidden,
    /// A box to tick.
    Box,
    /// One of several radio buttons.
    Radio,
    /// A list to choose from.
    Select,
    /// A button that sends the form.
    Submit,
    /// A secret.
    Password,
    /// A file.
    File,
}

impl Form {
    /// The values that the page offers for a name, in order, each once.
    pub fn options(&self, name: &str) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        for option in self.named(name).flat_map(|control| &control.options) {
            if !options.contains(option) {
                options.push(option.clone());
            }
        }
        options
    }

    /// The controls of a name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Control> {
        self.controls.iter().filter(move |control| control.name == name)
    }
}
