//! Finding records: a page in, the records of its lists out.
//!
//! In: a page. Out: its main list, or all of them, as records with fields under columns; nothing
//! when the page has no list. This is the walk of the stage: outline, candidates, the best of them,
//! items, columns, names.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::candidate::{Search, candidates};
use super::choice::{Choice, by_choice, reach};
use super::column::align;
use super::column_name::{Unnamed, name_of, place_of, told_apart};
use super::emphasis::Emphasis;
use super::evidence::PageText;
use super::group::{GroupItem, ungrouped};
use super::item::{Item, ItemKind, ItemSource, items};
use super::list_region::{Column, Field, ListRecord, ListRegion, PageRecords, RankedList};
use super::nested::{Outer, with_nested};
use super::outline::Outline;
use super::probability::probability;
use super::query_hint::QueryHint;
use super::ranking::Weights;
use super::signals::Meter;
use super::stranger::without_strangers;
use super::table_grid::table_grid;
use super::value_shape::{ValueShape, shape_of};
use super::widening::widened;
use crate::page::{NodeId, Page};

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct RecordOptions {
    /// All lists of the page, not the main one alone.
    pub all: bool,
    /// What was searched for, when the page answers a search.
    pub hint: QueryHint,
    /// How signals are weighed.
    pub weights: Weights,
}

/// How many lists of a page are returned.
const REGIONS_MAX: usize = 20;

/// How many candidates of a page are judged when all of its lists are asked for.
const JUDGED_MAX: usize = 200;

/// Finds the records of a page.
///
/// ```
/// use untemplate::page::{Page, ParseOptions, Response};
/// use untemplate::record::{RecordOptions, find_records};
/// let url = "http://shop.example/".parse().expect("a good address");
/// let html = "<ul><li><a href=/a>Ada's lamp</a> <b>5.00</b> in stock today
///     <li><a href=/b>Bob's chair</a> <b>7.50</b> in stock today
///     <li><a href=/c>Cleo's table</a> <b>80.00</b> in two weeks</ul>";
/// let page = Page::read(&Response::html(url, html), &ParseOptions::default());
/// let found = find_records(&page, &RecordOptions::default());
/// assert_eq!(found.regions[0].records.len(), 3);
/// ```
pub fn find_records(page: &Page, options: &RecordOptions) -> PageRecords {
    let outline = Outline::of(&page.dom);
    let n_regions = if options.all { REGIONS_MAX } else { 1 };
    let mut chosen: Vec<RankedList> = Vec::new();
    judge_each(&outline, options, |list| {
        let is_known = |known: &RankedList| overlap(&outline, &known.records, &list.records);
        if list.is_main() && !chosen.iter().any(is_known) {
            chosen.push(list);
        }
        chosen.len() < n_regions
    });
    let regions = chosen.iter().map(|list| region_of(&outline, page, list));
    PageRecords {
        // One record that is left when strangers are taken out is no list.
        regions: regions.filter(|region| region.records.len() > 1).collect(),
        problems: Vec::new(),
    }
}

/// Whatever may be a list of a page, by its score, each with the probability that it is the main
/// one. Several may share a part of the page.
pub fn rank_lists(page: &Page, options: &RecordOptions) -> Vec<RankedList> {
    let mut lists = Vec::new();
    judge_each(&Outline::of(&page.dom), options, |list| {
        lists.push(list);
        true
    });
    lists
}

/// Judges the candidates of a page, best first, as long as more are wanted.
fn judge_each(outline: &Outline<'_>, options: &RecordOptions, mut wants_more: impl FnMut(RankedList) -> bool) {
    let search = Search {
        weights: &options.weights,
        hint: &options.hint,
        all: options.all,
    };
    let page_text = PageText::of(outline);
    // The candidate that is chosen is the main list, or the page has none: with each further one,
    // chance would have it pass.
    let n_judged = if options.all { JUDGED_MAX } else { 1 };
    let meter = Meter::new(outline, search.weights.link_text, search.hint);
    let mut found = candidates(&meter, &search);
    found.truncate(JUDGED_MAX);
    let choice = Choice {
        meter: &meter,
        weights: search.weights,
        page_text: &page_text,
    };
    for chosen in by_choice(&choice, found).take(n_judged) {
        let list = RankedList {
            node: chosen.candidate.region,
            records: chosen.candidate.records,
            score: chosen.candidate.score,
            signals: chosen.candidate.signals,
            is_best_here: chosen.is_best_here,
            probability: probability(&chosen.evidence),
            evidence: chosen.evidence,
        };
        if !wants_more(list) {
            return;
        }
    }
}

/// Whether two lists share a part of the page.
fn overlap(outline: &Outline<'_>, one: &[Vec<NodeId>], other: &[Vec<NodeId>]) -> bool {
    let ((first, first_end), (second, second_end)) = (reach(outline, one), reach(outline, other));
    first < second_end && second < first_end
}

