//! Made sites, and crawls of them with a trap guard.

use std::collections::{BTreeSet, HashSet, VecDeque};

use expect_test::Expect;
use untemplate::page::{Page, ParseOptions, Response, links};
use untemplate_crawl::{PageFacts, TrapGuard, TrapOptions};
use url::Url;

/// A made site: an address to a page, and the pages that one would want of it.
pub struct MadeSite<'a> {
    pub answer: &'a dyn Fn(&Url) -> Option<String>,
    pub real: BTreeSet<String>,
}

/// Where each crawl stops if the guard does not stop it.
const FETCHES_MAX: usize = 30_000;

pub struct Crawl {
    pub n_fetched: usize,
    /// What was fetched, without session names.
    pub reached: HashSet<String>,
    pub guard: TrapGuard,
}

/// In which order known addresses are fetched.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    First,
    Last,
    Any,
}

/// Crawls a site in an order: the frontier's own is first come, first served.
pub fn crawl(site: &MadeSite<'_>, order: Order) -> Crawl {
    let seed = Url::parse("http://site.example/").expect("a good address");
    let mut guard = TrapGuard::new(TrapOptions::default());
    let mut known = HashSet::from([seed.clone()]);
    let mut n_turns = 0_usize;
    let mut queue = VecDeque::from([(seed, None::<Url>)]);
    let (mut reached, mut n_fetched) = (HashSet::new(), 0);
    let mut next = |queue: &mut VecDeque<(Url, Option<Url>)>| {
        n_turns += 1;
        match order {
            Order::First => queue.pop_front(),
            Order::Last => queue.pop_back(),
            Order::Any => queue.swap_remove_back(n_turns * 7_919 % queue.len().max(1)),
        }
    };
    while let Some((url, found_on)) = next(&mut queue) {
        if n_fetched == FETCHES_MAX || guard.check(&url, found_on.as_ref()).is_some() {
            continue;
        }
        n_fetched += 1;
        let Some(html) = (site.answer)(&url) else { continue };
        let page = Page::read(&Response::html(url.clone(), html), &ParseOptions::default());
        reached.insert(
            url.as_str()
                .split("sid=")
                .next()
                .unwrap_or("")
                .trim_end_matches(['?', '&'])
                .to_owned(),
        );
        let links = links(&page);
        guard.take(&PageFacts::of(&page, &url, found_on.as_ref()));
        let new_links = links
            .into_iter()
            .map(|link| link.url)
            .filter(|url| known.insert(url.clone()));
        queue.extend(new_links.map(|link| (link, Some(url.clone()))));
    }
    Crawl {
        n_fetched,
        reached,
        guard,
    }
}

pub fn check_crawl(site: &MadeSite<'_>, expected: Expect) {
    let mut told = String::new();
    for order in [Order::First, Order::Last, Order::Any] {
        let crawl = crawl(site, order);
        let n_reached = site.real.iter().filter(|url| crawl.reached.contains(*url)).count();
        told += &format!(
            "{order:?}: {} fetched, {n_reached} of {} real pages\n",
            crawl.n_fetched,
            site.real.len()
        );
        for trap in crawl.guard.frozen() {
            told += &format!("{trap}\n");
        }
        check_stored(&crawl.guard);
    }
    expected.assert_eq(&told);
}

fn check_stored(guard: &TrapGuard) {
    let text = guard.to_text();
    let restored = TrapGuard::from_text(&text, TrapOptions::default()).expect("what was written can be read");
    assert_eq!(restored.to_text(), text);
}

pub fn real(paths: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    paths
        .into_iter()
        .map(|path| format!("http://site.example{path}"))
        .collect()
}

pub fn frame(title: &str, body: &str) -> String {
    format!(
        "<html><head><title>{title}</title></head><body><ul><li><a href=/>Home</a></li><li><a href=/about>About us</a></li></ul>\
         <h1>{title}</h1>{body}<p>All rights reserved by the people who made this site with so much care and little sleep.</p>"
    )
}

/// Links in a list.
pub fn list(links: impl IntoIterator<Item = (String, String)>) -> String {
    let items = links
        .into_iter()
        .map(|(url, text)| format!("<li><a href='{url}'>{text}</a></li>"));
    format!("<ol>{}</ol>", items.collect::<String>())
}

/// A value of the query.
pub fn value(url: &Url, key: &str) -> Option<String> {
    url.query_pairs()
        .find(|(its_key, _)| its_key == key)
        .map(|(_, value)| value.into_owned())
}

pub fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Made words, the same for the same number: a title, a description.
pub fn words(seed: i64, count: usize) -> String {
    let syllables = ["ka", "lo", "mi", "nu", "re", "so", "ti", "va", "ze", "bo", "du", "fe"];
    let mut state = (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        syllables[(state % 12) as usize]
    };
    let word = |draw: &mut dyn FnMut() -> &'static str| (0..3).map(|_| draw()).collect::<String>();
    (0..count).map(|_| word(&mut draw)).collect::<Vec<_>>().join(" ")
}

pub fn paginated(last: i64, past_the_end: &'static str) -> impl Fn(&Url) -> Option<String> {
    move |url: &Url| -> Option<String> {
        if let Some(item) = url.path().strip_prefix("/item/") {
            return Some(frame(&words(number(item)?, 2), &words(number(item)? + 900, 20)));
        }
        if url.path() == "/" {
            return Some(frame("Home", "<p><a href='/list?page=1'>List</a>"));
        }
        let page = number(&value(url, "page")?)?;
        let shown = if past_the_end == "the last page" {
            page.min(last)
        } else {
            page
        };
        let items = (shown * 5..shown * 5 + 5).filter(|_| shown <= last);
        let items = items.map(|item| (format!("/item/{item}"), words(item, 2)));
        let bar = (page.max(3) - 2..page + 3).map(|page| (format!("/list?page={page}"), page.to_string()));
        let title = format!("Page {page}");
        let nothing = if shown > last { past_the_end } else { "" };
        Some(frame(
            &title,
            &format!("{}<p>{nothing}</p><nav>{}</nav>", list(items), list(bar)),
        ))
    }
}
