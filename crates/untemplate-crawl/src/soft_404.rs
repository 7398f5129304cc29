//! Soft 404s: pages that say "not found" with a status that says otherwise.
//!
//! In: the answer to a probe, an address of the same host that nobody has linked to; and a page.
//! Out: whether the page is the probe's answer again: the same redirect, or the same text but for
//! numbers and for what the address echoes. A host that answers the probe with 404 or 410 is
//! honest, and none of its pages is judged.

use std::collections::BTreeSet;

use untemplate::page::{NodeId, Page};
use url::Url;

use crate::state_text::{StateReader, StateTextError, StateWriter};

const KIND: &str = "probe";
const VERSION: u32 = 1;

/// What a host answers for an address that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Whether it said so.
    pub is_honest: bool,
    /// Where the probe was sent on to, if it was.
    pub target: Option<Url>,
    /// The text of the answer, as shingles.
    shingles: BTreeSet<u64>,
}

/// How alike a page and the probe's answer must be: shingles that both have, of all that either
/// has.
const ALIKE_MIN: f64 = 0.9;

/// How many shingles either may have alone: those that one word makes. A share would not do by
/// itself: on a template with menus of a thousand words a real page with one sentence of its own is
/// 98 % the probe's answer.
const ALONE_MAX: usize = SHINGLE_WORDS;

/// Words of a shingle, and how few words of a text say nothing at all.
const SHINGLE_WORDS: usize = 4;
const WORDS_MIN: usize = 8;

/// Words that are looked at.
const WORDS_MAX: usize = 5_000;

/// An address on the host of `url` that does not exist, in the folder of `url`; `seed` is any
/// number.
pub fn probe_url(url: &Url, seed: u64) -> Url {
    let mut probe = url.clone();
    probe.set_query(None);
    probe.set_fragment(None);
    let folder = url.path().rfind('/').map_or("/", |slash| &url.path()[..=slash]);
    let mut state = seed ^ 0x9E37_79B9_7F4A_7C15;
    let letters: String = (0..20)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + (state >> 33) as u8 % 26)
        })
        .collect();
    probe.set_path(&format!("{folder}{letters}.html"));
    probe
}

impl Default for Probe {
    /// A host that nobody could ask is taken to be honest.
    fn default() -> Self {
        Self {
            is_honest: true,
            target: None,
            shingles: BTreeSet::new(),
        }
    }
}

impl Probe {
    /// What the answer to a probe tells: its status, and the page that came, with its address after
    /// redirects.
    pub fn of(asked: &Url, status: u16, page: &Page) -> Self {
        Self {
            is_honest: !(200..300).contains(&status),
            target: (page.url != *asked).then(|| page.url.clone()),
            shingles: shingles(page, asked),
        }
    }

    /// The probe as text for the store.
    pub fn to_text(&self) -> String {
        let mut writer = StateWriter::new(KIND, VERSION);
        writer.line("honest", self.is_honest);
        writer.optional_line("target", self.target.as_ref());
        let shingles: Vec<String> = self.shingles.iter().map(u64::to_string).collect();
        writer.line("shingles", shingles.join(" "));
        writer.finish()
    }

    /// A probe from text that [`Probe::to_text`] made.
    pub fn from_text(text: &str) -> Result<Self, StateTextError> {
        let reader = StateReader::new(text, KIND, VERSION)?;
        let shingles: String = reader.value("shingles")?;
        let shingles: Result<_, _> = shingles.split_ascii_whitespace().map(str::parse).collect();
        Ok(Self {
            is_honest: reader.value("honest")?,
            target: reader.optional_value("target")?,
            shingles: shingles.map_err(|_| reader.bad_line("shingles"))?,
        })
    }

    /// Why a page is a soft 404, if it is one; `asked` is the address that was asked for.
    pub fn soft_404(&self, asked: &Url, page: &Page) -> Option<String> {
        // A host that shows its home page for whatever it lacks has a home page all the same.
        if self.is_honest || asked.path() == "/" || self.target.as_ref() == Some(asked) {
            return None;
        }
        if self.target.is_some() && page.url != *asked && self.target.as_ref() == Some(&page.url) {
            return Some(format!(
                "{asked} leads to {}, as does an address that does not exist",
                page.url
            ));
        }
        let shingles = shingles(page, asked);
        let is_close = |left: &BTreeSet<u64>, right: &BTreeSet<u64>| left.difference(right).count() <= ALONE_MAX;
        let likeness = likeness(&self.shingles, &shingles);
        let is_alike =
            likeness >= ALIKE_MIN && is_close(&self.shingles, &shingles) && is_close(&shingles, &self.shingles);
        is_alike.then(|| {
            let percent = (likeness * 100.0).round();
            format!("{asked} says what an address that does not exist says ({percent} % alike)")
        })
    }
}

/// Shared over all; 0 where either says nothing.
fn likeness(left: &BTreeSet<u64>, right: &BTreeSet<u64>) -> f64 {
    let n_shared = left.intersection(right).count();
    if n_shared == 0 {
        return 0.0;
    }
    n_shared as f64 / (left.len() + right.len() - n_shared) as f64
}

