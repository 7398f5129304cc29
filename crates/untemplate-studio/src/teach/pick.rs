//! What was clicked: a link to follow, a value to read, or both.

use maud::{Markup, html};
use serde_json::{Value, json};
use untemplate::page::{NodeId, Page};
use untemplate::record::next_page;
use untemplate::teach::{
    ClickedLink, Example, Following, Means, Navigation, Session, SessionOptions, ShownValue, followings, more_alike,
    replay, show_rule,
};
use url::Url;

use super::asked::Asked;
use super::fields::readings_table;
use super::marks::{Mark, element_mark, picked_marks};
use super::naming::{class_name, field_name};
use super::panel::Scene;
use super::picked::{Pick, hidden_pick};
use super::question::pending;
use super::rows::{RowsOffer, rows_form};

/// Rules for links that are shown at once.
const FOLLOWINGS_SHOWN: usize = 6;

/// The panel of what was clicked, and the marks of what would follow.
pub fn pick_panel(scene: &Scene<'_>, pick: &Pick, asked: &Asked) -> (Markup, Vec<Value>) {
    let page = &scene.page.page;
    let mut all_marks = pick.marks(&page.dom);
    let clicked = pick.link.as_ref().map(|(node, url)| ClickedLink {
        url: url.clone(),
        node: Some(*node),
    });
    let clicked = clicked.as_ref();
    let mut found = clicked
        .map(|link| followings(page, std::slice::from_ref(link)))
        .unwrap_or_default();
    let is_next = pick
        .link
        .as_ref()
        .is_some_and(|(_, url)| next_page(page).as_ref() == Some(url));
    if is_next {
        // A list has one next page: the fewer links, the likelier.
        found.sort_by_key(|following| following.addresses.len());
    }
    if let Some(first) = found.first() {
        all_marks.extend(links_marks(first, pick.node));
    }
    let offer = RowsOffer::of(scene, pick, asked);
    if let Some(offer) = offer.as_ref().filter(|offer| offer.is_likely()) {
        all_marks.extend(offer.marks(scene));
    }
    let markup = html! {
        section.card aria-labelledby="picked" {
            h2 #picked { "You clicked" }
            blockquote { (pick.values.first().map_or("something without text", |first| &first.shown.text)) }
            @if let Some((link, url)) = &pick.link {
                (follow_form(scene, &Followed { url, link: *link, is_next }, &found, asked))
            }
            (field_form(scene, pick, asked))
            @if let Some(offer) = &offer { (rows_form(scene, offer, asked)) }
            p { a data-soft="" href=(scene.here()) { "Never mind" } }
        }
    };
    (markup, all_marks)
}

/// Marks of one set of links: those around the click are seen, and a browser takes minutes over
/// 200,000.
const MARKS_MAX: usize = 2_000;

/// The marks of the links that a rule picks on a page.
pub fn following_marks(page: &Page, following: &Following) -> Vec<Value> {
    let mut picked = following.rule.values(page);
    picked.truncate(MARKS_MAX);
    picked_marks(&page.dom, Mark::Follow, &picked)
}

/// The marks of the links that a rule picks where it was taught, nearest to a node.
fn links_marks(following: &Following, near: NodeId) -> Vec<Value> {
    let nodes = &following.nodes;
    let at = nodes.partition_point(|&node| node < near);
    let first = at
        .saturating_sub(MARKS_MAX / 2)
        .min(nodes.len().saturating_sub(MARKS_MAX));
    let shown = nodes.iter().skip(first).take(MARKS_MAX);
    shown.map(|&node| element_mark(Mark::Follow, node)).collect()
}

/// The link that was clicked.
struct Followed<'a> {
    url: &'a Url,
    link: NodeId,
    is_next: bool,
}

fn follow_form(scene: &Scene<'_>, clicked: &Followed<'_>, found: &[Following], asked: &Asked) -> Markup {
    let Followed { url, link, is_next } = *clicked;
    let words = scene.page.page.dom.visible_text(link);
    let followed = scene.known.lesson.navigation_from(scene.class_id());
    let is_here = |its: &&Navigation| its.page() == Some(scene.page_number) && matches!(its.means, Means::Links { .. });
    let taught_here: Vec<&Navigation> = followed.filter(is_here).collect();
    let shown = &found[..found.len().min(FOLLOWINGS_SHOWN)];
    let name = class_name(
        found.first().and_then(|first| first.addresses.last()).unwrap_or(url),
        &words,
        &scene.known.said,
    );
    html! {
        form.stack method="post" action=(scene.action()) data-soft="" {
            (scene.hidden("follow"))
            (hidden_pick(asked))
            input type="hidden" name="clicked" value=(url);
            fieldset {
                legend { "Follow links like this" }
                @if found.is_empty() { p.quiet { "No rule of ours picks this link." } }
                @for (index, following) in shown.iter().enumerate() {
                    (following_choice(following, link, index == 0))
                }
                @if let Some((first, more)) = shown.first().and_then(|first| Some((first, more_alike(shown, first)?))) {
                    p.notice {
                        (more.addresses.len() - first.addresses.len()) " more links beside these look alike. "
                        button type="button" data-choose=(show_rule(&more.rule)) { "Add them" }
                    }
                }
            }
            @if !found.is_empty() {
                label { "They lead to "
                    select name="to" {
                        option value="" { "pages to be told by looking" }
                        @for class in &scene.known.lesson.classes { option value=(class.id) { (class.id) } }
                    }
                }
                label { "New pages are called " input name="name" value=(name) size="16"; }
                input type="hidden" name="suggested" value=(name);
                div.row {
                    button.primary[!is_next] name="as" value="way" { "Follow these links" }
                    button.primary[is_next] name="as" value="next" { "They are the next pages of this one" }
                    @for navigation in &taught_here {
                        button name="also" value=(navigation.id) { "It is one of " (navigation.id) ", too" }
                    }
                }
            }
        }
    }
}

