//! `cargo xtask eval [TASK] --sweep STAGE.NAME=VALUE,VALUE…`: other values for numbers that decide,
//! each site judged by those that are best for all others.
//!
//! In: fields of the `Tuning` structs with their stage before them; several `--sweep` are tried
//! together, as a grid. Each point of it is a file of parameters that the verbs read
//! (`--parameters FILE`, which no help shows), and is scored by a task that has rows for sites.
//! Out: each point's score on each site, the point that is best on all sites, and the figures of
//! sites left out. The distance between the last two is how much the numbers are fitted to these
//! sites; where it is as large as what the best point gains, there is nothing to gain.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::task::{self, Task, is_less_better};
use super::{Setup, scorer};
use crate::{shell, table};

/// The stages whose numbers can be set, with the task that judges them unless another is named.
const STAGES: [(&str, &str); 6] = [
    ("gather", "gather"),
    ("templates", "gather"),
    ("model", "model"),
    ("reading", "rebuild"),
    ("lines", "rebuild"),
    ("vocabulary", "rebuild"),
];

/// The tasks with rows for sites, the figures of these that are added up, and the verb that reads
/// the parameters.
const JUDGES: [(&str, &[&str], &str); 3] = [
    ("gather", &["f1"], "gather"),
    ("model", &["F*", "purity"], "model"),
    ("rebuild", &["F1", "noise"], "rebuild"),
];

/// A number and the values to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The stage and the name of the number.
    pub number: String,
    pub values: Vec<f64>,
}

impl Sweep {
    /// Reads `STAGE.NAME=VALUE,VALUE…`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("--sweep needs STAGE.NAME=VALUE,VALUE…, and `{text}` is none");
        let (number, values) = text.split_once('=').ok_or_else(wrong)?;
        number.split_once('.').ok_or_else(wrong)?;
        let values: Result<Vec<f64>, _> = values.split(',').map(str::parse).collect();
        Ok(Self {
            number: number.to_owned(),
            values: values.map_err(|_| wrong())?,
        })
    }

    /// The task that judges the number unless another is named.
    pub fn task(&self) -> Result<&'static Task, String> {
        let own = STAGES
            .iter()
            .find(|(stage, _)| self.number.split('.').next() == Some(stage));
        let names = STAGES.map(|(stage, _)| stage).join(", ");
        let (_, task) = own.ok_or_else(|| format!("`{}` has no stage with numbers; there are {names}", self.number))?;
        task::named(task)
    }
}

/// A value for each number.
type Point = Vec<(String, f64)>;

/// By site, the figures.
type Scores = BTreeMap<String, Vec<f64>>;

/// Tries all points and prints what each site left out says.
pub fn run(sweeps: &[Sweep], task: &Task, setup: &Setup) -> Result<bool, String> {
    let judge = JUDGES.iter().find(|(name, ..)| *name == task.name);
    let &(_, figures, verb) = judge.ok_or_else(|| format!("`{}` has no rows for sites", task.name))?;
    let mut tried: Vec<(String, Scores)> = Vec::new();
    for point in points(sweeps) {
        let name = shown(&point);
        println!("-- {}: {name}", task.name);
        let program = program_with(&point, verb, setup)?;
        tried.push((name, score(task, &program, figures, setup)?));
    }
    print!("{}", table::render(&by_site(&tried, figures)));
    let best = best_but(&tried, figures, None).ok_or("no point was scored")?;
    println!("best on all sites: {}: {}", best.0, means(best.1.values(), figures));
    let left_out = left_out(&tried, figures);
    println!("sites left out: {}", means(left_out.iter(), figures));
    Ok(true)
}

/// All points of the grid.
fn points(sweeps: &[Sweep]) -> Vec<Point> {
    let mut points: Vec<Point> = vec![Vec::new()];
    for sweep in sweeps {
        let with = |point: &Point, value: f64| [point.clone(), vec![(sweep.number.clone(), value)]].concat();
        let longer = points
            .iter()
            .flat_map(|point| sweep.values.iter().map(move |&value| with(point, value)));
        points = longer.collect();
    }
    points
}

