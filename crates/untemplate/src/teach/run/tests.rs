//! Runs over a small site: order, loops, shared pages, rejected pages, forms, ends.

mod instance;

use std::collections::HashMap;
use std::ops::ControlFlow;

use expect_test::{Expect, expect};

use super::super::*;
use super::*;
use crate::page::{Event, Method, Page, ParseOptions, Request, Response, Site, Visit};
use crate::rule::{Assertion, ExtractionRule, UrlRegex};
use instance::Instance;

/// Pages by method, path, query and body, and what was asked for.
pub(super) struct TestSite {
    pub(super) pages: HashMap<String, &'static str>,
    asked: Vec<String>,
    pub(super) stop_after: usize,
}

impl Site for TestSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        requests.iter().map(|request| self.answer(request)).collect()
    }

    fn note(&mut self, _: Event) {}
}

impl TestSite {
    pub(super) fn put(&mut self, path: &str, html: &'static str) {
        self.pages.insert(path.to_owned(), html);
    }

    fn answer(&mut self, request: &Request) -> Visit {
        let body = String::from_utf8_lossy(&request.body);
        let path = &request.url[url::Position::BeforePath..];
        let key = if request.method == Method::Post {
            format!("{path} {body}")
        } else {
            path.to_owned()
        };
        self.asked.push(key.clone());
        if self.asked.len() > self.stop_after {
            return Visit::Stopped;
        }
        match self.pages.get(&key) {
            Some(&"fails") => Visit::Failed {
                reason: format!("{key} failed"),
            },
            Some(html) => {
                let url = html
                    .strip_prefix("moved ")
                    .map_or(request.url.clone(), |to| request.url.join(to).expect("an address"));
                let html = self
                    .pages
                    .get(url.path())
                    .filter(|_| url != request.url)
                    .unwrap_or(html);
                Visit::Page(Page::read(&Response::html(url, *html), &ParseOptions::default()).into())
            }
            None => Visit::Dead {
                reason: format!("{key} is not there"),
            },
        }
    }
}

const PAGES: [(&str, &str); 16] = [
    (
        "/",
        "<h1>Home</h1><nav><a href=/a>A</a><a href=/b>B</a><a href=http://else.example/c>C</a></nav>\
        <form action=/find method=post><select name=s><option value=''>any<option>x<option>y</select><input type=submit value=Find></form>",
    ),
    (
        "/a",
        "<h1>List</h1><ul><li><a href=/i/1>1</a><li><a href=/i/2>2</a></ul><a rel=next href=/a?p=2>next</a>",
    ),
    (
        "/a?p=2",
        "<h1>List</h1><ul><li><a href=/i/3>3</a><li><a href=/c/1>coach</a></ul><a rel=next href=/a?p=3>next</a>",
    ),
    (
        "/a?p=3",
        "<h1>List</h1><ul><li><a href=/i/1>1</a><li><a href=/i/9>9</a></ul><a rel=next href=/a>first</a>",
    ),
    (
        "/b",
        "<h1>List</h1><ul><li><a href=/i/old3>3</a><li><a href=/i/4>4</a></ul>",
    ),
    ("/i/1", "<h1>Item</h1><table><tr><th>Price<td>1</table>"),
    ("/i/2", "<h1>Item</h1><table><tr><th>Price<td>2</table>"),
    ("/i/3", "<h1>Item</h1><table><tr><th>Price<td>3</table>"),
    ("/i/old3", "moved /i/3"),
    ("/i/4", "<h1>Item</h1><table><tr><th>Weight<td>4</table>"),
    ("/c/1", "<h1>Coach</h1><table><tr><th>Price<td>9</table>"),
    (
        "/find s=x",
        "<h1>Found</h1><p>2 of x<ul><li><a href=/i/2>2</a><li><a href=/i/5>5</a></ul>",
    ),
    ("/find s=y", "<h1>Found</h1><p>0 of y"),
    ("/i/5", "<h1>Item</h1><table><tr><th>Price<td>5</table>"),
    ("/i/6", "fails"),
    ("/endless", "<h1>List</h1>"),
];

fn site() -> TestSite {
    TestSite {
        pages: PAGES.iter().map(|&(path, html)| (path.to_owned(), html)).collect(),
        asked: Vec::new(),
        stop_after: usize::MAX,
    }
}

fn class(id: &str, heading: &str) -> TaughtClass {
    let path = format!("//h1[.='{heading}']").parse().expect("a good path");
    let assertion = Assertion::all(vec![path]);
    TaughtClass {
        assertion,
        ..TaughtClass::named(id)
    }
}

fn links(id: &str, from: &str, to: &str, path: &str) -> RequestClass {
    let rule = ExtractionRule::absolute(path).expect("a good path");
    let (id, from, to) = (id.to_owned(), from.to_owned(), to.to_owned());
    RequestClass {
        id,
        from,
        to,
        method: Method::Get,
        means: RequestMeans::Links(vec![rule]),
    }
}

