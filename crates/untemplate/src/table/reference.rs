//! References by name: columns of texts that name the rows of another table.
//!
//! Not every page links what it mentions. A column refers to a class when each of its values is the
//! name of one of its pages, and those names are all different.

use std::collections::HashMap;

use super::addresses::address_hash;
use super::draft::Draft;
use super::evidence::{Evidence, PLACEHOLDERS_MAX};
use super::schema::ColumnKind;

/// Finds the columns that name the pages of a class.
pub(super) fn find_named(draft: &mut Draft) {
    let names: Vec<Option<usize>> = (0..draft.levels.len()).map(|class| name_column(draft, class)).collect();
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
            for column in 0..draft.levels[class][level].columns.len() {
                let drafted = &draft.levels[class][level].columns[column];
                if drafted.is_kept() && matches!(drafted.typing.kind, ColumnKind::Text | ColumnKind::Enum) {
                    let named = named_class(draft, &names, (class, level, column));
                    draft.levels[class][level].columns[column].named = named;
                }
            }
        }
    }
}

/// Fewer different values may be names by chance.
const NAMES_MIN: usize = 4;

/// So may shorter ones.
const CHARACTERS_MIN: usize = 4;

/// The class that values name: of several, the one with the fewest names.
fn named_class(
    draft: &Draft,
    names: &[Option<usize>],
    (class, level, column): (usize, usize, usize),
) -> Option<(usize, usize)> {
    let evidence = &draft.seen(class, level, column).evidence;
    let is_long = evidence.n_characters >= CHARACTERS_MIN * evidence.n_filled;
    let is_known = evidence.placeholders.len() < PLACEHOLDERS_MAX;
    if !is_known || !evidence.is_counted() || evidence.distinct.len() < NAMES_MIN || !is_long {
        return None;
    }
    let candidates = names
        .iter()
        .enumerate()
        .filter_map(|(target, name)| Some((target, (*name)?)));
    let fits = |&(target, name): &(usize, usize)| {
        (target, 0, name) != (class, level, column)
            && evidence
                .distinct
                .is_subset(&draft.seen(target, 0, name).evidence.distinct)
    };
    candidates
        .filter(fits)
        .min_by_key(|&(target, name)| draft.seen(target, 0, name).evidence.distinct.len())
}

/// The column that names the pages of a class: the first one whose texts are short, all different,
/// and never missing.
fn name_column(draft: &Draft, class: usize) -> Option<usize> {
    let seen = draft.level(class, 0);
    let is_candidate = |&column: &usize| {
        let drafted = &draft.levels[class][0].columns[column];
        let is_text = drafted.is_kept() && drafted.typing.kind == ColumnKind::Text;
        is_text && is_name(&seen.columns[column].evidence, seen.n_rows)
    };
    // The first one, unless another is said to be it.
    let column = (0..seen.columns.len()).filter(is_candidate).min_by_key(|&column| {
        let facts = &seen.columns[column].facts;
        let is_said = facts.is_heading;
        (!is_said, seen.columns[column].order, column)
    })?;
    // A title without the name of the site is not what was counted.
    let reading = &draft.levels[class][0].columns[column].reading;
    let is_whole = reading.before.is_empty() && reading.after.is_empty();
    let evidence = &seen.columns[column].evidence;
    (is_whole && evidence.is_unique() && evidence.n_placeholders == 0).then_some(column)
}

/// Whether the links of a list lead to a class on some pages, and on others elsewhere: one template
/// lists several kinds of things.
pub(super) fn leads_by_pages(draft: &Draft, (class, level, column): (usize, usize, usize), target: usize) -> bool {
    let mut pages: HashMap<&str, (bool, bool)> = HashMap::new();
    for row in draft.level(class, level).sample.rows() {
        if let Some(url) = row.get(column) {
            let leads_there = draft.survey.addresses.class_of_hash(address_hash(url)) == Some(target);
            let (there, elsewhere) = pages.entry(&row.page).or_default();
            *there |= leads_there;
            *elsewhere |= !leads_there;
        }
    }
    level > 0 && pages.values().all(|(there, elsewhere)| there != elsewhere)
}

/// Whether a column of texts names its rows: short, all different, and hardly any is missing.
pub(super) fn is_name(evidence: &Evidence, n_rows: usize) -> bool {
    let is_short = evidence.n_characters <= NAME_MAX * evidence.n_filled;
    is_short && evidence.n_filled * 20 >= n_rows * 19 && evidence.distinct.len() * 20 >= n_rows * 19
}

/// Names have this many characters, on average.
const NAME_MAX: usize = 100;
