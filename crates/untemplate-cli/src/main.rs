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
use outcome::failure_code;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.verb {
        Verb::Show(show) => verbs::show::run(show),
        Verb::Demo(demo) => verbs::demo::run(demo),
        Verb::Completions(completions) => verbs::completions::run(completions),
        Verb::Man(man) => verbs::man::run(man),
    };
    match result {
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            eprintln!("untemplate: {error:#}");
            failure_code(&error)
        }
    }
}
