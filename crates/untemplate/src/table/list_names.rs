//! Names of lists: what most is said for.
//!
//! In: a draft. Out: the name of each list. A list may be called what it stands under, what the
//! list around it stands under, what its page is called, what heads the column that tells its rows
//! apart, what its mark-up is called, and what it leads to. Each of these is right in another share
//! of cases: that is its weight, times the share of the list that it is said of; what several say
//! adds up.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::draft::Draft;
use super::facts::{ClassKind, FieldFacts};
use super::names::{as_words, common_marks, is_junk, is_place_mark, mark_words};
use super::schema::ColumnKind;
use super::survey::Level;
use super::table_names::{bare_list_name, class_name, is_nameless};
use crate::wrapper::reading::without_headers;

/// Where a name for a list was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The heading or label over it.
    Label,
    /// The heading or label over the list that holds it, which is no table itself.
    OuterLabel,
    /// It tells where running texts lead.
    References,
    /// What the class is called, whose pages are there for the list.
    Class,
    /// It leads to the pages of a class from one page.
    Index,
    /// The heading of the pages that have it.
    PageHeading,
    /// The header of the column that tells its rows apart.
    KeyHeader,
    /// What the mark-up calls its rows or what holds them, in words that the site shows.
    ShownMark,
    /// What the mark-up calls what holds its rows, in words of its makers.
    HiddenMark,
    /// The class that its rows lead to.
    Target,
    /// It holds the sections of a text, each with a heading of its own.
    Sections,
}

impl Source {
    /// How often a name from here is one that a person accepts: of the lists that people want on
    /// the development sites, each source with all of its candidates (eval/README.md). That of
    /// sections is set by hand: below a label, above a class.
    fn weight(self) -> f64 {
        match self {
            Self::References => 1.0,
            Self::Label => 0.78,
            Self::OuterLabel => 0.7,
            Self::ShownMark => 0.46,
            Self::Index => 0.39,
            Self::PageHeading => 0.32,
            Self::KeyHeader => 0.26,
            Self::Sections => 0.3,
            Self::Target => 0.22,
            Self::Class => 0.21,
            Self::HiddenMark => 0.11,
        }
    }
}

/// A name for a list, with how much speaks for it.
#[derive(Debug)]
struct Candidate {
    name: String,
    source: Source,
    /// The share of the list that is called so: of rows, or of the lists that the name is told of.
    share: f64,
}

