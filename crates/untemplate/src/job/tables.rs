//! Tables of what was read: the record store seen class by class, what its records hold, and their
//! rows.
//!
//! In: [`Records`], such as a [`CrawlResult`], and their record store. Out: a [`Database`], then
//! its rows. Both passes see the records alike: those of other addresses of a page are left out,
//! and links lead to the address that a page's row is under, so that what was declared of
//! references holds on the rows.

use crate::page::Problem;
use crate::site;
use crate::table::{
    Addresses, AppliedSchema, ClassFacts, ClassKind, Database, FieldFacts, KeptField, LeftOut, ReadPage, RecordStore,
    RecordStoreError, Survey, UserSchema, apply_schema, infer_schema_keeping, rows_of,
};
use crate::wrapper::reading::FieldInfo;

use super::address_keys::{address_keys, each_address};
use super::class_reader::ClassReader;
use super::coverage::{ClassCoverage, class_coverage};
use super::keys::KeyCheck;
use super::ledger::Fate;
use super::options::CrawlResult;
use super::readings::each_content;

/// Takes what was read from a page.
pub type TakePage<'a> = dyn FnMut(&ReadPage) -> Result<(), RecordStoreError> + 'a;

/// What a job read: records in a record store, and how they become tables.
pub trait Records {
    /// What is known of each page class before its values are looked at.
    fn classes(&self) -> Vec<ClassFacts>;

    /// Shows every record once: classes in order, pages by address.
    fn each_page(&self, record_store: &mut dyn RecordStore, take: &mut TakePage<'_>) -> Result<(), RecordStoreError>;

    /// Decides the tables by what all records hold.
    fn infer_schema(&self, survey: Survey) -> Database;

    /// The same, without leaving out what somebody wants kept, and what was left out; nothing where
    /// nobody leaves anything out.
    fn infer_schema_keeping(&self, survey: Survey, _kept: &[KeptField]) -> (Database, Vec<LeftOut>) {
        (self.infer_schema(survey), Vec::new())
    }

    /// How much of what the pages of each class say is in the columns of these tables; nothing
    /// where nobody counted.
    fn coverage(&self, _database: &Database) -> Vec<ClassCoverage> {
        Vec::new()
    }

    /// The columns whose cells may hold several values, one a line: the number of the table, and of
    /// the column in it.
    fn list_columns(&self, _database: &Database) -> Vec<(usize, usize)> {
        Vec::new()
    }
}

/// Decides the tables of what was read; what is declared of keys holds on every row.
pub fn infer_tables(records: &dyn Records, record_store: &mut dyn RecordStore) -> Result<Database, RecordStoreError> {
    Ok(infer_tables_keeping(records, record_store, &[])?.0)
}

/// The same, with what somebody wants kept, and what was left out all the same.
pub fn infer_tables_keeping(
    records: &dyn Records,
    record_store: &mut dyn RecordStore,
    kept: &[KeptField],
) -> Result<(Database, Vec<LeftOut>), RecordStoreError> {
    let mut survey = Survey::new(&records.classes());
    records.each_page(record_store, &mut |page| {
        survey.add(page);
        Ok(())
    })?;
    let (mut database, left_out) = records.infer_schema_keeping(survey, kept);
    let mut check = KeyCheck::new(&database);
    fill_tables(records, record_store, &database, &mut |table, row| {
        check.add(table, row);
        Ok(())
    })?;
    check.settle(&mut database);
    Ok((database, left_out))
}

/// Applies a schema to tables; what is declared of keys then holds on every row that is written.
pub fn apply_to_tables(
    records: &dyn Records,
    record_store: &mut dyn RecordStore,
    database: Database,
    schema: &UserSchema,
) -> Result<AppliedSchema, RecordStoreError> {
    let classes: Vec<String> = records.classes().into_iter().map(|class| class.name).collect();
    let mut applied = apply_schema(database, &classes, schema);
    if schema.is_names() {
        return Ok(applied);
    }
    let mut check = KeyCheck::new(&applied.database);
    fill_tables(records, record_store, &applied.read, &mut |table, row| {
        if let Some((table, row)) = applied.row(table, row) {
            check.add(table, &row);
        }
        Ok(())
    })?;
    check.settle(&mut applied.database);
    Ok(applied)
}

/// Takes a row: the number of its table, and a value or nothing for each column.
pub type PutRow<'a> = dyn FnMut(usize, &[Option<String>]) -> Result<(), RecordStoreError> + 'a;

/// Hands out the rows of all tables, class by class and by address; what could not be read as its
/// column's kind is returned, up to a limit.
pub fn fill_tables(
    records: &dyn Records,
    record_store: &mut dyn RecordStore,
    database: &Database,
    put: &mut PutRow<'_>,
) -> Result<Vec<Problem>, RecordStoreError> {
    let mut all = Vec::new();
    records.each_page(record_store, &mut |page| {
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

impl Records for CrawlResult {
    fn classes(&self) -> Vec<ClassFacts> {
        self.readers.iter().map(class_facts).collect()
    }

    fn each_page(&self, record_store: &mut dyn RecordStore, take: &mut TakePage<'_>) -> Result<(), RecordStoreError> {
        let ledger = &self.ledger;
        for (class, reader) in self.readers.iter().enumerate() {
            let Some(reading) = &reader.reading else { continue };
            let keys = address_keys(reading);
            each_content(ledger, class, reader, record_store, &mut |url, content| {
                let mut page = ReadPage {
                    page_class: class,
                    url: url.clone(),
                    record: reading.read(content),
                };
                each_address(&mut page.record, &keys, &mut |text| {
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

    fn infer_schema(&self, survey: Survey) -> Database {
        self.infer_schema_keeping(survey, &[]).0
    }

    fn infer_schema_keeping(&self, survey: Survey, kept: &[KeptField]) -> (Database, Vec<LeftOut>) {
        let mut addresses = Addresses::default();
        for (address, fate) in self.ledger.fates() {
            if let Fate::Read(class) = fate {
                addresses.add(self.ledger.addresses.text(address), class as usize);
            }
        }
        infer_schema_keeping(survey, &addresses, kept)
    }

    fn coverage(&self, database: &Database) -> Vec<ClassCoverage> {
        class_coverage(self, database)
    }
}

/// What is known of a class before its values are looked at.
fn class_facts(reader: &ClassReader) -> ClassFacts {
    let fields = reader.reading.iter().flat_map(|reading| &reading.schema.fields);
    ClassFacts {
        name: reader.name.clone(),
        kind: match (reader.pages.len(), reader.kind) {
            (0 | 1, site::model::ClassKind::Menu) => ClassKind::Menu,
            (0 | 1, _) => ClassKind::Singleton,
            // Pages about teams list players, too: what a page is for, its values tell better.
            _ => ClassKind::Detail,
        },
        columns: fields.map(field_facts).collect(),
    }
}

fn field_facts(field: &FieldInfo) -> FieldFacts {
    FieldFacts {
        list_path: field.list_path.iter().map(|key| key.to_string()).collect(),
        key: field.key.to_string(),
        label: field.label.clone(),
        context: field.context.clone(),
        mark: field.mark.clone(),
        tag: field.tag.clone(),
        attribute: field.attribute.map(str::to_owned),
        link: field
            .beside
            .as_ref()
            .filter(|_| field.attribute.is_none())
            .map(|key| key.to_string()),
        is_heading: field.is_heading,
        is_prose: field.is_prose,
        is_list: field.is_list,
        is_reference: field.is_reference,
        kind: None,
    }
}
