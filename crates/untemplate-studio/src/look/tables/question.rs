//! A question about a table: order, conditions, and from which row on. It is read from an address,
//! and written into one.

use super::catalogue::KnownTable;
use crate::teach::asked::Asked;

/// Conditions on one question.
const CONDITIONS_MAX: usize = 20;

/// Columns that are shown where nobody chose any: more than anybody reads across.
pub const COLUMNS_SHOWN: usize = 40;

/// What is asked of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// The column that rows are ordered by; by their numbers without one.
    pub order: Option<usize>,
    /// Whether the order is turned around.
    pub is_descending: bool,
    /// What rows must satisfy.
    pub conditions: Vec<Condition>,
    /// The columns that are shown, in the table's order; the first many where none were chosen.
    pub shown: Vec<usize>,
    /// Where the screen begins or ends.
    pub from: From,
}

/// Where a screen of rows begins or ends, by the number of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum From {
    /// At the first row.
    #[default]
    Start,
    /// After this row.
    After(i64),
    /// Before this row.
    Before(i64),
}

/// What rows must satisfy in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The column.
    pub column: usize,
    /// How its value is compared.
    pub how: How,
    /// With what.
    pub value: String,
}

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It has this text in it, in whatever case.
    Contains,
    /// It is this.
    Is,
    /// It is this or more.
    AtLeast,
    /// It is this or less.
    AtMost,
    /// There is none.
    Empty,
    /// There is one.
    Filled,
}

impl How {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Contains,
        Self::Is,
        Self::AtLeast,
        Self::AtMost,
        Self::Empty,
        Self::Filled,
    ];

    /// The word for it in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::Is => "is",
            Self::AtLeast => "least",
            Self::AtMost => "most",
            Self::Empty => "empty",
            Self::Filled => "filled",
        }
    }

    /// The words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::Is => "is",
            Self::AtLeast => "is at least",
            Self::AtMost => "is at most",
            Self::Empty => "is empty",
            Self::Filled => "is not empty",
        }
    }

    /// Whether it compares with something.
    pub fn has_value(self) -> bool {
        !matches!(self, Self::Empty | Self::Filled)
    }
}

impl Question {
    /// Reads a question. Columns that the table does not have are passed over.
    pub fn read(asked: &Asked, table: &KnownTable) -> Self {
        let number = |name: &str| asked.get(name).parse::<i64>().ok();
        let from = match (number("after"), number("before")) {
            (Some(row), _) => From::After(row),
            (None, Some(row)) => From::Before(row),
            (None, None) => From::Start,
        };
        let triples = asked.all("where").zip(asked.all("how")).zip(asked.all("value"));
        let condition = |((name, how), value): ((&str, &str), &str)| {
            let condition = Condition {
                column: table.column(name)?,
                how: How::ALL.into_iter().find(|own| own.word() == how)?,
                value: value.trim().to_owned(),
            };
            let is_said = !condition.how.has_value() || !condition.value.is_empty();
            is_said.then_some(condition)
        };
        Self {
            order: table.column(asked.get("order")),
            is_descending: asked.get("turn") == "down",
            conditions: triples.filter_map(condition).take(CONDITIONS_MAX).collect(),
            shown: shown(asked, table),
            from,
        }
    }

    /// The columns to show, in the order in which they are looked at.
    pub fn columns(&self, table: &KnownTable) -> Vec<usize> {
        let all = table.in_view_order();
        match self.shown.is_empty() {
            true => all.into_iter().take(COLUMNS_SHOWN).collect(),
            false => all.into_iter().filter(|place| self.shown.contains(place)).collect(),
        }
    }

    /// The question as names and values of an address.
    pub fn pairs<'a>(&'a self, table: &'a KnownTable) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if let Some(column) = self.order {
            pairs.push(("order", table.columns[column].name.clone()));
        }
        if self.is_descending {
            pairs.push(("turn", "down".to_owned()));
        }
        for condition in &self.conditions {
            pairs.push(("where", table.columns[condition.column].name.clone()));
            pairs.push(("how", condition.how.word().to_owned()));
            pairs.push(("value", condition.value.clone()));
        }
        for &column in &self.shown {
            pairs.push(("show", table.columns[column].name.clone()));
        }
        match self.from {
            From::Start => {}
            From::After(row) => pairs.push(("after", row.to_string())),
            From::Before(row) => pairs.push(("before", row.to_string())),
        }
        pairs
    }
}

fn shown(asked: &Asked, table: &KnownTable) -> Vec<usize> {
    let mut shown: Vec<usize> = asked.all("show").filter_map(|name| table.column(name)).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}
