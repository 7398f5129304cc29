//! Telling apart what one template makes: players from coaches (a departure from paper 002, which
//! names this as its limit).
//!
//! In: pages that are wanted, and pages of the same template that somebody said are not. Out: an
//! [`Assertion`] that holds on the former and on none of the latter; `None` when nothing tells them
//! apart. In this order, since what comes later knows less of what the pages are about:
//!
//! 1. texts that every wanted page has and no unwanted one, such as a label that only players have;
//!    half of them must hold;
//! 2. texts at a place: what the breadcrumb says, where the menu says the same on every page;
//! 3. texts that every unwanted page has and no wanted one, where there are two unwanted pages at
//!    least: one page alone is full of its own data;
//! 4. the form of the addresses.

use url::Url;

use super::sample::SamplePage;
use super::taught_field::TaughtField;
use super::template::{assertion_of, path_to};
use super::tuning::AssertionTuning;
use crate::page::{Dom, Name, NodeId};
use crate::rule::{Assertion, Axis, LocationPath, NodeTest, Predicate, Step, UrlRegex};

const TUNING: AssertionTuning = AssertionTuning::DEFAULT;

/// What holds on wanted pages and on no unwanted one. Texts that `others`, pages of other classes,
/// have are left out where some stay.
pub fn telling_assertion(
    wanted: &[SamplePage],
    unwanted: &[SamplePage],
    others: &[SamplePage],
    fields: &[TaughtField],
) -> Option<Assertion> {
    let of_template = template_assertion(wanted, others, fields);
    let tells = |assertion: &Assertion| {
        wanted.iter().all(|page| assertion.holds(&page.page))
            && !unwanted.iter().any(|page| assertion.holds(&page.page))
    };
    let by_texts = || Some(assertion_of(wanted, unwanted, fields)).filter(|assertion| !assertion.paths.is_empty());
    let by_places = || {
        let paths = placed(wanted, unwanted);
        (!paths.is_empty()).then(|| Assertion::all(paths))
    };
    let by_absence = || {
        let never = absent(wanted, unwanted);
        let of_template = of_template.clone();
        (!never.is_empty()).then(|| Assertion { never, ..of_template })
    };
    let by_address = || {
        let of_template = of_template.clone();
        let address = Some(address(wanted, unwanted)?);
        Some(Assertion { address, ..of_template })
    };
    if tells(&of_template) {
        return Some(of_template);
    }
    let ways: [&dyn Fn() -> Option<Assertion>; 4] = [&by_texts, &by_places, &by_absence, &by_address];
    ways.iter().find_map(|way| way().filter(tells))
}

/// The texts of the template, those that other classes have left out unless none stays.
fn template_assertion(wanted: &[SamplePage], others: &[SamplePage], fields: &[TaughtField]) -> Assertion {
    let own = assertion_of(wanted, others, fields);
    if !own.paths.is_empty() || others.is_empty() {
        return own;
    }
    assertion_of(wanted, &[], fields)
}

/// Texts below an element with a class or id, which every wanted page has there and no unwanted
/// one.
fn placed(wanted: &[SamplePage], unwanted: &[SamplePage]) -> Vec<LocationPath> {
    let Some(first) = wanted.first() else {
        return Vec::new();
    };
    let dom = &first.page.dom;
    let mut texts: Vec<(NodeId, &str)> = first
        .texts
        .texts()
        .filter(|(text, _)| TUNING.is_telling(text))
        .filter(|(text, _)| wanted.iter().all(|page| !page.texts.places(text).is_empty()))
        .flat_map(|(text, places)| places.iter().take(TUNING.places_max).map(move |&place| (place, text)))
        .collect();
    texts.sort_unstable();
    let mut paths: Vec<LocationPath> = texts
        .iter()
        .filter_map(|&(node, text)| placed_path(dom, node, text))
        .collect();
    paths.dedup();
    paths.retain(|path| tells(path, wanted, unwanted));
    paths.truncate(TUNING.paths_max);
    paths
}

/// The path to a text from the nearest element around its own that a class or id tells.
fn placed_path(dom: &Dom, node: NodeId, text: &str) -> Option<LocationPath> {
    let own = path_to(dom, node, text)?;
    let holder = dom.parent(node)?;
    let told = dom.ancestors(holder).filter(|&it| dom.is_element(it)).find_map(|it| {
        let named = [Name::ID, Name::CLASS]
            .into_iter()
            .find_map(|name| Some((name, dom.attribute(it, name)?)));
        named
            .filter(|(_, value)| !value.trim().is_empty())
            .map(|(name, value)| (it, name, value))
    });
    let (anchor, name, value) = told?;
    let value = value.split_whitespace().collect::<Vec<&str>>().join(" ");
    let anchor = Step {
        axis: Axis::Descendant,
        test: NodeTest::Name(dom.name_text(anchor).into()),
        predicates: vec![Predicate::Attribute(
            dom.names().text(name).into(),
            value.as_str().into(),
        )],
    };
    Some(LocationPath::absolute(
        std::iter::once(anchor).chain(own.steps).collect(),
    ))
}

fn tells(path: &LocationPath, wanted: &[SamplePage], unwanted: &[SamplePage]) -> bool {
    let alone = Assertion::all(vec![path.clone()]);
    wanted.iter().all(|page| alone.holds(&page.page)) && !unwanted.iter().any(|page| alone.holds(&page.page))
}

/// Texts that every unwanted page has and no wanted one.
fn absent(wanted: &[SamplePage], unwanted: &[SamplePage]) -> Vec<LocationPath> {
    if unwanted.len() < TUNING.absence_pages_min {
        return Vec::new();
    }
    let mut paths = assertion_of(unwanted, wanted, &[]).paths;
    paths.retain(|path| tells(path, unwanted, wanted));
    paths.truncate(TUNING.paths_max);
    paths
}

/// A pattern that the addresses of wanted pages match and those of unwanted ones do not; pages that
/// are files have none.
fn address(wanted: &[SamplePage], unwanted: &[SamplePage]) -> Option<UrlRegex> {
    let urls: Vec<Url> = wanted.iter().map(|page| page.page.url.clone()).collect();
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    let mut others = unwanted.iter().map(|page| &page.page.url);
    let pattern = UrlRegex::covering(&urls).filter(|_| urls.len() > 1 && urls.iter().all(is_web))?;
    (!others.any(|url| pattern.matches(url))).then_some(pattern)
}
