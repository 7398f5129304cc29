//! The graph of classes: a column for each number of clicks from the entry, a circle for each
//! class.
//!
//! Circles are as large as their classes, on a scale that shows five pages and fifty thousand; arcs
//! are as thick as links are many. In each column classes stand in order of the mean height of
//! those that lead to them, so that few arcs cross.

use std::collections::VecDeque;

use maud::{Markup, html};
use untemplate::site::model::{SiteModel, strongest_links};

use crate::text::cut;

const COLUMN_WIDTH: f64 = 260.0;
const MARGIN: f64 = 40.0;
const LABEL_CHARS: usize = 24;

/// Arcs from a class that are drawn: of those that lead to many classes, the strongest.
const ARCS_MAX: usize = 6;

/// The graph of the classes of a model, as a figure. A class is a link to `#c` and its number.
pub fn class_graph(model: &SiteModel) -> Markup {
    let columns = columns(model);
    let heights: Vec<f64> = columns
        .iter()
        .map(|column| column.iter().map(|&class| room(model, class)).sum())
        .collect();
    let tallest = heights.iter().copied().fold(0.0, f64::max);
    let (width, height) = (columns.len() as f64 * COLUMN_WIDTH + MARGIN, tallest + 2.0 * MARGIN);
    let mut places = vec![(0.0, 0.0); model.classes.len()];
    for (number, column) in columns.iter().enumerate() {
        let mut y = MARGIN + (tallest - heights[number]) / 2.0;
        for &class in column {
            places[class] = (
                MARGIN + 20.0 + number as f64 * COLUMN_WIDTH,
                y + room(model, class) / 2.0,
            );
            y += room(model, class);
        }
    }
    html! {
        figure {
            svg.graph width=(rounded(width)) height=(rounded(height)) viewBox={ "0 0 " (rounded(width)) " " (rounded(height)) } role="group" aria-label="graph of page classes" {
                @for from in 0..model.classes.len() {
                    @for (to, count) in strongest_links(model, from, ARCS_MAX) {
                        (arc((from, places[from]), (to, places[to]), count))
                    }
                }
                @for (class, &place) in places.iter().enumerate() { (node(model, class, place)) }
            }
            figcaption {
                "Page classes by clicks from the entry; blue: lists, brown: details, violet: menus, grey: single pages. Point at one to see where it leads."
            }
        }
    }
}

/// A length as drawings have it.
fn rounded(length: f64) -> String {
    format!("{length:.0}")
}

/// The class of the entry. An entry that redirects is no page of any class: then it is that of the
/// page with the shortest path, which is what a site's entry leads to.
fn entry_class(model: &SiteModel) -> usize {
    let own = model
        .classes
        .iter()
        .position(|class| class.pages.contains(&model.entry));
    let path_of = |page: &String| {
        let path = page.split_once("://").map_or(page.as_str(), |(_, rest)| rest);
        let is_folder = path.ends_with('/') || path.contains("/index.");
        (path.trim_end_matches('/').matches('/').count(), !is_folder, path.len())
    };
    let shortest = |class: usize| model.classes[class].pages.iter().map(path_of).min();
    let first = || {
        (0..model.classes.len())
            .filter(|&class| shortest(class).is_some())
            .min_by_key(|&class| shortest(class))
    };
    own.or_else(first).unwrap_or(0)
}

/// The classes by least number of links from the entry's class; those that nothing leads to come
/// last.
fn columns(model: &SiteModel) -> Vec<Vec<usize>> {
    let n_classes = model.classes.len();
    let entry = entry_class(model);
    let mut depth: Vec<Option<usize>> = vec![None; n_classes];
    let mut queue = VecDeque::new();
    if n_classes > 0 {
        depth[entry] = Some(0);
        queue.push_back(entry);
    }
    while let Some(from) = queue.pop_front() {
        for link in model.links.iter().filter(|link| link.from == from) {
            if depth[link.to].is_none() {
                depth[link.to] = depth[from].map(|depth| depth + 1);
                queue.push_back(link.to);
            }
        }
    }
    let deepest = depth.iter().flatten().max().copied().unwrap_or(0);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); deepest + 2];
    for (class, depth) in depth.iter().enumerate() {
        columns[depth.unwrap_or(deepest + 1)].push(class);
    }
    columns.retain(|column| !column.is_empty());
    order_columns(model, &mut columns);
    columns
}

/// Puts each column in order of the mean place of what leads there from the column before.
fn order_columns(model: &SiteModel, columns: &mut [Vec<usize>]) {
    for number in 1..columns.len() {
        let before = columns[number - 1].clone();
        let mean_place = |class: usize| {
            let from = before
                .iter()
                .enumerate()
                .filter(|(_, other)| model.links.iter().any(|link| link.from == **other && link.to == class));
            let places: Vec<usize> = from.map(|(place, _)| place).collect();
            places.iter().sum::<usize>() as f64 / places.len().max(1) as f64
        };
        columns[number].sort_by(|&left, &right| mean_place(left).total_cmp(&mean_place(right)).then(left.cmp(&right)));
    }
}

fn radius(model: &SiteModel, class: usize) -> f64 {
    5.0 + 3.0 * (model.classes[class].estimated_pages.max(1) as f64).ln()
}

/// The height that a class takes in its column.
fn room(model: &SiteModel, class: usize) -> f64 {
    (2.0 * radius(model, class) + 8.0).max(26.0)
}

fn arc((from, start): (usize, (f64, f64)), (to, end): (usize, (f64, f64)), count: usize) -> Markup {
    let width = 1.0 + (count as f64).ln().max(0.0) * 0.6;
    let path = if from == to {
        let (x, y) = start;
        format!("M{x:.0} {y:.0} c-45 -40 45 -40 0 0")
    } else {
        let bend = if end.0 > start.0 { COLUMN_WIDTH / 2.0 } else { -60.0 };
        format!(
            "M{:.0} {:.0} C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
            start.0,
            start.1,
            start.0 + bend,
            start.1,
            end.0 - bend.abs() * if end.0 > start.0 { 1.0 } else { -1.0 },
            end.1,
            end.0,
            end.1
        )
    };
    html! { path.arc data-from=(from) data-to=(to) stroke-width=(format!("{width:.1}")) d=(path) {} }
}

fn node(model: &SiteModel, number: usize, (x, y): (f64, f64)) -> Markup {
    let class = &model.classes[number];
    let radius = radius(model, number);
    let (label, y) = (rounded(x + radius + 5.0), rounded(y));
    html! {
        a href={ "#c" (number) } {
            g.node.(class.kind.name()) data-class=(number) {
                title { (class.name) ": about " (class.estimated_pages) " pages, " (class.url_pattern) }
                circle cx=(rounded(x)) cy=(y) r=(format!("{radius:.1}")) {}
                text x=(label) y=(y) dy="-1" { (cut(&class.name, LABEL_CHARS)) }
                text.soft x=(label) y=(y) dy="11" { (class.estimated_pages) }
            }
        }
    }
}
