//! Junk: columns of a level that are no data of their own.
//!
//! Left out are constants, counters of lists, ways to other pages, what decorates another column (`Ada | The Site`), what is put together from others
//! (`Ada - Bo`), and copies. All of that is read off the values of sampled rows; words only tell apart links to the next page.

use super::draft::{Draft, DraftLevel};
use super::facts::FieldFacts;
use super::names::bare_key;
use super::sample::SampleRow;
use super::schema::ColumnKind;
use super::survey::Level;

/// Leaves out the junk of all levels.
pub(super) fn leave_out_junk(draft: &mut Draft) {
    for (class, levels) in draft.survey.classes.iter().zip(&mut draft.levels) {
        for (seen, level) in class.levels.iter().zip(levels) {
            let mut junk = Junk {
                rows: seen.sample.rows().collect(),
                seen,
                level,
            };
            junk.constants();
            junk.false_labels();
            junk.boilerplate();
            junk.counters();
            junk.pieces();
            junk.decorations();
            junk.compositions();
            junk.copies();
            junk.breadcrumbs();
        }
    }
}

/// Why a text that was cut at a value is left out.
pub(super) const CUT: &str = "cut at a value";

/// A level whose junk is looked for.
struct Junk<'a> {
    rows: Vec<&'a SampleRow>,
    seen: &'a Level,
    level: &'a mut DraftLevel,
}

/// Two columns that always say the same may do so by chance on fewer rows.
const ROWS_MIN: usize = 3;

