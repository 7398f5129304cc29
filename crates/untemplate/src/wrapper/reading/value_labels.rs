//! Labels that are values: a list whose first column recurs on many pages looks like fact sheets
//! with rare labels.
//!
//! The registers of a device, the options of a setting: each stands on several pages, as a label
//! would. Labels are a closed class, values an open one: among the labels of a list there are
//! always some that no other page has, and each holder has a few of a great many. So the labels of
//! a place are values if a good part of what stands there has a label that does not recur (the mass
//! of the unseen, after Good and Turing), and the mean share of the holders that have a label is
//! small; or if that share is so small that hardly any label says what the holders are. Then they
//! belong with what stands beside them under no label: a row whose first cell recurs is a row like
//! the others. The same holds for the `id`s of elements. A line that begins with words and a colon,
//! as hardly any other line of its place does, is a line; so is one where most lines of the place
//! begin with words and a colon that do not recur. What is a value at one place of a class is one
//! at others, too, where most of their labels are such.

use std::collections::HashSet;

use super::guide::{Guide, PlaceId};
use super::schema::SchemaTuning;
use super::step::StepKind;

/// Makes labels, headings and `id`s that are values part of what they label.
pub(super) fn merge_value_labels(guide: &mut Guide, tuning: &SchemaTuning) {
    let mut values: HashSet<String> = HashSet::new();
    for place in 0..guide.places.len() {
        for origin in Origin::ALL {
            let group: Vec<PlaceId> = origin.places(guide, place);
            let target = origin.unlabelled(guide, place, &group);
            if let Some(target) = target.filter(|&to| are_values(guide, place, &group, to, tuning)) {
                if origin.of_nothing().is_some() {
                    values.extend(group.iter().map(|&child| guide.places[child].text.to_lowercase()));
                }
                merge(guide, place, &group, target, origin);
            }
        }
        merge_signs(guide, place, tuning);
        merge_told_values(guide, place, tuning);
        merge_alternatives(guide, place);
    }
    if !values.is_empty() {
        merge_known_values(guide, &values, tuning);
    }
}

/// Makes lists of pairs and rows most of whose labels are values at other places.
fn merge_known_values(guide: &mut Guide, values: &HashSet<String>, tuning: &SchemaTuning) {
    for place in 0..guide.places.len() {
        for origin in Origin::ALL {
            let Some(kind) = origin.of_nothing() else { continue };
            let group = origin.places(guide, place);
            let n_of = |is_counted: &dyn Fn(&str) -> bool| -> usize {
                let counted = group.iter().map(|&child| &guide.places[child]);
                counted.filter(|own| is_counted(&own.text)).map(|own| own.n).sum()
            };
            let n_known = n_of(&|label| values.contains(&label.to_lowercase()));
            // What most holders have is what they are described by.
            let n_holders = guide.places[place].n;
            let common = group
                .iter()
                .filter(|&&child| guide.places[child].n_parents * 2 >= n_holders);
            let is_open = group.len() >= tuning.merged_sections_min && common.count() * 2 < group.len();
            if is_open && n_known * 2 > n_of(&|_| true) {
                let target = origin
                    .unlabelled(guide, place, &group)
                    .unwrap_or_else(|| guide.child_or_add(place, kind, ""));
                merge(guide, place, &group, target, origin);
            }
        }
    }
}

/// Makes a list of pairs whose labels are no words, such as the flags `-a` and `-b` of programs:
/// nobody would call a column by them. A label that a good part of the holders has is a symbol.
fn merge_signs(guide: &mut Guide, place: PlaceId, tuning: &SchemaTuning) {
    let is_sign = |child: &PlaceId| !has_word(&guide.places[*child].text);
    let group: Vec<PlaceId> = Origin::Pair.places(guide, place).into_iter().filter(is_sign).collect();
    if group.len() >= tuning.merged_sections_min && mean_share(guide, place, &group) < tuning.value_label_share {
        let target = guide.child_or_add(place, StepKind::AnyPair, "");
        merge(guide, place, &group, target, Origin::Pair);
    }
}

