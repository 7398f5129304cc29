//! Repetition: which children of a node are a list, and which stand each for itself.
//!
//! In: the children of a node on all pages. Out: the kinds of children that repeat. A kind is a tag
//! with its classes and labels, so rows that labels tell apart are of different kinds, and never a
//! list. A kind that comes in different numbers is a list when its members look alike; one that
//! always comes in the same number may as well be a row of cells that each mean something else, and
//! is a list only when it is long. Departure from RoadRunner, which folds whatever repeats next to
//! each other.

use crate::page::NodeId;

use super::feature::{Features, HashMapOf, HashNumbers, Origin, TEXT, hash_more, hash_text};

/// The children of a node, with their features.
pub(super) type Children = Vec<(NodeId, Features)>;

/// The kind of a child.
pub(super) fn kind_of(features: &Features) -> u64 {
    if features.origin != Origin::NONE {
        return hash_more(hash_text("origin"), &features.origin.to_bytes());
    }
    let mut hash = hash_more(features.name, &features.class_bits.to_le_bytes());
    if features.name == META {
        hash = hash_more(hash, &features.id.to_le_bytes());
    }
    hash = hash_more(hash, &features.label.to_le_bytes());
    hash = hash_more(hash, &features.lead.to_le_bytes());
    hash_more(hash, &features.heading.to_le_bytes())
}

const META: u64 = hash_text("meta");

/// Children that look as those of one part of an older list are of it, too. Returns the kinds that
/// look as those of several, which repeat as well.
pub(super) fn spread_origins(sequences: &mut [Children]) -> HashNumbers {
    let plain = |features: &Features| {
        kind_of(&Features {
            origin: Origin::NONE,
            ..*features
        })
    };
    let mut known: HashMapOf<u64, Option<Origin>> = HashMapOf::default();
    for (_, features) in sequences.iter().flatten().filter(|(_, its)| its.origin != Origin::NONE) {
        let own = known.entry(plain(features)).or_insert(Some(features.origin));
        *own = own.filter(|&own| own == features.origin && own.is_listed());
    }
    if known.is_empty() {
        return HashNumbers::default();
    }
    let mut repeating = HashNumbers::default();
    for (_, features) in sequences.iter().flatten().filter(|(_, its)| its.origin.is_listed()) {
        repeating.insert(plain(features));
    }
    for (_, features) in sequences
        .iter_mut()
        .flatten()
        .filter(|(_, its)| its.origin == Origin::NONE)
    {
        features.origin = known.get(&plain(features)).copied().flatten().unwrap_or_default();
    }
    repeating
}

/// How often a kind comes, and how alike its members are.
#[derive(Debug, Default)]
struct Count {
    name: u64,
    origin: Origin,
    here: u32,
    least: u32,
    most: u32,
    n_sequences: u32,
    alike: f64,
    n_pairs: u32,
    last_holds: u128,
    last_label: u64,
    n_members: u32,
    n_held: u32,
    /// How many nodes have one member.
    n_once: u32,
}

/// The kinds that repeat. `text_of` tells what a child of a sequence says, as a number.
pub(super) fn repeating_kinds(sequences: &[Children], text_of: impl Fn(usize, NodeId) -> u64) -> HashNumbers {
    let mut counts: HashMapOf<u64, Count> = HashMapOf::default();
    for children in sequences {
        for (_, features) in children {
            let count = counts.entry(kind_of(features)).or_default();
            count.name = features.name;
            count.origin = features.origin;
            if count.here > 0 {
                let labels = label_likeness(count.last_label, first_label(features));
                count.alike += labels * likeness(count.last_holds, features.holds_always);
                count.n_pairs += 1;
            }
            count.last_holds = features.holds_always;
            count.last_label = first_label(features);
            count.n_members += 1;
            count.n_held += features.holds_always.count_ones();
            count.here += 1;
        }
        for count in counts.values_mut().filter(|count| count.here > 0) {
            let is_first = count.n_sequences == 0;
            count.least = if is_first {
                count.here
            } else {
                count.least.min(count.here)
            };
            count.most = count.most.max(count.here);
            count.n_sequences += 1;
            count.n_once += u32::from(count.here == 1);
            count.here = 0;
        }
    }
    let n_sequences = sequences.len() as u32;
    let is_fixed =
        |count: &Count| count.origin == Origin::NONE && count.least == count.most && count.n_sequences == n_sequences;
    let mut repeating: HashNumbers = counts
        .iter()
        .filter(|(_, count)| repeats(count))
        .map(|(kind, _)| *kind)
        .collect();
    let fixed = repeating
        .iter()
        .copied()
        .filter(|kind| is_fixed(&counts[kind]))
        .collect();
    for form in forms(sequences, &fixed, text_of) {
        repeating.remove(&form);
    }
    repeating
}

