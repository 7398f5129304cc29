//! What it costs to say which paths a page has: with the help of a class, and alone. Paper:
//! Crescenzi 2005, section 3.2.

use untemplate::site::model::{INDEX_COST, MISSING_COST, PATH_COST, SchemaMode};

/// What a page of `n_page` paths costs with the help of a class of `n_class` paths, `n_shared` of
/// which they share. Addresses are left out.
pub fn page_cost(n_page: usize, n_class: usize, n_shared: usize) -> f64 {
    n_class as f64 * INDEX_COST + (n_class - n_shared) as f64 * MISSING_COST + (n_page - n_shared) as f64 * PATH_COST
}

/// What a page of `n_page` paths costs alone: above this no class helps, and the page is of none.
pub fn lone_cost(n_page: usize, mode: SchemaMode) -> f64 {
    let each = match mode {
        SchemaMode::Union => PATH_COST + INDEX_COST,
        SchemaMode::Optimal => PATH_COST,
    };
    n_page as f64 * each
}
