//! Forms: what is read, what is sent, what is refused, which products are worth it.

use expect_test::{Expect, expect};

use super::*;
use crate::page::{Method, Name, Page, ParseOptions, Response};
use crate::teach::{FieldChoice, FormRule, Values};

fn page(html: &str) -> Page {
    let url = "http://shop.example/a/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

fn form(html: &str) -> Form {
    let page = page(html);
    let node = page.dom.find(Name::FORM).expect("the page has a form");
    Form::read(&page, node).expect("the form can be read")
}

fn choice(name: &str, values: Values) -> FieldChoice {
    let name = name.to_owned();
    FieldChoice { name, values }
}

fn plan(html: &str, method: Method, choices: Vec<FieldChoice>) -> Result<FormPlan, FormError> {
    let path = "//form[1]".parse().expect("a good path");
    FormPlan::new(&page(html), &FormRule { path, choices }, method)
}

/// All submissions, a line each.
fn check_sent(html: &str, method: Method, choices: Vec<FieldChoice>, expected: Expect) {
    let plan = plan(html, method, choices).expect("the form can be sent");
    let varying: Vec<usize> = (0..plan.variations.len()).collect();
    let requests = (0..plan.size(&varying)).map(|number| plan.request(&varying, number));
    let lines = requests.map(|it| format!("{:?} {} {}\n", it.method, it.url, String::from_utf8_lossy(&it.body)));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn what_browsers_send_untouched() {
    let html = "<form action=find method=POST><input name=q value='a b'><input type=hidden name=s value=1><input type=checkbox name=c checked>\
        <input type=checkbox name=d><input type=radio name=r value=x><input type=radio name=r value=y checked><select name=p><option value=1>One<option selected>Two</select>\
        <select name=m multiple><option selected>A<option selected>B<option>C</select><textarea name=t>\nx\ny</textarea><input name=off disabled><input type=reset name=z>\
        <fieldset disabled><input name=off2></fieldset><button name=go value=1>Go</button><button name=more value=2>More</button><input></form>";
    check_sent(
        html,
        Method::Post,
        Vec::new(),
        expect![[r#"
            Post http://shop.example/a/find q=a+b&s=1&c=on&r=y&p=Two&m=A&m=B&t=x%0D%0Ay&go=1
        "#]],
    );
}

#[test]
fn a_query_takes_the_place_of_the_address_s_own() {
    let html = "<meta charset=windows-1252><form action='/find?old=1#x'><input name=q value='&eacute; &euro;'></form>";
    check_sent(
        html,
        Method::Get,
        Vec::new(),
        expect![[r#"
        Get http://shop.example/find?q=%E9+%80 
    "#]],
    );
    let html = "<form action=/find accept-charset='utf-8'><input name=q></form>";
    check_sent(
        html,
        Method::Get,
        vec![choice("q", Values::Listed(vec!["é".to_owned(), "b&c".to_owned()]))],
        expect![[r#"
            Get http://shop.example/find?q=%C3%A9 
            Get http://shop.example/find?q=b%26c 
        "#]],
    );
}

#[test]
fn choices_vary_like_an_odometer() {
    let html = "<form action=f method=post><select name=s><option value=''>any<option>A<option>B</select><input name=q value=x><input name=n value=1></form>";
    let choices = || {
        vec![
            choice("s", Values::Options),
            choice("q", Values::Constant(String::new())),
            choice("n", Values::Listed(vec!["1".to_owned(), "2".to_owned()])),
            choice("extra", Values::Constant("e".to_owned())),
        ]
    };
    check_sent(
        html,
        Method::Post,
        choices(),
        expect![[r#"
            Post http://shop.example/a/f s=A&q=&n=1&extra=e
            Post http://shop.example/a/f s=A&q=&n=2&extra=e
            Post http://shop.example/a/f s=B&q=&n=1&extra=e
            Post http://shop.example/a/f s=B&q=&n=2&extra=e
        "#]],
    );
    let plan = plan(html, Method::Post, choices()).expect("the form can be sent");
    assert_eq!(
        plan.request(&[1], 1).body,
        b"s=&q=&n=2&extra=e",
        "what does not vary keeps its default"
    );
    let html = "<form action=f><input name=q><input name=x></form>";
    check_sent(
        html,
        Method::Get,
        vec![choice("q", Values::Omitted)],
        expect![[r#"
        Get http://shop.example/a/f?x= 
    "#]],
    );
}

#[test]
fn forms_between_the_parts_of_a_table_own_what_follows() {
    let form = form(
        "<table><form action=f><tr><td><input name=a><td><select name=b><option>1</select></tr></form><form action=g><tr><td><input name=c></table><input name=d>",
    );
    let names: Vec<&str> = form.controls.iter().map(|control| control.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let form = self::form(
        "<form id=x action=f><input name=a form=y></form><input name=b form=x><input name=c list=l form=x><datalist id=l><option value=1><option>2</datalist>",
    );
    let names: Vec<&str> = form.controls.iter().map(|control| control.name.as_str()).collect();
    assert_eq!(
        (names, form.options("c")),
        (vec!["b", "c"], vec!["1".to_owned(), "2".to_owned()])
    );
}

#[test]
fn what_changed_since_it_was_taught_is_told() {
    let check = |html: &str, method, choices, expected: Expect| {
        let error = plan(html, method, choices).expect_err("the form cannot be sent");
        expected.assert_eq(&error.to_string());
    };
    check(
        "<p>",
        Method::Get,
        Vec::new(),
        expect!["there is no form at /descendant::form[1]"],
    );
    check(
        "<form>",
        Method::Post,
        Vec::new(),
        expect!["the form at /descendant::form[1] is sent by GET, and was taught as POST"],
    );
    check(
        "<form method=post enctype=multipart/form-data>",
        Method::Post,
        Vec::new(),
        expect!["the form at /descendant::form[1] is not sent as names and values (application/x-www-form-urlencoded)"],
    );
    check(
        "<form><input name=q>",
        Method::Get,
        vec![choice("q", Values::Options)],
        expect![[r#"the form at /descendant::form[1] has no field "q" that offers values"#]],
    );
}

#[test]
fn forms_that_may_change_something_are_told() {
    let check = |html: &str, expected: Option<&str>| {
        let reason = may_change(&form(html));
        assert_eq!(reason.is_some(), expected.is_some(), "{html}: {reason:?}");
        assert!(reason.unwrap_or_default().contains(expected.unwrap_or("")), "{html}");
    };
    check(
        "<form action=/find method=post><input name=q><select name=order><option>asc</select><button>Search</button></form>",
        None,
    );
    check(
        "<form action=/companies method=post><select name=sector><option>Steel</select><input type=submit value=Show></form>",
        None,
    );
    check(
        "<form action=/list.php method=post id=searchOrders><input name=q><input type=submit value='Show results'></form>",
        None,
    );
    check("<form action=/x method=post><select name=s></select></form>", None);
    check(
        "<form action=/cart method=post><input name=count value=1><button>Add to basket</button></form>",
        Some("add"),
    );
    check(
        "<form action=/search method=post><input type=password name=p></form>",
        Some("password"),
    );
    check("<form action=/search><input type=file name=p></form>", Some("file"));
    check(
        "<form action=/item method=post><input type=hidden name=_method value=DELETE><button>Find</button></form>",
        Some("delete"),
    );
    check(
        "<form action=/item?x=1><button>Unsubscribe</button></form>",
        Some("unsubscribe"),
    );
    check(
        "<form action=/a method=post><textarea name=t></textarea><button>Find</button></form>",
        Some("write in"),
    );
    check(
        "<form action=/news method=post><input type=email name=e></form>",
        Some("e-mail"),
    );
    check("<form action=/addToCart method=post><input name=n></form>", Some("add"));
    check(
        "<form action=/x method=post><input type=hidden name=id value=7><button>OK</button></form>",
        Some("nothing to fill in"),
    );
    check(
        "<form action=/find method=post><input name=n><button>Order</button></form>",
        Some("order"),
    );
    check(
        "<form action=/shopping-list/save method=post><input name=n><button>OK</button></form>",
        Some("save"),
    );
    check("<form action=/book><input name=q><button>Apply</button></form>", None);
}

#[test]
fn products_grow_only_from_fields_whose_results_differ() {
    let html = "<form action=f><select name=sort><option>up<option>down</select><select name=kind><option>a<option>b<option>c</select>\
        <select name=place><option>x<option>y</select></form>";
    let choices = ["sort", "kind", "place"].map(|name| choice(name, Values::Options));
    let plan = plan(html, Method::Get, choices.to_vec()).expect("the form can be sent");
    // The sort order changes nothing; kind and place do.
    let mut n_sent = 0;
    let mut results = |requests: &[crate::page::Request]| -> Vec<Option<u64>> {
        n_sent += requests.len();
        let shown = |request: &crate::page::Request| {
            let pairs = request.url.query_pairs().filter(|(name, _)| name != "sort");
            Some(
                pairs
                    .flat_map(|(_, value)| value.bytes().collect::<Vec<u8>>())
                    .fold(0, |sum, byte| sum * 256 + u64::from(byte)),
            )
        };
        requests.iter().map(shown).collect()
    };
    let chosen = choose_product(&plan, &ProductOptions::default(), &mut results);
    assert_eq!((chosen, n_sent), (vec![1, 2], 2 + 3 + 2 + 6));
    let nothing = choose_product(&plan, &ProductOptions::default(), &mut |requests| {
        vec![Some(1); requests.len()]
    });
    assert_eq!(
        nothing,
        Vec::<usize>::new(),
        "one submission is enough where nothing differs"
    );
}

#[test]
fn a_signature_forgets_order_menus_and_counters() {
    let form_page = page("<a href=/>Home</a><form></form>");
    let signature = |html: &str| result_signature(&form_page, &page(html));
    let one = signature("<a href=/>Home</a><form><input value=x></form><a href=1>1</a><a href=2>2</a><p>visitor 17");
    assert_eq!(
        one,
        signature("<a href=/>Home</a><a href=2>2</a><a href=1>1</a><p>visitor 18")
    );
    assert_ne!(one, signature("<a href=/>Home</a><a href=2>2</a>"));
    assert_ne!(signature("<p>Ada"), signature("<p>Bo"));
    assert_eq!(signature("<p>None<form>x</form>"), signature("<form>y</form><p>None"));
}
