//! What holds of every description and every grouping.

use proptest::prelude::*;

use super::description::{Description, SchemaMode};
use super::grouping::{LikenessTable, group};
use super::tuning::ModelTuning;
use crate::page::{PageSchema, PathId};

fn schemas() -> impl Strategy<Value = Vec<PageSchema>> {
    let schema = prop::collection::vec(0_u32..12, 0..8).prop_map(|paths| paths.into_iter().map(PathId).collect());
    prop::collection::vec(schema, 1..9)
}

fn described(pages: &[PageSchema]) -> Description {
    let mut all = Description::default();
    pages.iter().for_each(|page| all.absorb(&Description::of(page)));
    all
}

proptest! {
    #[test]
    fn a_merge_costs_what_describing_both_together_does(left in schemas(), right in schemas()) {
        for mode in [SchemaMode::Union, SchemaMode::Optimal] {
            let (left, right) = (described(&left), described(&right));
            let mut both = left.clone();
            both.absorb(&right);
            let told = left.merge_cost(&right, mode);
            let same = right.merge_cost(&left, mode);
            let really = both.cost(mode) - left.cost(mode) - right.cost(mode);
            prop_assert!((told - really).abs() < 1e-6 && (told - same).abs() < 1e-6);
        }
    }

    #[test]
    fn the_optimal_schema_is_never_longer(pages in schemas()) {
        let description = described(&pages);
        prop_assert!(description.cost(SchemaMode::Optimal) <= description.cost(SchemaMode::Union) + 1e-9);
    }

    #[test]
    fn grouping_puts_each_page_in_one_group(values in prop::collection::vec(0.0_f32..1.0, 45), len in 1_usize..10) {
        let table = LikenessTable::of(len, |left, right| values[left * (left - 1) / 2 + right]);
        let groups = group(&table, &ModelTuning::default());
        let mut pages: Vec<usize> = groups.concat();
        pages.sort_unstable();
        prop_assert_eq!(pages, (0..len).collect::<Vec<_>>());
    }

    #[test]
    fn equal_pages_are_together_and_unlike_ones_apart(n_left in 1_usize..6, n_right in 1_usize..6) {
        let side = |page: usize| page < n_left;
        let table = LikenessTable::of(n_left + n_right, |left, right| if side(left) == side(right) { 1.0 } else { 0.1 });
        prop_assert_eq!(group(&table, &ModelTuning::default()).len(), 2);
    }
}
