//! Choices: what a form of the panel says becomes a choice, and the view that comes after it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use untemplate::page::{
    Alphabet, AttributeFilter, Page, PageSchema, PathInterner, Request, SiteScope, Visit, same_site,
};
use untemplate::rule::Selected;
use untemplate::teach::{
    Choice, ClickedLink, Example, FormPlan, FormRule, LessonAnswer, Means, Navigation, Origin, ShownValue, Spot,
    followings, may_change, show_rule,
};
use url::Url;

use super::asked::Asked;
use super::form_pick::{field_choices, filled_choices, form_at, form_path};
use super::lobby::room_of;
use super::marks::collapsed;
use super::naming::{class_name, clean_id, free_name};
use super::panel::{Scene, cannot_be_had, view_at};
use super::picked::Pick;
use super::proposal::show_all_choice;
use super::question::{chosen, pending};
use super::room::{Known, Room, Unchosen};
use super::rows::{edited_choice, rows_choice};
use super::shaping::shaping_choice;
use super::view::may_be_shown;
use crate::layout::{Part, trouble};
use crate::router::Shared;
use crate::studio::StudioState;

/// Pages of a class that are looked at: enough for a vote, few enough to fetch politely.
const SAMPLE_MAX: usize = 8;

/// Of next pages, fewer: they are of a class that has a sample.
const NEXT_SAMPLE_MAX: usize = 2;

/// Page schemas nearer than this are of one class: the paper's dt.
const CLASS_DISTANCE: f64 = 0.2;

/// Why a choice was not made, as a notice of the panel.
type Refusal = &'static str;

/// `POST /teach/ROOM/do`.
pub async fn act(State(studio): Shared, Path(name): Path<String>, asked: Asked) -> Response {
    let room = match room_of(&studio, &name) {
        Ok(room) => room,
        Err(answer) => return *answer,
    };
    let here = view_at(&studio, &room, asked.get("class"), asked.number("page"));
    let stale = || Redirect::to(&format!("{here}&notice=stale")).into_response();
    let edition = asked.get("seen").parse::<usize>();
    let Ok(edition) = edition else { return stale() };
    if asked.get("act") == "undo" {
        // It needs no page, so that a lesson whose pages are gone can be undone.
        return match room.undo(edition).await {
            Ok(()) => Redirect::to(&here).into_response(),
            Err(Unchosen::Stale) => stale(),
            Err(Unchosen::Unkept(reason)) => unkept(&studio, &reason),
        };
    }
    let known = match room.known().await {
        Ok(known) => known,
        Err(reason) => return cannot_be_had(&studio, &reason),
    };
    if known.edition != edition || !known.has_page(asked.get("class"), asked.number("page")) {
        return stale();
    }
    let choice = match choice(&studio, &room, &known, &asked).await {
        Ok(choice) => in_whole_numbers(choice, &known),
        Err(notice) => return Redirect::to(&format!("{here}&notice={notice}")).into_response(),
    };
    match room.choose(choice.clone(), edition).await {
        Ok(known) => Redirect::to(&after(&studio, &room, &known, &choice, here.clone())).into_response(),
        Err(Unchosen::Stale) => stale(),
        Err(Unchosen::Unkept(reason)) => unkept(&studio, &reason),
    }
}

fn unkept(studio: &StudioState, reason: &str) -> Response {
    let markup = trouble(studio, Part::Teach, "The choice could not be kept", reason);
    (StatusCode::INTERNAL_SERVER_ERROR, markup).into_response()
}

/// A choice with the numbers that pages have in the whole sample: those that are missing count
/// there, and not in what is seen.
fn in_whole_numbers(mut choice: Choice, known: &Known) -> Choice {
    let whole = |class: &str, page: &mut usize| *page = known.present.whole_number(class, *page).unwrap_or(*page);
    match &mut choice {
        Choice::Navigate { navigation, .. } => {
            if let Origin::SamplePage { class, page } = &mut navigation.origin {
                whole(class, page);
            }
        }
        Choice::Show { class, example } => whole(class, &mut example.page),
        Choice::ShowAll {
            class,
            examples,
            absent,
        } => {
            examples.iter_mut().for_each(|example| whole(class, &mut example.page));
            absent.iter_mut().for_each(|(_, page)| whole(class, page));
        }
        Choice::Answer { class, answer } => whole(class, &mut answer.page),
        Choice::Belongs { class, page, .. } => whole(class, page),
        _ => {}
    }
    choice
}

