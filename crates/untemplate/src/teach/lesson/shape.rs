//! The shape of a class: what a person made of its fields beyond examples: their order, rules
//! written by hand, clean-ups.

use super::model::LessonClass;
use crate::rule::{ExtractionRule, LocationPath, Locator};
use crate::teach::{CleanUp, Session, TaughtField, TaughtRule};

/// What a person said about the fields of a class, beside examples and answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// Names of fields in the order of their columns; those that are not named come behind.
    pub order: Vec<String>,
    /// Fields that are read by a path that somebody wrote.
    pub by_hand: Vec<(String, LocationPath)>,
    /// Clean-ups of fields.
    pub clean_ups: Vec<(String, CleanUp)>,
}

impl Shape {
    /// Forgets all about a field.
    pub(super) fn forget(&mut self, field: &str) {
        self.order.retain(|its| its != field);
        self.by_hand.retain(|(its, _)| its != field);
        self.clean_ups.retain(|(its, _)| its != field);
    }

    pub(super) fn rename(&mut self, field: &str, to: &str) {
        let by_hand = self.by_hand.iter_mut().map(|(name, _)| name);
        let clean_ups = self.clean_ups.iter_mut().map(|(name, _)| name);
        let names = self.order.iter_mut().chain(by_hand).chain(clean_ups);
        names
            .filter(|name| *name == field)
            .for_each(|name| *name = to.to_owned());
    }

    /// The clean-up of a field.
    pub fn clean_up(&self, field: &str) -> CleanUp {
        let found = self.clean_ups.iter().find(|(its, _)| its == field);
        found.map(|(_, clean_up)| clean_up.clone()).unwrap_or_default()
    }
}

impl LessonClass {
    /// The fields that a session learnt and those that somebody wrote, cleaned up, in their order.
    pub fn shaped_fields(&self, session: &Session) -> Vec<TaughtField> {
        let mut fields = session.fields();
        for (name, path) in &self.shape.by_hand {
            fields.retain(|field| field.name != *name);
            fields.push(written(name, path, session));
        }
        for field in &mut fields {
            field.clean_up = self.shape.clean_up(&field.name);
        }
        let place = |field: &TaughtField| {
            let place = self.shape.order.iter().position(|name| *name == field.name);
            place.unwrap_or(usize::MAX)
        };
        fields.sort_by_key(place);
        fields
    }
}

/// A field of one rule, which somebody wrote.
fn written(name: &str, path: &LocationPath, session: &Session) -> TaughtField {
    let rule = ExtractionRule::at(Locator::Absolute(path.clone()));
    let (wanted, _) = session.wanted();
    let n_present = wanted.iter().filter(|page| !rule.values(&page.page).is_empty()).count();
    let mut field = TaughtField::of_rules(name, n_present < wanted.len(), vec![TaughtRule { rule, weight: 1.0 }]);
    field.share = (field.is_optional && n_present > 0).then_some((n_present as u32, wanted.len() as u32));
    field
}
