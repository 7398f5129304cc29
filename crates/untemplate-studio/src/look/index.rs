//! The index: everything below the studio's folder that can be looked at.

use axum::extract::State;
use maud::{Markup, html};
use tokio::task::block_in_place;

use super::inventory::{Found, Inventory, Kind, take_inventory};
use super::sites::{card, sites};
use super::start::start_form;
use super::words::{moment, size};
use crate::layout::{Frame, Part, page};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::query;

/// The address of the view of something.
pub fn view_of(studio: &StudioState, found: &Found) -> String {
    let path = match found.kind {
        Kind::Tables => "/look/tables",
        Kind::Crawl => "/look/crawl",
        Kind::Model => "/look/model",
        Kind::Specification | Kind::Wrapper => "/look/file",
    };
    studio.at(&format!("{path}?{}", query(&[("at", &found.at)])))
}

/// `GET /`.
pub async fn index(State(studio): Shared) -> Markup {
    let inventory = block_in_place(|| take_inventory(&studio.folder));
    let sites = block_in_place(|| sites(&studio, &inventory));
    let frame = Frame {
        title: "Sites",
        part: Part::Look,
        scripts: &["drop.js"],
        is_wide: false,
    };
    let content = html! {
        h1 { "Sites" }
        (start_form(&studio))
        @if !sites.is_empty() { div.sites { @for site in &sites { (card(&studio, site)) } } }
        details.files open[sites.is_empty()] {
        summary { h2 { "Files" } }
        p.quiet { "Below " code { (studio.folder.canonicalize().as_ref().unwrap_or(&studio.folder).display()) } }
        @if inventory.is_cut { p.warning { "The folder is larger than is looked through; start the studio in a part of it to see the rest." } }
        @if inventory.found.is_empty() {
            p { "There are no tables, crawls, models or specifications yet. " a href=(studio.at("/jobs")) { "Start a job" } " or " a href=(studio.at("/teach")) { "teach" } " the program what you want." }
        }
        div.record_store {
            (section(&studio, &inventory, Kind::Tables, "Tables"))
            (section(&studio, &inventory, Kind::Crawl, "Crawls"))
            (section(&studio, &inventory, Kind::Model, "Site models"))
            (section(&studio, &inventory, Kind::Specification, "Specifications"))
            (section(&studio, &inventory, Kind::Wrapper, "Wrappers"))
        }
        h2 { "Lessons" }
        (crate::teach::lesson_list(&studio))
        }
    };
    page(&studio, &frame, content)
}

fn section(studio: &StudioState, inventory: &Inventory, kind: Kind, title: &str) -> Markup {
    let found: Vec<&Found> = inventory.of(kind).collect();
    html! {
        @if !found.is_empty() {
            h2 { (title) }
            table.list {
                thead { tr { th { "Name" } th.number { "Size" } th.when { "Changed (UTC)" } } }
                tbody {
                    @for found in found {
                        tr {
                            td { a href=(view_of(studio, found)) { @if found.at.is_empty() { "(this folder)" } @else { (found.at) } } }
                            td.number { (size(found.bytes)) }
                            td.when { @if let Some(modified) = found.modified { (moment(modified)) } }
                        }
                    }
                }
            }
        }
    }
}
