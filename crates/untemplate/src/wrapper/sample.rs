//! Samples: few pages that show the variety of many.
//!
//! In: pages of one class. Out: the numbers of those to learn from. The first has what most pages
//! have; each of the others adds most of what was not there yet, things that few pages have
//! counting little. Inference compares every page with every other, so that more pages than needed
//! only cost time.

use crate::page::{Dom, Name, Page};

use super::feature::{HashMapOf, HashNumbers, class_words, hash_more, hash_text, is_seen};

/// The numbers of at most `most` pages, in order.
pub fn pick_training_pages(pages: &[&Page], most: usize) -> Vec<usize> {
    if pages.len() <= most {
        return (0..pages.len()).collect();
    }
    let marks: Vec<HashNumbers> = pages.iter().map(|page| marks_of(&page.dom)).collect();
    let mut support: HashMapOf<u64, u32> = HashMapOf::default();
    for mark in marks.iter().flatten() {
        *support.entry(*mark).or_default() += 1;
    }
    let mut missing: HashMapOf<u64, u32> = support.clone();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < most {
        let gain = |page: usize| -> u64 {
            marks[page]
                .iter()
                .filter_map(|mark| missing.get(mark))
                .map(|n| u64::from(*n))
                .sum()
        };
        let rest = (0..pages.len()).filter(|page| !chosen.contains(page));
        let Some(best) = rest.max_by_key(|&page| (gain(page), std::cmp::Reverse(page))) else {
            break;
        };
        if gain(best) == 0 {
            // Everything is covered: the others are taken evenly.
            let rest: Vec<usize> = (0..pages.len()).filter(|page| !chosen.contains(page)).collect();
            let n_more = most - chosen.len();
            chosen.extend((0..n_more).map(|index| rest[index * rest.len() / n_more]));
            break;
        }
        chosen.push(best);
        for mark in &marks[best] {
            missing.remove(mark);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The paths of tags and classes of a page.
fn marks_of(dom: &Dom) -> HashNumbers {
    let mut paths = vec![0u64; dom.len()];
    let mut marks = HashNumbers::default();
    let elements = dom.nodes().filter(|&node| dom.is_element(node) && is_seen(dom, node));
    for node in elements {
        let above = dom.parent(node).map_or(0, |parent| paths[parent.index()]);
        let mut path = hash_more(above, dom.name_text(node).as_bytes());
        for word in class_words(dom.attribute(node, Name::CLASS).unwrap_or_default()) {
            path = hash_more(path, &hash_text(&word).to_le_bytes());
        }
        paths[node.index()] = path;
        marks.insert(path);
    }
    marks
}
