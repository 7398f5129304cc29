//! `cargo xtask bench workers`: pages a second of 1, 2 and 4 workers that share an archive on a
//! PostgreSQL server.
//!
//! The test `shared_speed` of the program does it, on 64 hosts whose answers take a second each, so
//! that waiting, and not the machine, is what workers share; a program built for tests will do. No
//! time ever fails the command.

use crate::shell;

/// Hosts, pages on each, milliseconds of an answer, numbers of workers.
const SETTING: &str = "64 8 1000 1,2,4";

/// Measures and prints.
pub fn run() -> Result<bool, String> {
    let mut command = shell::cargo(["test", "--package", "untemplate-cli", "--test", "shared_speed"]);
    command.args(["--", "--nocapture"]).env("UNTEMPLATE_SPEED", SETTING);
    shell::run(&mut command)?;
    Ok(true)
}
