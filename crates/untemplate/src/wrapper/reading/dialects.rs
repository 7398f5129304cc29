//! One class in several languages: labels and headings that say the same.
//!
//! Where some pages of a class say `Formel` and others `Formula`, these are one column. Two labels
//! say the same when no page has both, they stand at the same position among their neighbours, and
//! at least two other pairs of labels do likewise on the same pages: one pair alone may be an
//! alternative (`Born`, `Founded`), a whole set of them is another language, or another skin of the
//! site. Where pages say which language they are in, a pair may stand alone: each of the two is on
//! pages of one language only, and nearest to the other in position and frequency. No word of any
//! language is known. The label on most pages names the column.

use std::collections::{BTreeMap, BTreeSet};

use super::guide::{Guide, Place, PlaceId};
use super::schema::SchemaTuning;
use super::step::StepKind;
use super::vocabulary::text_hash;

/// Makes one place of labels, and of headings, that say the same in different languages.
pub(super) fn merge_dialects(guide: &mut Guide, tuning: &SchemaTuning) {
    // What is merged lies behind what holds it, so one pass from the page down sees all.
    for place in 0..guide.places.len() {
        let mut pairs = accepted_pairs(guide, place, tuning);
        pairs.extend(pairs_by_language(guide, place));
        for (to, from) in clusters(guide, &pairs) {
            guide.merge_into(place, to, &[from]);
        }
    }
}

/// Pairs of children that say the same.
fn accepted_pairs(guide: &Guide, place: PlaceId, tuning: &SchemaTuning) -> Vec<(PlaceId, PlaceId)> {
    let holders = guide.places[place].n as f64;
    let keyed: Vec<PlaceId> = guide.places[place]
        .children
        .iter()
        .copied()
        .filter(|&child| {
            let own = &guide.places[child];
            matches!(own.kind, StepKind::Section | StepKind::Pair) && own.n as f64 >= tuning.dialect_share * holders
        })
        .collect();
    if keyed.len() < 2 * DIALECT_PAIRS_MIN {
        return Vec::new();
    }
    let mean = |place: PlaceId| guide.places[place].mean_position();
    let mut candidates: Vec<(PlaceId, PlaceId)> = Vec::new();
    for (index, &one) in keyed.iter().enumerate() {
        for &other in &keyed[index + 1..] {
            let is_same_kind = guide.places[one].kind == guide.places[other].kind;
            if is_same_kind
                && guide.together(one, other) == 0
                && (mean(one) - mean(other)).abs() <= tuning.dialect_distance
            {
                candidates.push((one, other));
            }
        }
    }
    let go_together = |one: PlaceId, other: PlaceId| {
        let least = guide.places[one].n_parents.min(guide.places[other].n_parents);
        one != other && guide.together(one, other) as usize * 10 >= least * 8
    };
    let support = |(one, other): (PlaceId, PlaceId)| {
        let others = candidates.iter().filter(|&&(left, right)| {
            go_together(one, left) && go_together(other, right) || go_together(one, right) && go_together(other, left)
        });
        others.count()
    };
    // A language changes most labels of a page: what shares more than it changes is another kind of
    // thing.
    let is_other_language = |(one, other): (PlaceId, PlaceId)| {
        let n_with = |is_with: &dyn Fn(PlaceId) -> bool| keyed.iter().filter(|&&label| is_with(label)).count();
        let n_shared = n_with(&|label| go_together(one, label) && go_together(other, label));
        let n_own = |own: PlaceId, its: PlaceId| {
            1 + n_with(&|label| go_together(own, label) && guide.together(its, label) == 0)
        };
        n_shared < n_own(one, other).min(n_own(other, one))
    };
    candidates
        .iter()
        .copied()
        .filter(|&pair| support(pair) + 1 >= DIALECT_PAIRS_MIN && is_other_language(pair))
        .collect()
}

