//! `cargo xtask bench rebuild`: whole sites from a mirror to tables, against bytes to page schema
//! on the same pages.
//!
//! For each site of the corpora: `rebuild` as a person would run it, in bytes of the pages it read
//! for each CPU second of all its threads, beside bytes to page schema of all pages of the site in
//! one thread, just before (`cargo bench -p untemplate --bench parse -- --ours LIST`). Then a
//! made-up page of 5 MB with a grid of 100,000 cells, through `rebuild` and through `infer`. Times
//! say nothing across machines: the ratio is held against its bar, and no time ever fails the
//! command.

use crate::eval::{Mirror, Run, measured, read_mirrors, summary_figure};
use crate::{corpora, shell, table};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The least share of the speed of bytes to page schema, on every site.
const RATIO_MIN: f64 = 0.2;
/// The most CPU seconds for the page with the large grid.
const GRID_SECONDS_MAX: f64 = 2.0;
/// The grid: with its mark-up a page of some 5 MB.
const GRID_ROWS: usize = 10_000;
const GRID_COLUMNS: usize = 10;

const USAGE: &str = "usage: cargo xtask bench rebuild [--only SITE]";

/// What was measured on a site.
struct Measured {
    site: String,
    n_pages: usize,
    megabytes: f64,
    /// Megabytes a CPU second, to page schema and to tables.
    schema_speed: f64,
    rebuild_speed: f64,
    memory_mb: f64,
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.rebuild_speed / self.schema_speed.max(1e-9)
    }
}

/// Measures and prints; false only when there was nothing to measure.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    let only = match arguments {
        [] => None,
        [option, site] if option == "--only" => Some(site),
        _ => return Err(USAGE.to_owned()),
    };
    for build in [
        &["build", "--release", "--package", "untemplate-cli"][..],
        &["bench", "--package", "untemplate", "--bench", "parse", "--no-run"],
    ] {
        shell::run(&mut shell::cargo(build)).map_err(|why| format!("the program does not build: {why}"))?;
    }
    let program = shell::target_folder().join("release/untemplate");
    let out = shell::target_folder().join("bench/rebuild");
    let mut all = Vec::new();
    match corpora::unpacked() {
        Err(why) => println!("bench: {why}: the made-up page alone"),
        Ok(unpacked) => {
            let mut mirrors = read_mirrors(&unpacked.join("sites"))?;
            mirrors.retain(|mirror| only.is_none_or(|only| *only == mirror.name));
            for mirror in &mirrors {
                match measure(mirror, &program, &out.join(&mirror.name)) {
                    Ok(measured) => {
                        println!("{}: {:.3}x page schema", measured.site, measured.ratio());
                        all.push(measured);
                    }
                    Err(why) => println!("bench: {}: {why}", mirror.name),
                }
            }
        }
    }
    print!("\n{}", report(&all));
    if only.is_none() {
        print!("{}", measure_grid(&program, &out.join("grid"))?);
    }
    keep(&all, &out.join("rebuild.json"))?;
    Ok(only.is_none() || !all.is_empty())
}

fn measure(mirror: &Mirror, program: &Path, work: &Path) -> Result<Measured, String> {
    empty(work)?;
    let pages = corpora::pages(&mirror.folder)?;
    let list = work.join("pages.list");
    let text: String = pages.iter().map(|page| format!("{}\n", page.display())).collect();
    write(&list, text.as_bytes())?;
    let schema_speed = schema_speed(&list)?;
    let summary = work.join("summary.json");
    let run = mirror.rebuilt(program, work, &summary)?;
    let bytes = summary_figure(&summary, "bytes").ok_or("the summary has no bytes")?;
    Ok(Measured {
        site: mirror.name.clone(),
        n_pages: pages.len(),
        megabytes: bytes / 1e6,
        schema_speed,
        rebuild_speed: bytes / 1e6 / run.cpu_seconds.max(1e-9),
        memory_mb: run.memory_mb,
    })
}

/// Megabytes a CPU second from bytes to page schema.
fn schema_speed(list: &Path) -> Result<f64, String> {
    let mut command = shell::cargo([
        "bench",
        "--quiet",
        "--package",
        "untemplate",
        "--bench",
        "parse",
        "--",
        "--ours",
    ]);
    read_speed(&shell::output_of(command.arg(list))?).ok_or_else(|| "no speed of bytes to page schema".to_owned())
}

/// The speed in the JSON line that the benchmark prints.
fn read_speed(text: &str) -> Option<f64> {
    let mut rounds = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let round = rounds.find(|round| round["parser"] == "untemplate")?;
    Some(round["bytes"].as_f64()? / 1e6 / round["seconds"].as_f64()?.max(1e-9))
}

fn report(all: &[Measured]) -> String {
    let heads = [
        "site",
        "pages",
        "MB",
        "schema MB/s",
        "rebuild MB/s",
        "x schema",
        "memory MB",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for measured in all {
        rows.push(vec![
            measured.site.clone(),
            measured.n_pages.to_string(),
            format!("{:.1}", measured.megabytes),
            format!("{:.1}", measured.schema_speed),
            format!("{:.2}", measured.rebuild_speed),
            format!("{:.3}", measured.ratio()),
            format!("{:.0}", measured.memory_mb),
        ]);
    }
    let mut text = format!("MB a CPU second\n{}", table::render(&rows));
    if let Some(slowest) = all.iter().min_by(|one, other| one.ratio().total_cmp(&other.ratio())) {
        let _ = writeln!(
            text,
            "x schema: {:.3} at the least, {} (bar {RATIO_MIN}: {})",
            slowest.ratio(),
            slowest.site,
            reached(slowest.ratio() >= RATIO_MIN)
        );
    }
    text
}

fn reached(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "not reached" }
}

