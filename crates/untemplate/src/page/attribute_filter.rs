//! Attribute filters: which attributes tell templates apart, and which are data.
//!
//! In: an element. Out: its step in a tag path, such as `td[class=odd][width=#]`. The papers keep
//! "name and value of HTML attributes" and leave open which. On real sites values kept whole take
//! classes apart where they carry data, while on others they alone tell classes apart; so
//! presentation attributes keep a normalised value, others only their name, and what is surely data
//! is left out.

use untemplate_html::{Dom, Name, NodeId};

/// What of an element's attributes belongs to its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AttributeMode {
    /// Nothing.
    None,
    /// Their names.
    Names,
    /// Names, and normalised values of those that concern presentation.
    #[default]
    Normalised,
    /// Names and values as they are, but for addresses and titles.
    Full,
}

/// Which attributes belong to a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct AttributeFilter {
    /// What is kept.
    pub mode: AttributeMode,
}

impl AttributeFilter {
    /// Appends an element's step: its name and the attributes that are kept, in order of their
    /// names.
    pub fn write_step(&self, dom: &Dom, element: NodeId, step: &mut String) {
        push_step_text(dom.name_text(element), step);
        if self.mode == AttributeMode::None {
            return;
        }
        let mut kept: Vec<(&str, Option<&str>, Name)> = dom
            .attributes(element)
            .filter_map(|(name, value)| {
                let text = dom.names().text(name);
                match self.treatment(name, text) {
                    Treatment::Drop => None,
                    Treatment::Name => Some((text, None, name)),
                    Treatment::Value => Some((text, Some(value), name)),
                }
            })
            .collect();
        kept.sort_unstable_by_key(|(text, ..)| *text);
        for (text, value, name) in kept {
            step.push('[');
            push_step_text(text, step);
            let length = step.len();
            if let Some(value) = value {
                step.push('=');
                match self.mode {
                    AttributeMode::Full => push_step_text(value, step),
                    _ => push_normalised_value(name, value, step),
                }
                if step.len() == length + 1 {
                    step.truncate(length);
                }
            }
            step.push(']');
        }
    }

    fn treatment(&self, name: Name, text: &str) -> Treatment {
        let is_data = matches!(name, Name::HREF | Name::SRC | Name::TITLE | Name::TARGET);
        match self.mode {
            AttributeMode::None => Treatment::Drop,
            AttributeMode::Full if is_data => Treatment::Drop,
            AttributeMode::Full => Treatment::Value,
            _ if is_data || matches!(name, Name::ALT | Name::NAME | Name::VALUE | Name::STYLE) => Treatment::Drop,
            _ if text.starts_with("on") || text.starts_with("data-") => Treatment::Drop,
            AttributeMode::Normalised if PRESENTATION.contains(&name) => Treatment::Value,
            _ => Treatment::Name,
        }
    }
}

/// Appends the normalised words of a value.
fn push_normalised_value(name: Name, value: &str, step: &mut String) {
    // Most values are one word, which needs no sorting and no copy.
    if !value.contains(|c: char| c.is_ascii_whitespace()) {
        if name != Name::CLASS || !has_hash(value) {
            push_normalised(value, step);
        }
        return;
    }
    push_step_text(&parts(name, value).join(" "), step);
}

/// Appends text to a step. What separates steps and attributes gets a backslash, so that two steps
/// never look alike.
pub(super) fn push_step_text(text: &str, step: &mut String) {
    let is_mark = |byte: u8| matches!(byte, b'[' | b']' | b'/' | b'\\');
    if !text.bytes().any(is_mark) {
        step.push_str(text);
        return;
    }
    for c in text.chars() {
        if u8::try_from(c).is_ok_and(is_mark) {
            step.push('\\');
        }
        step.push(c);
    }
}

enum Treatment {
    Drop,
    Name,
    Value,
}

/// Attributes whose values concern presentation.
#[rustfmt::skip]
const PRESENTATION: [Name; 16] = [
    Name::CLASS, Name::ID, Name::ALIGN, Name::VALIGN, Name::WIDTH, Name::HEIGHT, Name::BORDER, Name::CELLPADDING,
    Name::CELLSPACING, Name::BGCOLOR, Name::COLOR, Name::FACE, Name::SIZE, Name::REL, Name::ROLE, Name::ITEMPROP,
];

