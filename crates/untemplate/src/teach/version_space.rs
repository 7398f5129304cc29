//! The version space of a field: the rules that are still possible, and what they say on every page
//! of the sample.
//!
//! Paper 002 §5 keeps the rules that are consistent with all answers. Here a rule that was silent
//! where there is a value is kept with less weight, since optional parts make good rules silent;
//! one that said something false is kept only while every rule did, and then the field is reported
//! as doubtful. A rule says something false when any of its values is none of the page's: of
//! several values it may read a part.
//!
//! A field can have several values on a page, at places of their own: the lines of an address, a
//! title in two spellings. Rules for one of them say nothing against rules for another, so
//! they are told apart into slots, and each slot votes for itself.
//!
//! Where a value was pointed at, a rule is right that reads it there, and not one that reads the
//! same text at another place; and rules that read the same text at different places of a page
//! disagree. Where values are known as texts alone, only texts count.
//!
//! Questions are about all rules that are left. What is kept in the end are those that agree on the
//! whole sample: a rule that says something else than the vote on a page that was there to learn
//! from would say so for ever, and a field whose rules part on pages that nobody changed could not
//! tell when somebody does.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::clean_up::CleanUp;
use super::sample::SamplePage;
use super::specification::show_rule;
use super::taught_field::{Slot, TaughtField, TaughtRule, silence_weight, stands};
use super::tuning::FieldTuning;
use crate::rule::{ExtractionRule, Locator, Picked, Selected};
use crate::statistics::entropy;

/// The rules of one field.
#[derive(Debug, Clone, Default)]
pub(super) struct VersionSpace {
    /// What is known: the true values on a page; none where it is absent.
    pub known: BTreeMap<usize, Vec<KnownValue>>,
    /// Rules that somebody does not want, as text.
    pub left_out: Vec<String>,
    /// Pages that are none of the class.
    pub unwanted: BTreeSet<usize>,
    hypotheses: Vec<Hypothesis>,
}

/// A true value on a page, and where it stands, as the innermost place of its text, if somebody
/// pointed at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownValue {
    pub text: String,
    /// Whether the page says it anywhere.
    pub is_said: bool,
    pub place: Option<Selected>,
}

/// What a rule picks on a page, each at the innermost place of its text.
type PickedValues = Vec<Picked>;

/// A rule, and what it says.
#[derive(Debug, Clone)]
struct Hypothesis {
    rule: ExtractionRule,
    prior: f64,
    /// What it picks on each page of the sample.
    readings: Vec<PickedValues>,
}

/// What the rules of a slot say on a page: distinct readings with their weights, the heaviest
/// first.
type Opinions = Vec<(PickedValues, f64)>;

/// Rules for the same value, with their weights, the heaviest first.
type Committee<'a> = Vec<(&'a Hypothesis, f64)>;

impl VersionSpace {
    /// One that knows which pages are none of the class.
    pub(super) fn without(unwanted: &BTreeSet<usize>) -> Self {
        Self {
            unwanted: unwanted.clone(),
            ..Self::default()
        }
    }

    /// Takes in candidates that it does not have yet.
    pub(super) fn add(&mut self, candidates: Vec<Candidate>, sample: &[SamplePage]) {
        for Candidate { rule, prior } in candidates {
            match self.hypotheses.iter_mut().find(|its| its.rule == rule) {
                Some(hypothesis) => hypothesis.prior = hypothesis.prior.max(prior),
                None => {
                    let readings = sample.iter().map(|page| page.picked_by(&rule)).collect();
                    self.hypotheses.push(Hypothesis { rule, prior, readings });
                }
            }
        }
    }

