//! Site reader files: what reads the pages of a site one at a time, as one JSON file that any
//! machine can be handed.
//!
//! `{"version": 1, "kind": "site reader", "models": […], "classes": […], "tables": […]}`: the
//! models with the class numbers of their classes, the wrapper of each class, and the tables with
//! how their columns are read. Models and wrappers stand in it as in files of their own.

use serde_json::{Map, Value, json};
use untemplate::job::{PlacingModel, ReaderClass, SiteReader};
use untemplate::table::{Column, ColumnKind, ColumnSource, Database, Marks, Reading, Table};

use crate::model_file::{parse_model, write_model};
use crate::wrapper_file::{Wrapper, read_wrapper, write_wrapper};

/// The version that this program writes, and the only one it reads.
const VERSION: u64 = 1;

/// What the file says that it is.
const KIND: &str = "site reader";

/// Writes a site reader.
pub fn write_site_reader(reader: &SiteReader) -> String {
    let json_of = |text: String| serde_json::from_str::<Value>(&text).expect("what is written is JSON");
    let model =
        |placing: &PlacingModel| json!({"model": json_of(write_model(&placing.model)), "numbers": placing.numbers});
    let class = |class: &ReaderClass| {
        let wrapper = class.reading.clone().map(|reading| Wrapper::Reading(Box::new(reading)));
        json!({"name": class.name, "wrapper": wrapper.map(|wrapper| json_of(write_wrapper(&wrapper)))})
    };
    let file = json!({
        "version": VERSION,
        "kind": KIND,
        "tables": reader.database.tables.iter().map(table_to_json).collect::<Vec<Value>>(),
        "classes": reader.classes.iter().map(class).collect::<Vec<Value>>(),
        "models": reader.models.iter().map(model).collect::<Vec<Value>>(),
    });
    format!("{file}\n")
}

fn table_to_json(table: &Table) -> Value {
    json!({
        "name": table.name,
        "page_class": table.page_class,
        "list_path": table.list_path,
        "columns": table.columns.iter().map(column_to_json).collect::<Vec<Value>>(),
    })
}

fn column_to_json(column: &Column) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(column.name));
    object.insert("kind".to_owned(), json!(kind_word(column.kind)));
    let (source, key) = match &column.source {
        ColumnSource::Address => ("address", Value::Null),
        ColumnSource::Position(depth) => ("position", json!(depth)),
        ColumnSource::Field(key) => ("field", json!(key)),
        ColumnSource::Raw(key) => ("raw", json!(key)),
        ColumnSource::Unit(key) => ("unit", json!(key)),
        ColumnSource::Joined(table, column) => ("joined", json!([table, column])),
    };
    object.insert("source".to_owned(), json!(source));
    object.insert("of".to_owned(), key);
    object.insert("unit".to_owned(), json!(column.unit));
    object.insert("marks".to_owned(), json!(marks_word(column.reading.marks)));
    object.insert("before".to_owned(), json!(column.reading.before));
    object.insert("after".to_owned(), json!(column.reading.after));
    object.insert("header".to_owned(), json!(column.reading.header));
    object.retain(|_, value| !value.is_null() && value != "");
    Value::Object(object)
}

/// Whether a text is a site reader, of whatever version.
pub fn is_site_reader(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|file| file["kind"] == KIND)
}

