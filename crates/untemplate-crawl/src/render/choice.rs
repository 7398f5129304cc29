//! `--render=auto`: whether rendering is worth it, decided per URL pattern from a few pages of it.
//!
//! The first pages of a pattern are rendered and compared with what was fetched. As soon as
//! rendering added links or text to one of them, all pages of the pattern are rendered; when it
//! added nothing to any of the first few, none are. A page that is nearly empty as fetched is
//! rendered whatever its pattern says: a pattern's later pages may differ from its first.

use std::collections::HashMap;

use untemplate::page::{Dom, Name, Page, links};
use url::Url;

use crate::trap::url_pattern;

/// Pages of a pattern that are compared before it is given up.
const COMPARED_MAX: usize = 3;

/// Letters of visible text under which a page counts as empty: less than a sentence.
const EMPTY_LETTERS: usize = 80;

/// How much more text or links a rendered page must have to be worth it: a tenth, since clocks,
/// counters and cookie notices add a little.
const GAIN_MIN: f64 = 1.1;

/// What is known of URL patterns so far.
#[derive(Debug, Default)]
pub struct RenderChoice {
    patterns: HashMap<String, Compared>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Compared {
    n_pages: usize,
    n_richer: usize,
}

/// What to do with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Render it.
    Render,
    /// Render it and tell what came of it.
    Compare,
    /// Leave it as fetched.
    Leave,
}

impl RenderChoice {
    /// What to do with a page that was fetched.
    pub fn worth(&self, fetched: &Page) -> Worth {
        let compared = self
            .patterns
            .get(&url_pattern(&fetched.url))
            .copied()
            .unwrap_or_default();
        if compared.n_richer > 0 {
            Worth::Render
        } else if compared.n_pages < COMPARED_MAX || is_nearly_empty(&fetched.dom) {
            Worth::Compare
        } else {
            Worth::Leave
        }
    }

    /// Takes in what rendering made of a page.
    pub fn compare(&mut self, url: &Url, is_richer: bool) {
        let compared = self.patterns.entry(url_pattern(url)).or_default();
        compared.n_pages += 1;
        compared.n_richer += usize::from(is_richer);
    }
}

/// Whether rendering added links or text that matter.
pub fn is_richer(fetched: &Page, rendered: &Page) -> bool {
    let gains = |before: usize, after: usize| after as f64 > before as f64 * GAIN_MIN;
    gains(links(fetched).len(), links(rendered).len()) || gains(n_letters(&fetched.dom), n_letters(&rendered.dom))
}

fn is_nearly_empty(dom: &Dom) -> bool {
    n_letters(dom) < EMPTY_LETTERS
}

fn n_letters(dom: &Dom) -> usize {
    let Some(body) = dom.find(Name::BODY) else {
        return 0;
    };
    let text = dom.visible_text(body);
    text.chars().filter(|letter| !letter.is_whitespace()).count()
}
