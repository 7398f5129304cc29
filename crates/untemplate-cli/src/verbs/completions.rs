//! `untemplate completions`: a script that lets a shell complete verbs and options.

use anyhow::Result;
use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::outcome::Outcome;
use crate::output::write_result;
use crate::summary::summarised;

/// Prints the script.
pub fn run(arguments: &CompletionsArguments) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "untemplate", &mut script);
    summarised("completions", &arguments.output, |_| {
        write_result(&arguments.output, &script)?;
        Ok(Outcome::Complete)
    })
}
