//! Page classes of a site, as the paper finds them: Crescenzi, Merialdo, Missier, "Clustering web
//! pages based on their structure", 2005.
//!
//! [`compute_model`] explores a site by link collections and makes classes by description length;
//! [`SchemaClassifier`] tells the class of a page. The product's own way is
//! [`explore_model`](untemplate::site::model::explore_model).

mod compute;
mod page_cost;
mod schema_classifier;

pub use compute::{ComputeOptions, Strategy, candidates, compute_model};
pub use page_cost::{lone_cost, page_cost};
pub use schema_classifier::SchemaClassifier;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod site_tests;
