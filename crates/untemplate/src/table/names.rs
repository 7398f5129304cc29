//! Names: what tables and columns are called.
//!
//! A column is called after its label, else after the key that the wrapper gave it; a key that only
//! tells where the value stands (`td_3`) gives way to what the value is. Links end in `_url`; those
//! whose key says nothing are called after what they lead to.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::draft::Draft;
use super::facts::FieldFacts;
use super::schema::ColumnKind;
use super::typing::Typing;

/// Names that are taken.
#[derive(Debug, Default)]
pub(super) struct Taken {
    names: HashSet<String>,
}

impl Taken {
    /// Whether nothing is called so yet.
    pub fn is_free(&self, name: &str) -> bool {
        !self.names.contains(&name.to_lowercase())
    }

    /// The name, with a number when it is taken.
    pub fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 1;
        while !self.names.insert(candidate.to_lowercase()) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        candidate
    }
}

/// The names of a site, as the titles of its pages repeat them: they say nothing about a value.
pub(super) fn site_names(draft: &Draft) -> HashSet<String> {
    let columns = draft.levels.iter().flatten().flat_map(|level| &level.columns);
    let frames = columns.flat_map(|column| [&column.reading.before, &column.reading.after]);
    let mut names: HashSet<String> = frames.filter_map(|frame| as_words(frame)).collect();
    // What the pages of most classes have as a heading or label around their data is the site's,
    // too.
    let mut n_classes: HashMap<String, usize> = HashMap::new();
    for class in &draft.survey.classes {
        let fields = class.facts.columns.len();
        let mut n_fields: HashMap<&str, usize> = HashMap::new();
        for label in class.facts.columns.iter().filter_map(|field| field.context.first()) {
            *n_fields.entry(label).or_default() += 1;
        }
        // It stands around most of what a page says, and not at some of it.
        let around = n_fields.into_iter().filter(|(_, n)| n * 2 > fields);
        for name in around.filter_map(|(label, _)| as_words(label)) {
            *n_classes.entry(name).or_default() += 1;
        }
    }
    let is_everywhere = |n: usize| n >= EVERYWHERE_MIN && n * 2 > draft.survey.classes.len();
    names.extend(
        n_classes
            .into_iter()
            .filter(|(_, n)| is_everywhere(*n))
            .map(|(name, _)| name),
    );
    names
}

/// The fewest classes with a heading that is the site's.
const EVERYWHERE_MIN: usize = 3;

/// What fields of a level are called by what stands beside them, where that tells them apart.
pub(super) fn field_names(
    draft: &Draft,
    class: usize,
    level: usize,
    site_names: &HashSet<String>,
) -> HashMap<usize, String> {
    let columns = &draft.levels[class][level].columns;
    let kept: Vec<usize> = (0..columns.len()).filter(|&column| columns[column].is_kept()).collect();
    let facts = |column: usize| {
        let named = columns[column].stands_for.unwrap_or(column);
        &draft.seen(class, level, named).facts
    };
    let is_link = |column: usize| columns[column].typing.kind == ColumnKind::Url;
    let common_marks = common_marks(&draft.survey.classes[class].facts.columns);
    let prefix = shared_prefix(kept.iter().filter_map(|&column| mark_words(&facts(column).mark)));
    let told_by = |column: usize| {
        let header = columns[column].reading.header.as_deref().and_then(as_words);
        let told = told_names(facts(column), site_names, &common_marks);
        let mut told: Vec<String> = header.into_iter().filter(|name| !is_junk(name)).chain(told).collect();
        let mark = mark_words(&facts(column).mark).unwrap_or_default();
        // What the mark-up says before each of the names tells where they stand.
        for name in told.iter_mut().filter(|name| !prefix.is_empty() && **name == mark) {
            let rest = name[prefix.len()..].to_owned();
            *name = if is_junk(&rest) { name.clone() } else { rest };
        }
        told
    };
    let told: HashMap<usize, Vec<String>> = kept.iter().map(|&column| (column, told_by(column))).collect();
    let mut names = HashMap::new();
    let picture = main_picture(draft, class, level, &kept);
    for &column in kept.iter().filter(|column| Some(**column) != picture) {
        let rivals = |name: &String| {
            let others = kept
                .iter()
                .filter(|&&other| other != column && is_link(other) == is_link(column));
            others
                .copied()
                .filter(|other| told[other].contains(name))
                .collect::<Vec<usize>>()
        };
        // Of the values under one label, the label is that of the one that is there most often.
        let leads = |name: &&String| {
            rivals(name).iter().all(|&other| {
                let (own, its) = (draft.seen(class, level, column), draft.seen(class, level, other));
                let is_same = own.facts.context == its.facts.context;
                let (n_own, n_its) = (own.evidence.n_filled, its.evidence.n_filled);
                // What the label mostly says is called by it, wherever else it stands once in a
                // while.
                let is_alike = is_same || n_own >= n_its * RARE_NAMESAKE;
                !own.facts.label.is_empty() && is_alike && (n_own, Reverse(column)) > (n_its, Reverse(other))
            })
        };
        let alone = told[&column].iter().find(leads);
        let shared = || {
            // A name for several columns is one for those that are alike: of a day and two texts,
            // the texts.
            let kind = columns[column].typing.kind;
            let is_telling = matches!(
                kind,
                ColumnKind::Date | ColumnKind::DateTime | ColumnKind::Time | ColumnKind::Email | ColumnKind::Phone
            );
            let are_alike = |name: &&String| rivals(name).iter().all(|&other| columns[other].typing.kind == kind);
            told[&column].iter().find(|name| !is_telling || are_alike(name))
        };
        if let Some(name) = alone.or_else(shared) {
            names.insert(column, name.clone());
        }
    }
    names
}

