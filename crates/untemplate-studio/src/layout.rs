//! The one layout: what every page of the studio has around it.

use maud::{DOCTYPE, Markup, html};

use crate::studio::StudioState;

/// What a page is, besides its content.
pub struct Frame<'a> {
    /// What the tab is called.
    pub title: &'a str,
    /// The part that it belongs to, as the menu names it.
    pub part: Part,
    /// The modules that it needs, from `assets`.
    pub scripts: &'a [&'a str],
    /// Whether it takes the whole window, without a margin around it.
    pub is_wide: bool,
}

/// The parts of the studio, as the menu has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What was found.
    Look,
    /// What is taught.
    Teach,
    /// What is under way.
    Jobs,
}

/// A whole page.
pub fn page(studio: &StudioState, frame: &Frame<'_>, content: Markup) -> Markup {
    let menu = [
        (Part::Look, "/", "Sites"),
        (Part::Teach, "/teach", "Teach"),
        (Part::Jobs, "/jobs", "Jobs"),
    ];
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (frame.title) " · untemplate" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(studio.at("/assets/studio.css"));
                @for script in frame.scripts {
                    script type="module" src=(studio.at(&format!("/assets/{script}"))) {}
                }
            }
            body.wide[frame.is_wide] {
                a.skip href="#content" { "Skip to the content" }
                header.top {
                    strong { "untemplate" }
                    nav aria-label="Parts of the studio" {
                        @for (part, path, name) in menu {
                            a href=(studio.at(path)) aria-current=[(part == frame.part).then_some("page")] { (name) }
                        }
                    }
                }
                main #content { (content) }
            }
        }
    }
}

/// A page that says what went wrong, and what to try.
pub fn trouble(studio: &StudioState, part: Part, what: &str, advice: &str) -> Markup {
    let frame = Frame {
        title: what,
        part,
        scripts: &[],
        is_wide: false,
    };
    page(
        studio,
        &frame,
        html! {
            h1 { (what) }
            p { (advice) }
            p { a href=(studio.at("/")) { "Back to the studio" } }
        },
    )
}
