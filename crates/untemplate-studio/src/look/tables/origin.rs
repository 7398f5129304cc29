//! Origins: where on its page a cell was read.
//!
//! The database tells page, list and field of a cell ([`trace_cell`]); the page comes out of an
//! archive and is read again by the wrapper beside the tables, so that the place is the one that
//! the value stands at.

use std::fs;
use std::path::{Path, PathBuf};

use untemplate::page::{Page, xpath_of};
use untemplate::rule::Selected;
use untemplate::teach::specified_places;
use untemplate::wrapper::SourcePart;
use untemplate_store::table_file::{CellOrigin, trace_cell};
use untemplate_store::{Extractor, parse_specification, read_wrapper};

use super::catalogue::KnownTable;
use crate::jobs::order::JobVerb;
use crate::look::below::below;
use crate::studio::StudioState;

/// What names a row to whoever traces it: the values of its key, or of what tells its page and
/// place.
pub fn row_key(table: &KnownTable, cells: &[Option<String>]) -> String {
    let mut key: Vec<(i64, usize)> = (0..table.columns.len())
        .filter(|&place| table.columns[place].key > 0)
        .map(|place| (table.columns[place].key, place))
        .collect();
    key.sort_unstable();
    if key.is_empty() {
        let telling = |place: &usize| matches!(table.columns[*place].source.as_str(), "address" | "position");
        key = (0..table.columns.len())
            .filter(telling)
            .map(|place| (0, place))
            .collect();
    }
    let values: Vec<&str> = key
        .iter()
        .filter_map(|(_, place)| cells.get(*place)?.as_deref())
        .collect();
    values.join(" ")
}

/// Traces a cell; the text says why it cannot be.
pub fn origin_of(
    file: &Path,
    table: &KnownTable,
    cells: &[Option<String>],
    column: &str,
) -> Result<CellOrigin, String> {
    trace_cell(file, &table.name, &row_key(table, cells), column).map_err(|error| error.to_string())
}

/// The file that reads the pages of a cell: the wrapper that the database names, below its folder,
/// or the specification of the job that wrote the tables.
pub fn reader_of(studio: &StudioState, file: &Path, origin: &CellOrigin) -> Option<PathBuf> {
    let folder = file.parent()?;
    if let Some(wrapper) = &origin.wrapper {
        // A wrapper's name is the database's word: it does not lead out of the folder.
        return below(folder, wrapper);
    }
    let job = studio.jobs.job(folder.parent()?.file_name()?.to_str()?)?;
    let is_its = job.place.folder.canonicalize().ok()? == folder.parent()?.canonicalize().ok()?;
    (is_its && job.order.verb == JobVerb::Run).then(|| below(&studio.folder, &job.order.subject))?
}

/// Where on its page a cell was read: places, and the XPath of each.
pub fn places_of(reader: Option<&Path>, origin: &CellOrigin, page: &Page) -> Vec<(Selected, String)> {
    let key = origin.key.as_deref().unwrap_or_default();
    if !matches!(origin.source.as_str(), "field" | "raw" | "unit") {
        return Vec::new();
    }
    let places = match reader.and_then(|file| fs::read_to_string(file).ok()) {
        None => {
            let found = origin.list_field(key, page).into_iter();
            found.map(|(node, _)| Selected { node, attribute: None }).collect()
        }
        Some(text) => read_places(&text, origin, key, page),
    };
    let named = |place: Selected| {
        let xpath = xpath_of(&page.dom, place.node);
        match place.attribute {
            Some(name) => (place, format!("{xpath}/@{}", page.dom.names().text(name))),
            None => (place, xpath),
        }
    };
    places.into_iter().map(named).collect()
}

fn read_places(text: &str, origin: &CellOrigin, key: &str, page: &Page) -> Vec<Selected> {
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        let Ok(specification) = parse_specification(text) else {
            return Vec::new();
        };
        let row = origin.rounds.first().map(|(list, place)| (list.as_str(), *place));
        return specified_places(page, &specification, row, key);
    }
    let Ok(wrapper) = read_wrapper(text) else {
        return Vec::new();
    };
    let extraction = Extractor::new(wrapper).extract(page);
    let rounds = origin.rounds.iter();
    let path: Vec<(&str, usize)> = rounds
        .map(|(list, place)| (list.as_str(), place.saturating_sub(1)))
        .collect();
    let source = extraction.source(&path, key);
    let place = source.map(|source| Selected {
        node: source.node,
        attribute: match source.part {
            SourcePart::Attribute(name) => Some(name),
            SourcePart::Text | SourcePart::Piece => None,
        },
    });
    place.into_iter().collect()
}
