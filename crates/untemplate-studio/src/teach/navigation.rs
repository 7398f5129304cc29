//! The navigation from a class: which links are followed, by which rule, and where they lead.

use maud::{Markup, html};
use serde_json::json;
use untemplate::teach::{Means, Navigation, Values, more_alike, show_rule};

use super::panel::Scene;
use super::pick::following_marks;

/// The navigation from the class in view.
pub fn navigation_panel(scene: &Scene<'_>) -> Markup {
    let lesson = &scene.known.lesson;
    let class = &lesson.classes[scene.class].id;
    let followed: Vec<&Navigation> = lesson.navigation_from(class).collect();
    let said = scene.known.said.navigation_from(class);
    let lost: Vec<&Navigation> = said
        .filter(|its| lesson.navigation.iter().all(|there| there.id != its.id))
        .collect();
    html! {
        section aria-labelledby="navigation-head" {
            h2 #navigation-head { "Followed from these pages" }
            @if followed.is_empty() { p.quiet { "Nothing yet. Click a link on the page, or fill in a form and send it." } }
            @for navigation in followed { (one_panel(scene, navigation)) }
            @for navigation in lost {
                div.field {
                    p { strong { (navigation.id) } span.warning { " the page that it was taught on is missing" } }
                    (scene.button("remove_way", &[("id", &navigation.id)], "Remove"))
                }
            }
        }
    }
}

fn one_panel(scene: &Scene<'_>, navigation: &Navigation) -> Markup {
    let target = scene.class_at(&navigation.to);
    html! {
        details.field {
            summary {
                strong { (navigation.id) } " → "
                @if navigation.is_loop() { "the next pages" } @else { (navigation.to) }
            }
            @if !navigation.is_loop() { p { a data-soft="" href=(target) { "Look at " (navigation.to) } } }
            @match &navigation.means {
                Means::Links { rule, .. } => (links(scene, navigation, rule.as_deref())),
                Means::Form { path, fields } => {
                    p { "The form at " code.rule { (path.as_deref().unwrap_or_default()) } }
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
            div.row { (scene.button("remove_way", &[("id", &navigation.id)], "Remove")) }
        }
    }
}

/// The rules that the clicked links may mean; the one that is followed can be swapped for another.
fn links(scene: &Scene<'_>, navigation: &Navigation, chosen: Option<&str>) -> Markup {
    let Some(taught_on) = navigation.page().and_then(|page| scene.session().sample().get(page)) else {
        return html! {};
    };
    let found = navigation.followings(&taught_on.page);
    let followed = found
        .iter()
        .find(|following| chosen == Some(show_rule(&following.rule).as_str()));
    let more = followed.and_then(|followed| Some((followed, more_alike(&found, followed)?)));
    html! {
        @if let Some((followed, more)) = more {
            p.notice { (more.addresses.len() - followed.addresses.len()) " more links beside these look alike and are not followed." }
            (scene.button("swap", &[("id", &navigation.id), ("rule", &show_rule(&more.rule))], "Add them"))
        }
        p.quiet { "What the links you clicked may mean:" }
        ul.plain {
            @for following in &found {
                @let text = show_rule(&following.rule);
                // Marks are shown where the rule was taught; elsewhere it may pick others.
                li data-marks=(json!(following_marks(&scene.page.page, following)).to_string()) {
                    strong { (following.addresses.len()) " links" }
                    code.rule { (text) }
                    @if chosen == Some(text.as_str()) { " " span.tag { "followed" } } @else {
                        (scene.button("swap", &[("id", &navigation.id), ("rule", &text)], "Follow these instead"))
                    }
                }
            }
        }
    }
}
