//! The paper's own examples, and the numbers that show why the product departs from it.

use untemplate::page::{PageSchema, PathId};
use untemplate::site::model::{Description, SchemaMode};

use super::{candidates, lone_cost, page_cost};

const TABLE: u32 = 1;
const BOLD: u32 = 2;
const LIST: u32 = 3;

fn schema(paths: impl IntoIterator<Item = u32>) -> PageSchema {
    paths.into_iter().map(PathId).collect()
}

fn described(pages: &[PageSchema]) -> Description {
    let mut all = Description::default();
    for page in pages {
        all.absorb(&Description::of(page));
    }
    all
}

/// What a page costs with the help of a class.
fn cost_in(page: &PageSchema, class: &PageSchema) -> f64 {
    page_cost(page.paths().len(), class.paths().len(), page.shared(class))
}

fn check_cost(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
}

/// Golden test G5: Figure 3 of Crescenzi 2005, and the encoding example of its section 3.2.
#[test]
fn the_papers_example() {
    let first = schema([TABLE, LIST]);
    let second = schema([TABLE, BOLD, LIST]);
    check_cost(first.normalised_distance(&second), 1.0 / 3.0);
    assert_eq!(candidates(&[first.clone(), second.clone()], 0.2), [vec![0], vec![1]]);
    let class = described(&[first, second]).schema(SchemaMode::Union);
    assert_eq!(class, schema([TABLE, BOLD, LIST]));
    // A class of three paths; a page that lacks the second and has a fourth, with seven addresses
    // in all, of cost 1 each.
    let (class, page) = (schema([1, 2, 3]), schema([1, 3, 4]));
    check_cost(cost_in(&page, &class) + 7.0, 11.4);
    check_cost(class.paths().len() as f64, 3.0);
}

/// A class of `n` pages with `paths` paths each.
fn uniform(n: usize, paths: u32) -> Description {
    described(&vec![schema(0..paths); n])
}

fn merged(left: &Description, right: &Description, mode: SchemaMode) -> f64 {
    let mut both = left.clone();
    both.absorb(right);
    let cost = both.cost(mode);
    check_cost(left.cost(mode) + right.cost(mode) + left.merge_cost(right, mode), cost);
    cost
}

/// Golden test G6: identical schemas always merge (a tie under the optimal schema merges by
/// distance), disjoint ones never.
#[test]
fn identical_merges_and_disjoint_does_not() {
    for mode in [SchemaMode::Union, SchemaMode::Optimal] {
        for n in [1, 3, 20] {
            let class = uniform(n, 7);
            let same = uniform(1, 7);
            let other = described(&vec![schema(100..107); 3]);
            assert!(class.merge_cost(&same, mode) < 1e-9, "{mode:?} {n}");
            assert!(class.merge_cost(&other, mode) > -1e-9, "{mode:?} {n}");
        }
    }
}

/// Golden test G6: one extra path on one page beside a hundred. Under the union a class is born,
/// under the optimal schema the page joins.
#[test]
fn one_extra_path_does_not_split_a_large_class() {
    let (class, odd) = (uniform(100, 30), uniform(1, 31));
    let apart = |mode| class.cost(mode) + odd.cost(mode);
    check_cost(merged(&class, &odd, SchemaMode::Union), 2635.8);
    check_cost(apart(SchemaMode::Union), 2485.8);
    check_cost(merged(&class, &odd, SchemaMode::Optimal), 2455.0);
    check_cost(apart(SchemaMode::Optimal), 2461.0);
}

/// The closed form is what describing page by page costs.
#[test]
fn costs_are_those_of_pages_one_by_one() {
    let pages = [schema([1, 2, 3]), schema([1, 2]), schema([2, 3, 4])];
    let class = described(&pages);
    let union = class.schema(SchemaMode::Union);
    let one_by_one: f64 = pages.iter().map(|page| cost_in(page, &union)).sum();
    check_cost(class.cost(SchemaMode::Union), one_by_one + union.paths().len() as f64);
    check_cost(lone_cost(pages[0].paths().len(), SchemaMode::Union), 5.4);
    check_cost(lone_cost(pages[0].paths().len(), SchemaMode::Optimal), 3.0);
}