/// The picture of a row is its image; what the mark-up calls it tells others apart.
fn main_picture(draft: &Draft, class: usize, level: usize, kept: &[usize]) -> Option<usize> {
    let seen = |column: usize| draft.seen(class, level, column);
    let pictures = kept.iter().copied().filter(|&column| {
        let facts = &seen(column).facts;
        facts.attribute.as_deref() == Some("src") && facts.label.is_empty()
    });
    pictures.max_by_key(|&column| (seen(column).evidence.n_filled, Reverse(column)))
}

/// The fewest fields of a class that share a name of mark-up which tells nothing about any of them.
const COMMON_MARK_MIN: usize = 4;

/// Names of mark-up that many fields of a class have: how the site sets texts, and not what they
/// are.
pub(super) fn common_marks(fields: &[FieldFacts]) -> HashSet<&str> {
    let mut n_fields: HashMap<&str, usize> = HashMap::new();
    let texts = fields
        .iter()
        .filter(|field| field.attribute.is_none() && !field.is_list);
    for field in texts.filter(|field| !field.mark.is_empty()) {
        *n_fields.entry(&field.mark).or_default() += 1;
    }
    n_fields.retain(|_, n| *n >= COMMON_MARK_MIN);
    n_fields.into_keys().collect()
}

/// How many times as often as another one a column is there that takes the name of both.
const RARE_NAMESAKE: usize = 5;

