//! The frame of every page: what stands before and after its content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A whole page: as wide as the screen is, light or dark as the reader has it, and no address is
/// told where a link was followed from.
pub(crate) fn document(title: &str, style: &'static str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string() + "\n"
}
