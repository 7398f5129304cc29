//! Real sites, rebuilt: a table for every true class, a row for every page of it.
//!
//! The truth of these sites is which pages belong together, not what stands on them. So what is
//! checked is that each class of 30 pages or more has one table with a row for each page (within 1
//! %), and that finding them cost no more than the site's pages and 5 %.

use super::results::{State, TaskResult};
use super::roundtrip::{RebuiltDatabase, Run, address, measured, read_rebuilt, summary_figure};
use super::task::Task;
use super::{Setup, scorer};
use crate::{corpora, table};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Command;

/// Classes with fewer pages are not looked at.
const CLASS_MIN: usize = 30;
/// How far rows may be off pages.
const ROWS_OFF_MAX: f64 = 0.01;

/// A site of the manifest.
pub struct Mirror {
    pub name: String,
    pub url: String,
    pub entry: String,
    pub folder: std::path::PathBuf,
    pages_reachable: usize,
    classes: Vec<(String, Pattern)>,
}

/// The pattern of a class's addresses. The manifest is written for Python, whose `A(?!B)C` means
/// `AC`, but not `AB`; for patterns that begin at the beginning, as these do, it is the same to
/// look for both.
struct Pattern {
    wanted: Regex,
    unwanted: Option<Regex>,
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, regex::Error> {
        let parts = text
            .split_once("(?!")
            .and_then(|(before, rest)| Some((before, rest.split_once(')')?)));
        Ok(match parts {
            None => Self {
                wanted: Regex::new(text)?,
                unwanted: None,
            },
            Some((before, (unwanted, after))) => Self {
                wanted: Regex::new(&format!("{before}{after}"))?,
                unwanted: Some(Regex::new(&format!("{before}{unwanted}"))?),
            },
        })
    }

    fn is_match(&self, text: &str) -> bool {
        let is_unwanted = self.unwanted.as_ref().is_some_and(|unwanted| unwanted.is_match(text));
        self.wanted.is_match(text) && !is_unwanted
    }
}

/// A true class beside the rebuilt table with most of its pages.
struct ClassScore {
    name: String,
    n_pages: usize,
    table: String,
    /// Its pages in that table, and all rows of that table.
    n_found: usize,
    n_rows: usize,
}

impl ClassScore {
    fn is_good(&self) -> bool {
        let is_near = |count: usize| (count as f64 - self.n_pages as f64).abs() <= ROWS_OFF_MAX * self.n_pages as f64;
        is_near(self.n_found) && is_near(self.n_rows)
    }
}

