//! Runs with forms: what is not sent, what is sent once, what is one result.

use expect_test::expect;

use super::super::*;
use super::tests::check_run;
use crate::page::Method;
use crate::rule::ExtractionRule;

#[test]
fn forms_that_may_change_something_are_not_sent_unless_named() {
    let home = "<h1>Home</h1><nav><a href=/b>B</a></nav><form action=/find method=post><select name=s><option>x<option>y</select><button>Order</button></form>";
    check_run(
        |_, _, site| site.put("/", home),
        expect![[r#"
            /i/3 3, /i/4 
            4 requests, partial ["FIND: its form may change something on the site: one of its words is \"order\"; name it to send it all the same"], drift ["FIND: it finds no request on any of 1 pages"]
        "#]],
    );
    check_run(
        |_, options, site| {
            site.pages.insert("/".to_owned(), home);
            options.send = vec!["FIND".to_owned()];
        },
        expect![[r#"
            /i/3 3, /i/4 , /i/2 2, /i/5 5
            8 requests, partial [], drift []
        "#]],
    );
}

/// Lets FIND be a form of two fields, sent by GET, and nothing else be followed.
fn by_two_fields(specification: &mut Specification, options: &mut RunOptions) {
    let choice = |name: &str| FieldChoice {
        name: name.to_owned(),
        values: Values::Options,
    };
    let rule = FormRule {
        path: "//form[1]".parse().expect("a good path"),
        choices: vec![choice("s"), choice("o")],
    };
    let find = &mut specification.request_classes[3];
    (find.method, find.means) = (Method::Get, RequestMeans::Form(rule));
    options.follow = vec!["FIND".to_owned()];
}

const TWO_FIELDS: &str = "<h1>Home</h1><form action=/find><select name=s><option>x<option>y</select><select name=o><option>up<option>down</select></form>";

#[test]
fn a_run_that_is_stopped_while_it_tries_a_form_out_ends() {
    check_run(
        |specification, options, site| {
            by_two_fields(specification, options);
            site.put("/", TWO_FIELDS);
            site.put("/find?s=x&o=up", "<h1>Found</h1><li><a href=/i/1>1</a>");
            site.stop_after = 2;
        },
        expect![[r#"

            3 requests, partial ["the run was stopped"], drift []
        "#]],
    );
}

#[test]
fn products_are_sampled_once_and_answers_used_again() {
    let html = "<h1>Home</h1><nav><a href=/b>B</a></nav><form action=/find><select name=s><option>x<option>y</select><select name=o><option>up<option>down</select></form>";
    let found = |n: u32| -> &'static str {
        [
            "<h1>Found</h1><li><a href=/i/1>1</a>",
            "<h1>Found</h1><li><a href=/i/2>2</a>",
        ][n as usize]
    };
    check_run(
        |specification, options, site| {
            site.pages.insert("/".to_owned(), html);
            for (n, s) in [(0, "x"), (1, "y")] {
                site.pages.insert(format!("/find?s={s}&o=up"), found(n));
                site.pages.insert(format!("/find?s={s}&o=down"), found(n));
            }
            by_two_fields(specification, options);
        },
        // The home page, x and y by up, x by down, and two items.
        expect![[r#"
            /i/1 1, /i/2 2
            6 requests, partial [], drift []
        "#]],
    );
}

#[test]
fn the_same_result_of_another_submission_is_no_second_record() {
    check_run(
        |specification, options, site| {
            let rule = ExtractionRule::absolute("//p/text()").expect("a good path");
            specification.classes[2].fields = vec![TaughtField::of_rules(
                "count".to_owned(),
                true,
                vec![TaughtRule { rule, weight: 1.0 }],
            )];
            site.pages.insert("/find s=x".to_owned(), "<h1>Found</h1><p>0 of all");
            site.pages.insert("/find s=y".to_owned(), "<h1>Found</h1><p>0 of all");
            options.follow = vec!["FIND".to_owned()];
        },
        expect![[r#"
            /find 0 of all
            3 requests, partial [], drift ["HIT: it finds no request on any of 2 pages"]
        "#]],
    );
}

#[test]
fn nothing_is_tried_out_on_another_site() {
    check_run(
        |specification, options, site| {
            by_two_fields(specification, options);
            site.put("/", "<h1>Home</h1><form action=http://else.example/find><select name=s><option>x<option>y</select><select name=o><option>up<option>down</select></form>");
        },
        expect![[r#""#]],
    );
}

#[test]
fn nothing_is_decided_on_answers_that_could_not_be_had() {
    check_run(
        |specification, options, site| {
            by_two_fields(specification, options);
            site.put("/", TWO_FIELDS);
            site.put("/find?s=x&o=up", "<h1>Found</h1><li><a href=/i/1>1</a>");
            site.put("/find?s=x&o=down", "fails");
            site.put("/find?s=y&o=up", "fails");
            site.put("/find?s=y&o=down", "<h1>Found</h1><li><a href=/i/2>2</a>");
        },
        expect![[r#""#]],
    );
}

#[test]
fn many_losses_of_a_kind_are_counted() {
    let list: &'static str = Box::leak(
        (0..30)
            .map(|n| format!("<li><a href=/lost/{n}>{n}</a>"))
            .collect::<String>()
            .into_boxed_str(),
    );
    let list: &'static str = Box::leak(format!("<h1>List</h1><ul>{list}</ul>").into_boxed_str());
    check_run(
        |_, options, site| {
            site.put("/b", list);
            (0..30).for_each(|n| site.put(&format!("/lost/{n}"), "fails"));
            options.follow = vec!["BY".to_owned()];
        },
        expect![[r#""#]],
    );
}