impl Junk<'_> {
    /// The columns that are still in, in the order of the template.
    fn kept(&self) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.level.columns.len())
            .filter(|&column| self.level.columns[column].is_kept())
            .collect();
        kept.sort_by_key(|&column| (self.seen.columns[column].order, column));
        kept
    }

    fn leave_out(&mut self, column: usize, why: &'static str) {
        self.level.columns[column].left_out = Some(why);
    }

    /// Columns that say nothing, or always the same.
    fn constants(&mut self) {
        for column in 0..self.level.columns.len() {
            let seen = &self.seen.columns[column];
            let n_filled = seen.evidence.n_filled;
            if seen.is_length {
                self.leave_out(column, "length");
            } else if n_filled == 0 {
                self.leave_out(column, "empty");
            } else if seen.evidence.distinct.len() == 1 && self.seen.n_rows > 1 && n_filled * 2 >= self.seen.n_rows {
                self.leave_out(column, "constant");
            }
        }
    }

    /// Texts that were cut at a value that looked like a label on some pages.
    fn false_labels(&mut self) {
        for column in self.kept() {
            let seen = &self.seen.columns[column];
            let is_rare = seen.evidence.n_filled * 2 < self.seen.n_rows;
            let is_number = seen.facts.label.starts_with(|c: char| c.is_ascii_digit());
            if is_rare && (is_number || self.level.columns[column].is_named_by_value) {
                self.leave_out(column, CUT);
            }
        }
    }

    /// Ways to other pages, and what footers count.
    fn boilerplate(&mut self) {
        for column in self.kept() {
            let facts = &self.seen.columns[column].facts;
            let words = words_of(facts);
            let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
            let is_in = |names: &[&str]| facts.context.iter().any(|word| names.contains(&word.as_str()));
            let is_arrow = |text: &str| text.starts_with(['‹', '«', '←', '<']) || text.ends_with(['›', '»', '→']);
            let is_link = self.level.columns[column].typing.kind == ColumnKind::Url;
            let texts = || self.rows.iter().filter_map(|row| row.get(column));
            let has_arrows = texts().next().is_some() && texts().all(is_arrow);
            let counts_visits = |text: &str| {
                text.to_lowercase()
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| VISITORS.contains(&word))
            };
            let is_neighbour = says(&NEIGHBOURS) && (is_link || facts.link.is_some())
                || NEIGHBOURS.contains(&first_word(bare_key(facts)));
            if has_arrows || is_neighbour {
                self.leave_out(column, "next page");
            } else if is_in(&REGIONS) || says(&RELATED) {
                self.leave_out(column, "in a box about other pages");
            } else if says(&VISITORS) || texts().next().is_some() && texts().all(counts_visits) {
                self.leave_out(column, "counter of visits");
                self.leave_out_pieces(column);
            }
        }
    }

    fn leave_out_pieces(&mut self, whole: usize) {
        let key = &self.seen.columns[whole].facts.key;
        for column in self.kept() {
            if self.seen.columns[column].facts.piece_of.as_ref() == Some(key) {
                self.leave_out(column, "piece");
            }
        }
    }

    /// Breadcrumbs, but for names: those that another column says were left out as copies.
    fn breadcrumbs(&mut self) {
        let is_crumb = |column: usize| {
            words_of(&self.seen.columns[column].facts)
                .iter()
                .any(|word| BREADCRUMBS.contains(&word.as_str()))
        };
        let is_name = |column: usize| {
            let evidence = &self.seen.columns[column].evidence;
            self.level.columns[column].typing.kind == ColumnKind::Text
                && evidence.distinct.len() * 10 >= self.seen.n_rows * 9
        };
        for column in self
            .kept()
            .into_iter()
            .filter(|&column| is_crumb(column) && !is_name(column))
            .collect::<Vec<_>>()
        {
            self.leave_out(column, "breadcrumb");
        }
    }

    /// Numbers that are the length of a list.
    fn counters(&mut self) {
        let lengths: Vec<usize> = (0..self.seen.columns.len())
            .filter(|&column| self.seen.columns[column].is_length)
            .collect();
        for column in self.kept() {
            if self.level.columns[column].typing.kind == ColumnKind::Integer
                && lengths.iter().any(|&length| self.says_the_same(column, length))
            {
                self.leave_out(column, "counter");
            }
        }
    }

    /// A text or its pieces: the pieces when they are all of it, else the text.
    fn pieces(&mut self) {
        for whole in self.kept() {
            let key = &self.seen.columns[whole].facts.key;
            let is_piece = |&&column: &&usize| self.seen.columns[column].facts.piece_of.as_ref() == Some(key);
            let pieces: Vec<usize> = self.kept().iter().filter(is_piece).copied().collect();
            if pieces.is_empty() {
                continue;
            }
            let is_typed = !matches!(
                self.level.columns[whole].typing.kind,
                ColumnKind::Text | ColumnKind::Enum
            );
            if !is_typed && self.is_made_of(whole, &pieces) {
                self.leave_out(whole, "in pieces");
                if let [piece] = pieces.as_slice() {
                    self.level.columns[*piece].stands_for = Some(whole);
                }
            } else {
                for piece in pieces {
                    self.leave_out(piece, "piece");
                }
            }
        }
    }

    /// Texts that hold another column's, and always the same around it.
    fn decorations(&mut self) {
        for outer in self.kept() {
            let others = self.kept();
            let is_inside = |&&inner: &&usize| {
                inner != outer && self.is_made_of(outer, &[inner]) && !self.says_the_same(outer, inner)
            };
            if is_text(self.level.columns[outer].typing.kind) && others.iter().any(|inner| is_inside(&inner)) {
                self.leave_out(outer, "decoration");
            }
        }
    }

    /// Texts that are made of two other columns.
    fn compositions(&mut self) {
        for whole in self.kept() {
            if !is_text(self.level.columns[whole].typing.kind) {
                continue;
            }
            let others = self.kept();
            let Some(text) = self.rows.iter().find_map(|row| row.get(whole).map(|text| (row, text))) else {
                continue;
            };
            let inside: Vec<usize> = others
                .into_iter()
                .filter(|&other| {
                    other != whole
                        && text
                            .0
                            .get(other)
                            .is_some_and(|part| text.1.contains(part) && part != text.1)
                })
                .collect();
            let pairs = inside
                .iter()
                .flat_map(|&first| inside.iter().map(move |&second| [first, second]));
            if pairs
                .into_iter()
                .any(|pair| pair[0] != pair[1] && self.is_made_of(whole, &pair))
            {
                self.leave_out(whole, "composition");
            }
        }
    }

    /// Columns that say what another one says: the better one stays.
    fn copies(&mut self) {
        for column in self.kept() {
            for other in self.kept() {
                if column != other
                    && self.level.columns[column].is_kept()
                    && self.says_the_same(column, other)
                    && self.is_better(other, column)
                {
                    self.leave_out(column, "copy");
                }
            }
        }
    }

    /// Whether one of two columns that say the same is the one to stay.
    fn is_better(&self, one: usize, other: usize) -> bool {
        let rank = |column: usize| {
            let seen = &self.seen.columns[column];
            let kind = self.level.columns[column].typing.kind;
            let is_crumb = words_of(&seen.facts)
                .iter()
                .any(|word| BREADCRUMBS.contains(&word.as_str()));
            (
                seen.evidence.n_filled,
                !is_crumb,
                seen.facts.piece_of.is_none(),
                // What stands in a link is left out later, when the page that it leads to says it.
                seen.facts.link.is_some(),
                !is_text(kind),
                !seen.facts.label.is_empty(),
                seen.facts.attribute.is_none(),
                !matches!(seen.facts.tag.as_str(), "title" | "meta"),
                usize::MAX - seen.order,
                usize::MAX - column,
            )
        };
        rank(one) > rank(other)
    }

    /// Whether a column says what another one says, wherever it says something.
    fn says_the_same(&self, column: usize, other: usize) -> bool {
        let mut seen: Option<String> = None;
        let (mut n_same, mut differ) = (0, false);
        for row in &self.rows {
            let Some(text) = row.get(column) else { continue };
            let Some(text_of_other) = row.get(other) else {
                return false;
            };
            let value = self.level.columns[column].value(text);
            if value != self.level.columns[other].value(text_of_other) {
                return false;
            }
            n_same += 1;
            differ |= seen.as_ref().is_some_and(|seen| *seen != value);
            seen.get_or_insert(value);
        }
        n_same >= ROWS_MIN && differ || n_same > 0 && n_same == self.seen.n_rows
    }

    /// Whether a column is always some others one after the other, with always the same before, between and after.
    fn is_made_of(&self, whole: usize, parts: &[usize]) -> bool {
        let mut frame: Option<Vec<&str>> = None;
        let mut n_rows = 0;
        let mut values = std::collections::BTreeSet::new();
        for row in &self.rows {
            let Some(text) = row.get(whole) else { continue };
            let Some(texts) = parts.iter().map(|&part| row.get(part)).collect::<Option<Vec<&str>>>() else {
                return false;
            };
            match &frame {
                Some(frame) if !fits(text, frame, &texts) => return false,
                Some(_) => {}
                None => match frame_of(text, &texts) {
                    Some(found) => frame = Some(found),
                    None => return false,
                },
            }
            values.insert(text);
            n_rows += 1;
        }
        n_rows >= ROWS_MIN && values.len() > 1
    }
}