/// Makes a list of pairs or rows whose labels tell all that there is: what stands behind a label is
/// the same wherever it is there, so that only which of them are there says anything. They stand
/// beside others of their kind that do not recur, or most holders lack them.
fn merge_told_values(guide: &mut Guide, place: PlaceId, tuning: &SchemaTuning) {
    for origin in [Origin::Pair, Origin::Row] {
        let group = origin.places(guide, place);
        if group.len() < tuning.merged_sections_min {
            continue;
        }
        let n: usize = group.iter().map(|&child| guide.places[child].n).sum();
        let target = origin.unlabelled(guide, place, &group);
        let n_beside = target.map_or(0, |target| guide.places[target].n);
        let is_beside_others = n_beside as f64 >= tuning.open_label_share * (n + n_beside) as f64;
        if !is_beside_others && mean_share(guide, place, &group) * 2.0 >= 1.0 {
            continue;
        }
        let told = group.iter().map(|&child| texts_told(guide, child));
        let (n_texts, n_told) = told.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        if n_texts > 0 && n_told as f64 >= tuning.constant_share * n_texts as f64 {
            let kind = if origin == Origin::Pair {
                StepKind::AnyPair
            } else {
                StepKind::Row
            };
            let target = target.unwrap_or_else(|| guide.child_or_add(place, kind, ""));
            merge(guide, place, &group, target, origin);
        }
    }
}

/// The texts at a place and inside it, and how many of them are the commonest one of their place.
fn texts_told(guide: &Guide, place: PlaceId) -> (usize, usize) {
    let own = &guide.places[place];
    let most = own.texts.values.values().copied().max().unwrap_or(0);
    let inner = own.children.iter().map(|&child| texts_told(guide, child));
    inner.fold((own.texts.n, most as usize), |sum, own| (sum.0 + own.0, sum.1 + own.1))
}

/// Makes one of sections of which each holder has one: what heads the only section of a page is
/// what the page is called.
fn merge_alternatives(guide: &mut Guide, place: PlaceId) {
    let group = Origin::Section.places(guide, place);
    let n_holders = guide.places[place].n;
    let is_one_of_many = |&child: &PlaceId| {
        let own = &guide.places[child];
        own.n_multiple == 0 && own.n_parents * 2 < n_holders
    };
    let n: usize = group.iter().map(|&child| guide.places[child].n_parents).sum();
    let is_slot = (ALTERNATIVES_MIN..=ALTERNATIVES_MAX).contains(&group.len()) && n * 2 >= n_holders;
    let are_apart = || {
        let pairs = group.iter().enumerate();
        let mut pairs = pairs.flat_map(|(index, &one)| group[index + 1..].iter().map(move |&other| (one, other)));
        pairs.all(|(one, other)| guide.together(one, other) == 0)
    };
    if is_slot && group.iter().all(is_one_of_many) && are_apart() {
        let target = Origin::Section
            .unlabelled(guide, place, &group)
            .unwrap_or_else(|| guide.child_or_add(place, StepKind::AnySection, ""));
        merge(guide, place, &group, target, Origin::Section);
    }
}

/// The fewest headings of which each page has one that are values, as of headers of a column; two
/// may be languages. Of more than the most, pages that have two are not looked for.
const ALTERNATIVES_MIN: usize = 5;
const ALTERNATIVES_MAX: usize = 48;

/// Whether a text has a word: two letters that stand together, or one of a script without capital
/// letters.
fn has_word(text: &str) -> bool {
    let is_uncased = |c: char| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase();
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.contains(is_uncased) || word.chars().nth(1).is_some())
}

/// The mean share of the holders of some places that have one of them, by block.
fn mean_share(guide: &Guide, place: PlaceId, group: &[PlaceId]) -> f64 {
    let n: usize = group.iter().map(|&child| guide.places[child].n).sum();
    let n_holders = guide.places[place].n as f64;
    let shares = group.iter().map(|&child| {
        let own = &guide.places[child];
        own.n as f64 * (own.n_parents as f64 / n_holders).min(1.0)
    });
    shares.sum::<f64>() / n.max(1) as f64
}

/// By what kind of block places came to be known by a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// A section with a heading.
    Section,
    /// A pair of a label and a value.
    Pair,
    /// A row whose first cell is a label.
    Row,
    /// A line that begins with a label.
    Line,
    /// An element with an `id`.
    Element,
}

impl Origin {
    const ALL: [Self; 5] = [Self::Section, Self::Pair, Self::Row, Self::Line, Self::Element];

