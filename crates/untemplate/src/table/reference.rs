//! References by name: columns of texts that name the rows of another table.
//!
//! Not every page links what it mentions. A column refers to another table when each of its values is one of that table's names, and those are all different.

use super::draft::Draft;
use super::evidence::Evidence;
use super::relate::{Building, is_name};
use super::schema::{ColumnKind, ColumnSource, ForeignKey};

/// The references by name: table, and what it refers to.
pub(super) fn text_references(draft: &Draft, building: &Building) -> Vec<(usize, ForeignKey)> {
    let mut found = Vec::new();
    for (&(class, level), &table) in &building.tables {
        for (column, &field) in building.fields[table].iter().enumerate() {
            let Some(field) = field else { continue };
            let own = &building.database.tables[table].columns[column];
            if !matches!(own.source, ColumnSource::Field(_)) || !matches!(own.kind, ColumnKind::Text | ColumnKind::Enum)
            {
                continue;
            }
            let evidence = &draft.seen(class, level, field).evidence;
            if let Some((to, to_column)) = named_table(draft, building, (table, column), evidence) {
                let reference = ForeignKey {
                    columns: vec![column],
                    table: to,
                    to: vec![to_column],
                };
                found.push((table, reference));
            }
        }
    }
    found
}

/// Fewer different values may be names by chance.
const NAMES_MIN: usize = 4;

/// So may shorter ones.
const CHARACTERS_MIN: usize = 4;

/// The table and the column that values name: of several, the one with the fewest names.
fn named_table(draft: &Draft, building: &Building, own: (usize, usize), evidence: &Evidence) -> Option<(usize, usize)> {
    let is_long = evidence.n_characters >= CHARACTERS_MIN * evidence.n_filled;
    if !evidence.is_counted() || evidence.distinct.len() < NAMES_MIN || !is_long {
        return None;
    }
    let mut best: Option<(usize, (usize, usize))> = None;
    for (&(class, level), &table) in &building.tables {
        if let Some((column, names)) = name_column(draft, building, class, level, table)
            && (table, column) != own
            && best.is_none_or(|(n, _)| names.distinct.len() < n)
            && evidence.distinct.is_subset(&names.distinct)
        {
            best = Some((names.distinct.len(), (table, column)));
        }
    }
    best.map(|(_, place)| place)
}

/// The column that names the rows of a table: the first one whose texts are short, all different, and never missing.
fn name_column<'a>(draft: &'a Draft, building: &Building, class: usize, level: usize, table: usize) -> Option<(usize, &'a Evidence)> {
    if level > 0 {
        return None;
    }
    let columns = &building.database.tables[table].columns;
    let n_rows = draft.level(class, level).n_rows;
    let mut fields = building.fields[table].iter().enumerate();
    fields.find_map(|(column, &field)| {
        let evidence = &draft.seen(class, level, field?).evidence;
        let is_text = columns[column].kind == ColumnKind::Text && matches!(columns[column].source, ColumnSource::Field(_));
        // A title without the name of the site is not what was counted.
        let is_whole = columns[column].reading.before.is_empty() && columns[column].reading.after.is_empty();
        (is_text && is_whole && evidence.is_unique() && is_name(evidence, n_rows)).then_some((column, evidence))
    })
}