/// What stands before, between and after some texts in a text.
fn frame_of<'a>(text: &'a str, parts: &[&str]) -> Option<Vec<&'a str>> {
    let mut frame = Vec::new();
    let mut rest = text;
    for part in parts {
        let place = rest.find(part)?;
        frame.push(&rest[..place]);
        rest = &rest[place + part.len()..];
    }
    frame.push(rest);
    Some(frame)
}

/// Whether a text is some texts within a frame.
fn fits(text: &str, frame: &[&str], parts: &[&str]) -> bool {
    let mut rest = text;
    for (before, part) in frame.iter().zip(parts) {
        let Some(next) = rest.strip_prefix(before).and_then(|rest| rest.strip_prefix(part)) else {
            return false;
        };
        rest = next;
    }
    frame.last() == Some(&rest)
}

fn is_text(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Text | ColumnKind::Enum)
}

fn first_word(key: &str) -> &str {
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

const PHRASES: [(&str, &str); 5] = [
    ("you are here", "breadcrumb"),
    ("sie sind hier", "breadcrumb"),
    ("vous êtes ici", "breadcrumb"),
    ("see also", "related"),
    ("siehe auch", "related"),
];

pub(super) const BREADCRUMBS: [&str; 5] = ["breadcrumb", "breadcrumbs", "crumb", "crumbs", "brotkrumen"];

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

const RELATED: [&str; 1] = ["related"];

const NEIGHBOURS: [&str; 15] = [
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

const VISITORS: [&str; 6] = ["visitor", "visitors", "besucher", "hits", "pageviews", "copyright"];
