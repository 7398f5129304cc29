//! Alternatives: columns that take turns are one column.
//!
//! In: the column of each item. Out: the same with columns joined. A field that is marked up in two
//! ways (a title that is a link here and plain there, a price in another box) is aligned as two
//! columns: every record has one of them, and none has both. Columns that have nothing to do with
//! each other do so by chance, and how rarely, the numbers of their values tell.

use super::item::{Item, ItemKind};
use super::value_shape::{ValueShape, shape_of};

/// How often two columns that have nothing to do with each other are joined, at most.
const CHANCE_MAX: f64 = 0.01;

/// What is asked of a column.
#[derive(Clone, Default)]
struct Taken<'a> {
    /// The record's item, by record.
    items: Vec<Option<&'a Item>>,
    n_items: usize,
}

/// Joins columns that take turns, and numbers them anew; how many there are then.
pub fn join_alternatives(records: &[Vec<Item>], columns: &mut [Vec<Option<usize>>], n_columns: usize) -> usize {
    let mut taken = taken(records, columns, n_columns);
    // The column that each one is a part of.
    let mut whole: Vec<usize> = (0..n_columns).collect();
    for first in 0..n_columns {
        while let Some(other) = alternative(&taken, first) {
            whole[other] = first;
            let more = std::mem::take(&mut taken[other]);
            taken[first].n_items += more.n_items;
            let own = taken[first].items.iter_mut();
            own.zip(more.items).for_each(|(item, more)| *item = item.or(more));
        }
    }
    let mut numbers = Vec::with_capacity(n_columns);
    let mut n_left = 0;
    for column in 0..n_columns {
        let is_whole = whole[column] == column;
        numbers.push(if is_whole { n_left } else { numbers[whole[column]] });
        n_left += usize::from(is_whole);
    }
    for column in columns.iter_mut().flatten().flatten() {
        *column = numbers[*column];
    }
    n_left
}

fn taken<'a>(records: &'a [Vec<Item>], columns: &[Vec<Option<usize>>], n_columns: usize) -> Vec<Taken<'a>> {
    let empty = Taken {
        items: vec![None; records.len()],
        n_items: 0,
    };
    let mut taken = vec![empty; n_columns];
    for (record, (items, places)) in records.iter().zip(columns).enumerate() {
        for (item, column) in items.iter().zip(places) {
            if let Some(column) = *column {
                taken[column].items[record] = Some(item);
                taken[column].n_items += 1;
            }
        }
    }
    taken
}

/// A column that takes turns with a column before it. What every record has parts one field from
/// the next, so that it is not looked for beyond that.
fn alternative(taken: &[Taken<'_>], first: usize) -> Option<usize> {
    let one = &taken[first];
    if one.n_items == one.items.len() || !one.varies() {
        return None;
    }
    let until =
        (first + 1..taken.len()).find(|&column| taken[column].n_items == one.items.len() && taken[column].is_text());
    (first + 1..until.unwrap_or(taken.len())).find(|&other| one.takes_turns(&taken[other]))
}

impl Taken<'_> {
    fn values(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().copied().flatten()
    }

    fn is_text(&self) -> bool {
        self.values().next().is_some_and(|item| item.kind == ItemKind::Text)
    }

    /// Whether the values differ: what is always the same is a label or a button.
    fn varies(&self) -> bool {
        let mut values = self.values();
        let first = values.next();
        first.is_some_and(|first| values.any(|item| item.value != first.value))
    }

    /// Whether every record has one of two columns and none has both, more often than by chance,
    /// and both say things of one shape.
    fn takes_turns(&self, other: &Self) -> bool {
        let n_records = self.items.len();
        let is_one = |(one, other): (&Option<&Item>, &Option<&Item>)| one.is_some() != other.is_some();
        self.n_items + other.n_items == n_records
            && self.items.iter().zip(&other.items).all(is_one)
            && chance_of_turns(self.n_items, n_records) < CHANCE_MAX
            && self.is_text()
            && other.is_text()
            && other.varies()
            && self.shape() == other.shape()
    }

    /// The shape that most values have.
    fn shape(&self) -> Option<ValueShape> {
        let mut counts = [0; ValueShape::ALL.len()];
        self.values()
            .for_each(|item| counts[shape_of(&item.value) as usize] += 1);
        let shapes = ValueShape::ALL.into_iter().zip(counts);
        shapes.max_by_key(|(_, count)| *count).map(|(shape, _)| shape)
    }
}

/// The chance that `n_items` of all records, drawn at random, are just those that another column
/// lacks.
fn chance_of_turns(n_items: usize, n_records: usize) -> f64 {
    let drawn = (0..n_items).map(|at| (n_items - at) as f64 / (n_records - at) as f64);
    drawn.product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};
    use crate::record::{Column, RecordOptions, find_records};

    /// How many columns of text a list of ten cards has.
    fn check_columns(card: impl Fn(usize) -> String, expected: usize) {
        let cards: String = (0..10)
            .map(|at| format!("<li>{}<p>Made of wood {at}</p></li>", card(at)))
            .collect();
        let url = "http://shop.example/".parse().expect("a good address");
        let response = Response::html(url, format!("<ul>{cards}</ul>"));
        let page = Page::read(&response, &ParseOptions::default());
        let regions = find_records(&page, &RecordOptions::default()).regions;
        let region = regions.first().expect("the page has a list");
        let is_text = |column: &&Column| column.kind == ItemKind::Text;
        assert_eq!(region.columns.iter().filter(is_text).count(), expected);
    }

    #[test]
    fn columns_that_take_turns_are_one() {
        let title = |at: usize| match at % 2 {
            0 => format!("<h3 class=own>A chair of kind {at}</h3>"),
            _ => format!("<h4 class=bought>A table of kind {at}</h4>"),
        };
        check_columns(title, 2);
        // What always says the same is no other spelling of what varies.
        let badge = |at: usize| match at % 2 {
            0 => format!("<h3 class=own>A chair of kind {at}</h3>"),
            _ => "<h4 class=bought>Sold out for now</h4>".to_owned(),
        };
        check_columns(badge, 3);
    }

    #[test]
    fn the_fewer_values_the_likelier_is_chance() {
        assert!(chance_of_turns(1, 10) > CHANCE_MAX);
        assert!(chance_of_turns(5, 10) < CHANCE_MAX);
    }
}
