//! A report of a small database, of nothing, and of a site that means ill.

use super::order::{OPEN_MAX, TableFamily, table_order};
use super::*;
use untemplate::page::{ParseOptions, Problem, parse_html};
use untemplate::table::{
    Changes, Column, ColumnKind, ColumnSource, Database, ForeignKey, ProblemGroups, Profile, RowChange, RowChangeKind,
    Table, TableChanges,
};

fn column(name: &str, kind: ColumnKind) -> Column {
    Column {
        name: name.to_owned(),
        source: ColumnSource::Field(name.to_owned()),
        kind,
        unit: None,
        is_nullable: true,
        reading: Default::default(),
    }
}

fn small_changes(text: &str) -> Changes {
    Changes {
        tables: vec![TableChanges {
            name: text.to_owned(),
            n_changed: 1,
            columns_added: vec![text.to_owned()],
            examples: vec![RowChange {
                kind: RowChangeKind::Changed,
                key: vec![text.to_owned()],
                cells: vec![(text.to_owned(), None, Some(text.to_owned()))],
            }],
            ..TableChanges::default()
        }],
        tables_added: vec![text.to_owned()],
        tables_gone: Vec::new(),
    }
}

fn small_omission(text: &str) -> OmittedSection {
    OmittedSection {
        title: text.to_owned(),
        why: text.to_owned(),
        count: 3,
        addresses: vec![(format!("http://a.example/{text}"), text.to_owned())],
    }
}

fn small_class(text: &str) -> ClassSection {
    ClassSection {
        name: text.to_owned(),
        kind: text.to_owned(),
        pattern: text.to_owned(),
        estimated_pages: Some(5),
        pages_read: 4,
        pages_unread: 1,
        example: Some(text.to_owned()),
        ..ClassSection::default()
    }
}

fn small_report(text: &str) -> ReportPage {
    let mut columns = vec![column("url", ColumnKind::Url), column("height", ColumnKind::Integer)];
    columns[1].unit = Some("cm".to_owned());
    let player = Table {
        name: text.to_owned(),
        page_class: 0,
        list_path: Vec::new(),
        columns: columns.clone(),
        key: vec![0],
        foreign_keys: Vec::new(),
    };
    let season = Table {
        name: "season".to_owned(),
        list_path: vec![text.to_owned()],
        foreign_keys: vec![ForeignKey {
            columns: vec![0],
            table: 0,
            to: vec![0],
        }],
        ..player.clone()
    };
    let profile = |histogram: Vec<usize>, top: Vec<(String, usize)>| Profile {
        filled: 3,
        missing: 1,
        distinct: 2,
        lowest: Some(text.to_owned()),
        highest: Some(text.to_owned()),
        top,
        histogram,
    };
    let section = TableSection {
        n_rows: 4,
        profiles: vec![
            profile(Vec::new(), vec![(text.to_owned(), 2)]),
            profile(vec![1, 0, 2], Vec::new()),
        ],
        sample: vec![vec![Some(format!("http://a.example/{text}")), None]],
    };
    let mut problems = ProblemGroups::default();
    (0..7).for_each(|_| problems.add(text, &Problem::new("missing part", text)));
    ReportPage {
        title: text.to_owned(),
        command: text.to_owned(),
        time: Some(text.to_owned()),
        partial_because: vec![text.to_owned()],
        database: Database {
            tables: vec![player, season],
        },
        tables: vec![section.clone(), section],
        classes: vec![small_class(text)],
        problems: problems.finish(),
        changes: Some(small_changes(text)),
        omitted: vec![small_omission(text)],
        cost: Cost {
            downloads: 1234567,
            reused: 1,
            bytes: 99,
            seconds: Some(1.25),
        },
        files: vec![text.to_owned()],
    }
}

