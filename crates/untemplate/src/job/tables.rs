//! Tables of what was read: the shelf seen class by class, what its records hold, and their rows.
//!
//! In: [`Records`], such as a [`Harvest`], and their shelf. Out: a [`Database`], then its rows. Both passes see the
//! records alike: those of other addresses of a page are left out, and links lead to the address that a page's row is
//! under, so that what was declared of references holds on the rows.

use crate::page::Problem;
use crate::site;
use crate::table::{
    Addresses, ClassFacts, ClassKind, Database, FieldFacts, ReadPage, Shelf, ShelfError, Survey, facts_of, relate,
    rows_of,
};

use super::absolute::each_address;
use super::class_reader::{ClassReader, Means};
use super::keys::KeyCheck;
use super::ledger::Fate;
use super::options::Harvest;

/// Takes what was read from a page.
pub type TakePage<'a> = dyn FnMut(&ReadPage) -> Result<(), ShelfError> + 'a;

/// What a job read: records on a shelf, and how they become tables.
pub trait Records {
    /// What is known of each page class before its values are looked at.
    fn classes(&self) -> Vec<ClassFacts>;

    /// Shows every record once: classes in order, pages by address.
    fn each_page(&self, shelf: &mut dyn Shelf, take: &mut TakePage<'_>) -> Result<(), ShelfError>;

    /// Decides the tables by what all records hold.
    fn relate(&self, survey: Survey) -> Database;

    /// The columns whose cells may hold several values, one a line: the number of the table, and of the column in it.
    fn list_columns(&self, _database: &Database) -> Vec<(usize, usize)> {
        Vec::new()
    }
}

/// Decides the tables of what was read; what is declared of keys holds on every row.
pub fn relate_tables(records: &dyn Records, shelf: &mut dyn Shelf) -> Result<Database, ShelfError> {
    let mut survey = Survey::new(&records.classes());
    records.each_page(shelf, &mut |page| {
        survey.add(page);
        Ok(())
    })?;
    let mut database = records.relate(survey);
    let mut check = KeyCheck::new(&database);
    fill_tables(records, shelf, &database, &mut |table, row| {
        check.add(table, row);
        Ok(())
    })?;
    check.settle(&mut database);
    Ok(database)
}

/// Takes a row: the number of its table, and a value or nothing for each column.
pub type PutRow<'a> = dyn FnMut(usize, &[Option<String>]) -> Result<(), ShelfError> + 'a;

/// Hands out the rows of all tables, class by class and by address; what could not be read as its column's kind is returned, up to a limit.
pub fn fill_tables(
    records: &dyn Records,
    shelf: &mut dyn Shelf,
    database: &Database,
    put: &mut PutRow<'_>,
) -> Result<Vec<Problem>, ShelfError> {
    let mut all = Vec::new();
    records.each_page(shelf, &mut |page| {
        let mut result = Ok(());
        let problems = rows_of(database, page, &mut |table, row| {
            if result.is_ok() {
                result = put(table, &row);
            }
        });
        all.extend(problems.into_iter().take(PROBLEMS_MAX.saturating_sub(all.len())));
        result
    })?;
    Ok(all)
}

/// Problems that are returned.
const PROBLEMS_MAX: usize = 10_000;

impl Records for Harvest {
    fn classes(&self) -> Vec<ClassFacts> {
        self.readers.iter().map(class_facts).collect()
    }

    fn each_page(&self, shelf: &mut dyn Shelf, take: &mut TakePage<'_>) -> Result<(), ShelfError> {
        let ledger = &self.ledger;
        for (class, reader) in self.readers.iter().enumerate() {
            shelf.each(reader.shelf_class, &mut |page| {
                let own = ledger.page_at(page.url.as_str());
                let is_own =
                    own.is_some_and(|(at, own)| at == class && ledger.addresses.text(own) == page.url.as_str());
                if !is_own {
                    return Ok(());
                }
                let mut page = page.clone();
                page.page_class = class;
                each_address(&mut page.record, &reader.address_keys, &mut |text| {
                    if let Some((_, own)) = ledger.page_at(text)
                        && ledger.addresses.text(own) != text
                    {
                        *text = ledger.addresses.text(own).to_owned();
                    }
                });
                take(&page)
            })?;
        }
        Ok(())
    }

    fn relate(&self, survey: Survey) -> Database {
        let mut addresses = Addresses::default();
        for (address, fate) in self.ledger.fates() {
            if let Fate::Read(class) = fate {
                addresses.add(self.ledger.addresses.text(address), class as usize);
            }
        }
        relate(survey, &addresses)
    }
}

/// What is known of a class before its values are looked at.
fn class_facts(reader: &ClassReader) -> ClassFacts {
    ClassFacts {
        name: reader.name.clone(),
        kind: match (reader.pages.len(), reader.kind) {
            (0 | 1, site::model::ClassKind::Menu) => ClassKind::Menu,
            (0 | 1, _) => ClassKind::Singleton,
            // Pages about teams list players, too: what a page is for, its values tell better.
            _ => ClassKind::Detail,
        },
        columns: match &reader.means {
            Means::Template(matcher) => facts_of(matcher.template()),
            Means::Lists => reader
                .list_fields
                .iter()
                .map(|field| FieldFacts {
                    list_path: vec![field.list.clone()],
                    key: field.key.clone(),
                    label: field.label.clone(),
                    attribute: field.is_address.then(|| "href".to_owned()),
                    is_optional: true,
                    ..FieldFacts::default()
                })
                .collect(),
        },
    }
}