fn path(words: &str) -> NavigationalPath {
    let steps = words.split(' ').map(str::to_owned).collect();
    NavigationalPath {
        given_name: None,
        steps,
    }
}

/// HOME -BY-> LIST (-NEXT-> LIST) -TO-> ITEM and HOME -FIND-> FOUND -HIT-> ITEM.
fn specification() -> Specification {
    let mut home = class("HOME", "Home");
    home.addresses = vec!["http://shop.example/".parse().expect("a good address")];
    let mut item = class("ITEM", "Item");
    let rule = ExtractionRule::labeled("Price", "../../td[1]/text()[1]").expect("a good path");
    item.fields = vec![TaughtField::of_rules(
        "price".to_owned(),
        false,
        vec![TaughtRule { rule, weight: 1.0 }],
    )];
    let choices = vec![FieldChoice {
        name: "s".to_owned(),
        values: Values::Options,
    }];
    let form = FormRule {
        path: "//form[1]".parse().expect("a good path"),
        choices,
    };
    let mut find = links("FIND", "HOME", "FOUND", ".");
    (find.method, find.means) = (Method::Post, RequestMeans::Form(form));
    Specification {
        site: Some("http://shop.example/".parse().expect("a good address")),
        classes: vec![home, class("LIST", "List"), class("FOUND", "Found"), item],
        request_classes: vec![
            links("BY", "HOME", "LIST", "//nav/a/@href"),
            links("NEXT", "LIST", "LIST", "//a[@rel='next']/@href"),
            links("TO", "LIST", "ITEM", "//li/a/@href"),
            find,
            links("HIT", "FOUND", "ITEM", "//li/a/@href"),
        ],
        paths: vec![path("HOME BY LIST TO ITEM"), path("HOME FIND FOUND HIT ITEM")],
    }
}

/// Runs, and gives the construction, the records and the report.
fn run(specification: &Specification, options: &RunOptions, site: &mut TestSite) -> (Instance, Vec<String>, RunReport) {
    let (mut instance, mut records) = (Instance::default(), Vec::new());
    let report = run_specification(specification, options, site, &mut |event| {
        if let RunEvent::Record(record) = event {
            let values: Vec<&str> = record.fields[0].1.iter().map(|picked| picked.text.as_str()).collect();
            records.push(format!("{} {}", record.url.path(), values.join("|")));
        }
        instance.observe(event)
    });
    (instance, records, report.expect("the specification can be run"))
}

pub(super) fn check_run(change: impl FnOnce(&mut Specification, &mut RunOptions, &mut TestSite), expected: Expect) {
    let (mut specification, mut options, mut site) = (specification(), RunOptions::default(), site());
    change(&mut specification, &mut options, &mut site);
    let (_, records, report) = run(&specification, &options, &mut site);
    let mut told = format!("{}\n", records.join(", "));
    told += &format!(
        "{} requests, partial {:?}, drift {:?}\n",
        site.asked.len(),
        report.partial_because,
        report.drift()
    );
    expected.assert_eq(&told);
}

