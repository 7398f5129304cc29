//! What holds of every tree and of all strings: fast ways give what plain ways give.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::alignment::center_star;
use super::data_region::pair_scores;
use super::edit_similarity::edit_distance;
use untemplate::page::{Dom, NodeId, ParseOptions, parse_html};

/// A random tree as HTML: each number opens this many levels or closes some.
fn html(shape: &[u8]) -> String {
    let tags = ["div", "span", "b"];
    let mut html = String::new();
    let mut open: Vec<&str> = Vec::new();
    for &byte in shape {
        match byte % 5 {
            0 | 1 => {
                let tag = tags[usize::from(byte / 5) % tags.len()];
                html.push_str(&format!("<{tag}>"));
                open.push(tag);
            }
            2 => {
                if let Some(tag) = open.pop() {
                    html.push_str(&format!("</{tag}>"));
                }
            }
            _ => html.push_str("x<!---->"),
        }
    }
    html
}

fn texts_of(dom: &Dom) -> Vec<(NodeId, u32)> {
    let texts = dom.nodes().filter(|&node| dom.is_text(node));
    // Two paths by depth: many texts share one.
    texts.map(|node| (node, (dom.depth(node) % 3) as u32)).collect()
}

fn plain_scores(dom: &Dom, texts: &[(NodeId, u32)]) -> BTreeMap<NodeId, u64> {
    let mut scores = BTreeMap::new();
    for (index, &(one, path)) in texts.iter().enumerate() {
        for &(other, _) in texts[index + 1..].iter().filter(|(_, its)| *its == path) {
            let ancestor = dom.ancestors(one).find(|&node| dom.contains(node, other));
            *scores.entry(ancestor.expect("the document holds all")).or_insert(0) += 1;
        }
    }
    scores
}

fn plain_common_length(one: &[u32], other: &[u32]) -> usize {
    let mut row = vec![0; other.len() + 1];
    for symbol in one {
        let mut diagonal = 0;
        for (at, its) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if symbol == its {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row[other.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn merged_scores_equal_those_of_all_pairs(shape in prop::collection::vec(any::<u8>(), 0..80)) {
        let (dom, _) = parse_html(&html(&shape), &ParseOptions::default());
        let texts = texts_of(&dom);
        let mut scores = pair_scores(&dom, &texts);
        scores.retain(|_, score| *score > 0);
        prop_assert_eq!(scores, plain_scores(&dom, &texts));
    }

    #[test]
    fn bits_find_the_distance_that_a_table_finds(
        one in prop::collection::vec(0u32..6, 0..150),
        other in prop::collection::vec(0u32..6, 0..150),
    ) {
        let plain = one.len() + other.len() - 2 * plain_common_length(&one, &other);
        prop_assert_eq!(edit_distance(&one, &other), plain);
    }

    #[test]
    fn every_symbol_stands_in_a_column_of_its_own(
        strings in prop::collection::vec(prop::collection::vec(0u32..4, 0..10), 1..5),
    ) {
        let alignment = center_star(&strings);
        for (string, columns) in strings.iter().zip(&alignment.columns) {
            prop_assert_eq!(string.len(), columns.len());
            prop_assert!(columns.windows(2).all(|pair| pair[0] < pair[1]), "{:?} {:?}", alignment, strings);
            for (symbol, &column) in string.iter().zip(columns) {
                prop_assert_eq!(Some(*symbol), column.map(|column| alignment.master[column]));
            }
        }
    }
}