    /// The rules that are still possible, with their weights, the heaviest first.
    fn living(&self) -> Committee<'_> {
        let is_left_out = |its: &Hypothesis| !self.left_out.is_empty() && self.left_out.contains(&show_rule(&its.rule));
        let wanted = self.hypotheses.iter().filter(|its| !is_left_out(its));
        let weighed = wanted.map(|its| (its, self.weight(its)));
        let mut living: Committee<'_> = weighed.filter(|&(_, weight)| weight > 0.0).collect();
        let fewest = living.iter().map(|(its, _)| self.n_wrong(its)).min().unwrap_or(0);
        living.retain(|(its, _)| self.n_wrong(its) == fewest);
        living.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.rule.cmp(&right.0.rule)));
        living
    }

    /// On how many known pages a rule says something false.
    fn n_wrong(&self, hypothesis: &Hypothesis) -> usize {
        self.telling()
            .filter(|&(&page, values)| is_wrong(&hypothesis.readings[page], values))
            .count()
    }

    /// The known pages that tell rules apart. What a page does not say as it is known, no rule can
    /// read there, and a rule that is silent there is none the better for it.
    fn telling(&self) -> impl Iterator<Item = (&usize, &Vec<KnownValue>)> {
        let is_said = |values: &[KnownValue]| values.is_empty() || values.iter().any(|value| value.is_said);
        self.known.iter().filter(move |(_, values)| is_said(values))
    }

    /// How many pages are known to say a value.
    pub(super) fn n_shown(&self) -> usize {
        self.telling().filter(|(_, values)| !values.is_empty()).count()
    }

    /// A known page on which even the best rule says something false; `None` when no answer is
    /// contradicted.
    pub(super) fn contradicted(&self) -> Option<usize> {
        let living = self.living();
        let (best, _) = living.first()?;
        let wrong = |&(&page, values): &(&usize, &Vec<KnownValue>)| is_wrong(&best.readings[page], values);
        self.known.iter().find(wrong).map(|(&page, _)| page)
    }

    /// What a rule's vote counts: its kind, and how often it was right where there was something to
    /// say.
    fn weight(&self, hypothesis: &Hypothesis) -> f64 {
        let rate = self.rate(hypothesis);
        hypothesis.prior * rate * rate
    }

    /// How often a rule was right where there was something to say.
    fn rate(&self, hypothesis: &Hypothesis) -> f64 {
        self.n_right(hypothesis) as f64 / self.n_shown().max(1) as f64
    }

    /// On how many known pages a rule says something true, and nothing else.
    fn n_right(&self, hypothesis: &Hypothesis) -> usize {
        self.telling()
            .filter(|&(&page, values)| is_right(&hypothesis.readings[page], values))
            .count()
    }

    /// The rules that vote, in slots.
    fn slots(&self) -> Vec<Committee<'_>> {
        let whole = self.whole_slots().into_iter();
        whole.map(|slot| with_room(&slot, |_, _| true)).collect()
    }

    /// All rules in slots: each is headed by the heaviest rule that says something else than the
    /// heads before it on a known page.
    fn whole_slots(&self) -> Vec<Committee<'_>> {
        let slots_max = self.known.values().map(Vec::len).max().unwrap_or(1).max(1);
        let mut slots: Vec<Committee<'_>> = Vec::new();
        for (hypothesis, weight) in self.living() {
            let own = slots.iter().position(|slot| self.is_same_value(slot[0].0, hypothesis));
            match own {
                Some(own) => slots[own].push((hypothesis, weight)),
                None if slots.len() < slots_max => slots.push(vec![(hypothesis, weight)]),
                None => {}
            }
        }
        // A slot whose best rule is weak beside the first one's, and right on one page alone, is a
        // chance find. That it is silent elsewhere says little: of several values, pages have more or
        // fewer.
        let strength = |slot: &Committee<'_>| slot[0].0.prior * self.rate(slot[0].0);
        let best = slots.first().map_or(0.0, strength);
        slots.retain(|slot| {
            let is_strong = strength(slot) >= best * FieldTuning::DEFAULT.slot_share;
            is_strong || self.n_right(slot[0].0) >= FieldTuning::DEFAULT.slot_pages
        });
        slots
    }

    /// Whether two rules mean the same value, as far as the known pages tell.
    fn is_same_value(&self, left: &Hypothesis, right: &Hypothesis) -> bool {
        let both = self
            .known
            .keys()
            .filter(|&&page| !left.readings[page].is_empty() && !right.readings[page].is_empty());
        both.clone().count() > 0
            && both
                .into_iter()
                .all(|&page| self.is_alike(&left.readings[page], &right.readings[page]))
    }

    /// Whether somebody pointed at a value of the field.
    pub(super) fn is_pointed(&self) -> bool {
        self.known.values().flatten().any(|value| value.place.is_some())
    }

    /// The places where rules that are left read a text on a page.
    pub(super) fn places_of(&self, page: usize, text: &str) -> Vec<Selected> {
        let read = self.living().into_iter().flat_map(|(its, _)| &its.readings[page]);
        read.filter(|picked| picked.text == text)
            .map(|picked| picked.place)
            .collect()
    }

    /// Whether two readings of a page are the same: their texts, and their places where those
    /// count.
    fn is_alike(&self, left: &PickedValues, right: &PickedValues) -> bool {
        if self.is_pointed() {
            return left == right;
        }
        let texts = left.iter().map(|picked| &picked.text);
        texts.eq(right.iter().map(|picked| &picked.text))
    }

    /// What the rules of each slot say on a page, the heaviest opinion first.
    fn slot_opinions(&self, slot: &Committee<'_>, page: usize) -> Opinions {
        let mut opinions: Opinions = Vec::new();
        for &(hypothesis, weight) in slot {
            let reading = &hypothesis.readings[page];
            let weight = if reading.is_empty() {
                silence_weight(weight)
            } else {
                weight
            };
            match opinions.iter_mut().find(|(its, _)| self.is_alike(its, reading)) {
                Some((_, sum)) => *sum += weight,
                None => opinions.push((reading.clone(), weight)),
            }
        }
        opinions.sort_by(|left, right| right.1.total_cmp(&left.1));
        opinions
    }

    /// What the field may be on a page, and where that stands, the likeliest first.
    pub(super) fn choices(&self, page: usize) -> Vec<(Vec<String>, Vec<Selected>)> {
        let mut choices: Vec<PickedValues> = Vec::new();
        for slot in self.slots() {
            for (reading, _) in self.slot_opinions(&slot, page) {
                if !choices.iter().any(|its| self.is_alike(its, &reading)) {
                    choices.push(reading);
                }
            }
        }
        let apart = |reading: PickedValues| reading.into_iter().map(|its| (its.text, its.place)).unzip();
        choices.into_iter().map(apart).collect()
    }

    /// The unknown page on which the rules of a slot disagree most, with the entropy of their votes
    /// in bits.
    pub(super) fn most_uncertain(&self, n_pages: usize) -> Option<(usize, f64)> {
        let slots = self.slots();
        let doubt = |page: usize| {
            let doubts = slots.iter().map(|slot| {
                let opinions = self.slot_opinions(slot, page);
                entropy(opinions.iter().map(|(_, weight)| *weight))
            });
            doubts.fold(0.0, f64::max)
        };
        (0..n_pages)
            .filter(|page| !self.known.contains_key(page) && !self.unwanted.contains(page))
            .map(|page| (page, doubt(page)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The field as far as it is learnt; `None` when no rule is left.
    pub(super) fn field(&self, name: &str) -> Option<TaughtField> {
        let slots: Vec<Committee<'_>> = self.whole_slots().iter().map(|slot| self.agreeing(slot)).collect();
        let is_silent = |page: usize| {
            let mut rules = slots.iter().flatten();
            rules.all(|(its, _)| its.readings[page].is_empty())
        };
        let n_pages = slots.first().map_or(0, |slot| slot[0].0.readings.len());
        let is_absent = |page: usize| match self.known.get(&page) {
            Some(values) => values.is_empty(),
            None => is_silent(page),
        };
        let is_optional = self.known.values().any(Vec::is_empty) || self.wanted(n_pages).any(is_silent);
        let n_wanted = self.wanted(n_pages).count();
        let n_present = n_wanted - self.wanted(n_pages).filter(|&page| is_absent(page)).count();
        let share = (is_optional && n_present > 0).then_some((n_present as u32, n_wanted as u32));
        let slots: Vec<Slot> = slots.into_iter().map(|slot| Slot { rules: taught(slot) }).collect();
        (!slots.is_empty()).then(|| TaughtField {
            name: name.to_owned(),
            is_optional,
            share,
            slots,
            clean_up: CleanUp::default(),
        })
    }

    /// The pages of the sample that are of the class.
    fn wanted(&self, n_pages: usize) -> impl Iterator<Item = usize> {
        (0..n_pages).filter(|page| !self.unwanted.contains(page))
    }

    /// The rules of a slot that never say something else than the vote, or than a heavier rule, on
    /// a page of the sample.
    fn agreeing<'a>(&self, slot: &Committee<'a>) -> Committee<'a> {
        let voting = with_room(slot, |_, _| true);
        let n_pages = slot[0].0.readings.len();
        let winners: Vec<Option<PickedValues>> = (0..n_pages).map(|page| self.winner(&voting, page)).collect();
        let accords = |kept: &Committee<'a>, its: &Hypothesis| {
            let own = its
                .readings
                .iter()
                .enumerate()
                .filter(|(_, reading)| !reading.is_empty());
            let own = own.filter(|(page, _)| !self.unwanted.contains(page));
            own.into_iter().all(|(page, reading)| {
                let is_voted = winners[page]
                    .as_ref()
                    .is_none_or(|winner| self.is_alike(winner, reading));
                let is_same = |(other, _): &(&Hypothesis, f64)| {
                    other.readings[page].is_empty() || self.is_alike(&other.readings[page], reading)
                };
                is_voted && kept.iter().all(is_same)
            })
        };
        let mut kept = with_room(slot, accords);
        let wanted: Vec<usize> = self.wanted(n_pages).collect();
        drop_silent(&mut kept, &wanted);
        if kept.is_empty() { voting } else { kept }
    }

    /// What has more than half of the votes on a page of the sample; `None` where nothing has.
    fn winner(&self, slot: &Committee<'_>, page: usize) -> Option<PickedValues> {
        let opinions = self.slot_opinions(slot, page);
        let cast: f64 = opinions.iter().map(|(_, weight)| weight).sum();
        let (reading, weight) = opinions.into_iter().next()?;
        stands(weight, cast).then_some(reading)
    }
}

