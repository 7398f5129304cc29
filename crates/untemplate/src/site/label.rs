//! Labels: the words that a template prints on each of its pages, such as "Born:" or "Opening
//! hours".
//!
//! In: pages, one after the other. Out: for each the texts that at least two pages have at such a
//! place, as hashes. Templates that build the same tree still print different labels, while data
//! differs from page to page and drops out. As with attribute values, what a page alone has is
//! remembered by who has it, so that the first page learns of a label when a second one has it.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId};

/// The longest text that is taken for a label, in bytes.
const LABEL_MAX: usize = 48;
/// How many labels of a page are looked at.
const LABELS_MAX: usize = 512;

/// Who has which text, over the pages of a site.
#[derive(Debug, Clone, Default)]
pub struct LabelBook {
    /// By the hash of place and text: who has it.
    owners: HashMap<u64, Owner, FixedState>,
    n_pages: usize,
}

#[derive(Debug, Clone, Copy)]
struct Owner {
    /// The first page that has it.
    first: u32,
    /// The last one, so that a page counts once.
    last: u32,
    n_pages: u32,
}

/// On this many pages a text is surely a template's, however large the site.
const SURELY: usize = 10;
/// Else on one of this many pages.
const ONE_OF: usize = 50;

impl LabelBook {
    /// Reads page number `page`: its labels, sorted, and those that earlier pages turn out to have.
    pub fn read_page(&mut self, page: u32, dom: &Dom) -> (Vec<u64>, Vec<(u32, u64)>) {
        self.n_pages += 1;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for label in candidates(dom) {
            let owner = self.owners.entry(label).or_insert(Owner {
                first: page,
                last: page,
                n_pages: 1,
            });
            if owner.last != page {
                if owner.n_pages == 1 {
                    others.push((owner.first, label));
                }
                owner.last = page;
                owner.n_pages += 1;
                own.push(label);
            }
        }
        own.sort_unstable();
        (own, others)
    }

    /// Of a page's labels those that enough pages have: words that two texts happen to share say
    /// little.
    pub fn common(&self, labels: &[u64]) -> Vec<u64> {
        let enough = (self.n_pages / ONE_OF).clamp(2, SURELY) as u32;
        let is_common = |label: &&u64| self.owners.get(label).is_some_and(|owner| owner.n_pages >= enough);
        labels.iter().filter(is_common).copied().collect()
    }
}

/// The texts of a page that could be labels: short, without digits, and no link's.
fn candidates(dom: &Dom) -> Vec<u64> {
    let mut found = Vec::new();
    let mut skip_to = NodeId::DOCUMENT;
    for node in dom.nodes() {
        if node < skip_to {
            continue;
        }
        if dom.is_unseen(node) || dom.name(node) == Some(Name::A) {
            skip_to = dom.subtree_end(node);
            continue;
        }
        if !dom.is_text(node) {
            continue;
        }
        let text = dom.text(node).trim();
        if text.is_empty() || text.len() > LABEL_MAX || text.bytes().any(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let mut around = dom.ancestors(node).map(|above| dom.name_text(above));
        let place = (around.next(), around.next());
        found.push(FixedState::with_seed(0x6c61_6265).hash_one((place, text)));
        if found.len() >= LABELS_MAX {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, parse_html};

    fn read(book: &mut LabelBook, page: u32, html: &str) -> (Vec<u64>, Vec<(u32, u64)>) {
        book.read_page(page, &parse_html(html, &ParseOptions::default()).0)
    }

    #[test]
    fn what_two_pages_print_is_a_label() {
        let mut book = LabelBook::default();
        let first = read(
            &mut book,
            0,
            "<dl><dt>Born<dd>Ada<dt>Team<dd>Reds</dl><a href=x>Born</a>",
        );
        assert_eq!(first, (vec![], vec![]));
        let (own, others) = read(&mut book, 1, "<dl><dt>Born<dd>Bo<dt>Team<dd>7 Blues</dl><p>Born");
        assert_eq!(own.len(), 2);
        assert_eq!(others.iter().map(|(page, _)| *page).collect::<Vec<_>>(), [0, 0]);
        let (own, others) = read(&mut book, 2, "<dl><dt>Born<dd>Cy</dl>");
        assert_eq!((own.len(), others.len()), (1, 0));
    }
}
