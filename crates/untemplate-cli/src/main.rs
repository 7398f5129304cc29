//! `untemplate`: the program. It turns arguments into options, calls a verb, and picks the exit code.

mod arguments;
mod outcome;
mod output;
mod page_arguments;
mod sources;
mod summary;
mod verbs;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Verb};
use outcome::failure_number;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.verb {
        Verb::Archive(archive) => verbs::archive::run(archive),
        Verb::Run(run) => verbs::run::run(run),
        Verb::Show(show) => verbs::show::run(show),
        Verb::Verify(verify) => verbs::verify::run(verify),
        Verb::Demo(demo) => verbs::demo::run(demo),
        Verb::Completions(completions) => verbs::completions::run(completions),
        Verb::Man(man) => verbs::man::run(man),
    };
    ExitCode::from(match result {
        Ok(outcome) => outcome.number(),
        Err(error) => {
            output::complain(&format!("{error:#}"));
            failure_number(&error)
        }
    })
}
