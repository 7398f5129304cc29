//! The frame of every page: what stands before and after its content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What a page may do: look as it does. Whatever a site wrote into it runs nothing and asks nobody.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// The same for a page with a script of ours.
const SCRIPTED_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// A whole page: as wide as the screen is, light or dark as the reader has it, and no address is
/// told where a link was followed from.
pub(crate) fn document(title: &str, style: &'static str, body: Markup) -> String {
    framed(title, style, POLICY, body)
}

/// The same for a page with a script of ours.
pub(crate) fn scripted_document(title: &str, style: &'static str, body: Markup) -> String {
    framed(title, style, SCRIPTED_POLICY, body)
}

fn framed(title: &str, style: &'static str, policy: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
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
