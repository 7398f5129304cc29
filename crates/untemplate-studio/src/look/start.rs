//! The start: an address, and what to do with it.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use url::Url;

use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// The form that everything begins with.
pub fn start_form(studio: &StudioState) -> Markup {
    html! {
        form.start method="get" action=(studio.at("/start")) {
            label for="entry" { "Which site?" }
            div.row.entry-row {
                input #entry name="entry" required placeholder="site.example or https://site.example/list" autocomplete="url" autocapitalize="off" spellcheck="false";
                button.primary name="do" value="teach" { "Look and teach" }
                button name="do" value="rebuild" { "Rebuild it all" }
            }
            p.quiet { "“Look and teach” shows the page: click what you want. “Rebuild it all” reads the whole site back into tables, without being shown anything." }
        }
    }
}

/// `GET /start?entry=…&do=…`: leads to the part that does it, with the address as a whole one.
pub async fn start(State(studio): Shared, asked: Asked) -> Response {
    let entry = whole_address(asked.get("entry"));
    let path = match asked.get("do") {
        "rebuild" => format!("/jobs?{}", query(&[("verb", "rebuild"), ("entry", &entry)])),
        _ => format!("/teach?{}", query(&[("entry", &entry)])),
    };
    Redirect::to(&studio.at(&path)).into_response()
}

/// An address as it was typed, with a scheme where it has none.
fn whole_address(typed: &str) -> String {
    let typed = typed.trim();
    let is_whole = Url::parse(typed).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_whole || typed.is_empty() {
        typed.to_owned()
    } else {
        format!("https://{typed}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_no_scheme() {
        assert_eq!(whole_address(" site.example/list "), "https://site.example/list");
        assert_eq!(whole_address("localhost:8080/a"), "https://localhost:8080/a");
        assert_eq!(whole_address("http://site.example/"), "http://site.example/");
    }
}