fn following_choice(following: &Following, clicked: NodeId, is_first: bool) -> Markup {
    let shown = json!(links_marks(following, clicked)).to_string();
    let sample: Vec<&str> = following
        .addresses
        .iter()
        .take(3)
        .map(|url| &url[url::Position::BeforePath..])
        .collect();
    let n_links = following.addresses.len();
    html! {
        label.choice data-marks=(shown) {
            input type="radio" name="rule" value=(show_rule(&following.rule)) checked[is_first];
            span {
                strong { (n_links) @if n_links == 1 { " link" } @else { " links" } }
                " " span.quiet.line { (sample.join(", ")) @if n_links > 3 { ", …" } }
                code.rule.line title=(show_rule(&following.rule)) { (show_rule(&following.rule)) }
            }
        }
    }
}

/// The session of the class in view as it would be with one more example.
pub fn tried(scene: &Scene<'_>, field: &str, value: &ShownValue) -> Session {
    let mut class = scene.known.lesson.classes[scene.class].clone();
    class.examples.push(Example {
        field: field.to_owned(),
        page: scene.page_number,
        value: value.clone(),
    });
    // Only this field matters here.
    class.examples.retain(|example| example.field == field);
    replay(&class, scene.session().sample().to_vec(), SessionOptions::default())
}

fn field_form(scene: &Scene<'_>, pick: &Pick, asked: &Asked) -> Markup {
    let Some(value) = pick.values.first() else {
        return html! {};
    };
    let class = &scene.known.lesson.classes[scene.class];
    let session = tried(scene, "\u{0}", &value.shown);
    let fields = session.fields();
    let taken = class.field_names();
    let name = field_name(&scene.page.page.dom, value, fields.first(), &taken);
    let question = pending(scene.known, scene.class)
        .filter(|(class, question)| (*class, question.page) == (scene.class, scene.page_number))
        .map(|(_, question)| question.field);
    html! {
        form.stack method="post" action=(scene.action()) data-soft="" {
            (scene.hidden(""))
            (hidden_pick(asked))
            input type="hidden" name="say" value="this";
            fieldset {
                legend { "A value" }
                @for (index, value) in pick.values.iter().enumerate() {
                    label.choice {
                        input type="radio" name="value" value=(value.shown.text) checked[index == 0];
                        span { (value.shown.text) }
                    }
                }
            }
            @if let Some(question) = &question {
                input type="hidden" name="asked" value=(question);
                div.row { button.primary name="act" value="answer" { "This is the " (question) " here" } }
            }
            label { "Its name " input name="field" value=(name) list="fields" required maxlength="64" size="16"; }
            datalist #fields { @for name in &taken { option value=(name) {} } }
            div.row { button.primary[question.is_none()] name="act" value="show" { "Read it on every page" } }
            @match fields.first() {
                Some(field) => (readings_table(scene, field, "On the pages of the sample it would be")),
                None => p.quiet { "No rule of ours finds it again; select the words, or click on something nearer to them." },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use untemplate::rule::ExtractionRule;

    use super::*;

    #[test]
    fn marks_are_few_and_around_the_click() {
        let following = |n_links: u32| Following {
            rule: ExtractionRule::absolute("//a/@href").expect("a good path"),
            addresses: Vec::new(),
            nodes: (0..n_links).map(|number| NodeId(number * 7)).collect(),
        };
        let ends = |n_links: u32, near: u32| {
            let marks = links_marks(&following(n_links), NodeId(near));
            let node = |mark: Option<&Value>| mark.and_then(|mark| mark["node"].as_u64());
            (marks.len(), node(marks.first()), node(marks.last()))
        };
        assert_eq!(ends(3, 7), (3, Some(0), Some(14)));
        assert_eq!(ends(200_000, 0), (MARKS_MAX, Some(0), Some(13_993)));
        assert_eq!(ends(200_000, 70_000), (MARKS_MAX, Some(63_000), Some(76_993)));
        assert_eq!(ends(200_000, 1_399_993).2, Some(1_399_993));
        assert_eq!(ends(0, 7).0, 0);
    }
}
