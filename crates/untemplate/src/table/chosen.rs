//! Chosen fields: tables of fields that somebody named, as a specification and the columns of a
//! list do.
//!
//! In: a [`Survey`] whose class facts name every field. Out: a [`Database`] with a table for each
//! class that has fields. Each field has its column, under its own name and in its own place, with
//! the kind that all of its values bear out. Nothing is left out: whoever chose a field wants its
//! column, even where it is empty.

use super::addresses::Addresses;
use super::draft::Draft;
use super::names::Taken;
use super::reading::Reading;
use super::relate::{column, needs_text, unit_ending};
use super::schema::{Column, ColumnKind, ColumnSource, Database, Table};
use super::survey::Survey;

/// What the column of the page's address is called, unless a field is called so.
const PAGE: &str = "page";

/// Decides the tables of classes whose fields were chosen; a class without fields has none.
pub fn relate_chosen(survey: Survey) -> Database {
    let draft = Draft::new(survey, &Addresses::default());
    let mut taken = Taken::default();
    let classes = draft.survey.classes.iter().enumerate();
    let tables = classes
        .filter(|(_, class)| !class.facts.columns.is_empty())
        .map(|(index, class)| Table {
            name: taken.unique(&class.facts.name),
            page_class: index,
            list_path: Vec::new(),
            columns: chosen_columns(&draft, index),
            key: vec![0],
            foreign_keys: Vec::new(),
        });
    Database {
        tables: tables.collect(),
    }
}

/// The address of the page, and the columns of each field.
fn chosen_columns(draft: &Draft, class: usize) -> Vec<Column> {
    let fields = &draft.survey.classes[class].facts.columns;
    let mut taken = Taken::default();
    // Names that somebody chose come first; ours give way to them.
    let names: Vec<String> = fields.iter().map(|field| taken.unique(&field.key)).collect();
    let mut columns = vec![Column {
        is_nullable: false,
        ..column(&taken.unique(PAGE), ColumnSource::Address, ColumnKind::Url)
    }];
    for (field, name) in fields.iter().zip(names) {
        push_field(draft, class, (&field.key, &name), &mut taken, &mut columns);
    }
    columns
}

/// The value of a field, its unit where rows have different ones, and its text where that says
/// more.
fn push_field(draft: &Draft, class: usize, (key, name): (&str, &str), taken: &mut Taken, columns: &mut Vec<Column>) {
    let level = draft.level(class, 0);
    let own = column(name, ColumnSource::Field(key.to_owned()), ColumnKind::Text);
    let Some(index) = level.columns.iter().position(|seen| seen.facts.key == key) else {
        columns.push(own);
        return;
    };
    let (seen, typing) = (&level.columns[index], &draft.levels[class][0].columns[index].typing);
    let has_gaps = seen.evidence.n_filled < level.n_rows;
    columns.push(Column {
        kind: typing.kind,
        unit: typing.unit.clone(),
        is_nullable: has_gaps || typing.kind != ColumnKind::Text,
        reading: Reading {
            marks: typing.marks,
            ..Reading::default()
        },
        ..own
    });
    if typing.has_units {
        let name = taken.unique(&format!("{name}_{}", unit_ending(&seen.evidence)));
        let mut unit = column(&name, ColumnSource::Unit(key.to_owned()), ColumnKind::Enum);
        unit.reading.marks = typing.marks;
        columns.push(unit);
    }
    if needs_text(typing.kind, typing.marks, seen) {
        let name = taken.unique(&format!("{name}_text"));
        columns.push(Column {
            is_nullable: has_gaps,
            ..column(&name, ColumnSource::Raw(key.to_owned()), ColumnKind::Text)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ClassFacts, FieldFacts, ReadPage, rows_of};
    use crate::wrapper::{Record, Value};
    use expect_test::{Expect, expect};

    /// The columns and rows of a class with these fields, whose records have these values; an empty
    /// value is missing.
    fn check(fields: &[&str], records: &[&[&str]], expected: Expect) {
        let page = |values: &&[&str]| ReadPage {
            page_class: 0,
            url: "http://a.example/1".parse().expect("a good address"),
            record: Record {
                values: fields
                    .iter()
                    .zip(*values)
                    .filter(|(_, value)| !value.is_empty())
                    .map(|(&key, &value)| (key.into(), Value::Text(value.to_owned())))
                    .collect(),
            },
        };
        let pages: Vec<ReadPage> = records.iter().map(page).collect();
        let field = |key: &&str| FieldFacts {
            key: (*key).to_owned(),
            ..FieldFacts::default()
        };
        let mut survey = Survey::new(&[ClassFacts {
            name: "ITEM".to_owned(),
            columns: fields.iter().map(field).collect(),
            ..ClassFacts::default()
        }]);
        pages.iter().for_each(|page| survey.add(page));
        let database = relate_chosen(survey);
        let table = &database.tables[0];
        let mut text = format!("{}:", table.name);
        for column in &table.columns {
            text.push_str(&format!(" {} {:?}", column.name, column.kind));
        }
        for page in &pages {
            rows_of(&database, page, &mut |_, row| {
                let cells: Vec<&str> = row[1..].iter().map(|cell| cell.as_deref().unwrap_or("")).collect();
                text.push_str(&format!("\n{}", cells.join(" | ")));
            });
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn chosen_fields_keep_their_names_and_order_and_get_kinds() {
        check(
            &["Price", "born", "Name"],
            &[&["$ 1,200", "4 April 2010", "Ada"], &["$ 900", "", "Bo"]],
            expect![[r#"
                ITEM: page Url Price Integer Price_text Text born Date born_text Text Name Text
                1200 | $ 1,200 | 2010-04-04 | 4 April 2010 | Ada
                900 | $ 900 |  |  | Bo"#]],
        );
    }

    #[test]
    fn what_says_nothing_has_its_column_too() {
        check(
            &["page", "same", "none"],
            &[&["1", "x", ""], &["2", "x", ""], &["3", "x", ""]],
            expect![[r#"
                ITEM: page_2 Url page Integer same Text none Text
                1 | x | 
                2 | x | 
                3 | x | "#]],
        );
    }
}
