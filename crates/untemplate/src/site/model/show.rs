//! Showing a model: its classes and links as text for a person.

use std::fmt::Write;

use super::site_model::{PageClass, SiteModel};

/// Links of a class that are shown.
const LINKS_MAX: usize = 6;

/// The model: a class a paragraph, those with most pages first.
pub fn show_model(model: &SiteModel) -> String {
    let n_visited: usize = model.classes.iter().map(|class| class.pages.len()).sum();
    let mut shown = format!(
        "site {}\n{} classes from {n_visited} pages; {} addresses known\n",
        model.entry,
        model.classes.len(),
        model.n_addresses
    );
    for (number, class) in model.classes.iter().enumerate() {
        show_class(model, number, class, &mut shown);
    }
    shown
}

fn show_class(model: &SiteModel, number: usize, class: &PageClass, shown: &mut String) {
    let promise = "a string takes all";
    let (visited, estimated) = (class.pages.len(), class.estimated_pages);
    writeln!(shown, "\n{number} {} ({})", class.name, class.kind.name()).expect(promise);
    writeln!(shown, "  pages    {visited} visited, about {estimated} known").expect(promise);
    writeln!(shown, "  address  {}", class.url_pattern).expect(promise);
    if let Some(page) = class.pages.first() {
        writeln!(shown, "  sample   {page}").expect(promise);
    }
    for (to, count) in strongest_links(model, number, LINKS_MAX) {
        writeln!(shown, "  leads to {to} {} ({count} links)", model.classes[to].name).expect(promise);
    }
}

/// The classes that a class links to most, and how often.
pub fn strongest_links(model: &SiteModel, from: usize, most: usize) -> Vec<(usize, usize)> {
    let mut counts = vec![0; model.classes.len()];
    for link in model.links.iter().filter(|link| link.from == from) {
        counts[link.to] += link.count;
    }
    let mut found: Vec<(usize, usize)> = counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
    found.sort_by_key(|&(to, count)| (std::cmp::Reverse(count), to));
    found.truncate(most);
    found
}
