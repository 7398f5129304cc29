//! Prediction: the class that an address will turn out to be of, before it is downloaded.
//!
//! In: a [`SiteModel`] and an address. Out: a class and how sure that is, or nothing where
//! addresses of this shape were never visited. The sureness is the share of visits that led there,
//! with one more that did not: what led there once is a coin's toss.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use url::Url;

use super::site_model::{ShapeOutcome, SiteModel};

/// Tells the class of addresses.
#[derive(Debug, Clone)]
pub struct Predictor<'a> {
    model: &'a SiteModel,
    by_shape: HashMap<&'a str, &'a ShapeOutcome, FixedState>,
}

/// What an address probably leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The class, by its number.
    pub class: usize,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

impl<'a> Predictor<'a> {
    /// Prepares a model.
    pub fn new(model: &'a SiteModel) -> Self {
        let outcomes = model.shape_outcomes.iter();
        Self {
            model,
            by_shape: outcomes.map(|outcome| (outcome.shape.as_str(), outcome)).collect(),
        }
    }

    /// The class that an address probably leads to.
    pub fn predict(&self, url: &Url) -> Option<Prediction> {
        let shape = self.model.shapes.shape(url);
        let outcome = self.by_shape.get(shape.as_str())?;
        let visits: u32 = outcome.dead + outcome.classes.iter().map(|(_, count)| count).sum::<u32>();
        let most = outcome
            .classes
            .iter()
            .max_by_key(|&&(class, count)| (count, std::cmp::Reverse(class)));
        most.map(|&(class, count)| Prediction {
            class,
            confidence: f64::from(count) / f64::from(visits + 1),
        })
    }
}
