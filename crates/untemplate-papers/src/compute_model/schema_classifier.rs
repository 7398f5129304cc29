//! Classification as the paper does it: the class that describes a page's links shortest.
//!
//! In: a [`SiteModel`] and a page. Out: the class of least cost. Paper: Crescenzi 2005, section
//! 3.2; ties go to the class with more pages, then to the older; a page that costs no less than
//! alone is of none. An inverted index from paths to classes is asked once for each path of the
//! page; classes that share none with it cost their paths.
//!
//! Paths of the model leave out attribute values that one page alone had when it was made. So a
//! page's paths keep only values that the model knows.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;
use untemplate::page::{Alphabet, AttributeFilter, AttributeMode, Page, PageSchema, PathInterner};
use untemplate::site::keep_values;
use untemplate::site::model::{Classification, SchemaMode, SiteModel};

use super::page_cost::{lone_cost, page_cost};

/// Tells the class of pages by their links.
#[derive(Debug, Clone)]
pub struct SchemaClassifier {
    filter: AttributeFilter,
    mode: SchemaMode,
    /// By path, the classes that have it.
    index: HashMap<String, Vec<u32>, FixedState>,
    /// By class: how many paths it has, and how many pages.
    sizes: Vec<(usize, usize)>,
    /// Attribute names and values that paths of the model have.
    values: HashSet<(String, String), FixedState>,
}

impl SchemaClassifier {
    /// Prepares the classes of a model.
    pub fn new(model: &SiteModel) -> Self {
        let mut index: HashMap<String, Vec<u32>, FixedState> = HashMap::default();
        let mut values = HashSet::default();
        for (number, class) in model.classes.iter().enumerate() {
            for path in &class.schema {
                index.entry(path.path.clone()).or_default().push(number as u32);
                let mut step_text = String::new();
                for step in steps(&path.path) {
                    keep_values(step, &mut step_text, |name, value| {
                        values.insert((name.to_owned(), value.to_owned()))
                    });
                }
            }
        }
        let filter = AttributeFilter { mode: model.attributes };
        let sizes = model
            .classes
            .iter()
            .map(|class| (class.schema.len(), class.pages.len()));
        Self {
            filter,
            mode: model.schema_mode,
            index,
            sizes: sizes.collect(),
            values,
        }
    }

    /// The class of a page, and what it costs.
    pub fn classify(&self, page: &Page) -> Classification {
        self.classify_paths(&self.paths(page))
    }

    /// The paths of a page's links, as the model writes them.
    pub fn paths(&self, page: &Page) -> BTreeSet<String> {
        let mut interner = PathInterner::new(Alphabet::TagAttributes(self.filter));
        let schema = PageSchema::of(page, &mut interner);
        let texts = schema.paths().iter().map(|&path| interner.text(path));
        match self.filter.mode {
            AttributeMode::Normalised => texts.map(|text| self.with_known_values(&text)).collect(),
            _ => texts.collect(),
        }
    }

    /// The class of a page with these paths.
    pub fn classify_paths(&self, paths: &BTreeSet<String>) -> Classification {
        let mut shared = vec![0_usize; self.sizes.len()];
        for class in paths.iter().filter_map(|path| self.index.get(path)).flatten() {
            shared[*class as usize] += 1;
        }
        let cost = |class: usize| page_cost(paths.len(), self.sizes[class].0, shared[class]);
        let better = |best: usize, next: usize| {
            let order = cost(next)
                .total_cmp(&cost(best))
                .then(self.sizes[best].1.cmp(&self.sizes[next].1));
            if order.is_lt() { next } else { best }
        };
        let alone = lone_cost(paths.len(), self.mode);
        match (0..self.sizes.len()).reduce(better) {
            Some(best) => Classification {
                class: (cost(best) < alone || shared[best] == paths.len() && shared[best] == self.sizes[best].0)
                    .then_some(best),
                cost: cost(best),
            },
            None => Classification {
                class: None,
                cost: alone,
            },
        }
    }

    /// A path without the values that the model does not know.
    fn with_known_values(&self, path: &str) -> String {
        let mut known = String::with_capacity(path.len());
        for (place, step) in steps(path).enumerate() {
            if place > 0 {
                known.push('/');
            }
            keep_values(step, &mut known, |name, value| {
                self.values.contains(&(name.to_owned(), value.to_owned()))
            });
        }
        known
    }
}

/// The steps of a path: slashes with a backslash before them separate nothing.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    path.split(move |c: char| {
        let separates = c == '/' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        separates
    })
}