/// Pairs of children of which each is on pages of one language only and the other is what is
/// nearest to it, in position and frequency, on pages of the other language.
fn pairs_by_language(guide: &Guide, place: PlaceId) -> Vec<(PlaceId, PlaceId)> {
    let holder = &guide.places[place];
    if holder.languages.len() < 2 {
        return Vec::new();
    }
    let unknown = text_hash("");
    let known: Vec<(PlaceId, u64)> = holder
        .children
        .iter()
        .filter_map(|&child| {
            let own = &guide.places[child];
            let is_labelled = matches!(own.kind, StepKind::Section | StepKind::Pair) && !own.is_merged;
            match own.languages[..] {
                [(language, _)] if is_labelled && language != unknown => Some((child, language)),
                _ => None,
            }
        })
        .collect();
    let mean = |place: PlaceId| guide.places[place].mean_position();
    // By place and language, what is nearest there.
    let mut nearest: BTreeMap<(PlaceId, u64), PlaceId> = BTreeMap::new();
    for &(one, language) in &known {
        let distance = |other: PlaceId| {
            let share = |place: PlaceId| share_of_language(holder, &guide.places[place]);
            (mean(one) - mean(other)).abs() + (share(one) - share(other)).abs()
        };
        let others = known.iter().filter(|(_, its)| *its != language);
        for &(other, its) in others.filter(|&&(other, _)| is_shaped_alike(guide, one, other)) {
            let best = nearest.entry((one, its)).or_insert(other);
            if distance(other) < distance(*best) {
                *best = other;
            }
        }
    }
    let mut pairs = Vec::new();
    for (index, &(one, language)) in known.iter().enumerate() {
        for &(other, its) in known[index + 1..].iter().filter(|(_, its)| *its != language) {
            if nearest.get(&(one, its)) == Some(&other)
                && nearest.get(&(other, language)) == Some(&one)
                && chance_of_one_language(holder, &guide.places[one])
                    * chance_of_one_language(holder, &guide.places[other])
                    < BY_CHANCE
            {
                pairs.push((one, other));
            }
        }
    }
    pairs
}

/// The chance at which two labels that have nothing to do with languages may be taken for one.
const BY_CHANCE: f64 = 0.01;

/// The chance that all blocks of a place are on pages of one language, where languages make no
/// difference.
fn chance_of_one_language(holder: &Place, own: &Place) -> f64 {
    let all: usize = holder.languages.iter().map(|(_, n)| n).sum();
    let share = holder.n_in_language_of(own) as f64 / all.max(1) as f64;
    share.powi(i32::try_from(own.n_parents).unwrap_or(i32::MAX))
}

/// The share of the holders on pages of a place's one language that have it.
fn share_of_language(holder: &Place, own: &Place) -> f64 {
    own.n_parents as f64 / holder.n_in_language_of(own).max(1) as f64
}

/// Whether two places are of one kind and hold something of the same kind, or nothing.
fn is_shaped_alike(guide: &Guide, one: PlaceId, other: PlaceId) -> bool {
    let (one, other) = (&guide.places[one], &guide.places[other]);
    let kinds = |place: &Place| -> BTreeSet<StepKind> {
        place.children.iter().map(|&child| guide.places[child].kind).collect()
    };
    let (own, its) = (kinds(one), kinds(other));
    one.kind == other.kind && (own.is_empty() && its.is_empty() || !own.is_disjoint(&its))
}

/// Labels that differ together, at least: fewer are alternatives.
const DIALECT_PAIRS_MIN: usize = 3;

/// What is merged into what: the places of each cluster into its commonest one. No two that some
/// page has both of are in one cluster.
fn clusters(guide: &Guide, pairs: &[(PlaceId, PlaceId)]) -> Vec<(PlaceId, PlaceId)> {
    let mean = |place: PlaceId| guide.places[place].mean_position();
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|left, right| {
        let distance = |(one, other): &(PlaceId, PlaceId)| (mean(*one) - mean(*other)).abs();
        distance(left).total_cmp(&distance(right)).then(left.cmp(right))
    });
    let mut groups: Vec<Vec<PlaceId>> = Vec::new();
    for (one, other) in sorted {
        let find = |groups: &[Vec<PlaceId>], place: PlaceId| groups.iter().position(|group| group.contains(&place));
        let own = find(&groups, one).unwrap_or_else(|| {
            groups.push(vec![one]);
            groups.len() - 1
        });
        let their = find(&groups, other).unwrap_or_else(|| {
            groups.push(vec![other]);
            groups.len() - 1
        });
        let is_free = own != their
            && groups[own]
                .iter()
                .all(|&left| groups[their].iter().all(|&right| guide.together(left, right) == 0));
        if is_free {
            let moved = std::mem::take(&mut groups[their]);
            groups[own].extend(moved);
        }
    }
    let mut merges = Vec::new();
    for group in groups {
        let Some(&most) = group
            .iter()
            .max_by_key(|&&place| (guide.places[place].n, std::cmp::Reverse(place)))
        else {
            continue;
        };
        merges.extend(
            group
                .into_iter()
                .filter(|&place| place != most)
                .map(|place| (most, place)),
        );
    }
    merges
}
