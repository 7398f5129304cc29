//! The truth as the site shows it: the tables behind the demo site, with what its pages never show
//! apart put together.
//!
//! Three things differ from `truth.sqlite`. A person's first and last name stand on pages as one
//! name; the two flags of a goal as one word; the match of an article as one of the links below it,
//! which is a list. Numbers that only identify a record, or its place in a list, are not shown.

use super::plan::{ALONE, DERIVED, OTHER_TITLES, PARAGRAPHS, PLANS, Plan, STORY, TITLES};
use super::value::{Accepted, Shown, address, forms};
use rusqlite::Connection;
use std::collections::HashMap;
use std::path::Path;

/// All that the site shows of its database.
pub struct ShownDatabase {
    pub tables: Vec<ShownTable>,
    /// Table and row of the record that a page is about, by address.
    pub records: HashMap<String, (usize, usize)>,
    /// What pages call records, by address, where it is no value of theirs.
    pub titles: HashMap<String, Accepted>,
    /// How many pages the site has.
    pub n_pages: usize,
}

/// A true table.
pub struct ShownTable {
    pub name: &'static str,
    /// Whether its rows stand in a list on the page of another record.
    pub is_child: bool,
    /// Whether the page of its list stands alone, so that its rows need no reference to a record.
    pub is_alone: bool,
    /// Whether it is worked out from the others: then nothing is lost without it, but what is there
    /// is judged.
    pub is_derived: bool,
    pub columns: Vec<ShownColumn>,
    pub rows: Vec<ShownRow>,
}

/// A true column.
pub struct ShownColumn {
    pub name: &'static str,
    pub shown: Shown,
    /// Whether the pages link to what it refers to.
    pub is_linked: bool,
}

/// A true row.
pub struct ShownRow {
    /// The page that shows it.
    pub page: String,
    pub cells: Vec<Option<Accepted>>,
}

/// How the text of an article was read: both ways are right, but not both at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prose {
    /// A row for each paragraph.
    Rows,
    /// One value of the article.
    Whole,
}

/// By table and number: the forms of a record.
type Names = HashMap<(String, i64), Accepted>;

/// Reads the truth of a site; a skin without links on its detail pages shows references as texts
/// alone.
pub fn read_shown(truth: &Path, has_links: bool, prose: Prose) -> rusqlite::Result<ShownDatabase> {
    let connection = Connection::open_with_flags(truth, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let names = names(&connection)?;
    let mut tables: Vec<ShownTable> = PLANS
        .iter()
        .map(|plan| read_table(&connection, plan, &names, has_links))
        .collect::<Result<_, _>>()?;
    tables.iter_mut().for_each(|table| leave_out(table, prose));
    let mut records = HashMap::new();
    for (index, table) in tables.iter().enumerate().filter(|(_, table)| !table.is_child) {
        let pages = table.rows.iter().enumerate();
        records.extend(pages.map(|(row, shown)| (shown.page.clone(), (index, row))));
    }
    let n_pages = connection.query_row("SELECT count(*) FROM page WHERE class IS NOT NULL", [], |row| {
        row.get::<_, i64>(0)
    })?;
    Ok(ShownDatabase {
        tables,
        records,
        titles: titles(&connection, names)?,
        n_pages: n_pages as usize,
    })
}

/// Leaves out what the other reading of prose would have: a table without rows and a column without
/// cells are not missed.
fn leave_out(table: &mut ShownTable, prose: Prose) {
    match prose {
        Prose::Whole if table.name == PARAGRAPHS => table.rows.clear(),
        Prose::Rows => {
            if let Some(story) = table.columns.iter().position(|column| column.name == STORY) {
                table.rows.iter_mut().for_each(|row| row.cells[story] = None);
            }
        }
        Prose::Whole => {}
    }
}

fn names(connection: &Connection) -> rusqlite::Result<Names> {
    let mut names = Names::new();
    let mut pages = connection.prepare("SELECT entity_table, entity_id, url FROM page WHERE entity_id IS NOT NULL")?;
    let mut rows = pages.query([])?;
    while let Some(row) = rows.next()? {
        names.insert((row.get(0)?, row.get(1)?), vec![address(&row.get::<_, String>(2)?)]);
    }
    let mut groups = connection.prepare("SELECT DISTINCT cup_group FROM team")?;
    let mut rows = groups.query([])?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let forms = forms(Shown::Group, &number.to_string());
        names.insert(("cup_group".to_owned(), number), forms.into_iter().rev().collect());
    }
    add_titles(connection, &TITLES, &mut names)?;
    Ok(names)
}

fn add_titles(connection: &Connection, titles: &[(&str, &str)], names: &mut Names) -> rusqlite::Result<()> {
    for (table, sql) in titles {
        let mut titles = connection.prepare(sql)?;
        let mut rows = titles.query([])?;
        while let Some(row) = rows.next()? {
            let forms = names.entry(((*table).to_owned(), row.get(0)?)).or_default();
            forms.push(row.get(1)?);
        }
    }
    Ok(())
}

/// All titles by address.
fn titles(connection: &Connection, mut names: Names) -> rusqlite::Result<HashMap<String, Accepted>> {
    add_titles(connection, &OTHER_TITLES, &mut names)?;
    Ok(names
        .into_values()
        .filter_map(|forms| Some((forms.first()?.clone(), forms)))
        .collect())
}

fn read_table(connection: &Connection, plan: &Plan, names: &Names, has_links: bool) -> rusqlite::Result<ShownTable> {
    let sql: Vec<&str> = plan.columns.iter().map(|(_, sql, _)| *sql).collect();
    let statement = format!("SELECT {}, {} FROM {}", plan.owner_id, sql.join(", "), plan.from);
    let mut statement = connection.prepare(&statement)?;
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let owner = names.get(&(plan.owner.to_owned(), row.get(0)?));
        let page = owner.and_then(|forms| forms.first()).cloned().unwrap_or_default();
        let mut cells = Vec::new();
        for (index, (_, _, shown)) in plan.columns.iter().enumerate() {
            let value = super::value::text_of(row.get_ref(index + 1)?);
            cells.push(value.map(|value| accepted(*shown, &value, names)));
        }
        rows.push(ShownRow { page, cells });
    }
    // The team of a goal or of a line-up is the heading of its list, which is no link.
    let is_heading = |name: &str| matches!(plan.name, "goal" | "lineup") && name == "team_id";
    let columns = plan.columns.iter().map(|(name, _, shown)| ShownColumn {
        name,
        shown: *shown,
        is_linked: has_links && matches!(shown, Shown::To(_)) && !is_heading(name),
    });
    Ok(ShownTable {
        name: plan.name,
        is_child: plan.owner != plan.name,
        is_alone: plan.owner == ALONE,
        is_derived: DERIVED.contains(&plan.name),
        columns: columns.collect(),
        rows,
    })
}

fn accepted(shown: Shown, value: &str, names: &Names) -> Accepted {
    match shown {
        Shown::To(table) => value
            .parse()
            .ok()
            .and_then(|id| names.get(&(table.to_owned(), id)).cloned())
            .unwrap_or_default(),
        _ => forms(shown, value),
    }
}
