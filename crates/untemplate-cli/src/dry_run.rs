//! `run --dry-run`: the plan of a run, before requests are spent on it.
//!
//! The entries are visited and nothing else. What leads on from there is counted; what lies behind
//! is named, since nobody can count it without going there.

use serde_json::{Map, Value, json};
use untemplate::page::Method;
use untemplate::teach::{RequestClass, RequestMeans, RequestReport, RunReport, Specification, show_path};

use crate::output::counted;

/// The plan as text: paths, then the page classes with what is read there, then the request classes
/// with what was found of them.
pub fn plan_text(specification: &Specification, follow: &[String], report: &RunReport) -> String {
    let mut text = String::new();
    let paths = specification.paths.iter();
    for path in paths.filter(|path| follow.is_empty() || follow.iter().any(|name| name == path.name())) {
        text.push_str(&format!("path {}: {}\n", path.name(), show_path(path)));
    }
    for (class, counts) in specification.classes.iter().zip(&report.classes) {
        let had = match (class.addresses.len(), counts.supports + counts.rejected) {
            (0, _) => String::new(),
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
    for (class, counts) in specification.request_classes.iter().zip(&report.request_classes) {
        text.push_str(&format!(
            "request class {}: {}\n",
            class.id,
            request_text(class, counts)
        ));
    }
    text
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

/// The same for programs: of each request class, how many requests the entries have; null where
/// that is not known yet.
pub fn plan_json(report: &RunReport) -> Value {
    let counts = report.request_classes.iter().map(|class| {
        let found = (class.pages > 0).then_some(class.found);
        (class.id.clone(), json!(found))
    });
    Value::Object(counts.collect::<Map<_, _>>())
}
