//! `cargo xtask fit model`: the numbers that group pages into classes, tried over a grid, with each site judged by the numbers that are best for all others.
//!
//! Each point of the grid is a file of parameters (`untemplate model --parameters FILE`), scored by the task `model` of the evaluation. Out: the point that is best
//! on all sites, the figures of the numbers in use, and the figures of sites left out. The distance between the last two is how much the numbers
//! are fitted to these sites.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::{corpora, shell};

/// The values that are tried: those in use, and around them.
const GRID: [(&str, &[f64]); 3] = [
    ("explained_min", &[0.06, 0.08, 0.11]),
    ("script_trust", &[0.5, 0.6, 0.7]),
    ("join_share", &[0.77, 0.8, 0.83]),
];

/// By site: F* and purity.
type Scores = BTreeMap<String, [f64; 2]>;

/// Tries the grid and prints what each site left out says.
pub fn run() -> Result<bool, String> {
    let data = corpora::unpacked()?.join("sites");
    let shared = shell::shared_folder().ok_or("no ../shared beside the repository: there are no sites to fit to")?;
    shell::run(&mut shell::cargo(["build", "--release", "-q", "-p", "untemplate-cli"]))?;
    let folder = shell::target_folder().join("fit-model");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut tried: Vec<(String, Scores)> = Vec::new();
    for point in points() {
        let scores = score(&shared.join("eval/score"), &data, &folder, &point)?;
        println!("{point}: F*, purity {}", told(scores.values()));
        tried.push((point.to_string(), scores));
    }
    let best = best_but(&tried, None).ok_or("no point was scored")?;
    println!("best on all sites: {}: {}", best.0, told(best.1.values()));
    let mut left_out: Vec<[f64; 2]> = Vec::new();
    for site in best.1.keys() {
        if let Some((_, scores)) = best_but(&tried, Some(site)) {
            left_out.push(scores[site]);
        }
    }
    println!("sites left out: {}", told(left_out.iter()));
    Ok(true)
}

/// All points of the grid.
fn points() -> Vec<Value> {
    let mut points = vec![json!({})];
    for (name, values) in GRID {
        let with = |point: &Value, value: f64| {
            let mut point = point.clone();
            point[name] = json!(value);
            point
        };
        points = points
            .iter()
            .flat_map(|point| values.iter().map(|&value| with(point, value)).collect::<Vec<_>>())
            .collect();
    }
    points
}

/// The point that is best on all sites but one.
fn best_but<'a>(tried: &'a [(String, Scores)], left_out: Option<&str>) -> Option<&'a (String, Scores)> {
    let worth = |scores: &Scores| -> f64 {
        let others = scores.iter().filter(|(site, _)| Some(site.as_str()) != left_out);
        others.map(|(_, [f_star, purity])| f_star + purity).sum()
    };
    tried
        .iter()
        .max_by(|left, right| worth(&left.1).total_cmp(&worth(&right.1)))
}

fn told<'a>(scores: impl Iterator<Item = &'a [f64; 2]>) -> String {
    let (mut sums, mut count) = ([0.0; 2], 0.0);
    for score in scores {
        sums = [sums[0] + score[0], sums[1] + score[1]];
        count += 1.0;
    }
    format!("{:.4}, {:.4}", sums[0] / count, sums[1] / count)
}

/// Scores the program with a point's parameters.
fn score(script: &Path, data: &Path, folder: &Path, point: &Value) -> Result<Scores, String> {
    let file = |name: &str| folder.join(name);
    let write = |name: &str, text: String| fs::write(file(name), text).map_err(|error| format!("{name}: {error}"));
    write("parameters.json", point.to_string())?;
    let program = shell::target_folder().join("release/untemplate");
    write(
        "program",
        format!(
            "#!/bin/sh\nif [ \"$1\" = model ]; then exec '{0}' \"$@\" --parameters '{1}'; fi\nexec '{0}' \"$@\"\n",
            program.display(),
            file("parameters.json").display()
        ),
    )?;
    shell::run(Command::new("chmod").arg("+x").arg(file("program")))?;
    let mut command = Command::new(script);
    command.args(["model", "--bin"]).arg(file("program"));
    command.arg("--data").arg(data).arg("--out").arg(file("scores.json"));
    shell::output_of(&mut command)?;
    let text = fs::read_to_string(file("scores.json")).map_err(|error| format!("the scorer's results: {error}"))?;
    let results: Value = serde_json::from_str(&text).map_err(|error| format!("the scorer's results: {error}"))?;
    let rows = results["rows"].as_array().ok_or("the scorer's results have no rows")?;
    let scores = rows.iter().filter_map(|row| {
        let figures = [row["F*"].as_f64()?, row["purity"].as_f64()?];
        Some((row["site"].as_str()?.to_owned(), figures))
    });
    Ok(scores.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_judged_by_what_is_best_for_the_others() {
        let point = |name: &str, scores: [f64; 3]| {
            let sites = ["a", "b", "c"].iter().zip(scores);
            let scores = sites
                .map(|(site, score)| ((*site).to_owned(), [score, score]))
                .collect();
            (name.to_owned(), scores)
        };
        let tried = [point("one", [1.0, 0.5, 0.5]), point("two", [0.0, 0.6, 0.9])];
        assert_eq!(best_but(&tried, None).map(|best| best.0.as_str()), Some("one"));
        assert_eq!(best_but(&tried, Some("a")).map(|best| best.0.as_str()), Some("two"));
        assert_eq!(points().len(), 27);
    }
}
