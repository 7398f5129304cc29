//! `run --dry-run`: the plan of a run, before requests are spent on it.
//!
//! The entries are visited, and of what each request class leads to the first few pages. What leads
//! on from those is counted, and from the counts follows how many requests a run would make. Forms
//! are not sent: what lies behind them is named, since nobody can count it without going there.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use untemplate::page::Method;
use untemplate::teach::{RequestClass, RequestMeans, RequestReport, RunReport, Specification, show_path};

use crate::output::counted;
use crate::time_needed::Look;

/// How many requests a run would make, as far as the pages that were visited show.
pub struct Estimate {
    /// Of each request class that is known of, in the order of the specification.
    requests: Vec<Option<usize>>,
    /// Of all of them, entries included.
    pub total: usize,
    /// Whether something lies behind forms and next pages, which nobody counted.
    is_least: bool,
}

impl Estimate {
    /// Multiplies what the visited pages of each class have by how many pages the class is thought
    /// to have.
    pub fn of(specification: &Specification, report: &RunReport) -> Self {
        let entries = specification.classes.iter();
        let mut n_pages: BTreeMap<&str, f64> = entries
            .map(|class| (class.id.as_str(), class.addresses.len() as f64))
            .collect();
        let mut requests = vec![None; specification.request_classes.len()];
        // A class is counted before what leads on from it; where classes lead to each other, in the
        // order they are in.
        let is_open = |index: &usize| {
            let counts = &report.request_classes[*index];
            counts.pages > 0 && !counts.is_loop
        };
        let mut open: Vec<usize> = (0..requests.len()).filter(is_open).collect();
        while !open.is_empty() {
            let class = |index: usize| &specification.request_classes[index];
            let is_ready = |&index: &usize| open.iter().all(|&other| class(other).to != class(index).from);
            let at = open.iter().position(is_ready).unwrap_or(0);
            let index = open.remove(at);
            let (class, counts) = (class(index), &report.request_classes[index]);
            let of_from = n_pages.get(class.from.as_str()).copied().unwrap_or(0.0);
            let found = found_on(of_from, counts);
            *n_pages.entry(&class.to).or_default() += found;
            requests[index] = Some(found.round() as usize);
        }
        let is_uncounted = |(class, counts): (&RequestClass, &RequestReport)| match class.means {
            RequestMeans::Form(_) => counts.found > 0,
            RequestMeans::Links(_) => counts.is_loop && counts.found > 0,
        };
        let mut classes = specification.request_classes.iter().zip(&report.request_classes);
        Self {
            requests,
            total: n_pages.values().sum::<f64>().round() as usize,
            is_least: classes.any(is_uncounted),
        }
    }

    /// The whole in a sentence.
    fn show(&self, look: &Look) -> String {
        let more = match self.is_least {
            true => ", and what lies behind forms and next pages",
            false => "",
        };
        format!(
            "about {}{more}, fewer where several lead to one page; {}\n",
            counted(self.total, "request"),
            look.time_for(self.total)
        )
    }
}

/// How many different requests `n_pages` pages have. What every page has, such as a menu, counts
/// once: each page after the first adds what the others that were visited added.
fn found_on(n_pages: f64, counts: &RequestReport) -> f64 {
    match counts.pages {
        0 | 1 => n_pages * counts.found as f64,
        visited => {
            let of_each = counts.found as f64 / visited as f64;
            let fresh = counts.fresh as f64 / (visited - 1) as f64;
            of_each + (n_pages - 1.0).max(0.0) * fresh
        }
    }
}

/// The plan as text: paths, then the page classes with what is read there, then the request classes
/// with what was found of them, and what all of it takes.
pub fn plan_text(
    specification: &Specification,
    follow: &[String],
    report: &RunReport,
    estimate: &Estimate,
    look: &Look,
) -> String {
    let mut text = String::new();
    let paths = specification.paths.iter();
    for path in paths.filter(|path| follow.is_empty() || follow.iter().any(|name| name == path.name())) {
        text.push_str(&format!("path {}: {}\n", path.name(), show_path(path)));
    }
    for (class, counts) in specification.classes.iter().zip(&report.classes) {
        let had = match (class.addresses.len(), counts.supports + counts.rejected) {
            (0, 0) => String::new(),
            (0, n_had) => format!(": {} visited, {} rejected", counted(n_had, "page"), counts.rejected),
            (n_entries, n_had) => format!(": {n_had} of {n_entries} entries visited, {} rejected", counts.rejected),
        };
        let names = class.fields.iter().map(|field| field.name.as_str());
        let names: Vec<&str> = names.chain(class.rows.iter().map(|rows| rows.name.as_str())).collect();
        let reads = if names.is_empty() {
            String::new()
        } else {
            format!(", reads {}", names.join(", "))
        };
        text.push_str(&format!("page class {}{had}{reads}\n", class.id));
    }
    let classes = specification.request_classes.iter().zip(&report.request_classes);
    for ((class, counts), about) in classes.zip(&estimate.requests) {
        let about = about.filter(|&about| about > counts.found);
        let about = about.map_or(String::new(), |about| format!(", about {about} in all"));
        let found = request_text(class, counts);
        text.push_str(&format!("request class {}: {found}{about}\n", class.id));
    }
    text + &estimate.show(look)
}

fn request_text(class: &RequestClass, counts: &RequestReport) -> String {
    let method = if class.method == Method::Post { "POST" } else { "GET" };
    let means = match &class.means {
        RequestMeans::Links(_) => "links",
        RequestMeans::Form(_) => "a form",
    };
    let found = match counts.pages {
        0 => format!("not known before pages of {} are visited", class.from),
        n_pages => format!("{} on {}", counted(counts.found, "request"), counted(n_pages, "page")),
    };
    format!("{} to {} by {method}, {means}: {found}", class.from, class.to)
}

/// The same for programs: of each request class, how many requests the visited pages have; null
/// where that is not known yet.
pub fn plan_json(report: &RunReport) -> Value {
    let counts = report.request_classes.iter().map(|class| {
        let found = (class.pages > 0).then_some(class.found);
        (class.id.clone(), json!(found))
    });
    Value::Object(counts.collect::<Map<_, _>>())
}