/// The page with the large grid: rebuilt from a mirror where it stands alone, and inferred from.
fn measure_grid(program: &Path, work: &Path) -> Result<String, String> {
    empty(work)?;
    let site = work.join("site");
    std::fs::create_dir_all(&site).map_err(|error| format!("cannot make {}: {error}", site.display()))?;
    write(
        &site.join("index.html"),
        b"<title>Made</title><h1>Made</h1><p><a href=grid.html>All measurements</a></p>",
    )?;
    let pages: Vec<PathBuf> = vec![site.join("grid.html"), work.join("other.html")];
    for (number, page) in pages.iter().enumerate() {
        write(page, grid_page(number).as_bytes())?;
    }
    let mut rebuild = Command::new(program);
    rebuild.args(["rebuild", "http://made.example/", "--mirror"]);
    rebuild.arg(format!("http://made.example/={}", site.display()));
    rebuild.args(["--format", "sqlite", "-o"]).arg(work.join("out"));
    let rebuilt = measured(&mut rebuild, &work.join("rebuild.log"))?;
    let mut infer = Command::new(program);
    infer.arg("infer").args(&pages).arg("-o").arg(work.join("wrapper.json"));
    let inferred = measured(&mut infer, &work.join("infer.log"))?;
    let bytes = grid_page(0).len() as f64 / 1e6;
    let told = |run: &Run, n_pages: f64| {
        let seconds = run.cpu_seconds / n_pages;
        let ending = match run.code {
            Some(0) => String::new(),
            code => format!(", ended with {code:?}: {}", run.said),
        };
        format!(
            "{seconds:.2} CPU s a page, {:.0} MB (bar {GRID_SECONDS_MAX}: {}){ending}",
            run.memory_mb,
            reached(seconds < GRID_SECONDS_MAX)
        )
    };
    Ok(format!(
        "a page of {bytes:.1} MB, {} cells\n  rebuild: {}\n  infer:   {}\n",
        GRID_ROWS * GRID_COLUMNS,
        told(&rebuilt, 1.0),
        told(&inferred, pages.len() as f64)
    ))
}

/// A page that is one grid; another number, other values.
fn grid_page(number: usize) -> String {
    let mut page = String::with_capacity(6_000_000);
    page.push_str(
        "<!DOCTYPE html><html><head><title>Measurements</title></head><body><h1>Measurements</h1><table><tr>",
    );
    for column in 0..GRID_COLUMNS {
        let _ = write!(page, "<th>Station {column}</th>");
    }
    page.push_str("</tr>\n");
    for row in 0..GRID_ROWS {
        page.push_str("<tr class=\"row\">");
        for column in 0..GRID_COLUMNS {
            let value = (row * 7919 + column * 104_729 + number * 31) % 1_000_003;
            let _ = write!(
                page,
                "<td class=\"measured value number\">{}.{:03} mm</td>",
                value / 1000,
                value % 1000
            );
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></body></html>\n");
    page
}

fn keep(all: &[Measured], path: &Path) -> Result<(), String> {
    let rows = all.iter().map(|measured| {
        json!({
            "site": measured.site, "pages": measured.n_pages, "megabytes": measured.megabytes, "schema_speed": measured.schema_speed,
            "rebuild_speed": measured.rebuild_speed, "ratio": measured.ratio(), "memory_mb": measured.memory_mb,
        })
    });
    let all = Value::Array(rows.collect());
    write(path, format!("{all:#}\n").as_bytes())
}

fn empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_slowest_site_is_held_against_the_bar() {
        let measured = |site: &str, rebuild_speed| Measured {
            site: site.to_owned(),
            n_pages: 10,
            megabytes: 4.0,
            schema_speed: 100.0,
            rebuild_speed,
            memory_mb: 50.0,
        };
        expect![[r#"
            MB a CPU second
            site  pages   MB  schema MB/s  rebuild MB/s  x schema  memory MB
            one      10  4.0        100.0         25.00     0.250         50
            two      10  4.0        100.0          4.00     0.040         50
            x schema: 0.040 at the least, two (bar 0.2: not reached)
        "#]]
        .assert_eq(&report(&[measured("one", 25.0), measured("two", 4.0)]));
    }

    #[test]
    fn the_benchmark_is_understood() {
        let text =
            "noise\n{\"parser\":\"untemplate\",\"corpus\":\"x\",\"pages\":1,\"bytes\":5000000,\"seconds\":0.05}\n";
        assert_eq!(read_speed(text), Some(100.0));
        assert_eq!(read_speed("noise"), None);
    }

    #[test]
    fn the_grid_is_as_large_as_said() {
        let page = grid_page(0);
        assert_eq!(page.matches("<td").count(), 100_000);
        assert!((4_500_000..5_500_000).contains(&page.len()), "{}", page.len());
        assert_ne!(page, grid_page(1));
    }
}
