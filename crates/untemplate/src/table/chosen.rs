//! Chosen fields: tables of fields that somebody named, as a specification and the columns of a
//! list do.
//!
//! In: a [`Survey`] whose class facts name every field. Out: a [`Database`] with a table for each
//! class that has fields, and one for each list of a class that has, called as the list is. Each
//! field has its column, under its own name and in its own place, with the kind that all of its
//! values bear out. Nothing is left out: whoever chose a field wants its column, even where it is
//! empty.

use super::addresses::Addresses;
use super::draft::Draft;
use super::facts::{ClassFacts, FieldFacts};
use super::names::Taken;
use super::reading::Reading;
use super::schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
use super::schema_inference::{column, needs_text, unit_ending};
use super::survey::{ColumnSurvey, Survey};

/// What the column of the page's address is called, unless a field is called so.
const PAGE: &str = "page";

/// What the column of a row's place in its list is called.
const POSITION: &str = "position";

/// Decides the tables of classes whose fields were chosen; a class without fields has none.
pub fn infer_chosen_schema(survey: Survey) -> Database {
    let draft = Draft::new(survey, &Addresses::default());
    let mut taken = Taken::default();
    let mut tables: Vec<Table> = Vec::new();
    for (index, class) in draft.survey.classes.iter().enumerate() {
        for list_path in list_paths(&class.facts) {
            let parent = tables
                .iter()
                .position(|table| table.page_class == index && table.list_path.is_empty());
            let parent = parent.filter(|_| !list_path.is_empty());
            let name = list_path.last().unwrap_or(&class.facts.name);
            tables.push(Table {
                name: taken.unique(name),
                page_class: index,
                columns: chosen_columns(&draft, index, &list_path),
                key: (0..=list_path.len()).collect(),
                foreign_keys: parent.map(to_page).into_iter().collect(),
                list_path,
            });
        }
    }
    Database { tables }
}

/// The lists of a class that have fields, each as the way to it; none leads to the page itself.
fn list_paths(facts: &ClassFacts) -> Vec<Vec<String>> {
    let mut paths: Vec<Vec<String>> = Vec::new();
    for field in &facts.columns {
        if !paths.contains(&field.list_path) {
            paths.push(field.list_path.clone());
        }
    }
    paths
}

/// The reference of a row to the page that lists it.
fn to_page(table: usize) -> ForeignKey {
    ForeignKey {
        columns: vec![0],
        table,
        to: vec![0],
    }
}

/// The address of the page, the place in the list, and the columns of each field.
fn chosen_columns(draft: &Draft, class: usize, list_path: &[String]) -> Vec<Column> {
    let fields = &draft.survey.classes[class].facts.columns;
    let fields: Vec<&FieldFacts> = fields.iter().filter(|field| field.list_path == list_path).collect();
    let mut taken = Taken::default();
    // Names that somebody chose come first; ours give way to them.
    let names: Vec<String> = fields.iter().map(|field| taken.unique(&field.key)).collect();
    let mut columns = vec![Column {
        is_nullable: false,
        ..column(&taken.unique(PAGE), ColumnSource::Address, ColumnKind::Url)
    }];
    columns.extend((0..list_path.len()).map(|depth| Column {
        is_nullable: false,
        ..column(
            &taken.unique(POSITION),
            ColumnSource::Position(depth),
            ColumnKind::Integer,
        )
    }));
    let levels = draft.survey.classes[class].levels.iter();
    let level = levels.enumerate().find(|(_, level)| level.list_path == list_path);
    let place = (class, level.map(|(index, _)| index));
    for (field, name) in fields.iter().zip(names) {
        push_field(draft, place, (&field.key, &name), &mut taken, &mut columns);
    }
    columns
}

/// The value of a field, its unit where rows have different ones, and its text where that says
/// more.
fn push_field(
    draft: &Draft,
    (class, level): (usize, Option<usize>),
    (key, name): (&str, &str),
    taken: &mut Taken,
    columns: &mut Vec<Column>,
) {
    let own = column(name, ColumnSource::Field(key.to_owned()), ColumnKind::Text);
    let is_it = |seen: &ColumnSurvey| seen.facts.key == key && !seen.is_length;
    let found = level.and_then(|level| Some((level, draft.level(class, level).columns.iter().position(is_it)?)));
    let Some((number, index)) = found else {
        columns.push(own);
        return;
    };
    let level = draft.level(class, number);
    let (seen, typing) = (
        &level.columns[index],
        &draft.levels[class][number].columns[index].typing,
    );
    let has_gaps = seen.evidence.n_filled < level.n_rows;
    let kind = seen.facts.kind.unwrap_or(typing.kind);
    columns.push(Column {
        kind,
        unit: typing.unit.clone().filter(|_| kind == typing.kind),
        is_nullable: has_gaps || kind != ColumnKind::Text,
        reading: Reading {
            marks: typing.marks,
            ..Reading::default()
        },
        ..own
    });
    if typing.has_units && kind == typing.kind {
        let name = taken.unique(&format!("{name}_{}", unit_ending(&seen.evidence)));
        let mut unit = column(&name, ColumnSource::Unit(key.to_owned()), ColumnKind::Enum);
        unit.reading.marks = typing.marks;
        columns.push(unit);
    }
    if needs_text(kind, typing.marks, seen) {
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
    use crate::table::{ReadPage, rows_of};
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
        let database = infer_chosen_schema(survey);
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
