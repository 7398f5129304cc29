//! What the server is told of tables, columns and pages: the same as `tables.sqlite` tells.

use untemplate::table::Database;

use crate::table_file::metadata::{ClassMark, PageMark, kind_word, source_words};

use super::copy_text::push_text;
use super::statement::ServerNames;

/// The tables of their own, in the order in which they are made.
pub(super) const TABLES: [(&str, &str); 3] = [
    (
        "_untemplate_tables",
        "table_name text PRIMARY KEY, page_class bigint NOT NULL, class_name text, wrapper text, list_path text NOT NULL, n_rows bigint NOT NULL",
    ),
    (
        "_untemplate_columns",
        "table_name text NOT NULL, column_name text NOT NULL, position bigint NOT NULL, kind text NOT NULL, unit text, is_nullable boolean NOT NULL, source text NOT NULL, source_key text, PRIMARY KEY (table_name, position)",
    ),
    (
        "_untemplate_pages",
        "url text PRIMARY KEY, page_class bigint, first_seen text, last_seen text, state text NOT NULL",
    ),
];

/// The rows about tables, as COPY reads them.
pub(super) fn table_lines(database: &Database, names: &ServerNames, classes: &[ClassMark], n_rows: &[usize]) -> String {
    let mut text = String::new();
    for (index, table) in database.tables.iter().enumerate() {
        let class = classes.get(table.page_class);
        let list_path = serde_json::Value::from(table.list_path.clone()).to_string();
        push_line(
            &[
                Some(&names.tables[index]),
                Some(&table.page_class.to_string()),
                class.map(|class| class.name.as_str()),
                class.and_then(|class| class.wrapper.as_deref()),
                Some(&list_path),
                Some(&n_rows[index].to_string()),
            ],
            &mut text,
        );
    }
    text
}

/// The rows about columns.
pub(super) fn column_lines(database: &Database, names: &ServerNames) -> String {
    let mut text = String::new();
    for (index, table) in database.tables.iter().enumerate() {
        for (position, column) in table.columns.iter().enumerate() {
            let (source, key) = source_words(database, &column.source);
            push_line(
                &[
                    Some(&names.tables[index]),
                    Some(&names.columns[index][position]),
                    Some(&(position + 1).to_string()),
                    Some(kind_word(column.kind)),
                    column.unit.as_deref(),
                    Some(&column.is_nullable.to_string()),
                    Some(source),
                    key.as_deref(),
                ],
                &mut text,
            );
        }
    }
    text
}

/// The row about a page.
pub(super) fn push_page(page: &PageMark, text: &mut String) {
    let class = page.page_class.map(|class| class.to_string());
    push_line(
        &[
            Some(&page.url),
            class.as_deref(),
            page.first_seen.as_deref(),
            page.last_seen.as_deref(),
            Some(page.state.word()),
        ],
        text,
    );
}

fn push_line(values: &[Option<&str>], text: &mut String) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            text.push('\t');
        }
        match value {
            Some(value) => push_text(value, text),
            None => text.push_str("\\N"),
        }
    }
    text.push('\n');
}
