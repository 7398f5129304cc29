//! Which tables and columns of a database a user's schema speaks of.

use std::collections::HashSet;

use super::super::schema::{Column, ColumnSource, Table};
use super::{UserColumn, UserTable};

/// For each table of the database, the one of the schema that speaks of it. A table whose class has
/// another name by now is known by its fields.
pub(super) fn match_tables(tables: &[Table], classes: &[String], wanted: &[UserTable]) -> Vec<Option<usize>> {
    let mut matched: Vec<Option<usize>> = vec![None; tables.len()];
    let class_of = |table: &Table| classes.get(table.page_class).map(String::as_str);
    for (number, user) in wanted.iter().enumerate() {
        let is_same = |table: &Table| table.list_path == user.list_path && class_of(table) == Some(user.class.as_str());
        if let Some(index) = tables.iter().position(is_same) {
            matched[index] = matched[index].or(Some(number));
        }
    }
    for (number, user) in wanted.iter().enumerate() {
        if matched.contains(&Some(number)) {
            continue;
        }
        let likeness = |index: &usize| shared_fields(&tables[*index], user);
        let open = (0..tables.len()).filter(|&index| {
            matched[index].is_none() && tables[index].list_path == user.list_path && is_alike(&tables[index], user)
        });
        if let Some(index) = open.max_by_key(likeness) {
            matched[index] = Some(number);
        }
    }
    matched
}

fn field_keys<'a>(sources: impl Iterator<Item = &'a ColumnSource>) -> HashSet<&'a str> {
    let keys = sources.filter_map(|source| match source {
        ColumnSource::Field(key) => Some(key.as_str()),
        _ => None,
    });
    keys.collect()
}

fn shared_fields(table: &Table, user: &UserTable) -> usize {
    let own = field_keys(table.columns.iter().map(|column| &column.source));
    let wanted = field_keys(user.columns.iter().map(|column| &column.source));
    own.intersection(&wanted).count()
}

/// Whether most fields are the same, and there are some.
fn is_alike(table: &Table, user: &UserTable) -> bool {
    let n_shared = shared_fields(table, user);
    let n_wanted = field_keys(user.columns.iter().map(|column| &column.source)).len();
    n_shared > 0 && n_shared * 2 > n_wanted
}

/// For each column of a table, the one of the schema that speaks of it: of several with one source,
/// in their order.
pub(super) fn match_columns(columns: &[Column], wanted: &[UserColumn]) -> Vec<Option<usize>> {
    let mut is_taken = vec![false; wanted.len()];
    let mut next = |source: &ColumnSource| {
        let index = (0..wanted.len()).find(|&index| !is_taken[index] && wanted[index].source == *source)?;
        is_taken[index] = true;
        Some(index)
    };
    columns.iter().map(|column| next(&column.source)).collect()
}
