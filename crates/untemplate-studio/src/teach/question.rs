//! What is in doubt: one question at a time, with the page in view and the candidate marked.

use maud::{Markup, html};
use serde_json::{Value, json};
use untemplate::page::{Dom, NodeId};
use untemplate::rule::{Selected, TextIndex};
use untemplate::teach::Question;

use super::marks::{Mark, marks};
use super::panel::Scene;
use super::room::Known;

/// The class whose session has a question, that of the page in view first, and the question.
pub fn pending(known: &Known, first: usize) -> Option<(usize, Question)> {
    let others = (0..known.taught.sessions.len()).filter(|&class| class != first);
    std::iter::once(first)
        .chain(others)
        .find_map(|class| Some((class, known.taught.sessions.get(class)?.question()?)))
}

/// Where the values of a choice stand on the page: its texts, or the innermost elements that read
/// so.
fn places(dom: &Dom, texts: &TextIndex, values: &[String]) -> Vec<Selected> {
    let mut places = Vec::new();
    for value in values {
        let of_texts = texts.places(value);
        let found: Vec<NodeId> = if of_texts.is_empty() {
            let reads = |&node: &NodeId| dom.is_element(node) && dom.visible_text(node) == *value;
            dom.nodes().rev().find(reads).into_iter().collect()
        } else {
            of_texts.to_vec()
        };
        places.extend(found.into_iter().map(|node| Selected { node, attribute: None }));
    }
    places
}

/// The panel of a question about the page in view, and the marks of its first choice.
pub fn question_panel(scene: &Scene<'_>, question: &Question) -> (Markup, Vec<Value>) {
    let dom = &scene.page.page.dom;
    let mark = |values: &[String]| {
        marks(
            dom,
            Mark::Candidate,
            places(dom, scene.page.texts(), values).into_iter(),
        )
    };
    let choices: Vec<&Vec<String>> = question.choices.iter().filter(|choice| !choice.is_empty()).collect();
    let first = choices.first().map(|values| mark(values)).unwrap_or_default();
    let markup = html! {
        section.card.question aria-labelledby="question" data-question="" {
            h2 #question aria-live="polite" {
                @match choices.first() {
                    Some(values) => { "Is “" (values.join("” and “")) "” the " em { (question.field) } " here?" }
                    None => { "Has this page no " em { (question.field) } "?" }
                }
            }
            form.stack method="post" action=(scene.action()) data-soft="" {
                (scene.hidden("answer"))
                input type="hidden" name="field" value=(question.field);
                @if !choices.is_empty() {
                    fieldset {
                        legend { "What may be it" }
                        @for (index, values) in choices.iter().enumerate() {
                            label.choice data-marks=(json!(mark(values)).to_string()) {
                                input type="radio" name="choice" value=(json!(values).to_string()) checked[index == 0];
                                span { (values.join(" | ")) }
                            }
                        }
                    }
                }
                div.row {
                    @if !choices.is_empty() { button.primary name="say" value="yes" data-key="y" { "Yes" kbd { "y" } } }
                    @if !choices.is_empty() {
                        button type="button" data-key="n" data-next="" { (if choices.len() > 1 { "No, the next" } else { "No" }) kbd { "n" } }
                    }
                    button name="say" value="absent" data-key="a" { "It has none" kbd { "a" } }
                    button name="say" value="skip" data-key="s" { "I do not know" kbd { "s" } }
                }
                p.quiet { "Or click the right one on the page." }
            }
        }
    };
    (markup, first)
}
