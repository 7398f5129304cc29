//! The last step: the tables of this run in the place of those of an earlier one, in one
//! transaction.

use postgres::Transaction;

use crate::table_file::metadata::PageState;
use crate::table_file::sql_name::quoted;

use super::metadata::TABLES;

/// The schema that rows waited in, and the one that they are for.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
}

/// Why the tables could not be put in place.
pub(super) enum SwapError {
    /// The tables there are those of another site, which has this host.
    OtherSite(String),
    /// A table of this name was not made by this program.
    Foreign(String),
    /// The server refused.
    Refused(postgres::Error),
}

impl From<postgres::Error> for SwapError {
    fn from(error: postgres::Error) -> Self {
        Self::Refused(error)
    }
}

/// The host in the address of a page.
const HOST: &str = "substring(lower(url) FROM '^[a-z]+://(?:www\\.)?([^/?#]+)')";

/// Refuses to replace the tables of a site that has no host in common with this one. A run without
/// pages says nothing of its site.
pub(super) fn check_site(transaction: &mut Transaction<'_>, places: Places<'_>) -> Result<(), SwapError> {
    if !is_there(transaction, places.to, "_untemplate_pages")? {
        return Ok(());
    }
    let hosts = |schema: &str| {
        format!(
            "SELECT {HOST} AS host FROM {}._untemplate_pages WHERE {HOST} IS NOT NULL",
            quoted(schema)
        )
    };
    let (old, new) = (hosts(places.to), hosts(places.from));
    let sql =
        format!("SELECT min(host) FROM ({old}) AS old WHERE EXISTS ({new}) AND NOT EXISTS (({old}) INTERSECT ({new}))");
    match transaction.query_one(&sql, &[])?.get(0) {
        Some(host) => Err(SwapError::OtherSite(host)),
        None => Ok(()),
    }
}

/// Takes over the pages of an earlier run that this one does not have, and when the others were
/// first seen.
pub(super) fn carry_pages(
    transaction: &mut Transaction<'_>,
    places: Places<'_>,
    state: PageState,
) -> Result<(), postgres::Error> {
    if !is_there(transaction, places.to, "_untemplate_pages")? {
        return Ok(());
    }
    let (old, new) = (quoted(places.to), quoted(places.from));
    transaction.batch_execute(&format!(
        "UPDATE {new}._untemplate_pages AS new SET first_seen = old.first_seen FROM {old}._untemplate_pages AS old WHERE old.url = new.url AND old.first_seen IS NOT NULL"
    ))?;
    let gone = PageState::Vanished.word();
    transaction.execute(
        &format!(
            "INSERT INTO {new}._untemplate_pages SELECT url, page_class, first_seen, last_seen, CASE state WHEN '{gone}' THEN state ELSE $1 END \
             FROM {old}._untemplate_pages AS old WHERE NOT EXISTS (SELECT 1 FROM {new}._untemplate_pages AS new WHERE new.url = old.url)"
        ),
        &[&state.word()],
    )?;
    Ok(())
}

/// Puts the tables in place. Tables of the earlier run go; a table of somebody else is never
/// touched.
pub(super) fn swap(transaction: &mut Transaction<'_>, places: Places<'_>, tables: &[String]) -> Result<(), SwapError> {
    let schema = places.to;
    let mut old: Vec<String> = Vec::new();
    if is_there(transaction, schema, TABLES[0].0)? {
        let sql = format!("SELECT table_name FROM {}.{} ORDER BY 1", quoted(schema), TABLES[0].0);
        for row in transaction.query(&sql, &[])? {
            let name: String = row.get(0);
            if is_there(transaction, schema, &name)? {
                old.push(name);
            }
        }
        old.extend(TABLES.iter().map(|(name, _)| (*name).to_owned()));
    }
    let new: Vec<&str> = tables
        .iter()
        .map(String::as_str)
        .chain(TABLES.iter().map(|(name, _)| *name))
        .collect();
    for name in &new {
        if !old.iter().any(|old| old == name) && is_there(transaction, schema, name)? {
            return Err(SwapError::Foreign((*name).to_owned()));
        }
    }
    if !old.is_empty() {
        let names: Vec<String> = old
            .iter()
            .map(|name| format!("{}.{}", quoted(schema), quoted(name)))
            .collect();
        transaction.batch_execute(&format!("DROP TABLE {}", names.join(", ")))?;
    }
    for name in &new {
        let (from, to) = (quoted(places.from), quoted(schema));
        transaction.batch_execute(&format!("ALTER TABLE {from}.{} SET SCHEMA {to}", quoted(name)))?;
    }
    transaction.batch_execute(&format!("DROP SCHEMA {}", quoted(places.from)))?;
    Ok(())
}

/// Whether a schema has something that a table of this name would be in the way of.
fn is_there(transaction: &mut Transaction<'_>, schema: &str, name: &str) -> Result<bool, postgres::Error> {
    let sql = "SELECT 1 FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE nspname = $1 AND relname = $2";
    Ok(transaction.query_opt(sql, &[&schema, &name])?.is_some())
}
