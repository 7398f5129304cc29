//! The Python package: its wheel, built with maturin in a virtual environment, and its tests there.
//!
//! What cannot be had (Python, maturin, a network) skips the step and is said; so are packages that
//! only some tests need: Scrapy, Spark and the JVM it runs on.

use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate of the package.
const CRATE: &str = "crates/untemplate-python";

/// What the package is built and tested with.
const NEEDED: [&str; 3] = ["maturin", "pytest", "pyarrow"];

/// What some tests need beside it: they skip themselves where it is missing.
const WISHED: [&str; 7] = ["scrapy", "parsel", "pandas", "pyspark", "polars", "duckdb", "dask"];

/// Builds and tests the wheel; the inner error says what is missing where that is not our fault.
pub fn check() -> Result<Result<(), String>, String> {
    let python = match environment() {
        Ok(python) => python,
        Err(why) => return Ok(Err(why)),
    };
    for package in WISHED {
        if let Err(why) = install(&python, &[package]) {
            println!("check: tests of the Python package that need {package} are left out: {why}");
        }
    }
    if shell::output_of(Command::new("java").arg("-version")).is_err() {
        println!("check: there is no Java, Spark is not tested (Debian: apt install default-jre-headless)");
    }
    shell::run(&mut shell::cargo(["build", "--package", "untemplate-cli"]))?;
    let wheel = build(&python)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]);
    shell::run(pip.arg(wheel))?;
    let mut pytest = Command::new(&python);
    pytest
        .args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"])
        .current_dir(shell::workspace_root().join(CRATE))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("UNTEMPLATE_PROGRAM", shell::target_folder().join("debug/untemplate"));
    shell::run(&mut pytest)?;
    Ok(Ok(()))
}

/// The Python of a virtual environment with what is needed.
fn environment() -> Result<PathBuf, String> {
    let folder = shell::target_folder().join("wheel-venv");
    let python = folder.join("bin/python");
    if !python.exists() {
        let made = shell::output_of(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        made.map_err(|why| format!("no Python environment ({why}); is python3-venv installed?"))?;
    }
    install(&python, &NEEDED)?;
    Ok(python)
}

/// Installs packages that are not there yet.
fn install(python: &Path, packages: &[&str]) -> Result<(), String> {
    let imports = format!("import {}", packages.join(", "));
    if shell::output_of(Command::new(python).args(["-c", &imports])).is_ok() {
        return Ok(());
    }
    let mut pip = Command::new(python);
    let installed = shell::output_of(pip.args(["-m", "pip", "install", "--quiet"]).args(packages));
    let names = packages.join(" and ");
    installed
        .map(drop)
        .map_err(|why| format!("pip could not install {names} ({why}); is there a network?"))
}

/// The wheel, in the profile of the tests: it is for them alone.
fn build(python: &Path) -> Result<PathBuf, String> {
    let wheels = shell::target_folder().join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut maturin = Command::new(python);
    maturin
        .args(["-m", "maturin", "build", "--locked", "--profile", "dev", "--out"])
        .arg(&wheels)
        .current_dir(shell::workspace_root().join(CRATE));
    shell::run(&mut maturin)?;
    let files = std::fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let mut files = files.filter_map(|file| Some(file.ok()?.path()));
    let wheel = files.find(|file| file.extension().is_some_and(|ending| ending == "whl"));
    wheel.ok_or_else(|| format!("maturin left no wheel in {}", wheels.display()))
}
