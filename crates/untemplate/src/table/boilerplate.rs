//! Boilerplate: the words that tell ways to other pages, breadcrumbs and footers from data, in five languages.

use super::facts::{ClassFacts, FieldFacts};

/// The first word of a key.
pub(super) fn first_word(key: &str) -> &str {
    key.split('_').next().unwrap_or(key)
}

/// The words that tell where a field stands.
pub(super) fn words_of(facts: &FieldFacts) -> Vec<String> {
    let own = [&facts.key, &facts.label, &facts.mark];
    let words = own
        .into_iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let mut words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    // Some are said in several words.
    if let Some((_, name)) = PHRASES.iter().find(|(phrase, _)| words.join(" ").contains(phrase)) {
        words.push((*name).to_owned());
    }
    words
}

/// What is said in several words.
const PHRASES: [(&str, &str); 5] = [
    ("you are here", "breadcrumb"),
    ("sie sind hier", "breadcrumb"),
    ("vous êtes ici", "breadcrumb"),
    ("see also", "related"),
    ("siehe auch", "related"),
];

/// Whether a field is called a breadcrumb.
pub(super) fn is_crumb(facts: &FieldFacts) -> bool {
    words_of(facts).iter().any(|word| BREADCRUMBS.contains(&word.as_str()))
}

/// Words for breadcrumbs.
const BREADCRUMBS: [&str; 5] = ["breadcrumb", "breadcrumbs", "crumb", "crumbs", "brotkrumen"];

/// Words for parts of a page that are about other pages.
const REGIONS: [&str; 8] = [
    "nav",
    "navbar",
    "navigation",
    "footer",
    "pagination",
    "pager",
    "related",
    "paging",
];

/// The words for regions about other pages, without those that stand around most fields of a class: a page is about what most of it says.
pub(super) fn regions_of(facts: &ClassFacts) -> Vec<&'static str> {
    let holds_most = |region: &str| {
        let is_inside = |field: &&FieldFacts| field.context.iter().any(|word| word == region);
        facts.columns.iter().filter(is_inside).count() * 2 > facts.columns.len()
    };
    REGIONS.into_iter().filter(|region| !holds_most(region)).collect()
}

/// Words for boxes with other pages.
pub(super) const RELATED: [&str; 1] = ["related"];

/// Words for ways to other pages.
pub(super) const NEIGHBOURS: [&str; 15] = [
    "back",
    "next",
    "previous",
    "prev",
    "newer",
    "older",
    "weiter",
    "zurück",
    "vorherige",
    "nächste",
    "suivant",
    "précédent",
    "successivo",
    "siguiente",
    "anterior",
];

/// Words for what footers count.
pub(super) const VISITORS: [&str; 6] = ["visitor", "visitors", "besucher", "hits", "pageviews", "copyright"];
