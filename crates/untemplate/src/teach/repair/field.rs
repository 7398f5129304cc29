//! One field: learnt again where its old values stand on new pages, or beside its old label.

use super::outcome::RepairOutcome;
use crate::page::NodeId;
use crate::rule::Locator;
use crate::statistics::chance_of_so_few;
use crate::teach::{Example, FieldEvidence, SamplePage, Session, SessionOptions, ShownValue, TaughtField};
use crate::wrapper::{AGREED_MIN, OTHER_CHANCE, ValueProfile, is_mended, is_misread_on, look_alike};

/// A new page, and what the field was on the old page about the same thing.
pub(super) struct KnownPair {
    pub page: usize,
    pub values: Vec<ShownValue>,
}

impl KnownPair {
    /// Whether values are those that the field was.
    fn is_read_as(&self, values: &[String]) -> bool {
        self.values.iter().map(|shown| &shown.text).eq(values)
    }
}

/// A field after repair, and how it came to it.
pub(super) struct FieldEnd {
    pub outcome: RepairOutcome,
    pub field: TaughtField,
}

/// New pages on which rules are tried. More only cost time.
const SAMPLE_MAX: usize = 24;

/// Pages that a field is learnt from: one example finds the rules, the others choose among them.
const EXAMPLES_MAX: usize = 6;

/// The share of a trait below which it counts as less than it was, as for `verify`.
const HELD_MIN: f64 = 0.9;

/// Learns a field again; without confidence it is left without rules.
pub(super) fn mend(
    field: &TaughtField,
    evidence: Option<&FieldEvidence>,
    pairs: &[KnownPair],
    new: &[SamplePage],
) -> FieldEnd {
    by_values(field, pairs, new)
        .or_else(|| by_label(field, evidence?, new))
        .unwrap_or_else(|| FieldEnd {
            outcome: RepairOutcome::Lost,
            field: TaughtField {
                slots: Vec::new(),
                ..field.clone()
            },
        })
}

/// By values that are known: those that stand on the new page about the same thing.
fn by_values(field: &TaughtField, pairs: &[KnownPair], new: &[SamplePage]) -> Option<FieldEnd> {
    let standing = standing(pairs, new);
    // Halves: rules that are learnt from one must read the other.
    let half = |rest: usize| -> Vec<&KnownPair> {
        let numbered = standing.iter().enumerate().filter(|(number, _)| number % 2 == rest);
        numbered.map(|(_, pair)| *pair).collect()
    };
    let (mut agreed, mut compared) = (0, 0);
    for (shown, kept) in [(half(0), half(1)), (half(1), half(0))] {
        let learnt = learnt(field, &shown, new)?;
        for pair in kept {
            let values = values_of(&learnt, &new[pair.page]);
            compared += usize::from(!values.is_empty());
            agreed += usize::from(pair.is_read_as(&values));
        }
    }
    let learnt = is_mended(agreed, compared)
        .then(|| learnt(field, &standing, new))
        .flatten()?;
    Some(FieldEnd {
        outcome: RepairOutcome::Mended { agreed, compared },
        field: learnt,
    })
}

/// The pairs whose values stand on the new page, those first that stand at the fewest places: a
/// value such as `1` stands all over a page, and says little.
fn standing<'a>(pairs: &'a [KnownPair], new: &[SamplePage]) -> Vec<&'a KnownPair> {
    let places = |pair: &KnownPair| -> Option<usize> {
        let page = &new[pair.page];
        let counts = pair.values.iter().map(|value| value.occurrences(page).len());
        let counts: Vec<usize> = counts.collect();
        (!counts.is_empty() && !counts.contains(&0)).then(|| counts.iter().sum())
    };
    let mut standing: Vec<(usize, &KnownPair)> = pairs.iter().filter_map(|pair| Some((places(pair)?, pair))).collect();
    standing.sort_by_key(|(count, _)| *count);
    standing.into_iter().map(|(_, pair)| pair).collect()
}

/// Whether a field reads something else on pages that still show what it was.
pub(super) fn is_misread(field: &TaughtField, pairs: &[KnownPair], new: &[SamplePage]) -> bool {
    let standing = standing(pairs, new);
    let is_other = |pair: &&&KnownPair| !pair.is_read_as(&values_of(field, &new[pair.page]));
    let n_other = standing.iter().filter(is_other).count();
    is_misread_on(n_other, standing.len())
}