async fn choice(studio: &StudioState, room: &Room, known: &Known, asked: &Asked) -> Result<Choice, Refusal> {
    let scene = Scene::of(studio, room, known, asked).ok_or("odd")?;
    let class = scene.class_id().to_owned();
    let text = |name: &str| asked.get(name).to_owned();
    Ok(match asked.get("act") {
        "follow" if asked.has("also") => also(&scene, asked)?,
        "follow" => follow(&scene, asked).await?,
        "submit" => submit(&scene, asked).await?,
        "show" => {
            let (field, value) = (collapsed(asked.get("field")), pointed(&scene, asked));
            if field.is_empty() || value.text.is_empty() || field.contains(char::is_control) {
                return Err("unnamed");
            }
            let page = scene.page_number;
            Choice::Show {
                class,
                example: Example { field, page, value },
            }
        }
        "answer" => {
            // Who points at the right one is asked about another field than the one that a new name
            // stands beside.
            let field = if asked.has("asked") {
                text("asked")
            } else {
                text("field")
            };
            let page = scene.page_number;
            let values = answered(&scene, asked)?;
            Choice::Answer {
                class,
                answer: LessonAnswer { field, page, values },
            }
        }
        "leave_out" => Choice::LeaveOut {
            class,
            field: text("field"),
            rule: text("rule"),
        },
        "swap" => Choice::Swap {
            id: text("id"),
            rule: text("rule"),
        },
        "remove_field" => Choice::RemoveField {
            class,
            field: text("field"),
        },
        "remove_way" => Choice::RemoveNavigation { id: text("id") },
        "show_all" => show_all_choice(&scene, asked)?,
        "rows" => rows_choice(&scene, asked)?,
        "edit_rows" => edited_choice(&scene, asked)?,
        "remove_rows" => Choice::RemoveRows {
            class,
            name: text("table"),
        },
        _ => shaping_choice(&scene, asked)?,
    })
}

/// The value that was clicked, at the spot where it was.
fn pointed(scene: &Scene<'_>, asked: &Asked) -> ShownValue {
    let text = collapsed(asked.get("value"));
    let pick = Pick::read(&scene.page.page, asked);
    let shown = pick.and_then(|pick| pick.value(&text).cloned());
    shown.unwrap_or_else(|| text.into())
}

/// The values that an answer says: none where it is absent, `None` where nobody knows.
fn answered(scene: &Scene<'_>, asked: &Asked) -> Result<Option<Vec<ShownValue>>, Refusal> {
    match asked.get("say") {
        "absent" => Ok(Some(Vec::new())),
        "skip" => Ok(None),
        "this" => Ok(Some(vec![pointed(scene, asked)])),
        "yes" => {
            let (class, question) = pending(scene.known, scene.class).ok_or("odd")?;
            let is_meant = (class, question.page) == (scene.class, scene.page_number);
            let values = chosen(&scene.page.page.dom, &question, asked.number("choice"));
            values.filter(|_| is_meant).map(Some).ok_or("odd")
        }
        _ => Err("odd"),
    }
}

