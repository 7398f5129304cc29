//! Labels of headings: `Track: Drums`, `Track: Bass` are one label with different values.
//!
//! In: headings that begin with a label, while pages are counted. Out: which headings are values of
//! their label, though they recur. A heading that recurs is the template's; but where a label heads
//! several texts, the label is, and the text behind it is a value: the sections are rows of one
//! list.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// The fewest different headings with a label that are values of it: two may be alternatives.
const VALUES_MIN: usize = 3;

/// The headings that begin with each label.
#[derive(Debug, Clone, Default)]
pub(super) struct HeadingLabels {
    /// Of each label the first few different headings, by hash.
    headings: HashMap<u64, Vec<u64>, FixedState>,
    /// The label of each heading.
    labels: HashMap<u64, u64, FixedState>,
}

impl HeadingLabels {
    /// Notes a heading that begins with a label and goes on.
    pub fn add(&mut self, label: u64, heading: u64) {
        let known = self.headings.entry(label).or_default();
        if known.len() < VALUES_MIN && !known.contains(&heading) {
            known.push(heading);
        }
        self.labels.insert(heading, label);
    }

    /// The label that a heading is a value of.
    pub fn label_of(&self, heading: u64) -> Option<u64> {
        let label = self.labels.get(&heading).copied();
        label.filter(|label| self.headings.get(label).is_some_and(|known| known.len() >= VALUES_MIN))
    }

    /// Forgets all but these labels and headings.
    pub fn retain(&mut self, is_label: impl Fn(u64) -> bool, is_heading: impl Fn(u64) -> bool) {
        self.headings.retain(|&label, _| is_label(label));
        self.labels.retain(|&heading, _| is_heading(heading));
        self.labels.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_with_three_headings_has_values() {
        let mut labels = HeadingLabels::default();
        for (label, heading) in [(1, 10), (1, 11), (1, 12), (2, 20), (2, 21), (2, 20)] {
            labels.add(label, heading);
        }
        assert_eq!((labels.label_of(10), labels.label_of(12)), (Some(1), Some(1)));
        assert_eq!((labels.label_of(20), labels.label_of(30)), (None, None));
    }
}
