//! Strangers: what stands among records and is none, such as advertisements, pagers and footers.
//!
//! In: the records of a list. Out: those that have enough of what most of them have. Neither the
//! classes nor the number of fields of a record tells: a record with few fields is still one, and
//! pages without classes have strangers, too.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use super::likeness::nested_kinds;
use super::nested::Outer;
use super::outline::Outline;

/// What this share of the records has is usual. Swept 0.5, 0.7, 0.9: `lists` precision 0.988,
/// 0.989, 0.987 and, of the second corpus, 0.988, 0.988, 0.982.
const USUAL_SHARE: f64 = 0.7;

/// A stranger has this share of what is usual at most. Swept 0, 0.1, 0.2 on all list pages: `lists`
/// is the same; of the right records none, none and one is lost; with advertisements put among the
/// records 0.691, 0.691, 0.710 of the pages keep theirs.
const STRANGER_SHARE: f64 = 0.2;

/// From this number of records on, some of them tell what is usual.
const RECORDS_MIN: usize = 4;

/// The numbers of the records but for strangers among them: those that have hardly anything of what
/// is usual.
pub fn without_strangers(outline: &Outline<'_>, records: &[Outer]) -> Vec<usize> {
    let kinds: Vec<BTreeSet<(u32, u32)>> = records
        .iter()
        .map(|record| nested_kinds(outline, &record.nodes))
        .collect();
    let mut counts: HashMap<(u32, u32), usize, FixedState> = HashMap::default();
    for &kind in kinds.iter().flatten() {
        *counts.entry(kind).or_default() += 1;
    }
    let least = USUAL_SHARE * records.len() as f64;
    let is_usual = |kind: &(u32, u32)| counts[kind] as f64 > least;
    let n_usual = counts.keys().filter(|kind| is_usual(kind)).count();
    let is_stranger = |record: usize| {
        let n_own = kinds[record].iter().filter(|kind| is_usual(kind)).count();
        n_usual > 0 && n_own as f64 <= STRANGER_SHARE * n_usual as f64
    };
    (0..records.len())
        .filter(|&record| records.len() < RECORDS_MIN || !is_stranger(record))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Name, NodeId, Page, ParseOptions, Response};

    /// Which of the children of a page's body are no strangers.
    fn check_kept(html: &str, expected: &[usize]) {
        let url = "http://list.example/".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let body = page.dom.find(Name::BODY).expect("the parser always adds a body");
        let children: Vec<NodeId> = page.dom.children(body).collect();
        let records: Vec<Outer> = children.into_iter().map(Outer::alone).collect();
        assert_eq!(without_strangers(&Outline::of(&page.dom), &records), expected);
    }

    #[test]
    fn a_footer_among_records_is_none() {
        let hit = "<p><b><a href=/a>Ada</a></b> <i>1815</i></p>";
        check_kept(
            &format!("{hit}{hit}{hit}{hit}<p>All rights reserved</p>"),
            &[0, 1, 2, 3],
        );
        // A record that lacks a field is still one.
        check_kept(&format!("{hit}{hit}{hit}{hit}<p><i>1843</i></p>"), &[0, 1, 2, 3, 4]);
        // Of three, none says what is usual.
        check_kept(&format!("{hit}{hit}<p>All rights reserved</p>"), &[0, 1, 2]);
    }
}
