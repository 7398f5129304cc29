//! Label profiles: which labels and headings the pages of a class have, and how many have each.
//!
//! In: the content of each page of a class. Out: whether two classes say the same under the same
//! labels.
//! Mark-up and addresses tell how pages are made; labels tell what they are about.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::content::{BlockId, BlockKind, Content, unnumbered};

/// The labels of a class's pages, counted.
#[derive(Debug, Clone, Default)]
pub struct LabelProfile {
    n_pages: u32,
    counts: HashMap<(Setting, u64), u32, FixedState>,
}

/// How a label is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Setting {
    /// Apart from what it labels: a term, the header of a row, a heading.
    Apart,
    /// At the beginning of a line that goes on with what it labels.
    InLine,
}

impl Setting {
    /// The least share of pages with a label that recurs.
    fn share_min(self) -> f64 {
        match self {
            Self::Apart => APART_SHARE,
            Self::InLine => IN_LINE_SHARE,
        }
    }
}

/// Labels that are counted: headings that are values have no end.
const LABELS_MAX: usize = 1 << 16;

/// A label's hash does not hang on the run.
const SEED: u64 = 11;

impl LabelProfile {
    /// Counts the labels and headings of a page, each once.
    pub fn add(&mut self, content: &Content) {
        self.n_pages += 1;
        let hash = |label: &str| FixedState::with_seed(SEED).hash_one(label);
        let label = |id: BlockId| {
            let (block, text) = (content.block(id), content.text(id));
            match block.kind {
                BlockKind::Label | BlockKind::Heading => Some((Setting::Apart, hash(unnumbered(text)))),
                BlockKind::Line => {
                    let label = text.get(..block.cut?.label_end as usize)?;
                    Some((Setting::InLine, hash(label)))
                }
                _ => None,
            }
        };
        let labels: BTreeSet<(Setting, u64)> = content.ids().filter_map(label).collect();
        for label in labels {
            if self.counts.len() < LABELS_MAX || self.counts.contains_key(&label) {
                *self.counts.entry(label).or_default() += 1;
            }
        }
    }

    /// The labels that recur, with the share of the pages that have each.
    pub fn recurring(&self) -> BTreeMap<u64, f64> {
        let mut recurring: BTreeMap<u64, f64> = BTreeMap::new();
        for (&(setting, label), &count) in &self.counts {
            let share = f64::from(count) / f64::from(self.n_pages.max(1));
            if share >= setting.share_min() {
                let own = recurring.entry(label).or_default();
                *own = own.max(share);
            }
        }
        recurring
    }

    /// Adds the counts of another class.
    pub fn merge(&mut self, other: &Self) {
        self.n_pages += other.n_pages;
        for (&label, &count) in &other.counts {
            *self.counts.entry(label).or_default() += count;
        }
    }
}

/// Takes out the labels that all classes of a site have: the headings of its side bars tell no
/// class from another. `classes` are those with pages enough to tell; of two, each may be a part of
/// one.
pub(super) fn without_frame(labels: &mut [BTreeMap<u64, f64>], classes: &[usize]) {
    let told: Vec<usize> = classes
        .iter()
        .copied()
        .filter(|&class| !labels[class].is_empty())
        .collect();
    let Some((&first, others)) = told.split_first().filter(|(_, others)| others.len() >= 2) else {
        return;
    };
    let is_common = |class: usize, label: &u64| labels[class].get(label).is_some_and(|&share| share >= FRAME_SHARE);
    let frame: Vec<u64> = labels[first]
        .keys()
        .filter(|label| is_common(first, label) && others.iter().all(|&class| is_common(class, label)))
        .copied()
        .collect();
    for own in labels {
        own.retain(|label, _| !frame.contains(label));
    }
}

/// What the labels of two classes have in common, given the labels of each that recur.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommonLabels {
    /// How many labels a page of one class has that one of the other is likely to have, too.
    number: f64,
    /// The same as a share of the labels that a page of either class has.
    share: f64,
    /// The same as a share of the labels that a page of the second class has; 1 if it has hardly
    /// any.
    share_of_second: f64,
}

impl CommonLabels {
    pub(super) fn of(one: &BTreeMap<u64, f64>, other: &BTreeMap<u64, f64>) -> Self {
        let number: f64 = one
            .iter()
            .map(|(label, share)| share.min(other.get(label).copied().unwrap_or(0.0)))
            .sum();
        let (of_one, of_other): (f64, f64) = (one.values().sum(), other.values().sum());
        Self {
            number,
            share: number / (of_one + of_other - number).max(f64::MIN_POSITIVE),
            share_of_second: match of_other >= LABELS_MIN {
                true => number / of_other,
                false => 1.0,
            },
        }
    }

    /// Whether pages of the two classes say the same. Where they are also made alike, sections that
    /// the pages of one class happen to lack, or labels that are values, are no reason to doubt it;
    /// that is asked only where it matters.
    pub(super) fn are_of_one_class(self, are_made_alike: impl FnOnce() -> bool) -> bool {
        self.number >= COMMON_MIN && (self.share >= COMMON_SHARE || self.share >= ALIKE_SHARE && are_made_alike())
    }

    /// Whether pages of the first class say something else than those of the second.
    pub(super) fn speak_against(self) -> bool {
        self.share_of_second < OTHER_SHARE
    }
}

