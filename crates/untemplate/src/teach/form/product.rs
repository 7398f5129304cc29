//! Which product of options is worth sending (Madhavan et al. 2008, §4.1: informative query
//! templates).
//!
//! With two or more fields that vary, all combinations are many, and most sites have fields that
//! change nothing: sort orders, page sizes, themes. A template is the set of fields that vary while
//! the others keep their defaults. It is informative when, of a sample of its submissions, enough
//! have results that differ. Templates grow from single fields by one field at a time, and only
//! informative ones grow.
//!
//! In: a [`FormPlan`], and whoever sends its submissions. Out: the fields to vary. Departures: of
//! the informative templates the one with most fields is taken, the first of those, since its
//! submissions cover those of its parts; only fields that are informative alone join; the sample is
//! spread evenly instead of drawn.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;

use super::submission::FormPlan;
use crate::page::{Name, NodeId, Page, Request, links, push_collapsed};

/// How products are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProductOptions {
    /// Submissions of a template that are looked at.
    pub sample_max: usize,
    /// The share of them that must have results of their own; the paper's is 0.25.
    pub distinct_min: f64,
    /// The most fields that vary at once; the paper's is 3.
    pub fields_max: usize,
    /// The most templates that are tried.
    pub templates_max: usize,
}

impl Default for ProductOptions {
    fn default() -> Self {
        Self {
            sample_max: 8,
            distinct_min: 0.25,
            fields_max: 3,
            templates_max: 12,
        }
    }
}

/// The fields of a plan that are worth varying together. `results` sends submissions and gives the
/// signature of each answer that was a page. With one field there is nothing to decide, and nothing
/// is sent.
pub fn choose_product(
    plan: &FormPlan,
    options: &ProductOptions,
    results: &mut dyn FnMut(&[Request]) -> Vec<Option<u64>>,
) -> Vec<usize> {
    let n_fields = plan.variations.len();
    if n_fields < 2 {
        return (0..n_fields).collect();
    }
    let mut n_tried = 0;
    let mut grown: Vec<Vec<usize>> = (0..n_fields).map(|field| vec![field]).collect();
    let mut best: Vec<usize> = Vec::new();
    let mut alone: Option<Vec<usize>> = None;
    while !grown.is_empty() && n_tried < options.templates_max {
        let mut informative: Vec<Vec<usize>> = Vec::new();
        for template in grown.into_iter().take(options.templates_max - n_tried) {
            n_tried += 1;
            if is_informative(plan, &template, options, results) {
                informative.push(template);
            }
        }
        if let Some(first) = informative.first() {
            best = first.clone();
        }
        let alone = alone.get_or_insert_with(|| informative.iter().flatten().copied().collect());
        grown = if best.len() < options.fields_max {
            grow(&informative, alone)
        } else {
            Vec::new()
        };
    }
    best
}

/// Each template with a later field that is informative alone, so that none is made twice, and no
/// sort order joins.
fn grow(templates: &[Vec<usize>], alone: &[usize]) -> Vec<Vec<usize>> {
    let longer = |template: &Vec<usize>| {
        let last = template.last().copied().unwrap_or(0);
        let template = template.clone();
        let later = alone.iter().filter(move |&&field| field > last);
        later.map(move |&field| [template.as_slice(), &[field]].concat())
    };
    templates.iter().flat_map(longer).collect()
}

fn is_informative(
    plan: &FormPlan,
    template: &[usize],
    options: &ProductOptions,
    results: &mut dyn FnMut(&[Request]) -> Vec<Option<u64>>,
) -> bool {
    let size = plan.size(template);
    let n_sampled = size.min(options.sample_max.max(1));
    let requests: Vec<Request> = (0..n_sampled)
        .map(|number| plan.request(template, spread(number, n_sampled, size)))
        .collect();
    let signatures = results(&requests);
    let mut distinct: Vec<u64> = signatures.iter().flatten().copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    // One result whatever is chosen is no choice at all.
    (distinct.len() > 1 || size == 1) && distinct.len() as f64 >= options.distinct_min * n_sampled as f64
}

/// The number of a sample among all: evenly spread, and each a little further than the last, so
/// that the fields that turn fast turn, too.
fn spread(number: usize, n_sampled: usize, size: usize) -> usize {
    let stride = (size / n_sampled).max(1);
    number * stride + number % stride
}

/// What an answer shows, the order aside: the links that the page with the form has not, or where
/// it has none, the texts.
///
/// Menus are on both pages, and counters, dates and sort orders change no link, so that two answers
/// with one signature have the same results.
pub fn result_signature(form_page: &Page, answer: &Page) -> u64 {
    let hash = FixedState::with_seed(0x666f_726d);
    let targets = |page: &Page| -> Vec<u64> {
        let mut all: Vec<u64> = links(page)
            .iter()
            .map(|link| hash.hash_one(link.url.as_str()))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let known = targets(form_page);
    let mut own = targets(answer);
    own.retain(|target| known.binary_search(target).is_err());
    if own.is_empty() {
        own = texts(answer, &hash);
    }
    hash.hash_one(&own)
}

/// The hashes of a page's shown texts, sorted.
fn texts(page: &Page, hash: &FixedState) -> Vec<u64> {
    let dom = &page.dom;
    let mut all: Vec<u64> = Vec::new();
    let mut hidden_until = NodeId::DOCUMENT;
    let mut text = String::new();
    for node in dom.nodes() {
        // The form shows again what was filled in.
        if node >= hidden_until && (dom.is_unseen(node) || dom.is_html(node, Name::FORM)) {
            hidden_until = dom.subtree_end(node);
        }
        if node < hidden_until || !dom.is_text(node) {
            continue;
        }
        text.clear();
        push_collapsed(dom.text(node), &mut text);
        if !text.is_empty() {
            all.push(hash.hash_one(&text));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
