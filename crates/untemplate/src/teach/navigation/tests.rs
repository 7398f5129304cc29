//! Navigation on a small site: what is followed, what is asked, what is refused.

use std::collections::HashMap;
use std::sync::Arc;

use expect_test::{Expect, expect};
use url::Url;

use super::super::{Answer, FieldChoice, Question, Specification, TaughtClass, Values, show_specification};
use super::*;
use crate::page::{Event, Method, Page, ParseOptions, Request, Response, Site, Visit};

/// Pages by path and query, with what is sent after a blank.
struct SmallSite {
    pages: HashMap<String, String>,
    asked: Vec<String>,
}

impl Site for SmallSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        requests.iter().map(|request| self.answer(request)).collect()
    }

    fn note(&mut self, _: Event) {}
}

impl SmallSite {
    fn answer(&mut self, request: &Request) -> Visit {
        let path = &request.url[url::Position::BeforePath..];
        let body = String::from_utf8_lossy(&request.body);
        let key = if request.method == Method::Post {
            format!("{path} {body}")
        } else {
            path.to_owned()
        };
        self.asked.push(key.clone());
        match self.pages.get(&key) {
            Some(html) => Visit::Page(Arc::new(Page::read(
                &Response::html(request.url.clone(), html.as_str()),
                &ParseOptions::default(),
            ))),
            None => Visit::Dead {
                reason: format!("{key} is not there"),
            },
        }
    }
}

const MENU: &str =
    "<div class=menu><a href=/>Home</a><a href=/lamps>Lamps</a><a href=/help>Help</a><a href=/about>About</a></div>";

/// A shop: lamps on two list pages, two of which are no lamps but services; a form by POST that
/// finds lamps; a form that orders.
fn shop() -> SmallSite {
    let mut pages = HashMap::new();
    let mut put = |path: &str, html: String| pages.insert(path.to_owned(), format!("{MENU}{html}"));
    let find = "<form method=post action=/find><select name=kind><option value=''>any<option>desk<option>floor</select><input name=words><button>Search</button></form>";
    put(
        "/",
        format!("<h1>Shop</h1>{find}<form method=post action=/order><input name=count><button>Order</button></form>"),
    );
    put("/help", "<h1>Help</h1><p>Call us.".to_owned());
    put("/about", "<h1>About</h1><p>We are us.".to_owned());
    let list = |items: &str, next: &str| format!("<h1>Lamps</h1><ul class=items>{items}</ul><p>{next}");
    let item = |n: u32| format!("<li><a href=/i/{n}>Lamp {n}</a>");
    let items = |range: std::ops::Range<u32>| range.map(item).collect::<String>();
    let more = "<li><a href=/help>Which lamp?</a>";
    put("/lamps", list(&(items(1..5) + more), "<a href='/lamps?p=2'>More</a>"));
    put("/lamps?p=2", list(&items(5..9), "<a href=/lamps>Back</a>"));
    put("/find kind=desk&words=", list(&items(1..3), ""));
    put("/find kind=floor&words=", list(&items(3..6), ""));
    for n in 1..9 {
        put(
            &format!("/i/{n}"),
            format!("<h2>Lamp {n}</h2><table class=facts><tr><th>Price<td>{n}<tr><th>Watts<td>{n}0</table>"),
        );
    }
    let asked = Vec::new();
    SmallSite { pages, asked }
}

/// Answers from a list of what belongs; hears nothing.
struct ListTeacher<'a> {
    belonging: Option<&'a [&'a str]>,
    asked: Vec<String>,
}

impl Teacher for ListTeacher<'_> {
    fn belongs(&mut self, question: &LinkQuestion) -> Option<bool> {
        self.asked.push(format!(
            "{} {} {:?}",
            question.request_class,
            question.address.path(),
            question.words
        ));
        self.belonging.map(|all| all.contains(&question.address.path()))
    }

    fn value(&mut self, _: &Question, _: &str) -> Option<Answer> {
        None
    }

    fn tell(&mut self, _: &str) {}
}

fn address(path: &str) -> Url {
    format!("http://shop.example{path}").parse().expect("a good address")
}

fn links(from: &str, values: &[&str], to: &str) -> Navigation {
    let origin = match from.strip_prefix('/') {
        Some(_) => Origin::Page(address(from)),
        None => Origin::Class(from.to_owned()),
    };
    let shown = values.iter().map(|&value| value.into()).collect();
    Navigation {
        id: String::new(),
        origin,
        to: to.to_owned(),
        means: Means::Links { shown, rule: None },
    }
}

fn form(from: &str, choices: &[(&str, Values)], to: &str) -> Navigation {
    let choice = |(name, values): &(&str, Values)| FieldChoice {
        name: (*name).to_owned(),
        values: values.clone(),
    };
    let fields = choices.iter().map(choice).collect();
    let means = Means::Form { path: None, fields };
    Navigation {
        means,
        ..links(from, &[], to)
    }
}

fn learn(
    navigation: Vec<Navigation>,
    teacher: &mut ListTeacher<'_>,
    site: &mut SmallSite,
) -> Result<LearntNavigation, NavigationError> {
    let shown = ShownSite {
        entries: vec![address("/")],
        entry_class: "HOME".to_owned(),
        navigation,
        target: "ITEM".to_owned(),
        ..ShownSite::default()
    };
    learn_navigation(&shown, &LearnOptions::default(), site, teacher)
}

