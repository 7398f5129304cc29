//! A schema on two tables: players, and their goals.

use super::super::reading::Reading;
use super::super::schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
use super::{AppliedSchema, UserColumn, UserSchema, UserTable, apply_schema};

fn column(name: &str, source: ColumnSource, kind: ColumnKind) -> Column {
    Column {
        name: name.to_owned(),
        source,
        kind,
        unit: None,
        is_nullable: false,
        reading: Reading::default(),
    }
}

fn field(name: &str) -> Column {
    column(name, ColumnSource::Field(name.to_owned()), ColumnKind::Text)
}

fn address() -> Column {
    column("url", ColumnSource::Address, ColumnKind::Url)
}

fn database() -> Database {
    let players = Table {
        name: "players".to_owned(),
        page_class: 0,
        columns: vec![address(), field("name"), field("alias"), field("born")],
        key: vec![0],
        ..Table::default()
    };
    let position = column("position", ColumnSource::Position(0), ColumnKind::Integer);
    let goals = Table {
        name: "goals".to_owned(),
        page_class: 0,
        list_path: vec!["goals".to_owned()],
        columns: vec![address(), position, field("minute")],
        key: vec![0, 1],
        foreign_keys: vec![ForeignKey {
            columns: vec![0],
            table: 0,
            to: vec![0],
        }],
    };
    let trainers = Table {
        name: "trainers".to_owned(),
        page_class: 1,
        columns: vec![address(), field("name"), field("since")],
        key: vec![0],
        ..Table::default()
    };
    Database {
        tables: vec![players, goals, trainers],
    }
}

fn user_column(key: &str, name: &str) -> UserColumn {
    UserColumn {
        name: name.to_owned(),
        source: ColumnSource::Field(key.to_owned()),
        kind: None,
        is_dropped: false,
        merge: Vec::new(),
        is_plain: false,
    }
}

fn user_table(class: &str, name: &str, columns: Vec<UserColumn>) -> UserTable {
    UserTable {
        name: name.to_owned(),
        class: class.to_owned(),
        columns,
        ..UserTable::default()
    }
}

fn apply(tables: Vec<UserTable>) -> AppliedSchema {
    let classes = ["player", "trainer"].map(str::to_owned);
    let schema = UserSchema {
        tables,
        ..UserSchema::default()
    };
    apply_schema(database(), &classes, &schema)
}

/// The tables that are written, with their columns and references.
fn shown(applied: &AppliedSchema) -> Vec<String> {
    let tables = applied.database.tables.iter();
    let show = |table: &Table| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let references = table.foreign_keys.iter().map(|key| format!(" -> {}", key.table));
        format!("{}({}){}", table.name, names.join(" "), references.collect::<String>())
    };
    tables.map(show).collect()
}

fn row(applied: &AppliedSchema, table: usize, cells: &[&str]) -> Option<(usize, Vec<String>)> {
    let cell = |text: &&str| (!text.is_empty()).then(|| (*text).to_owned());
    let cells: Vec<Option<String>> = cells.iter().map(cell).collect();
    let (table, row) = applied.row(table, &cells)?;
    Some((table, row.into_iter().map(Option::unwrap_or_default).collect()))
}

#[test]
fn nothing_said_changes_nothing() {
    let applied = apply(Vec::new());
    assert_eq!(applied.database, database());
    assert_eq!(applied.unapplied, Vec::<String>::new());
    let cells = ["u", "Ada", "", "1815"];
    assert_eq!(row(&applied, 0, &cells), Some((0, cells.map(str::to_owned).to_vec())));
}

#[test]
fn columns_are_renamed_dropped_merged_retyped_and_ordered() {
    let born = UserColumn {
        kind: Some(ColumnKind::Integer),
        ..user_column("born", "year")
    };
    let name = UserColumn {
        merge: vec!["alias".to_owned()],
        ..user_column("name", "who")
    };
    let applied = apply(vec![user_table(
        "player",
        "people",
        vec![born, name, user_column("alias", "alias")],
    )]);
    assert_eq!(
        shown(&applied),
        [
            "people(year who url)",
            "goals(url position minute) -> 0",
            "trainers(url name since)"
        ]
    );
    assert_eq!(applied.read.tables[0].columns[3].kind, ColumnKind::Integer);
    let merged = row(&applied, 0, &["u", "", "Bo", "1815"]);
    assert_eq!(merged, Some((0, ["1815", "Bo", "u"].map(str::to_owned).to_vec())));
    assert_eq!(applied.database.tables[0].key, [2]);
}

#[test]
fn tables_are_dropped_and_merged() {
    let dropped = UserTable {
        is_dropped: true,
        ..user_table("player", "players", Vec::new())
    };
    let applied = apply(vec![dropped]);
    assert_eq!(
        shown(&applied),
        ["goals(url position minute)", "trainers(url name since)"]
    );
    assert_eq!(row(&applied, 0, &["u", "Ada", "", ""]), None);

    let merging = UserTable {
        merge: vec!["trainers".to_owned()],
        ..user_table("player", "people", vec![])
    };
    let applied = apply(vec![merging]);
    assert_eq!(
        shown(&applied),
        ["people(url name alias born since)", "goals(url position minute) -> 0"]
    );
    let trainer = row(&applied, 2, &["t", "Cleo", "2001"]);
    assert_eq!(
        trainer,
        Some((0, ["t", "Cleo", "", "", "2001"].map(str::to_owned).to_vec()))
    );
    assert_eq!(
        row(&applied, 0, &["u", "Ada", "", "1815"]).map(|(_, row)| row.len()),
        Some(5)
    );
}

#[test]
fn a_class_with_another_name_is_known_by_its_fields() {
    let applied = apply(vec![user_table(
        "footballer",
        "people",
        vec![user_column("name", "who"), user_column("born", "born")],
    )]);
    assert_eq!(applied.database.tables[0].name, "people");
    assert_eq!(applied.unapplied, Vec::<String>::new());
}

#[test]
fn what_applies_to_nothing_is_told() {
    let referee = user_table("referee", "referees", vec![user_column("whistle", "whistle")]);
    let url = UserColumn {
        source: ColumnSource::Address,
        is_dropped: true,
        kind: Some(ColumnKind::Text),
        ..user_column("", "url")
    };
    let players = UserTable {
        merge: vec!["goals".to_owned(), "nobody".to_owned()],
        ..user_table("player", "players", vec![url, user_column("weight", "weight")])
    };
    let applied = apply(vec![referee, players]);
    let expected = [
        "table referees",
        "players.weight",
        "type of url",
        "drop of players.url",
        "merge of goals",
        "merge of nobody",
    ];
    assert_eq!(applied.unapplied.len(), expected.len(), "{:?}", applied.unapplied);
    for (told, expected) in applied.unapplied.iter().zip(expected) {
        assert!(told.contains(expected), "{told}");
    }
    assert_eq!(applied.database, database());
}
