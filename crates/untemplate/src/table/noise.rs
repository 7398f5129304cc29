//! Noise: columns of a level that are no data of their own.
//!
//! Left out are constants, links to the neighbours in a sequence of pages, pictures that decorate,
//! texts that hold another column's and always the same around it (`Ada | The Site`), and copies.
//! All of that is read off the values; no words of a language are known.

use std::collections::{HashMap, HashSet};

use super::draft::{Draft, DraftLevel};
use super::frame::{fits, frame_of};
use super::sample::SampleRow;
use super::schema::ColumnKind;
use super::survey::Level;

/// Leaves out the noise of all levels.
pub(super) fn leave_out_noise(draft: &mut Draft) {
    let of_site = constants_of_site(draft);
    for (number, (class, levels)) in draft.survey.classes.iter().zip(&mut draft.levels).enumerate() {
        for (seen, level) in class.levels.iter().zip(levels) {
            let mut noise = Noise {
                class: number,
                rows: seen.sample.rows().collect(),
                seen,
                level,
            };
            noise.constants(&of_site);
            noise.rare();
            noise.references();
            noise.neighbours();
            noise.pictures();
            noise.decorations();
            noise.copies();
        }
    }
}

/// The labels and values that all pages of several classes have: `License: free`.
fn constants_of_site(draft: &Draft) -> HashSet<(String, u64)> {
    let mut n_classes: HashMap<(String, u64), usize> = HashMap::new();
    for class in &draft.survey.classes {
        let Some(level) = class.levels.first().filter(|level| level.n_rows >= ROWS_MIN) else {
            continue;
        };
        let own: HashSet<(String, u64)> = (0..level.columns.len())
            .filter_map(|column| Some((level.columns[column].facts.label.clone(), constant(level, column)?)))
            .collect();
        for pair in own {
            *n_classes.entry(pair).or_default() += 1;
        }
    }
    n_classes.retain(|_, n| *n > 1);
    n_classes.into_keys().collect()
}

/// The value, as a number, that a column always has. `yes` beside `-` says something.
fn constant(level: &Level, column: usize) -> Option<u64> {
    let evidence = &level.columns[column].evidence;
    let is_constant = evidence.distinct.len() == 1
        && evidence.n_placeholders == 0
        && level.n_rows > 1
        && evidence.n_filled * 2 >= level.n_rows;
    evidence.distinct.iter().next().copied().filter(|_| is_constant)
}

/// A level whose noise is looked for.
struct Noise<'a> {
    class: usize,
    rows: Vec<&'a SampleRow>,
    seen: &'a Level,
    level: &'a mut DraftLevel,
}

/// The least mean number of rows for each different picture of a column that decorates.
const PICTURES_SHARE: usize = 20;

/// A bar of links to neighbours has this many rows on the average at most.
const BAR_ROWS_MAX: usize = 3;

/// Two columns that always say the same may do so by chance on fewer rows.
const ROWS_MIN: usize = 3;

/// Whether so few of some rows have a value that it is none of theirs: of as many rows drawn at
/// random, not one would have it. Of 925 columns that people want on the development sites and
/// 2,548 others, 5 and 554 are so rare; if half a row were enough it would be 4 and 424, and with
/// two rows 8 and 718. What one row in ten has is a habit of a small table, too (one in five: 5 and
/// 655; set by hand).
pub(super) fn is_rare(n_cells: usize, n_rows: usize) -> bool {
    n_cells == 0 || n_cells * n_cells < n_rows && n_cells * 10 < n_rows
}

