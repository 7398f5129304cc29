//! Extraction: a page to a record.
//!
//! In: a [`Matcher`] and a page. Out: an [`Extraction`]. From the root down, the children of a node
//! are aligned with the items of its part, as in inference; parts without data are never entered.
//! Nothing is tried twice. A page that deviates loses what deviates: the field is absent, and a
//! [`Problem`] says what was expected where.

use std::sync::Arc;

use crate::page::{Dom, Name, NodeId, Page, Problem, xpath_of};

use super::alignment::{Aligner, is_surely, score};
use super::feature::{Features, PageFeatures, collapsed, text_inside};
use super::matcher::{Key, Matcher};
use super::piece::cut_all;
use super::record::{Record, Value};
use super::rescue::find_by_label;
use super::rounds::cut_rounds;
use super::source::{Round, SourcePart, ValueSource};
use super::template::{Item, PartId, Repeat, TextPart};

/// What was read from a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Extraction {
    /// Whether the page is one of the class: enough of what every page has is there.
    pub is_matched: bool,
    /// The data.
    pub record: Record,
    /// Where each value was read, in the order they were found.
    pub sources: Vec<ValueSource>,
    /// The rounds of lists that values are inside of; the first is the page itself.
    pub rounds: Vec<Round>,
    /// How much of what every training page has is there, from 0 to 1.
    pub agreement: f64,
    /// Where the page deviates.
    pub problems: Vec<Problem>,
}

/// A record in the making: values by the part they come from.
type Entries = Vec<(u32, Arc<str>, Entry)>;

enum Entry {
    Text(String),
    List(Vec<usize>),
}

struct Reader<'a> {
    matcher: &'a Matcher,
    page: PageFeatures<'a>,
    records: Vec<Entries>,
    waiting: Vec<(PartId, NodeId, usize)>,
    taken: Vec<bool>,
    aligner: Aligner,
    n_expected: usize,
    n_found: usize,
    sources: Vec<ValueSource>,
    rounds: Vec<Round>,
    problems: Vec<Problem>,
    /// The node of each part, where somebody asks for it.
    trace: Option<Vec<(PartId, NodeId)>>,
}

impl Matcher {
    /// Reads a page.
    pub fn extract(&self, page: &Page) -> Extraction {
        let reader = Reader::of_page(self, page, None);
        let is_matched = MATCHED_SHARE * reader.n_found >= reader.n_expected && reader.n_found > 0;
        let agreement = reader.n_found as f64 / reader.n_expected.max(1) as f64;
        Extraction {
            is_matched,
            record: nest(reader.records),
            sources: reader.sources,
            rounds: reader.rounds,
            agreement,
            problems: reader.problems,
        }
    }

    /// The nodes of a page that its parts with data are.
    pub(super) fn trace(&self, page: &Page) -> Vec<(PartId, NodeId)> {
        let mut trace = self.trace_all(page);
        trace.retain(|(part, _)| self.parts[part.index()].is_wanted);
        trace
    }

    /// The nodes of a page that its parts are.
    pub(super) fn trace_all(&self, page: &Page) -> Vec<(PartId, NodeId)> {
        Reader::of_page(self, page, Some(Vec::new())).trace.unwrap_or_default()
    }
}

impl<'a> Reader<'a> {
    /// All that a page says.
    fn of_page(matcher: &'a Matcher, page: &'a Page, trace: Option<Vec<(PartId, NodeId)>>) -> Self {
        let mut reader = Reader {
            matcher,
            page: PageFeatures::new(&page.dom, &matcher.labels),
            records: vec![Vec::new()],
            waiting: Vec::new(),
            taken: vec![false; matcher.parts.len()],
            aligner: Aligner::default(),
            n_expected: 0,
            n_found: 0,
            sources: Vec::new(),
            rounds: vec![Round::page()],
            problems: Vec::new(),
            trace,
        };
        if let Some(root) = page.dom.find(Name::HTML).filter(|_| !matcher.template.parts.is_empty()) {
            reader.waiting.push((PartId(0), root, 0));
        }
        reader.read_all();
        reader.rescue();
        reader
    }
}

