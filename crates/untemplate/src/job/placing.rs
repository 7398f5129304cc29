//! Placing pages: which class a page is of, by the site model, and by what was learnt since.
//!
//! A site model comes from few pages, so a crawl meets classes that it does not know. Pages that no
//! class is like are set aside; a model of their own makes classes of them, which stand after the
//! others. Numbers never change.

use url::Url;

use crate::site::model::{Classifier, Fingerprint, SiteModel};

/// A model that pages were placed by.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacingModel {
    /// The model.
    pub model: SiteModel,
    /// By class of the model, the number of the class that reads its pages.
    pub numbers: Vec<Option<usize>>,
}

/// Tells the class of pages.
#[derive(Debug, Clone, Default)]
pub struct Placing {
    /// The models, and the number of the first class of each.
    models: Vec<(usize, Classifier)>,
    /// The same models as they were given, for whoever places pages later.
    given: Vec<SiteModel>,
    /// By class, the class that it is one with.
    same: Vec<usize>,
}

impl Placing {
    /// Adds the classes of a model; the number of the first.
    pub fn add(&mut self, model: &SiteModel) -> usize {
        let first = self.same.len();
        self.models.push((first, Classifier::new(model)));
        self.given.push(model.clone());
        self.same.extend(first..first + model.classes.len());
        first
    }

    /// The class of a page: the one that is known of it, or else that of the first model that knows
    /// it.
    pub fn class_of(&self, known: Option<usize>, fingerprint: &Fingerprint, url: &Url) -> Option<usize> {
        known
            .map(|class| self.same[class])
            .or_else(|| self.class_from(0, fingerprint, url))
    }

    /// The models, each with the number that every class of it has in the end: `number` gives it,
    /// or nothing for classes that nothing was read of.
    pub fn into_models(self, number: impl Fn(usize) -> Option<usize>) -> Vec<PlacingModel> {
        let firsts = self.models.iter().map(|(first, _)| *first);
        let model = |(first, model): (usize, SiteModel)| PlacingModel {
            numbers: (first..first + model.classes.len())
                .map(|class| number(self.same[class]))
                .collect(),
            model,
        };
        firsts.zip(self.given).map(model).collect()
    }

    /// Notes that a class is one with another.
    pub fn join(&mut self, class: usize, with: usize) {
        for own in self.same.iter_mut().filter(|own| **own == class) {
            *own = with;
        }
    }

    /// The class of a page, of those from this number on.
    pub fn class_from(&self, least: usize, fingerprint: &Fingerprint, url: &Url) -> Option<usize> {
        let known = |(first, classifier): &(usize, Classifier)| {
            Some(self.same[first + classifier.classify(fingerprint, url).class?])
        };
        self.models.iter().filter(|(first, _)| *first >= least).find_map(known)
    }
}
