//! A form that was filled in: what is sent, and what is tried out.

use maud::{Markup, html};
use untemplate::page::{Method, NodeId, Page, xpath_of};
use untemplate::teach::{ControlKind, FieldChoice, Form, Values, may_change};

use super::asked::Asked;
use super::marks::node_named;
use super::naming::free_name;
use super::panel::Scene;

/// Options that are worth naming.
const OPTIONS_SHOWN: usize = 6;

/// The form that a view's address says was filled in.
pub fn form_at(page: &Page, name: &str) -> Option<Form> {
    let node = node_named(&page.dom, name, "")?;
    let chain = std::iter::once(node).chain(page.dom.ancestors(node));
    chain.filter_map(|node| Form::read(page, node)).next()
}

/// A field of the form with what was filled in.
struct Filled {
    name: String,
    value: Option<String>,
    options: Vec<String>,
    is_choice: bool,
    /// Whether it is what the page fills in.
    is_default: bool,
}

fn filled(form: &Form, asked: &Asked) -> Vec<Filled> {
    let mut all: Vec<Filled> = Vec::new();
    for control in &form.controls {
        let is_told = !matches!(control.kind, ControlKind::Hidden | ControlKind::Submit) && !control.name.is_empty();
        if !is_told || all.iter().any(|filled| filled.name == control.name) {
            continue;
        }
        let value = asked
            .all("fill")
            .filter_map(|pair| pair.split_once('='))
            .find(|(name, _)| *name == control.name);
        let value = value.map(|(_, value)| value.to_owned());
        all.push(Filled {
            name: control.name.clone(),
            is_default: value.as_ref() == control.defaults.first(),
            value,
            options: form
                .options(&control.name)
                .into_iter()
                .filter(|option| !option.is_empty())
                .collect(),
            is_choice: matches!(
                control.kind,
                ControlKind::Select | ControlKind::Radio | ControlKind::Box
            ),
        });
    }
    all
}

/// The panel of a form.
pub fn form_panel(scene: &Scene<'_>, form: &Form, asked: &Asked) -> Markup {
    let fields = filled(form, asked);
    let name = free_name("RESULTS", &scene.known.said);
    html! {
        section.card aria-labelledby="form" {
            h2 #form { "A form" }
            p.quiet { (if form.method == Method::Post { "POST " } else { "GET " }) (form.action) }
            @if let Some(reason) = may_change(form) {
                p.warning { "It may change something on the site: " (reason) ". It is sent once, as it is filled in, and only if you say so; a run sends it only when it is named with --send." }
            }
            @if !form.is_urlencoded { p.warning { "It is sent in a way that this program does not speak." } }
            form.stack method="post" action=(scene.action()) data-soft="" {
                (scene.hidden("submit"))
                input type="hidden" name="form" value=(form.node.0);
                @for field in &fields { (field_choice(field)) }
                label { "They lead to "
                    select name="to" {
                        option value="" { "pages to be told by looking" }
                        @for class in &scene.known.lesson.classes { option value=(class.id) { (class.id) } }
                    }
                }
                label { "New pages are called " input name="name" value=(name) size="16"; }
                input type="hidden" name="suggested" value=(name);
                @if may_change(form).is_some() {
                    label.choice { input type="checkbox" name="send" value="once"; span { "Send it, whatever it changes" } }
                }
                div.row { button.primary { "Send it" } }
            }
            p { a data-soft="" href=(scene.here()) { "Never mind" } }
        }
    }
}

fn field_choice(field: &Filled) -> Markup {
    let offers: Vec<&str> = field.options.iter().take(OPTIONS_SHOWN).map(String::as_str).collect();
    let value = field.value.as_deref().unwrap_or("");
    let has_options = field.options.len() > 1;
    // A choice that was left as it was is no choice: each option is tried.
    let tries_all = field.is_choice && has_options;
    html! {
        fieldset {
            legend { (field.name) }
            label.choice {
                input type="radio" name={ "how." (field.name) } value="constant" checked[!tries_all];
                span { "always “" (value) "”" }
                input type="hidden" name={ "value." (field.name) } value=(value);
            }
            @if has_options {
                label.choice {
                    input type="radio" name={ "how." (field.name) } value="options" checked[tries_all];
                    span {
                        "each that it offers: " span.quiet { (offers.join(", ")) @if field.options.len() > OPTIONS_SHOWN { ", …" } }
                        " (" (field.options.len()) ")"
                    }
                }
            }
            @if !field.is_default {
                label.choice {
                    input type="radio" name={ "how." (field.name) } value="default";
                    span { "as the page has it" }
                }
            }
        }
    }
}

/// What the fields of a form are to be given, as the panel's form says.
pub fn field_choices(form: &Form, asked: &Asked) -> Vec<FieldChoice> {
    let mut choices: Vec<FieldChoice> = Vec::new();
    for control in &form.controls {
        let name = &control.name;
        let values = match asked.get(&format!("how.{name}")) {
            "constant" => Values::Constant(asked.get(&format!("value.{name}")).to_owned()),
            "options" => Values::Options,
            _ => continue,
        };
        if !choices.iter().any(|choice| choice.name == *name) {
            choices.push(FieldChoice {
                name: name.clone(),
                values,
            });
        }
    }
    choices
}

/// What was filled in, and nothing tried out.
pub fn filled_choices(form: &Form, asked: &Asked) -> Vec<FieldChoice> {
    let mut choices = field_choices(form, asked);
    for choice in &mut choices {
        if choice.values == Values::Options {
            choice.values = Values::Constant(asked.get(&format!("value.{}", choice.name)).to_owned());
        }
    }
    choices
}

/// Where the form is, as specifications name it.
pub fn form_path(page: &Page, form: NodeId) -> String {
    xpath_of(&page.dom, form)
}