/// Drops the lightest of the rules that are silent where others speak, until more than half of the
/// weight is heard on every page that is heard of.
fn drop_silent(kept: &mut Committee<'_>, pages: &[usize]) {
    let is_silent = |its: &Hypothesis, page: usize| its.readings[page].is_empty();
    let is_hushed = |kept: &Committee<'_>, page: usize| {
        let (mut silent, mut heard) = (0.0, 0.0);
        for (its, weight) in kept {
            *if is_silent(its, page) { &mut silent } else { &mut heard } += weight;
        }
        heard > 0.0 && silent >= heard
    };
    while let Some(&page) = pages.iter().find(|&&page| is_hushed(kept, page)) {
        let lightest = kept.iter().rposition(|(its, _)| is_silent(its, page));
        kept.remove(lightest.expect("some of them are silent there"));
    }
}

/// As many of the rules as a slot has room for, the heaviest first, of those that are fit beside
/// the ones before them.
fn with_room<'a>(slot: &Committee<'a>, is_fit: impl Fn(&Committee<'a>, &Hypothesis) -> bool) -> Committee<'a> {
    let mut kept: Committee<'a> = Vec::new();
    for &(hypothesis, weight) in slot {
        if has_room(&kept, hypothesis) && is_fit(&kept, hypothesis) {
            kept.push((hypothesis, weight));
        }
    }
    kept
}

fn is_wrong(reading: &[Picked], values: &[KnownValue]) -> bool {
    let is_known = |picked: &Picked| {
        let is_it = |known: &KnownValue| known.text == picked.text && known.place.is_none_or(|it| it == picked.place);
        values.iter().any(is_it)
    };
    !reading.iter().all(is_known)
}

fn is_right(reading: &[Picked], values: &[KnownValue]) -> bool {
    !reading.is_empty() && !is_wrong(reading, values)
}

fn taught(slot: Committee<'_>) -> Vec<TaughtRule> {
    let rule = |(hypothesis, weight): (&Hypothesis, f64)| TaughtRule {
        rule: hypothesis.rule.clone(),
        weight,
    };
    slot.into_iter().map(rule).collect()
}

fn has_room(slot: &Committee<'_>, hypothesis: &Hypothesis) -> bool {
    let is_labeled = |its: &Hypothesis| matches!(its.rule.place, Locator::Labeled { .. });
    let limit = if is_labeled(hypothesis) {
        FieldTuning::DEFAULT.labeled_max
    } else {
        FieldTuning::DEFAULT.anchored_max
    };
    let n_alike = slot
        .iter()
        .filter(|(its, _)| is_labeled(its) == is_labeled(hypothesis))
        .count();
    n_alike < limit
}
