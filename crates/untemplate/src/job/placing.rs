//! Placing pages: which class a page is of, by the site model, and by what was learnt since.
//!
//! A site model comes from few pages, so a crawl meets classes that it does not know. Pages that no
//! class is like are set aside; a model of their own makes classes of them, which stand after the
//! others. Numbers never change.

use url::Url;

use crate::site::model::{Classifier, Portrait, SiteModel};

/// Tells the class of pages.
#[derive(Debug, Clone, Default)]
pub struct Placing {
    /// The models, and the number of the first class of each.
    models: Vec<(usize, Classifier)>,
    /// By class, the class that it is one with.
    same: Vec<usize>,
}

impl Placing {
    /// Adds the classes of a model; the number of the first.
    pub fn add(&mut self, model: &SiteModel) -> usize {
        let first = self.same.len();
        self.models.push((first, Classifier::new(model)));
        self.same.extend(first..first + model.classes.len());
        first
    }

    /// The class of a page: the one that is known of it, or else that of the first model that knows
    /// it.
    pub fn class_of(&self, known: Option<usize>, portrait: &Portrait, url: &Url) -> Option<usize> {
        known
            .map(|class| self.same[class])
            .or_else(|| self.class_from(0, portrait, url))
    }

    /// Notes that a class is one with another.
    pub fn join(&mut self, class: usize, with: usize) {
        for own in self.same.iter_mut().filter(|own| **own == class) {
            *own = with;
        }
    }

    /// The class of a page, of those from this number on.
    pub fn class_from(&self, least: usize, portrait: &Portrait, url: &Url) -> Option<usize> {
        let known = |(first, classifier): &(usize, Classifier)| {
            Some(self.same[first + classifier.classify(portrait, url).class?])
        };
        self.models.iter().filter(|(first, _)| *first >= least).find_map(known)
    }
}
