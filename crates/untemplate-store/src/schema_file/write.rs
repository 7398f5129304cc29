//! Writing `schema.toml`.

use std::fmt::Write;

use untemplate::table::{AppliedSchema, Column, LeftOut, Table, UserColumn, UserSchema};

use crate::table_file::metadata::{kind_word, source_words};

/// What a job found, for its schema file.
pub struct SchemaFacts<'a> {
    /// The tables, under the schema that was given.
    pub applied: &'a AppliedSchema,
    /// That schema.
    pub schema: &'a UserSchema,
    /// The names of page classes, by their numbers.
    pub classes: &'a [String],
    /// The rows of each table that is written.
    pub n_rows: &'a [usize],
    /// A few rows of each.
    pub samples: &'a [Vec<Vec<Option<String>>>],
    /// What became no table or no column.
    pub left_out: &'a [LeftOut],
}

const HEAD: &str = "\
# The tables of this run. Change what you like: the next run into this folder does as it says, and so does any with --schema FILE.
#
# name        what a table or column is called
# type        integer, decimal, boolean, date, datetime, time, url, email, phone, enum or text
# drop = true leaves a table or column out
# merge       names of columns whose values fill this one where it has none, or of tables whose rows this one takes in
# references  where a column leads; false takes the reference out
# keep = true takes in what was left out
#
# Columns are written in this order. `class` and `list` tell which table is meant, `source` and `key` which column: leave those.
";

/// The text of a schema file.
pub fn schema_text(facts: &SchemaFacts<'_>) -> String {
    let mut text = HEAD.to_owned();
    for table in 0..facts.applied.read.tables.len() {
        facts.write_table(&mut text, table);
    }
    facts.write_lists(&mut text);
    facts.write_unmatched(&mut text);
    text
}

