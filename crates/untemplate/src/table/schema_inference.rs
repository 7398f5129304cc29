//! Relating: from what the columns of a site hold to its tables.
//!
//! In: a [`Survey`], and where addresses lead. Out: a [`Database`]. Junk and repetitions are left
//! out, what is left becomes one table for each page class and one for each list in it, and links
//! to pages of other classes become references. Nothing is declared that the values do not bear
//! out.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::addresses::Addresses;
use super::draft::Draft;
use super::evidence::Evidence;
use super::excerpts::leave_out_excerpts;
use super::names::{Taken, field_names, kind_name, link_name, site_names};
use super::noise::{is_rare, leave_out_noise};
use super::number::currency;
use super::reading::{Marks, Reading, value_hash};
use super::redundant_lists::leave_out_redundant_lists;
use super::reference::{find_named, is_name, leads_by_pages};
use super::repeated_tables::{leave_out_bars, leave_out_doubles};
use super::schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
use super::survey::{Level, Survey};
use super::table_names::{class_name, table_names};
use super::user_schema::KeptField;

/// Something that became no table or no column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of its page class.
    pub page_class: usize,
    /// The keys of the lists that lead to it.
    pub list_path: Vec<String>,
    /// The key of the field; `None` for all of the list, or of the page.
    pub key: Option<String>,
    /// Why.
    pub why: &'static str,
}

/// Decides the tables of a site.
pub fn infer_schema(survey: Survey, addresses: &Addresses) -> Database {
    infer_schema_and_explain(survey, addresses).0
}

/// Decides the tables of a site, and says what was left out, and why.
pub fn infer_schema_and_explain(survey: Survey, addresses: &Addresses) -> (Database, Vec<LeftOut>) {
    infer_schema_keeping(survey, addresses, &[])
}

/// The same, without leaving out what somebody wants kept.
pub fn infer_schema_keeping(survey: Survey, addresses: &Addresses, kept: &[KeptField]) -> (Database, Vec<LeftOut>) {
    let mut draft = Draft::new(survey, addresses);
    leave_out_noise(&mut draft);
    find_named(&mut draft);
    leave_out_redundant_lists(&mut draft);
    leave_out_bars(&mut draft);
    leave_out_doubles(&mut draft);
    leave_out_excerpts(&mut draft);
    kept.iter().for_each(|kept| draft.keep(kept));
    let mut building = Building {
        site_names: site_names(&draft),
        ..Building::default()
    };
    building.names = table_names(&draft, &building.site_names);
    for class in 0..draft.levels.len() {
        for level in 0..draft.levels[class].len() {
            if draft.levels[class][level].left_out.is_none() && draft.level(class, level).n_rows > 0 {
                building.add_table(&draft, class, level);
            }
        }
    }
    building.refer(&draft);
    (building.database, left_out(&draft))
}

/// What was left out.
fn left_out(draft: &Draft) -> Vec<LeftOut> {
    let mut all = Vec::new();
    for (page_class, levels) in draft.levels.iter().enumerate() {
        for (index, level) in levels.iter().enumerate() {
            let seen = draft.level(page_class, index);
            let mut add = |key: Option<String>, why: Option<&'static str>| {
                all.extend(why.map(|why| LeftOut {
                    page_class,
                    list_path: seen.list_path.clone(),
                    key,
                    why,
                }));
            };
            add(None, level.left_out);
            for (column, drafted) in seen.columns.iter().zip(&level.columns) {
                add(Some(column.facts.key.clone()), drafted.left_out);
            }
        }
    }
    all
}

/// Tables in the making.
#[derive(Debug, Default)]
pub(super) struct Building {
    pub database: Database,
    /// The number of the table of each class and level.
    pub tables: BTreeMap<(usize, usize), usize>,
    /// For each table, the surveyed column of each of its columns that has one.
    pub fields: Vec<Vec<Option<usize>>>,
    /// The names of tables, by class and level.
    names: HashMap<(usize, usize), String>,
    /// Names of the site, which name no column.
    site_names: HashSet<String>,
    /// References to pages of a class: table, column, class.
    references: Vec<(usize, usize, usize)>,
}