/// The shingles of a page's text, without numbers and without words that echo its address.
fn shingles(page: &Page, asked: &Url) -> BTreeSet<u64> {
    let echoed = format!("{}?{}", asked.path(), asked.query().unwrap_or("")).to_lowercase();
    let text = page.dom.visible_text(NodeId::DOCUMENT);
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_own = |word: &&str| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit());
    let words = words.filter(is_own).map(str::to_lowercase);
    let mut words: Vec<String> = words
        .filter(|word| word.len() < 4 || !echoed.contains(word))
        .take(WORDS_MAX)
        .collect();
    if words.len() < WORDS_MIN {
        return BTreeSet::new();
    }
    // Room at the end, so that the last word is in as many shingles as the others.
    words.resize(words.len() + SHINGLE_WORDS - 1, String::new());
    words.windows(SHINGLE_WORDS).map(hash).collect()
}

fn hash(words: &[String]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use untemplate::page::{ParseOptions, Response};

    const FRAME: &str =
        "<ul><li>Home<li>Shop<li>About us<li>Contact</ul><p>All prices include tax. Made with care since 1990.";

    fn page(url: &Url, body: &str) -> Page {
        let html = format!("{FRAME}{body}");
        Page::read(&Response::html(url.clone(), html), &ParseOptions::default())
    }

    fn url(path: &str) -> Url {
        Url::parse("http://a.example/")
            .expect("a good address")
            .join(path)
            .expect("a good path")
    }

    struct Case {
        probe_status: u16,
        probe_target: Option<&'static str>,
        asked: &'static str,
        target: Option<&'static str>,
        body: &'static str,
    }

    const CASE: Case = Case {
        probe_status: 200,
        probe_target: None,
        asked: "/item/18",
        target: None,
        body: "<h1>Sorry, /item/18 was not found (request 9912)</h1>",
    };

    fn check_soft(case: &Case, expected: Expect) {
        let asked = probe_url(&url("/item/17"), 7);
        let body = format!("<h1>Sorry, {} was not found (request 4711)</h1>", asked.path());
        let probe_page = page(&case.probe_target.map_or(asked.clone(), url), &body);
        let probe = Probe::of(&asked, case.probe_status, &probe_page);
        assert_eq!(
            Probe::from_text(&probe.to_text()).as_ref(),
            Ok(&probe),
            "it survives a restart"
        );
        let answer = page(&url(case.target.unwrap_or(case.asked)), case.body);
        expected.assert_eq(&probe.soft_404(&url(case.asked), &answer).unwrap_or("a page".to_owned()));
    }

    #[test]
    fn a_page_that_says_what_the_probe_said_is_none() {
        let soft = expect!["http://a.example/item/18 says what an address that does not exist says (100 % alike)"];
        check_soft(&CASE, soft);
        let real = "<h1>Blue shirt</h1><p>Wool, washed by hand, in four sizes, from our own sheep.";
        check_soft(&Case { body: real, ..CASE }, expect!["a page"]);
        check_soft(
            &Case {
                probe_status: 404,
                ..CASE
            },
            expect!["a page"],
        );
        check_soft(&Case { asked: "/", ..CASE }, expect!["a page"]);
    }

    #[test]
    fn a_page_that_leads_where_the_probe_led_is_none() {
        let away = Case {
            probe_target: Some("/sorry"),
            target: Some("/sorry"),
            body: "<p>Other words than before, and many of them, each time anew.",
            ..CASE
        };
        let soft =
            expect!["http://a.example/item/18 leads to http://a.example/sorry, as does an address that does not exist"];
        check_soft(&away, soft);
        check_soft(
            &Case {
                asked: "/sorry",
                ..away
            },
            expect!["a page"],
        );
        check_soft(
            &Case {
                target: Some("/item/18-shirt"),
                ..away
            },
            expect!["a page"],
        );
    }

    #[test]
    fn a_page_with_little_of_its_own_is_a_page() {
        check_soft(
            &Case {
                body: "<h1>Blue shirt, 12 EUR</h1>",
                ..CASE
            },
            expect!["a page"],
        );
        check_soft(&Case { body: "", ..CASE }, expect!["a page"]);
        let menu: String = (0..1_000).map(|number| format!("<li>entry{number}a")).collect();
        let (asked, real) = (probe_url(&url("/x"), 1), url("/shirt"));
        let probe = Probe::of(&asked, 200, &page(&asked, &format!("{menu}<p>Nothing here.")));
        let answer = page(&real, &format!("{menu}<p>A shirt of blue wool."));
        assert_eq!(probe.soft_404(&real, &answer), None);
    }

    #[test]
    fn probes_stay_in_the_folder_and_differ() {
        let base = url("/a/b?c=1#d");
        assert_eq!(probe_url(&base, 1), probe_url(&base, 1));
        assert_ne!(probe_url(&base, 1), probe_url(&base, 2));
        assert!(probe_url(&base, 1).as_str().starts_with("http://a.example/a/"));
    }
}
