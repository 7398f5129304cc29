//! Idle parameters: those that change nothing but the address.
//!
//! A parameter is idle when pages that differ in it alone are the same page, again and again, on
//! several paths. Nothing is merged for that: each page is still fetched once, under the first
//! address that came; only the others are refused. A random name in the path counts as a parameter
//! too, and so do the folders before a page's own name, where links that forgot their first slash
//! lead deeper and deeper to the same pages.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use url::Url;

use super::memory::Memory;
use super::page_facts::{HASHER, PageFacts};
use crate::url_rules::is_session;

/// Pages that must have been the same without the parameter before it counts as idle, and how many
/// paths they must be of. A path whose first pages all say "not found" must not condemn the
/// parameter that numbers its pages, hence several paths.
const SAME_MIN: u32 = 12;
const PATHS_MIN: u32 = 4;

/// One page in this many may differ: a counter of visitors, an advertisement.
const DIFFERENT_SHARE: u32 = 20;

/// A single path may be the same page this often, and never another, before more of it is refused
/// whatever other paths do.
const SAME_OF_PATH_MAX: u32 = 25;

/// Parameters that are watched; a site has some dozens.
const NAMES_MAX: usize = 1_000;

/// What is known of the parameters of a site.
#[derive(Debug, Clone)]
pub(super) struct Parameters {
    /// By address without a parameter.
    pages: Memory<Seen>,
    /// By host and name.
    pub(super) evidence: BTreeMap<String, Evidence>,
}

/// A page without a parameter: its content, how often it came again, and whether another came.
#[derive(Debug, Clone, Copy)]
struct Seen {
    content: u64,
    n_same: u32,
    is_varied: bool,
}

/// How often pages were the same without a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Evidence {
    pub(super) n_same: u32,
    pub(super) n_different: u32,
    pub(super) n_paths: u32,
}

impl Evidence {
    pub(super) fn is_idle(&self) -> bool {
        let is_rarely_different = self.n_different.saturating_mul(DIFFERENT_SHARE) <= self.n_same;
        self.n_same >= SAME_MIN && self.n_paths >= PATHS_MIN && is_rarely_different
    }
}

impl Parameters {
    pub(super) fn new(room: usize) -> Self {
        Self {
            pages: Memory::new(room),
            evidence: BTreeMap::new(),
        }
    }

    /// Takes note of a page's content.
    pub(super) fn take(&mut self, facts: &PageFacts) {
        for Slot { name, rest, is_folders } in slots(&facts.url) {
            // The links of pages in different folders differ, if they are written without their
            // folders.
            let content = if is_folders { facts.text } else { facts.content };
            let Some(mut seen) = self.pages.get(rest) else {
                let seen = Seen {
                    content,
                    n_same: 0,
                    is_varied: false,
                };
                self.pages.insert(rest, seen);
                continue;
            };
            if self.evidence.len() >= NAMES_MAX && !self.evidence.contains_key(&name) {
                continue;
            }
            let evidence = self.evidence.entry(name).or_default();
            if seen.content == content {
                evidence.n_same = evidence.n_same.saturating_add(1);
                evidence.n_paths = evidence.n_paths.saturating_add(u32::from(seen.n_same == 0));
                seen.n_same = seen.n_same.saturating_add(1);
            } else {
                evidence.n_different = evidence.n_different.saturating_add(1);
                seen.is_varied = true;
            }
            self.pages.insert(rest, seen);
        }
    }

    /// The idle parameter of an address whose page was fetched without it or with another value.
    /// Folders are idle only without a single exception, and only for addresses below the page that
    /// they were found on.
    pub(super) fn idle(&self, url: &Url, found_on: Option<&Url>) -> Option<(String, Evidence)> {
        let is_below = || found_on.is_some_and(|found_on| is_below(url, found_on));
        slots(url).into_iter().find_map(|Slot { name, rest, is_folders }| {
            let evidence = *self.evidence.get(&name)?;
            let seen = self.pages.get(rest)?;
            let is_idle = match is_folders {
                true => evidence.is_idle() && evidence.n_different == 0 && is_below(),
                false => evidence.is_idle() || (seen.n_same >= SAME_OF_PATH_MAX && !seen.is_varied),
            };
            is_idle.then_some((name, evidence))
        })
    }

    pub(super) fn len(&self) -> usize {
        self.pages.len() + self.evidence.len()
    }
}

/// Whether an address is in a folder below that of another.
fn is_below(url: &Url, other: &Url) -> bool {
    let folder = other.path().rfind('/').map_or("", |slash| &other.path()[..=slash]);
    folder.len() > 1 && url.path().starts_with(folder) && url.path().len() > folder.len()
}

/// A part of an address that may mean nothing: its name, and a hash of the rest.
struct Slot {
    name: String,
    rest: u64,
    is_folders: bool,
}

/// The parts of an address that may mean nothing. Long paths and queries are left alone.
fn slots(url: &Url) -> Vec<Slot> {
    let host = url.host_str().unwrap_or("");
    let segments: Vec<&str> = url.path().split('/').collect();
    let parts: Vec<&str> = url.query().map_or(Vec::new(), |query| query.split('&').collect());
    let slot = |name: &str, kept_segments: &[&str], kept_parts: &[&str], is_folders: bool| Slot {
        name: format!("{host} {name}"),
        rest: HASHER.hash_one((host, url.port(), kept_segments, kept_parts, is_folders)),
        is_folders,
    };
    let mut slots = Vec::new();
    for (index, _) in segments
        .iter()
        .enumerate()
        .take(20)
        .filter(|(_, segment)| is_session(segment))
    {
        let mut kept = segments.clone();
        kept[index] = "{id}";
        slots.push(slot(
            &format!("the random name in folder {index}"),
            &kept,
            &parts,
            false,
        ));
    }
    for (index, part) in parts.iter().enumerate().take(8) {
        let key = part.split('=').next().unwrap_or("");
        let mut kept = parts.clone();
        kept.remove(index);
        slots.push(slot(&format!("the parameter `{key}`"), &segments, &kept, false));
    }
    let n_own = if segments.last() == Some(&"") { 2 } else { 1 };
    slots.push(slot(
        "the path above the last folder",
        &segments[segments.len().saturating_sub(n_own)..],
        &parts,
        true,
    ));
    slots
}
