//! Columns: the items of all records, set one below the other.
//!
//! In: the items of each record. Out: for each record, the column of each of its items. The longest
//! record begins; each other is aligned with the columns so far, as in the paper's center star
//! (Álvarez 2007, section 5), and what fits none of them becomes a column of its own where it
//! stands. Departure: places are compared with their classes first and without them second, and
//! among several ways the one wins that puts values of one shape below each other; columns that
//! take turns are one in the end (`alternatives.rs`).

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::alternatives::join_alternatives;
use super::item::{Item, ItemKind};
use super::value_shape::{ValueShape, shape_of};

/// A column in the making.
#[derive(Debug, Clone)]
struct Track {
    kind: ItemKind,
    place: u64,
    tag_place: u64,
    shape: ValueShape,
    first_word: String,
    last_word: String,
}

/// How many columns a list may have; what fits no column is left out then.
const COLUMNS_MAX: usize = 300;

/// For each record the column of each of its items, and how many columns there are.
pub fn align(records: &[Vec<Item>]) -> (Vec<Vec<Option<usize>>>, usize) {
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_key(|&record| std::cmp::Reverse(records[record].len()));
    // Only the longest comes first; the others keep the order of the page.
    if !order.is_empty() {
        order[1..].sort_unstable();
    }
    let mut tracks: Vec<(usize, Track)> = Vec::new();
    let mut columns: Vec<Vec<Option<usize>>> = vec![Vec::new(); records.len()];
    let mut n_made = 0;
    for record in order {
        let items = &records[record];
        let matched = best_match(&tracks, items).into_iter();
        columns[record] = matched.map(|track| track.map(|track| tracks[track].0)).collect();
        n_made = insert_new(&mut tracks, items, &mut columns[record], n_made);
    }
    number_by_place(&tracks, &mut columns);
    let n_columns = join_alternatives(records, &mut columns, tracks.len());
    (columns, n_columns)
}

/// Adds a track for each item that has none, after the track of the item before it.
fn insert_new(
    tracks: &mut Vec<(usize, Track)>,
    items: &[Item],
    columns: &mut [Option<usize>],
    mut n_made: usize,
) -> usize {
    let mut after = 0;
    for (item, column) in items.iter().zip(columns) {
        match *column {
            Some(number) => {
                let position = tracks.iter().position(|(its, _)| *its == number);
                after = position.map_or(after, |position| position + 1);
            }
            None if tracks.len() < COLUMNS_MAX => {
                tracks.insert(after, (n_made, track_of(item)));
                *column = Some(n_made);
                n_made += 1;
                after += 1;
            }
            None => {}
        }
    }
    n_made
}

fn track_of(item: &Item) -> Track {
    Track {
        kind: item.kind,
        place: item.place,
        tag_place: item.tag_place,
        shape: shape_of(&item.value),
        first_word: first_word(&item.value).to_owned(),
        last_word: last_word(&item.value).to_owned(),
    }
}

fn first_word(value: &str) -> &str {
    value.split_whitespace().next().unwrap_or("")
}

fn last_word(value: &str) -> &str {
    value.split_whitespace().next_back().unwrap_or("")
}

/// Numbers the columns by where they stand.
fn number_by_place(tracks: &[(usize, Track)], columns: &mut [Vec<Option<usize>>]) {
    let places: HashMap<usize, usize, FixedState> = tracks
        .iter()
        .enumerate()
        .map(|(place, (number, _))| (*number, place))
        .collect();
    for column in columns.iter_mut().flatten().flatten() {
        *column = places[column];
    }
}

/// How well an item fits a track; 0 for not at all.
fn fit(track: &Track, item: &Item, shape: ValueShape) -> u32 {
    if track.kind != item.kind {
        return 0;
    }
    let place = match (track.place == item.place, track.tag_place == item.tag_place) {
        (true, _) => 12,
        (false, true) => 5,
        (false, false) => return 0,
    };
    if item.kind != ItemKind::Text {
        return place;
    }
    let (first, last) = (first_word(&item.value), last_word(&item.value));
    // A value that is one word may be the same in two columns; a label or a unit hardly ever is.
    let is_labelled = first.ends_with(':') || first.len() < item.value.len();
    let words = u32::from(is_labelled && track.first_word == first) * 2
        + u32::from(last.len() < item.value.len() && track.last_word == last);
    place + words + u32::from(track.shape == shape)
}

/// The track of each item in the best alignment, the leftmost one among equals.
fn best_match(tracks: &[(usize, Track)], items: &[Item]) -> Vec<Option<usize>> {
    let shapes: Vec<ValueShape> = items.iter().map(|item| shape_of(&item.value)).collect();
    let width = tracks.len() + 1;
    let mut best = vec![0u32; width * (items.len() + 1)];
    for (i, item) in items.iter().enumerate().rev() {
        for j in (0..tracks.len()).rev() {
            let fit = fit(&tracks[j].1, item, shapes[i]);
            let taken = if fit > 0 {
                fit + best[(i + 1) * width + j + 1]
            } else {
                0
            };
            best[i * width + j] = taken.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let mut matched = vec![None; items.len()];
    let (mut i, mut j) = (0, 0);
    while i < items.len() && j < tracks.len() {
        let here = best[i * width + j];
        let fit = fit(&tracks[j].1, &items[i], shapes[i]);
        if fit > 0 && here == fit + best[(i + 1) * width + j + 1] {
            matched[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if here == best[i * width + j + 1] {
            j += 1;
        } else {
            i += 1;
        }
    }
    matched
}