/// Of kinds that always come in the same number, those that are rows of a form: at half of the
/// places or more, all pages say the same. In a list, what stands at a place is chance.
fn forms(sequences: &[Children], fixed: &HashNumbers, text_of: impl Fn(usize, NodeId) -> u64) -> Vec<u64> {
    if sequences.len() < FORMS_MIN || fixed.is_empty() {
        return Vec::new();
    }
    // Of each kind, what its places say on the first page, and whether all others say the same.
    let mut places: HashMapOf<u64, Vec<(u64, bool)>> = HashMapOf::default();
    let mut next: HashMapOf<u64, usize> = HashMapOf::default();
    for (number, children) in sequences.iter().enumerate() {
        next.clear();
        for (node, features) in children {
            let kind = kind_of(features);
            if !fixed.contains(&kind) {
                continue;
            }
            let text = text_of(number, *node);
            let (places, next) = (places.entry(kind).or_default(), next.entry(kind).or_default());
            match places.get_mut(*next) {
                Some((first, is_same)) => *is_same &= *first == text,
                None => places.push((text, true)),
            }
            *next += 1;
        }
    }
    let is_form = |places: &[(u64, bool)]| 2 * places.iter().filter(|(_, is_same)| *is_same).count() >= places.len();
    let forms = places.iter().filter(|(_, places)| is_form(places));
    forms.map(|(kind, _)| *kind).collect()
}

/// On fewer pages, places that say the same may do so by chance.
const FORMS_MIN: usize = 3;

/// Cells and texts have a meaning by their place more often than other nodes.
fn repeats(count: &Count) -> bool {
    // What was a list is one still, and nothing else is.
    if count.origin != Origin::NONE {
        return count.origin.is_listed();
    }
    if count.most < 2 {
        return false;
    }
    let varies = count.least != count.most;
    if is_one_and_a_stray(count) {
        return false;
    }
    let alike = count.alike / f64::from(count.n_pairs.max(1));
    // Three boxes with pictures, names and prices that look the same are a list, in cells, too.
    let is_rich = count.n_held >= RICH_MIN * count.n_members;
    if is_rich && count.most >= RICH_LIST_MIN && alike >= RICH_ALIKE_MIN {
        return true;
    }
    // Two big boxes on some pages, one on others, are two boxes.
    if is_rich && count.most < RICH_LIST_MIN {
        return false;
    }
    let is_cell = [hash_text("td"), hash_text("th"), TEXT].contains(&count.name);
    if is_cell {
        return varies && count.most > CELLS_MAX;
    }
    (varies || count.most >= LIST_MIN) && alike >= ALIKE_MIN
}

/// Whether nearly all pages have one, and the others two: a field, and something that strayed.
fn is_one_and_a_stray(count: &Count) -> bool {
    count.most == 2 && 10 * count.n_once >= 9 * count.n_sequences
}

/// More cells or texts than this, in numbers that differ, are a list.
const CELLS_MAX: u32 = 8;
/// This many nodes of a kind are a list even when there are always as many.
const LIST_MIN: u32 = 4;
/// This many nodes that hold much, and the same, are a list.
const RICH_LIST_MIN: u32 = 3;
/// A node that holds this many kinds of things holds much.
const RICH_MIN: u32 = 4;
/// How alike the members of such a list are, at least.
const RICH_ALIKE_MIN: f64 = 0.8;
/// How alike the members of a list are, at least.
const ALIKE_MIN: f64 = 0.6;

/// The label that a node begins with. One further inside may be a value of a column with few
/// values.
fn first_label(features: &Features) -> u64 {
    if features.label != 0 {
        features.label
    } else {
        features.lead
    }
}

/// Rows that begin with labels that differ are rows of different things; one with a label is hardly
/// like one without.
fn label_likeness(one: u64, other: u64) -> f64 {
    match (one, other) {
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.5,
        _ if one != other => 0.0,
        _ => 1.0,
    }
}

fn likeness(one: u128, other: u128) -> f64 {
    match (one | other).count_ones() {
        0 => 1.0,
        n => f64::from((one & other).count_ones()) / f64::from(n),
    }
}
