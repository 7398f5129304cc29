//! Schemas as people write them, good and wrong.

use untemplate::table::{ColumnKind, ColumnSource};

use super::*;

#[test]
fn a_schema_is_read() {
    let text = r#"
[[table]]
name = "people"
class = "player"
merge = ["trainers"]

[[table.column]]
name = "born"
source = "field"
key = "born on"
type = "date"
references = false

[[table.left_out]]
key = "fans"
why = "the same on every page"
keep = true

[[left_out]]
class = "player"
list = ["menu"]
why = "links of the frame"
keep = true
"#;
    let schema = parse_schema(text).expect("a good schema");
    let column = &schema.tables[0].columns[0];
    assert_eq!(column.source, ColumnSource::Field("born on".to_owned()));
    assert_eq!((column.kind, column.is_plain), (Some(ColumnKind::Date), true));
    let kept: Vec<Option<String>> = schema.kept().into_iter().map(|kept| kept.key).collect();
    assert_eq!(kept, [Some("fans".to_owned()), None]);
}

#[test]
fn mistakes_name_their_place() {
    let check = |text: &str, expected: &str| {
        let told = parse_schema(text).expect_err("it is wrong");
        assert!(told.contains(expected), "{told}");
    };
    check("[[table]]\nname = 1", "line 2");
    check("[[table]]\nname = 'a'\nclass = 'b'\ndrops = true", "drops");
    let column = "[[table]]\nname = 'a'\nclass = 'b'\n[[table.column]]\nname = 'c'\nsource = 'field'\nkey = 'k'\ntype = 'number'";
    check(column, "table a, column c: \"number\" is no type; there are integer");
}

#[test]
fn a_table_is_changed_in_the_file_and_nothing_else_is() {
    let text = r#"# Mine.
[[table]] # 3 rows
name = "people"
class = "player"

[[table.column]]
name = "born" # such as "1815"
source = "field"
key = "born on"
type = "integer"

[[table.column]]
name = "club"
source = "field"
key = "club"
type = "text"
drop = true

[[table]]
name = "goals"
class = "player"
list = ["goals"]
"#;
    let mut wish = read_wishes(text).expect("a good schema").remove(0);
    assert_eq!(change_schema(text, &wish).as_deref(), Ok(text), "nothing is wanted");
    wish.name = "the \"people\"".to_owned();
    wish.columns[0].kind = "text".to_owned();
    wish.columns[0].is_dropped = true;
    wish.columns[1].name = "team".to_owned();
    wish.columns[1].is_dropped = false;
    let changed = change_schema(text, &wish).expect("it can be done");
    let expected = text
        .replace("name = \"people\"", "name = \"the \\\"people\\\"\"")
        .replace("such as \"1815\"", "such as \"1815\"\ndrop = true")
        .replace("type = \"integer\"", "type = \"text\"")
        .replace("drop = true\n\n[[table]]", "drop = false\n\n[[table]]")
        .replace("name = \"club\"", "name = \"team\"");
    assert_eq!(changed, expected);
    assert_eq!(read_wishes(&changed).expect("a good schema")[0], wish);
    wish.columns[0].kind = "number".to_owned();
    let told = change_schema(text, &wish).expect_err("there is no such type");
    assert!(told.contains("\"number\" is no type"), "{told}");
    wish.class = "trainer".to_owned();
    assert!(change_schema(text, &wish).is_err(), "there is no such table");
}

#[test]
fn a_change_by_somebody_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(SCHEMA_FILE);
    let check = |text: Option<&str>, expected: bool| {
        match text {
            Some(text) => std::fs::write(&file, text).expect("it is written"),
            None => assert!(!file.exists()),
        }
        assert_eq!(is_changed(&file).expect("it can be read"), expected, "{text:?}");
    };
    check(None, false);
    let text = as_written("[[table]]\nname = \"a\"\nclass = \"b\"\n");
    check(Some(&text), false);
    check(Some(&text.replace("\"a\"", "\"c\"")), true);
    check(Some("[[table]]\nname = \"a\"\nclass = \"b\"\n"), true);
    check(Some(""), true);
}
