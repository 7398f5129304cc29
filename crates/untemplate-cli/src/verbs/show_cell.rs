//! `untemplate show cell`: where a value of a table comes from: page, place, field, text.
//!
//! The folder tells which page, list and field a cell is; the page is asked for again and read by
//! the wrapper in the folder, so that what is printed is what is there now.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use untemplate::page::{Dom, Name, NodeId, Page, xpath_of};
use untemplate::teach::{Specification, specified_places};
use untemplate::wrapper::SourcePart;
use untemplate_store::table_file::{CellOrigin, trace_cell};
use untemplate_store::{Extractor, SourceSite};

use crate::arguments::ShowArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::write_result;
use crate::page_arguments::read_page;
use crate::reader::Reader;

/// A place on a page that a value was read from.
struct CellPlace {
    xpath: String,
    text: String,
}

/// Traces the cell that the arguments name: a folder, a table, a row, a column.
pub fn show_cell(arguments: &ShowArguments, site: &mut SourceSite) -> Result<Outcome> {
    let [folder, table, row_key, column] = arguments.pages.as_slice() else {
        bail!(WrongUsage(
            "show cell takes a folder, a table, the key of a row and a column: untemplate show cell untemplate-out player http://cup.example/players/ada-1.html height".to_owned()
        ));
    };
    let folder = PathBuf::from(folder);
    let origin = trace_cell(&folder.join("tables.sqlite"), table, row_key, column)?;
    let mut text = origin_text(&origin);
    let is_read = matches!(origin.source.as_str(), "field" | "raw" | "unit");
    if !is_read {
        write_result(&arguments.output, text.as_bytes())?;
        return Ok(Outcome::Complete);
    }
    let page = match read_page(&origin.url, site, &arguments.sources) {
        Ok(page) => page,
        Err(error) => {
            // What the database knows is told all the same.
            write_result(&arguments.output, text.as_bytes())?;
            let what = format!(
                "{} cannot be read again; give --mirror, --warc or --archive",
                origin.url
            );
            return Err(error.context(what));
        }
    };
    let places = places_of(&folder, &origin, &page)?;
    for place in &places {
        line("xpath", &place.xpath, &mut text);
        line("text", &place.text, &mut text);
    }
    // A cell that never had a value has not lost it.
    let is_lost = places.is_empty() && origin.value.is_some();
    if is_lost {
        line("now", "the page no longer has it", &mut text);
    }
    write_result(&arguments.output, text.as_bytes())?;
    Ok(if is_lost { Outcome::Drift } else { Outcome::Complete })
}

fn line(name: &str, value: &str, text: &mut String) {
    writeln!(text, "{name:<9} {value}").expect("a string takes all");
}

/// What the database knows of a cell.
fn origin_text(origin: &CellOrigin) -> String {
    let mut text = String::new();
    line("value", origin.value.as_deref().unwrap_or("(none)"), &mut text);
    let unit = origin
        .unit
        .as_ref()
        .map_or(String::new(), |unit| format!(", in {unit}"));
    line("type", &format!("{}{unit}", origin.kind), &mut text);
    if let Some(raw) = &origin.raw {
        line("raw", raw, &mut text);
    }
    line("page", &origin.url, &mut text);
    if let Some(page) = &origin.page {
        let seen = match (&page.first_seen, &page.last_seen) {
            (Some(first), Some(last)) => format!(", first seen {first}, last seen {last}"),
            _ => String::new(),
        };
        line("state", &format!("{}{seen}", page.state), &mut text);
    }
    if let Some(class) = &origin.class {
        line("class", class, &mut text);
    }
    for (list, place) in &origin.rounds {
        line("list", &format!("{list}, row {place}"), &mut text);
    }
    match origin.source.as_str() {
        "address" => line("field", "the address of the page", &mut text),
        "position" => line("field", "the place of the row in its list", &mut text),
        "joined" => {
            let key = origin.key.as_deref().unwrap_or_default();
            line(
                "field",
                &format!("joined from {key}; show that cell for its place"),
                &mut text,
            );
        }
        _ => line("field", origin.key.as_deref().unwrap_or_default(), &mut text),
    }
    match &origin.wrapper {
        Some(wrapper) => line("wrapper", wrapper, &mut text),
        None if !origin.rounds.is_empty() => line(
            "wrapper",
            "none: the page stands alone, and its lists are read",
            &mut text,
        ),
        None => {}
    }
    text
}

fn places_of(folder: &Path, origin: &CellOrigin, page: &Page) -> Result<Vec<CellPlace>> {
    let key = origin.key.as_deref().unwrap_or_default();
    let Some(wrapper) = &origin.wrapper else {
        let found = origin.list_field(key, page).into_iter();
        let place = |(node, text): (NodeId, String)| CellPlace {
            xpath: xpath_of(&page.dom, node),
            text,
        };
        return Ok(found.map(place).collect());
    };
    Ok(match Reader::open(&folder.join(wrapper))? {
        Reader::Wrapper(extractor) => wrapper_place(&extractor, origin, key, page).into_iter().collect(),
        Reader::Specification(specification) => taught_places(&specification, origin, key, page),
    })
}

/// Where an inferred wrapper reads a field.
fn wrapper_place(extractor: &Extractor, origin: &CellOrigin, key: &str, page: &Page) -> Option<CellPlace> {
    let extraction = extractor.extract(page);
    let path: Vec<(&str, usize)> = origin
        .rounds
        .iter()
        .map(|(list, place)| (list.as_str(), place.saturating_sub(1)))
        .collect();
    let source = extraction.source(&path, key)?;
    let attribute = match source.part {
        SourcePart::Attribute(name) => Some(name),
        SourcePart::Text | SourcePart::Piece => None,
    };
    Some(place_at(&page.dom, source.node, attribute))
}

/// Where taught rules read a field.
fn taught_places(specification: &Specification, origin: &CellOrigin, key: &str, page: &Page) -> Vec<CellPlace> {
    let row = origin.rounds.first().map(|(list, place)| (list.as_str(), *place));
    let places = specified_places(page, specification, row, key).into_iter();
    places
        .map(|place| place_at(&page.dom, place.node, place.attribute))
        .collect()
}

fn place_at(dom: &Dom, node: NodeId, attribute: Option<Name>) -> CellPlace {
    let xpath = xpath_of(dom, node);
    match attribute {
        Some(name) => CellPlace {
            xpath: format!("{xpath}/@{}", dom.names().text(name)),
            text: dom.attribute(node, name).unwrap_or_default().to_owned(),
        },
        None => CellPlace {
            xpath,
            text: dom.visible_text(node).split_whitespace().collect::<Vec<_>>().join(" "),
        },
    }
}
