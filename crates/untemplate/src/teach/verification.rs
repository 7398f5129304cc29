//! Verification: do rules and assertions still hold on pages that somebody brings?
//!
//! In: a specification and pages, one by one. Out: for each assertion and each field of a class
//! with a wrapper, on how many pages it held, and a page where it did not. A page counts for the
//! class whose assertion holds best on it.
//!
//! A specification that was learnt carries what each field was on the pages it was learnt from
//! ([`FieldEvidence`]), counted by this same code. Something has drifted where fewer pages have it
//! than chance explains, or where values look like nothing that was learnt; all tests together
//! raise an alarm on an unchanged site once in [`FALSE_ALARMS`]. Of a specification that somebody
//! wrote by hand nothing is known, and the share of pages alone decides.

use super::specification::{Specification, TaughtClass};
use super::taught_record::texts_for;
use super::{FieldEvidence, Slot, TaughtField, TaughtRule};
use crate::page::Page;
use crate::rule::TextIndex;
use crate::statistics::chance_of_so_few;
use crate::wrapper::{
    Drift, FALSE_ALARMS, MarkupProfile, MarkupTally, N_TESTS, REDESIGN_ALARMS, VALUES_MAX, ValueProfile,
};

/// How a specification fares on pages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verification {
    /// What was verified: of each class its assertions, then its fields.
    pub items: Vec<VerifiedItem>,
    /// How the pages of each class are dressed.
    dresses: Vec<Dress>,
}

/// How the pages of a class were dressed, and are.
#[derive(Debug, Clone, PartialEq)]
struct Dress {
    class: String,
    profile: MarkupProfile,
    tally: MarkupTally,
}

/// How one assertion or one field fares.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifiedItem {
    /// The class, by its name.
    pub class: String,
    /// What it is.
    pub subject: Subject,
    /// On how many pages of the sample it held, and of how many, where that is known.
    pub trained: Option<(u32, u32)>,
    /// What its values were there.
    pub profile: ValueProfile,
    /// Pages that were looked at.
    pub pages: usize,
    /// Pages on which it held.
    pub held: usize,
    /// Of those, pages that are without it and may be: an optional field.
    pub silent: usize,
    /// Of an optional field, how many pages of the sample had it, and of how many, where that is
    /// known.
    pub share: Option<(u32, u32)>,
    /// Pages that are without it.
    pub missing: usize,
    /// Pages on which rules that used to agree do not, or half of them find nothing any more.
    pub changed: usize,
    /// The first value of each page that has one, as far as they are compared.
    pub values: Vec<String>,
    /// A page on which it did not hold, and why.
    pub example: Option<(String, String)>,
}

/// What is verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A part of an assertion, as it is told: a path that must select something, or nothing, or the
    /// address.
    Assertion(String),
    /// A field of a wrapper.
    Field(String),
}

/// How a field fares on one page.
enum Standing {
    Held,
    Silent,
    Missing,
    Changed,
}

impl Verification {
    /// Nothing looked at yet.
    pub fn new(specification: &Specification) -> Self {
        let mut items = Vec::new();
        let dresses = wrapped(specification).map(|class| Dress {
            class: class.id.clone(),
            profile: class.markup.clone(),
            tally: MarkupTally::default(),
        });
        for class in wrapped(specification) {
            // Assertions are made of what every page of the sample has.
            let n_pages = class.evidence.first().map(|evidence| evidence.held.1);
            let assertions = class.assertion.told().into_iter().map(|told| VerifiedItem {
                trained: n_pages.map(|pages| (pages, pages)),
                ..VerifiedItem::new(class, Subject::Assertion(told))
            });
            let fields = class.fields.iter().map(|field| {
                let evidence = class.evidence.iter().find(|its| its.field == field.name);
                VerifiedItem {
                    trained: evidence.map(|evidence| evidence.held),
                    profile: evidence.map(|evidence| evidence.values.clone()).unwrap_or_default(),
                    share: field.share,
                    ..VerifiedItem::new(class, Subject::Field(field.name.clone()))
                }
            });
            items.extend(assertions.chain(fields));
        }
        Self {
            items,
            dresses: dresses.collect(),
        }
    }

    /// Looks at a page, which is called `name` where it is an example.
    pub fn look_at(&mut self, specification: &Specification, page: &Page, name: &str) {
        if let Some(class) = wrapped(specification).min_by_key(|class| misfit(class, page)) {
            self.look_at_one_of(class, page, name);
        }
    }

