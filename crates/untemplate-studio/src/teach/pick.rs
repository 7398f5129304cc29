//! What was clicked: a link to follow, a value to read, or both.

use maud::{Markup, html};
use serde_json::{Value, json};
use untemplate::page::{Dom, Name, NodeId, Page};
use untemplate::record::next_page;
use untemplate::rule::{Selected, value_text};
use untemplate::teach::{
    Example, Following, Means, Navigation, Session, SessionOptions, followings, replay, show_rule,
};
use url::Url;

use super::asked::Asked;
use super::fields::readings_table;
use super::marks::{Mark, collapsed, marks, node_named, picked_marks};
use super::naming::{class_name, field_name};
use super::panel::Scene;
use super::question::pending;

/// Rules for links that are shown at once.
const FOLLOWINGS_SHOWN: usize = 6;

/// What was clicked, on the page in view.
pub struct Pick {
    /// The node.
    pub node: NodeId,
    /// The values it may stand for, the likeliest first: a selection, the text, all text of the
    /// element.
    pub values: Vec<String>,
    /// Where it leads, if it is a link.
    pub link: Option<(NodeId, Url)>,
}

impl Pick {
    /// Reads what a view's address says was clicked.
    pub fn read(page: &Page, asked: &Asked) -> Option<Self> {
        let node = node_named(&page.dom, asked.get("pick"), asked.get("said"))?;
        let dom = &page.dom;
        let mut values: Vec<String> = Vec::new();
        let own = value_text(dom, Selected { node, attribute: None });
        let holder = dom.parent(node).filter(|_| dom.is_text(node));
        let of_holder = holder.map(|holder| dom.visible_text(holder));
        let selected = collapsed(asked.get("value"));
        let is_there = of_holder.as_deref().unwrap_or(&own).contains(&selected);
        let selected = Some(selected).filter(|_| is_there);
        let all = selected
            .into_iter()
            .chain([own])
            .chain(of_holder)
            .chain(attribute_value(dom, node));
        for value in all.map(|value| collapsed(&value)) {
            if !value.is_empty() && !values.contains(&value) {
                values.push(value);
            }
        }
        let link = link_at(page, node);
        Some(Self { node, values, link })
    }

    /// Its mark.
    pub fn marks(&self, dom: &Dom) -> Vec<Value> {
        let node = self.node;
        marks(dom, Mark::Picked, std::iter::once(Selected { node, attribute: None }))
    }
}

/// What a picture or a machine-readable element says.
fn attribute_value(dom: &Dom, node: NodeId) -> Option<String> {
    let names = [Name::ALT, Name::CONTENT, Name::DATETIME, Name::TITLE, Name::VALUE];
    names
        .iter()
        .find_map(|&name| dom.attribute(node, name))
        .map(str::to_owned)
}

/// The link that a node is in, and where it leads.
fn link_at(page: &Page, node: NodeId) -> Option<(NodeId, Url)> {
    let dom = &page.dom;
    let is_link = |&node: &NodeId| matches!(dom.name(node), Some(Name::A | Name::AREA));
    let link = std::iter::once(node).chain(dom.ancestors(node)).find(is_link)?;
    let url = dom.attribute(link, Name::HREF).and_then(|href| page.resolve(href))?;
    Some((link, url))
}

/// The panel of what was clicked, and the marks of what would follow.
pub fn pick_panel(scene: &Scene<'_>, pick: &Pick) -> (Markup, Vec<Value>) {
    let page = &scene.page.page;
    let mut all_marks = pick.marks(&page.dom);
    let found = pick.link.as_ref();
    let mut found = found
        .map(|(_, url)| followings(page, std::slice::from_ref(url)))
        .unwrap_or_default();
    if pick
        .link
        .as_ref()
        .is_some_and(|(_, url)| next_page(page).as_ref() == Some(url))
    {
        // A list has one next page: the fewer links, the likelier.
        found.sort_by_key(|following| following.addresses.len());
    }
    if let Some(first) = found.first() {
        all_marks.extend(following_marks(page, first));
    }
    let markup = html! {
        section.card aria-labelledby="picked" {
            h2 #picked { "You clicked" }
            blockquote { (pick.values.first().map_or("something without text", String::as_str)) }
            @if let Some((link, url)) = &pick.link {
                (follow_form(scene, url, *link, &found))
            }
            (field_form(scene, pick))
            p { a data-soft="" href=(scene.here()) { "Never mind" } }
        }
    };
    (markup, all_marks)
}

/// The marks of the links that a rule picks.
pub fn following_marks(page: &Page, following: &Following) -> Vec<Value> {
    picked_marks(&page.dom, Mark::Follow, &following.rule.values(page))
}

fn follow_form(scene: &Scene<'_>, url: &Url, link: NodeId, found: &[Following]) -> Markup {
    let dom = &scene.page.page.dom;
    let words = dom.visible_text(link);
    let is_next = next_page(&scene.page.page).as_ref() == Some(url);
    let followed = scene.known.lesson.navigation_from(scene.class_id());
    let is_here = |its: &&Navigation| its.page() == Some(scene.page_number) && matches!(its.means, Means::Links { .. });
    let taught_here: Vec<&Navigation> = followed.filter(is_here).collect();
    let name = class_name(
        found.first().and_then(|first| first.addresses.last()).unwrap_or(url),
        &words,
        &scene.known.said,
    );
    html! {
        form.stack method="post" action=(scene.action()) data-soft="" {
            (scene.hidden("follow"))
            input type="hidden" name="clicked" value=(url);
            fieldset {
                legend { "Follow links like this" }
                @if found.is_empty() { p.quiet { "No rule of ours picks this link." } }
                @for (index, following) in found.iter().take(FOLLOWINGS_SHOWN).enumerate() {
                    (following_choice(scene, following, index == 0))
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

fn following_choice(scene: &Scene<'_>, following: &Following, is_first: bool) -> Markup {
    let page = &scene.page.page;
    let shown = json!(following_marks(page, following)).to_string();
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
pub fn tried(scene: &Scene<'_>, field: &str, value: &str) -> Session {
    let mut class = scene.known.lesson.classes[scene.class].clone();
    class.examples.push(Example {
        field: field.to_owned(),
        page: scene.page_number,
        value: value.to_owned(),
    });
    // Only this field matters here.
    class.examples.retain(|example| example.field == field);
    replay(&class, scene.session().sample().to_vec(), SessionOptions::default())
}

fn field_form(scene: &Scene<'_>, pick: &Pick) -> Markup {
    let Some(value) = pick.values.first() else {
        return html! {};
    };
    let class = &scene.known.lesson.classes[scene.class];
    let session = tried(scene, "\u{0}", value);
    let fields = session.fields();
    let taken = class.field_names();
    let name = field_name(fields.first(), &taken);
    let question = pending(scene.known, scene.class)
        .filter(|(class, question)| (*class, question.page) == (scene.class, scene.page_number))
        .map(|(_, question)| question.field);
    html! {
        form.stack method="post" action=(scene.action()) data-soft="" {
            (scene.hidden(""))
            input type="hidden" name="say" value="this";
            fieldset {
                legend { "A value" }
                @for (index, value) in pick.values.iter().enumerate() {
                    label.choice {
                        input type="radio" name="value" value=(value) checked[index == 0];
                        span { (value) }
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
