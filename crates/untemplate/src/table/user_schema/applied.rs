//! A user's schema on a database: names, types, what is dropped, what becomes one.

use super::super::names::Taken;
use super::super::schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
use super::matching::{match_columns, match_tables};
use super::{UserColumn, UserSchema, UserTable};

/// The tables of a job under a user's schema.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AppliedSchema {
    /// The tables as rows are read for them: all of them, with the types that were asked for.
    pub read: Database,
    /// The tables as they are written.
    pub database: Database,
    /// For each table that is read, the number of the schema's table that speaks of it.
    pub tables: Vec<Option<usize>>,
    /// For each column of each, the number of the column there.
    pub columns: Vec<Vec<Option<usize>>>,
    /// What applies to nothing any more, for a person.
    pub unapplied: Vec<String>,
    /// For each table that is read, where its rows go.
    places: Vec<Option<RowTarget>>,
}

/// Where the rows of a table go.
#[derive(Debug, Clone, PartialEq, Default)]
struct RowTarget {
    /// The table that is written.
    table: usize,
    /// For each of its columns, those that are read: the first with a value counts.
    sources: Vec<Vec<usize>>,
}

impl AppliedSchema {
    /// The row that a row as read becomes, and its table; `None` for those of tables that are
    /// dropped.
    pub fn row(&self, table: usize, row: &[Option<String>]) -> Option<(usize, Vec<Option<String>>)> {
        let place = self.places.get(table)?.as_ref()?;
        let cell = |sources: &Vec<usize>| sources.iter().find_map(|&source| row.get(source)?.clone());
        Some((place.table, place.sources.iter().map(cell).collect()))
    }
}

/// Applies a schema; `classes` are the names of page classes, by their numbers.
pub fn apply_schema(database: Database, classes: &[String], schema: &UserSchema) -> AppliedSchema {
    let tables = match_tables(&database.tables, classes, &schema.tables);
    let columns = database.tables.iter().zip(&tables).map(|(table, number)| {
        let wanted = number.map_or(&[][..], |number| &schema.tables[number].columns[..]);
        match_columns(&table.columns, wanted)
    });
    let columns: Vec<Vec<Option<usize>>> = columns.collect();
    let mut applied = AppliedSchema {
        places: vec![None; database.tables.len()],
        read: database,
        tables,
        columns,
        ..AppliedSchema::default()
    };
    applied.name_missing(schema);
    applied.retype(schema);
    applied.place_tables(schema);
    applied.merge_tables(schema);
    applied.refer(schema);
    applied
}

