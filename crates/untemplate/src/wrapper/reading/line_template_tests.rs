//! Lines of several facts, and lines that stay whole.

use super::line_template::{LineTemplate, LineTuning};

fn check_template(lines: &[&str], expected: &str) {
    let tuning = LineTuning {
        lines_min: 4,
        ..LineTuning::default()
    };
    let template = LineTemplate::learn(lines, "", tuning);
    let shown = template.map_or("none".to_owned(), |own| {
        let first = own.split(lines[0]).unwrap_or_default();
        let names: Vec<&str> = (0..own.before.len())
            .map(|slot| own.name_of(slot).unwrap_or("-"))
            .collect();
        format!("{} | {}", first.join(" ~ "), names.join(" "))
    });
    assert_eq!(shown, expected);
}

#[test]
fn words_and_signs_divide_lines() {
    check_template(
        &[
            "Room1 (floor:0x20, seats:0xFF)",
            "Room2 (floor:0x30, seats:0x0F)",
            "Hall (floor:0x40, seats:0x01)",
            "Attic (floor:0x50, seats:0x3F)",
        ],
        "Room1 ~ 0x20 ~ 0xFF | - floor seats",
    );
    check_template(
        &[
            "abc / red / five",
            "bc / red / six",
            "cde / blue / ten",
            "ef / green / two",
        ],
        "abc ~ red ~ five | - - -",
    );
    // A sign with blanks is another one than the sign inside a word, and so is a double one.
    check_template(
        &[
            "AB -- A first-rate saw (size:0x1)",
            "CD -- Drill (size:0x20)",
            "EF -- Left-hand file (size:0x3)",
            "GH -- Hammer (size:0x11)",
        ],
        "AB ~ A first-rate saw ~ 0x1 | - - size",
    );
    check_template(
        &["12: Ann Bell", "7: Cy Dow", "103: Ed Fox", "8: Gus Hay"],
        "12 ~ Ann Bell | - -",
    );
    check_template(
        &[
            "Posted by Ann on May 5, 2001",
            "Posted by Bob on June 1, 2002",
            "Posted by Carl Dean on July 9, 2003",
            "Posted by Eve on May 7, 1999",
        ],
        "Ann ~ May 5, 2001 | - -",
    );
    // A day and an hour stay together.
    check_template(
        &[
            "Sent by Ann on Thu, 09/08/2011 - 11:34am",
            "Sent by Bo on Fri, 10/08/2011 - 1:04pm",
            "Sent by Cy Dow on Mon, 01/02/2012 - 7:13pm",
            "Sent by Ed on Sun, 11/12/2012 - 9:20am",
        ],
        "Ann ~ Thu, 09/08/2011 - 11:34am | - -",
    );
    check_template(
        &[
            "Oak frame. 1 door. No lock.",
            "Pine frame. 2 doors. No lock.",
            "Ash frame. 1 door. Two locks.",
            "Elm frame. 3 doors. No lock.",
        ],
        "Oak frame ~ 1 door ~ No lock | - - -",
    );
}

#[test]
fn names_and_numbers_stay_whole() {
    check_template(&["Smith, John", "Jones, Ann", "Brown, Bob", "Green, Eve"], "none");
    check_template(&["12.50", "3.20", "7.99", "4.10"], "none");
    check_template(&["12:30", "13:45", "9:15", "10:00"], "none");
    check_template(&["May 5, 2001", "June 7, 2002", "May 9, 2003", "July 1, 2004"], "none");
    check_template(
        &[
            "12/05/2006 - 14:22",
            "1/1/2007 - 9:10",
            "2/3/2007 - 8:00",
            "4/5/2008 - 7:07",
        ],
        "none",
    );
    check_template(
        &[
            "Tue, 12/05/2006 - 14:22",
            "Wed, 1/1/2007 - 9:10",
            "Fri, 2/3/2007 - 8:00",
            "Tue, 4/5/2008 - 7:07",
        ],
        "none",
    );
    check_template(
        &["3 sq km (2012)", "45 sq km (2014)", "9 sq km (2015)", "8 sq km (2017)"],
        "none",
    );
    check_template(&["North-East", "South-West", "Mid-North", "Far-South"], "none");
    check_template(&["one", "two words", "three", "four (4)"], "none");
}

#[test]
fn a_label_that_is_divided_divides_its_values() {
    let lines = [
        "oak12 / 2021-05-03 10:11 UTC / 1 use",
        "elm7 / 2021-05-03 11:30 UTC / 0 uses",
        "ash8 / 2021-05-04 09:00 UTC / 3 uses",
        "fir9 / 2021-05-09 17:45 UTC / 2 uses",
    ];
    let tuning = LineTuning {
        lines_min: 4,
        ..LineTuning::default()
    };
    let label = "loans (tree / lent at / uses)";
    let template = LineTemplate::learn(&lines, label, tuning).expect("a template");
    assert_eq!(
        template.split(lines[0]),
        Some(vec!["oak12", "2021-05-03 10:11 UTC", "1 use"])
    );
    assert_eq!(template.split_label(label), Some(vec!["tree", "lent at", "uses"]));
    // A label of other parts than the values have names none of them.
    assert_eq!(template.split_label("loans (tree / lent at / uses / rest)"), None);
}

#[test]
fn a_line_of_another_kind_is_not_divided() {
    let lines = ["ab (1)", "bc (2)", "cd (3)", "de (4)"];
    let tuning = LineTuning {
        lines_min: 4,
        ..LineTuning::default()
    };
    let template = LineTemplate::learn(&lines, "", tuning).expect("a template");
    assert_eq!(template.split("ef"), None);
    assert_eq!(template.split("ef (5) (6)"), None);
}

#[test]
fn names_and_brackets_are_never_cut() {
    // A low line joins a name, so that its first part is no constant.
    check_template(
        &[
            "map_size, a function in map_base",
            "map_name, a function in map_file",
            "map_turn, a function in map_view",
            "map_free, a function in map_base",
        ],
        "map_size ~ map_base | - -",
    );
    // What few lines have is no slot, and a bracket stays with the one that belongs to it.
    check_template(
        &["open( door )", "shut( door , key )", "kick( door )", "push( door )"],
        "none",
    );
}

#[test]
fn one_word_and_a_sign_begin_a_line_whatever_follows() {
    let tools = [
        "Tool 1: show settings",
        "Tool 20: client: get a file",
        "Tool 31: sort (a: b) and check",
        "Tool 4: ping",
    ];
    check_template(&tools, "1 ~ show settings | Tool -");
    let template = LineTemplate::learn(
        &tools[..],
        "",
        LineTuning {
            lines_min: 4,
            ..LineTuning::default()
        },
    );
    let template = template.expect("a template");
    assert_eq!(template.split(tools[1]), Some(vec!["20", "client: get a file"]));
    check_template(
        &[
            "cp - copy",
            "mv - move - or rename",
            "ls - list",
            "rm - remove - for good",
        ],
        "cp ~ copy | - -",
    );
    // Several words before the sign may be a part of what follows.
    check_template(
        &[
            "Ann Bell - one - two",
            "Cy - three",
            "Ed Fox Day - four - five",
            "Gus Hay - six",
        ],
        "none",
    );
}