/// What links like the clicked one lead to.
async fn follow(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, Refusal> {
    let page = &scene.page.page;
    let link = clicked_link(scene, asked)?;
    let clicked = [link.url.clone()];
    let found = followings(page, std::slice::from_ref(&link));
    let following = found
        .iter()
        .find(|following| show_rule(&following.rule) == asked.get("rule"));
    let following = following.or(found.first()).ok_or("odd")?;
    let is_next = asked.get("as") == "next";
    let most = if is_next { NEXT_SAMPLE_MAX } else { SAMPLE_MAX };
    let pages = scene.session().sample().iter();
    let lists: Vec<Vec<Url>> = pages.map(|page| following.rule.addresses(&page.page)).collect();
    let chosen = if is_next {
        spread(&following.addresses, most)
    } else {
        drawn(&clicked[0], &lists, most)
    };
    let requests: Vec<Request> = chosen.into_iter().map(Request::get).collect();
    let had = visited(scene.room, &requests).await;
    if had.is_empty() && !is_next {
        return Err("unread");
    }
    let from = scene.class_id().to_owned();
    let to = if is_next {
        from.clone()
    } else {
        target(scene, asked, &had, &clicked[0])?
    };
    let lesson = &scene.known.said;
    let id = if is_next {
        free_name(&format!("NEXT-{from}"), lesson)
    } else {
        free_name(&format!("TO-{to}"), lesson)
    };
    let is_known = lesson.class(&to).is_some_and(|class| class.sample.len() >= SAMPLE_MAX);
    let sample = if is_known && !is_next {
        Vec::new()
    } else {
        had.into_iter().map(|(request, _)| request).collect()
    };
    let means = Means::Links {
        shown: vec![shown_link(scene, &link)],
        rule: Some(show_rule(&following.rule)),
    };
    let navigation = Navigation {
        id,
        origin: origin(scene),
        to,
        means,
    };
    Ok(Choice::Navigate { navigation, sample })
}

/// The link that was clicked, with its element where the form says which one it was.
fn clicked_link(scene: &Scene<'_>, asked: &Asked) -> Result<ClickedLink, Refusal> {
    let url = Url::parse(asked.get("clicked")).map_err(|_| "odd")?;
    let pick = Pick::read(&scene.page.page, asked);
    let node = pick.and_then(|pick| pick.link).filter(|(_, its)| *its == url);
    Ok(ClickedLink {
        url,
        node: node.map(|(node, _)| node),
    })
}

/// A link as a lesson keeps it: its address, and where it stands.
fn shown_link(scene: &Scene<'_>, link: &ClickedLink) -> ShownValue {
    let dom = &scene.page.page.dom;
    let place = |node| Selected { node, attribute: None };
    ShownValue {
        text: link.url.to_string(),
        spot: link.node.and_then(|node| Spot::of(dom, place(node), None)),
    }
}

/// The page in view, as what navigation departs from.
fn origin(scene: &Scene<'_>) -> Origin {
    Origin::SamplePage {
        class: scene.class_id().to_owned(),
        page: scene.page_number,
    }
}

/// One more link of a navigation that is taught on this page: what both have in common is followed.
fn also(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, Refusal> {
    let mut followed = scene.known.lesson.navigation_from(scene.class_id());
    let is_meant = |its: &&Navigation| its.id == asked.get("also") && its.page() == Some(scene.page_number);
    let mut navigation = followed.find(is_meant).ok_or("odd")?.clone();
    let Means::Links { shown, .. } = &mut navigation.means else {
        return Err("odd");
    };
    shown.push(shown_link(scene, &clicked_link(scene, asked)?));
    let found = navigation.followings(&scene.page.page);
    let chosen = show_rule(&found.first().ok_or("unlike")?.rule);
    if let Means::Links { rule, .. } = &mut navigation.means {
        *rule = Some(chosen);
    }
    let sample = Vec::new();
    Ok(Choice::Navigate { navigation, sample })
}

/// What a form leads to.
async fn submit(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, Refusal> {
    let page = &scene.page.page;
    let form = form_at(page, asked.get("form")).ok_or("odd")?;
    let fields = field_choices(&form, asked);
    let path = form_path(page, form.node);
    let rule = FormRule {
        path: path.parse().map_err(|_| "odd")?,
        choices: fields.clone(),
    };
    let plan = FormPlan::new(page, &rule, form.method).map_err(|_| "unsent")?;
    if !same_site(&scene.room.options.entry, &plan.form.action, SiteScope::Domain) {
        return Err("elsewhere");
    }
    let is_deed = may_change(&plan.form).is_some();
    if is_deed && !asked.has("send") {
        return Err("deed");
    }
    // What may change something is sent as it was filled in, once.
    let plan = if is_deed {
        let rule = FormRule {
            path: rule.path.clone(),
            choices: filled_choices(&form, asked),
        };
        FormPlan::new(page, &rule, form.method).map_err(|_| "unsent")?
    } else {
        plan
    };
    let requests = if is_deed {
        vec![plan.request(&[], 0)]
    } else {
        sample_requests(&plan)
    };
    let had = visited(scene.room, &requests).await;
    if had.is_empty() {
        return Err("unsent");
    }
    let to = target(scene, asked, &had, &form.action)?;
    let id = free_name(&format!("TO-{to}"), &scene.known.said);
    let sample = had.into_iter().map(|(request, _)| request).collect();
    let path = Some(path);
    let navigation = Navigation {
        id,
        origin: origin(scene),
        to,
        means: Means::Form { path, fields },
    };
    Ok(Choice::Navigate { navigation, sample })
}

/// Submissions of a form, evenly spread over all.
fn sample_requests(plan: &FormPlan) -> Vec<Request> {
    let varying: Vec<usize> = (0..plan.variations.len()).collect();
    let size = plan.size(&varying);
    let count = size.min(SAMPLE_MAX);
    let numbers = (0..count).map(|index| index * size / count);
    numbers.map(|number| plan.request(&varying, number)).collect()
}

/// The class that pages are of: the one that was chosen, one whose pages look so, or a new one.
fn target(scene: &Scene<'_>, asked: &Asked, had: &[(Request, Arc<Page>)], url: &Url) -> Result<String, Refusal> {
    let lesson = &scene.known.said;
    if asked.has("to") {
        return lesson.class(asked.get("to")).map(|class| class.id.clone()).ok_or("odd");
    }
    // A name that somebody typed says that the pages are new; the one that the panel suggested says
    // nothing.
    let is_typed = asked.has("name") && asked.get("name").trim() != asked.get("suggested");
    if !is_typed && let Some(alike) = had.first().and_then(|(_, page)| alike_class(scene.known, page)) {
        return Ok(alike);
    }
    match asked.get("name").trim() {
        "" => Ok(class_name(url, "", lesson)),
        name => clean_id(name).map(|id| free_name(&id, lesson)).ok_or("unnamed"),
    }
}

/// The class of the lesson whose pages have nearly the same page schema; the nearest. A page
/// without links is like none: it has nothing to be alike in.
fn alike_class(known: &Known, page: &Page) -> Option<String> {
    let mut interner = PathInterner::new(Alphabet::TagAttributes(AttributeFilter::default()));
    let schema = PageSchema::of(page, &mut interner);
    if schema.paths().is_empty() {
        return None;
    }
    let mut nearest: Option<(f64, &str)> = None;
    for (class, session) in known.lesson.classes.iter().zip(&known.taught.sessions) {
        for sampled in session.sample() {
            let distance = schema.normalised_distance(&PageSchema::of(&sampled.page, &mut interner));
            if distance < nearest.map_or(CLASS_DISTANCE, |(least, _)| least) {
                nearest = Some((distance, &class.id));
            }
        }
    }
    nearest.map(|(_, id)| id.to_owned())
}

/// The link that was clicked, and others from all pages that have such links, in turn and evenly
/// spread over each.
fn drawn(clicked: &Url, lists: &[Vec<Url>], most: usize) -> Vec<Url> {
    let mut chosen = vec![clicked.clone()];
    let spread: Vec<Vec<Url>> = lists.iter().map(|list| spread(list, most)).collect();
    for turn in 0..most {
        for list in spread.iter().filter(|list| !list.is_empty()) {
            // Each list is drawn from at another place, so that not all are first ones.
            let url = &list[(turn * 3 + chosen.len()) % list.len()];
            if chosen.len() < most && !chosen.contains(url) {
                chosen.push(url.clone());
            }
        }
    }
    chosen
}

/// Addresses evenly spread over all, the first among them.
fn spread(addresses: &[Url], most: usize) -> Vec<Url> {
    let count = addresses.len().min(most);
    (0..count)
        .map(|index| addresses[index * addresses.len() / count].clone())
        .collect()
}

/// The requests that bring a page, with their pages.
async fn visited(room: &Room, requests: &[Request]) -> Vec<(Request, Arc<Page>)> {
    let allowed = requests.iter().filter(|request| may_be_shown(room, &request.url));
    let requests: Vec<Request> = allowed.cloned().collect();
    let visits = room.site_thread.visit(&requests).await;
    let had = requests.iter().zip(visits).filter_map(|(request, visit)| match visit {
        Visit::Page(page) => Some((request.clone(), page)),
        _ => None,
    });
    had.collect()
}

/// What to look at after a choice: new pages, or the page of the next question, or the same as
/// before.
fn after(studio: &StudioState, room: &Room, known: &Known, choice: &Choice, here: String) -> String {
    match choice {
        Choice::Navigate { navigation, .. } if !navigation.is_loop() => view_at(studio, room, &navigation.to, 0),
        Choice::Show { class, .. } | Choice::ShowAll { class, .. } | Choice::Answer { class, .. } => {
            let class = known.class_index(class);
            let asked = pending(known, class).filter(|(its, _)| *its == class);
            asked.map_or(here, |(_, question)| {
                view_at(studio, room, &known.lesson.classes[class].id, question.page)
            })
        }
        _ => here,
    }
}