impl AppliedSchema {
    fn user_table<'a>(&self, schema: &'a UserSchema, table: usize) -> Option<&'a UserTable> {
        self.tables[table].map(|number| &schema.tables[number])
    }

    fn user_column<'a>(&self, schema: &'a UserSchema, table: usize, column: usize) -> Option<&'a UserColumn> {
        let user = self.user_table(schema, table)?;
        self.columns[table][column].map(|number| &user.columns[number])
    }

    /// Names what the schema speaks of and the pages no longer have.
    fn name_missing(&mut self, schema: &UserSchema) {
        for (number, user) in schema.tables.iter().enumerate() {
            let Some(table) = self.tables.iter().position(|&matched| matched == Some(number)) else {
                let what = format!(
                    "table {} of pages of class {}: there is none now",
                    user.name, user.class
                );
                self.unapplied.push(what);
                continue;
            };
            for (place, column) in user.columns.iter().enumerate() {
                if !self.columns[table].contains(&Some(place)) {
                    let what = format!("column {}.{}: the pages have no such field now", user.name, column.name);
                    self.unapplied.push(what);
                }
            }
        }
    }

    /// Lets columns be read as the types that were asked for.
    fn retype(&mut self, schema: &UserSchema) {
        for table in 0..self.read.tables.len() {
            for place in 0..self.read.tables[table].columns.len() {
                let Some(user) = self.user_column(schema, table, place).cloned() else {
                    continue;
                };
                let column = &mut self.read.tables[table].columns[place];
                let Some(kind) = user.kind.filter(|&kind| kind != column.kind) else {
                    continue;
                };
                if matches!(column.source, ColumnSource::Field(_)) {
                    column.kind = kind;
                    column.unit = column.unit.take().filter(|_| is_number(kind));
                    column.is_nullable |= kind != ColumnKind::Text;
                } else {
                    let what = format!("type of {}: it is no value of the page, and keeps its own", user.name);
                    self.unapplied.push(what);
                }
            }
        }
    }

    /// Makes the tables that are written, each by itself.
    fn place_tables(&mut self, schema: &UserSchema) {
        let mut taken = Taken::default();
        for table in 0..self.read.tables.len() {
            let user = self.user_table(schema, table);
            if user.is_some_and(|user| user.is_dropped) {
                continue;
            }
            let (columns, sources) = self.place_columns(schema, table);
            let own = &self.read.tables[table];
            let wanted = user.map_or(own.name.as_str(), |user| user.name.as_str());
            let written = Table {
                name: taken.unique(wanted),
                columns,
                key: places_of(&own.key, &sources).unwrap_or_default(),
                foreign_keys: Vec::new(),
                ..own.clone()
            };
            let place = RowTarget {
                table: self.database.tables.len(),
                sources,
            };
            self.places[table] = Some(place);
            self.database.tables.push(written);
        }
    }

    /// The columns of a table that are written, and which ones fill each: in the order of the
    /// schema, then those that it does not know.
    fn place_columns(&mut self, schema: &UserSchema, table: usize) -> (Vec<Column>, Vec<Vec<usize>>) {
        let n_columns = self.read.tables[table].columns.len();
        let mut order: Vec<usize> = (0..n_columns).collect();
        order.sort_by_key(|&place| (self.columns[table][place].unwrap_or(usize::MAX), place));
        let name = |place: usize| match self.user_column(schema, table, place) {
            Some(user) => user.name.clone(),
            None => self.read.tables[table].columns[place].name.clone(),
        };
        let names: Vec<String> = (0..n_columns).map(name).collect();
        let user_name = self.read.tables[table].name.clone();
        let (mut columns, mut sources, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        let mut merged = vec![false; n_columns];
        let mut fills: Vec<Vec<usize>> = vec![Vec::new(); n_columns];
        for &place in &order {
            let Some(user) = self.user_column(schema, table, place) else {
                continue;
            };
            for other in &user.merge {
                match names
                    .iter()
                    .position(|name| name == other)
                    .filter(|&index| index != place)
                {
                    Some(index) if is_field(&self.read.tables[table].columns[index]) => {
                        merged[index] = true;
                        fills[place].push(index);
                    }
                    _ => missing.push(format!(
                        "merge of {other} into {user_name}.{}: there is no such column",
                        user.name
                    )),
                }
            }
        }
        let mut taken = Taken::default();
        for place in order {
            let column = &self.read.tables[table].columns[place];
            let is_dropped = self
                .user_column(schema, table, place)
                .is_some_and(|user| user.is_dropped);
            if is_dropped && !is_part_of_key(column) || merged[place] {
                continue;
            }
            if is_dropped {
                missing.push(format!(
                    "drop of {user_name}.{}: rows are told apart by it",
                    names[place]
                ));
            }
            let mut written = column.clone();
            written.name = taken.unique(&names[place]);
            columns.push(written);
            sources.push(std::iter::once(place).chain(fills[place].iter().copied()).collect());
        }
        self.unapplied.extend(missing);
        (columns, sources)
    }

    /// Lets tables take in the rows of others.
    fn merge_tables(&mut self, schema: &UserSchema) {
        for table in 0..self.read.tables.len() {
            let Some(user) = self.user_table(schema, table) else {
                continue;
            };
            let Some(own) = self.places[table].as_ref().map(|place| place.table) else {
                continue;
            };
            for other in &user.merge {
                let found = (0..self.places.len()).find(|&index| {
                    let place = self.places[index].as_ref();
                    index != table && place.is_some_and(|place| self.database.tables[place.table].name == *other)
                });
                match found {
                    Some(found) if self.is_of_one_shape(table, found) => self.take_in(own, found),
                    Some(_) => {
                        let what = format!(
                            "merge of {other} into {}: one is a list in the other's place",
                            user.name
                        );
                        self.unapplied.push(what);
                    }
                    None => {
                        let what = format!("merge of {other} into {}: there is no such table", user.name);
                        self.unapplied.push(what);
                    }
                }
            }
        }
        self.forget_empty();
    }

    fn is_of_one_shape(&self, left: usize, right: usize) -> bool {
        self.read.tables[left].list_path.len() == self.read.tables[right].list_path.len()
    }

    /// Lets the rows of a table go to another: columns of one name are one, others are added.
    fn take_in(&mut self, into: usize, table: usize) {
        let Some(place) = self.places[table].clone() else {
            return;
        };
        let columns = std::mem::take(&mut self.database.tables[place.table].columns);
        let target = &mut self.database.tables[into];
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); target.columns.len()];
        for (column, from) in columns.into_iter().zip(place.sources) {
            let is_same = |own: &Column| own.name == column.name;
            match target.columns.iter().position(is_same) {
                Some(index) => sources[index] = from,
                None => {
                    target.columns.push(Column {
                        is_nullable: true,
                        ..column
                    });
                    sources.push(from);
                }
            }
        }
        for (column, from) in target.columns.iter_mut().zip(&sources) {
            column.is_nullable |= from.is_empty();
        }
        let n_columns = target.columns.len();
        for place in self.places.iter_mut().flatten().filter(|place| place.table == into) {
            place.sources.resize(n_columns, Vec::new());
        }
        self.places[table] = Some(RowTarget { table: into, sources });
    }

    /// Takes out tables whose rows went elsewhere.
    fn forget_empty(&mut self) {
        let numbers: Vec<usize> = (0..self.database.tables.len())
            .filter(|&index| !self.database.tables[index].columns.is_empty())
            .collect();
        let tables = std::mem::take(&mut self.database.tables);
        self.database.tables = tables.into_iter().filter(|table| !table.columns.is_empty()).collect();
        for place in self.places.iter_mut().flatten() {
            let number = numbers.iter().position(|&number| number == place.table);
            place.table = number.expect("rows go to tables with columns");
        }
    }

    /// Takes over the references whose columns are still there.
    fn refer(&mut self, schema: &UserSchema) {
        for table in 0..self.read.tables.len() {
            let Some(from) = self.places[table].clone() else {
                continue;
            };
            for reference in &self.read.tables[table].foreign_keys {
                let is_plain = reference.columns.len() == 1
                    && self
                        .user_column(schema, table, reference.columns[0])
                        .is_some_and(|user| user.is_plain);
                let Some(to) = self.places[reference.table].as_ref().filter(|_| !is_plain) else {
                    continue;
                };
                let columns = places_of(&reference.columns, &from.sources);
                let targets = places_of(&reference.to, &to.sources);
                if let (Some(columns), Some(targets)) = (columns, targets) {
                    let written = ForeignKey {
                        columns,
                        table: to.table,
                        to: targets,
                    };
                    let known = &mut self.database.tables[from.table].foreign_keys;
                    if !known.contains(&written) {
                        known.push(written);
                    }
                }
            }
        }
    }
}

fn is_number(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Integer | ColumnKind::Decimal)
}

fn is_field(column: &Column) -> bool {
    !is_part_of_key(column)
}

fn is_part_of_key(column: &Column) -> bool {
    matches!(column.source, ColumnSource::Address | ColumnSource::Position(_))
}

/// Where columns that are read are written, by themselves and not to fill another; `None` if one is
/// not.
fn places_of(columns: &[usize], sources: &[Vec<usize>]) -> Option<Vec<usize>> {
    let place = |column: &usize| sources.iter().position(|from| from[..] == [*column]);
    columns.iter().map(place).collect()
}
