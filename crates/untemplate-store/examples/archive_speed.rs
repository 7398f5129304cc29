//! How fast an archive is: adds requests and commits pages, then says what that cost.
//!
//! `cargo run --release -p untemplate-store --example archive_speed -- FOLDER [PAGES] [WARC_FILE]`.
//! The folder must not hold an archive yet. CPU time and memory are told where the system has them
//! under `/proc`.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use untemplate::page::Request;
use untemplate_store::archive::{
    ArchiveError, ArchiveOptions, Claim, ClaimOptions, ClaimResult, Frontier, HostSchedule, NewPage, NewRequest,
    Outcome, SqliteArchive, UnixMillis, WarcExportOptions, export_warc,
};

/// Pages that are committed at once, each of another host.
const BATCH: usize = 64;

/// Links of every page; most are known, as on real sites.
const LINKS: usize = 50;

fn main() -> Result<(), ArchiveError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = PathBuf::from(arguments.first().map_or("archive-speed", String::as_str));
    let n_pages = arguments
        .get(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(50_000);
    let options = ArchiveOptions {
        host_delay_ms: 0,
        ..ArchiveOptions::default()
    };
    let mut archive = SqliteArchive::open(&folder, &options, UnixMillis(0))?;
    measure("requests added", n_pages, || add(&mut archive, n_pages))?;
    measure("pages claimed and committed", n_pages, || {
        crawl(&mut archive, n_pages, 0)
    })?;
    archive.refresh(UnixMillis(100))?;
    measure("pages with 50 links each", n_pages, || {
        crawl(&mut archive, n_pages, LINKS)
    })?;
    if let Some(file) = arguments.get(2) {
        measure("records exported", 2 * n_pages, || {
            export(&mut archive, Path::new(file))
        })?;
    }
    Ok(())
}

/// Does the work and says what it cost.
fn measure(what: &str, count: usize, work: impl FnOnce() -> Result<(), ArchiveError>) -> Result<(), ArchiveError> {
    let (start, cpu_start) = (Instant::now(), cpu_seconds());
    work()?;
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu_start);
    let per_cpu = count as f64 / cpu.max(0.01);
    println!(
        "{count} {what}: {seconds:.1} s, {cpu:.1} CPU s, {per_cpu:.0} per CPU second; {}",
        peak_memory()
    );
    Ok(())
}

fn url(number: usize) -> String {
    format!(
        "http://host{}.example/catalogue/item/{number}?view=full",
        number % BATCH
    )
}

fn new_request(number: usize) -> NewRequest {
    NewRequest {
        request: Request::get(url(number).parse().expect("an address")),
        priority: -(number as f64),
        depth: 1,
        found_on: None,
    }
}

fn add(archive: &mut SqliteArchive, n_pages: usize) -> Result<(), ArchiveError> {
    for first in (0..n_pages).step_by(BATCH) {
        let requests: Vec<NewRequest> = (first..n_pages.min(first + BATCH)).map(new_request).collect();
        archive.add(&requests, UnixMillis(0))?;
    }
    Ok(())
}

fn crawl(archive: &mut SqliteArchive, n_pages: usize, n_links: usize) -> Result<(), ArchiveError> {
    let options = ClaimOptions {
        claims_max: BATCH,
        of_host_max: 1,
        lease_ms: 60_000,
        worker: "speed".to_owned(),
    };
    let mut n_done = 0;
    while n_done < n_pages {
        let claims = archive.claim(UnixMillis(1), &options)?;
        if claims.is_empty() {
            break;
        }
        let batch: Vec<Outcome> = claims.iter().map(|claim| outcome(claim, n_pages, n_links)).collect();
        archive.commit(&batch, UnixMillis(1))?;
        n_done += claims.len();
    }
    Ok(())
}

fn outcome(claim: &Claim, n_pages: usize, n_links: usize) -> Outcome {
    let seed = claim.id.0 as usize + n_links * 1_000_003;
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let page = NewPage {
        status: 200,
        headers: vec![
            header("Content-Type", "text/html; charset=utf-8"),
            header("Date", "Mon, 01 Jun 2026 12:00:00 GMT"),
            header("ETag", "\"5f3c-1a2b3c4d5e6f\""),
            header("Server", "example"),
        ],
        body: body(seed),
        redirect: None,
        fetched_at: UnixMillis(1),
        problems: Vec::new(),
    };
    Outcome {
        token: claim.token,
        result: ClaimResult::Page(page),
        links: (0..n_links)
            .map(|link| new_request((seed + link * link) % n_pages))
            .collect(),
        host: Some(HostSchedule {
            host: claim.host.clone(),
            next_due: UnixMillis(0),
            delay_ms: 0,
            state: "{\"robots\":\"none\",\"latency_ms\":120}".to_owned(),
        }),
    }
}

/// A page of 4 KB: tags that repeat and words that do not.
fn body(seed: usize) -> Vec<u8> {
    let mut body = format!("<!DOCTYPE html><title>Item {seed}</title><ul>");
    let mut number = seed as u64 + 1;
    while body.len() < 4096 {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        body += &format!(
            "<li class=\"row\"><a href=\"/item/{}\">{:x}</a></li>\n",
            number >> 48,
            number >> 20
        );
    }
    body.into_bytes()
}

fn export(archive: &mut SqliteArchive, file: &Path) -> Result<(), ArchiveError> {
    let cannot = |cause| ArchiveError::Export { cause };
    let mut writer = BufWriter::new(File::create(file).map_err(cannot)?);
    let (gzip, now) = (true, UnixMillis(0));
    let export = export_warc(archive, &mut writer, &WarcExportOptions { gzip, now })?;
    println!("{} responses, {} revisits", export.responses, export.revisits);
    Ok(())
}

/// CPU seconds of this process so far; the system counts in hundredths.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn peak_memory() -> String {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or(String::new(), |kilobytes| format!("peak memory {}", kilobytes.trim()))
}