/// What names of lists are judged by.
pub(super) struct ListNaming<'d> {
    draft: &'d Draft,
    site_names: &'d HashSet<String>,
    /// The headers that columns of several lists have.
    shared_headers: HashSet<&'d str>,
    /// How many lists of a class have a label.
    n_labelled: HashMap<(usize, &'d str), usize>,
    /// The labels that stand around most of what pages of a class say, several lists among it.
    around: HashSet<(usize, &'d str)>,
}

impl<'d> ListNaming<'d> {
    pub fn new(draft: &'d Draft, site_names: &'d HashSet<String>) -> Self {
        let mut n_labelled: HashMap<(usize, &str), usize> = HashMap::new();
        for (class, levels) in draft.levels.iter().enumerate() {
            for level in (1..levels.len()).filter(|&level| levels[level].left_out.is_none()) {
                let path = &draft.level(class, level).list_path;
                let labels = (0..path.len()).filter_map(|depth| list_facts(draft, class, &path[..=depth]));
                let labels: HashSet<&str> = labels.map(|facts| facts.label.as_str()).collect();
                for label in labels {
                    *n_labelled.entry((class, label)).or_default() += 1;
                }
            }
        }
        Self {
            draft,
            site_names,
            shared_headers: shared_headers(draft),
            n_labelled,
            around: labels_around(draft),
        }
    }

    /// The name of a list: that of which most is said.
    pub fn name(&self, class: usize, level: usize) -> String {
        let own = class_name(self.draft, class);
        let mut scores: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        let mut target = None;
        for (index, candidate) in self.candidates(class, level).into_iter().enumerate() {
            let name = match candidate.source {
                // What a list leads to is beside what it is on.
                Source::Target => {
                    target.get_or_insert(candidate.name.clone());
                    bare_list_name(&own, Some(candidate.name))
                }
                Source::Index => format!("{}_index", candidate.name),
                _ => candidate.name,
            };
            let score = scores.entry(name).or_insert((0.0, index));
            score.0 += candidate.source.weight() * candidate.share;
        }
        let best = scores
            .into_iter()
            .max_by(|(_, left), (_, right)| left.0.total_cmp(&right.0).then(right.1.cmp(&left.1)));
        best.map_or_else(|| bare_list_name(&own, None), |(name, _)| name)
    }

    fn usable(&self, text: &str) -> Option<String> {
        as_words(text).filter(|name| !is_junk(name) && !self.site_names.contains(name))
    }

    /// The names that a list may have.
    fn candidates(&self, class: usize, level: usize) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        let mut add = |source: Source, name: Option<String>, share: f64| {
            all.extend(name.map(|name| Candidate { name, source, share }));
        };
        let seen = self.draft.level(class, level);
        let facts = list_facts(self.draft, class, &seen.list_path);
        let facts_label = facts.filter(|facts| !self.around.contains(&(class, facts.label.as_str())));
        let label = facts_label.and_then(|facts| self.usable(without_chapter(&facts.label)));
        if facts.is_some_and(|facts| facts.is_reference) && label.is_none() {
            add(Source::References, Some("references".to_owned()), 1.0);
        }
        let own = class_name(self.draft, class);
        // What all of a page is called is no label of one of its lists.
        let is_of_page = label.as_ref().is_some_and(|label| own.ends_with(label.as_str()));
        let n_with = |label: &str| self.n_labelled.get(&(class, label)).copied().unwrap_or(1) as f64;
        match is_of_page {
            true => add(
                Source::PageHeading,
                label,
                1.0 / facts.map_or(1.0, |facts| n_with(&facts.label)),
            ),
            false => add(Source::Label, label, 1.0),
        }
        for depth in (1..seen.list_path.len()).rev() {
            let outer = list_facts(self.draft, class, &seen.list_path[..depth]);
            if let Some(outer) = outer.filter(|_| !self.is_table(class, &seen.list_path[..depth])) {
                let is_own = !self.around.contains(&(class, outer.label.as_str()));
                let label = self.usable(without_chapter(&outer.label)).filter(|_| is_own);
                let label = label.filter(|label| !own.ends_with(label.as_str()));
                add(Source::OuterLabel, label, 1.0 / n_with(&outer.label));
            }
        }
        if self.draft.survey.classes[class].facts.kind != ClassKind::Detail {
            add(Source::Class, Some(own), 1.0);
        }
        let index = index_of(self.draft, class, level).map(|target| class_name(self.draft, target));
        add(Source::Index, index, 1.0);
        let (heading, share) = page_heading(self.draft, class, level).unwrap_or_default();
        add(Source::PageHeading, self.usable(&heading), share);
        let header = key_header(self.draft, class, level, &self.shared_headers);
        add(Source::KeyHeader, header.and_then(|header| self.usable(&header)), 1.0);
        if facts.is_some_and(|facts| is_heading_tag(&facts.tag)) && self.holds_texts(class, level) {
            add(Source::Sections, Some("sections".to_owned()), 1.0);
        }
        self.add_marks(class, level, &mut add);
        self.add_targets(class, level, &mut add);
        all
    }

    /// Whether rows are a heading and a running text.
    fn holds_texts(&self, class: usize, level: usize) -> bool {
        let columns = self.draft.levels[class][level].columns.iter();
        let kept = || {
            columns
                .clone()
                .zip(&self.draft.level(class, level).columns)
                .filter(|(own, _)| own.is_kept())
        };
        kept().any(|(_, seen)| seen.facts.is_heading) && kept().any(|(_, seen)| seen.facts.is_prose)
    }

    /// Whether a list is a table.
    fn is_table(&self, class: usize, list_path: &[String]) -> bool {
        let mut levels = self.draft.levels[class].iter().enumerate();
        levels.any(|(level, own)| own.left_out.is_none() && self.draft.level(class, level).list_path == list_path)
    }

    /// Names by the mark-up: a step that begins with `#` is a section; its class is that of its
    /// heading.
    fn add_marks(&self, class: usize, level: usize, add: &mut dyn FnMut(Source, Option<String>, f64)) {
        let fields = &self.draft.survey.classes[class].facts.columns;
        let common = common_marks(fields);
        let usable = |mark: &str| {
            let own = Some(mark).filter(|mark| !common.contains(mark)).and_then(mark_words);
            own.filter(|mark| !is_place_mark(mark))
                .and_then(|mark| self.usable(without_place(&mark)))
        };
        let list_path = &self.draft.level(class, level).list_path;
        let facts = list_facts(self.draft, class, list_path);
        if let Some(facts) = facts {
            let n_marked = fields.iter().filter(|field| field.is_list && field.mark == facts.mark);
            add(Source::ShownMark, usable(&facts.mark), 1.0 / n_marked.count() as f64);
        }
        let steps = list_path.last().map_or("", String::as_str).rsplit('/');
        let marks = steps.filter(|step| !step.starts_with('#'));
        let mut marks = marks.filter_map(|step| without_headers(step).split_once(['.', '#']));
        add(Source::HiddenMark, marks.find_map(|(_, mark)| usable(mark)), 1.0);
    }

    /// The classes that rows lead to.
    fn add_targets(&self, class: usize, level: usize, add: &mut dyn FnMut(Source, Option<String>, f64)) {
        let seen = self.draft.level(class, level);
        let columns = self.draft.levels[class][level].columns.iter().zip(&seen.columns);
        for (column, its) in columns.filter(|(column, _)| column.is_kept()) {
            if let Some((target, n)) = column.targets.first() {
                let n_distinct = its.evidence.distinct.len().max(1) as f64;
                let share = *n as f64 / n_distinct * its.evidence.n_filled as f64 / seen.n_rows.max(1) as f64;
                let name = class_name(self.draft, *target);
                add(Source::Target, Some(name).filter(|name| !is_nameless(name)), share);
            }
        }
    }
}