    /// Looks at a page of a class.
    fn look_at_one_of(&mut self, class: &TaughtClass, page: &Page, name: &str) {
        let broken = class.assertion.broken(page);
        let texts = texts_for(class, page);
        for dress in self.dresses.iter_mut().filter(|dress| dress.class == class.id) {
            dress.tally.see(&dress.profile, page);
        }
        for item in self.items.iter_mut().filter(|item| item.class == class.id) {
            item.pages += 1;
            let (standing, why) = match &item.subject {
                Subject::Assertion(told) if broken.contains(told) => (Standing::Missing, "it does not hold"),
                Subject::Assertion(_) => (Standing::Held, ""),
                Subject::Field(field) => {
                    let field = class.fields.iter().find(|it| it.name == *field);
                    let field = field.expect("items are made of fields");
                    if let Some(value) = first_value(field, page, &texts)
                        && item.values.len() < VALUES_MAX
                    {
                        item.values.push(value);
                    }
                    standing(field, page, &texts)
                }
            };
            match standing {
                Standing::Held => item.held += 1,
                Standing::Silent => {
                    item.held += 1;
                    item.silent += 1;
                }
                Standing::Missing => item.missing += 1,
                Standing::Changed => item.changed += 1,
            }
            if !matches!(standing, Standing::Held | Standing::Silent) && item.example.is_none() {
                item.example = Some((name.to_owned(), why.to_owned()));
            }
        }
    }

    /// The classes that no page counted for.
    pub fn unseen(&self) -> Vec<&str> {
        let mut classes: Vec<&str> = Vec::new();
        for item in self.items.iter().filter(|item| item.pages == 0) {
            if classes.last() != Some(&item.class.as_str()) {
                classes.push(&item.class);
            }
        }
        classes
    }

    /// What held on too small a share of the pages, is missing far more often than on the pages it
    /// was taught with, or reads other values than it did there.
    pub fn drifted(&self, held_min: f64) -> impl Iterator<Item = (&VerifiedItem, Drift)> {
        let n_items = self.items.len().max(1) as f64;
        let drift = move |item: &VerifiedItem| {
            let dress = self.dresses.iter().find(|dress| dress.class == item.class);
            let is_other = dress.is_some_and(|dress| dress.tally.is_other(&dress.profile));
            let alarms = if is_other { REDESIGN_ALARMS } else { FALSE_ALARMS };
            let is_gone = dress.is_some_and(|dress| dress.tally.is_gone(&dress.profile));
            let is_first = self.items.iter().find(|its| its.class == item.class) == Some(item);
            let redesigned = (is_gone && is_first).then_some(Drift::OtherMarkup);
            item.drift(held_min, alarms / n_items).or(redesigned)
        };
        self.items.iter().filter_map(move |item| Some((item, drift(item)?)))
    }
}

impl VerifiedItem {
    fn new(class: &TaughtClass, subject: Subject) -> Self {
        Self {
            class: class.id.clone(),
            subject,
            trained: None,
            profile: ValueProfile::default(),
            pages: 0,
            held: 0,
            silent: 0,
            share: None,
            missing: 0,
            changed: 0,
            values: Vec::new(),
            example: None,
        }
    }

    /// What has become of it, where an unchanged site would show as much with a chance below
    /// `level` alone: half of that goes to pages on which it does not hold, half to its values.
    fn drift(&self, held_min: f64, level: f64) -> Option<Drift> {
        let is_rare = |(with, of): (usize, usize), (then, of_then): (u32, u32)| {
            chance_of_so_few((with, of), (then as usize, of_then as usize)) < level / 2.0
        };
        let expected = self
            .trained
            .map_or(1.0, |(held, of)| f64::from(held) / f64::from(of.max(1)));
        let is_short = (self.held as f64) < held_min * expected * self.pages as f64;
        let is_odd = self
            .trained
            .is_none_or(|trained| is_rare((self.held, self.pages), trained));
        let present = self.pages - self.silent - self.missing;
        let is_lost = |share: (u32, u32)| is_rare((present, self.pages), share);
        if (is_short && is_odd) || self.share.is_some_and(is_lost) {
            return Some(Drift::Lost);
        }
        let values = self.values.iter().map(String::as_str);
        let deviation = self.profile.deviation(values, held_min)?;
        (deviation.chance < level / 2.0 / N_TESTS as f64).then_some(Drift::OtherValues(deviation.what))
    }
}

