//! Traps: made sites that go on for ever, crawled with a trap guard in three orders.
//!
//! What counts: every real page is reached, and what a trap costs is bounded. The figures stand in
//! the expectations, so that a change of a threshold shows what it does.

mod politeness_site;

use expect_test::expect;
use politeness_site::{MadeSite, Order, check_crawl, crawl, frame, list, number, paginated, real, value, words};
use url::Url;

#[test]
fn a_calendar_without_end() {
    let months = 24_300..24_324;
    let answer = |url: &Url| -> Option<String> {
        let path = url.path();
        if path == "/" {
            return Some(frame(
                "Club",
                &list([("/calendar?month=2026-01".to_owned(), "Calendar".to_owned())]),
            ));
        }
        if let Some(event) = path.strip_prefix("/event/") {
            return Some(frame(&words(number(event)?, 3), &words(number(event)? + 7, 30)));
        }
        let month = value(url, "month")?;
        let (year, month) = month.split_once('-')?;
        let index = number(year)? * 12 + number(month)? - 1;
        let link = |index: i64| format!("/calendar?month={}-{:02}", index / 12, index % 12 + 1);
        let names = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let days: String = (1..=28).map(|day| format!("<td>{day}")).collect();
        let n_events = if months.contains(&index) { 4 } else { 0 };
        let events = (0..n_events).map(|event| (format!("/event/{}", index * 4 + event), words(index * 4 + event, 3)));
        let turns = list([
            (link(index - 1), "Earlier".to_owned()),
            (link(index + 1), "Later".to_owned()),
        ]);
        let title = format!("{} {}", names[(index % 12) as usize], index / 12);
        Some(frame(
            &title,
            &format!("<table><tr>{days}</table>{}{turns}", list(events)),
        ))
    };
    let events = (24_300..24_324).flat_map(|month| (0..4).map(move |event| format!("/event/{}", month * 4 + event)));
    let site = MadeSite {
        answer: &answer,
        real: real(events),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 185 fetched, 96 of 96 real pages
        site.example/calendar?month={date} is frozen: the last 63 of its 87 pages had nothing new and led to nothing new, such as http://site.example/calendar?month=2029-08
        Last: 180 fetched, 96 of 96 real pages
        site.example/calendar?month={date} is frozen: the last 57 of its 69 pages had nothing new and led to nothing new, such as http://site.example/calendar?month=2031-09
        Any: 189 fetched, 96 of 96 real pages
        site.example/calendar?month={date} is frozen: the last 63 of its 91 pages had nothing new and led to nothing new, such as http://site.example/calendar?month=2022-01
    "#]],
    );
}

#[test]
fn a_calendar_of_months_and_days_in_two_folders() {
    let answer = |url: &Url| -> Option<String> {
        let path = url.path();
        if path == "/" {
            return Some(frame(
                "Club",
                &list([("/month/24300".to_owned(), "Calendar".to_owned())]),
            ));
        }
        if let Some(day) = path.strip_prefix("/day/") {
            let day = number(day)?;
            let turns = [
                format!("/day/{}", day - 1),
                format!("/day/{}", day + 1),
                format!("/month/{}", day / 30),
            ];
            return Some(frame("One day", &list(turns.map(|link| (link, "Turn".to_owned())))));
        }
        let month = number(path.strip_prefix("/month/")?)?;
        let days = (0..30).map(|day| (format!("/day/{}", month * 30 + day), (day + 1).to_string()));
        let turns = list([month - 1, month + 1].map(|month| (format!("/month/{month}"), "Turn".to_owned())));
        Some(frame("One month", &format!("<nav>{turns}</nav>{}", list(days))))
    };
    let site = MadeSite {
        answer: &answer,
        real: real(["/month/24300".to_owned()]),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 1665 fetched, 1 of 1 real pages
        site.example/day/# is frozen: the last 51 of its 1611 pages had nothing new and led to nothing new, such as http://site.example/day/729805
        site.example/month/# is frozen: the last 51 of its 52 pages had nothing new and led to nothing new, such as http://site.example/month/24274
        Last: 1654 fetched, 1 of 1 real pages
        site.example/day/# is frozen: the last 51 of its 53 pages had nothing new and led to nothing new, such as http://site.example/day/729109
        site.example/month/# is frozen: the last 51 of its 53 pages had nothing new and led to nothing new, such as http://site.example/month/24353
        Any: 1626 fetched, 1 of 1 real pages
        site.example/day/# is frozen: the last 51 of its 1571 pages had nothing new and led to nothing new, such as http://site.example/day/729634
        site.example/month/# is frozen: the last 51 of its 52 pages had nothing new and led to nothing new, such as http://site.example/month/24320
    "#]],
    );
}

