//! Placing pages: which class a page is of, by the site model, and by what was learnt since.
//!
//! A site model comes from few pages, so a crawl meets classes that it does not know. Pages that no class is like are set aside; a model of their own makes classes of
//! them, which stand after the others. Numbers never change.

use url::Url;

use crate::site::model::{Classifier, PageClass, Portrait, SiteModel};

/// Tells the class of pages.
#[derive(Debug, Clone, Default)]
pub struct Placing {
    /// The models, and the number of the first class of each.
    models: Vec<(usize, Classifier)>,
    /// All classes.
    pub classes: Vec<PageClass>,
}

impl Placing {
    /// Adds the classes of a model; the number of the first.
    pub fn add(&mut self, model: &SiteModel) -> usize {
        let first = self.classes.len();
        self.models.push((first, Classifier::new(model)));
        self.classes.extend(model.classes.iter().cloned());
        first
    }

    /// The class of a page; of the models that know it, the first one's.
    pub fn class_of(&self, portrait: &Portrait, url: &Url) -> Option<usize> {
        self.class_from(0, portrait, url)
    }

    /// The class of a page, of those from this number on.
    pub fn class_from(&self, least: usize, portrait: &Portrait, url: &Url) -> Option<usize> {
        let known = |(first, classifier): &(usize, Classifier)| Some(first + classifier.classify(portrait, url).class?);
        self.models.iter().filter(|(first, _)| *first >= least).find_map(known)
    }
}
