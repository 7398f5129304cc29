//! The columns of a table, a card each: what it is, how full, and what its values look like.

use std::fmt::Write;

use super::page::TableSection;
use super::text::{PROMISE, counted, cut, number, percent, shown_value};
use crate::page::escaped_markup;
use crate::table::{Column, ColumnKind, Database, Profile, Table};

/// Characters of a value on a card.
const VALUE_CHARS: usize = 60;

/// Frequent values on a card.
const TOP_MAX: usize = 6;

/// Draws the columns of a table.
pub(super) fn draw_columns(database: &Database, table: &Table, section: &TableSection, html: &mut String) {
    if section.profiles.is_empty() {
        return;
    }
    html.push_str("<h3>Columns</h3><div class=\"cards\">");
    for (index, (column, profile)) in table.columns.iter().zip(&section.profiles).enumerate() {
        write!(html, "<article><h4>{}</h4>", escaped_markup(&column.name)).expect(PROMISE);
        write!(html, "<p class=\"soft\">{}</p>", nature(database, table, index)).expect(PROMISE);
        draw_profile(column, profile, html);
        html.push_str("</article>");
    }
    html.push_str("</div>");
}

/// What a column is: its kind, unit, and part in keys.
fn nature(database: &Database, table: &Table, index: usize) -> String {
    let column = &table.columns[index];
    let mut words = vec![kind_word(column.kind).to_owned()];
    words.extend(
        column
            .unit
            .as_deref()
            .map(|unit| format!("in {}", escaped_markup(unit))),
    );
    if table.key.contains(&index) {
        words.push("<b>key</b>".to_owned());
    }
    for reference in table
        .foreign_keys
        .iter()
        .filter(|reference| reference.columns.contains(&index))
    {
        let parent = &database.tables[reference.table];
        words.push(format!(
            "refers to <a href=\"#t{}\">{}</a>",
            reference.table,
            escaped_markup(&parent.name)
        ));
    }
    words.join(" · ")
}

fn draw_profile(column: &Column, profile: &Profile, html: &mut String) {
    let n_rows = profile.filled + profile.missing;
    let filled = profile.filled as f64 * 100.0 / n_rows.max(1) as f64;
    write!(
        html,
        "<div class=\"bar\" role=\"img\" aria-label=\"{full} of rows have a value\"><i style=\"width:{filled:.1}%\"></i></div>\
         <p>{full} filled, {} · {} distinct</p>",
        if profile.missing == 0 { "none missing".to_owned() } else { format!("{} missing", number(profile.missing as u64)) },
        number(profile.distinct as u64),
        full = percent(profile.filled, n_rows),
    )
    .expect(PROMISE);
    if profile.histogram.iter().any(|&count| count > 0) {
        draw_histogram(profile, html);
    } else if !profile.top.is_empty() {
        draw_top(profile, html);
    } else if let (Some(lowest), Some(highest)) = (&profile.lowest, &profile.highest) {
        let values = if lowest == highest {
            vec![lowest]
        } else {
            vec![lowest, highest]
        };
        let shown: Vec<String> = values
            .into_iter()
            .map(|value| shown_value(value, VALUE_CHARS))
            .collect();
        let link = if column.kind == ColumnKind::Text {
            " … "
        } else {
            " to "
        };
        write!(html, "<p class=\"values\">{}</p>", shown.join(link)).expect(PROMISE);
    }
}

const HISTOGRAM_WIDTH: f64 = 240.0;
const HISTOGRAM_HEIGHT: f64 = 56.0;

/// How many values lie in each part between the least and the greatest.
fn draw_histogram(profile: &Profile, html: &mut String) {
    let most = profile.histogram.iter().copied().max().unwrap_or(1).max(1) as f64;
    let step = HISTOGRAM_WIDTH / profile.histogram.len() as f64;
    let (lowest, highest) = (
        profile.lowest.as_deref().unwrap_or(""),
        profile.highest.as_deref().unwrap_or(""),
    );
    let (lowest, highest) = (escaped_markup(&cut(lowest, 24)), escaped_markup(&cut(highest, 24)));
    write!(
        html,
        "<svg class=\"histogram\" viewBox=\"0 0 {HISTOGRAM_WIDTH} {HISTOGRAM_HEIGHT}\" role=\"img\" aria-label=\"values from {lowest} to {highest}\">"
    )
    .expect(PROMISE);
    for (index, &count) in profile.histogram.iter().enumerate() {
        // One value among thousands is still to be seen.
        let height = if count == 0 {
            0.0
        } else {
            (count as f64 / most * HISTOGRAM_HEIGHT).max(1.5)
        };
        write!(
            html,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{}</title></rect>",
            index as f64 * step + 0.5,
            HISTOGRAM_HEIGHT - height,
            (step - 1.0).max(0.5),
            counted(count, "value"),
        )
        .expect(PROMISE);
    }
    write!(
        html,
        "</svg><p class=\"ends\"><span>{lowest}</span><span>{highest}</span></p>"
    )
    .expect(PROMISE);
}

/// The most frequent values, with bars that compare them.
fn draw_top(profile: &Profile, html: &mut String) {
    let most = profile.top.first().map_or(1, |(_, count)| *count).max(1) as f64;
    html.push_str("<table class=\"top\">");
    for (value, count) in profile.top.iter().take(TOP_MAX) {
        write!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td><div class=\"bar\"><i style=\"width:{:.1}%\"></i></div></td></tr>",
            shown_value(value, VALUE_CHARS),
            number(*count as u64),
            *count as f64 * 100.0 / most,
        )
        .expect(PROMISE);
    }
    html.push_str("</table>");
    let shown: usize = profile.top.iter().take(TOP_MAX).map(|(_, count)| count).sum();
    if shown < profile.filled {
        let rest = counted(profile.filled - shown, "row");
        write!(html, "<p class=\"soft\">and {rest} with other values</p>").expect(PROMISE);
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
