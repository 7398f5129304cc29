//! The navigation that led from a sample to the pages like it, as a drawing.
//!
//! In: a [`Gathered`]. Out: a page: on the left the kinds of pages that hold links, on the right
//! the class that was sought, and between them an arrow for each tag path, as thick as what it led
//! to.

use maud::{Markup, html};
use untemplate::site::{Gathered, Lead};

use crate::document::document;

const ROW: usize = 64;
const WIDTH: usize = 1000;

/// Draws the navigation learnt, as a page.
pub fn navigation_page(gathered: &Gathered) -> String {
    let sample = gathered.pages.first().map_or("", |page| page.url.as_str());
    let body = html! {
        h1 { (gathered.pages.len()) " pages like " a href=(sample) rel="noreferrer nofollow" { (sample) } }
        p { "The class is thought to have " (gathered.size_estimate) " pages. " (gathered.downloads) " downloads." }
        div.scroll tabindex="0" { (drawing(gathered)) }
    };
    document("Navigation learnt", STYLE, body)
}

const STYLE: &str = "body{font:14px sans-serif;margin:24px;background:#fff;color:#222}h1{font-size:1.3rem;overflow-wrap:anywhere}.scroll{overflow-x:auto}\
svg{width:100%;min-width:44rem}text{font:12px sans-serif;fill:#222}.path{fill:#666}rect{fill:#eef3fa;stroke:#7a93b8}path{fill:none;stroke:#7a93b8;opacity:.6}";

fn drawing(gathered: &Gathered) -> Markup {
    let leads: Vec<&Lead> = gathered.leads.iter().filter(|lead| lead.n_targets > 0).collect();
    let height = ROW * leads.len().max(2) + ROW;
    let most = leads.iter().map(|lead| lead.n_targets).max().unwrap_or(1);
    let middle = height / 2;
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label="which links lead to the pages" {
            @for (row, lead) in leads.iter().enumerate() {
                @let y = ROW * row + ROW / 2;
                path d={ "M430 " (y) "C640 " (y) " 640 " (middle) " 790 " (middle) } stroke-width=(1 + 14 * lead.n_targets / most) {}
                rect x="10" y=(y - 24) width="420" height="48" rx="6" {}
                text x="20" y=(y - 6) { (lead.n_pages) " pages such as " (without_middle(lead.example.as_str(), 48)) }
                text.path x="20" y=(y + 14) {
                    (lead.n_targets) " of " (lead.n_links) " links, " (lead.n_first) " first: " (last_steps(&lead.path, 36))
                }
            }
            rect x="790" y=(middle - 24) width="200" height="48" rx="6" {}
            text x="800" y=(middle + 4) { (gathered.pages.len()) " pages found" }
        }
    }
}

/// A text without its middle, where it is long.
fn without_middle(text: &str, length_max: usize) -> String {
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
    use untemplate::site::GatheredPage;

    #[test]
    fn a_lead_is_drawn() {
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
        let drawn = navigation_page(&gathered);
        assert!(
            drawn.contains("html/body/ul/li/a") && drawn.contains("&amp;c") && !drawn.contains("<b>"),
            "{drawn}"
        );
        assert_eq!(drawn.matches("<path").count(), 1);
    }
}
