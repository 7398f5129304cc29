//! The Python side: a virtual environment with the peers, and the script that measures the parsers
//! among them.

use super::sample::Sample;
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reads a list, parses it with each peer that can be imported, prints the JSON lines.
const SCRIPT: &str = include_str!("peers.py");

/// The parsers.
pub const PARSERS: [&str; 2] = ["lxml", "selectolax"];

/// A Python that has the peers.
pub struct Peers {
    python: PathBuf,
}

impl Peers {
    /// The program that has them.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// The command that measures the parsers on a sample.
    pub fn side(&self, sample: &Sample) -> Command {
        let mut command = Command::new(&self.python);
        command.arg("-c").arg(SCRIPT).arg(&sample.list);
        command
    }
}

/// Makes the environment with these packages where it is not there yet; an error says what is
/// missing.
pub fn prepare(packages: &[&str]) -> Result<Peers, String> {
    let folder = shell::target_folder().join("bench-venv");
    let python = folder.join("bin/python");
    if !imports(&python, packages) {
        install(&folder, &python, packages)?;
    }
    Ok(Peers { python })
}

fn imports(python: &Path, packages: &[&str]) -> bool {
    shell::output_of(Command::new(python).args(["-c", &format!("import {}", packages.join(", "))])).is_ok()
}

fn install(folder: &Path, python: &Path, packages: &[&str]) -> Result<(), String> {
    let names = packages.join(" and ");
    println!("bench: installing {names} into {}", folder.display());
    let mut make = Command::new("python3");
    let made = shell::output_of(make.args(["-m", "venv"]).arg(folder));
    made.map_err(|why| {
        format!("no Python environment ({why}): {names} cannot be measured; is python3-venv installed?")
    })?;
    let mut pip = Command::new(python);
    let installed = shell::output_of(pip.args(["-m", "pip", "install", "--quiet"]).args(packages));
    installed
        .map(drop)
        .map_err(|why| format!("pip could not install {names} ({why}): left out; is there a network?"))
}
