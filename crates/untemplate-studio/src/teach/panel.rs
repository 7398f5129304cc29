//! A view: the page in its frame, and the panel beside it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::{Value, json};
use untemplate::teach::{SamplePage, Session, TaughtField};

use super::asked::{Asked, query};
use super::fields::{field_marks, fields_panel};
use super::form_pick::{form_at, form_panel};
use super::lobby::room_of;
use super::naming::page_title;
use super::navigation::navigation_panel;
use super::pick::pick_panel;
use super::picked::Pick;
use super::proposal::proposal_panel;
use super::question::{pending, question_panel};
use super::room::{Known, Room};
use super::run::run_button;
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::StudioState;

/// The header by which our script asks for the panel alone.
pub const PANEL_HEADER: &str = "x-panel";

/// What is looked at.
pub struct Scene<'a> {
    /// The studio.
    pub studio: &'a StudioState,
    /// The lesson.
    pub room: &'a Room,
    /// What is known.
    pub known: &'a Known,
    /// The class of the page in view.
    pub class: usize,
    /// The page in view, as its number in the sample.
    pub page_number: usize,
    /// The page in view.
    pub page: &'a SamplePage,
}

impl<'a> Scene<'a> {
    /// What an address asks to look at.
    pub fn of(studio: &'a StudioState, room: &'a Room, known: &'a Known, asked: &Asked) -> Option<Self> {
        let class = known.class_index(asked.get("class"));
        let (page_number, page) = known.page(class, asked.number("page"))?;
        Some(Self {
            studio,
            room,
            known,
            class,
            page_number,
            page,
        })
    }

    /// The session of the class in view.
    pub fn session(&self) -> &'a Session {
        &self.known.taught.sessions[self.class]
    }

    /// The fields of the class in view, as a person shaped them.
    pub fn fields(&self) -> Vec<TaughtField> {
        self.known.lesson.classes[self.class].shaped_fields(self.session())
    }

    /// Where is asked what a path picks on this page.
    pub fn matches_at(&self) -> String {
        let number = self.page_number.to_string();
        let query = query(&[("class", self.class_id()), ("page", &number)]);
        self.studio.at(&format!("/teach/{}/matches?{query}", self.room.name))
    }

    /// The name of the class in view.
    pub fn class_id(&self) -> &'a str {
        &self.known.lesson.classes[self.class].id
    }

    /// The address of a page of a class.
    pub fn at(&self, class: &str, page_number: usize) -> String {
        view_at(self.studio, self.room, class, page_number)
    }

    /// The address of another page of this class.
    pub fn page_at(&self, page_number: usize) -> String {
        self.at(self.class_id(), page_number)
    }

    /// The address of the first page of a class.
    pub fn class_at(&self, class: &str) -> String {
        self.at(class, 0)
    }

    /// The address of this page, with nothing clicked.
    pub fn here(&self) -> String {
        self.page_at(self.page_number)
    }

    /// Where choices are sent.
    pub fn action(&self) -> String {
        self.studio.at(&format!("/teach/{}/do", self.room.name))
    }

    /// What every choice says: which one it is, unless its button says so, and where one was.
    pub fn hidden(&self, act: &str) -> Markup {
        html! {
            @if !act.is_empty() { input type="hidden" name="act" value=(act); }
            input type="hidden" name="class" value=(self.class_id());
            input type="hidden" name="page" value=(self.page_number);
            input type="hidden" name="seen" value=(self.known.edition);
        }
    }

    /// A choice that is one button.
    pub fn button(&self, act: &str, values: &[(&str, &str)], words: &str) -> Markup {
        html! {
            form method="post" action=(self.action()) data-soft="" {
                (self.hidden(act))
                @for (name, value) in values { input type="hidden" name=(name) value=(value); }
                button { (words) }
            }
        }
    }

    /// Where the frame's page is.
    fn frame_at(&self) -> String {
        let number = self.page_number.to_string();
        let query = query(&[("class", self.class_id()), ("page", &number)]);
        self.studio.view_at(&format!("/{}/page?{query}", self.room.name))
    }
}

/// The address of a page of a class.
pub fn view_at(studio: &StudioState, room: &Room, class: &str, page_number: usize) -> String {
    let query = query(&[("class", class), ("page", &page_number.to_string())]);
    studio.at(&format!("/teach/{}?{query}", room.name))
}

/// `GET /teach/ROOM`: the whole view, or for our script the panel alone.
pub async fn whole(State(studio): Shared, Path(name): Path<String>, headers: HeaderMap, asked: Asked) -> Response {
    let room = match room_of(&studio, &name) {
        Ok(room) => room,
        Err(answer) => return *answer,
    };
    let known = match room.known().await {
        Ok(known) => known,
        Err(reason) => return cannot_be_had(&studio, &reason),
    };
    let only_panel = headers.contains_key(PANEL_HEADER);
    match tokio::task::block_in_place(|| shown(&studio, &room, &known, &asked, only_panel)) {
        Some(markup) => markup.into_response(),
        None => cannot_be_had(&studio, "The lesson has no page to show."),
    }
}

/// The answer where a lesson cannot be shown.
pub fn cannot_be_had(studio: &StudioState, reason: &str) -> Response {
    let markup = trouble(studio, Part::Teach, "A page of this lesson cannot be had", reason);
    (StatusCode::BAD_GATEWAY, markup).into_response()
}