/// What the fields of a class are on the pages that they were learnt from.
pub(super) fn evidence_of<'a>(class: &TaughtClass, pages: impl Iterator<Item = &'a Page>) -> Vec<FieldEvidence> {
    let specification = Specification {
        classes: vec![TaughtClass {
            evidence: Vec::new(),
            ..class.clone()
        }],
        ..Specification::default()
    };
    let mut verification = Verification::new(&specification);
    pages.for_each(|page| verification.look_at_one_of(&specification.classes[0], page, ""));
    let fields = verification.items.into_iter().filter_map(|item| match item.subject {
        Subject::Field(field) => Some(FieldEvidence {
            field,
            held: (item.held as u32, item.pages as u32),
            values: ValueProfile::of(item.values.iter().map(String::as_str)),
        }),
        Subject::Assertion(_) => None,
    });
    fields.filter(|evidence| evidence.held.1 > 0).collect()
}

/// The first value of a field on a page.
fn first_value(field: &TaughtField, page: &Page, texts: &TextIndex) -> Option<String> {
    field
        .read(page, texts)
        .values
        .into_iter()
        .next()
        .map(|picked| picked.text)
}

fn wrapped(specification: &Specification) -> impl Iterator<Item = &TaughtClass> {
    specification.classes.iter().filter(|class| !class.fields.is_empty())
}

/// How badly a page fits a class: the share of its assertion that is broken. A class that asserts
/// nothing is judged by the fields that are not found, and comes after one that fits as well.
pub(super) fn misfit(class: &TaughtClass, page: &Page) -> (usize, bool) {
    let n_broken = 1_000_000 * class.assertion.broken(page).len();
    if let Some(share) = n_broken.checked_div(class.assertion.told().len()) {
        return (share, false);
    }
    let texts = texts_for(class, page);
    let is_lost = |field: &&TaughtField| !matches!(standing(field, page, &texts).0, Standing::Held);
    let n_lost = class.fields.iter().filter(is_lost).count();
    ((1_000_000 * n_lost) / class.fields.len().max(1), true)
}