/// The words that all of several different names begin with, with the underscore behind them.
fn shared_prefix(names: impl Iterator<Item = String>) -> String {
    let names: BTreeSet<String> = names.collect();
    let (Some(first), Some(last)) = (names.first(), names.last().filter(|_| names.len() > 1)) else {
        return String::new();
    };
    let n = first
        .bytes()
        .zip(last.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    first.as_bytes()[..n]
        .iter()
        .rposition(|&byte| byte == b'_')
        .map_or(String::new(), |at| first[..=at].to_owned())
}

/// What a link to pages of a class is called.
pub(super) fn link_name(facts: &FieldFacts, told: Option<&str>, target: Option<&str>, has_several: bool) -> String {
    let end = if facts.attribute.as_deref() == Some("src") {
        "image_url"
    } else {
        "url"
    };
    let base = match (told, target) {
        (Some(told), None) => told,
        (Some(told), Some(_)) if !has_several => told,
        (_, Some(target)) => target,
        (None, None) if end == "image_url" => return end.to_owned(),
        (None, None) => "link",
    };
    let base = base.strip_suffix("_url").unwrap_or(base);
    format!("{base}_{end}")
}

/// The names that a label and a mark tell, best first.
fn told_names(facts: &FieldFacts, site_names: &HashSet<String>, common_marks: &HashSet<&str>) -> Vec<String> {
    let mark = if common_marks.contains(facts.mark.as_str()) {
        ""
    } else {
        &facts.mark
    };
    // `total` of several things is told apart by the thing.
    let whole = match (&facts.context[..], facts.label.is_empty()) {
        ([.., above, own], false) if *own == facts.label => as_words(&format!("{above} {own}")),
        _ => None,
    };
    let both = match facts.label.is_empty() || mark.is_empty() {
        true => None,
        false => mark_words(mark).and_then(|mark| as_words(&format!("{} {mark}", facts.label))),
    };
    let told = [as_words(&facts.label), whole, mark_words(mark), both];
    let mut names: Vec<String> = Vec::new();
    for name in told.into_iter().flatten() {
        if !is_junk(&name) && !site_names.contains(&name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A name without the number at its end.
pub(super) fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => name,
    }
}

/// A name for values of a kind.
pub(super) fn kind_name(facts: &FieldFacts, typing: &Typing, is_named_by_row: bool) -> String {
    let name = match typing.kind {
        ColumnKind::Integer if matches!(typing.unit.as_deref(), Some("'" | "′" | "min")) => "minute",
        ColumnKind::Integer | ColumnKind::Decimal => "number",
        ColumnKind::Date => "date",
        ColumnKind::DateTime | ColumnKind::Time => "time",
        ColumnKind::Boolean => "flag",
        ColumnKind::Url => "link",
        ColumnKind::Email => "email",
        ColumnKind::Phone => "phone",
        ColumnKind::Enum => "kind",
        ColumnKind::Text if matches!(facts.tag.as_str(), "h1" | "title") || is_named_by_row => "name",
        ColumnKind::Text => "text",
    };
    name.to_owned()
}

/// A class or `id` as a name: as [`as_words`], but that a capital after a small letter begins a
/// word, as programmers write.
pub fn mark_words(mark: &str) -> Option<String> {
    let words: Vec<&str> = mark.split(|c: char| !c.is_alphanumeric()).flat_map(humps).collect();
    as_words(&words.join(" "))
}

/// A text as a name: lower case words, joined by underscores.
pub(super) fn as_words(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .map(str::to_lowercase)
        .collect();
    let name = words.join("_");
    (!name.is_empty() && name.len() <= NAME_MAX).then_some(name)
}

/// The words of a word with capitals inside it.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let mut before = None;
        let end = rest.char_indices().find_map(|(at, c)| {
            let is_start = c.is_uppercase() && before.is_some_and(char::is_lowercase);
            before = Some(c);
            is_start.then_some(at)
        });
        let (first, others) = rest.split_at(end.unwrap_or(rest.len()));
        rest = others;
        (!first.is_empty()).then_some(first)
    })
}

/// A name has at most this many words.
const WORDS_MAX: usize = 8;

/// And this many bytes.
const NAME_MAX: usize = 60;

/// Whether a word is the name of a place on a page, such as a tag.
pub fn is_place_name(word: &str) -> bool {
    PLACES.contains(&word)
}

/// Whether all words of a name of mark-up tell where something stands: `page_content`.
pub fn is_place_mark(name: &str) -> bool {
    let mut words = name.split('_');
    words.all(|word| is_place_name(word) || LAYOUT.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Words for parts of a page that names of mark-up are made of, beside [`PLACES`].
const LAYOUT: [&str; 22] = [
    "area", "bar", "body", "card", "clear", "group", "grid", "header", "heading", "holder", "info", "layout", "nav",
    "node", "page", "panel", "region", "title", "view", "views", "widget", "wrap",
];

/// Whether a name only tells where a value stands, or is one of the values.
pub(super) fn is_junk(name: &str) -> bool {
    let name = without_number(name);
    name.starts_with(|c: char| c.is_ascii_digit()) || name.chars().count() < 2 || PLACES.contains(&name)
}

/// Names of places on a page.
const PLACES: [&str; 59] = [
    "a",
    "b",
    "i",
    "p",
    "td",
    "tr",
    "th",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "em",
    "strong",
    "font",
    "small",
    "big",
    "span",
    "div",
    "table",
    "tbody",
    "html",
    "body",
    "center",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "img",
    "text",
    "part",
    "item",
    "items",
    "before",
    "after",
    "row",
    "rows",
    "cell",
    "col",
    "column",
    "value",
    "content",
    "main",
    "section",
    "article",
    "list",
    "wrapper",
    "container",
    "box",
    "block",
    "inner",
    "left",
    "right",
    "label",
    "field",
    "time",
];
