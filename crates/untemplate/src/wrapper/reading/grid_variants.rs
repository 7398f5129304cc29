//! Grid variants: tables of data that stand at one place of their pages and are different tables.
//!
//! In: a grid, and the places of the guide where grids with its name were met. Out: the place whose
//! headers it has, or a new one. The appendices of a site share one template, and each has a table
//! with headers of its own: these are as many tables, and not one with all columns of all of them.
//! Grids are one table when half of the headers of the smaller one are in the larger one, so that a
//! table may lack columns. Grids without headers are one.
//!
//! Two cases look the same and are one table: headers that say the same in several languages, which
//! are equally many and each on many pages; and headers that are values (years, names), which are
//! different nearly every time. [`Guide::merge_grid_variants`] makes these one again, once all
//! pages were counted.

use std::collections::BTreeMap;

use crate::content::{BlockId, BlockKind, Content};
use crate::page::stable_hash;

use super::guide::{Guide, Place, PlaceId};
use super::step::{Seen, Step, StepKind};

/// The fewest headers that tell tables apart.
const HEADERS_MIN: usize = 2;

/// The most tables at one place: more are one whose headers are values.
const VARIANTS_MAX: usize = 24;

/// The fewest times that the headers of a language occur.
const LANGUAGE_GRIDS_MIN: usize = 3;

/// The rows of a grid that are asked for headers.
const HEADER_ROWS: usize = 4;

/// The most characters of the headers in the name of a variant; of longer ones a hash tells them
/// apart.
const HEADERS_MAX: usize = 60;

/// What the names of a variant and its headers stand between.
const OPEN: char = '(';

impl Guide {
    /// The place that a block leads to from another place.
    pub(super) fn child_seen(&self, place: PlaceId, seen: &Seen<'_>, content: &Content) -> Option<PlaceId> {
        let base = self.child(place, seen.step.hash())?;
        if seen.step.kind != StepKind::Grid || !self.has_variants(base) {
            return Some(base);
        }
        let headers = headers_of(content, seen.block);
        Some(self.variant_with(base, &headers).unwrap_or(base))
    }

    /// The same while pages are counted: a grid with headers of its own gets a place of its own.
    pub(super) fn grid_place(&mut self, base: PlaceId, seen: &Seen<'_>, content: &Content) -> PlaceId {
        let headers = headers_of(content, seen.block);
        let is_new = self.places[base].children.is_empty();
        if is_new || headers.len() < HEADERS_MIN {
            return base;
        }
        if let Some(known) = self.variant_with(base, &headers) {
            return known;
        }
        if self.variants(base).len() >= VARIANTS_MAX {
            return base;
        }
        let text = format!("{}{OPEN}{})", self.places[base].text, short_headers(&headers));
        let parent = self.places[base].parent;
        let variant = self.places.len();
        self.places.push(Place::new(StepKind::Grid, &text, parent));
        self.places[parent].children.push(variant);
        let hash = Step {
            kind: StepKind::Grid,
            text: &text,
        }
        .hash();
        self.by_step.insert((parent, hash), variant);
        variant
    }

    fn has_variants(&self, base: PlaceId) -> bool {
        self.variants(base).len() > 1
    }

    /// A place and its variants.
    fn variants(&self, base: PlaceId) -> Vec<PlaceId> {
        let own = &self.places[base];
        let is_variant = |place: &PlaceId| {
            let other = &self.places[*place];
            let is_named = |rest: &str| rest.starts_with(OPEN);
            other.kind == StepKind::Grid && other.text.strip_prefix(own.text.as_str()).is_some_and(is_named)
        };
        let siblings = self.places[own.parent].children.iter().copied();
        std::iter::once(base).chain(siblings.filter(is_variant)).collect()
    }

    /// The variant that has most of these headers, if it has half of them.
    fn variant_with(&self, base: PlaceId, headers: &[&str]) -> Option<PlaceId> {
        if headers.len() < HEADERS_MIN {
            return Some(base);
        }
        let scored = self.variants(base).into_iter().map(|variant| {
            let known = self.grid_headers(variant);
            let is_known = |header: &&&str| known.binary_search(*header).is_ok();
            let n_shared = headers.iter().filter(is_known).count();
            (n_shared, headers.len().min(known.len()), variant)
        });
        scored
            .filter(|(n_shared, least, _)| n_shared * 2 >= *least && *n_shared > 0)
            .max_by_key(|&(n_shared, _, variant)| (n_shared, std::cmp::Reverse(variant)))
            .map(|(_, _, variant)| variant)
    }

    /// The headers of the grids of a place.
    fn grid_headers(&self, grid: PlaceId) -> Vec<&str> {
        let rows = self.places[grid].children.iter();
        let cells = rows.flat_map(|&row| &self.places[row].children);
        let cells = cells.map(|&cell| &self.places[cell]);
        let mut headers: Vec<&str> = cells
            .filter(|cell| cell.kind == StepKind::Cell)
            .map(|cell| cell.text.trim())
            .collect();
        headers.sort_unstable();
        headers.dedup();
        headers
    }

    /// Makes variants one whose headers are those of several languages, or values.
    pub(super) fn merge_grid_variants(&mut self) {
        let bases: Vec<PlaceId> = (0..self.places.len())
            .filter(|&place| {
                let own = &self.places[place];
                own.kind == StepKind::Grid && !own.text.contains(OPEN) && self.has_variants(place)
            })
            .collect();
        for base in bases {
            let variants = self.variants(base);
            let parent = self.places[base].parent;
            if variants.len() >= VARIANTS_MAX {
                self.merge_into(parent, base, &variants);
                continue;
            }
            let mut by_width: BTreeMap<usize, Vec<PlaceId>> = BTreeMap::new();
            for variant in variants {
                if self.places[variant].n >= LANGUAGE_GRIDS_MIN {
                    let width = self.grid_headers(variant).len();
                    by_width.entry(width).or_default().push(variant);
                }
            }
            for languages in by_width.into_values().filter(|languages| languages.len() > 1) {
                self.merge_into(parent, languages[0], &languages);
            }
        }
    }
}

/// Headers as part of a name, of bounded length.
fn short_headers(headers: &[&str]) -> String {
    let all = headers.join(", ");
    if all.chars().count() <= HEADERS_MAX {
        return all;
    }
    let beginning: String = all.chars().take(HEADERS_MAX).collect();
    format!("{beginning}~{:x}", stable_hash(all.as_bytes()) & 0xff_ffff)
}

/// The name of a grid without the headers of a variant.
pub(crate) fn without_headers(name: &str) -> &str {
    name.split(OPEN).next().unwrap_or(name)
}

/// The headers of a grid, in order.
fn headers_of(content: &Content, grid: BlockId) -> Vec<&str> {
    let mut headers: Vec<&str> = Vec::new();
    // Each row has the headers again: a few tell them all, also where cells span several columns.
    for row in content.children(grid).take(HEADER_ROWS) {
        for cell in content.children(row) {
            let name = content.name(cell).trim();
            let is_header = content.block(cell).kind == BlockKind::Cell && name.contains(char::is_alphabetic);
            if is_header && !headers.contains(&name) {
                headers.push(name);
            }
        }
    }
    headers
}