/// How a field fares: at the worst of the places where something is found; one that is found
/// nowhere is missing, unless it is optional.
fn standing(field: &TaughtField, page: &Page, texts: &TextIndex) -> (Standing, &'static str) {
    let all: Vec<(Standing, &'static str)> = field
        .slots
        .iter()
        .filter_map(|slot| slot_standing(slot, page, texts))
        .collect();
    let worst = all
        .into_iter()
        .reduce(|worst, next| if matches!(worst.0, Standing::Held) { next } else { worst });
    match worst {
        Some(worst) => worst,
        None if field.slots.is_empty() => (Standing::Missing, "it was lost, and could not be mended"),
        None if field.is_optional => (Standing::Silent, ""),
        None => (Standing::Missing, "none of its rules finds it"),
    }
}

/// How a field fares at one place: its rules agreed on all that was shown, so where they part now,
/// or half of them fall silent while others speak, the page has changed under them, whatever the
/// vote would say. `None` where nothing is found.
fn slot_standing(slot: &Slot, page: &Page, texts: &TextIndex) -> Option<(Standing, &'static str)> {
    let mut values: Vec<Vec<String>> = Vec::new();
    let (mut heard, mut all) = (0.0, 0.0);
    for TaughtRule { rule, weight } in &slot.rules {
        let picked = rule.values_with(page, texts).into_iter().map(|picked| picked.text);
        let picked: Vec<String> = picked.collect();
        all += weight;
        if picked.is_empty() {
            continue;
        }
        heard += weight;
        if !values.contains(&picked) {
            values.push(picked);
        }
    }
    match values.len() {
        0 => None,
        1 if heard > all / 2.0 => Some((Standing::Held, "")),
        1 => Some((
            Standing::Changed,
            "half of its rules or more find nothing, and others do",
        )),
        _ => Some((Standing::Changed, "its rules disagree")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};
    use crate::rule::{Assertion, ExtractionRule};

    fn specification() -> Specification {
        let labeled = ExtractionRule::labeled("Price", "../../td[1]/text()[1]").expect("a good path");
        let absolute = ExtractionRule::absolute("//tr[1]/td[1]/text()[1]").expect("a good path");
        let rules = [labeled, absolute].map(|rule| TaughtRule { rule, weight: 1.0 });
        let class = TaughtClass {
            assertion: Assertion::all(vec!["//h1".parse().expect("a good path")]),
            fields: vec![TaughtField::of_rules("price", false, rules.to_vec())],
            ..TaughtClass::named("ITEM")
        };
        Specification {
            classes: vec![class],
            ..Specification::default()
        }
    }

    /// Whether an optional field that had this share has drifted, where this many pages have it and
    /// this many do not.
    fn check_optional(share: Option<(u32, u32)>, pages: [usize; 2], expected: bool) {
        let mut specification = specification();
        let field = &mut specification.classes[0].fields[0];
        (field.is_optional, field.share) = (true, share);
        let mut verification = Verification::new(&specification);
        let good = "<h1>A</h1><table><tr><th>Price<td>1</table>";
        for html in [vec![good; pages[0]], vec!["<h1>A</h1>"; pages[1]]].concat() {
            let url = "http://shop.example/".parse().expect("a good address");
            let page = Page::read(&Response::html(url, html), &ParseOptions::default());
            verification.look_at(&specification, &page, "a.html");
        }
        assert_eq!(
            verification.drifted(0.9).count(),
            usize::from(expected),
            "{share:?} {pages:?}"
        );
    }

    #[test]
    fn an_optional_field_that_is_lost_is_told() {
        check_optional(Some((7, 8)), [0, 8], true);
        check_optional(Some((7, 8)), [6, 2], false);
        check_optional(Some((1, 8)), [0, 8], false);
        check_optional(None, [0, 8], false);
    }

    /// Held, missing and changed of the assertion and of the field, and whether the field has
    /// drifted.
    fn check(pages: &[&str], expected: [[usize; 3]; 2], drifts: bool) {
        let specification = specification();
        let mut verification = Verification::new(&specification);
        for html in pages {
            let url = "http://shop.example/".parse().expect("a good address");
            let page = Page::read(&Response::html(url, *html), &ParseOptions::default());
            verification.look_at(&specification, &page, "a.html");
        }
        let counts: Vec<[usize; 3]> = verification
            .items
            .iter()
            .map(|it| [it.held, it.missing, it.changed])
            .collect();
        assert_eq!(counts, expected, "{pages:?}");
        let is_field = |(item, _): (&VerifiedItem, Drift)| matches!(item.subject, Subject::Field(_));
        assert_eq!(verification.drifted(0.9).any(is_field), drifts, "{pages:?}");
    }

    #[test]
    fn a_class_that_asserts_nothing_does_not_take_the_pages_of_others() {
        let mut specification = specification();
        let mut bare = specification.classes[0].clone();
        (bare.id, bare.assertion) = ("BARE".to_owned(), Assertion::default());
        specification.classes.insert(0, bare);
        let mut verification = Verification::new(&specification);
        assert_eq!(verification.unseen(), ["BARE", "ITEM"]);
        let mut look_at = |html: &str| {
            let url = "http://shop.example/".parse().expect("a good address");
            let page = Page::read(&Response::html(url, html), &ParseOptions::default());
            verification.look_at(&specification, &page, "a.html");
            verification.unseen().join(" ")
        };
        assert_eq!(look_at("<h1>A</h1><table><tr><th>Price<td>1</table>"), "BARE");
        assert_eq!(look_at("<h1>A</h1>"), "BARE");
        assert_eq!(look_at("<table><tr><th>Price<td>1</table>"), "");
    }

    #[test]
    fn what_holds_is_missing_or_has_changed() {
        let good = "<h1>A</h1><table><tr><th>Price<td>1</table>";
        check(&[good, good], [[2, 0, 0], [2, 0, 0]], false);
        check(
            &[good, "<table><tr><th>Price<td>1</table>"],
            [[1, 1, 0], [2, 0, 0]],
            false,
        );
        check(&[good, "<h1>A</h1>"], [[2, 0, 0], [1, 1, 0]], true);
        let shifted = "<h1>A</h1><table><tr><th>Weight<td>9<tr><th>Price<td>1</table>";
        check(&[shifted], [[1, 0, 0], [0, 0, 1]], true);
        let renamed = "<h1>A</h1><table><tr><th>Weight<td>9<tr><th>Cost<td>1</table>";
        check(&[renamed], [[1, 0, 0], [0, 0, 1]], true);
    }
}