fn shown(studio: &Arc<StudioState>, room: &Room, known: &Known, asked: &Asked, only_panel: bool) -> Option<Markup> {
    let scene = Scene::of(studio, room, known, asked)?;
    let panel = panel(&scene, asked);
    if only_panel {
        return Some(panel);
    }
    let title = page_title(&scene.page.page);
    let frame = Frame {
        title: &title,
        part: Part::Teach,
        scripts: &["teach.js"],
        is_wide: true,
    };
    let content = html! {
        div.teach {
            iframe #page title="The page, as it was fetched" sandbox="allow-scripts" referrerpolicy="no-referrer" src=(scene.frame_at()) {}
            (panel)
        }
    };
    Some(page(studio, &frame, content))
}

/// The panel: what was clicked or is asked first, then what is known.
fn panel(scene: &Scene<'_>, asked: &Asked) -> Markup {
    let (first, marks) = first_part(scene, asked);
    html! {
        aside #panel tabindex="-1" aria-label="What is taught" data-frame=(scene.frame_at()) data-marks=(json!(marks).to_string()) data-choices=(scene.known.n_choices) {
            (whereabouts(scene))
            @if let Some(words) = notice(asked.get("notice")) { p.notice role="status" { (words) } }
            (missing(scene.known))
            (first)
            (fields_panel(scene))
            (navigation_panel(scene))
            (ending(scene))
        }
    }
}

fn first_part(scene: &Scene<'_>, asked: &Asked) -> (Markup, Vec<Value>) {
    let page = &scene.page.page;
    if asked.has("form")
        && let Some(form) = form_at(page, asked.get("form"))
    {
        return (form_panel(scene, &form, asked), Vec::new());
    }
    if asked.has("pick")
        && let Some(pick) = Pick::read(page, asked)
    {
        return pick_panel(scene, &pick, asked);
    }
    if asked.has("propose") {
        return proposal_panel(scene);
    }
    match pending(scene.known, scene.class) {
        Some((class, question)) if (class, question.page) == (scene.class, scene.page_number) => {
            question_panel(scene, &question)
        }
        Some((class, question)) => {
            let there = scene.at(&scene.known.lesson.classes[class].id, question.page);
            let markup = html! {
                section.card {
                    p { "There is a question about " strong { (question.field) } "." }
                    p { a.button.primary data-soft="" data-key="q" href=(there) { "Answer it" kbd { "q" } } }
                }
            };
            (markup, field_marks(scene))
        }
        None => (html! {}, field_marks(scene)),
    }
}

/// Which page is in view, of which class, and which others there are.
fn whereabouts(scene: &Scene<'_>) -> Markup {
    let lesson = &scene.known.lesson;
    let class = &lesson.classes[scene.class];
    html! {
        nav.classes aria-label="Page classes" {
            @for (index, class) in lesson.classes.iter().enumerate() {
                @if index > 0 { span.arrow aria-hidden="true" { "›" } }
                a data-soft="" href=(scene.class_at(&class.id)) aria-current=[(index == scene.class).then_some("true")] { (class.id) }
            }
        }
        nav.pages aria-label="Pages of the sample" {
            @let n_pages = scene.session().sample().len();
            @if n_pages > 1 {
                @for number in 0..n_pages {
                    a.struck[class.unwanted.contains(&number)] data-soft="" href=(scene.page_at(number)) aria-current=[(number == scene.page_number).then_some("page")]
                        title=(scene.session().sample()[number].page.url) { (number + 1) }
                }
            }
        }
        div.row.address-row {
            p.address title=(scene.page.page.url) { (scene.page.page.url) }
            @if class.unwanted.contains(&scene.page_number) {
                (scene.button("belongs", &[("wanted", "yes")], "It belongs after all"))
            } @else if class.sample.len() > 1 {
                (scene.button("belongs", &[], "Does not belong"))
            }
            button type="button" data-key="p" data-page="" title="Go to the page: arrows walk over it, Enter clicks, Escape comes back" { "Page" kbd { "p" } }
        }
    }
}

/// Pages that cannot be had, and what went with them.
fn missing(known: &Known) -> Markup {
    html! {
        @if !known.missed.is_empty() {
            details.field {
                summary { span.warning { (known.missed.len()) " pages of this lesson cannot be had" } }
                ul { @for reason in known.missed.iter().chain(&known.taught.lost) { li { (reason) } } }
                p.quiet { "What was said about them is kept, and counts again once they are back: start again to try." }
            }
        }
    }
}

fn ending(scene: &Scene<'_>) -> Markup {
    html! {
        section.ending {
            (run_button(scene.studio, scene.room, scene.known))
            a.button data-key="d" href=(scene.studio.at(&format!("/teach/{}/specification", scene.room.name))) { "The specification" }
            @if scene.known.n_choices > 0 { (scene.button("undo", &[], "Undo")) }
        }
    }
}

/// What there is to say after a choice, by its code: nothing that an address says is shown itself.
fn notice(code: &str) -> Option<&'static str> {
    Some(match code {
        "unread" => "None of the pages that these links lead to could be had; nothing was changed.",
        "unsent" => "The form brought no page; nothing was changed.",
        "unnamed" => {
            "A name needs a letter or a digit first, no control characters, and must not be there already; nothing was changed."
        }
        "stale" => "Something else was chosen meanwhile, perhaps in another tab; nothing was changed. Look again.",
        "deed" => {
            "This form may change something on the site; it was not sent. Say that it is to be sent, and send it again."
        }
        "elsewhere" => "The form leads to another site; it was not sent.",
        "pattern" => "This is no regular expression; nothing was changed.",
        "path" => "This is no path from the document, such as //dd[@class='age']; nothing was changed.",
        "columns" => "Nothing was checked, so that nothing would be read; nothing was changed.",
        "unlike" => "No rule picks both links; nothing was changed.",
        "odd" => "That choice made no sense here; nothing was changed.",
        _ => return None,
    })
}
