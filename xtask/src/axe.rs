//! axe-core, which looks for what keeps people from using a page: the browser tests ask it where it
//! can be had.

use std::path::PathBuf;
use std::process::Command;

use crate::shell;

/// The package and the newest of its versions that the tests were written against.
const PACKAGE: &str = "axe-core@4";

/// The file of axe-core, by npm below the target folder; an error says why it is not there.
pub fn prepare() -> Result<PathBuf, String> {
    let folder = shell::target_folder().join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if file.is_file() {
        return Ok(file);
    }
    if !shell::is_there(&mut Command::new("npm")) {
        return Err("there is no npm (Debian: apt install npm)".to_owned());
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let mut install = Command::new("npm");
    install.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]);
    shell::output_of(install.arg(&folder).arg(PACKAGE))?;
    match file.is_file() {
        true => Ok(file),
        false => Err(format!("npm installed no {}", file.display())),
    }
}
