//! Tests of whole jobs, on small sites written here.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use url::Url;

use super::*;
use crate::page::{Page, ParseOptions, Response};
use crate::site::GatherOptions;
use crate::site::map_site::{MapSite, site_url};

const WORDS: [&str; 12] = [
    "lamp", "chair", "table", "stove", "mirror", "carpet", "basket", "ladder", "kettle", "pillow", "hammer", "candle",
];

/// A name of two words that no other number has.
fn name(number: usize) -> String {
    format!("{} {}", WORDS[number % 12], WORDS[number / 12 % 12])
}

/// A shop of this many things in lists of ten, with whatever else.
fn shop(n_things: usize, more: Vec<(String, String)>) -> MapSite {
    let page = |body: String| {
        format!("<title>Shop</title><p class=menu><a href=/>Home</a> <a href=/list/1.html>Things</a></p>{body}")
    };
    let mut pages = vec![(
        "/".to_owned(),
        page("<h1>Welcome</h1><p class=hello>Come in</p><a href=/calendar/1.html>Calendar</a>".to_owned()),
    )];
    for list in 0..n_things.div_ceil(10) {
        let items = (list * 10..n_things.min(list * 10 + 10))
            .map(|number| format!("<li class=item><a href=/things/{number}.html>{}</a></li>", name(number)));
        let next = format!("<a class=next href=/list/{}.html>Next</a>", list + 2);
        let body = format!(
            "<h1>Things</h1><ul class=things>{}</ul>{next}",
            items.collect::<String>()
        );
        pages.push((format!("/list/{}.html", list + 1), page(body)));
    }
    for number in 0..n_things {
        // One thing in five was mended, which the first ones met do not show.
        let mended = if number % 5 == 4 {
            format!("<dt>Mended by<dd>{}", name(number + 7))
        } else {
            String::new()
        };
        let facts = format!(
            "<dl class=facts><dt>Price<dd>{number}.50<dt>Maker<dd><a href=/list/1.html>{}</a>{mended}</dl>",
            name(number + 3)
        );
        pages.push((
            format!("/things/{number}.html"),
            page(format!("<h1>{}</h1>{facts}", name(number))),
        ));
    }
    pages.extend(more);
    MapSite::new(pages)
}

fn read(site: &mut MapSite) -> (CrawlResult, BTreeMap<(usize, Url), Vec<u8>>) {
    let mut record_store = BTreeMap::new();
    let crawl_result =
        read_site(site, &mut record_store, &site_url("/"), &JobOptions::default()).expect("memory takes all");
    (crawl_result, record_store)
}

/// The number of pages of the class that the page at a path is of.
fn class_size(crawl_result: &CrawlResult, path: &str) -> usize {
    let (class, _) = crawl_result
        .ledger
        .page_at(site_url(path).as_str())
        .expect("the page was read");
    crawl_result
        .ledger
        .fates()
        .filter(|(_, fate)| *fate == Fate::Read(class as u32))
        .count()
}

fn distinct(site: &MapSite) -> usize {
    site.asked.iter().collect::<HashSet<_>>().len()
}

#[test]
fn every_page_is_read_by_its_class_and_asked_for_once() {
    let mut site = shop(100, Vec::new());
    let n_pages = site.pages.len();
    let (crawl_result, mut record_store) = read(&mut site);
    assert_eq!(class_size(&crawl_result, "/things/4.html"), 100);
    assert_eq!(class_size(&crawl_result, "/list/2.html"), 10);
    // One list has a next page that is not there, and so has the way to the calendar.
    assert_eq!((distinct(&site), crawl_result.n_dead), (n_pages + 2, 2));
    let database = infer_tables(&crawl_result, &mut record_store).expect("memory gives all");
    let mended = |table: usize| {
        let columns = &database.tables[table].columns;
        columns.iter().position(|column| column.name == "mended_by")
    };
    let table = (0..database.tables.len()).find(|&table| mended(table).is_some());
    let table = table.unwrap_or_else(|| panic!("no table says who mended a thing: {database:?}"));
    let column = mended(table).expect("it was found");
    let mut mended = BTreeMap::new();
    fill_tables(&crawl_result, &mut record_store, &database, &mut |number, row| {
        if number == table
            && let (Some(url), Some(by)) = (&row[0], &row[column])
        {
            mended.insert(url.clone(), by.clone());
        }
        Ok(())
    })
    .expect("memory gives all");
    assert_eq!(mended.get(site_url("/things/4.html").as_str()), Some(&name(11)));
    assert_eq!(mended.len(), 20);
}

#[test]
fn a_calendar_without_end_is_left() {
    let month = |number: usize| {
        let body = format!(
            "<title>Shop</title><p class=menu><a href=/>Home</a></p><h2>Month {number}</h2><table class=month><tr><td>Nothing</table><a href=/calendar/{}.html>Next</a>",
            number + 1
        );
        (format!("/calendar/{number}.html"), body)
    };
    let mut site = shop(60, (1..2_000).map(month).collect());
    let (crawl_result, _) = read(&mut site);
    assert_eq!(class_size(&crawl_result, "/things/4.html"), 60);
    assert!(crawl_result.n_left_out > 0);
    assert!(distinct(&site) < 130, "{}", distinct(&site));
}