/// What is learnt, how large the samples are, and what was asked or lost.
fn check(navigation: Vec<Navigation>, belonging: Option<&[&str]>, expected: Expect) {
    let mut teacher = ListTeacher {
        belonging,
        asked: Vec::new(),
    };
    let told = match learn(navigation, &mut teacher, &mut shop()) {
        Ok(learnt) => {
            let sizes: Vec<String> = learnt
                .classes
                .iter()
                .map(|class| format!("{} {}", class.id, class.sample.len()))
                .collect();
            let (asked, lost) = (&teacher.asked, &learnt.lost);
            let told = format!("{}\nasked {asked:?}, lost {lost:?}\n", sizes.join(", "));
            let specification = Specification {
                site: None,
                classes: learnt
                    .classes
                    .iter()
                    .map(|class| TaughtClass::named(&class.id))
                    .collect(),
                paths: paths_to(&["HOME"], &learnt.request_classes, |class| class == "ITEM"),
                request_classes: learnt.request_classes,
            };
            show_specification(&specification) + &told
        }
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&told);
}

#[test]
fn a_list_is_followed_with_its_next_pages_and_without_what_is_no_item() {
    check(
        vec![
            links("/", &["Lamps"], "LIST"),
            links("LIST", &["Lamp 2"], "ITEM"),
            links("LIST", &["More"], "LIST"),
        ],
        None,
        expect![[r#"
            HOME
              -TO-LIST-> LIST by GET
                ABSOLUTE /descendant::a[.='Lamps']/@href
            LIST
              -TO-ITEM-> ITEM by GET
                URL-REGEX /descendant::ul[@class='items']/li/a/@href ^http://shop\.example/i/\d+$
              -NEXT-LIST-> LIST by GET
                ABSOLUTE /descendant::a[.='More']/@href
            ITEM
            path TO-LIST: HOME -TO-LIST-> LIST -TO-ITEM-> ITEM
            HOME 1, LIST 2, ITEM 7
            asked ["TO-LIST / \"Home\"", "TO-ITEM /help \"Help\""], lost []
        "#]],
    );
}

#[test]
fn a_page_that_a_way_leads_to_can_be_named() {
    check(
        vec![
            links("/lamps", &["Lamp 1", "Lamp 3"], "ITEM"),
            links("/", &["/lamps"], "LIST"),
        ],
        None,
        expect![[r#"
            HOME
              -TO-LIST-> LIST by GET
                ABSOLUTE /descendant::a[.='Lamps']/@href
            LIST
              -TO-ITEM-> ITEM by GET
                URL-REGEX /descendant::ul[@class='items']/li/a/@href ^http://shop\.example/i/\d+$
            ITEM
            path TO-LIST: HOME -TO-LIST-> LIST -TO-ITEM-> ITEM
            HOME 1, LIST 1, ITEM 4
            asked ["TO-LIST / \"Home\"", "TO-ITEM /help \"Help\""], lost []
        "#]],
    );
}

#[test]
fn forms_are_sent_a_few_times_and_not_at_all_where_they_may_change_something() {
    let kinds = [("kind", Values::Options), ("words", Values::Constant(String::new()))];
    check(
        vec![form("HOME", &kinds, "LIST"), links("LIST", &["Lamp 2"], "ITEM")],
        None,
        expect![[r#"
            HOME
              -TO-LIST-> LIST by POST
                form /descendant::form[@action='/find']
                  kind = each option
                  words = ""
            LIST
              -TO-ITEM-> ITEM by GET
                ABSOLUTE /descendant::ul[@class='items']/li/a/@href
            ITEM
            path TO-LIST: HOME -TO-LIST-> LIST -TO-ITEM-> ITEM
            HOME 1, LIST 2, ITEM 5
            asked ["TO-ITEM /i/1 \"Lamp 1\""], lost []
        "#]],
    );
    check(
        vec![form("HOME", &[("count", Values::Constant("1".to_owned()))], "ITEM")],
        None,
        expect![[r#"
            HOME
              -TO-ITEM-> ITEM by POST
                form /descendant::form[@action='/order']
                  count = "1"
            path TO-ITEM: HOME -TO-ITEM-> ITEM
            HOME 1
            asked [], lost ["TO-ITEM: its form is sent by POST and may change something on the site: one of its words is \"order\"; it was not tried, name it with --send to do so"]
        "#]],
    );
}

#[test]
fn what_cannot_be_understood_is_told() {
    check(
        vec![links("/", &["Chairs"], "LIST")],
        None,
        expect![[r#"
        http://shop.example/: there is no link that reads "Chairs" or leads there
    "#]],
    );
    check(
        vec![links("LIST", &["Lamp 2"], "ITEM")],
        None,
        expect![[r#"
        no page of the class LIST is known; show navigation that leads there, or one of its pages under `classes`
    "#]],
    );
    check(
        vec![links("/lamps", &["Lamp 2"], "ITEM")],
        None,
        expect![[r#"
        nothing says which class http://shop.example/lamps is of; show navigation that leads there, or name it under `classes`
    "#]],
    );
    check(
        vec![form("HOME", &[("colour", Values::Options)], "LIST")],
        None,
        expect![[r#"
        no form of http://shop.example/ has these fields; it has forms with ["kind, words", "count"]
    "#]],
    );
}

#[test]
fn the_same_lesson_gives_the_same_navigation_and_asks_for_each_page_once() {
    let navigation = || vec![links("/", &["Lamps"], "LIST"), links("LIST", &["Lamp 2"], "ITEM")];
    let run = || {
        let mut site = shop();
        let mut teacher = ListTeacher {
            belonging: None,
            asked: Vec::new(),
        };
        let learnt = learn(navigation(), &mut teacher, &mut site).expect("it is understood");
        let mut asked = site.asked.clone();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(asked.len(), site.asked.len(), "{:?}", site.asked);
        (learnt.request_classes, site.asked)
    };
    assert_eq!(run(), run());
}
