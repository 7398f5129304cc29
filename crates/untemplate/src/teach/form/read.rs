//! Reading a form from a page, as browsers would send it untouched.
//!
//! Controls belong to the form that they stand in or name by `form=`. A form that begins in a table
//! where no form may stand has nothing in it: it owns the controls that follow in that table, up to
//! the next form, as browsers have it.

use encoding_rs::{Encoding, UTF_8};

use super::control::{Control, ControlKind, Form};
use crate::page::{Dom, Method, Name, NodeId, Page};

impl Form {
    /// Reads the form at an element; `None` when it is no form, or one that leads out of the web.
    pub fn read(page: &Page, node: NodeId) -> Option<Self> {
        let dom = &page.dom;
        if !dom.is_html(node, Name::FORM) {
            return None;
        }
        let attribute = |name: &str| attribute(dom, node, name);
        let is_post = attribute("method").is_some_and(|method| method.trim().eq_ignore_ascii_case("post"));
        let action = page.resolve(attribute("action").unwrap_or(""))?;
        let enctype = attribute("enctype").unwrap_or("").trim().to_ascii_lowercase();
        let is_urlencoded = !is_post || !matches!(enctype.as_str(), "multipart/form-data" | "text/plain");
        let mut controls: Vec<Control> = Vec::new();
        let (mut words, mut button_words) = (Vec::new(), Vec::new());
        push_words(action.path(), &mut words);
        for name in ["id", "name", "class"] {
            push_words(attribute(name).unwrap_or(""), &mut words);
        }
        for element in owned(dom, node) {
            read_control(dom, element, &mut controls, &mut button_words);
        }
        Some(Self {
            node,
            method: if is_post { Method::Post } else { Method::Get },
            action,
            is_urlencoded,
            encoding: encoding(attribute("accept-charset"), page.encoding),
            controls,
            words,
            button_words,
        })
    }
}

fn attribute<'a>(dom: &'a Dom, node: NodeId, name: &str) -> Option<&'a str> {
    dom.attribute(node, dom.names().find(name)?)
}

