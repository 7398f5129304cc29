//! The view of a site model: the graph of its classes, and of each class its samples, schema,
//! wrapper and data.

use std::path::Path;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use tokio::task::block_in_place;
use untemplate::site::model::{PageClass, SiteModel};
use untemplate_report::{class_graph, class_targets, number};
use untemplate_store::read_model;

use super::below::{below, name_below};
use super::inventory::{Kind, take_inventory};
use super::tables::catalogue::{Catalogue, KnownTable};
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::studio::StudioState;
use crate::teach::asked::{Asked, query};

/// Samples and paths of a class that are shown.
const SAMPLES_MAX: usize = 20;
const PATHS_MAX: usize = 60;

/// Table folders that are asked for the data of classes.
const FOLDERS_MAX: usize = 50;

/// A table of a class, and where it is.
struct ClassTable {
    at: String,
    table: KnownTable,
    wrapper: Option<String>,
}

/// `GET /look/model?at=…`.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let Some(file) = below(&studio.folder, asked.get("at")).filter(|file| file.is_file()) else {
        let advice = "It may have been moved; look for it in the list.";
        let markup = trouble(&studio, Part::Look, "There is no such model", advice);
        return (StatusCode::NOT_FOUND, markup).into_response();
    };
    let model = match block_in_place(|| read_model(&file)) {
        Ok(model) => model,
        Err(error) => {
            let markup = trouble(&studio, Part::Look, "The model cannot be shown", &error.to_string());
            return (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response();
        }
    };
    let tables = block_in_place(|| tables_of(&studio, &file, &model));
    let frame = Frame {
        title: asked.get("at"),
        part: Part::Look,
        scripts: &["look.js"],
        is_wide: false,
    };
    page(&studio, &frame, content(&studio, &asked, &model, &tables)).into_response()
}

fn content(studio: &StudioState, asked: &Asked, model: &SiteModel, tables: &[Vec<ClassTable>]) -> Markup {
    let n_visited: usize = model.classes.iter().map(|class| class.pages.len()).sum();
    html! {
        h1 { "Site model of " (model.entry) }
        p.quiet {
            code { (asked.get("at")) } " · " (model.classes.len()) " page classes from " (number(n_visited as u64))
            " pages visited; " (number(model.n_addresses as u64)) " addresses known"
        }
        div.graph { (class_graph(model)) }
        @for (place, class) in model.classes.iter().enumerate() {
            (class_section(studio, model, place, class, tables.get(place).map_or(&[], Vec::as_slice)))
        }
    }
}

fn class_section(
    studio: &StudioState,
    model: &SiteModel,
    place: usize,
    class: &PageClass,
    tables: &[ClassTable],
) -> Markup {
    let sample = |at: &str| studio.at(&format!("/look/page?{}", query(&[("u", at)])));
    html! {
        section.class .(class.kind.name()) #{ "c" (place) } {
            h2 { (class.name) " " span.quiet { (class.kind.name()) } }
            p { strong { (number(class.estimated_pages as u64)) } " pages, " (class.pages.len()) " visited · " code { (class.url_pattern) } }
            (class_targets(model, place))
            @for own in tables {
                p { "Data: " a href=(studio.at(&format!("/look/table?{}", query(&[("at", &own.at), ("table", &own.table.name)])))) { (own.table.name) }
                    " (" (number(own.table.n_rows)) " rows)"
                    @if let Some(wrapper) = &own.wrapper { " · read by " a href=(studio.at(&format!("/look/file?{}", query(&[("at", wrapper)])))) { (wrapper) } }
                }
            }
            details {
                summary { "Samples (" (class.pages.len()) ")" }
                ul { @for (index, at) in class.pages.iter().take(SAMPLES_MAX).enumerate() {
                    li { @if let Some(title) = class.titles.get(index) { (title) " " } a href=(sample(at)) { code { (at) } } }
                } }
                @if class.pages.len() > SAMPLES_MAX { p.quiet { "and " (class.pages.len() - SAMPLES_MAX) " more" } }
            }
            details {
                summary { "Schema (" (class.schema.len()) " paths)" }
                table { tbody { @for path in class.schema.iter().take(PATHS_MAX) {
                    tr { td.number { (format!("{:.0} %", path.support * 100.0)) } td { code { (path.path) } } }
                } } }
            }
        }
    }
}

/// The tables of each class: of the model's own folder first, then of others, where a page of the
/// class was read.
fn tables_of(studio: &StudioState, file: &Path, model: &SiteModel) -> Vec<Vec<ClassTable>> {
    let mut folders: Vec<String> = take_inventory(&studio.folder)
        .of(Kind::Tables)
        .map(|found| found.at.clone())
        .collect();
    let own = file
        .parent()
        .map(|folder| name_below(&studio.folder, folder))
        .unwrap_or_default();
    folders.sort_by_key(|at| *at != own);
    let mut tables: Vec<Vec<ClassTable>> = model.classes.iter().map(|_| Vec::new()).collect();
    for at in folders.into_iter().take(FOLDERS_MAX) {
        let Some(folder) = below(&studio.folder, &at) else {
            continue;
        };
        let Ok(catalogue) = Catalogue::open(&folder.join("tables.sqlite")) else {
            continue;
        };
        for (place, class) in model.classes.iter().enumerate() {
            let Some(number) = class.pages.iter().find_map(|page| catalogue.class_of_page(page)) else {
                continue;
            };
            let its = catalogue.tables.iter().filter(|table| table.page_class == Some(number));
            tables[place].extend(its.map(|table| ClassTable {
                wrapper: table.wrapper.as_ref().map(|name| name_in(&at, name)),
                at: at.clone(),
                table: table.clone(),
            }));
        }
    }
    tables
}

/// The name of a file in a folder that has a name itself.
pub fn name_in(folder: &str, file: &str) -> String {
    if folder.is_empty() {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    }
}
