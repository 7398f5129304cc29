//! `untemplate run --every`: the same run again and again, until the program is interrupted.
//!
//! The first run decides whether it makes sense: what is wrong with it ends the program. Later ones
//! may fail, since networks do, and the next one comes all the same.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::run;
use crate::arguments::RunArguments;
use crate::interrupt::{control, listen};
use crate::outcome::Outcome;
use crate::output::{complain, say};

/// How often an interrupt is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs once, or as often as is asked for.
pub fn run(arguments: &RunArguments) -> Result<Outcome> {
    let Some(every) = arguments.every else {
        return run::run(arguments);
    };
    listen();
    let mut is_first = true;
    loop {
        let began = Instant::now();
        match run::run(arguments) {
            Ok(Outcome::Interrupted) => return Ok(Outcome::Interrupted),
            Ok(_) => {}
            Err(error) if is_first => return Err(error),
            Err(error) => complain(&format!("{error:#}")),
        }
        is_first = false;
        let rest = every.saturating_sub(began.elapsed());
        let seconds = rest.as_secs();
        say(
            &arguments.tables.figures(),
            &format!("the next run begins in {seconds} seconds (Ctrl-C ends)"),
        );
        while began.elapsed() < every {
            if control().is_stopping() {
                return Ok(Outcome::Interrupted);
            }
            thread::sleep(LOOK_EVERY.min(every.saturating_sub(began.elapsed())));
        }
    }
}
