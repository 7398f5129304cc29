//! The navigation learnt, for people: as lines of text, and as a drawing on a page of its own.
//!
//! In: a [`Gathered`]. Out: text, or HTML that needs nothing from outside: on the left the kinds of pages that hold links, on the right the class that
//! was sought, and between them an arrow for each tag path, as thick as what it led to.

use std::fmt::Write;

use super::result::{Gathered, Lead};
use crate::page::escaped_markup;

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

const ROW: usize = 64;
const WIDTH: usize = 1000;

/// Draws the navigation learnt, as a page.
pub fn draw(gathered: &Gathered) -> String {
    let leads: Vec<&Lead> = gathered.leads.iter().filter(|lead| lead.n_targets > 0).collect();
    let height = ROW * leads.len().max(2) + ROW;
    let most = leads.iter().map(|lead| lead.n_targets).max().unwrap_or(1);
    let sample = gathered.pages.first().map_or("", |page| page.url.as_str());
    let mut html = String::from(
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Navigation learnt</title><style>body{font:14px sans-serif;margin:24px;color:#222}\
         text{font:12px sans-serif;fill:#222}.path{fill:#666}rect{fill:#eef3fa;stroke:#7a93b8}path{fill:none;stroke:#7a93b8;opacity:.6}</style>",
    );
    let _ = write!(
        html,
        "<h1>{} pages like <a href=\"{1}\">{1}</a></h1><p>The class is thought to have {2} pages. {3} downloads.</p>\
         <svg viewBox=\"0 0 {WIDTH} {height}\" width=\"100%\" role=\"img\">",
        gathered.pages.len(),
        escaped_markup(sample),
        gathered.size_estimate,
        gathered.downloads,
    );
    let middle = height / 2;
    for (row, lead) in leads.iter().enumerate() {
        let y = ROW * row + ROW / 2;
        let thickness = 1 + 14 * lead.n_targets / most;
        let _ = write!(
            html,
            "<path d=\"M430 {y}C640 {y} 640 {middle} 790 {middle}\" stroke-width=\"{thickness}\"/><rect x=\"10\" y=\"{}\" width=\"420\" height=\"48\" rx=\"6\"/>\
             <text x=\"20\" y=\"{}\">{} pages such as {}</text><text x=\"20\" y=\"{}\" class=\"path\">{} of {} links, {} first: {}</text>",
            y - 24,
            y - 6,
            lead.n_pages,
            escaped_markup(&shortened(lead.example.as_str(), 48)),
            y + 14,
            lead.n_targets,
            lead.n_links,
            lead.n_first,
            escaped_markup(&last_steps(&lead.path, 36)),
        );
    }
    let _ = write!(
        html,
        "<rect x=\"790\" y=\"{}\" width=\"200\" height=\"48\" rx=\"6\"/><text x=\"800\" y=\"{}\">{} pages found</text></svg>",
        middle - 24,
        middle + 4,
        gathered.pages.len(),
    );
    html
}

/// A text without its middle, where it is long.
fn shortened(text: &str, length_max: usize) -> String {
    let n_chars = text.chars().count();
    if n_chars <= length_max {
        return text.to_owned();
    }
    let head: String = text.chars().take(length_max / 3).collect();
    let tail: String = text.chars().skip(n_chars - length_max * 2 / 3).collect();
    format!("{head}…{tail}")
}

/// The end of a path, where it is long.
fn last_steps(path: &str, length_max: usize) -> String {
    let n_chars = path.chars().count();
    if n_chars <= length_max {
        return path.to_owned();
    }
    let tail: String = path.chars().skip(n_chars - length_max).collect();
    format!("…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::GatheredPage;

    #[test]
    fn a_lead_is_told_and_drawn() {
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
        let drawn = draw(&gathered);
        assert!(
            drawn.contains("html/body/ul/li/a") && drawn.contains("&amp;c") && !drawn.contains("<b>"),
            "{drawn}"
        );
        assert_eq!(drawn.matches("<path").count(), 1);
    }
}
