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
