//! Made sites that are only large, crawled with a trap guard in three orders: it must not refuse a
//! single page of them.

mod politeness_site;

use expect_test::expect;
use politeness_site::{MadeSite, check_crawl, frame, list, number, paginated, real, value, words};
use proptest::prelude::*;
use untemplate::page::{Page, ParseOptions, Response};
use untemplate_crawl::{
    PageFacts, Probe, TrapGuard, TrapOptions, UrlRules, headers_allow_following, page_allows_following,
};
use url::Url;

#[test]
fn a_real_archive_of_2_000_pages() {
    let answer = paginated(2_000, "");
    let finite = |url: &Url| {
        let page = value(url, "page").and_then(|page| number(&page)).unwrap_or(0);
        if page > 2_000 { None } else { answer(url) }
    };
    let site = MadeSite {
        answer: &finite,
        real: real((1..=2_000).map(|page| format!("/list?page={page}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 12004 fetched, 2000 of 2000 real pages
        Last: 12004 fetched, 2000 of 2000 real pages
        Any: 12004 fetched, 2000 of 2000 real pages
    "#]],
    );
}

#[test]
fn a_real_list_of_5_000_pages_that_say_what_the_list_said() {
    let answer = |url: &Url| -> Option<String> {
        let item = |item: i64| {
            (
                format!("/items/{item}"),
                format!("{} {}.50 EUR", words(item, 2), item % 90),
            )
        };
        if let Some(number_text) = url.path().strip_prefix("/items/").filter(|rest| !rest.is_empty()) {
            let number = number(number_text)?;
            let neighbours = [number - 1, number + 1]
                .into_iter()
                .filter(|number| (0..5_000).contains(number));
            let turns = neighbours.map(|number| (format!("/items/{number}"), "Neighbour".to_owned()));
            return Some(frame("Item", &format!("<h2>{}</h2>{}", item(number).1, list(turns))));
        }
        let page = number(&value(url, "page").unwrap_or("0".to_owned()))?;
        match url.path() {
            "/" => Some(frame("Home", "<p><a href=/items/>Items</a>")),
            "/items/" => {
                let pages = (0..50).map(|page| (format!("/items/?page={page}"), page.to_string()));
                Some(frame(
                    "Items",
                    &(list((page * 100..page * 100 + 100).map(item)) + "<hr>" + &list(pages)),
                ))
            }
            _ => None,
        }
    };
    let site = MadeSite {
        answer: &answer,
        real: real((0..5_000).map(|item| format!("/items/{item}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 5053 fetched, 5000 of 5000 real pages
        Last: 5053 fetched, 5000 of 5000 real pages
        Any: 5053 fetched, 5000 of 5000 real pages
    "#]],
    );
}

#[test]
fn a_real_archive_of_news_by_date() {
    // Nine years of days, one after the other by links to yesterday and tomorrow; a hundred days a
    // year have no news.
    let link = |day: i64| format!("/{}/{:02}/{:02}/", 2010 + day / 372, day / 31 % 12 + 1, day % 31 + 1);
    let has_news = |day: i64| day % 372 >= 100;
    let answer = |url: &Url| -> Option<String> {
        let parts: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
        match parts[..] {
            [] => Some(frame("News", &list([(link(3_347), "Today".to_owned())]))),
            ["story", story] => Some(frame(&words(number(story)?, 4), &words(number(story)? + 3, 40))),
            [year, month, day] => {
                let day = (number(year)? - 2010) * 372 + (number(month)? - 1) * 31 + number(day)? - 1;
                let stories = (0..3).filter(|_| has_news(day));
                let stories = stories.map(|story| (format!("/story/{}", day * 3 + story), words(day * 3 + story, 4)));
                let turns = [day - 1, day + 1].into_iter().filter(|day| (0..3_348).contains(day));
                let turns = turns.map(|day| (link(day), "Another day".to_owned()));
                Some(frame(
                    &format!("News of {}", link(day)),
                    &format!("<nav>{}</nav>{}", list(turns), list(stories)),
                ))
            }
            _ => None,
        }
    };
    let stories = (0..3_348)
        .filter(|day| has_news(*day))
        .flat_map(|day| (0..3).map(move |story| format!("/story/{}", day * 3 + story)));
    let site = MadeSite {
        answer: &answer,
        real: real(stories),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 10694 fetched, 7344 of 7344 real pages
        Last: 10694 fetched, 7344 of 7344 real pages
        Any: 10694 fetched, 7344 of 7344 real pages
    "#]],
    );
}

#[test]
fn a_real_chain_of_tables_that_differ_in_numbers() {
    let answer = |url: &Url| -> Option<String> {
        if url.path() == "/" {
            return Some(frame("Home", "<p><a href=/table/1000>Tables</a>"));
        }
        let table = number(url.path().strip_prefix("/table/")?)?;
        let cells: String = (1..=8)
            .map(|cell| format!("<td>{}.{}", table * cell * 37 % 1009, table * cell % 97))
            .collect();
        let next = (table < 2_000).then(|| (format!("/table/{}", table + 1), "Next".to_owned()));
        Some(frame("Table", &format!("<table><tr>{cells}</table>{}", list(next))))
    };
    let site = MadeSite {
        answer: &answer,
        real: real((1_000..=2_000).map(|table| format!("/table/{table}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 1003 fetched, 1001 of 1001 real pages
        Last: 1003 fetched, 1001 of 1001 real pages
        Any: 1003 fetched, 1001 of 1001 real pages
    "#]],
    );
}

#[test]
fn a_real_album_and_a_real_journal_without_words() {
    let answer = |url: &Url| -> Option<String> {
        let next = |folder: &str, number: i64| {
            let next = (number < 600).then(|| (format!("/{folder}/{}", number + 1), "Next".to_owned()));
            list(next)
        };
        if let Some(photo) = url.path().strip_prefix("/photo/") {
            let photo = number(photo)?;
            return Some(frame(
                "Photo",
                &format!("<img src='/files/{photo}.jpg'>{}", next("photo", photo)),
            ));
        }
        if let Some(issue) = url.path().strip_prefix("/issue/") {
            let issue = number(issue)?;
            return Some(frame(
                &format!("Issue {issue}"),
                &format!("<a href='/files/{issue}.pdf'>Download</a>{}", next("issue", issue)),
            ));
        }
        (url.path() == "/").then(|| frame("Home", "<p><a href=/photo/1>Photos</a><a href=/issue/1>Journal</a>"))
    };
    let pages = (1..=600).flat_map(|number| [format!("/photo/{number}"), format!("/issue/{number}")]);
    let site = MadeSite {
        answer: &answer,
        real: real(pages),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 1802 fetched, 1200 of 1200 real pages
        Last: 1802 fetched, 1200 of 1200 real pages
        Any: 1802 fetched, 1200 of 1200 real pages
    "#]],
    );
}

#[test]
fn memory_is_bounded() {
    let options = TrapOptions {
        patterns_max: 200,
        memory_max: 500,
        ..TrapOptions::default()
    };
    let mut guard = TrapGuard::new(options);
    for number in 0..3_000_i64 {
        let path = format!(
            "/{}/{}?{}={}",
            words(number, 1),
            words(number + 1, 1),
            words(number + 2, 1),
            words(number, 2)
        );
        let url = Url::parse("http://site.example")
            .expect("a good address")
            .join(&path)
            .expect("a good path");
        let html = frame(&words(number, 3), &words(number, 30));
        let page = Page::read(&Response::html(url.clone(), html), &ParseOptions::default());
        guard.take(&PageFacts::of(&page, &url, None));
        assert!(guard.memory_len() <= 200 + 8 * 500 + 1_000, "{}", guard.memory_len());
    }
    assert!(guard.to_text().len() < 40_000);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing that a page, its address or a stored text holds makes any of it panic.
    #[test]
    fn any_page_and_address_are_taken(
        path in "[/a-c0-9;=?&%.é_-]{0,60}",
        html in "(<(a href|img src|p|meta name=robots content)[= '\"/a-c0-9?&;#.é-]{0,20}>|[a-c0-9 .:/é12024-]{0,12}){0,12}",
        stored in "(untemplate traps 1\n)?((pattern|frozen|frozen-all|parameter) [0-9 ]{0,12}[a-z/#]{0,5}\n){0,4}",
    ) {
        let Ok(url) = Url::parse("http://site.example").and_then(|base| base.join(&path)) else { return Ok(()) };
        let url = UrlRules::default().strip(url);
        let page = Page::read(&Response::html(url.clone(), html.clone()), &ParseOptions::default());
        headers_allow_following(&[&html], "untemplate");
        page_allows_following(&page, "untemplate");
        Probe::of(&url, 200, &page).soft_404(&url, &page);
        let guard = TrapGuard::from_text(&stored, TrapOptions::default());
        let mut guard = guard.unwrap_or_else(|_| TrapGuard::new(TrapOptions::default()));
        for _ in 0..3 {
            guard.check(&url, Some(&url));
            guard.take(&PageFacts::of(&page, &url, Some(&url)));
        }
        TrapGuard::from_text(&guard.to_text(), TrapOptions::default()).expect("what was written can be read");
    }
}