impl Building {
    fn add_table(&mut self, draft: &Draft, class: usize, level: usize) {
        let index = self.database.tables.len();
        let seen = draft.level(class, level);
        let mut columns = Columns::default();
        columns.add(
            Column {
                is_nullable: false,
                ..column("url", ColumnSource::Address, ColumnKind::Url)
            },
            None,
        );
        for depth in 0..seen.list_path.len() {
            let source = ColumnSource::Position(depth);
            columns.add(
                Column {
                    is_nullable: false,
                    ..column("position", source, ColumnKind::Integer)
                },
                None,
            );
        }
        let mut order: Vec<usize> = (0..seen.columns.len()).collect();
        order.sort_by_key(|&field| (seen.columns[field].order, field));
        columns.names = field_names(draft, class, level, &self.site_names);
        let n_references = self.references.len();
        for field in by_claim(seen, &order) {
            self.add_fields(draft, (class, level, field), index, &mut columns);
        }
        let places = columns.sort(&order);
        for (_, column, _) in &mut self.references[n_references..] {
            *column = places[*column];
        }
        self.database.tables.push(Table {
            name: self.names[&(class, level)].clone(),
            page_class: class,
            list_path: seen.list_path.clone(),
            key: (0..=seen.list_path.len()).collect(),
            columns: columns.columns,
            foreign_keys: Vec::new(),
        });
        self.tables.insert((class, level), index);
        self.fields.push(columns.fields);
    }

    /// The columns of a field: its value, or one for each class that it leads to; its unit; its
    /// text.
    fn add_fields(
        &mut self,
        draft: &Draft,
        (class, level, field): (usize, usize, usize),
        table: usize,
        columns: &mut Columns,
    ) {
        let drafted = &draft.levels[class][level].columns[field];
        let seen = draft.seen(class, level, field);
        if !drafted.is_kept() {
            return;
        }
        let key = seen.facts.key.clone();
        if drafted.is_link() {
            self.add_links(draft, (class, level, field), table, columns);
            return;
        }
        let name = value_name(draft, (class, level, field), columns.names.get(&field).cloned());
        let n_rows = draft.level(class, level).n_rows;
        let mut own = Column {
            unit: drafted.typing.unit.clone(),
            is_nullable: seen.evidence.n_filled < n_rows || drafted.typing.kind != ColumnKind::Text,
            reading: drafted.reading.clone(),
            ..column(&name, ColumnSource::Field(key.clone()), drafted.typing.kind)
        };
        if drafted.named.is_some() {
            // What stands for nothing names nothing.
            own.reading.left_out = seen.evidence.placeholders.iter().map(|text| value_hash(text)).collect();
        }
        let name = columns.add(own, Some(field));
        add_companions(draft, (class, level, field), &name, columns);
    }