#[test]
fn a_report_says_what_was_found() {
    let html = report_page(&small_report("player"));
    for said in [
        "<dd>4</dd><dt>pages read",
        "4 pages read of about 5: 80\u{a0}%",
        "1 page could not be read",
        "and 2 more",
        "whole number · in cm",
        "refers to <a href=\"#t0\">player</a>",
        "75\u{a0}% filled, 1 missing",
        "1\u{202f}234\u{202f}567",
        "<del>–</del> <ins>player</ins>",
        "1 of 4 rows",
        "Empty in these rows: height",
        "<summary>What is in its 2 columns</summary>",
        "<b>player</b> <small>3</small>",
        "<li class=\"soft\">and 2 more</li>",
    ] {
        assert!(html.contains(said), "{said}\n{html}");
    }
    assert_eq!(
        html.matches("class=\"histogram\"").count(),
        2,
        "one for each column of numbers"
    );
}

#[test]
fn what_a_site_says_is_only_text() {
    let html = report_page(&small_report(
        "</style><script>alert(1)</script><img src=x onerror=y>\"'<!--",
    ));
    assert!(html.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    assert!(!html.contains("script-src"), "nothing runs in a report");
    let (dom, _) = parse_html(&html, &ParseOptions::default());
    let names = dom.nodes().map(|node| dom.name_text(node));
    let names: std::collections::BTreeSet<&str> = names.collect();
    assert!(
        !names.contains("script") && !names.contains("img") && names.contains("article"),
        "{names:?}"
    );
    assert!(
        !html.contains("src=\"") && !html.contains("@import") && !html.contains("url(http"),
        "nothing is loaded"
    );
}

#[test]
fn a_report_of_nothing_is_a_page() {
    let html = report_page(&ReportPage::default());
    assert!(html.contains("<dd>0</dd><dt>tables") && html.ends_with("</html>\n"));
}

#[test]
fn circles_of_references_are_drawn() {
    let mut report = small_report("player");
    let back = ForeignKey {
        columns: vec![1],
        table: 1,
        to: vec![1],
    };
    report.database.tables[0].foreign_keys = vec![back.clone(), ForeignKey { table: 0, ..back }];
    report.tables[1].n_rows = 40;
    let html = report_page(&report);
    // One leads from the main table to itself; the drawing of all tables has it once more.
    assert_eq!(html.matches("class=\"arc\"").count(), 4, "{html}");
}

/// A report of tables by name, page class, list and rows.
fn report_of(tables: &[(&str, usize, &str, usize)], pages: &[usize]) -> ReportPage {
    let mut report = small_report("x");
    let (table, section) = (report.database.tables[0].clone(), report.tables[0].clone());
    let class = report.classes[0].clone();
    report.database.tables.clear();
    report.tables.clear();
    for &(name, page_class, list, n_rows) in tables {
        let list_path: Vec<String> = list.split_whitespace().map(str::to_owned).collect();
        report.database.tables.push(Table {
            name: name.to_owned(),
            page_class,
            list_path,
            ..table.clone()
        });
        report.tables.push(TableSection {
            n_rows,
            ..section.clone()
        });
    }
    let class = |&pages_read: &usize| ClassSection {
        pages_read,
        pages_unread: 0,
        ..class.clone()
    };
    report.classes = pages.iter().map(class).collect();
    report
}

#[test]
fn main_tables_come_first_and_small_ones_are_folded_away() {
    let mut report = report_of(
        &[
            ("glossary", 0, "terms", 50),
            ("player", 1, "", 40),
            ("team", 2, "", 90),
            ("season", 1, "seasons", 300),
            ("note", 2, "notes", 4),
            ("game", 2, "games", 5),
        ],
        &[1, 40, 90],
    );
    let order = table_order(&report);
    let family = |table: usize, lists: &[usize]| TableFamily {
        table,
        lists: lists.to_vec(),
    };
    assert_eq!(order.main, [family(2, &[5, 4]), family(1, &[3])]);
    assert_eq!(order.small, [family(0, &[])]);
    let reference = |table| ForeignKey {
        columns: vec![0],
        table,
        to: vec![0],
    };
    report.database.tables[3].foreign_keys = vec![reference(1)];
    report.database.tables[4].foreign_keys = vec![reference(1)];
    let html = report_page(&report);
    let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}\n{html}"));
    let order = [
        "<section id=\"t2\"",
        "<details id=\"t5\"",
        "<details id=\"t4\"",
        "<section id=\"t1\"",
        "<details id=\"t3\"",
        "note.url refers to player",
        "<text class=\"label\"",
        "Relations of all 6 tables",
        "season.url refers to player",
        "<details id=\"t0\"",
    ];
    assert!(order.map(at).is_sorted(), "{html}");
}