impl Noise<'_> {
    /// The columns that are still in, in the order of the page.
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

    /// Columns that say nothing, or always the same without a label or on pages of several classes.
    fn constants(&mut self, of_site: &HashSet<(String, u64)>) {
        for column in 0..self.level.columns.len() {
            let seen = &self.seen.columns[column];
            let n_filled = seen.evidence.n_filled;
            if seen.is_length {
                self.leave_out(column, "length");
            } else if n_filled + seen.evidence.n_placeholders == 0 {
                self.leave_out(column, "empty");
            } else if let Some(value) = constant(self.seen, column)
                // What stands under a label says something, unless it is a running text.
                && (seen.facts.label.is_empty()
                    || seen.facts.attribute.is_some()
                    || seen.facts.is_prose
                    || of_site.contains(&(seen.facts.label.clone(), value)))
            {
                self.leave_out(column, "constant");
            }
        }
    }

    /// Columns that hardly any row has a value of: what a few pages say beside what their class
    /// says.
    fn rare(&mut self) {
        for column in self.kept() {
            let evidence = &self.seen.columns[column].evidence;
            let n_cells = evidence.n_filled + evidence.n_placeholders;
            if is_rare(n_cells, self.seen.n_rows) {
                self.leave_out(column, "in few rows");
            }
        }
    }

    /// Lists of where a running text leads: the words of a link stand in the text, and addresses
    /// outside the site refer to nothing; nor do the words of these.
    fn references(&mut self) {
        for column in self.kept() {
            let facts = &self.seen.columns[column].facts;
            if facts.is_reference && (facts.attribute.is_none() || !self.level.columns[column].is_link()) {
                let words = self.text_beside(column).filter(|_| facts.attribute.is_some());
                for column in words.into_iter().chain([column]) {
                    self.leave_out(column, "said in the text");
                }
            }
        }
    }

    /// Links to the pages before and after in a sequence: two columns of links into the own class,
    /// where one leads back where the other leads.
    fn neighbours(&mut self) {
        let links: Vec<usize> = self
            .kept()
            .into_iter()
            .filter(|&column| self.leads_to_own(column))
            .collect();
        let mut found: Vec<usize> = Vec::new();
        for &column in &links {
            // A link that always says the same and leads on in the class is a way.
            if self.text_beside(column).is_none_or(|text| self.is_constant(text))
                && self.seen.columns[column].facts.label.is_empty()
            {
                found.push(column);
                continue;
            }
            let others: Vec<_> = links
                .iter()
                .filter(|&&other| other != column)
                .map(|&other| &self.seen.columns[other].pairs)
                .collect();
            if others.is_empty() {
                continue;
            }
            let (n_pairs, n_back) = self.seen.columns[column].pairs.among(&others);
            if n_pairs >= ROWS_MIN && n_back * 10 >= n_pairs * 9 {
                found.push(column);
            }
        }
        for column in found {
            self.leave_out(column, "a neighbour in a sequence");
            if let Some(text) = self.text_beside(column) {
                self.leave_out(text, "a neighbour in a sequence");
            }
        }
    }

    fn leads_to_own(&self, column: usize) -> bool {
        let targets = &self.level.columns[column].targets;
        // A bar with the page before and the one after can be a list of two rows.
        let is_bar = self.seen.list_path.len() == 1 && self.seen.n_rows <= BAR_ROWS_MAX * self.seen.n_lists;
        targets.first().is_some_and(|(target, _)| *target == self.class) && (self.seen.list_path.is_empty() || is_bar)
    }

    /// The text of a column of links.
    fn text_beside(&self, link: usize) -> Option<usize> {
        let key = &self.seen.columns[link].facts.key;
        self.seen
            .columns
            .iter()
            .position(|other| other.facts.link.as_ref() == Some(key))
    }

    fn is_constant(&self, column: usize) -> bool {
        self.seen.columns[column].evidence.distinct.len() <= 1
    }

    /// Few pictures, over and over.
    fn pictures(&mut self) {
        for column in self.kept() {
            let seen = &self.seen.columns[column];
            let n_distinct = seen.evidence.distinct.len();
            if seen.facts.attribute.as_deref() == Some("src") && seen.evidence.n_filled >= n_distinct * PICTURES_SHARE {
                self.leave_out(column, "decoration");
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
            // What stands in data for programs has a name of theirs.
            let facts = &self.seen.columns[outer].facts;
            let is_unnamed = facts.label.is_empty() || facts.tag == "data";
            if is_unnamed
                && is_text(self.level.columns[outer].typing.kind)
                && others.iter().any(|inner| is_inside(&inner))
            {
                self.leave_out(outer, "decoration");
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

    /// Whether two columns that say the same on sampled rows do so on all: they were all sampled,
    /// the columns agree everywhere, or one repeats the other by what it is or is called.
    fn is_sure_copy(&self, column: usize, other: usize) -> bool {
        let (one, two) = (&self.seen.columns[column], &self.seen.columns[other]);
        let is_repetition = one.facts.attribute.is_some();
        let agree = one.evidence.n_filled == two.evidence.n_filled && one.trace == two.trace;
        let are_called_alike = !one.facts.label.is_empty() && one.facts.label == two.facts.label
            || !one.facts.mark.is_empty() && one.facts.mark == two.facts.mark;
        self.rows.len() >= self.seen.n_rows || agree || is_repetition || are_called_alike
    }

    /// Whether one of two columns that say the same is the one to stay.
    fn is_better(&self, one: usize, other: usize) -> bool {
        let rank = |column: usize| {
            let seen = &self.seen.columns[column];
            let kind = self.level.columns[column].typing.kind;
            (
                seen.evidence.n_filled,
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

    /// Whether a column is always some others one after the other, with always the same before,
    /// between and after.
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
