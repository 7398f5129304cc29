//! The smaller sections of a report: sample rows, problems, how it was found, what changed, what it took.

use std::fmt::Write;

use super::page::{ClassSection, ReportPage, TableSection};
use super::problem_groups::{EXAMPLES_MAX, ProblemGroup};
use super::text::{PROMISE, counted, number, percent, shown_value};
use crate::page::escaped_markup;
use crate::table::{Changes, ColumnKind, RowChange, Table, TableChanges};

/// Characters of a value in a sample row, and in an example.
const CELL_CHARS: usize = 80;
const EXAMPLE_CHARS: usize = 160;

/// A few rows of a table, under their names.
pub(super) fn draw_sample(table: &Table, section: &TableSection, html: &mut String) {
    if section.sample.is_empty() {
        return;
    }
    html.push_str("<div class=\"scroll\" tabindex=\"0\"><table class=\"rows\"><thead><tr>");
    for column in &table.columns {
        let unit = column
            .unit
            .as_deref()
            .map(|unit| format!(" <small>{}</small>", escaped_markup(unit)));
        write!(
            html,
            "<th>{}{}</th>",
            escaped_markup(&column.name),
            unit.unwrap_or_default()
        )
        .expect(PROMISE);
    }
    html.push_str("</tr></thead><tbody>");
    for row in &section.sample {
        html.push_str("<tr>");
        for (column, value) in table.columns.iter().zip(row) {
            let is_number = matches!(column.kind, ColumnKind::Integer | ColumnKind::Decimal);
            let class = if is_number { " class=\"number\"" } else { "" };
            match value {
                Some(value) => write!(html, "<td{class}>{}</td>", shown_value(value, CELL_CHARS)).expect(PROMISE),
                None => html.push_str("<td class=\"none\">–</td>"),
            }
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    if section.sample.len() < section.n_rows {
        let (shown, all) = (number(section.sample.len() as u64), number(section.n_rows as u64));
        write!(html, "<p class=\"soft\">{shown} of {all} rows</p>").expect(PROMISE);
    }
}

/// What was odd, by kind, with examples.
pub(super) fn draw_problems(problems: &[ProblemGroup], html: &mut String) {
    if problems.is_empty() {
        return;
    }
    html.push_str("<section id=\"problems\"><h2>Problems</h2><p class=\"soft\">What was in doubt was left empty.</p>");
    for group in &one_a_kind(problems) {
        write!(
            html,
            "<details><summary><b>{}</b> <small>{}</small></summary><ul>",
            escaped_markup(&group.kind),
            number(group.count as u64)
        )
        .expect(PROMISE);
        for (url, message) in &group.examples {
            let (url, message) = (shown_value(url, EXAMPLE_CHARS), shown_value(message, EXAMPLE_CHARS));
            write!(html, "<li>{message}<br><small>{url}</small></li>").expect(PROMISE);
        }
        if group.count > group.examples.len() {
            let rest = number((group.count - group.examples.len()) as u64);
            write!(html, "<li class=\"soft\">and {rest} more</li>").expect(PROMISE);
        }
        html.push_str("</ul></details>");
    }
    html.push_str("</section>\n");
}

/// Groups of one kind, which may come from several classes, made one; the largest first.
fn one_a_kind(problems: &[ProblemGroup]) -> Vec<ProblemGroup> {
    let mut groups: Vec<ProblemGroup> = Vec::new();
    for problem in problems {
        match groups.iter_mut().find(|group| group.kind == problem.kind) {
            Some(group) => {
                group.count += problem.count;
                group.examples.extend(problem.examples.iter().cloned());
                group.examples.truncate(EXAMPLES_MAX);
            }
            None => groups.push(problem.clone()),
        }
    }
    groups.sort_by(|one, other| other.count.cmp(&one.count).then(one.kind.cmp(&other.kind)));
    groups
}

/// How the data was found: the classes, how much of them was read, and by what.
pub(super) fn draw_classes(classes: &[ClassSection], html: &mut String) {
    if classes.is_empty() {
        return;
    }
    html.push_str("<section id=\"classes\"><h2>How it was found</h2><div class=\"cards\">");
    for class in classes {
        write!(
            html,
            "<article><h4>{}</h4><p class=\"soft\">{}</p>",
            escaped_markup(&class.name),
            escaped_markup(&class.kind)
        )
        .expect(PROMISE);
        draw_coverage(class, html);
        let pattern = escaped_markup(&class.pattern);
        if !pattern.is_empty() {
            write!(html, "<p><code>{pattern}</code></p>").expect(PROMISE);
        }
        if !class.wrapper.is_empty() {
            write!(html, "<p>{}</p>", escaped_markup(&class.wrapper)).expect(PROMISE);
        }
        if let Some(example) = &class.example {
            write!(html, "<p class=\"values\">{}</p>", shown_value(example, EXAMPLE_CHARS)).expect(PROMISE);
        }
        html.push_str("</article>");
    }
    html.push_str("</div></section>\n");
}

/// How many pages of a class were read, of how many there may be.
fn draw_coverage(class: &ClassSection, html: &mut String) {
    let read = counted(class.pages_read, "page");
    match class.estimated_pages {
        Some(estimated) => {
            // An estimate that the pages themselves have overtaken is no more than they are.
            let estimated = estimated.max(class.pages_read + class.pages_unread);
            let share = class.pages_read as f64 * 100.0 / estimated.max(1) as f64;
            let shown = percent(class.pages_read, estimated);
            write!(
                html,
                "<div class=\"bar\" role=\"img\" aria-label=\"{shown} of the class was read\"><i style=\"width:{share:.1}%\"></i></div>\
                 <p>{read} read of about {}: {shown}</p>",
                number(estimated as u64)
            )
            .expect(PROMISE);
        }
        None => write!(html, "<p>{read} read</p>").expect(PROMISE),
    }
    if class.pages_unread > 0 {
        let unread = counted(class.pages_unread, "page");
        write!(html, "<p>{unread} could not be read</p>").expect(PROMISE);
    }
}

/// What is different from an earlier run.
pub(super) fn draw_changes(changes: &Changes, html: &mut String) {
    html.push_str("<section id=\"changes\"><h2>Since the last run</h2>");
    if changes.is_empty() {
        html.push_str("<p>Nothing has changed.</p></section>\n");
        return;
    }
    for (names, what) in [(&changes.tables_added, "new"), (&changes.tables_gone, "gone")] {
        if !names.is_empty() {
            write!(
                html,
                "<p>Tables that are {what}: {}</p>",
                escaped_markup(&names.join(", "))
            )
            .expect(PROMISE);
        }
    }
    html.push_str("<div class=\"scroll\" tabindex=\"0\"><table class=\"rows\"><thead><tr><th>table</th><th>added</th><th>changed</th><th>vanished</th><th>columns</th></tr></thead><tbody>");
    for table in &changes.tables {
        let columns = table.columns_added.iter().map(|name| format!("+{name}"));
        let columns: Vec<String> = columns
            .chain(table.columns_gone.iter().map(|name| format!("−{name}")))
            .collect();
        write!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>",
            escaped_markup(&table.name),
            number(table.n_added as u64),
            number(table.n_changed as u64),
            number(table.n_vanished as u64),
            escaped_markup(&columns.join(", "))
        )
        .expect(PROMISE);
    }
    html.push_str("</tbody></table></div>");
    for table in changes.tables.iter().filter(|table| !table.examples.is_empty()) {
        draw_examples(table, html);
    }
    html.push_str("</section>\n");
}

fn draw_examples(table: &TableChanges, html: &mut String) {
    write!(
        html,
        "<details><summary>{}: examples</summary><ul>",
        escaped_markup(&table.name)
    )
    .expect(PROMISE);
    for RowChange { kind, key, cells } in &table.examples {
        let key: Vec<String> = key.iter().map(|value| shown_value(value, CELL_CHARS)).collect();
        write!(html, "<li>{} {}", kind.word(), key.join(", ")).expect(PROMISE);
        for (name, before, after) in cells {
            let shown = |value: &Option<String>| {
                value
                    .as_deref()
                    .map_or("–".to_owned(), |value| shown_value(value, CELL_CHARS))
            };
            write!(
                html,
                "<br>{}: <del>{}</del> <ins>{}</ins>",
                escaped_markup(name),
                shown(before),
                shown(after)
            )
            .expect(PROMISE);
        }
        html.push_str("</li>");
    }
    html.push_str("</ul></details>");
}

/// What it took, and how to do it again.
pub(super) fn draw_cost(report: &ReportPage, html: &mut String) {
    let (cost, n_rows) = (
        &report.cost,
        report.tables.iter().map(|table| table.n_rows).sum::<usize>(),
    );
    html.push_str("<section id=\"cost\"><h2>What it took</h2><dl class=\"facts\">");
    let mut fact =
        |name: &str, value: String| write!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>").expect(PROMISE);
    fact("downloads", number(cost.downloads));
    if cost.reused > 0 {
        fact("from the archive", number(cost.reused));
    }
    fact("bytes", number(cost.bytes));
    if let Some(seconds) = cost.seconds {
        fact("seconds", format!("{seconds:.1}"));
    }
    let answers = cost.downloads + cost.reused;
    if answers > 0 {
        fact(
            "rows per page asked for",
            format!("{:.2}", n_rows as f64 / answers as f64),
        );
    }
    html.push_str("</dl>");
    if !report.command.is_empty() {
        write!(
            html,
            "<p>To do it again:</p><pre>{}</pre>",
            escaped_markup(&report.command)
        )
        .expect(PROMISE);
    }
    if !report.files.is_empty() {
        write!(html, "<p>Files: {}</p>", escaped_markup(&report.files.join(", "))).expect(PROMISE);
    }
    html.push_str("</section>\n");
}