impl SchemaFacts<'_> {
    fn class_of(&self, page_class: usize) -> &str {
        self.classes.get(page_class).map_or("", String::as_str)
    }

    fn write_table(&self, text: &mut String, index: usize) {
        let table = &self.applied.read.tables[index];
        let user = self.applied.tables[index].map(|number| &self.schema.tables[number]);
        let written = self.written(index);
        let class = self.class_of(table.page_class);
        let name = user.map_or(table.name.as_str(), |user| user.name.as_str());
        let n_rows = written.and_then(|number| self.n_rows.get(number));
        text.push_str("\n[[table]]");
        if let Some(n_rows) = n_rows {
            let _ = write!(text, " # {n_rows} {}", if *n_rows == 1 { "row" } else { "rows" });
        }
        let _ = write!(text, "\nname = {}\nclass = {}\n", quoted(name), quoted(class));
        if !table.list_path.is_empty() {
            let _ = writeln!(text, "list = {}", list(&table.list_path));
        }
        let is_kept = |kept: &untemplate::table::KeptField| {
            kept.key.is_none() && kept.class == class && kept.list_path == table.list_path
        };
        if self.schema.kept_lists.iter().any(is_kept) {
            text.push_str("keep = true\n");
        }
        write_choices(
            text,
            user.is_some_and(|user| user.is_dropped),
            user.map_or(&[][..], |user| &user.merge),
        );
        let mut order: Vec<usize> = (0..table.columns.len()).collect();
        order.sort_by_key(|&place| (self.applied.columns[index][place].unwrap_or(usize::MAX), place));
        for place in order {
            self.write_column(text, index, place);
        }
        if let Some(user) = user {
            let is_missing = |number: &usize| !self.applied.columns[index].contains(&Some(*number));
            let missing = (0..user.columns.len()).filter(is_missing);
            missing.for_each(|number| self.write_old_column(text, &user.columns[number]));
        }
        let is_of = |left: &&LeftOut| left.page_class == table.page_class && left.list_path == table.list_path;
        for left in self.left_out.iter().filter(is_of) {
            if let Some(key) = &left.key {
                let _ = write!(
                    text,
                    "\n[[table.left_out]]\nkey = {}\nwhy = {}\nkeep = false\n",
                    quoted(key),
                    quoted(left.why)
                );
            }
        }
    }

    /// The number of the table that is written for one that is read, where it is one of its own.
    fn written(&self, index: usize) -> Option<usize> {
        let cells = vec![None; self.applied.read.tables[index].columns.len()];
        self.applied.row(index, &cells).map(|(table, _)| table)
    }

    fn write_column(&self, text: &mut String, index: usize, place: usize) {
        let table = &self.applied.read.tables[index];
        let column = &table.columns[place];
        let user_table = self.applied.tables[index].map(|number| &self.schema.tables[number]);
        let number = self.applied.columns[index][place];
        let user = user_table.zip(number).map(|(table, number)| &table.columns[number]);
        let name = user.map_or(column.name.as_str(), |user| user.name.as_str());
        let (source, key) = source_words(&self.applied.read, &column.source);
        let _ = write!(text, "\n[[table.column]]\nname = {}", quoted(name));
        if let Some(example) = self.example(index, column) {
            let _ = write!(text, " # such as {}", quoted(&example));
        }
        let _ = write!(text, "\nsource = {}\n", quoted(source));
        if let Some(key) = &key {
            let _ = writeln!(text, "key = {}", quoted(key));
        }
        let _ = writeln!(text, "type = {}", quoted(kind_word(column.kind)));
        if user_table.is_some_and(|table| source == "field" && key.as_ref().is_some_and(|key| table.kept.contains(key)))
        {
            text.push_str("keep = true\n");
        }
        let is_plain = user.is_some_and(|user| user.is_plain);
        if let Some(target) = self.target(table, place).filter(|_| !is_plain) {
            let _ = writeln!(text, "references = {}", quoted(&target));
        } else if is_plain {
            text.push_str("references = false\n");
        }
        write_choices(
            text,
            user.is_some_and(|user| user.is_dropped),
            user.map_or(&[][..], |user| &user.merge),
        );
    }

    /// The first value of a column among the sample rows.
    fn example(&self, index: usize, column: &Column) -> Option<String> {
        let written = self.written(index)?;
        let columns = &self.applied.database.tables.get(written)?.columns;
        let place = columns.iter().position(|own| own.source == column.source)?;
        let value = self
            .samples
            .get(written)?
            .iter()
            .find_map(|row| row.get(place)?.clone())?;
        let short: String = value.chars().take(EXAMPLE_CHARS).collect();
        Some(if short.len() < value.len() {
            format!("{short}…")
        } else {
            short
        })
    }

    /// What a column refers to by itself.
    fn target(&self, table: &Table, place: usize) -> Option<String> {
        let reference = table
            .foreign_keys
            .iter()
            .find(|reference| reference.columns[..] == [place])?;
        let to = &self.applied.read.tables[reference.table];
        let name = self.applied.tables[reference.table].map_or(&to.name, |number| &self.schema.tables[number].name);
        Some(format!("{name}.{}", to.columns[*reference.to.first()?].name))
    }

    /// Lists that became no table.
    fn write_lists(&self, text: &mut String) {
        for left in self.left_out.iter().filter(|left| left.key.is_none()) {
            let class = self.class_of(left.page_class);
            let _ = write!(text, "\n[[left_out]]\nclass = {}\n", quoted(class));
            if !left.list_path.is_empty() {
                let _ = writeln!(text, "list = {}", list(&left.list_path));
            }
            let _ = write!(text, "why = {}\nkeep = false\n", quoted(left.why));
        }
    }

    /// What the schema speaks of and this run does not have: the next one may.
    fn write_unmatched(&self, text: &mut String) {
        for (number, user) in self.schema.tables.iter().enumerate() {
            if !self.applied.tables.contains(&Some(number)) {
                let _ = write!(
                    text,
                    "\n[[table]] # not there in the last run\nname = {}\nclass = {}\n",
                    quoted(&user.name),
                    quoted(&user.class)
                );
                if !user.list_path.is_empty() {
                    let _ = writeln!(text, "list = {}", list(&user.list_path));
                }
                write_choices(text, user.is_dropped, &user.merge);
                user.columns
                    .iter()
                    .for_each(|column| self.write_old_column(text, column));
            }
        }
    }

    fn write_old_column(&self, text: &mut String, column: &UserColumn) {
        let (source, key) = source_words(&self.applied.read, &column.source);
        let name = quoted(&column.name);
        let _ = write!(
            text,
            "\n[[table.column]] # not there in the last run\nname = {name}\nsource = {}\n",
            quoted(source)
        );
        if let Some(key) = key {
            let _ = writeln!(text, "key = {}", quoted(&key));
        }
        if let Some(kind) = column.kind {
            let _ = writeln!(text, "type = {}", quoted(kind_word(kind)));
        }
        write_choices(text, column.is_dropped, &column.merge);
    }
}

/// Characters of an example.
const EXAMPLE_CHARS: usize = 60;

fn write_choices(text: &mut String, is_dropped: bool, merge: &[String]) {
    if is_dropped {
        text.push_str("drop = true\n");
    }
    if !merge.is_empty() {
        let _ = writeln!(text, "merge = {}", list(merge));
    }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// A text as TOML writes it, on one line: as JSON does, which has no objection to a DEL.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