fn shown(point: &Point) -> String {
    let pairs: Vec<String> = point
        .iter()
        .map(|(number, value)| format!("{number}={value}"))
        .collect();
    pairs.join(" ")
}

/// A script that runs the program with a point's parameters.
fn program_with(point: &Point, verb: &str, setup: &Setup) -> Result<PathBuf, String> {
    let folder = setup.out.join("sweep");
    let write = |name: &str, text: String| {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok::<_, String>(file)
    };
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let numbers: serde_json::Map<String, Value> = point
        .iter()
        .map(|(number, value)| (number.clone(), Value::from(*value)))
        .collect();
    let parameters = write("parameters.json", Value::from(numbers).to_string())?;
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = {verb} ]; then exec '{0}' \"$@\" --parameters '{1}'; fi\nexec '{0}' \"$@\"\n",
        setup.program.display(),
        parameters.display()
    );
    let program = write("program", script)?;
    shell::run(Command::new("chmod").arg("+x").arg(&program))?;
    Ok(program)
}

/// The figures of each site.
fn score(task: &Task, program: &Path, figures: &[&str], setup: &Setup) -> Result<Scores, String> {
    let out = setup.out.join("sweep/scores.json");
    let script = scorer::script().ok_or("no ../shared/eval beside the repository: there is nothing to judge by")?;
    let mut command = scorer::command(task, &script, program, &out, setup)?;
    command.args(setup.only.iter().flat_map(|only| ["--only", only]));
    shell::output_of(&mut command)?;
    let text = fs::read_to_string(&out).map_err(|error| format!("the scorer's results: {error}"))?;
    let results: Value = serde_json::from_str(&text).map_err(|error| format!("the scorer's results: {error}"))?;
    let rows = results["rows"].as_array().ok_or("the scorer's results have no rows")?;
    let mut of_site: BTreeMap<String, Vec<Vec<f64>>> = BTreeMap::new();
    for row in rows {
        let own: Option<Vec<f64>> = figures.iter().map(|figure| row[*figure].as_f64()).collect();
        if let (Some(site), Some(own)) = (site_of(row), own) {
            of_site.entry(site.to_owned()).or_default().push(own);
        }
    }
    let scores: Scores = of_site
        .into_iter()
        .map(|(site, rows)| (site, mean(rows.iter(), figures.len())))
        .collect();
    match scores.is_empty() {
        true => Err(format!("no site has the figures {}", figures.join(", "))),
        false => Ok(scores),
    }
}

/// The site of a row; rows of classes are called `SITE/CLASS`.
fn site_of(row: &Value) -> Option<&str> {
    let class = || row["class"].as_str()?.split('/').next();
    row["site"].as_str().or_else(class)
}

/// All figures of a site as one: those of which less is better are taken away.
fn total(scores: &[f64], figures: &[&str]) -> f64 {
    let signed = scores
        .iter()
        .zip(figures)
        .map(|(score, figure)| match is_less_better(figure) {
            true => -score,
            false => *score,
        });
    signed.sum()
}

/// The first point that is best on all sites but one.
fn best_but<'a>(tried: &'a [(String, Scores)], figures: &[&str], site: Option<&str>) -> Option<&'a (String, Scores)> {
    let of_others = |scores: &Scores| -> f64 {
        let others = scores.iter().filter(|(own, _)| Some(own.as_str()) != site);
        others.map(|(_, scores)| total(scores, figures)).sum()
    };
    let mut best: Option<(f64, &(String, Scores))> = None;
    for point in tried {
        let score = of_others(&point.1);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, point));
        }
    }
    best.map(|(_, point)| point)
}

