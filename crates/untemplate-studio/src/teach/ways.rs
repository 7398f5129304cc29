//! The ways that leave a class: which links are followed, by which rule, and where they lead.

use maud::{Markup, html};
use serde_json::json;
use untemplate::teach::{Means, Values, Way, followings, show_rule};

use super::panel::Scene;
use super::pick::following_marks;

/// The ways of the class in view.
pub fn ways_panel(scene: &Scene<'_>) -> Markup {
    let lesson = &scene.known.lesson;
    let class = &lesson.classes[scene.class].id;
    let ways: Vec<&Way> = lesson.ways_from(class).collect();
    html! {
        section aria-labelledby="ways-head" {
            h2 #ways-head { "Followed from these pages" }
            @if ways.is_empty() { p.quiet { "Nothing yet. Click a link on the page, or fill in a form and send it." } }
            @for way in ways { (way_panel(scene, way)) }
            @for way in scene.known.said.ways_from(class).filter(|way| lesson.ways.iter().all(|its| its.id != way.id)) {
                div.field {
                    p { strong { (way.id) } span.warning { " the page that it was taught on is missing" } }
                    (scene.button("remove_way", &[("id", &way.id)], "Remove"))
                }
            }
        }
    }
}

fn way_panel(scene: &Scene<'_>, way: &Way) -> Markup {
    let target = scene.class_at(&way.to);
    html! {
        details.field {
            summary {
                strong { (way.id) } " → "
                @if way.to == way.from { "the next pages" } @else { (way.to) }
            }
            @if way.to != way.from { p { a data-soft="" href=(target) { "Look at " (way.to) } } }
            @match &way.means {
                Means::Links { clicked, rule } => (links(scene, way, clicked, rule)),
                Means::Form { form, fields } => {
                    p { "The form at " code.rule { (form) } }
                    ul {
                        @for field in fields {
                            li { (field.name) " = " @match &field.values {
                                Values::Constant(value) => { "“" (value) "”" },
                                Values::Options => "each that it offers",
                                Values::Listed(values) => { (values.join(", ")) },
                                Values::Omitted => "not sent",
                            } }
                        }
                    }
                }
            }
            div.row { (scene.button("remove_way", &[("id", &way.id)], "Remove")) }
        }
    }
}

/// The rules that the clicked links may mean; the one that is followed can be swapped for another.
fn links(scene: &Scene<'_>, way: &Way, clicked: &[url::Url], chosen: &str) -> Markup {
    let Some(taught_on) = scene.session().sample().get(way.page) else {
        return html! {};
    };
    let found = followings(&taught_on.page, clicked);
    html! {
        p.quiet { "What the links you clicked may mean:" }
        ul.plain {
            @for following in &found {
                @let text = show_rule(&following.rule);
                // Marks are shown where the rule was taught; elsewhere it may pick others.
                li data-marks=(json!(following_marks(&scene.page.page, following)).to_string()) {
                    strong { (following.addresses.len()) " links" }
                    code.rule { (text) }
                    @if text == chosen { " " span.tag { "followed" } } @else {
                        (scene.button("swap", &[("id", &way.id), ("rule", &text)], "Follow these instead"))
                    }
                }
            }
        }
    }
}
