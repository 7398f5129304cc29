//! The columns of a table, a card each: what it is, how full, and what its values look like.

use maud::{Markup, html};
use untemplate::table::{Column, ColumnKind, Database, Profile, Table};

use super::page::TableSection;
use crate::histogram::{Bar, histogram};
use crate::text::{counted, cut, number, percent, shown_value};

/// Characters of a value on a card.
const VALUE_CHARS: usize = 60;

/// Characters of the values at the ends of a histogram.
const END_CHARS: usize = 24;

/// Frequent values on a card.
const TOP_MAX: usize = 6;

/// Width and height of a histogram, before it is fitted to its card.
const HISTOGRAM_SIZE: (u32, u32) = (240, 56);

/// The columns of a table, folded away below its rows.
pub(super) fn columns(database: &Database, table: &Table, section: &TableSection) -> Markup {
    let columns = table.columns.iter().zip(&section.profiles).enumerate();
    html! {
        @if !section.profiles.is_empty() {
            details {
                summary { "What is in its " (counted(table.columns.len(), "column")) }
                div.cards { @for (index, (column, profile)) in columns {
                    article {
                        h4 { (column.name) }
                        p.soft { (nature(database, table, index)) }
                        (contents(column, profile))
                    }
                } }
            }
        }
    }
}

/// What a column is: its kind, unit, and part in keys.
fn nature(database: &Database, table: &Table, index: usize) -> Markup {
    let column = &table.columns[index];
    let references = table
        .foreign_keys
        .iter()
        .filter(|reference| reference.columns.contains(&index));
    html! {
        (kind_word(column.kind))
        @if let Some(unit) = &column.unit { " · in " (unit) }
        @if table.key.contains(&index) { " · " b { "key" } }
        @for reference in references {
            " · refers to " a href={ "#t" (reference.table) } { (database.tables[reference.table].name) }
        }
    }
}

/// How full a column is, and what its values are.
fn contents(column: &Column, profile: &Profile) -> Markup {
    let n_rows = profile.filled + profile.missing;
    let full = percent(profile.filled, n_rows);
    html! {
        (share_bar(profile.filled, n_rows, &format!("{full} of rows have a value")))
        p {
            (full) " filled, "
            @if profile.missing == 0 { "none missing" } @else { (number(profile.missing as u64)) " missing" }
            " · " (number(profile.distinct as u64)) " distinct"
        }
        @if profile.histogram.iter().any(|&count| count > 0) {
            (spread(profile))
        } @else if !profile.top.is_empty() {
            (top_values(profile))
        } @else if let (Some(lowest), Some(highest)) = (&profile.lowest, &profile.highest) {
            p.values {
                (shown_value(lowest, VALUE_CHARS))
                @if lowest != highest {
                    @if column.kind == ColumnKind::Text { " … " } @else { " to " }
                    (shown_value(highest, VALUE_CHARS))
                }
            }
        }
    }
}

/// A bar as long as a share of its whole.
pub(super) fn share_bar(part: usize, whole: usize, told: &str) -> Markup {
    let share = part as f64 * 100.0 / whole.max(1) as f64;
    html! { div.bar role="img" aria-label=(told) { i style=(format!("width:{share:.1}%")) {} } }
}

/// How many values lie in each part between the least and the greatest.
fn spread(profile: &Profile) -> Markup {
    let end = |value: &Option<String>| cut(value.as_deref().unwrap_or(""), END_CHARS);
    let n_parts = profile.histogram.len();
    let bars = profile.histogram.iter().enumerate().map(|(index, &count)| Bar {
        label: format!("part {} of {n_parts}", index + 1),
        count: count as u64,
    });
    html! {
        (histogram(&bars.collect::<Vec<_>>(), HISTOGRAM_SIZE.0, HISTOGRAM_SIZE.1))
        p.ends { span { (end(&profile.lowest)) } span { (end(&profile.highest)) } }
    }
}

/// The most frequent values, with bars that compare them.
fn top_values(profile: &Profile) -> Markup {
    let most = profile.top.first().map_or(1, |(_, count)| *count);
    let shown: usize = profile.top.iter().take(TOP_MAX).map(|(_, count)| count).sum();
    html! {
        table.top { @for (value, count) in profile.top.iter().take(TOP_MAX) {
            tr {
                td { (shown_value(value, VALUE_CHARS)) }
                td.number { (number(*count as u64)) }
                td { (share_bar(*count, most, &counted(*count, "row"))) }
            }
        } }
        @if shown < profile.filled { p.soft { "and " (counted(profile.filled - shown, "row")) " with other values" } }
    }
}

fn kind_word(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "whole number",
        ColumnKind::Decimal => "number",
        ColumnKind::Date => "date",
        ColumnKind::DateTime => "date and time",
        ColumnKind::Time => "time",
        ColumnKind::Boolean => "yes or no",
        ColumnKind::Url => "address",
        ColumnKind::Email => "mail address",
        ColumnKind::Phone => "telephone number",
        ColumnKind::Enum => "one of few words",
        ColumnKind::Text => "text",
    }
}