    /// The column of a field that leads to known pages, and a second one for addresses that lead
    /// elsewhere, where nearly all lead to one class.
    fn add_links(
        &mut self,
        draft: &Draft,
        (class, level, field): (usize, usize, usize),
        table: usize,
        columns: &mut Columns,
    ) {
        let seen = draft.seen(class, level, field);
        let told = columns.names.get(&field).cloned();
        let drafted = &draft.levels[class][level].columns[field];
        let &(target, n_target) = &drafted.targets[0];
        let n_known = seen.evidence.distinct.len();
        // Where addresses lead to several classes alike, no one of them is what the column refers
        // to.
        let most = n_target * 5 >= n_known * 4;
        let is_reference = seen.evidence.is_counted()
            && (most || n_target * 2 >= n_known && leads_by_pages(draft, (class, level, field), target));
        // A list on pages of one class that leads to others of it says what these are to the page;
        // that they are of the class says the page itself.
        let is_of_own = level > 0 && target == class;
        let target_name = (is_reference && !is_of_own).then(|| class_name(draft, target));
        let name = link_name(&seen.facts, told.as_deref(), target_name.as_deref(), false);
        let mut own = column(&name, ColumnSource::Field(seen.facts.key.clone()), ColumnKind::Url);
        own.reading.header.clone_from(&drafted.reading.header);
        let n_rows = draft.level(class, level).n_rows;
        own.is_nullable = seen.evidence.n_filled < n_rows;
        if is_reference {
            let leads_there = |hash: &u64| draft.survey.addresses.class_of_hash(*hash) == Some(target);
            let (there, elsewhere): (Vec<u64>, Vec<u64>) =
                seen.evidence.distinct.iter().copied().partition(leads_there);
            own.is_nullable |= !elsewhere.is_empty();
            own.reading.left_out = elsewhere.iter().copied().collect();
            self.references.push((table, columns.columns.len(), target));
            let mut other = Column {
                name: format!("other_{name}"),
                is_nullable: true,
                ..own.clone()
            };
            other.reading.left_out = there.into_iter().collect();
            columns.add(own, Some(field));
            // As of other columns, what hardly any row has is none of its own.
            if !is_rare(elsewhere.len(), n_known) {
                columns.add(other, Some(field));
            }
            return;
        }
        columns.add(own, Some(field));
    }

    /// Declares the references: of lists to what holds them, of links to the pages they lead to, of
    /// names to what they name.
    fn refer(&mut self, draft: &Draft) {
        for (&(class, level), &table) in &self.tables {
            let mut parent = draft.level(class, level).parent;
            while let Some(above) = parent {
                if let Some(&to) = self.tables.get(&(class, above)) {
                    let key = self.database.tables[to].key.clone();
                    let reference = ForeignKey {
                        columns: key.clone(),
                        table: to,
                        to: key,
                    };
                    self.database.tables[table].foreign_keys.push(reference);
                    break;
                }
                parent = draft.level(class, above).parent;
            }
        }
        for &(table, column, target) in &self.references {
            if let Some(&to) = self.tables.get(&(target, 0)) {
                let reference = ForeignKey {
                    columns: vec![column],
                    table: to,
                    to: vec![0],
                };
                self.database.tables[table].foreign_keys.push(reference);
            }
        }
        let mut named = Vec::new();
        for (&(class, level), &table) in &self.tables {
            for (column, &field) in self.fields[table].iter().enumerate() {
                let is_value = matches!(
                    self.database.tables[table].columns[column].source,
                    ColumnSource::Field(_)
                );
                if let Some((target, name)) = field
                    .filter(|_| is_value)
                    .and_then(|field| draft.levels[class][level].columns[field].named)
                    && let Some(&to) = self.tables.get(&(target, 0))
                    && let Some(to_column) = self.fields[to].iter().position(|field| *field == Some(name))
                {
                    named.push((
                        table,
                        ForeignKey {
                            columns: vec![column],
                            table: to,
                            to: vec![to_column],
                        },
                    ));
                }
            }
        }
        for (table, reference) in named {
            self.database.tables[table].foreign_keys.push(reference);
        }
    }
}

/// The fields of a level in the order in which they choose their names: those with a label as they
/// stand on the page, then headings by how many rows have them, and texts by how much they say. Of
/// several texts without a name, the longest is `text`.
fn by_claim(seen: &Level, order: &[usize]) -> Vec<usize> {
    let mut fields = order.to_vec();
    fields.sort_by_key(|&field| {
        let column = &seen.columns[field];
        let evidence = &column.evidence;
        let says = match (column.facts.label.is_empty(), column.facts.is_heading) {
            (false, _) => usize::MAX,
            (true, true) => evidence.n_filled,
            (true, false) => evidence.n_characters,
        };
        std::cmp::Reverse(says)
    });
    fields
}