#[test]
fn a_session_in_every_link() {
    let counter = std::cell::Cell::new(1_u64);
    let session = || {
        counter.set(counter.get() + 1);
        let hash = counter.get().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        format!("{:016x}{:016x}", hash, hash.rotate_left(29) ^ 0x5bd1_e995)
    };
    let answer = |url: &Url| -> Option<String> {
        let page = number(url.path().strip_prefix("/p")?.strip_prefix('/').unwrap_or("0")).unwrap_or(0);
        let next = [page * 2 + 1, page * 2 + 2, page / 2, (page * 7) % 200]
            .into_iter()
            .filter(|page| *page < 200);
        let links = next.map(|page| (format!("/p/{page}?sid={}", session()), words(page, 2)));
        Some(frame(&words(page, 3), &(words(page + 1_000, 25) + &list(links))))
    };
    let home = |url: &Url| match url.path() {
        "/" => Some(frame("Home", "<p><a href=/p/0>Begin</a>")),
        _ => answer(url),
    };
    let site = MadeSite {
        answer: &home,
        real: real((0..200).map(|page| format!("/p/{page}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 215 fetched, 200 of 200 real pages
        Last: 231 fetched, 200 of 200 real pages
        Any: 215 fetched, 200 of 200 real pages
    "#]],
    );
}

#[test]
fn facets_that_combine() {
    let facets: [(&str, &[&str]); 6] = [
        ("colour", &["red", "green", "blue", "black"]),
        ("size", &["s", "m", "l", "xl"]),
        ("brand", &["acme", "bolt", "cora", "dune", "echo"]),
        ("price", &["10", "50", "100"]),
        ("sort", &["name", "price", "new"]),
        ("view", &["grid", "list"]),
    ];
    let answer = |url: &Url| -> Option<String> {
        if let Some(item) = url.path().strip_prefix("/item/") {
            return Some(frame(&words(number(item)?, 2), &words(number(item)? + 900, 20)));
        }
        if url.path() == "/" {
            return Some(frame("Home", "<p><a href=/shop>Shop</a>"));
        }
        if url.path() != "/shop" {
            return None;
        }
        let chosen: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let fits = |item: i64| {
            facets.iter().enumerate().take(4).all(|(index, (key, values))| {
                let choice = chosen.iter().find(|(its_key, _)| its_key == key);
                choice.is_none_or(|(_, value)| values[(item / (index as i64 + 1)) as usize % values.len()] == value)
            })
        };
        let items = (0..200)
            .filter(|item| fits(*item))
            .map(|item| (format!("/item/{item}"), words(item, 2)));
        let choices = facets
            .iter()
            .flat_map(|(key, values)| values.iter().map(move |value| (*key, *value)));
        let choices = choices.map(|(key, value)| {
            let mut all: Vec<(String, String)> = chosen.iter().filter(|(its_key, _)| its_key != key).cloned().collect();
            all.push((key.to_owned(), value.to_owned()));
            all.sort();
            let query: Vec<String> = all.iter().map(|(key, value)| format!("{key}={value}")).collect();
            (format!("/shop?{}", query.join("&")), value.to_owned())
        });
        let filters = format!("<nav>{}</nav>", list(choices));
        Some(frame("Shop", &(filters + &list(items))))
    };
    let site = MadeSite {
        answer: &answer,
        real: real((0..200).map(|item| format!("/item/{item}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 292 fetched, 200 of 200 real pages
        site.example/shop?… is frozen: the last 81 of its 90 pages had nothing new and led to nothing new, such as http://site.example/shop?colour=black&view=list
        Last: 284 fetched, 200 of 200 real pages
        site.example/shop?… is frozen: the last 81 of its 82 pages had nothing new and led to nothing new, such as http://site.example/shop?brand=bolt&price=100&size=s&sort=name&view=list
        Any: 291 fetched, 200 of 200 real pages
        site.example/shop?… is frozen: the last 81 of its 89 pages had nothing new and led to nothing new, such as http://site.example/shop?brand=bolt&price=50&sort=price&view=list
    "#]],
    );
}

#[test]
fn facets_in_the_path() {
    let facets = [
        "red", "green", "blue", "small", "large", "cheap", "new", "used", "wool", "silk",
    ];
    let answer = |url: &Url| -> Option<String> {
        let path = url.path();
        if let Some(item) = path.strip_prefix("/item/") {
            return Some(frame(&words(number(item)?, 2), &words(number(item)? + 900, 20)));
        }
        if path == "/" {
            return Some(frame("Home", "<p><a href=/shop/>Shop</a>"));
        }
        let chosen: Vec<&str> = path
            .strip_prefix("/shop/")?
            .split('/')
            .filter(|facet| !facet.is_empty())
            .collect();
        let seed = chosen.iter().map(|facet| facet.len()).sum::<usize>() as i64;
        let items = (0..200).filter(|item| chosen.is_empty() || (item + seed) % 3 == 0);
        let items = items.map(|item| (format!("/item/{item}"), words(item, 2)));
        let choices = facets.iter().filter(|facet| !chosen.contains(facet));
        let choices = choices.map(|facet| (format!("{}{facet}/", path), (*facet).to_owned()));
        Some(frame("Shop", &format!("<nav>{}</nav>{}", list(choices), list(items))))
    };
    let site = MadeSite {
        answer: &answer,
        real: real((0..200).map(|item| format!("/item/{item}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 354 fetched, 200 of 200 real pages
        site.example/shop/… is frozen: the last 151 of its 152 pages had nothing new and led to nothing new, such as http://site.example/shop/red/used/small/
        Last: 355 fetched, 200 of 200 real pages
        site.example/shop/… is frozen: the last 151 of its 153 pages had nothing new and led to nothing new, such as http://site.example/shop/silk/wool/used/new/cheap/blue/large/red/green/small/
        Any: 354 fetched, 200 of 200 real pages
        site.example/shop/… is frozen: the last 151 of its 152 pages had nothing new and led to nothing new, such as http://site.example/shop/wool/blue/used/cheap/new/red/silk/
    "#]],
    );
}

#[test]
fn paths_that_lead_into_themselves() {
    let sections = ["docs", "help", "news", "team", "jobs", "faq"];
    let answer = |url: &Url| -> Option<String> {
        let folders: Vec<&str> = url.path().split('/').filter(|folder| !folder.is_empty()).collect();
        let last = folders.last().copied().unwrap_or("home");
        // Whoever made this forgot the slash before the links, and the server looks at the last
        // folder alone.
        let wrong = sections
            .iter()
            .map(|section| (format!("{section}/"), (*section).to_owned()));
        let seed = sections
            .iter()
            .position(|section| *section == last)
            .map_or(900, |index| index as i64 * 100);
        let articles = (0..20).map(|article| (format!("/{last}/article-{}", seed + article), words(seed + article, 3)));
        match last.strip_prefix("article-") {
            Some(article) => Some(frame(&words(number(article)?, 3), &words(number(article)? + 5, 30))),
            None => Some(frame(last, &format!("<nav>{}</nav>{}", list(wrong), list(articles)))),
        }
    };
    let articles = (0..).zip(sections).flat_map(|(index, section)| {
        (0..20).map(move |article| format!("/{section}/article-{}", index * 100 + article))
    });
    let site = MadeSite {
        answer: &answer,
        real: real(articles),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 168 fetched, 120 of 120 real pages
        Last: 185 fetched, 120 of 120 real pages
        Any: 184 fetched, 120 of 120 real pages
    "#]],
    );
}

#[test]
fn pagination_past_the_end() {
    for past_the_end in ["Nothing was found.", "the last page"] {
        let answer = paginated(50, past_the_end);
        let site = MadeSite {
            answer: &answer,
            real: real((5..255).map(|item| format!("/item/{item}"))),
        };
        let crawl = crawl(&site, Order::First);
        assert!(crawl.n_fetched < 450, "{past_the_end} {}", crawl.n_fetched);
        assert!(site.real.iter().all(|url| crawl.reached.contains(url)));
    }
    let answer = paginated(50, "Nothing was found.");
    let site = MadeSite {
        answer: &answer,
        real: real((5..255).map(|item| format!("/item/{item}"))),
    };
    check_crawl(
        &site,
        expect![[r#"
        First: 380 fetched, 250 of 250 real pages
        site.example/list?page=# is frozen: the last 76 of its 128 pages had nothing new and led to nothing new, such as http://site.example/list?page=128
        Last: 368 fetched, 250 of 250 real pages
        site.example/list?page=# is frozen: the last 64 of its 90 pages had nothing new and led to nothing new, such as http://site.example/list?page=179
        Any: 380 fetched, 250 of 250 real pages
        site.example/list?page=# is frozen: the last 76 of its 128 pages had nothing new and led to nothing new, such as http://site.example/list?page=128
    "#]],
    );
}