/// The least share of pages with a label that recurs.
const APART_SHARE: f64 = 0.05;

/// The same of labels at the beginning of lines: one in a running text may stand on some pages by
/// chance, those of a sheet of facts are on most.
const IN_LINE_SHARE: f64 = 0.5;

/// The least share of each class's pages that have a label of the site's frame: most of them.
const FRAME_SHARE: f64 = 0.5;

/// The fewest labels that two pages have in common on average: all classes of a site may have a
/// label or two of its frame.
const COMMON_MIN: f64 = 3.0;

/// The least share of labels in common. Of the pairs of classes with like mark-up on the smaller
/// development sites, the one that a person would call one class is at 0.93, the next at 0.63, two
/// kinds of pages of a wiki.
const COMMON_SHARE: f64 = 0.75;

/// The same for classes whose pages have the same mark-up. On 29 sites, from 0.35 to 0.5 all of the
/// 12 to 16 pairs that it joins are one class by their addresses, too; from 0.6 on four are left.
const ALIKE_SHARE: f64 = 0.4;

/// The fewest labels of a page that say something by not being there. On 29 sites 1, 2 and 3 keep
/// 137, 129 and 128 pairs of classes apart.
const LABELS_MIN: f64 = 2.0;

/// Pages with less than this share of a class's labels are not of it. On 29 sites 0.1 keeps 111 of
/// 235 pairs apart that have one shape of addresses and are different classes, 0.2 and 0.25 keep
/// 129, 0.5 130; of the pages of pairs that are one class, nine of ten go on to be joined with all
/// of these.
const OTHER_SHARE: f64 = 0.2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    /// Labels of pages, `name:share` each.
    fn labels(text: &str) -> BTreeMap<u64, f64> {
        let one = |label: &str| {
            let (name, share) = label.split_once(':').expect("a label and its share");
            let share = share.parse().expect("a number");
            (FixedState::with_seed(SEED).hash_one(name), share)
        };
        text.split_whitespace().map(one).collect()
    }

    #[test]
    fn classes_with_the_same_labels_are_told() {
        let beasts = labels("armour:1 hits:1 attacks:0.9 notes:0.4 treasure:0.3");
        for (other, expected) in [
            ("armour:1 hits:1 attacks:1 notes:0.3 treasure:0.4", true),
            ("armour:1 hits:1 attacks:1 price:1 weight:1", false),
            ("armour:1 hits:0.5", false),
            ("home:1", false),
        ] {
            let common = CommonLabels::of(&beasts, &labels(other));
            assert_eq!(common.are_of_one_class(|| false), expected, "{other}");
        }
        // A heading and a note are no evidence.
        let (one, other) = (labels("home:1 note:1"), labels("home:1 note:1"));
        assert!(!CommonLabels::of(&one, &other).are_of_one_class(|| true));
    }

    #[test]
    fn folders_with_labels_of_their_own_are_one_class_where_pages_are_made_alike() {
        let admin = labels("admin:1 admin_files:1 summary:1 parameter:0.9 description:1 domain:0.7");
        let system = labels("system:1 system_files:1 summary:1 parameter:0.8 description:1 domain:0.6");
        let common = CommonLabels::of(&admin, &system);
        assert!(common.are_of_one_class(|| true));
        assert!(!common.are_of_one_class(|| false));
    }

    #[test]
    fn what_all_classes_say_is_the_frame() {
        let frame = "login:1 topics:1 news:0.9";
        let mut classes = ["artist:1", "price:1", "author:1", ""].map(|own| {
            if own.is_empty() {
                labels("")
            } else {
                labels(&format!("{frame} {own}"))
            }
        });
        without_frame(&mut classes, &[0, 1, 2, 3]);
        assert_eq!(classes[..2], [labels("artist:1"), labels("price:1")]);
        // Two classes may be parts of one.
        let mut parts = [labels(frame), labels(frame)];
        without_frame(&mut parts, &[0, 1]);
        assert_eq!(parts[0], labels(frame));
    }

    #[test]
    fn pages_that_lack_the_labels_of_a_class_are_of_another() {
        let calls = labels("syntax:1 arguments:0.9 returns:0.8 example:1");
        for (other, expected) in [
            ("history:0.1", true),
            ("contents:1 index:1 author:1", true),
            ("syntax:1 arguments:0.4", false),
        ] {
            assert_eq!(
                CommonLabels::of(&labels(other), &calls).speak_against(),
                expected,
                "{other}"
            );
        }
        // A class that has no labels says nothing by them.
        assert!(!CommonLabels::of(&calls, &labels("home:1")).speak_against());
    }

    #[test]
    fn labels_at_the_beginning_of_lines_count_where_most_pages_have_them() {
        let mut profile = LabelProfile::default();
        for number in 0..4 {
            let note = if number == 0 { "<p>Note: rare." } else { "" };
            let html =
                format!("<h2>Use</h2><div><p>Author: Ada {number}<p>Size: {number} m</div>{note}<p>Text {number}");
            let url = "http://team.example/a.html".parse().expect("a good address");
            profile.add(&Content::of(&Page::read(
                &Response::html(url, html),
                &ParseOptions::default(),
            )));
        }
        assert_eq!(profile.recurring(), labels("Use:1 Author:1 Size:1"));
    }
}