/// By a label that an old rule started from: what follows it on the new pages, where those values
/// look as the field's did.
fn by_label(field: &TaughtField, evidence: &FieldEvidence, new: &[SamplePage]) -> Option<FieldEnd> {
    if (evidence.values.values as usize) < 2 * AGREED_MIN {
        return None;
    }
    let mut pivots: Vec<&str> = Vec::new();
    for rule in field.rules() {
        if let Locator::Labeled { pivot, .. } = &rule.rule.place
            && !pivots.contains(&&**pivot)
        {
            pivots.push(pivot);
        }
    }
    let end = |pivot: &str| {
        let after = |(page, its): (usize, &SamplePage)| {
            let values = vec![text_after(its, pivot, new)?.into()];
            Some(KnownPair { page, values })
        };
        let shown: Vec<KnownPair> = new.iter().enumerate().filter_map(after).collect();
        if shown.len() < AGREED_MIN {
            return None;
        }
        let learnt = learnt(field, &shown.iter().collect::<Vec<_>>(), new)?;
        let pages = new.iter().filter(|page| !values_of(&learnt, page).is_empty()).count();
        let is_stable = shown
            .iter()
            .all(|pair| pair.is_read_as(&values_of(&learnt, &new[pair.page])));
        (is_stable && looks_alike(&learnt, evidence, new)).then_some(FieldEnd {
            outcome: RepairOutcome::MendedByLabel { pages },
            field: learnt,
        })
    };
    // The heaviest rule that still has its label is the field's own; others stand by it by chance.
    pivots.into_iter().find(|pivot| has_label(new, pivot)).and_then(end)
}

/// Whether half of the pages or more have a text.
fn has_label(new: &[SamplePage], text: &str) -> bool {
    2 * n_with(new, text) >= new.len()
}

fn n_with(new: &[SamplePage], text: &str) -> usize {
    new.iter().filter(|page| !page.texts.places(text).is_empty()).count()
}

/// The first text after a label that is no label itself: most pages have others there.
fn text_after(page: &SamplePage, pivot: &str, new: &[SamplePage]) -> Option<String> {
    let &place = page.texts.places(pivot).first()?;
    let mut after: Vec<(NodeId, &str)> = Vec::new();
    for (text, places) in page.texts.texts() {
        after.extend(places.iter().filter(|&&node| node > place).map(|&node| (node, text)));
    }
    let (_, next) = after.into_iter().min()?;
    (!has_label(new, next)).then(|| next.to_owned())
}

/// The field as the pages that are shown teach it.
fn learnt(field: &TaughtField, shown: &[&KnownPair], new: &[SamplePage]) -> Option<TaughtField> {
    // Pages that are shown come first, so that the sample holds them whatever its bound.
    let mut sample: Vec<usize> = shown.iter().map(|pair| pair.page).collect();
    sample.extend((0..new.len()).filter(|page| !shown.iter().any(|pair| pair.page == *page)));
    sample.truncate(SAMPLE_MAX);
    let examples = shown.iter().take(EXAMPLES_MAX).enumerate().flat_map(|(page, pair)| {
        pair.values.iter().map(move |value| Example {
            field: field.name.clone(),
            page,
            value: value.clone(),
        })
    });
    let examples: Vec<Example> = examples.collect();
    let sample = sample.into_iter().map(|page| new[page].clone()).collect();
    let mut session = Session::new(sample, SessionOptions::default());
    session.show(&examples);
    let learnt = session.fields().into_iter().next()?;
    Some(TaughtField {
        is_optional: field.is_optional || learnt.is_optional,
        ..learnt
    })
}

fn values_of(field: &TaughtField, page: &SamplePage) -> Vec<String> {
    let read = field.read(&page.page, &page.texts);
    read.values.into_iter().map(|picked| picked.text).collect()
}

/// Whether as many pages have the field as did, and its values look as they did.
fn looks_alike(field: &TaughtField, evidence: &FieldEvidence, new: &[SamplePage]) -> bool {
    let values: Vec<String> = new
        .iter()
        .filter_map(|page| values_of(field, page).into_iter().next())
        .collect();
    let ValueProfile { values: seen, .. } = evidence.values;
    let present = chance_of_so_few((values.len(), new.len()), (seen as usize, evidence.held.1 as usize));
    present >= OTHER_CHANCE && look_alike(&evidence.values, values.iter().map(String::as_str), HELD_MIN)
}