#[test]
fn both_paths_in_the_order_of_levels_parents_and_requests() {
    let mut site = site();
    let (instance, records, report) = run(&specification(), &RunOptions::default(), &mut site);
    expect![[r#"
        entry --> GET http://shop.example/ supports HOME
        http://shop.example/ -BY-> GET http://else.example/c refused LIST
        http://shop.example/ -BY-> GET http://shop.example/a supports LIST
        http://shop.example/ -BY-> GET http://shop.example/b supports LIST
        http://shop.example/ -FIND-> POST http://shop.example/find s=x supports FOUND
        http://shop.example/find -HIT-> GET http://shop.example/i/2 again ITEM
        http://shop.example/ -FIND-> POST http://shop.example/find s=y supports FOUND
        http://shop.example/a -NEXT-> GET http://shop.example/a?p=2 supports LIST
        http://shop.example/a?p=2 -NEXT-> GET http://shop.example/a?p=3 supports LIST
        http://shop.example/a?p=3 -NEXT-> GET http://shop.example/a again LIST
        http://shop.example/a?p=3 -TO-> GET http://shop.example/i/1 again ITEM
        http://shop.example/a -TO-> GET http://shop.example/i/1 supports ITEM
        http://shop.example/a -TO-> GET http://shop.example/i/2 supports ITEM
        http://shop.example/b -TO-> GET http://shop.example/i/old3 supports ITEM
        http://shop.example/b -TO-> GET http://shop.example/i/4 supports ITEM
        http://shop.example/find -HIT-> GET http://shop.example/i/5 supports ITEM
        http://shop.example/a?p=2 -TO-> GET http://shop.example/i/3 again ITEM
        http://shop.example/a?p=2 -TO-> GET http://shop.example/c/1 rejected ITEM
        http://shop.example/a?p=3 -TO-> GET http://shop.example/i/9 dead ITEM
    "#]]
    .assert_eq(&instance.show_construction());
    assert_eq!(records, ["/i/1 1", "/i/2 2", "/i/3 3", "/i/4 ", "/i/5 5"]);
    expect![[r#"
        FOUND 2
          http://shop.example/find
          http://shop.example/find
        HOME 1
          http://shop.example/
        ITEM 5
          http://shop.example/i/1
          http://shop.example/i/2
          http://shop.example/i/3
          http://shop.example/i/4
          http://shop.example/i/5
        LIST 4
          http://shop.example/a
          http://shop.example/b
          http://shop.example/a?p=2
          http://shop.example/a?p=3
    "#]]
    .assert_eq(&instance.show_extension());
    let mut distinct = site.asked.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), site.asked.len(), "nothing is asked for twice");
    assert_eq!(
        (report.problems, report.classes[3].rejected, report.drift()),
        (1, 1, Vec::new())
    );
}

#[test]
fn batches_change_nothing_but_the_order_of_asking() {
    let of_batch = |batch_max| {
        let options = RunOptions {
            batch_max,
            ..RunOptions::default()
        };
        let (instance, records, _) = run(&specification(), &options, &mut site());
        let mut lines: Vec<String> = instance.show_extension().lines().map(str::to_owned).collect();
        lines.sort();
        (records, lines)
    };
    assert_eq!(of_batch(1), of_batch(64));
}

#[test]
fn one_path_can_be_followed() {
    check_run(
        |_, options, _| options.follow = vec!["FIND".to_owned()],
        expect![[r#"
            /i/2 2, /i/5 5
            5 requests, partial [], drift []
        "#]],
    );
    let options = RunOptions {
        follow: vec!["NO".to_owned()],
        ..RunOptions::default()
    };
    let error = run_specification(&specification(), &options, &mut site(), &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(
        error.expect_err("no such path").to_string(),
        "the specification has no path NO; it has BY, FIND"
    );
}

#[test]
fn limits_losses_and_interrupts_are_told() {
    check_run(
        |_, options, _| options.next_max = 1,
        expect![[r#"
            /i/1 1, /i/2 2, /i/3 3, /i/4 , /i/5 5
            13 requests, partial ["NEXT: more than 1 pages in a row"], drift []
        "#]],
    );
    check_run(
        |_, _, site| site.put("/i/2", "fails"),
        expect![[r#"
            /i/1 1, /i/3 3, /i/4 , /i/5 5
            15 requests, partial ["/i/2 failed"], drift []
        "#]],
    );
    check_run(
        |_, options, site| (options.batch_max, site.stop_after) = (1, 9),
        expect![[r#"
            /i/1 1, /i/2 2
            10 requests, partial ["the run was stopped"], drift []
        "#]],
    );
}

#[test]
fn a_site_that_changed_is_told() {
    check_run(
        |_, _, site| site.put("/", "<h1>Welcome</h1>"),
        expect![[r#"

            1 requests, partial [], drift ["HOME: its assertion rejects all 1 pages that were reached"]
        "#]],
    );
    check_run(
        |_, _, site| site.put("/", "<h1>Home</h1><div><a href=/a>A</a></div>"),
        expect![[r#"

            1 requests, partial [], drift ["BY: it finds no request on any of 1 pages", "FIND: it finds no request on any of 1 pages"]
        "#]],
    );
    check_run(
        |specification, _, _| {
            let rule = ExtractionRule::labeled("Cost", "../../td[1]/text()[1]").expect("a good path");
            specification.classes[3].fields[0].slots[0].rules[0].rule = rule;
        },
        expect![[r#"
            /i/1 , /i/2 , /i/3 , /i/4 , /i/5 
            15 requests, partial [], drift ["ITEM: price was found on 0 of 5 pages"]
        "#]],
    );
}

#[test]
fn url_regexes_choose_among_links() {
    let mut specification = specification();
    let mut rule = ExtractionRule::absolute("//a/@href").expect("a good path");
    rule.url = Some(UrlRegex::new(r"^http://shop\.example/[ab]$").expect("a good pattern"));
    specification.request_classes[0].means = RequestMeans::Links(vec![rule]);
    specification.paths.pop();
    let (_, records, report) = run(&specification, &RunOptions::default(), &mut site());
    assert_eq!((records.len(), report.request_classes[0].refused), (4, 0));
}

#[test]
fn paths_that_end_alike_are_one_node() {
    let mut specification = specification();
    specification.paths.push(NavigationalPath {
        given_name: Some("lists".to_owned()),
        ..path("HOME BY LIST")
    });
    let plan = Plan::new(&specification, specification.paths.iter());
    // ITEM, FOUND, LIST, HOME: the third path is a part of the first.
    assert_eq!((plan.nodes.len(), plan.entries.len()), (4, 1));
    assert_eq!(plan.nodes.iter().filter(|node| node.class == 3).count(), 1);
}