fn region_of(outline: &Outline<'_>, page: &Page, candidate: &RankedList) -> ListRegion {
    let records = widened(outline, &candidate.records);
    let groups = ungrouped(outline, &records);
    let outers = match &groups {
        Some(items) => items.iter().map(|item| Outer::alone(item.node)).collect(),
        None => with_nested(outline, &records),
    };
    let roots: Vec<Vec<NodeId>> = outers.iter().map(|outer| outer.nodes.clone()).collect();
    let compared = if groups.is_some() { &roots } else { &records };
    let emphasis = Emphasis::of(outline, compared);
    let grid = table_grid(outline, &roots);
    let source = ItemSource {
        outline,
        page,
        emphasis: &emphasis,
        grid: grid.as_ref(),
    };
    let mut all: Vec<Vec<Item>> = outers
        .iter()
        .map(|outer| items(&source, &outer.nodes, &outer.inner))
        .collect();
    if let Some(groups) = &groups {
        add_headings(&source, &records, groups, &mut all);
    }
    let (places, n_columns) = align(&all);
    let mut cells: Vec<Vec<Option<&Item>>> = vec![vec![None; all.len()]; n_columns];
    for (record, (items, places)) in all.iter().zip(&places).enumerate() {
        for (item, place) in items.iter().zip(places) {
            if let Some(place) = *place {
                cells[place][record] = Some(item);
            }
        }
    }
    let kept = without_strangers(outline, &outers);
    let columns = columns_of(&source, &roots, &cells);
    ListRegion {
        node: candidate.node,
        score: candidate.score,
        probability: candidate.probability,
        signals: Some(candidate.signals),
        records: kept
            .iter()
            .map(|&record| record_of(record, &outers, &cells, &kept))
            .collect(),
        columns,
    }
}

/// Puts what stands in a group beside its items before what each of them says.
fn add_headings(source: &ItemSource<'_>, records: &[Vec<NodeId>], groups: &[GroupItem], all: &mut [Vec<Item>]) {
    let heading = |(number, nodes): (usize, &Vec<NodeId>)| {
        let own = groups.iter().filter(|item| item.group == number);
        let left_out: Vec<NodeId> = own.map(|item| item.node).collect();
        let mut heading = items(source, nodes, &left_out);
        heading.truncate(HEADING_MAX);
        // An item may have the same place inside its group's as a heading has.
        for item in &mut heading {
            (item.place, item.tag_place) = (!item.place, !item.tag_place);
        }
        heading
    };
    let headings: Vec<Vec<Item>> = records.iter().enumerate().map(heading).collect();
    for (item, own) in groups.iter().zip(all) {
        own.splice(0..0, headings[item.group].iter().cloned());
    }
}

/// How many texts and links of a heading its rows repeat.
const HEADING_MAX: usize = 4;

fn record_of(record: usize, outers: &[Outer], cells: &[Vec<Option<&Item>>], kept: &[usize]) -> ListRecord {
    let field = |cell: &Vec<Option<&Item>>| {
        cell[record].map(|item| Field {
            value: item.value.clone(),
            node: item.node,
        })
    };
    let parent = outers[record]
        .parent
        .and_then(|parent| kept.binary_search(&parent).ok());
    ListRecord {
        nodes: outers[record].nodes.clone(),
        fields: cells.iter().map(field).collect(),
        parent,
    }
}

fn columns_of(source: &ItemSource<'_>, roots: &[Vec<NodeId>], cells: &[Vec<Option<&Item>>]) -> Vec<Column> {
    let mut names = Vec::with_capacity(cells.len());
    let mut places: Vec<u64> = Vec::with_capacity(cells.len());
    // By place, how many columns stand there: a second one is another place.
    let mut counts: HashMap<u64, u64, FixedState> = HashMap::default();
    for (number, items) in cells.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &cells[before]);
        let label = before.filter(|before| is_constant(before)).and_then(|before| before[0]);
        let column = Unnamed {
            items: items.clone(),
            label: label.filter(|label| is_label(label)).map(|label| label.value.clone()),
            roots,
        };
        let place = place_of(source.outline, &column);
        let count = counts.entry(place).or_default();
        places.push(place.wrapping_add(*count));
        *count += 1;
        names.push(name_of(source.outline, source.grid, &column));
    }
    let mut times: HashMap<&str, usize, FixedState> = HashMap::default();
    names.iter().for_each(|(name, _)| *times.entry(name).or_default() += 1);
    let is_said: Vec<bool> = names
        .iter()
        .map(|(name, is_said)| *is_said && times[name.as_str()] == 1)
        .collect();
    let names = names.iter().map(|(name, _)| name.clone()).collect();
    told_apart(names)
        .into_iter()
        .zip(cells)
        .enumerate()
        .map(|(number, (name, items))| Column {
            name,
            is_said: is_said[number],
            place: places[number],
            kind: items.iter().flatten().next().map_or(ItemKind::Text, |item| item.kind),
            shape: common_shape(items),
            is_constant: is_constant(items),
        })
        .collect()
}

/// Whether every record has the same value, and there are enough of them for that to mean
/// something.
fn is_constant(items: &[Option<&Item>]) -> bool {
    let Some(Some(first)) = items.first() else {
        return false;
    };
    items.len() > 2
        && items
            .iter()
            .all(|item| item.is_some_and(|item| item.value == first.value))
}

fn is_label(item: &Item) -> bool {
    item.kind == ItemKind::Text && item.value.len() <= 40 && item.value.contains(char::is_alphabetic)
}

/// The shape that most values have.
fn common_shape(items: &[Option<&Item>]) -> ValueShape {
    let mut counts = [0; ValueShape::ALL.len()];
    for item in items.iter().flatten() {
        counts[shape_of(&item.value) as usize] += 1;
    }
    let n_values: usize = counts.iter().sum();
    let most = ValueShape::ALL.into_iter().zip(counts);
    most.filter(|(_, count)| *count > 0 && count * 5 >= n_values * 4)
        .map(|(shape, _)| shape)
        .next()
        .unwrap_or(ValueShape::Words)
}