/// Whether a tag is that of headings.
fn is_heading_tag(tag: &str) -> bool {
    matches!(tag.as_bytes(), [b'h', b'1'..=b'6'])
}

/// A name of mark-up without the words for parts of a page behind it: `price` of
/// `price_table_cell`.
fn without_place(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, last)) if is_place_mark(last) => without_place(rest),
        _ => name,
    }
}

/// The labels that stand around most fields of a class, and around several lists: what all of a
/// page stands under is no name of a part.
fn labels_around(draft: &Draft) -> HashSet<(usize, &str)> {
    let mut around = HashSet::new();
    for (class, seen) in draft.survey.classes.iter().enumerate() {
        let fields = &seen.facts.columns;
        let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
        for field in fields {
            for label in &field.context {
                let (n_fields, n_lists) = counts.entry(label).or_default();
                *n_fields += 1;
                *n_lists += usize::from(field.is_list);
            }
        }
        let is_around = |(n_fields, n_lists): (usize, usize)| n_fields * 2 > fields.len() && n_lists > 1;
        let labels = counts.into_iter().filter(|(_, n)| is_around(*n));
        around.extend(labels.map(|(label, _)| (class, label)));
    }
    around
}

/// What is known of a list.
fn list_facts<'d>(draft: &'d Draft, class: usize, list_path: &[String]) -> Option<&'d FieldFacts> {
    let (key, above) = list_path.split_last()?;
    let fields = &draft.survey.classes[class].facts.columns;
    fields
        .iter()
        .find(|field| field.is_list && field.key == *key && field.list_path == above)
}

/// The class whose pages a list lists: it is on one page, and leads to half of them at least.
fn index_of(draft: &Draft, class: usize, level: usize) -> Option<usize> {
    let seen = draft.level(class, level);
    let columns = draft.levels[class][level].columns.iter().zip(&seen.columns);
    // A list may lead to other pages, too, and so be no reference.
    let mut targets: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, column) in columns.filter(|(own, _)| own.is_kept() && own.typing.kind == ColumnKind::Url) {
        let classes = column.evidence.distinct.iter();
        for target in classes.filter_map(|&hash| draft.survey.addresses.class_of_hash(hash)) {
            *targets.entry(target).or_default() += 1;
        }
    }
    let (target, n) = targets.into_iter().max_by_key(|&(_, n)| n)?;
    let n_pages = draft.level(target, 0).n_rows;
    (target != class && is_on_one_page(seen) && n * 2 >= n_pages && n * 10 >= seen.n_rows * 9).then_some(target)
}

/// Whether all rows of a list are on one page.
fn is_on_one_page(seen: &Level) -> bool {
    let mut pages = seen.sample.rows().map(|row| &row.page);
    let first = pages.next();
    pages.all(|page| Some(page) == first)
}

