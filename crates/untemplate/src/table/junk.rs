//! Junk: columns of a level that are no data of their own.
//!
//! Left out are constants, counters of lists, ways to other pages, what decorates another column (`Ada | The Site`), what is put together from others
//! (`Ada - Bo`), and copies. All of that is read off the values of sampled rows; words only tell apart links to the next page.

use super::boilerplate::{NEIGHBOURS, RELATED, VISITORS, first_word, is_crumb, regions_of, words_of};
use super::draft::{Draft, DraftLevel};
use super::frame::{fits, frame_of};
use super::names::bare_key;
use super::sample::SampleRow;
use super::schema::ColumnKind;
use super::survey::Level;

/// Leaves out the junk of all levels.
pub(super) fn leave_out_junk(draft: &mut Draft) {
    for (class, levels) in draft.survey.classes.iter().zip(&mut draft.levels) {
        for (seen, level) in class.levels.iter().zip(levels) {
            let mut junk = Junk {
                regions: regions_of(&class.facts),
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
    /// Words for regions that are about other pages.
    regions: Vec<&'static str>,
    rows: Vec<&'a SampleRow>,
    seen: &'a Level,
    level: &'a mut DraftLevel,
}

/// Pictures that each stand in so many rows are decoration.
const PICTURES_SHARE: usize = 20;

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
            } else if seen.evidence.distinct.len() == 1
                // `yes` beside `-` says something.
                && seen.evidence.n_placeholders == 0
                && self.seen.n_rows > 1
                && n_filled * 2 >= self.seen.n_rows
            {
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
            let is_in = |name: &str| facts.context.iter().any(|word| word == name);
            let is_arrow = |text: &str| text.starts_with(['‹', '«', '←', '<']) || text.ends_with(['›', '»', '→']);
            let is_link = self.level.columns[column].typing.kind == ColumnKind::Url || facts.link.is_some();
            let texts = || self.rows.iter().filter_map(|row| row.get(column));
            let has_arrows = texts().next().is_some() && texts().all(is_arrow);
            let counts_visits = |text: &str| {
                text.to_lowercase()
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| VISITORS.contains(&word))
            };
            let is_neighbour = says(&NEIGHBOURS) || NEIGHBOURS.contains(&first_word(bare_key(facts)));
            let is_visits = says(&VISITORS) || texts().next().is_some() && texts().all(counts_visits);
            // Without a link, `Next` is a label and `Back` a position.
            if is_link && (has_arrows || is_neighbour || self.are_ways(column)) {
                self.leave_out(column, "next page");
                self.leave_out_link(column);
            } else if self.is_decoration(column) {
                self.leave_out(column, "decoration");
            } else if is_visits && is_in("footer") {
                self.leave_out(column, "counter of visits");
                self.leave_out_pieces(column);
            } else if self.regions.iter().any(|region| is_in(region)) || is_link && says(&RELATED) {
                self.leave_out(column, "in a box about other pages");
            }
        }
    }

    /// Whether a column says nothing but words for ways to other pages.
    fn are_ways(&self, column: usize) -> bool {
        let evidence = &self.seen.columns[column].evidence;
        let is_way = |text: &String| NEIGHBOURS.contains(&text.to_lowercase().as_str());
        !evidence.words.is_empty() && evidence.words.keys().all(is_way)
    }

    /// Whether a column has few pictures, over and over.
    fn is_decoration(&self, column: usize) -> bool {
        let seen = &self.seen.columns[column];
        let n_distinct = seen.evidence.distinct.len();
        seen.facts.attribute.as_deref() == Some("src") && seen.evidence.n_filled >= n_distinct * PICTURES_SHARE
    }

    /// Leaves out the link that a column is the text of.
    fn leave_out_link(&mut self, column: usize) {
        let link = self.seen.columns[column].facts.link.clone();
        let place = self
            .seen
            .columns
            .iter()
            .position(|other| Some(&other.facts.key) == link.as_ref());
        if let Some(place) = place {
            self.leave_out(place, "next page");
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
        let is_name = |column: usize| {
            let evidence = &self.seen.columns[column].evidence;
            self.level.columns[column].typing.kind == ColumnKind::Text
                && evidence.distinct.len() * 10 >= self.seen.n_rows * 9
        };
        for column in self
            .kept()
            .into_iter()
            .filter(|&column| is_crumb(&self.seen.columns[column].facts) && !is_name(column))
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
            if !is_typed && (self.is_made_of(whole, &pieces) || self.is_covered_by(whole, &pieces)) {
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
                    && self.is_sure_copy(column, other)
                {
                    self.leave_out(column, "copy");
                }
            }
        }
    }

    /// Whether two columns that say the same on sampled rows do so on all: they were all sampled, the columns agree everywhere, or one repeats the other by what it is or is called.
    fn is_sure_copy(&self, column: usize, other: usize) -> bool {
        let (one, two) = (&self.seen.columns[column], &self.seen.columns[other]);
        let is_repetition = matches!(one.facts.tag.as_str(), "title" | "meta")
            || one.facts.attribute.is_some()
            || one.facts.piece_of.is_some();
        let agree = one.evidence.n_filled == two.evidence.n_filled && one.trace == two.trace;
        let are_called_alike = !one.facts.label.is_empty() && one.facts.label == two.facts.label
            || !one.facts.mark.is_empty() && one.facts.mark == two.facts.mark;
        self.rows.len() >= self.seen.n_rows || agree || is_repetition || are_called_alike || is_crumb(&one.facts)
    }

    /// Whether one of two columns that say the same is the one to stay.
    fn is_better(&self, one: usize, other: usize) -> bool {
        let rank = |column: usize| {
            let seen = &self.seen.columns[column];
            let kind = self.level.columns[column].typing.kind;
            (
                seen.evidence.n_filled,
                !is_crumb(&seen.facts),
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

    /// Whether nothing but marks is left of a column's texts without those of its pieces, some of which may be missing.
    fn is_covered_by(&self, whole: usize, pieces: &[usize]) -> bool {
        let mut n_rows = 0;
        for row in &self.rows {
            let Some(mut rest) = row.get(whole) else { continue };
            for text in pieces.iter().filter_map(|&piece| row.get(piece)) {
                match rest.find(text) {
                    Some(place) if !rest[..place].contains(char::is_alphanumeric) => rest = &rest[place + text.len()..],
                    _ => return false,
                }
            }
            if rest.contains(char::is_alphanumeric) {
                return false;
            }
            n_rows += 1;
        }
        n_rows >= ROWS_MIN && pieces.len() > 1
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

fn is_text(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Text | ColumnKind::Enum)
}