/// The encoding that values are sent in: the first that the form accepts, or else the page's; never
/// one that servers cannot read.
fn encoding(accepted: Option<&str>, of_page: &'static str) -> &'static str {
    let accepted = accepted.into_iter().flat_map(str::split_ascii_whitespace);
    let known = accepted
        .filter_map(|label| Encoding::for_label(label.as_bytes()))
        .next();
    let of_page = Encoding::for_label(of_page.as_bytes()).unwrap_or(UTF_8);
    known.unwrap_or(of_page).output_encoding().name()
}

/// The elements that belong to a form, in document order.
fn owned(dom: &Dom, form: NodeId) -> Vec<NodeId> {
    let id = attribute(dom, form, "id");
    let names_form = |node: NodeId| attribute(dom, node, "form");
    let is_control = |node: &NodeId| dom.name(*node).is_some_and(|name| CONTROLS.contains(&name));
    let spilt = spilt(dom, form);
    let is_inside = |node: NodeId| dom.contains(form, node) || spilt.contains(&node.0);
    let belongs = |node: &NodeId| match names_form(*node) {
        Some(named) => id == Some(named),
        None => is_inside(*node),
    };
    dom.offered_nodes().filter(is_control).filter(belongs).collect()
}

const CONTROLS: [Name; 4] = [Name::INPUT, Name::SELECT, Name::TEXTAREA, Name::BUTTON];

/// The nodes after an empty form that stands between the parts of a table, up to the next form or
/// the table's end.
fn spilt(dom: &Dom, form: NodeId) -> std::ops::Range<u32> {
    let end = dom.subtree_end(form);
    let parent = dom.parent(form).and_then(|parent| dom.name(parent));
    let is_misplaced = matches!(
        parent,
        Some(Name::TABLE | Name::TBODY | Name::THEAD | Name::TFOOT | Name::TR)
    );
    if !is_misplaced || dom.first_child(form).is_some() {
        return end.0..end.0;
    }
    let table = dom.ancestors(form).find(|&node| dom.is_html(node, Name::TABLE));
    let table_end = table.map_or(end, |table| dom.subtree_end(table));
    let next_form = (end.0..table_end.0).find(|&node| dom.is_html(NodeId(node), Name::FORM));
    end.0..next_form.unwrap_or(table_end.0)
}

fn read_control(dom: &Dom, node: NodeId, controls: &mut Vec<Control>, words: &mut Vec<String>) {
    if is_disabled(dom, node) {
        return;
    }
    let attribute = |name: &str| attribute(dom, node, name);
    let name = attribute("name").unwrap_or("").to_owned();
    let value = attribute("value").unwrap_or("").to_owned();
    let kind = kind(dom, node, attribute("type").unwrap_or(""));
    let Some(kind) = kind else { return };
    let is_checked = attribute("checked").is_some();
    let (defaults, options) = match kind {
        ControlKind::Line | ControlKind::Email | ControlKind::Password => (vec![value], suggestions(dom, node)),
        ControlKind::Hidden => {
            // What a hidden field says the form does is as telling as its button.
            if ["action", "do", "cmd", "op", "mode", "_method"].contains(&name.as_str()) {
                push_words(&value, words);
            }
            (vec![value], Vec::new())
        }
        ControlKind::Area => (vec![area_text(dom, node)], Vec::new()),
        ControlKind::Box | ControlKind::Radio => {
            let value = attribute("value").unwrap_or("on").to_owned();
            let defaults = if is_checked { vec![value.clone()] } else { Vec::new() };
            (defaults, vec![value])
        }
        ControlKind::Select => choices(dom, node, attribute("multiple").is_some()),
        ControlKind::Submit => {
            push_words(&dom.visible_text(node), words);
            push_words(&format!("{value} {name} {}", attribute("alt").unwrap_or("")), words);
            (vec![value], Vec::new())
        }
        ControlKind::File => (vec![String::new()], Vec::new()),
    };
    controls.push(Control {
        name,
        kind,
        defaults,
        options,
    });
}

fn is_disabled(dom: &Dom, node: NodeId) -> bool {
    let is_off = |node: NodeId| attribute(dom, node, "disabled").is_some();
    let off_by_group = |&node: &NodeId| dom.is_html(node, Name::FIELDSET) && is_off(node);
    is_off(node) || dom.ancestors(node).any(|ancestor| off_by_group(&ancestor))
}

/// What a control is; `None` for buttons that send nothing.
fn kind(dom: &Dom, node: NodeId, type_text: &str) -> Option<ControlKind> {
    let type_text = type_text.trim().to_ascii_lowercase();
    match (dom.name(node)?, type_text.as_str()) {
        (Name::SELECT, _) => Some(ControlKind::Select),
        (Name::TEXTAREA, _) => Some(ControlKind::Area),
        (_, "reset" | "button") => None,
        (Name::BUTTON, _) | (_, "submit" | "image") => Some(ControlKind::Submit),
        (_, "hidden") => Some(ControlKind::Hidden),
        (_, "checkbox") => Some(ControlKind::Box),
        (_, "radio") => Some(ControlKind::Radio),
        (_, "password") => Some(ControlKind::Password),
        (_, "file") => Some(ControlKind::File),
        (_, "email") => Some(ControlKind::Email),
        _ => Some(ControlKind::Line),
    }
}

/// What a list beside a line of text suggests.
fn suggestions(dom: &Dom, node: NodeId) -> Vec<String> {
    let Some(id) = attribute(dom, node, "list") else {
        return Vec::new();
    };
    let is_list = |&list: &NodeId| dom.is_html(list, Name::DATALIST) && attribute(dom, list, "id") == Some(id);
    let list = dom.nodes().find(is_list);
    let options = list.into_iter().flat_map(|list| dom.subtree(list));
    let options = options.filter(|&option| dom.is_html(option, Name::OPTION));
    options.map(|option| option_value(dom, option)).collect()
}

fn area_text(dom: &Dom, node: NodeId) -> String {
    dom.children(node).map(|child| dom.text(child)).collect()
}

/// What a list is sent with untouched, and what it offers.
fn choices(dom: &Dom, node: NodeId, is_multiple: bool) -> (Vec<String>, Vec<String>) {
    let is_option = |&option: &NodeId| dom.is_html(option, Name::OPTION);
    let is_open = |&option: &NodeId| {
        let group = dom.parent(option).filter(|&parent| dom.is_html(parent, Name::OPTGROUP));
        let is_off = |node: NodeId| attribute(dom, node, "disabled").is_some();
        !is_off(option) && !group.is_some_and(is_off)
    };
    let all: Vec<NodeId> = dom.subtree(node).filter(is_option).filter(is_open).collect();
    let is_selected = |&&option: &&NodeId| attribute(dom, option, "selected").is_some();
    let mut chosen: Vec<NodeId> = all.iter().filter(is_selected).copied().collect();
    if !is_multiple {
        // The last one that says so is selected, or else the first.
        chosen = chosen.last().or(all.first()).copied().into_iter().collect();
    }
    let values = |options: &[NodeId]| options.iter().map(|&option| option_value(dom, option)).collect();
    (values(&chosen), values(&all))
}

fn option_value(dom: &Dom, option: NodeId) -> String {
    let value = dom.attribute(option, Name::VALUE).map(str::to_owned);
    value.unwrap_or_else(|| dom.visible_text(option))
}

/// The words of a text in lower case; a capital inside a word begins one.
fn push_words(text: &str, words: &mut Vec<String>) {
    let mut word = String::new();
    let mut was_lower = false;
    for letter in text.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && was_lower {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        was_lower = letter.is_lowercase();
        word.extend(
            letter
                .is_alphanumeric()
                .then(|| letter.to_lowercase())
                .into_iter()
                .flatten(),
        );
    }
    words.extend((!word.is_empty()).then_some(word));
}
