//! The fields of a class: their names, order, clean-ups and rules, and what each is on every page
//! of the sample.

use maud::{Markup, html};
use serde_json::Value;
use untemplate::teach::{FieldKind, SamplePage, TaughtField, show_rule};

use super::marks::{Mark, picked_marks};
use super::panel::Scene;
use super::proposal::propose_link;
use super::rows::{known_marks, known_rows};

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
                        tr {
                            th scope="row" { a data-soft="" href=(scene.page_at(number)) { (number + 1) } }
                            (cell(field, page))
                        }
                    }
                }
            }
        }
    }
}

fn cell(field: &TaughtField, page: &SamplePage) -> Markup {
    let (text, is_doubtful) = reading(field, page);
    html! {
        td.doubt[is_doubtful] title=(text) {
            @if text.is_empty() { span.quiet { @if is_doubtful { "in doubt" } @else { "none" } } } @else { (text) }
        }
    }
}

/// The marks of all fields on the page in view.
pub fn field_marks(scene: &Scene<'_>) -> Vec<Value> {
    let (page, texts) = (&scene.page.page, scene.page.texts());
    let fields = scene.fields();
    let read = fields.iter().flat_map(|field| field.read(page, texts).values);
    let mut all = picked_marks(&page.dom, Mark::Field, &read.collect::<Vec<_>>());
    all.extend(known_marks(scene));
    all
}

/// The fields of the class in view.
pub fn fields_panel(scene: &Scene<'_>) -> Markup {
    let session = scene.session();
    let fields = scene.fields();
    let class = &scene.known.lesson.classes[scene.class];
    let (unlearnt, doubtful) = (session.unlearnt(), session.doubtful());
    html! {
        section aria-labelledby="fields-head" {
            h2 #fields-head { "Read on these pages" }
            @if fields.is_empty() && unlearnt.is_empty() && class.rows.is_empty() {
                p.quiet { "Nothing yet. Click a value on the page to make it a field, or a cell of a table to read its rows." }
            }
            (propose_link(scene))
            @for (place, field) in fields.iter().enumerate() {
                @let doubt = doubtful.iter().find(|(name, _)| *name == field.name);
                (field_panel(scene, field, (place, fields.len()), doubt.map(|(_, page)| *page)))
            }
            (known_rows(scene))
            @for name in unlearnt {
                div.field {
                    p { strong { (name) } span.warning { " no rule finds it" } }
                    (scene.button("remove_field", &[("field", name)], "Remove"))
                }
            }
            @if fields.len() > 1 { (values_grid(scene, &fields)) }
        }
    }
}

/// What every field is on every page of the sample.
fn values_grid(scene: &Scene<'_>, fields: &[TaughtField]) -> Markup {
    html! {
        details.values-grid open {
            summary { "All values" }
            div.grid.small tabindex="0" role="region" aria-label="The fields on every page of the sample" {
                table {
                    thead { tr { th { span.unseen { "Page" } } @for field in fields { th scope="col" { (field.name) } } } }
                    tbody { @for (number, page) in scene.session().sample().iter().enumerate() {
                        tr aria-current=[(number == scene.page_number).then_some("page")] {
                            th scope="row" { a data-soft="" href=(scene.page_at(number)) { (number + 1) } }
                            @for field in fields { (cell(field, page)) }
                        }
                    } }
                }
            }
        }
    }
}

fn field_panel(
    scene: &Scene<'_>,
    field: &TaughtField,
    (place, n_fields): (usize, usize),
    contradicted: Option<usize>,
) -> Markup {
    let (text, is_doubtful) = reading(field, scene.page);
    html! {
        details.field {
            summary {
                strong { (field.name) } " "
                @if let Some(kind) = field.clean_up.kind { span.kind { (kind.word()) } " " }
                span.value.doubt[is_doubtful] {
                    @if text.is_empty() { span.quiet { @if is_doubtful { "in doubt" } @else { "none here" } } } @else { (text) }
                }
            }
            @if let Some(page) = contradicted {
                p.warning { "Every rule contradicts what you said about page " (page + 1) ". Check it, or give the field one meaning." }
            }
            (readings_table(scene, field, "On the pages of the sample"))
            (shaping(scene, field))
            (rules(scene, field))
            div.row {
                @if place > 0 { (scene.button("move_field", &[("field", &field.name), ("to", "up")], "↑ Up")) }
                @if place + 1 < n_fields { (scene.button("move_field", &[("field", &field.name), ("to", "down")], "↓ Down")) }
                (scene.button("remove_field", &[("field", &field.name)], "Remove"))
            }
        }
    }
}

/// The name and the clean-up of a field.
fn shaping(scene: &Scene<'_>, field: &TaughtField) -> Markup {
    let pattern = field.clean_up.pattern.as_ref().map_or("", |pattern| pattern.as_str());
    html! {
        form.inline method="post" action=(scene.action()) data-soft="" {
            (scene.hidden("rename_field"))
            input type="hidden" name="field" value=(field.name);
            label { "Name" input name="to" value=(field.name) required maxlength="64" size="14"; }
            button { "Rename" }
        }
        form.inline method="post" action=(scene.action()) data-soft="" {
            (scene.hidden("clean_field"))
            input type="hidden" name="field" value=(field.name);
            label { "Type"
                select name="kind" {
                    option value="" { "told from the values" }
                    @for kind in FieldKind::ALL { option value=(kind.word()) selected[field.clean_up.kind == Some(kind)] { (kind.word()) } }
                }
            }
            label { "Keep only what matches" input.code name="pattern" value=(pattern) placeholder="\\d+ or (\\d+) goals" spellcheck="false" size="14"; }
            button { "Clean up" }
        }
    }
}

/// The rules of a field, for who asks for them, and one of their own.
fn rules(scene: &Scene<'_>, field: &TaughtField) -> Markup {
    let head = field.slots.first().and_then(|slot| slot.rules.first());
    let class = &scene.known.lesson.classes[scene.class];
    let written = class.shape.by_hand.iter().find(|(name, _)| *name == field.name);
    html! {
        details.rules-of open[written.is_some()] {
            summary.quiet { @if written.is_some() { "Your own rule" } @else { "Rules" } }
            @if written.is_none() {
                p.quiet { "The heaviest first; they vote." }
                ol.rules {
                    @for rule in field.rules() { li { span.kind { (format!("{:.2}", rule.weight)) } code.rule { (show_rule(&rule.rule)) } } }
                }
                @if let Some(rule) = head.filter(|_| field.rules().count() > 1) {
                    (scene.button("leave_out", &[("field", &field.name), ("rule", &show_rule(&rule.rule))], "Use the runner-up"))
                }
            }
            (rule_form(scene, &field.name, &written.map(|(_, path)| path.to_string()).unwrap_or_default()))
        }
    }
}

/// A rule by hand: what it picks is shown as it is written.
pub fn rule_form(scene: &Scene<'_>, field: &str, path: &str) -> Markup {
    html! {
        form.stack method="post" action=(scene.action()) data-soft="" {
            (scene.hidden("write_rule"))
            input type="hidden" name="field" value=(field);
            label { "A rule of your own, in XPath"
                input.code name="path" value=(path) required maxlength="2000" spellcheck="false" placeholder="//dd[@class='age']" data-matches=(scene.matches_at());
            }
            output.matches aria-live="polite" {}
            div.row { button { "Use this rule" } }
        }
    }
}
