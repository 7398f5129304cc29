//! What was measured: the best round of each parser on each corpus, as speeds and as ratios.

use crate::table;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Ours, from bytes to page schema: what the bars are about.
const OURS: &str = "untemplate";

/// The columns of the table, in this order where they were measured.
const PARSERS: [&str; 5] = [OURS, "untemplate-parse", "html5ever-rcdom", "lxml", "selectolax"];

/// Peers to be compared with, and how many times their speed ours should have.
const BARS: [(&str, Option<f64>); 3] = [
    ("lxml", Some(2.0)),
    ("selectolax", Some(0.8)),
    ("html5ever-rcdom", None),
];

/// The best rounds so far.
#[derive(Default)]
pub struct Speeds {
    corpora: BTreeMap<String, BTreeMap<String, Round>>,
}

/// One parser's round over one corpus.
#[derive(Clone)]
struct Round {
    n_pages: u64,
    n_bytes: u64,
    seconds: f64,
    /// Pages that the parser gave no tree for.
    n_refused: u64,
    version: Option<String>,
}

impl Round {
    fn megabytes_per_second(&self) -> f64 {
        self.n_bytes as f64 / 1e6 / self.seconds.max(1e-9)
    }
}

impl Speeds {
    /// Takes in the JSON lines of one side; lines about memory are printed when `show_memory`.
    pub fn add(&mut self, corpus: &str, text: &str, show_memory: bool) {
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if value.get("memory").is_some() && show_memory {
                println!("  {corpus}: {line}");
            }
            let Some((parser, round)) = read_round(&value) else {
                continue;
            };
            let best = self
                .corpora
                .entry(corpus.to_owned())
                .or_default()
                .entry(parser)
                .or_insert_with(|| round.clone());
            if round.seconds < best.seconds {
                *best = round;
            }
        }
    }

    /// Was nothing measured?
    pub fn is_empty(&self) -> bool {
        self.corpora.is_empty()
    }

    /// The table of speeds, then the ratios against their bars.
    pub fn report(&self) -> String {
        let parsers: Vec<&str> = PARSERS
            .into_iter()
            .filter(|parser| self.corpora.values().any(|row| row.contains_key(*parser)))
            .collect();
        let heads = ["corpus", "pages", "MB"]
            .into_iter()
            .chain(parsers.iter().copied())
            .map(str::to_owned);
        let mut rows = vec![
            heads
                .chain(BARS.iter().map(|(peer, _)| format!("x {peer}")))
                .collect::<Vec<_>>(),
        ];
        for (corpus, rounds) in &self.corpora {
            let Some(any) = rounds.values().next() else { continue };
            let mut row = vec![
                corpus.clone(),
                any.n_pages.to_string(),
                format!("{:.1}", any.n_bytes as f64 / 1e6),
            ];
            row.extend(
                parsers
                    .iter()
                    .map(|parser| cell(rounds.get(*parser).map(Round::megabytes_per_second), 1)),
            );
            row.extend(BARS.iter().map(|(peer, _)| cell(ratio(rounds, peer), 2)));
            rows.push(row);
        }
        let bars: String = BARS.iter().map(|(peer, bar)| self.bar_line(peer, *bar)).collect();
        format!(
            "MB/s of one thread's CPU, best round\n{}{bars}{}",
            table::render(&rows),
            self.remarks()
        )
    }

    fn bar_line(&self, peer: &str, bar: Option<f64>) -> String {
        let ratios: Vec<f64> = self.corpora.values().filter_map(|rounds| ratio(rounds, peer)).collect();
        let Some(mean) = geometric_mean(&ratios) else {
            return format!("x {peer}: not measured\n");
        };
        let judged = match bar {
            Some(bar) if mean >= bar => format!(" (bar {bar:.1}: reached)"),
            Some(bar) => format!(" (bar {bar:.1}: not reached)"),
            None => String::new(),
        };
        format!(
            "x {peer}: {mean:.2} as geometric mean over {} corpora{judged}\n",
            ratios.len()
        )
    }

    /// Versions, and whatever makes two figures less comparable.
    fn remarks(&self) -> String {
        let mut remarks = BTreeSet::new();
        for (corpus, rounds) in &self.corpora {
            let n_bytes = rounds.values().next().map(|round| round.n_bytes);
            for (parser, round) in rounds {
                if let Some(version) = &round.version {
                    remarks.insert(format!("{parser} {version}"));
                }
                if round.n_refused > 0 {
                    remarks.insert(format!("{corpus}: {parser} gave no tree for {} pages", round.n_refused));
                }
                if Some(round.n_bytes) != n_bytes {
                    remarks.insert(format!(
                        "{corpus}: {parser} read {} bytes, others did not",
                        round.n_bytes
                    ));
                }
            }
        }
        remarks.into_iter().map(|remark| format!("{remark}\n")).collect()
    }

    /// Keeps the best rounds as JSON.
    pub fn keep(&self, path: &Path) -> Result<(), String> {
        let mut rounds = Vec::new();
        for (corpus, parsers) in &self.corpora {
            for (
                parser,
                Round {
                    n_pages,
                    n_bytes,
                    seconds,
                    ..
                },
            ) in parsers
            {
                let line =
                    json!({"corpus": corpus, "parser": parser, "pages": n_pages, "bytes": n_bytes, "seconds": seconds});
                rounds.push(line);
            }
        }
        let all = Value::Array(rounds);
        std::fs::write(path, format!("{all:#}\n")).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

fn read_round(value: &Value) -> Option<(String, Round)> {
    let round = Round {
        n_pages: value.get("pages")?.as_u64()?,
        n_bytes: value.get("bytes")?.as_u64()?,
        seconds: value.get("seconds")?.as_f64()?,
        n_refused: value.get("refused").and_then(Value::as_u64).unwrap_or(0),
        version: value.get("version").and_then(Value::as_str).map(str::to_owned),
    };
    Some((value.get("parser")?.as_str()?.to_owned(), round))
}

/// How many times the speed of `peer` ours has.
fn ratio(rounds: &BTreeMap<String, Round>, peer: &str) -> Option<f64> {
    Some(rounds.get(OURS)?.megabytes_per_second() / rounds.get(peer)?.megabytes_per_second())
}

fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

fn cell(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn line(parser: &str, seconds: f64) -> String {
        format!("{{\"parser\":\"{parser}\",\"corpus\":\"x\",\"pages\":10,\"bytes\":40000000,\"seconds\":{seconds}}}\n")
    }

    #[test]
    fn the_best_round_counts_and_ratios_meet_their_bars() {
        let mut speeds = Speeds::default();
        speeds.add(
            "one",
            &format!("noise\n{}{}", line(OURS, 0.5), line("lxml", 0.8)),
            false,
        );
        speeds.add("one", &format!("{}{}", line(OURS, 0.4), line("lxml", 0.9)), false);
        speeds.add(
            "two",
            &format!("{}{}{}", line(OURS, 0.4), line("lxml", 3.2), line("selectolax", 0.2)),
            false,
        );
        expect![[r#"
            MB/s of one thread's CPU, best round
            corpus  pages    MB  untemplate  lxml  selectolax  x lxml  x selectolax  x html5ever-rcdom
            one        10  40.0       100.0  50.0           -    2.00             -  -
            two        10  40.0       100.0  12.5       200.0    8.00          0.50  -
            x lxml: 4.00 as geometric mean over 2 corpora (bar 2.0: reached)
            x selectolax: 0.50 as geometric mean over 1 corpora (bar 0.8: not reached)
            x html5ever-rcdom: not measured
        "#]]
        .assert_eq(&speeds.report());
    }
}
