//! Instances: what a run found, kept whole and printed, for tests.
//!
//! The extensional level is the support of each page class, the constructional level which request
//! led from which page to which. A run itself keeps neither.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use url::Url;

use crate::page::Request;
use crate::teach::run::{Arrival, Fate, RunEvent};
use crate::teach::specification::method_text;

/// Everything that a run told of its requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instance {
    /// What came of each request, in order.
    pub arrivals: Vec<Arrival>,
}

impl Instance {
    /// Keeps what an event tells.
    pub fn observe(&mut self, event: RunEvent<'_>) -> ControlFlow<()> {
        if let RunEvent::Arrived(arrival) = event {
            self.arrivals.push(arrival.clone());
        }
        ControlFlow::Continue(())
    }

    /// The pages that support each class, in the order they were reached.
    pub fn supports(&self) -> BTreeMap<&str, Vec<&Url>> {
        let mut supports: BTreeMap<&str, Vec<&Url>> = BTreeMap::new();
        for arrival in &self.arrivals {
            if let (Fate::Supports, Some(page)) = (&arrival.fate, &arrival.page) {
                supports.entry(&arrival.class).or_default().push(page);
            }
        }
        supports
    }

    /// The extensional level: the support of each class.
    pub fn show_extension(&self) -> String {
        let mut text = String::new();
        for (class, pages) in self.supports() {
            text.push_str(&format!("{class} {}\n", pages.len()));
            pages.iter().for_each(|page| text.push_str(&format!("  {page}\n")));
        }
        text
    }

    /// The constructional level: each request, where it was found, and what came of it.
    pub fn show_construction(&self) -> String {
        let mut text = String::new();
        for arrival in &self.arrivals {
            let from = arrival.parent.as_ref().map_or("entry".to_owned(), Url::to_string);
            let via = arrival.request_class.as_deref().unwrap_or("");
            let (request, fate) = (request_text(&arrival.request), arrival.fate.word());
            text.push_str(&format!("{from} -{via}-> {request} {fate} {}\n", arrival.class));
        }
        text
    }
}

/// A request in one line: method, address, and what is sent.
fn request_text(request: &Request) -> String {
    let body = String::from_utf8_lossy(&request.body);
    let space = if body.is_empty() { "" } else { " " };
    format!("{} {}{space}{body}", method_text(request.method), request.url)
}
