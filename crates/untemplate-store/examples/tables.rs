//! Relates what wrappers read: `tables DIR [OUT]` takes a folder with `NAME.wrapper` and `NAME.jsonl` for each page class, as `untemplate infer` and `untemplate extract` write
//! them, prints the schema, and with OUT writes a CSV file for each table.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use untemplate::table::{
    Addresses, ClassFacts, ClassKind, ColumnSource, Database, ReadPage, Survey, facts_of, relate_and_explain,
    resolve_addresses, rows_of,
};
use untemplate::wrapper::{Record, Value};
use untemplate_store::Wrapper;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(&arguments[0]);
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| {
            entry
                .ok()?
                .file_name()
                .to_str()?
                .strip_suffix(".wrapper")
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    let mut facts = Vec::new();
    let mut pages = Vec::new();
    for (page_class, name) in names.iter().enumerate() {
        let text = std::fs::read_to_string(folder.join(format!("{name}.wrapper"))).expect("a wrapper file");
        let wrapper = untemplate_store::read_wrapper(&text).expect("a wrapper");
        let columns = match &wrapper {
            Wrapper::Template(template) => facts_of(template),
            Wrapper::Expressions(_) | Wrapper::Reading(_) => Vec::new(),
        };
        let lines = std::fs::read_to_string(folder.join(format!("{name}.jsonl"))).expect("records");
        let n_lines = lines.lines().count();
        let kind = if n_lines == 1 {
            ClassKind::Singleton
        } else {
            ClassKind::Detail
        };
        let own = ClassFacts {
            name: name.clone(),
            kind,
            columns,
        };
        for line in lines.lines() {
            let json: Json = serde_json::from_str(line).expect("a line of JSON");
            let url: url::Url = json["url"].as_str().expect("an address").parse().expect("an address");
            let mut record = record_of(&json["record"]);
            resolve_addresses(&mut record, &own, &url);
            pages.push(ReadPage {
                page_class,
                url,
                record,
            });
        }
        facts.push(own);
    }
    let mut survey = Survey::new(&facts);
    pages.iter().for_each(|page| survey.add(page));
    let (database, left_out) = relate_and_explain(survey, &Addresses::default());
    show(&database);
    for left in left_out.iter().filter(|left| left.why != "length") {
        println!(
            "- {} {:?} {}: {}",
            names[left.page_class],
            left.list_path,
            left.key.as_deref().unwrap_or("all"),
            left.why
        );
    }
    if let Some(out) = arguments.get(1) {
        write(&database, &pages, Path::new(out));
    }
}

fn record_of(json: &Json) -> Record {
    let values = json.as_object().into_iter().flatten().filter_map(|(key, value)| {
        let value = match value {
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(rounds) => Value::List(rounds.iter().map(record_of).collect()),
            _ => return None,
        };
        Some((Arc::from(key.as_str()), value))
    });
    Record {
        values: values.collect(),
    }
}

fn show(database: &Database) {
    for table in &database.tables {
        println!("{} (class {}, {:?})", table.name, table.page_class, table.list_path);
        for (index, column) in table.columns.iter().enumerate() {
            let refers = table
                .foreign_keys
                .iter()
                .filter(|key| key.columns == [index])
                .map(|key| {
                    let to = &database.tables[key.table];
                    format!(" -> {}.{}", to.name, to.columns[key.to[0]].name)
                });
            let unit = column
                .unit
                .as_ref()
                .map(|unit| format!(" [{unit}]"))
                .unwrap_or_default();
            let source = match &column.source {
                ColumnSource::Field(key) => format!(" ({key})"),
                other => format!(" ({other:?})"),
            };
            let null = if column.is_nullable { "?" } else { "" };
            println!(
                "    {}: {:?}{null}{unit}{source}{}",
                column.name,
                column.kind,
                refers.collect::<String>()
            );
        }
    }
}

fn write(database: &Database, pages: &[ReadPage], folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut files: Vec<std::fs::File> = Vec::new();
    for table in &database.tables {
        let mut file = std::fs::File::create(folder.join(format!("{}.csv", table.name))).expect("a file");
        let header: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        writeln!(file, "{}", header.join(",")).expect("a line");
        files.push(file);
    }
    for page in pages {
        let problems = rows_of(database, page, &mut |table, row| {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| cell.as_deref().map(quoted).unwrap_or_default())
                .collect();
            writeln!(files[table], "{}", cells.join(",")).expect("a line");
        });
        problems.iter().for_each(|problem| eprintln!("{problem}"));
    }
}