/// The figures of each site by the point that is best on all others.
fn left_out(tried: &[(String, Scores)], figures: &[&str]) -> Vec<Vec<f64>> {
    let sites = tried
        .first()
        .map_or(&[][..], std::slice::from_ref)
        .iter()
        .flat_map(|(_, scores)| scores.keys());
    let judged = sites.filter_map(|site| best_but(tried, figures, Some(site))?.1.get(site).cloned());
    judged.collect()
}

fn by_site(tried: &[(String, Scores)], figures: &[&str]) -> Vec<Vec<String>> {
    let heads =
        std::iter::once(format!("site: {}", figures.join(", "))).chain(tried.iter().map(|(name, _)| name.clone()));
    let mut rows: Vec<Vec<String>> = vec![heads.collect()];
    for site in tried.iter().take(1).flat_map(|(_, scores)| scores.keys()) {
        let cell = |scores: &Scores| scores.get(site).map_or_else(|| "-".to_owned(), |own| told(own));
        let cells = tried.iter().map(|(_, scores)| cell(scores));
        rows.push(std::iter::once(site.clone()).chain(cells).collect());
    }
    let all = tried
        .iter()
        .map(|(_, scores)| told(&mean(scores.values(), figures.len())));
    rows.push(std::iter::once("all".to_owned()).chain(all).collect());
    rows
}

fn told(scores: &[f64]) -> String {
    scores
        .iter()
        .map(|score| format!("{score:.4}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn mean<'a>(scores: impl Iterator<Item = &'a Vec<f64>>, n_figures: usize) -> Vec<f64> {
    let (mut sums, mut count) = (vec![0.0; n_figures], 0.0);
    for own in scores {
        sums.iter_mut().zip(own).for_each(|(sum, score)| *sum += score);
        count += 1.0;
    }
    sums.into_iter().map(|sum| sum / f64::max(count, 1.0)).collect()
}

fn means<'a>(scores: impl Iterator<Item = &'a Vec<f64>>, figures: &[&str]) -> String {
    let all = mean(scores, figures.len());
    let pairs = figures
        .iter()
        .zip(all)
        .map(|(figure, mean)| format!("{figure} {mean:.4}"));
    pairs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_judged_by_what_is_best_for_the_others() {
        let figures = ["F1", "noise"];
        let point = |name: &str, scores: [f64; 3]| {
            let sites = ["a", "b", "c"].iter().zip(scores);
            // Noise is worth as much as F1, the other way round.
            let scores = sites.map(|(site, score)| ((*site).to_owned(), vec![score, 0.5 - score]));
            (name.to_owned(), scores.collect())
        };
        let tried = [
            point("one", [0.5, 0.2, 0.2]),
            point("two", [0.0, 0.3, 0.45]),
            point("three", [0.5, 0.2, 0.2]),
        ];
        let best = |site: Option<&str>| best_but(&tried, &figures, site).map(|best| best.0.as_str());
        assert_eq!(
            (best(None), best(Some("a")), best(Some("c"))),
            (Some("one"), Some("two"), Some("one"))
        );
        assert_eq!(
            means(left_out(&tried, &figures).iter(), &figures),
            "F1 0.1333, noise 0.3667"
        );
    }

    #[test]
    fn numbers_are_named_with_their_values() {
        let sweeps = ["model.join_share=0.7,0.8", "reading.prose_chars=40,50,60"].map(Sweep::parse);
        let [share, chars] = sweeps.map(|sweep| sweep.expect("it is a sweep"));
        assert_eq!(share.task().map(|task| task.name), Ok("model"));
        assert_eq!(chars.task().map(|task| task.name), Ok("rebuild"));
        let points = points(&[share, chars]);
        assert_eq!(
            (points.len(), shown(&points[5]).as_str()),
            (6, "model.join_share=0.8 reading.prose_chars=60")
        );
        for wrong in ["join_share=1", "model.join_share", "model.join_share=high"] {
            assert!(Sweep::parse(wrong).is_err(), "{wrong}");
        }
        assert!(
            Sweep::parse("other.number=1")
                .and_then(|sweep| sweep.task().map(|_| ()))
                .is_err()
        );
    }
}
