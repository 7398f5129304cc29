//! The truth of list pages: where their records are, or what they say.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::corpora;

/// A page and its true list.
pub struct TruePage {
    /// The corpus it is from.
    pub corpus: &'static str,
    /// The site it is from.
    pub site: String,
    /// Its file.
    pub file: PathBuf,
    truth: Truth,
}

enum Truth {
    /// A page about one thing.
    None,
    /// The paths of the records' elements.
    Places(Vec<String>),
    /// The cells of each record.
    Rows(Vec<Vec<String>>),
}

/// So many pages of each site of pages about one thing.
const DETAIL_PAGES: usize = 8;

/// All pages with a truth.
pub fn pages(unpacked: &Path) -> Result<Vec<TruePage>, String> {
    let mut all = Vec::new();
    for corpus in ["zhao1", "yamada"] {
        let folder = unpacked.join(corpus);
        let text = read(&folder.join("truth.json")).or_else(|_| read(&folder.join(corpus).join("truth.json")))?;
        let truth: Value = serde_json::from_str(&text).map_err(|error| format!("{corpus}: {error}"))?;
        for file in corpora::pages(&folder)? {
            let name = file
                .strip_prefix(&folder)
                .unwrap_or(&file)
                .to_string_lossy()
                .into_owned();
            let entry = [name.as_str(), name.split_once('/').map_or("", |(_, rest)| rest)]
                .into_iter()
                .find_map(|name| truth[name]["records"].as_array());
            let Some(records) = entry else { continue };
            let places = records.iter().filter_map(Value::as_str).map(with_positions).collect();
            all.push(true_page(corpus, file, Truth::Places(places)));
        }
    }
    for file in corpora::pages(&unpacked.join("estuka-dev"))? {
        let Ok(table) = read(&file.with_file_name("records.csv")) else {
            continue;
        };
        // A folder for each page, in one for each site.
        let mut page = true_page("estuka", file, Truth::Rows(rows(&table)));
        page.site = page
            .file
            .parent()
            .and_then(Path::parent)
            .map_or_else(String::new, |site| site.display().to_string());
        all.push(page);
    }
    let details = corpora::pages(&unpacked.join("swde-dev"))?;
    for site in details.chunk_by(|one, other| one.parent() == other.parent()) {
        let chosen = corpora::spread(site, DETAIL_PAGES);
        all.extend(chosen.into_iter().map(|file| true_page("swde", file, Truth::None)));
    }
    Ok(all)
}

fn true_page(corpus: &'static str, file: PathBuf, truth: Truth) -> TruePage {
    let site = file
        .parent()
        .map_or_else(String::new, |folder| folder.display().to_string());
    TruePage {
        corpus,
        site,
        file,
        truth,
    }
}

fn read(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A path with a position at every step.
fn with_positions(path: &str) -> String {
    let steps = path.split('/').filter(|step| !step.is_empty());
    let full = steps.map(|step| {
        if step.ends_with(']') {
            step.to_lowercase()
        } else {
            format!("{}[1]", step.to_lowercase())
        }
    });
    full.map(|step| format!("/{step}")).collect()
}

impl TruePage {
    /// Whether the page has a list.
    pub fn has_list(&self) -> bool {
        !matches!(self.truth, Truth::None)
    }

    /// How right a candidate is: the harmonic mean of precision and recall of its records.
    pub fn rightness(&self, list: &Value) -> f64 {
        let records = list["records"].as_array().map_or(&[][..], Vec::as_slice);
        let (n_right, n_true) = match &self.truth {
            Truth::None => return 0.0,
            Truth::Places(places) => (n_placed(records, places), places.len()),
            Truth::Rows(rows) => (n_said(records, rows), rows.len()),
        };
        2.0 * n_right as f64 / (records.len() + n_true).max(1) as f64
    }
}

/// The records that touch one true record each, which no other touches.
fn n_placed(records: &[Value], places: &[String]) -> usize {
    let is_within = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let touched = |record: &Value| -> Vec<usize> {
        let nodes = record["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        let nodes: Vec<&str> = nodes.iter().filter_map(Value::as_str).collect();
        let touches = |place: &String| {
            nodes
                .iter()
                .any(|node| is_within(node, place) || is_within(place, node))
        };
        (0..places.len()).filter(|&at| touches(&places[at])).collect()
    };
    let all: Vec<Vec<usize>> = records.iter().map(touched).collect();
    let mut crowd = vec![0; places.len()];
    all.iter().flatten().for_each(|&place| crowd[place] += 1);
    all.iter().filter(|own| own.len() == 1 && crowd[own[0]] == 1).count()
}

/// The rows of which half of the cells are said by a record of their own.
fn n_said(records: &[Value], rows: &[Vec<String>]) -> usize {
    let text = |record: &Value| {
        record["text"]
            .as_str()
            .unwrap_or("")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut texts: Vec<Option<String>> = records.iter().map(|record| Some(text(record))).collect();
    let mut n_found = 0;
    for row in rows {
        let n_in = |text: &str| row.iter().filter(|cell| text.contains(cell.as_str())).count();
        let shared = texts
            .iter()
            .enumerate()
            .filter_map(|(at, text)| Some((n_in(text.as_ref()?), at)));
        let best = shared.max_by_key(|&(n, at)| (n, std::cmp::Reverse(at)));
        if let Some((_, at)) = best.filter(|(n, _)| 2 * n >= row.len() && !row.is_empty()) {
            texts[at] = None;
            n_found += 1;
        }
    }
    n_found
}

/// The rows of a table of comma-separated cells, those in quotes included; cells that are empty are
/// left out.
fn rows(table: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for character in table.chars().chain(['\n']) {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' | '\n' if !is_quoted => {
                let text = std::mem::take(&mut cell)
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                if !text.is_empty() {
                    row.push(text);
                }
                if character == '\n' && !row.is_empty() {
                    rows.push(std::mem::take(&mut row));
                }
            }
            _ => cell.push(character),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_with_quotes() {
        assert_eq!(rows("a,\"b, c\"\n\n,d\n"), [vec!["a", "b, c"], vec!["d"]]);
    }

    #[test]
    fn records_that_share_a_true_one_are_wrong() {
        let record = |node: &str| serde_json::json!({"nodes": [node]});
        let places = vec![with_positions("/html/body/p[1]"), with_positions("/html/body/p[2]")];
        let split = [
            record("/html[1]/body[1]/p[1]/b[1]"),
            record("/html[1]/body[1]/p[1]/b[2]"),
            record("/html[1]/body[1]/p[2]"),
        ];
        assert_eq!(n_placed(&split, &places), 1);
    }
}