/// The parts of a value that may stand in a step: for a class each of its words, in order; else the
/// whole.
fn parts(name: Name, value: &str) -> Vec<String> {
    if name != Name::CLASS {
        let words: Vec<&str> = value.split_ascii_whitespace().collect();
        return vec![normalised(&words.join(" "))];
    }
    let words = value.split_ascii_whitespace().filter(|word| !has_hash(word));
    let mut words: Vec<String> = words.map(normalised).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Appends what [`normalised`] gives for a value, as [`push_step_text`] does.
fn push_normalised(value: &str, step: &mut String) {
    let mut in_number = false;
    for c in value.chars() {
        let is_digit = c.is_ascii_digit();
        match c {
            _ if is_digit && in_number => {}
            _ if is_digit => step.push('#'),
            '[' | ']' | '/' | '\\' => step.extend(['\\', c]),
            _ if c.is_ascii() => step.push(c.to_ascii_lowercase()),
            _ => step.extend(c.to_lowercase()),
        }
        in_number = is_digit || c == '#';
    }
}

/// A value in lower case, with each number as `#`.
fn normalised(value: &str) -> String {
    let mut normalised = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '0'..='9' if normalised.ends_with('#') => {}
            '0'..='9' => normalised.push('#'),
            _ => normalised.extend(c.to_lowercase()),
        }
    }
    normalised
}

/// Whether a word holds what a build tool made up: six characters or more in which letters and
/// digits change places at least twice, such as `css-1q2w3e4`. A number before or after a word
/// (`col12`, `2col`) is none.
fn has_hash(word: &str) -> bool {
    let runs = word.split(|c: char| !c.is_ascii_alphanumeric());
    runs.filter(|run| run.len() >= 6).any(|run| {
        let changes = run
            .as_bytes()
            .windows(2)
            .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
        changes.count() >= 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate_html::{ParseOptions, parse_html};

    fn first_element(html: &str) -> (Dom, NodeId) {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let body = dom.find(Name::BODY).expect("every page has a body");
        let element = dom.first_child(body).expect("the page has an element");
        (dom, element)
    }

    fn check_step(html: &str, mode: AttributeMode, expected: &str) {
        let (dom, element) = first_element(html);
        let mut step = String::new();
        AttributeFilter { mode }.write_step(&dom, element, &mut step);
        assert_eq!(step, expected, "{html}");
    }

    #[test]
    fn modes_keep_more_and_more() {
        let html = "<div width=100 class='b  A b' onclick=x data-k=1 lang=en title=t>";
        check_step(html, AttributeMode::None, "div");
        check_step(html, AttributeMode::Names, "div[class][lang][width]");
        check_step(html, AttributeMode::Normalised, "div[class=a b][lang][width=#]");
        check_step(
            html,
            AttributeMode::Full,
            "div[class=b  A b][data-k=1][lang=en][onclick=x][width=100]",
        );
    }

    #[test]
    fn values_cannot_look_like_attributes() {
        check_step("<div class='x][y' lang=z>", AttributeMode::Names, "div[class][lang]");
        check_step(
            "<div class='x][lang'>",
            AttributeMode::Normalised,
            "div[class=x\\]\\[lang]",
        );
    }

    #[test]
    fn one_word_and_several_are_normalised_alike() {
        for value in ["Col12b3", "#ffee00", "a[1]/\\", "ÄÖ7ß", "100%", "##1#2"] {
            let (mut direct, mut copied) = (String::new(), String::new());
            push_normalised(value, &mut direct);
            push_step_text(&normalised(value), &mut copied);
            assert_eq!(direct, copied, "{value}");
        }
    }

    #[test]
    fn made_up_class_names_are_left_out() {
        check_step(
            "<div class='css-1q2w3e4 card col12'>",
            AttributeMode::Normalised,
            "div[class=card col#]",
        );
        check_step("<div class='a1b2c3d4'>", AttributeMode::Normalised, "div[class]");
        check_step(
            "<div class='productList2017'>",
            AttributeMode::Normalised,
            "div[class=productlist#]",
        );
    }
}
