//! The fields of a class: what is read on every page of the sample, and by which rules.

use maud::{Markup, html};
use serde_json::Value;
use untemplate::teach::{SamplePage, TaughtField, show_rule};

use super::marks::{Mark, picked_marks};
use super::panel::Scene;

/// What a field is on a page, as text; the second says whether it is in doubt.
fn reading(field: &TaughtField, page: &SamplePage) -> (String, bool) {
    let reading = field.read(&page.page, page.texts());
    let texts: Vec<&str> = reading.values.iter().map(|picked| picked.text.as_str()).collect();
    (texts.join(" | "), reading.problem.is_some())
}

/// What a field is on all pages of the sample.
pub fn readings_table(scene: &Scene<'_>, field: &TaughtField, caption: &str) -> Markup {
    html! {
        div.scroll tabindex="0" {
            table.readings {
                caption { (caption) }
                tbody {
                    @for (number, page) in scene.session().sample().iter().enumerate() {
                        @let (text, is_doubtful) = reading(field, page);
                        tr {
                            th scope="row" { a data-soft="" href=(scene.page_at(number)) { (number + 1) } }
                            td.doubt[is_doubtful] {
                                @if text.is_empty() { span.quiet { @if is_doubtful { "in doubt" } @else { "none" } } } @else { (text) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The marks of all fields on the page in view.
pub fn field_marks(scene: &Scene<'_>) -> Vec<Value> {
    let (page, texts) = (&scene.page.page, scene.page.texts());
    let fields = scene.session().fields();
    let read = fields.iter().flat_map(|field| field.read(page, texts).values);
    picked_marks(&page.dom, Mark::Field, &read.collect::<Vec<_>>())
}

/// The fields of the class in view.
pub fn fields_panel(scene: &Scene<'_>) -> Markup {
    let session = scene.session();
    let fields = session.fields();
    let (unlearnt, doubtful) = (session.unlearnt(), session.doubtful());
    html! {
        section aria-labelledby="fields-head" {
            h2 #fields-head { "Read on these pages" }
            @if fields.is_empty() && unlearnt.is_empty() {
                p.quiet { "Nothing yet. Click a value on the page to make it a field." }
            }
            @for field in &fields {
                @let doubt = doubtful.iter().find(|(name, _)| *name == field.name);
                (field_panel(scene, field, doubt.map(|(_, page)| *page)))
            }
            @for name in unlearnt {
                div.field {
                    p { strong { (name) } span.warning { " no rule finds it" } }
                    (scene.button("remove_field", &[("field", name)], "Remove"))
                }
            }
        }
    }
}

fn field_panel(scene: &Scene<'_>, field: &TaughtField, contradicted: Option<usize>) -> Markup {
    let (text, is_doubtful) = reading(field, scene.page);
    let head = field.slots.first().and_then(|slot| slot.rules.first());
    html! {
        details.field {
            summary {
                strong { (field.name) } " "
                span.value.doubt[is_doubtful] {
                    @if text.is_empty() { span.quiet { @if is_doubtful { "in doubt" } @else { "none here" } } } @else { (text) }
                }
            }
            @if let Some(page) = contradicted {
                p.warning { "Every rule contradicts what you said about page " (page + 1) ". Check it, or give the field one meaning." }
            }
            (readings_table(scene, field, "On the pages of the sample"))
            p.quiet { "Rules, the heaviest first; they vote." }
            ol.rules {
                @for rule in field.rules() { li { code.rule { (show_rule(&rule.rule)) } } }
            }
            div.row {
                @if let Some(rule) = head.filter(|_| field.rules().count() > 1) {
                    (scene.button("leave_out", &[("field", &field.name), ("rule", &show_rule(&rule.rule))], "Use the runner-up"))
                }
                (scene.button("remove_field", &[("field", &field.name)], "Remove"))
            }
        }
    }
}
