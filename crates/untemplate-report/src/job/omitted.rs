//! What was left out: the addresses that nothing was read from, by the reason, folded away.

use maud::{Markup, html};

use super::page::OmittedSection;
use crate::text::{number, shown_value};

/// Characters of an address.
const ADDRESS_CHARS: usize = 160;

/// What was left out; nothing where there is none.
pub(super) fn omitted(sections: &[OmittedSection]) -> Markup {
    html! {
        @if !sections.is_empty() {
            section #omitted {
                h2 { "What was left out" }
                @for section in sections { (list(section)) }
            }
        }
    }
}

fn list(section: &OmittedSection) -> Markup {
    let more = section.count.saturating_sub(section.addresses.len());
    html! {
        details {
            summary { b { (section.title) } " " small { (number(section.count as u64)) } }
            p.soft { (section.why) }
            ul {
                @for (address, note) in &section.addresses {
                    li { (shown_value(address, ADDRESS_CHARS)) @if !note.is_empty() { " " small { (note) } } }
                }
                @if more > 0 { li.soft { "and " (number(more as u64)) " more" } }
            }
        }
    }
}
