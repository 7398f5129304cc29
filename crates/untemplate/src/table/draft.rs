//! Drafts: the columns of a site between survey and schema, with what was decided about each so
//! far.

use std::collections::HashMap;

use super::addresses::Addresses;
use super::frame::title_frame;
use super::reading::{Reading, read_value};
use super::sample::{Sample, SampleRow};
use super::schema::ColumnKind;
use super::survey::{ColumnSurvey, Level, Survey};
use super::typing::{Habits, Typing, typing_of};
use super::user_schema::KeptField;

/// All levels of a site.
#[derive(Debug)]
pub(super) struct Draft {
    pub survey: Survey,
    /// By class, then by level.
    pub levels: Vec<Vec<DraftLevel>>,
}

/// What was decided about a level.
#[derive(Debug)]
pub(super) struct DraftLevel {
    pub columns: Vec<DraftColumn>,
    /// Why it becomes no table.
    pub left_out: Option<&'static str>,
}

/// What was decided about a column.
#[derive(Debug)]
pub(super) struct DraftColumn {
    pub typing: Typing,
    /// How its texts are read.
    pub reading: Reading,
    /// Of addresses, the classes that they lead to, most first, with the number of addresses.
    pub targets: Vec<(usize, usize)>,
    /// Of texts that are names of the pages of a class: the class and its column with the names.
    pub named: Option<(usize, usize)>,
    /// Why it becomes no column.
    pub left_out: Option<&'static str>,
    /// The column whose name it takes on, because it stands for it.
    pub stands_for: Option<usize>,
}

impl Draft {
    /// Takes in what was left out.
    pub fn keep(&mut self, kept: &KeptField) {
        for (class, levels) in self.levels.iter_mut().enumerate() {
            let seen = &self.survey.classes[class];
            for (level, own) in seen.levels.iter().zip(levels) {
                if seen.facts.name != kept.class || level.list_path != kept.list_path {
                    continue;
                }
                own.left_out = own.left_out.filter(|_| kept.key.is_some());
                let named = level
                    .columns
                    .iter()
                    .map(|column| Some(&column.facts.key) == kept.key.as_ref());
                for (column, _) in own.columns.iter_mut().zip(named).filter(|(_, is_named)| *is_named) {
                    column.left_out = None;
                }
            }
        }
    }
}

impl DraftColumn {
    /// Whether it becomes a column.
    pub fn is_kept(&self) -> bool {
        self.left_out.is_none()
    }

    /// Whether it leads to pages that are known.
    pub fn is_link(&self) -> bool {
        !self.targets.is_empty()
    }

    /// A text as the column has it, for comparisons.
    pub fn value(&self, text: &str) -> String {
        let text = self.reading.core(text);
        read_value(self.typing.kind, self.typing.marks, text).unwrap_or_else(|| text.to_owned())
    }
}

impl Draft {
    /// A draft in which nothing is left out yet.
    pub fn new(mut survey: Survey, known: &Addresses) -> Self {
        survey.settle();
        let mut habits = Habits::default();
        for column in survey
            .classes
            .iter()
            .flat_map(|class| &class.levels)
            .flat_map(|level| &level.columns)
        {
            habits.add(&column.evidence);
        }
        let draft_level = |level: &Level| DraftLevel {
            columns: (0..level.columns.len())
                .map(|column| draft_column(level, column, &habits, &survey.addresses, known))
                .collect(),
            left_out: None,
        };
        let levels = survey
            .classes
            .iter()
            .map(|class| class.levels.iter().map(draft_level).collect())
            .collect();
        Self { survey, levels }
    }

    /// What the survey saw of a column.
    pub fn seen(&self, class: usize, level: usize, column: usize) -> &ColumnSurvey {
        &self.survey.classes[class].levels[level].columns[column]
    }

    /// A level as the survey saw it.
    pub fn level(&self, class: usize, level: usize) -> &Level {
        &self.survey.classes[class].levels[level]
    }

    /// Pairs of rows about the same thing: those of a level, by where one of its columns leads or
    /// what it names, and those of the pages of a class.
    pub fn joined(&self, class: usize, level: usize, link: usize, target: usize) -> Vec<(&SampleRow, &SampleRow)> {
        let pages: &Sample = &self.level(target, 0).sample;
        if let Some((_, name)) = self.levels[class][level].columns[link].named {
            let by_name: HashMap<&str, &SampleRow> =
                pages.rows().filter_map(|row| Some((row.get(name)?, row))).collect();
            let rows = self.level(class, level).sample.rows();
            return rows
                .filter_map(|row| Some((row, *by_name.get(row.get(link)?)?)))
                .collect();
        }
        let Some(cards) = self.level(class, level).by_link.get(&link) else {
            return Vec::new();
        };
        let pairs = cards
            .things()
            .filter_map(|(thing, rows)| pages.of(thing).map(|page| (rows, page)));
        pairs
            .flat_map(|(rows, page)| rows.iter().map(move |row| (row, page)))
            .collect()
    }
}

/// One in this many addresses may lead to nowhere known, and the rest still is a reference.
const UNKNOWN_SHARE: usize = 10;

/// A class that fewer than one in this many addresses lead to is none that the column refers to.
const TARGET_SHARE: usize = 50;

fn draft_column(level: &Level, index: usize, habits: &Habits, own: &Addresses, known: &Addresses) -> DraftColumn {
    let column = &level.columns[index];
    let typing = typing_of(&column.evidence, habits);
    let (before, after) = match column.facts.tag.as_str() {
        "title" | "meta" => title_frame(level.sample.rows().filter_map(|row| row.get(index))),
        _ => Default::default(),
    };
    DraftColumn {
        reading: Reading {
            marks: typing.marks,
            before,
            after,
            header: header_of(level, index),
            ..Reading::default()
        },
        targets: targets(column, typing.kind, own, known),
        typing,
        named: None,
        left_out: None,
        stands_for: None,
    }
}

/// The text that heads a column, where the head of a table was read as a row.
fn header_of(level: &Level, column: usize) -> Option<String> {
    let header = level.header.as_ref()?;
    let value = header.values.iter().find(|(own, _)| *own == column);
    value.map(|(_, text)| text.clone())
}

/// The classes that the addresses of a column lead to, most first; none when too many lead to
/// nowhere known.
fn targets(column: &ColumnSurvey, kind: ColumnKind, own: &Addresses, known: &Addresses) -> Vec<(usize, usize)> {
    let mut targets: Vec<(usize, usize)> = Vec::new();
    if kind != ColumnKind::Url {
        return targets;
    }
    for &hash in &column.evidence.distinct {
        if let Some(class) = own.class_of_hash(hash).or_else(|| known.class_of_hash(hash)) {
            match targets.iter_mut().find(|(target, _)| *target == class) {
                Some((_, count)) => *count += 1,
                None => targets.push((class, 1)),
            }
        }
    }
    let n = column.evidence.distinct.len();
    targets.retain(|(_, count)| *count * TARGET_SHARE >= n);
    targets.sort_by_key(|&(class, count)| (usize::MAX - count, class));
    let n_known: usize = targets.iter().map(|(_, count)| count).sum();
    if n_known * UNKNOWN_SHARE < n * (UNKNOWN_SHARE - 1) {
        targets.clear();
    }
    targets
}