#[test]
fn two_hundred_tables_are_folded() {
    let names: Vec<String> = (0..200).map(|number| format!("table{number}")).collect();
    let tables: Vec<(&str, usize, &str, usize)> = names
        .iter()
        .enumerate()
        .map(|(number, name)| {
            (
                name.as_str(),
                number / 4,
                if number % 4 == 0 { "" } else { "items" },
                300 - number,
            )
        })
        .collect();
    let html = report_page(&report_of(&tables, &[9; 50]));
    assert_eq!(html.matches("<section id=\"t").count(), OPEN_MAX);
    assert_eq!(html.matches("<details id=\"t").count(), 200 - OPEN_MAX);
    assert!(html.contains("<a href=\"#more\">38 more tables</a>"), "{html}");
}

#[test]
fn nothing_is_folded_away_where_all_tables_are_small() {
    let order = table_order(&report_of(&[("a", 0, "", 1), ("b", 0, "terms", 3)], &[1]));
    let family = TableFamily {
        table: 0,
        lists: vec![1],
    };
    assert_eq!((order.main, order.small), (vec![family], vec![]));
}

#[test]
fn rows_are_shown_as_a_person_would() {
    let from = |name: &str, kind, source| Column {
        source,
        ..column(name, kind)
    };
    let key = || "price".to_owned();
    let mut report = report_of(&[("lamp", 0, "", 9)], &[9]);
    report.database.tables[0].columns = vec![
        from("url", ColumnKind::Url, ColumnSource::Address),
        column("maker_url", ColumnKind::Url),
        from("price", ColumnKind::Decimal, ColumnSource::Field(key())),
        from("price_text", ColumnKind::Text, ColumnSource::Raw(key())),
        from("price_unit", ColumnKind::Text, ColumnSource::Unit(key())),
        column("colour", ColumnKind::Text),
        column("title", ColumnKind::Text),
    ];
    let row = |cells: [&str; 7]| cells.map(|cell| (!cell.is_empty()).then(|| cell.to_owned())).to_vec();
    report.tables[0].profiles.clear();
    report.tables[0].sample = vec![
        row([
            "http://a.example/1",
            "http://a.example/m",
            "9.50",
            "EUR 9.50",
            "EUR",
            "",
            "Moon",
        ]),
        row(["http://a.example/2", "", "", "on request", "", "", "Sun"]),
    ];
    let html = report_page(&report);
    for said in [
        "<tr><th>price</th><th>title</th><th>maker_url</th><th>url</th></tr>",
        "<tr><td data-name=\"price\" class=\"number\">9.50 EUR</td><td data-name=\"title\">Moon</td>",
        "<tr><td data-name=\"price\">on request</td><td data-name=\"title\">Sun</td><td class=\"none\" data-name=\"maker_url\">–</td>",
        "Empty in these rows: colour",
    ] {
        assert!(html.contains(said), "{said}\n{html}");
    }
}

#[test]
fn many_files_are_folded_and_the_schema_is_named() {
    let mut report = small_report("player");
    report.files = (0..13).map(|number| format!("t{number}.csv")).collect();
    let html = report_page(&report);
    assert!(html.contains("<details><summary>13 files</summary>"), "{html}");
    assert!(!html.contains("schema.toml"), "{html}");
    report.files = vec!["tables.sqlite".to_owned(), "schema.toml".to_owned()];
    let html = report_page(&report);
    assert!(
        html.contains("change <a href=\"./schema.toml\">schema.toml</a>") && !html.contains("2 files"),
        "{html}"
    );
}
