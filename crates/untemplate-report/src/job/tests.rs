//! A report of a small database, of nothing, and of a site that means ill.

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
        classes: vec![ClassSection {
            name: text.to_owned(),
            kind: text.to_owned(),
            pattern: text.to_owned(),
            estimated_pages: Some(5),
            pages_read: 4,
            pages_unread: 1,
            wrapper: text.to_owned(),
            example: Some(text.to_owned()),
        }],
        problems: problems.finish(),
        changes: Some(small_changes(text)),
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
        "4 pages read of about 5: 80 %",
        "1 page could not be read",
        "and 2 more",
        "whole number · in cm",
        "refers to <a href=\"#t0\">player</a>",
        "75 % filled, 1 missing",
        "1\u{202f}234\u{202f}567",
        "<del>–</del> <ins>player</ins>",
        "1 of 4 rows",
    ] {
        assert!(html.contains(said), "{said}\n{html}");
    }
    assert_eq!(
        html.matches("<rect x=").count(),
        2 + 3 * 2,
        "two tables, and a bar a part"
    );
}

#[test]
fn what_a_site_says_is_only_text() {
    let html = report_page(&small_report(
        "</style><script>alert(1)</script><img src=x onerror=y>\"'<!--",
    ));
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
    assert_eq!(report_page(&report).matches("class=\"arc\"").count(), 3);
}