#[test]
fn one_text_in_two_folders_leads_to_the_pages_of_both() {
    let ways = "<p><a href=/east/index.html>A</a><a href=/west/index.html>B</a>";
    let index = "<h1>Offices</h1><p class=way><a href=office.html>Ours</a>";
    let office = |town: &str| format!("<h1>{town}</h1><p class=office>The office of {town}</p>");
    let mut site = shop(
        30,
        vec![
            ("/calendar/1.html".to_owned(), ways.to_owned()),
            ("/east/index.html".to_owned(), index.to_owned()),
            ("/west/index.html".to_owned(), index.to_owned()),
            ("/east/office.html".to_owned(), office("Ostrava")),
            ("/west/office.html".to_owned(), office("Weimar")),
        ],
    );
    read(&mut site);
    for path in ["/east/office.html", "/west/office.html"] {
        assert!(site.asked.iter().any(|asked| asked.contains(path)), "{path}");
    }
}

#[test]
fn a_page_has_one_row_however_many_addresses() {
    let plain = shop(40, Vec::new());
    let thing = plain.pages["/things/7.html"].clone();
    let canonical = thing
        .replace("<title>", "<link rel=canonical href=/things/7.html><title>")
        .replace("<h1>", "<h1>For print: ");
    let ways = "<p><a href=/copy.html>A</a><a href=/print.html>B</a><a href=/moved.html>C</a>";
    let mut site = shop(
        40,
        vec![
            ("/copy.html".to_owned(), thing),
            ("/print.html".to_owned(), canonical),
            ("/moved.html".to_owned(), "> /things/7.html".to_owned()),
            ("/calendar/1.html".to_owned(), ways.to_owned()),
        ],
    );
    let (crawl_result, _) = read(&mut site);
    let own = |path: &str| {
        crawl_result
            .ledger
            .page_at(site_url(path).as_str())
            .map(|(_, own)| crawl_result.ledger.addresses.text(own).to_owned())
    };
    let first = own("/things/7.html");
    assert!(first.is_some());
    for path in ["/copy.html", "/print.html", "/moved.html"] {
        assert_eq!(own(path), first, "{path}");
    }
    assert_eq!(class_size(&crawl_result, "/things/7.html"), 40);
}

#[test]
fn lists_that_name_their_first_page_are_read() {
    let mut site = shop(80, Vec::new());
    for (path, text) in &mut site.pages {
        if path.starts_with("/list/") {
            *text = text.replace("<title>", "<link rel=canonical href=/list/1.html><title>");
        }
    }
    let (crawl_result, _) = read(&mut site);
    assert_eq!(class_size(&crawl_result, "/list/1.html"), 8);
}

#[test]
fn a_stop_leaves_what_was_read() {
    let mut site = shop(100, Vec::new());
    site.requests_max = Some(90);
    let (crawl_result, _) = read(&mut site);
    assert!(crawl_result.is_stopped);
    let n_read = crawl_result
        .ledger
        .fates()
        .filter(|(_, fate)| matches!(fate, Fate::Read(_)))
        .count();
    assert!(n_read > 0 && n_read < 100, "{n_read}");
}

#[test]
fn broken_pages_are_losses() {
    let mut site = shop(30, vec![("/calendar/1.html".to_owned(), "!".to_owned())]);
    let (crawl_result, _) = read(&mut site);
    assert_eq!(crawl_result.losses.len(), 1);
}

#[test]
fn pages_like_a_sample_are_read_and_no_others() {
    let mut site = shop(60, Vec::new());
    let url = site_url("/things/5.html");
    let sample = Arc::new(Page::read(
        &Response::html(url, site.pages["/things/5.html"].as_str()),
        &ParseOptions::default(),
    ));
    let mut record_store: BTreeMap<(usize, Url), Vec<u8>> = BTreeMap::new();
    let (crawl_result, gathered) = read_like(
        &mut site,
        &mut record_store,
        &sample,
        &GatherOptions::default(),
        &JobOptions::default(),
    )
    .expect("memory takes all");
    assert_eq!(gathered.pages.len(), 60);
    assert_eq!(crawl_result.readers.len(), 1);
    assert_eq!(class_size(&crawl_result, "/things/4.html"), 60);
    let database = infer_tables(&crawl_result, &mut record_store).expect("memory gives all");
    let mut n_rows = vec![0; database.tables.len()];
    fill_tables(&crawl_result, &mut record_store, &database, &mut |table, _| {
        n_rows[table] += 1;
        Ok(())
    })
    .expect("memory gives all");
    assert_eq!(n_rows.first(), Some(&60), "{database:?}");
}
