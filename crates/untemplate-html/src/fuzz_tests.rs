//! Byte-level fuzzing of parsing: arbitrary bytes and mutated pages, for a time budget.
//!
//! `UNTEMPLATE_FUZZ_SECONDS` is the budget (2 by default); `UNTEMPLATE_FUZZ_SEED` repeats a run.
//! Pages come from `UNTEMPLATE_CORPORA` where that names a folder, and from a few written here.
//! Whatever the bytes, reading them must end in a tree whose invariants hold. A finding prints the
//! seed and the round that made it.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::disallowed_types)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::property_tests::check_tree;
use super::*;

const SEEDS: [&str; 5] = [
    "<!DOCTYPE html><html><head><title>A &amp; B</title><base href=/x/></head><body><table><tr><td><a href=1>1</a></table>",
    "<table><b><tr><td>x</b>y<form><select><option>1<optgroup><hr></select><input type=hidden></table>",
    "<svg><foreignObject><p>x</svg><math><mi><b><annotation-xml encoding='text/html'><div></math><![CDATA[x]]>",
    "<script><!--<script>x</script>--></script><textarea>\n&lt;</textarea><template><td>x</template><frameset><frame>",
    "<meta charset=utf-16><p a=1 a=2 b='&notit;' c=\"&#x80;\"><a><p><a><b><i><p></b></i><nobr><nobr><plaintext></p>",
];

/// The largest mutated input: long enough for every construct, short enough for many rounds.
const LENGTH_MAX: usize = 64 << 10;

#[test]
fn fuzz_html() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let budget = Duration::from_secs(number("UNTEMPLATE_FUZZ_SECONDS").unwrap_or(2));
    let first_seed = number("UNTEMPLATE_FUZZ_SEED").unwrap_or_else(|| std::process::id().into());
    let pages = pages();
    let started = Instant::now();
    let (mut rounds, mut bytes) = (0u64, 0usize);
    let mut slowest = (Duration::ZERO, 0);
    while started.elapsed() < budget || rounds == 0 {
        let seed = first_seed.wrapping_add(rounds);
        let input = make_input(&mut Random(seed), &pages);
        let finding = Finding(seed);
        let begun = Instant::now();
        check_input(&input, seed);
        slowest = slowest.max((begun.elapsed(), seed));
        std::mem::forget(finding);
        rounds += 1;
        bytes += input.len();
    }
    let megabytes = bytes as f64 / 1e6;
    eprintln!(
        "fuzz_html: {rounds} inputs, {megabytes:.0} MB, {} pages to mutate, first seed {first_seed}, no finding",
        pages.len()
    );
    eprintln!("fuzz_html: the slowest input took {:?}, seed {}", slowest.0, slowest.1);
}

/// Tells which seed made an input that panics.
struct Finding(u64);

impl Drop for Finding {
    fn drop(&mut self) {
        eprintln!(
            "fuzz_html: finding; repeat it with UNTEMPLATE_FUZZ_SEED={} UNTEMPLATE_FUZZ_SECONDS=0",
            self.0
        );
    }
}

fn check_input(input: &[u8], seed: u64) {
    let content_type = [
        None,
        Some("text/html; charset=utf-8"),
        Some("text/html; charset=shift_jis"),
    ][(seed % 3) as usize];
    let limits = match seed % 4 {
        0 => Limits {
            depth_max: 8,
            nodes_max: 2_000,
            attributes_max: 3,
            bytes_max: 20_000,
        },
        _ => Limits::default(),
    };
    let options = ParseOptions {
        scripting: seed.is_multiple_of(5),
        limits,
    };
    let html = read_html(input, content_type, &options);
    check_tree(&html.dom);
    html.dom.visible_text(NodeId::DOCUMENT);
}

/// Some pages of each corpus, or those written here.
fn pages() -> Vec<Vec<u8>> {
    let mut pages: Vec<Vec<u8>> = SEEDS.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    if let Some(corpora) = std::env::var_os("UNTEMPLATE_CORPORA") {
        let mut files = Vec::new();
        collect_pages(Path::new(&corpora), &mut files);
        files.sort();
        let step = (files.len() / 200).max(1);
        pages.extend(files.iter().step_by(step).filter_map(|file| fs::read(file).ok()));
    }
    pages
}

fn collect_pages(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect_pages(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "htm" || extension == "html")
        {
            files.push(path);
        }
    }
}

fn make_input(random: &mut Random, pages: &[Vec<u8>]) -> Vec<u8> {
    if random.below(10) == 0 {
        return (0..random.below(2_000)).map(|_| random.next() as u8).collect();
    }
    let page = &pages[random.below(pages.len())];
    let start = random.below(page.len().max(1));
    let start = if random.below(2) == 0 { 0 } else { start };
    let mut input = page[start..page.len().min(start + LENGTH_MAX)].to_vec();
    for _ in 0..1 + random.below(12) {
        mutate(random, &mut input, pages);
        input.truncate(2 * LENGTH_MAX);
    }
    input
}

fn mutate(random: &mut Random, input: &mut Vec<u8>, pages: &[Vec<u8>]) {
    const PIECES: [&str; 16] = [
        "<",
        "</",
        ">",
        "<!--",
        "-->",
        "\0",
        "&",
        "&#",
        "<script>",
        "</script>",
        "<table>",
        "<b>",
        "<![CDATA[",
        "\"",
        "\u{FEFF}",
        "</p>",
    ];
    let at = random.below(input.len() + 1);
    let length = random.below(64).min(input.len() - at);
    match random.below(7) {
        0 if at < input.len() => input[at] ^= 1 << random.below(8),
        1 => drop(input.drain(at..at + length)),
        2 => {
            let piece = input[at..at + length].repeat(1 + random.below(50));
            input.splice(at..at, piece);
        }
        3 => {
            let other = &pages[random.below(pages.len())];
            let from = random.below(other.len().max(1));
            let piece = other[from..other.len().min(from + random.below(500))].to_vec();
            input.splice(at..at, piece);
        }
        4 => input.truncate(at),
        5 => {
            let piece = PIECES[random.below(PIECES.len())].repeat(1 + random.below(100));
            input.splice(at..at, piece.into_bytes());
        }
        _ => {
            let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            input.splice(at..at + length, noise);
        }
    }
}

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
