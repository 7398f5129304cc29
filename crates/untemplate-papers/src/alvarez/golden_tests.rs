//! The paper's own examples: the strings of Fig. 4, the clusters and divisions of Fig. 6, the
//! values of Fig. 7.

use expect_test::{Expect, expect};

use super::cluster::{cluster, column_similarities};
use super::edit_similarity::{edit_distance, edit_similarity};
use super::field_text::values;
use super::record_list::{Cut, best_record_list, record_lists};

/// Symbols of Fig. 4 as numbers.
fn string(symbols: &str) -> Vec<u32> {
    let known = [
        "TR0", "TD0", "TABLE0", "TR1", "TD1", "SPAN1", "A1", "TEXT4", "BR0", "TEXT2", "TEXT3", "IMG0", "TEXT0",
        "SPAN0", "TEXT1",
    ];
    let number = |symbol: &str| {
        known
            .iter()
            .position(|its| *its == symbol)
            .expect("a symbol of the figure") as u32
    };
    symbols.split(' ').map(number).collect()
}

/// A book, a row with two prices, and a row with one.
fn subtrees() -> [Vec<u32>; 3] {
    [
        string("TR0 TD0 TABLE0 TR1 TD1 SPAN1 A1 TEXT4 BR0 TEXT2 SPAN1 TEXT3 BR0 SPAN1 TEXT3 TEXT2 TD1 IMG0"),
        string("TR0 TD0 TEXT0 SPAN0 TEXT1 TEXT0 SPAN0 TEXT1"),
        string("TR0 TD0 TEXT0 SPAN0 TEXT1"),
    ]
}

/// The subtrees of Fig. 3 in order: c0 c1 c0 c2 c2 c0 c1 c2 c0 c1.
fn page() -> Vec<Vec<u32>> {
    let kinds = subtrees();
    [0, 1, 0, 2, 2, 0, 1, 2, 0, 1]
        .map(|kind: usize| kinds[kind].clone())
        .to_vec()
}

#[test]
fn strings_of_figure_4_are_as_similar_as_printed() {
    let [c0, c1, c2] = subtrees();
    let (r0, r1) = (
        [c0.clone(), c1.clone()].concat(),
        [c0.clone(), c2.clone(), c2.clone()].concat(),
    );
    assert_eq!((r0.len(), r1.len(), edit_distance(&r0, &r1)), (26, 28, 2));
    let rounded = |one: &[u32], other: &[u32]| format!("{:.4}", edit_similarity(one, other));
    assert_eq!(rounded(&r0, &r1), "0.9630");
    assert_eq!(rounded(&c0, &c1), "0.1538");
    assert_eq!(rounded(&c0, &c2), "0.1739");
    assert_eq!(rounded(&c1, &c2), "0.7692");
}

#[test]
fn subtrees_of_figure_3_fall_into_three_clusters() {
    let [c0, c1, c2] = subtrees();
    let similarities = column_similarities(&[&c0, &c1, &c2], &[4.0, 3.0, 3.0]);
    assert_eq!(format!("{:.4}", similarities[1][2]), "0.8535");
    assert_eq!(cluster(&page()), [0, 1, 0, 2, 2, 0, 1, 2, 0, 1]);
}

#[test]
fn the_first_division_of_figure_6_is_chosen() {
    let lists = record_lists(&page(), &cluster(&page()));
    let mut shown: Vec<String> = lists
        .iter()
        .map(|list| format!("{:.4} {:?}", list.likeness, list.cut))
        .collect();
    shown.sort_by(|one, other| other.cmp(one));
    check(
        &shown.join("\n"),
        expect![[r#"
            0.9489 StartsWith(0)
            0.7477 EndsWith(1)
            0.7207 EndsWith(0)
            0.5886 StartsWith(2)
            0.5886 EndsWith(2)
            0.5105 StartsWith(1)
            0.4805 Each"#]],
    );
    let best = best_record_list(lists).expect("there are record lists");
    assert_eq!(best.cut, Cut::StartsWith(0));
    assert_eq!(best.records, [0..2, 2..5, 5..8, 8..10]);
}

fn check(shown: &str, expected: Expect) {
    expected.assert_eq(shown);
}

#[test]
fn values_lose_signs_and_labels_and_keep_their_digits() {
    let shown = |texts: &[&str]| {
        format!(
            "{:?}",
            values(&texts.iter().map(|text| Some(*text)).collect::<Vec<_>>())
        )
    };
    check(
        &shown(&["29.67€", "20.00€"]),
        expect![[r#"Some([Some("29.67"), Some("20.00")])"#]],
    );
    check(&shown(&["Buy new:", "Buy new:", "Buy new:"]), expect!["None"]);
    check(&shown(&["Price used:", "Price used:"]), expect!["None"]);
    check(
        &shown(&["by Ada", "by Alan"]),
        expect![[r#"Some([Some("Ada"), Some("Alan")])"#]],
    );
    check(
        &shown(&["2 pages", "25 pages"]),
        expect![[r#"Some([Some("2"), Some("25")])"#]],
    );
    check(
        &shown(&["3.10", "3.14"]),
        expect![[r#"Some([Some("3.10"), Some("3.14")])"#]],
    );
    check(&shown(&["a", "a"]), expect![[r#"Some([Some("a"), Some("a")])"#]]);
}

#[test]
fn what_all_records_say_is_not_cut() {
    let texts = [Some("In stock"), None, Some("In stock")];
    let expected = texts.map(|text| text.map(str::to_owned));
    assert_eq!(values(&texts), Some(expected.to_vec()));
}
