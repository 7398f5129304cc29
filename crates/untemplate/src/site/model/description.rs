//! Description length: what it costs to say which link paths the pages of a site have, given its
//! classes.
//!
//! In: page schemas. Out: costs. Paper: Crescenzi 2005, section 3.2, with its costs: a path and a
//! missing path 1, an index 0.8. A class is described by its paths, a page by an index for each of
//! them, a mark for those it lacks, and in full those that the class does not have. Addresses cost
//! the same under every model and are left out.
//!
//! Two schemas of a class: the paper's *union* of its pages' paths, and the *optimal* one, which
//! holds a path only where that makes the description shorter. Under the union one extra path on
//! one page of a hundred makes a new class, so that classes fall apart as they grow; under the
//! optimal schema it costs 1.
//!
//! A class keeps how many of its pages have each path, so that a merge test costs the paths of the
//! smaller side.

use std::collections::BTreeMap;

use crate::page::{PageSchema, PathId};

/// Says a path in full.
pub const PATH_COST: f64 = 1.0;
/// Says a path by its place in the class schema.
pub const INDEX_COST: f64 = 0.8;
/// Says that a page lacks a path of the class.
pub const MISSING_COST: f64 = 1.0;

/// How a class schema is made from page schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaMode {
    /// All paths of any page: the paper's.
    Union,
    /// The paths that make the description shortest.
    #[default]
    Optimal,
}

/// A class of fewer pages keeps the union as its schema: the rule of the optimal one would empty
/// it. Costs are by the rule all the same, so that few pages cost what their paths do, described
/// together or apart.
const OPTIMAL_PAGES_MIN: usize = 6;

/// Pages described together: how many there are, and how many have each path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// The pages.
    pub n_pages: usize,
    /// By path, the pages that have it.
    pub supports: BTreeMap<PathId, usize>,
}

impl Description {
    /// The description of one page.
    pub fn of(schema: &PageSchema) -> Self {
        let supports = schema.paths().iter().map(|&path| (path, 1)).collect();
        Self { n_pages: 1, supports }
    }

    /// Takes in the pages of another.
    pub fn absorb(&mut self, other: &Self) {
        self.n_pages += other.n_pages;
        for (&path, support) in &other.supports {
            *self.supports.entry(path).or_default() += support;
        }
    }

    /// The class schema.
    pub fn schema(&self, mode: SchemaMode) -> PageSchema {
        let mode = if self.n_pages < OPTIMAL_PAGES_MIN {
            SchemaMode::Union
        } else {
            mode
        };
        let held = self
            .supports
            .iter()
            .filter(|&(_, &support)| is_held(self.n_pages, support, mode));
        held.map(|(&path, _)| path).collect()
    }

    /// What the schema and its pages cost together, addresses left out.
    pub fn cost(&self, mode: SchemaMode) -> f64 {
        self.supports
            .values()
            .map(|&support| path_cost(self.n_pages, support, mode))
            .sum()
    }

    /// By how much the cost of all grows when two are described as one: less than 0 where merging
    /// pays.
    pub fn merge_cost(&self, other: &Self, mode: SchemaMode) -> f64 {
        let n_pages = self.n_pages + other.n_pages;
        let (few, many) = match self.supports.len() <= other.supports.len() {
            true => (self, other),
            false => (other, self),
        };
        // All paths of the larger side as if the smaller had none of them, then those that it has.
        let alone = |support: &usize| path_cost(n_pages, *support, mode);
        let mut merged: f64 = many.supports.values().map(alone).sum();
        for (path, support) in &few.supports {
            let there = many.supports.get(path).copied().unwrap_or(0);
            merged += path_cost(n_pages, there + support, mode);
            if there > 0 {
                merged -= path_cost(n_pages, there, mode);
            }
        }
        merged - self.cost(mode) - other.cost(mode)
    }
}

/// Whether a path belongs to the schema of a class.
fn is_held(n_pages: usize, support: usize, mode: SchemaMode) -> bool {
    match mode {
        SchemaMode::Optimal => held_cost(n_pages, support) < support as f64 * PATH_COST,
        SchemaMode::Union => support > 0,
    }
}

/// What one path costs over all pages of a class.
fn path_cost(n_pages: usize, support: usize, mode: SchemaMode) -> f64 {
    match is_held(n_pages, support, mode) {
        true => held_cost(n_pages, support),
        false => support as f64 * PATH_COST,
    }
}

/// What a path of the schema costs: itself, an index a page, and a mark where it is missing.
fn held_cost(n_pages: usize, support: usize) -> f64 {
    PATH_COST + n_pages as f64 * INDEX_COST + (n_pages - support) as f64 * MISSING_COST
}
