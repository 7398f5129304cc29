//! Unrolled lists: lists that a wrapper took for fields side by side.
//!
//! When all pages happen to say the same in a list, that looks like labels, and each of its rounds like fields of its own. Such rounds tell nothing that
//! could be trusted: which one is which differs from page to page.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::fold::{copied_column, links};
use super::names::{bare_key, is_junk};

/// Why rounds of a list that was not seen as one are left out.
pub(super) const UNROLLED: &str = "a list that was not seen as one";

/// So many links of one name to one class, side by side, are a list that was not seen as one.
pub(super) const UNROLLED_MIN: usize = 4;

/// Leaves out links that are rounds of a list that was not seen as one, and what stands beside them.
pub(super) fn leave_out_unrolled(draft: &mut Draft, class: usize, level: usize) {
    let facts = |column: usize| &draft.seen(class, level, column).facts;
    let columns = &draft.levels[class][level].columns;
    let kept: Vec<usize> = (0..columns.len()).filter(|&column| columns[column].is_kept()).collect();
    // Links to one class that have names of their own may be fields: a film has a director and a composer.
    let is_nameless = |column: usize| {
        let own = bare_key(facts(column));
        let is_like = |&&other: &&usize| {
            other != column
                && facts(other).holder == facts(column).holder
                && columns[other].is_reference() == columns[column].is_reference()
                && bare_key(facts(other)) == own
        };
        is_junk(own) || columns[column].is_named_by_value || kept.iter().filter(is_like).count() + 1 >= UNROLLED_MIN
    };
    let is_heading = |column: usize| matches!(facts(column).tag.as_str(), "h1" | "title");
    let mut families: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (link, target) in links(draft, class, level) {
        if is_nameless(link) {
            families.entry((facts(link).holder, target)).or_default().push(link);
        }
    }
    families.retain(|_, links| links.len() >= UNROLLED_MIN);
    let mut found: Vec<usize> = Vec::new();
    for ((holder, target), links) in &families {
        let joined: Vec<_> = links
            .iter()
            .map(|&link| draft.joined(class, level, link, *target))
            .collect();
        let is_copy = |column: usize| {
            joined
                .iter()
                .any(|pairs| copied_column(draft, (class, level, column), *target, pairs).is_some())
        };
        let is_beside = |&&column: &&usize| {
            facts(column).holder == *holder
                && !columns[column].is_reference()
                && !is_heading(column)
                && (is_nameless(column) || is_copy(column))
        };
        found.extend(kept.iter().filter(is_beside));
        found.extend(links);
    }
    for column in found {
        draft.levels[class][level].columns[column].left_out = Some(UNROLLED);
    }
}
