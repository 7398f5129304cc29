//! The raw answers of the public HTTP suite, replayed from a socket: no hang, no panic, a verdict
//! for each.
//!
//! The suite lies outside of the repository, in the folder `http` below the one that
//! `UNTEMPLATE_SUITES` names. Each file is a whole answer with one odd byte in it: a colon, a
//! carriage return, a NUL where none should be.

mod fault_server;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fault_server::FaultServer;
use fault_server::asking::{ask, client, hasty_options};
use untemplate_crawl::{Answer, ExchangeError};

/// Names and contents of the suite's files, in order.
fn suite() -> Option<Vec<(String, Vec<u8>)>> {
    let folder = PathBuf::from(std::env::var_os("UNTEMPLATE_SUITES")?).join("http");
    let entries = std::fs::read_dir(folder).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "asis"));
    let mut files: Vec<(String, Vec<u8>)> = paths
        .filter_map(|path| {
            Some((
                path.file_stem()?.to_string_lossy().into_owned(),
                std::fs::read(&path).ok()?,
            ))
        })
        .collect();
    files.sort();
    Some(files)
}

/// What the client made of it; `None` is no verdict at all.
fn verdict(outcome: &Result<Answer, ExchangeError>) -> Option<&'static str> {
    match outcome {
        Ok(answer) if answer.status == 200 && answer.body.starts_with(b"Test.") => Some("read"),
        Ok(answer) if answer.status == 200 => Some("read otherwise"),
        Ok(_) => Some("read with another status"),
        Err(ExchangeError::Broken { .. } | ExchangeError::HeadTooLarge { .. }) => Some("refused"),
        // Silence until a deadline would be a hang, had we no deadlines.
        Err(_) => None,
    }
}

fn has_nul_in_head(raw: &[u8]) -> bool {
    let end = raw
        .windows(2)
        .position(|window| window == b"\n\n" || window == b"\n\r")
        .unwrap_or(raw.len());
    raw[..end].contains(&0)
}

#[tokio::test]
async fn raw_answers() {
    let Some(files) = suite() else {
        eprintln!("suite http: skipped, the variable UNTEMPLATE_SUITES names no folder that has it");
        return;
    };
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    let begin = Instant::now();
    let mut verdicts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, raw) in &files {
        let path = format!("/suite/{name}");
        server.answer_with(&path, raw.as_slice());
        let outcome = ask(&client, &server.url(&path)).await;
        let verdict = verdict(&outcome).unwrap_or("no verdict");
        // The one thing on which the standard and all browsers agree.
        assert!(verdict == "refused" || !has_nul_in_head(raw), "{name}: {outcome:?}");
        verdicts.entry(verdict).or_default().push(name);
    }
    let n_judged = files.len() - verdicts.get("no verdict").map_or(0, Vec::len);
    for (verdict, names) in &verdicts {
        eprintln!("suite http: {} {verdict}: {}", names.len(), names.join(" "));
    }
    eprintln!("suite http: {n_judged} of {} (0 listed exceptions)", files.len());
    assert_eq!(n_judged, files.len());
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}