/// What the column of a field is called, by the name it tells or by what it is.
fn value_name(draft: &Draft, (class, level, field): (usize, usize, usize), told: Option<String>) -> String {
    let drafted = &draft.levels[class][level].columns[field];
    let seen = draft.seen(class, level, field);
    let is_named_by_row = level == 0 && is_name(&seen.evidence, draft.level(class, level).n_rows);
    match (drafted.typing.kind, told) {
        (ColumnKind::Url, told) => link_name(&seen.facts, told.as_deref(), None, false),
        // What a thing is called after its kind is its name.
        (_, None) if seen.facts.is_heading => "name".to_owned(),
        (_, None) if seen.facts.is_prose => "text".to_owned(),
        (_, Some(told)) => told,
        (_, None) => kind_name(&seen.facts, &drafted.typing, is_named_by_row),
    }
}

/// Adds the unit and the text of a field, where they are needed.
fn add_companions(draft: &Draft, (class, level, field): (usize, usize, usize), name: &str, columns: &mut Columns) {
    let typing = &draft.levels[class][level].columns[field].typing;
    let seen = draft.seen(class, level, field);
    if typing.has_units {
        let end = unit_ending(&seen.evidence);
        let source = ColumnSource::Unit(seen.facts.key.clone());
        let mut unit = column(&format!("{name}_{end}"), source, ColumnKind::Enum);
        unit.reading.marks = typing.marks;
        columns.add(unit, Some(field));
    }
    if needs_text(typing.kind, typing.marks, seen) {
        let source = ColumnSource::Raw(seen.facts.key.clone());
        let mut raw = column(&format!("{name}_text"), source, ColumnKind::Text);
        raw.is_nullable = seen.evidence.n_filled < draft.level(class, level).n_rows;
        columns.add(raw, Some(field));
    }
}

/// What the name of the column with a field's units ends in.
pub(super) fn unit_ending(evidence: &Evidence) -> &'static str {
    let mut units = evidence.units.keys();
    match units.all(|unit| unit.is_empty() || currency(unit).is_some()) {
        true => "currency",
        false => "unit",
    }
}

/// The columns of a table in the making.
#[derive(Debug, Default)]
struct Columns {
    columns: Vec<Column>,
    fields: Vec<Option<usize>>,
    taken: Taken,
    /// The names that fields tell.
    names: HashMap<usize, String>,
}

impl Columns {
    /// Puts the columns of fields in the order of these fields, behind those of no field; returns
    /// where each column went.
    fn sort(&mut self, order: &[usize]) -> Vec<usize> {
        let rank = |field: &Option<usize>| field.map(|field| order.iter().position(|&own| own == field));
        let mut from: Vec<usize> = (0..self.columns.len()).collect();
        from.sort_by_key(|&column| rank(&self.fields[column]));
        let columns: Vec<Column> = from.iter().map(|&column| self.columns[column].clone()).collect();
        self.columns = columns;
        self.fields = from.iter().map(|&column| self.fields[column]).collect();
        let mut places = vec![0; from.len()];
        for (place, column) in from.into_iter().enumerate() {
            places[column] = place;
        }
        places
    }

    /// Adds a column, and returns the name that it got.
    fn add(&mut self, mut column: Column, field: Option<usize>) -> String {
        column.name = self.taken.unique(&column.name);
        let name = column.name.clone();
        self.columns.push(column);
        self.fields.push(field);
        name
    }
}

pub(super) fn column(name: &str, source: ColumnSource, kind: ColumnKind) -> Column {
    Column {
        name: name.to_owned(),
        source,
        kind,
        unit: None,
        is_nullable: true,
        reading: Reading::default(),
    }
}

/// Whether the texts of a column are kept beside its values, since some differ from them.
pub(super) fn needs_text(kind: ColumnKind, marks: Marks, seen: &super::survey::ColumnSurvey) -> bool {
    match kind {
        ColumnKind::Text | ColumnKind::Enum | ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone => false,
        _ => {
            // A database may write yes and no in its own way.
            kind == ColumnKind::Boolean
                || seen.evidence.n_verbatim < seen.evidence.n_filled
                || seen.evidence.n_placeholders > 0
                || marks == Marks::DecimalComma
        }
    }
}
