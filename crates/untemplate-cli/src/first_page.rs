//! What is said of a run whose first page brings nothing: why it could not begin, or that the page
//! is empty without its scripts.

use anyhow::anyhow;
use untemplate::page::{Name, Namespace, NodeId, NodeKind, Page, Request, Site, Visit};
use untemplate_store::{SourceSite, StopReason};
use url::Url;

/// Letters that a page without its scripts has at most, title aside, to be taken for an empty one:
/// a line that says "enable JavaScript", a name, a copyright.
const EMPTY_LETTERS_MAX: usize = 200;

/// What is said of the host of a run that was given up, if it was.
pub fn silence_of(site: &SourceSite) -> Option<&'static str> {
    match site.figures.stopped_because {
        Some(StopReason::Silent(message)) => Some(message),
        _ => None,
    }
}

/// Why a run cannot begin: what was lost, else what the entry itself answers.
pub fn cannot_begin(site: &mut dyn Site, entry: &Url, loss: Option<&str>) -> anyhow::Error {
    let why = loss.map_or_else(|| answer_of(site, entry), str::to_owned);
    anyhow!("cannot begin at {entry}: {}", without_address(&why, entry))
}

/// What was said of an address that has just been named.
fn without_address(why: &str, url: &Url) -> String {
    match why.strip_prefix(url.as_str()) {
        Some(rest) if rest.starts_with(": ") => rest[2..].to_owned(),
        Some(rest) if rest.starts_with(' ') => format!("it{rest}"),
        _ => why.to_owned(),
    }
}

/// What the entry answers, from the archive where it was asked before.
fn answer_of(site: &mut dyn Site, entry: &Url) -> String {
    match site.visit(&[Request::get(entry.clone())]).pop() {
        // An answer with a status says by itself what to try.
        Some(Visit::Dead { reason }) if reason.contains("; ") => reason,
        Some(Visit::Dead { reason }) => format!("{reason}; check the address"),
        Some(Visit::Refused { reason } | Visit::NotFollowed { reason }) if reason.contains("robots") => {
            format!("{reason}; --no-robots asks all the same, for sites of your own")
        }
        Some(Visit::Refused { reason } | Visit::NotFollowed { reason } | Visit::Failed { reason }) => reason,
        Some(Visit::Page(page)) => empty_without_scripts(&page)
            .unwrap_or_else(|| "it has nothing to read, and no links; check the address".to_owned()),
        Some(Visit::Stopped) | None => "there is no page; check the address and the page sources".to_owned(),
    }
}

/// The same for the entry of a run that found nothing.
pub fn entry_without_scripts(site: &mut dyn Site, entry: &Url) -> Option<String> {
    match site.visit(&[Request::get(entry.clone())]).pop() {
        Some(Visit::Page(page)) => empty_without_scripts(&page),
        _ => None,
    }
}

/// Why a run found nothing, as far as its first page shows.
pub fn nothing_read(site: &mut dyn Site, entry: &Url) -> String {
    match site.visit(&[Request::get(entry.clone())]).pop() {
        Some(Visit::Page(page)) if letters_and_scripts(&page).0 == 0 => {
            format!("nothing was found: {entry} has no text; check that it is the page that is meant")
        }
        _ => "nothing was found that a row could be made of; `untemplate show content PAGE` prints what is read of a page"
            .to_owned(),
    }
}

/// What to try with a page that has scripts and hardly a word without them; `None` for other pages.
pub fn empty_without_scripts(page: &Page) -> Option<String> {
    let (n_letters, n_scripts) = letters_and_scripts(page);
    (n_scripts > 0 && n_letters <= EMPTY_LETTERS_MAX).then(|| {
        format!(
            "{} is nearly empty without its scripts; --render has Chromium run them",
            page.url
        )
    })
}

/// The letters and digits of a page, title aside, and its scripts.
fn letters_and_scripts(page: &Page) -> (usize, usize) {
    let dom = &page.dom;
    let end = dom.subtree_end(NodeId::DOCUMENT);
    let (mut n_letters, mut n_scripts) = (0, 0);
    let mut at = NodeId(1);
    while at < end {
        let mut next = NodeId(at.0 + 1);
        match dom.kind(at) {
            NodeKind::Text => n_letters += dom.text(at).chars().filter(|c| c.is_alphanumeric()).count(),
            NodeKind::Element(Namespace::Html) => match dom.name_text(at) {
                "script" => {
                    n_scripts += 1;
                    next = dom.subtree_end(at);
                }
                "style" | "template" => next = dom.subtree_end(at),
                _ if dom.is_html(at, Name::TITLE) => next = dom.subtree_end(at),
                _ => {}
            },
            _ => {}
        }
        at = next;
    }
    (n_letters, n_scripts)
}
