//! What stands on a page, before a skin dresses it.
//!
//! Every page is a [`PageContent`]: a title, ways around it, and [`Block`]s. All skins render the
//! same content, so their sites hold the same data to the letter; what the wild skin says beyond
//! that is added by [`crate::pages::wild`].

use crate::database::{Currency, Date, Money};
use crate::language::Language;
use crate::page_class::PageClass;

/// A page without its looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageContent {
    /// The template.
    pub class: PageClass,
    /// The address, path and query.
    pub path: String,
    /// The heading, and the title of the window.
    pub title: String,
    /// The way from the home page, this page left out.
    pub crumbs: Vec<Link>,
    /// The page before this one in its list or of its kind.
    pub previous: Option<Link>,
    /// The page after this one.
    pub next: Option<Link>,
    /// Which page of how many, on paginated lists.
    pub position: Option<(u32, u32)>,
    /// The body, top to bottom.
    pub blocks: Vec<Block>,
    /// News on the subject, newest first.
    pub related: Vec<(Date, Link)>,
    /// The language of the template.
    pub language: Language,
    /// Records that texts of the page name, for skins that link them there.
    pub names: Vec<Link>,
}

/// A link to a page of the site, by its absolute path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where to: a path with its query.
    pub target: String,
    /// What it says.
    pub text: String,
}

/// One value on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Plain text.
    Text(String),
    /// A text that leads somewhere.
    Link(Link),
    /// A date; each skin has its own way to write it.
    Date(Date),
    /// Nothing, in a cell that must be there.
    Missing,
}

/// A part of a page's body. The names become CSS classes where a skin has any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Labelled values; absent values have no row.
    Facts {
        /// The name of the block.
        name: &'static str,
        /// A heading, where the facts are a section of their own.
        heading: Option<&'static str>,
        /// Label and value.
        rows: Vec<(&'static str, Value)>,
    },
    /// Rows and columns.
    Grid {
        /// The name of the block.
        name: &'static str,
        /// The heading above it.
        heading: String,
        /// The column heads.
        columns: &'static [&'static str],
        /// The cells, as many in each row as there are columns.
        rows: Vec<Vec<Value>>,
    },
    /// A list.
    Items {
        /// The name of the block.
        name: &'static str,
        /// The heading above it.
        heading: &'static str,
        /// The entries.
        items: Vec<Item>,
    },
    /// Two lists beside each other, that of the home team and that of the away team.
    Sides {
        /// The name of the block.
        name: &'static str,
        /// The heading above it.
        heading: &'static str,
        /// Title and entries of each.
        sides: [(String, Vec<Item>); 2],
    },
    /// Paragraphs.
    Prose {
        /// The name of the block.
        name: &'static str,
        /// A heading, where the text is a section of its own.
        heading: Option<&'static str>,
        /// The paragraphs.
        paragraphs: Vec<String>,
    },
    /// The result of a match.
    Score {
        /// Home team and its goals.
        home: (Link, usize),
        /// Away team and its goals.
        away: (Link, usize),
    },
    /// A row of short links: initials, popular searches.
    Bar {
        /// The name of the block.
        name: &'static str,
        /// The links.
        links: Vec<Link>,
    },
    /// A form.
    Form {
        /// `get` or `post`.
        method: &'static str,
        /// Where it is sent.
        action: &'static str,
        /// Its fields.
        fields: Vec<FormField>,
    },
    /// A month, in weeks from Monday to Sunday; days outside the month are none.
    Month {
        /// The weeks.
        weeks: Vec<[Option<Day>; 7]>,
    },
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// A short text before the value, such as the minute of a goal.
    pub before: Option<String>,
    /// The value.
    pub value: Value,
    /// A short text after the value.
    pub after: Option<String>,
}

/// A field of a form: free text where there are no choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormField {
    /// The name it is sent under.
    pub name: &'static str,
    /// The label.
    pub label: &'static str,
    /// What it holds at first.
    pub value: String,
    /// Value and text of each choice.
    pub choices: Vec<(String, &'static str)>,
}

/// A day of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// The day of the month.
    pub day: u32,
    /// The first match of the day.
    pub game: Option<Link>,
    /// How many more there are.
    pub more: usize,
}

/// A text value.
pub fn text(value: impl ToString) -> Value {
    Value::Text(value.to_string())
}

/// An entry that is a value alone.
pub fn item(value: Value) -> Item {
    Item {
        before: None,
        value,
        after: None,
    }
}

/// Hundredths or tenths as a decimal with its unit: `1.83 m`.
pub fn decimal(value: u32, per_unit: u32, unit: &str) -> String {
    let width = per_unit.ilog10() as usize;
    format!("{}.{:0width$} {unit}", value / per_unit, value % per_unit)
}

/// An amount as pages show it: `€4,250,000`.
pub fn money(money: Money) -> String {
    let sign = match money.currency {
        Currency::Euro => "€",
        Currency::Pound => "£",
        Currency::Dollar => "$",
    };
    format!("{sign}{}", grouped(money.amount))
}

/// A whole number with commas: `45,500`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_pages_show_them() {
        assert_eq!(decimal(183, 100, "m"), "1.83 m");
        assert_eq!(decimal(1005, 10, "m"), "100.5 m");
        assert_eq!(
            money(Money {
                amount: 4_250_000,
                currency: Currency::Euro
            }),
            "€4,250,000"
        );
        assert_eq!(grouped(999), "999");
    }
}
