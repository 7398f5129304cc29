//! What is in doubt: one question at a time, with the page in view and the candidate marked.

use maud::{Markup, html};
use serde_json::{Value, json};
use untemplate::page::Dom;
use untemplate::rule::Selected;
use untemplate::teach::{Question, ShownValue};

use super::marks::{Mark, value_mark};
use super::panel::Scene;
use super::room::Known;

/// The class whose session has a question, that of the page in view first, and the question.
pub fn pending(known: &Known, first: usize) -> Option<(usize, Question)> {
    let others = (0..known.taught.sessions.len()).filter(|&class| class != first);
    std::iter::once(first)
        .chain(others)
        .find_map(|class| Some((class, known.taught.sessions.get(class)?.question()?)))
}

/// What may be it: the choices that have a value, each with the places of its values.
fn offered(question: &Question) -> Vec<(&Vec<String>, &Vec<Selected>)> {
    let choices = question.choices.iter().zip(&question.places);
    choices.filter(|(values, _)| !values.is_empty()).collect()
}

/// The values of the choice of this number among those that are offered, where they are marked.
pub fn chosen(dom: &Dom, question: &Question, number: usize) -> Option<Vec<ShownValue>> {
    let (values, places) = *offered(question).get(number)?;
    let shown = values.iter().zip(places);
    Some(shown.map(|(value, &place)| ShownValue::at(dom, place, value)).collect())
}

/// The panel of a question about the page in view, and the marks of its first choice.
pub fn question_panel(scene: &Scene<'_>, question: &Question) -> (Markup, Vec<Value>) {
    let dom = &scene.page.page.dom;
    let mark = |values: &[String], places: &[Selected]| -> Vec<Value> {
        let shown = values.iter().zip(places);
        shown
            .map(|(value, &place)| value_mark(dom, Mark::Candidate, place, value, None))
            .collect()
    };
    let choices = offered(question);
    let first = choices
        .first()
        .map(|(values, places)| mark(values, places))
        .unwrap_or_default();
    let markup = html! {
        section.card.question aria-labelledby="question" data-question="" {
            h2 #question aria-live="polite" {
                @match choices.first() {
                    Some((values, _)) => { "Is “" (values.join("” and “")) "” the " em { (question.field) } " here?" }
                    None => { "Has this page no " em { (question.field) } "?" }
                }
            }
            form.stack method="post" action=(scene.action()) data-soft="" {
                (scene.hidden("answer"))
                input type="hidden" name="field" value=(question.field);
                @if !choices.is_empty() {
                    fieldset {
                        legend { "What may be it" }
                        @for (index, (values, places)) in choices.iter().enumerate() {
                            label.choice data-marks=(json!(mark(values, places)).to_string()) {
                                input type="radio" name="choice" value=(index) data-values=(json!(values).to_string()) checked[index == 0];
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