impl Reader<'_> {
    /// Reads whatever waits.
    fn read_all(&mut self) {
        let mut children = Vec::new();
        while let Some((part, node, record)) = self.waiting.pop() {
            self.page.children(node, &mut children);
            self.read(part, node, &children, record);
        }
    }

    /// Looks for labelled parts that were not where they should be.
    fn rescue(&mut self) {
        let matcher = self.matcher;
        for &id in matcher.labelled.iter() {
            if self.taken[id.index()] {
                continue;
            }
            if let Some(node) = find_by_label(&self.page, &matcher.parts[id.index()].features) {
                self.take(id, node, 0);
                self.read_all();
            }
        }
    }

    /// Reads the children of a node.
    fn read(&mut self, part: PartId, node: NodeId, children: &[(NodeId, Features)], record: usize) {
        let matcher = self.matcher;
        let items = &matcher.part(part).items;
        self.place(items, children);
        let places = std::mem::take(&mut self.aligner.places);
        let mut next = 0;
        let mut own: Vec<usize> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            // Children come in the order of their items.
            own.clear();
            while next < places.len() && places[next].is_none_or(|place| place <= index) {
                if places[next].is_some() {
                    own.push(next);
                }
                next += 1;
            }
            match item {
                Item::One(id) => match own.first() {
                    Some(&child) => self.take(*id, children[child].0, record),
                    None => self.miss(*id, node, record),
                },
                Item::Repeat(repeat) if !own.is_empty() => {
                    let key = matcher.parts[part.index()].list_keys[index].clone();
                    self.read_list(repeat, key, children, &own, record);
                }
                Item::Repeat(_) => self.expect(record, 0),
            }
        }
        self.aligner.places = places;
    }

    /// Reads the rounds of a list into records of their own.
    fn read_list(
        &mut self,
        repeat: &Repeat,
        key: Option<Arc<str>>,
        children: &[(NodeId, Features)],
        own: &[usize],
        record: usize,
    ) {
        if !repeat
            .parts
            .iter()
            .any(|part| self.matcher.parts[part.index()].is_wanted)
        {
            return;
        }
        self.expect(record, 1);
        let rounds = self.rounds(&repeat.parts, children, own);
        let first = self.records.len();
        let n_rounds = rounds.last().map_or(0, |(_, _, round)| round + 1);
        self.records.resize_with(first + n_rounds, Vec::new);
        self.rounds.extend((0..n_rounds).map(|number| Round {
            list: key.clone(),
            number,
            inside: record,
        }));
        for (id, child, round) in rounds {
            self.take(id, child, first + round);
        }
        if let Some(key) = key {
            let list = Entry::List((first..first + n_rounds).collect());
            self.records[record].push((repeat.parts[0].0, key, list));
        }
    }

    /// Finds the item of each child.
    fn place(&mut self, items: &[Item], children: &[(NodeId, Features)]) {
        let parts = &self.matcher.parts;
        let is_exact = |(item, (_, child)): (&Item, &(NodeId, Features))| match item {
            Item::One(part) => is_surely(&parts[part.index()].features, child),
            Item::Repeat(_) => false,
        };
        // Most nodes of most pages have just the children that the template has.
        if items.len() == children.len() && items.iter().zip(children).all(is_exact) {
            self.aligner.places.clear();
            self.aligner.places.extend((0..items.len()).map(Some));
            return;
        }
        // Those that differ mostly begin with what every page has.
        let is_always = |item: &Item| matches!(item, Item::One(part) if !self.matcher.part(*part).is_optional());
        let pairs = items.iter().zip(children);
        let n_surely = pairs.take_while(|&pair| is_always(pair.0) && is_exact(pair)).count();
        let (items, children) = (&items[n_surely..], &children[n_surely..]);
        let best = |item: usize, child: usize| {
            let scores = items[item]
                .parts()
                .iter()
                .map(|part| score(&parts[part.index()].features, &children[child].1));
            scores.max().unwrap_or(i32::MIN)
        };
        let is_repeat = |item: usize| matches!(items[item], Item::Repeat(_));
        let is_like_before = |child: usize| children[child].1 == children[child - 1].1;
        self.aligner
            .align_runs((items.len(), children.len()), best, is_repeat, is_like_before);
        self.aligner.put_before(n_surely);
    }

    /// The part and the round of each child of a list: a part that does not come after the one
    /// before begins a round.
    fn rounds(&self, parts: &[PartId], children: &[(NodeId, Features)], own: &[usize]) -> Vec<(PartId, NodeId, usize)> {
        if let [part] = parts {
            return own
                .iter()
                .enumerate()
                .map(|(round, &child)| (*part, children[child].0, round))
                .collect();
        }
        let score_of = |member: usize, place: usize| {
            score(
                &self.matcher.parts[parts[place].index()].features,
                &children[own[member]].1,
            )
        };
        let suits = |member: usize, from: usize| {
            let best = (0..parts.len()).map(|place| score_of(member, place)).max()?;
            (from..parts.len()).find(|&place| score_of(member, place) == best)
        };
        let places = cut_rounds(own.len(), suits);
        let placed = own
            .iter()
            .zip(places)
            .filter_map(|(&child, place)| place.map(|place| (child, place)));
        placed
            .map(|(child, (place, round))| (parts[place], children[child].0, round))
            .collect()
    }

    /// Takes a node as a part: its own data now, what is inside it later.
    fn take(&mut self, id: PartId, node: NodeId, record: usize) {
        let part = self.matcher.part(id);
        if let Some(trace) = &mut self.trace {
            trace.push((id, node));
        }
        if !self.matcher.parts[id.index()].is_wanted {
            return;
        }
        self.taken[id.index()] = true;
        if !part.is_optional() && part.has_own_data() {
            self.expect(record, 1);
        }
        self.read_own(id, node, record);
        if !part.items.is_empty() {
            self.waiting.push((id, node, record));
        }
    }

    /// The text of a node, its pieces, and its attributes.
    fn read_own(&mut self, id: PartId, node: NodeId, record: usize) {
        let (part, dom): (_, &Dom) = (self.matcher.part(id), self.page.dom);
        let mut keys = self.matcher.parts[id.index()].keys.iter();
        if let TextPart::Field(field) = &part.text
            && let Some(key) = keys.next()
        {
            let text = text_inside(dom, node);
            for value in cut_all(&text, &field.pieces) {
                if let (Some(key), Some(value)) = (keys.next(), value) {
                    self.put(id, key, value.to_owned(), record);
                    self.note(key, node, SourcePart::Piece, record);
                }
            }
            self.put(id, key, text, record);
            self.note(key, node, SourcePart::Text, record);
        }
        let known = &self.matcher.parts[id.index()].attributes;
        for ((field, known), key) in part.attributes.iter().zip(known).zip(keys) {
            let name = known.or_else(|| dom.names().find(&field.attribute));
            if let Some((name, value)) = name.and_then(|name| Some((name, dom.attribute(node, name)?))) {
                self.put(id, key, collapsed(value), record);
                self.note(key, node, SourcePart::Attribute(name), record);
            }
        }
    }

    /// Puts a value into a record, unless another place has given it already.
    fn put(&mut self, id: PartId, key: &Key, value: String, record: usize) {
        let entries = &mut self.records[record];
        if !key.is_shared || !entries.iter().any(|(_, own, _)| *own == key.name) {
            entries.push((id.0, key.name.clone(), Entry::Text(value)));
        }
    }

    /// Notes where a value was read.
    fn note(&mut self, key: &Key, node: NodeId, part: SourcePart, round: usize) {
        self.sources.push(ValueSource {
            key: key.name.clone(),
            node,
            part,
            round,
        });
    }

    /// Counts something that every page has, and whether it is there; what is inside lists counts
    /// for nothing.
    fn expect(&mut self, record: usize, n_found: usize) {
        if record == 0 {
            self.n_expected += 1;
            self.n_found += n_found;
        }
    }

    /// Notes that a part is not there.
    fn miss(&mut self, id: PartId, node: NodeId, record: usize) {
        let part = self.matcher.part(id);
        if part.is_optional() || !self.matcher.parts[id.index()].is_wanted {
            return;
        }
        if record == 0 {
            self.n_expected += self.matcher.parts[id.index()].n_required;
        }
        if self.problems.len() < PROBLEMS_MAX {
            let place = xpath_of(self.page.dom, node);
            let message = format!(
                "{place} has no {}, which every training page had",
                part.pattern.describe()
            );
            self.problems.push(Problem::new("missing part", message));
        }
    }
}

/// A page is of the class when it has one in this many of the places with data that every training
/// page has. Pages that lack a whole table of details still are, pages of another class have little
/// more than the title.
const MATCHED_SHARE: usize = 4;

/// A page has at most this many problems of this kind.
const PROBLEMS_MAX: usize = 20;

/// Puts records into the lists that they are rounds of.
fn nest(records: Vec<Entries>) -> Record {
    let mut done: Vec<Record> = Vec::with_capacity(records.len());
    done.resize_with(records.len(), Record::default);
    for (index, mut entries) in records.into_iter().enumerate().rev() {
        entries.sort_by_key(|(order, ..)| *order);
        let values = entries.into_iter().map(|(_, name, entry)| {
            let value = match entry {
                Entry::Text(text) => Value::Text(text),
                Entry::List(rounds) => Value::List(
                    rounds
                        .into_iter()
                        .map(|round| std::mem::take(&mut done[round]))
                        .collect(),
                ),
            };
            (name, value)
        });
        let values = values.collect();
        done[index] = Record { values };
    }
    done.swap_remove(0)
}