/// Rebuilds every site.
pub fn score(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    if let Some(missing) = scorer::missing_verb(&setup.program, task.verbs) {
        let state = State::NotBuilt(format!("no verb `{missing}`"));
        return Ok(TaskResult::without_figures(task.name, state));
    }
    let heads = [
        "site",
        "class",
        "pages",
        "table",
        "found",
        "rows",
        "good",
        "downloads",
        "pages/CPU s",
        "MB",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    let (mut n_classes, mut n_good, mut most, mut trouble) = (0_usize, 0_usize, 0.0_f64, Vec::new());
    for mirror in read_mirrors(&setup.corpora.join("sites"))? {
        if setup.only.as_ref().is_some_and(|only| *only != mirror.name) {
            continue;
        }
        let (scores, cost) = match rebuild(&mirror, setup) {
            Ok(done) => done,
            Err(why) => {
                println!("  {}: {why}", mirror.name);
                trouble.push(format!("{}: {why}", mirror.name));
                continue;
            }
        };
        most = most.max(cost.downloads);
        for (index, class) in scores.iter().enumerate() {
            n_classes += 1;
            n_good += usize::from(class.is_good());
            rows.push(row(&mirror, class, (index == 0).then_some(&cost)));
        }
    }
    print!("\n{}", table::render(&rows));
    let good = n_good as f64 / (n_classes as f64).max(1.0);
    let figures = vec![
        ("classes".to_owned(), (good * 1000.0).floor() / 1000.0),
        ("downloads_a_page".to_owned(), (most * 1000.0).ceil() / 1000.0),
    ];
    let state = trouble
        .first()
        .map_or(State::Measured, |why| State::Failed(why.clone()));
    Ok(TaskResult {
        figures,
        ..TaskResult::without_figures(task.name, state)
    })
}

/// What a site cost: downloads for each of its pages, pages a CPU second, memory.
struct Cost {
    downloads: f64,
    pages_per_second: f64,
    memory_mb: f64,
}

fn row(mirror: &Mirror, class: &ClassScore, cost: Option<&Cost>) -> Vec<String> {
    let costs = cost.map_or_else(
        || ["", "", ""].map(str::to_owned),
        |cost| {
            [
                format!("{:.3}", cost.downloads),
                format!("{:.0}", cost.pages_per_second),
                format!("{:.0}", cost.memory_mb),
            ]
        },
    );
    let own = [
        mirror.name.clone(),
        class.name.clone(),
        class.n_pages.to_string(),
        class.table.clone(),
        class.n_found.to_string(),
        class.n_rows.to_string(),
        if class.is_good() { "yes" } else { "NO" }.to_owned(),
    ];
    [own.to_vec(), costs.to_vec()].concat()
}

/// The sites of the manifest in a folder.
pub fn read_mirrors(folder: &Path) -> Result<Vec<Mirror>, String> {
    let file = folder.join("manifest.json");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let manifest: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let word = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut mirrors = Vec::new();
    for site in manifest.as_array().into_iter().flatten() {
        let mut classes = Vec::new();
        for class in site["classes"].as_array().into_iter().flatten() {
            let pattern =
                Pattern::parse(&word(class, "url_regex")).map_err(|error| format!("{}: {error}", file.display()))?;
            classes.push((word(class, "name"), pattern));
        }
        let url = word(site, "url");
        let entry = word(site, "entry");
        mirrors.push(Mirror {
            name: word(site, "name"),
            entry: if entry.contains("://") {
                entry
            } else {
                format!("{url}{}", entry.trim_start_matches('/'))
            },
            url,
            folder: folder.join(word(site, "root_dir")),
            pages_reachable: site["pages_reachable"].as_u64().unwrap_or_default() as usize,
            classes,
        });
    }
    Ok(mirrors)
}

impl Mirror {
    /// Rebuilds the site below an empty folder, and tells what that cost.
    pub fn rebuilt(&self, program: &Path, work: &Path, summary: &Path) -> Result<Run, String> {
        let mut command = Command::new(program);
        command.arg("rebuild").arg(&self.entry);
        command
            .arg("--mirror")
            .arg(format!("{}={}", self.url, self.folder.display()));
        command.args(["--format", "sqlite", "-o"]).arg(work.join("out"));
        command.arg("--summary").arg(summary);
        let run = measured(&mut command, &work.join("rebuild.log"))?;
        match run.code {
            Some(0) => Ok(run),
            code => Err(format!("rebuild ended with {code:?}: {}", run.said)),
        }
    }

    /// The true class of a page: the first whose pattern is found in its path or in its address.
    fn class_of(&self, path: &str) -> Option<usize> {
        let url = format!("{}{path}", self.url);
        self.classes
            .iter()
            .position(|(_, pattern)| pattern.is_match(path) || pattern.is_match(&url))
    }
}

fn rebuild(mirror: &Mirror, setup: &Setup) -> Result<(Vec<ClassScore>, Cost), String> {
    let work = setup.out.join("mirrors").join(&mirror.name);
    let _ = std::fs::remove_dir_all(&work);
    std::fs::create_dir_all(&work).map_err(|error| format!("cannot make {}: {error}", work.display()))?;
    let summary = work.join("summary.json");
    let run = mirror.rebuilt(&setup.program, &work, &summary)?;
    let file = work.join("out/tables.sqlite");
    let rebuilt = read_rebuilt(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let scores = class_scores(mirror, &rebuilt)?;
    let pages = mirror.pages_reachable as f64;
    let cost = Cost {
        downloads: summary_figure(&summary, "downloads").unwrap_or(f64::NAN) / pages,
        pages_per_second: pages / run.cpu_seconds,
        memory_mb: run.memory_mb,
    };
    Ok((scores, cost))
}

fn class_scores(mirror: &Mirror, rebuilt: &RebuiltDatabase) -> Result<Vec<ClassScore>, String> {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut classes: HashMap<String, usize> = HashMap::new();
    for page in corpora::pages(&mirror.folder)? {
        let path = page
            .strip_prefix(&mirror.folder)
            .unwrap_or(&page)
            .to_string_lossy()
            .into_owned();
        if let Some(class) = mirror.class_of(&path) {
            *sizes.entry(class).or_default() += 1;
            classes.insert(address(&path), class);
        }
    }
    let mut found: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, table) in rebuilt.tables.iter().enumerate().filter(|(_, table)| !table.is_child()) {
        for page in &table.pages {
            let path = decoded(page.strip_prefix(&mirror.url).unwrap_or(page));
            if let Some(&class) = classes.get(&path) {
                found.entry(class).or_insert_with(|| vec![0; rebuilt.tables.len()])[index] += 1;
            }
        }
    }
    let score = |(&class, &n_pages): (&usize, &usize)| {
        let best = found
            .get(&class)
            .and_then(|counts| (0..counts.len()).max_by_key(|&index| counts[index]));
        ClassScore {
            name: mirror.classes[class].0.clone(),
            n_pages,
            table: best.map_or_else(|| "-".to_owned(), |best| rebuilt.tables[best].name.clone()),
            n_found: best.map_or(0, |best| found[&class][best]),
            n_rows: best.map_or(0, |best| rebuilt.tables[best].rows.len()),
        }
    };
    Ok(sizes
        .iter()
        .filter(|(_, size)| **size >= CLASS_MIN)
        .map(score)
        .collect())
}

/// The text with its percent escapes undone, as file names are written.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escape = (*first == b'%').then(|| tail.get(..2)).flatten();
        let byte = escape.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pattern_looks_ahead_for_is_left_out() {
        let pattern = Pattern::parse("^http://a/m/(?!index).*\\.html$").expect("a pattern");
        assert!(pattern.is_match("http://a/m/troll.html"));
        assert!(!pattern.is_match("http://a/m/index.html"));
        assert!(!pattern.is_match("http://a/n/troll.html"));
        let plain = Pattern::parse("(?:/x$)|(?:/y$)").expect("a pattern");
        assert!(plain.is_match("/a/y") && !plain.is_match("/a/z"));
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(decoded("a%20b%C3%A9%zz%4"), "a bé%zz%4");
    }

    #[test]
    fn a_class_has_one_table_with_a_row_a_page() {
        let class = |n_found, n_rows| ClassScore {
            name: String::new(),
            n_pages: 200,
            table: String::new(),
            n_found,
            n_rows,
        };
        assert!(class(200, 200).is_good());
        assert!(class(198, 202).is_good());
        assert!(!class(197, 197).is_good());
        assert!(!class(200, 203).is_good());
    }
}