/// Reads a site reader; the error says what is wrong with it.
pub fn parse_site_reader(text: &str) -> Result<SiteReader, String> {
    let file: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON ({error})"))?;
    if file["kind"] != KIND || file["version"] != VERSION {
        let (kind, version) = (&file["kind"], &file["version"]);
        return Err(format!(
            "it is of kind {kind} and version {version}, and this program reads a {KIND:?} of version {VERSION}; make it again with rebuild --wrappers-only"
        ));
    }
    let classes = list(&file["classes"]).iter().map(class_of_json);
    let classes: Vec<ReaderClass> = classes.collect::<Result<_, String>>()?;
    let models = list(&file["models"])
        .iter()
        .map(|value| model_of_json(value, classes.len()));
    let tables = list(&file["tables"])
        .iter()
        .map(|value| table_of_json(value, classes.len()));
    let database = Database {
        tables: tables.collect::<Result<_, String>>()?,
    };
    Ok(SiteReader::new(
        models.collect::<Result<_, String>>()?,
        classes,
        database,
    ))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[][..], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn class_of_json(value: &Value) -> Result<ReaderClass, String> {
    let name = text(&value["name"]);
    let reading = match &value["wrapper"] {
        Value::Null => None,
        wrapper => match read_wrapper(&wrapper.to_string()) {
            Ok(Wrapper::Reading(reading)) => Some(*reading),
            Ok(_) => return Err(format!("the wrapper of {name} is no reading")),
            Err(error) => return Err(format!("the wrapper of {name}: {error}")),
        },
    };
    Ok(ReaderClass { name, reading })
}

fn model_of_json(value: &Value, n_classes: usize) -> Result<PlacingModel, String> {
    let model = parse_model(&value["model"].to_string())?;
    let numbers: Vec<Option<usize>> = list(&value["numbers"]).iter().map(number).collect();
    if numbers.len() != model.classes.len() || numbers.iter().flatten().any(|&class| class >= n_classes) {
        return Err("the numbers of a model's classes are not those of the file".to_owned());
    }
    Ok(PlacingModel { model, numbers })
}

fn table_of_json(value: &Value, n_classes: usize) -> Result<Table, String> {
    let name = text(&value["name"]);
    let page_class = number(&value["page_class"]).filter(|&class| class < n_classes);
    let columns = list(&value["columns"]).iter().map(|value| {
        let column = column_of_json(value);
        column.ok_or_else(|| format!("table {name}: {value} is no column"))
    });
    Ok(Table {
        page_class: page_class.ok_or_else(|| format!("table {name} is of no class of the file"))?,
        list_path: list(&value["list_path"]).iter().map(text).collect(),
        columns: columns.collect::<Result<_, String>>()?,
        name,
        ..Table::default()
    })
}

fn column_of_json(value: &Value) -> Option<Column> {
    let of = &value["of"];
    let source = match value["source"].as_str()? {
        "address" => ColumnSource::Address,
        "position" => ColumnSource::Position(number(of)?),
        "field" => ColumnSource::Field(text(of)),
        "raw" => ColumnSource::Raw(text(of)),
        "unit" => ColumnSource::Unit(text(of)),
        "joined" => ColumnSource::Joined(number(&of[0])?, number(&of[1])?),
        _ => return None,
    };
    let kind = KINDS.iter().find(|(_, word)| value["kind"] == *word)?.0;
    let marks = value["marks"].as_str()?;
    Some(Column {
        name: text(&value["name"]),
        source,
        kind,
        unit: value["unit"].as_str().map(str::to_owned),
        is_nullable: true,
        reading: Reading {
            marks: MARKS.iter().find(|(_, word)| marks == *word)?.0,
            before: text(&value["before"]),
            after: text(&value["after"]),
            header: value["header"].as_str().map(str::to_owned),
            ..Reading::default()
        },
    })
}

const KINDS: [(ColumnKind, &str); 11] = [
    (ColumnKind::Integer, "integer"),
    (ColumnKind::Decimal, "decimal"),
    (ColumnKind::Date, "date"),
    (ColumnKind::DateTime, "datetime"),
    (ColumnKind::Time, "time"),
    (ColumnKind::Boolean, "boolean"),
    (ColumnKind::Url, "url"),
    (ColumnKind::Email, "email"),
    (ColumnKind::Phone, "phone"),
    (ColumnKind::Enum, "enum"),
    (ColumnKind::Text, "text"),
];

const MARKS: [(Marks, &str); 5] = [
    (Marks::Plain, "plain"),
    (Marks::DecimalPoint, "decimal point"),
    (Marks::DecimalComma, "decimal comma"),
    (Marks::DayFirst, "day first"),
    (Marks::MonthFirst, "month first"),
];

fn kind_word(kind: ColumnKind) -> &'static str {
    KINDS
        .iter()
        .find(|(own, _)| *own == kind)
        .map_or("text", |(_, word)| word)
}

fn marks_word(marks: Marks) -> &'static str {
    MARKS
        .iter()
        .find(|(own, _)| *own == marks)
        .map_or("plain", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use untemplate::job::{JobOptions, infer_tables, read_site};
    use untemplate::page::visit_page;
    use url::Url;

    use super::*;

    /// Lists of lamps with prices, and a page for each.
    fn site() -> HashMap<String, String> {
        let lamp = |n: usize| {
            format!("<title>Lamp {n}</title><h1>Lamp {n}</h1><dl><dt>Price<dd>{n},50 EUR<dt>Since<dd>{n}.12.2004</dl>")
        };
        let mut site: HashMap<String, String> = (1..9)
            .map(|n| (format!("http://lamps.example/lamp/{n}"), lamp(n)))
            .collect();
        let list: String = (1..9).map(|n| format!("<li><a href=/lamp/{n}>Lamp {n}</a>")).collect();
        site.insert(
            "http://lamps.example/".to_owned(),
            format!("<h1>Lamps</h1><ul>{list}</ul>"),
        );
        site
    }

    #[test]
    fn a_reader_survives_its_file() {
        let mut site = site();
        let mut record_store: BTreeMap<(usize, Url), Vec<u8>> = BTreeMap::new();
        let entry: Url = "http://lamps.example/".parse().expect("an address");
        let crawl_result =
            read_site(&mut site, &mut record_store, &entry, &JobOptions::default()).expect("a record store in memory");
        let database = infer_tables(&crawl_result, &mut record_store).expect("a record store in memory");
        let reader = SiteReader::of_crawl(&crawl_result, database);
        let text = write_site_reader(&reader);
        let again = parse_site_reader(&text).expect("it was written just now");
        assert_eq!(write_site_reader(&again), text);
        let page = "http://lamps.example/lamp/3".parse().expect("an address");
        let page = visit_page(&mut site, &page).expect("a page");
        let read = reader.read(&page);
        assert!(!read.rows.is_empty());
        assert_eq!(again.read(&page), read);
    }

    #[test]
    fn what_is_no_reader_is_refused() {
        let check = |text: &str, what: &str| {
            let error = parse_site_reader(text).expect_err("it is none");
            assert!(error.contains(what), "{error}");
        };
        check("{", "no JSON");
        check(r#"{"kind": "site reader", "version": 2}"#, "version 2");
        check(
            r#"{"kind": "site reader", "version": 1, "tables": [{"name": "a", "page_class": 0}]}"#,
            "table a is of no class",
        );
    }
}
