//! The navigation learnt, as lines of text for people.

use std::fmt::Write;

use super::result::Gathered;

/// Tells which links of which pages led to the pages found, one way a line.
pub fn explain(gathered: &Gathered) -> String {
    let mut text = String::new();
    for lead in &gathered.leads {
        let kind = if lead.family == 0 {
            "the class itself"
        } else {
            "index pages"
        };
        let _ = writeln!(
            text,
            "{} of {} links lead to targets, {} met here first: {}\n  on {} pages such as {} ({kind})",
            lead.n_targets, lead.n_links, lead.n_first, lead.path, lead.n_pages, lead.example,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{GatheredPage, Lead};

    #[test]
    fn a_lead_is_told() {
        let url: url::Url = "http://site.example/?a=<b>&c".parse().expect("a good address");
        let gathered = Gathered {
            pages: vec![GatheredPage {
                url: url.clone(),
                distance: 0.0,
                copy_of: None,
            }],
            leads: vec![Lead {
                family: 1,
                example: url,
                n_pages: 2,
                path: "html/body/ul/li/a".to_owned(),
                n_links: 7,
                n_targets: 6,
                n_first: 5,
            }],
            ..Gathered::default()
        };
        let told = explain(&gathered);
        assert!(
            told.starts_with("6 of 7 links lead to targets, 5 met here first: html/body/ul/li/a"),
            "{told}"
        );
    }
}
