//! One class in several languages: labels and headings that say the same.
//!
//! Where some pages of a class say `Formel` and others `Formula`, these are one column. Two labels
//! say the same when no page has both, they stand at the same position among their neighbours, and
//! at least two other pairs of labels do likewise on the same pages: one pair alone may be an
//! alternative (`Born`, `Founded`), a whole set of them is another language, or another skin of the
//! site. No word of any language is known. The label on most pages names the column.

use super::guide::{Guide, PlaceId};
use super::schema::SchemaTuning;
use super::step::StepKind;

/// Makes one place of labels, and of headings, that say the same in different languages.
pub(super) fn merge_dialects(guide: &mut Guide, tuning: &SchemaTuning) {
    // What is merged lies behind what holds it, so one pass from the page down sees all.
    for place in 0..guide.places.len() {
        let pairs = accepted_pairs(guide, place, tuning);
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
    let mean = |place: PlaceId| guide.places[place].position / guide.places[place].n.max(1) as f64;
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
    candidates
        .iter()
        .copied()
        .filter(|&pair| support(pair) + 1 >= DIALECT_PAIRS_MIN)
        .collect()
}

/// Labels that differ together, at least: fewer are alternatives.
const DIALECT_PAIRS_MIN: usize = 3;

/// What is merged into what: the places of each cluster into its commonest one. No two that some
/// page has both of are in one cluster.
fn clusters(guide: &Guide, pairs: &[(PlaceId, PlaceId)]) -> Vec<(PlaceId, PlaceId)> {
    let mean = |place: PlaceId| guide.places[place].position / guide.places[place].n.max(1) as f64;
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