    /// The places inside a place that are known by such labels.
    fn places(self, guide: &Guide, place: PlaceId) -> Vec<PlaceId> {
        let children = guide.places[place].children.iter().copied();
        let is_own = |&child: &PlaceId| {
            let own = &guide.places[child];
            let is_line = own.texts.n * 2 >= own.n;
            let has_cells = own
                .children
                .iter()
                .any(|&inner| guide.places[inner].kind == StepKind::Cell);
            let is_kind = match self {
                Self::Section => own.kind == StepKind::Section,
                Self::Pair => own.kind == StepKind::Pair && !is_line && !has_cells,
                Self::Row => own.kind == StepKind::Pair && !is_line && has_cells,
                Self::Line => own.kind == StepKind::Pair && is_line,
                Self::Element => matches!(own.kind, StepKind::Group) && own.text.contains('#'),
            };
            is_kind && own.n > 0 && !own.is_merged
        };
        children.filter(is_own).collect()
    }

    /// What kind of place a block of a pair or row is at that no label is known for.
    fn of_nothing(self) -> Option<StepKind> {
        match self {
            Self::Pair => Some(StepKind::AnyPair),
            Self::Row => Some(StepKind::Row),
            Self::Section | Self::Line | Self::Element => None,
        }
    }

    /// The place beside them of blocks of the same kind under no label; of several, the one with
    /// most blocks.
    fn unlabelled(self, guide: &Guide, place: PlaceId, group: &[PlaceId]) -> Option<PlaceId> {
        let tag = |place: PlaceId| guide.places[place].text.split(['.', '#']).next().unwrap_or_default();
        let is_like = |&child: &PlaceId| {
            let own = &guide.places[child];
            match self {
                Self::Section => own.kind == StepKind::AnySection,
                Self::Pair => own.kind == StepKind::AnyPair,
                Self::Row => own.kind == StepKind::Row,
                Self::Line => own.kind == StepKind::Line,
                Self::Element => {
                    let is_tag = group.first().is_some_and(|&first| tag(first) == tag(child));
                    own.kind == StepKind::Group && !own.text.contains('#') && is_tag
                }
            }
        };
        let children = guide.places[place].children.iter().copied();
        children
            .filter(|child| guide.places[*child].n > 0 && is_like(child))
            .max_by_key(|&child| (guide.places[child].n, std::cmp::Reverse(child)))
    }
}

fn are_values(guide: &Guide, place: PlaceId, group: &[PlaceId], target: PlaceId, tuning: &SchemaTuning) -> bool {
    let n: usize = group.iter().map(|&child| guide.places[child].n).sum();
    let n_unlabelled = guide.places[target].n;
    let mean_share = mean_share(guide, place, group);
    match guide.places[target].kind == StepKind::Line {
        true => {
            let n_unseen = guide.places[target].texts.n_cut;
            mean_share < tuning.value_line_share || mean_share < tuning.value_label_share && n_unseen > n
        }
        false => {
            let open_share = n_unlabelled as f64 / (n + n_unlabelled) as f64;
            // Terms of a list that do not recur count as what hardly any holder has. A heading that
            // some pages have is a column, however many others have headings of their own.
            let share = match guide.places[target].kind {
                StepKind::AnyPair | StepKind::Row => mean_share * (1.0 - open_share),
                _ => mean_share,
            };
            share < tuning.value_label_share && open_share >= tuning.open_label_share
                || mean_share < tuning.rare_label_share
        }
    }
}

/// Makes the places of a group part of a place without a label.
fn merge(guide: &mut Guide, parent: PlaceId, group: &[PlaceId], to: PlaceId, origin: Origin) {
    guide.places[to].is_merged |= !matches!(origin, Origin::Line | Origin::Element);
    let label = match origin {
        Origin::Section => Some(guide.child_or_add(to, StepKind::Heading, "")),
        Origin::Pair => Some(guide.child_or_add(to, StepKind::Label, "")),
        Origin::Row | Origin::Line | Origin::Element => None,
    };
    if let Some(label) = label {
        for &other in group {
            guide.count_label(label, other);
        }
    }
    guide.merge_into(parent, to, group);
    guide.settle_multiplicity(parent, to);
}
