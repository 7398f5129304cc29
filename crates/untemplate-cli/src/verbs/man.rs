//! `untemplate man`: the manual page, made from the same text as `--help`.

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::arguments::{Arguments, ManArguments};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::write_result;
use crate::summary::summarised;

/// Prints the page of the program or of one verb.
pub fn run(arguments: &ManArguments) -> Result<Outcome> {
    summarised("man", &arguments.output, |_| {
        write_result(&arguments.output, &manual(arguments.verb_name.as_deref())?)?;
        Ok(Outcome::Complete)
    })
}

fn manual(verb_name: Option<&str>) -> Result<Vec<u8>> {
    let mut program = Arguments::command();
    program.build();
    let command = match verb_name {
        None => program,
        Some(name) => {
            let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
            let unknown = || WrongUsage(format!("there is no verb {name}; there are {}", names.join(", ")));
            program.find_subcommand(name).ok_or_else(unknown)?.clone()
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .context("cannot write the manual page")?;
    Ok(page)
}