/// The header of the first column whose texts tell the rows of a list apart, unless columns of
/// several lists have it.
fn key_header(draft: &Draft, class: usize, level: usize, shared: &HashSet<&str>) -> Option<String> {
    let columns = draft.levels[class][level].columns.iter();
    let mut columns = columns
        .zip(&draft.level(class, level).columns)
        .filter(|(column, seen)| {
            let evidence = &seen.evidence;
            let is_text = matches!(column.typing.kind, ColumnKind::Text | ColumnKind::Enum);
            let is_short = evidence.n_characters <= KEY_CHARACTERS_MAX * evidence.n_filled;
            let is_distinct = evidence.distinct.len() * 10 >= evidence.n_filled * 8;
            column.is_kept() && is_text && is_short && is_distinct && !seen.facts.is_heading
        });
    let label = &columns.next()?.1.facts.label;
    (!label.is_empty() && !shared.contains(label.as_str())).then(|| label.clone())
}

/// The longest mean text that tells rows apart, in characters.
const KEY_CHARACTERS_MAX: usize = 60;

/// The fewest lists with a header that names none of them: `Name`, `Description`.
const SHARED_MIN: usize = 3;

/// The headers and labels that columns of several lists have.
fn shared_headers(draft: &Draft) -> HashSet<&str> {
    let mut n_lists: HashMap<&str, usize> = HashMap::new();
    for (class, levels) in draft.levels.iter().enumerate() {
        for level in (1..levels.len()).filter(|&level| levels[level].left_out.is_none()) {
            let columns = draft.level(class, level).columns.iter();
            let labels: HashSet<&str> = columns.map(|column| column.facts.label.as_str()).collect();
            for label in labels {
                *n_lists.entry(label).or_default() += 1;
            }
        }
    }
    n_lists.retain(|_, n| *n >= SHARED_MIN);
    n_lists.into_keys().collect()
}

/// The heading that most rows of a list stand on pages with, without the number of a chapter, and
/// their share.
fn page_heading(draft: &Draft, class: usize, level: usize) -> Option<(String, f64)> {
    let page = draft.level(class, 0);
    let heading = page.columns.iter().position(|column| column.facts.is_heading)?;
    if page.n_rows < 2 {
        return None;
    }
    let headings = page
        .sample
        .rows()
        .map(|row| (&*row.page, without_chapter(row.get(heading).unwrap_or_default())));
    let headings: HashMap<&str, &str> = headings.collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut n = 0;
    for heading in draft
        .level(class, level)
        .sample
        .rows()
        .filter_map(|row| headings.get(&*row.page))
    {
        *counts.entry(heading).or_default() += 1;
        n += 1;
    }
    let (heading, most) = counts.into_iter().max_by_key(|(_, n)| *n)?;
    // A heading that few of them have is what one page is called.
    (most * 10 >= n * 9).then(|| (heading.to_owned(), most as f64 / n as f64))
}

/// A heading without `Chapter 3.`, `Table B:` or `2.1` before it.
fn without_chapter(heading: &str) -> &str {
    let mut rest = heading.trim();
    for _ in 0..2 {
        let Some((first, others)) = rest.split_once(char::is_whitespace) else {
            break;
        };
        let bare = first.trim_end_matches(['.', ':', ')']);
        let is_count = bare.chars().count() == 1 || bare.chars().all(|c| c.is_numeric() || c == '.');
        if is_count && (bare != first || bare.contains(char::is_numeric)) {
            return others.trim_start();
        }
        rest = others.trim_start();
    }
    heading.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_mark_up_loses_the_part_of_a_page() {
        assert_eq!(without_place("price_table_cell"), "price");
        assert_eq!(without_place("list_price"), "list_price");
    }

    #[test]
    fn a_heading_loses_the_number_of_its_chapter() {
        for (heading, expected) in [
            ("Chapter 3. Roses", "Roses"),
            ("Appendix B: Herbs of the south", "Herbs of the south"),
            ("2.1 Soil", "Soil"),
            ("A garden", "A garden"),
            ("Roses", "Roses"),
            ("The ten best roses", "The ten best roses"),
        ] {
            assert_eq!(without_chapter(heading), expected);
        }
    }
}
